//===- UnitScanner.h - Which library headers a file includes ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the #include directives of a translation unit's own files, with clang's
// preprocessor, without reading a library's header: those count as empty, which
// makes a scan a matter of milliseconds where LibTorch's headers take half a
// second to preprocess. What cannot be judged that way is left out.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_UNITSCANNER_H
#define TDL_COMPILE_UNITSCANNER_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace tdl {

class ProjectFiles;

/// A library's header that one of the user's files includes.
struct HeavyInclude {
  std::string Spelling; ///< Between the brackets: "torch/torch.h".
  std::string Path;     ///< Where it was found, absolute.
  /// By its first folder.
  bool isLibTorch() const;
  /// What clang includes before every CUDA file (Adjust.h). The other headers
  /// mean nothing without it.
  bool isCudaWrapper() const;
  friend bool operator==(const HeavyInclude &A, const HeavyInclude &B) {
    return A.Spelling == B.Spelling && A.Path == B.Path;
  }
};

/// A macro that the command line or the user's files define or undefine before
/// such a header.
struct MacroEvent {
  unsigned Position = 0; ///< How many of UnitScan::Includes come before it.
  std::string Name;
  std::string Directive; ///< "#define NAME text" or "#undef NAME".
  bool FunctionLike = false;
};

struct UnitScan {
  /// Headers that are included for certain, at file level, each once, in order.
  /// Standard headers are not among them (LightHeaders.def).
  std::vector<HeavyInclude> Includes;
  /// In order; none after the last of Includes.
  std::vector<MacroEvent> Macros;
  /// "#define NAME text" of every macro of the compiler's own.
  std::vector<std::string> Builtins;

  /// Does it include LibTorch?
  bool usesLibTorch() const;
};

/// Scans the unit that \p Invocation compiles. Never fails: a file that cannot
/// be read or preprocessed gives an empty or short list, and the parser will
/// say what is wrong with it.
UnitScan scanUnit(const clang::CompilerInvocation &Invocation,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
                  const ProjectFiles &Project);

} // namespace tdl

#endif // TDL_COMPILE_UNITSCANNER_H
