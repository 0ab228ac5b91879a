//===- PreludeRequest.h - Which prelude a file wants --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a prelude is made of, and so its key: the flags that change how headers
// parse, the headers in order, and the macros before them. Flags that only set
// macros of the target or generate other code are no part of it (Adjust.h).
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_PRELUDEREQUEST_H
#define TDL_COMPILE_PRELUDEREQUEST_H

#include "compile/UnitScanner.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace tdl {

struct PreludeRequest {
  /// How to compile the prelude: no input, no output, no macros, absolute
  /// include folders outside of the project.
  std::shared_ptr<clang::CompilerInvocation> Invocation;
  /// Hash of Invocation and of what this program makes of it, in hexadecimal.
  std::string FlagsKey;
  std::vector<HeavyInclude> Includes;
  std::vector<MacroEvent> Macros;
  /// The include folders of the project itself. The prelude's headers are not
  /// looked for there; PreludeStore makes sure that the file's would not be.
  std::vector<std::string> ProjectFolders;
};

/// \p Normalised is the invocation of adjustForPrelude's command.
PreludeRequest makePreludeRequest(const clang::CompilerInvocation &Normalised,
                                  llvm::StringRef Directory,
                                  const ProjectFiles &Project,
                                  const UnitScan &Scan);

/// The request without the headers that are not LibTorch's. The one that makes
/// a file CUDA stays.
PreludeRequest onlyLibTorch(const PreludeRequest &Request);

/// The source text of a prelude: the macros as they stand before each header,
/// the headers, and every macro undefined again, because the file that uses the
/// prelude defines its own.
std::string preludeText(const PreludeRequest &Request);

/// 16 hexadecimal digits. Stable across runs and machines.
std::string stableHash(llvm::StringRef Text);

} // namespace tdl

#endif // TDL_COMPILE_PRELUDEREQUEST_H
