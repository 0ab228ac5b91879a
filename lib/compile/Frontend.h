//===- Frontend.h - Running clang's frontend in this process ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser, the prelude's builder and its scanner have in common: from
// arguments to an invocation, from an invocation to an instance, and errors as
// text instead of on a terminal.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_FRONTEND_H
#define TDL_COMPILE_FRONTEND_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace tdl {

/// Keeps the first errors as "file:line:col: error: text"; counts all.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  bool hasErrors() const { return Count != 0; }
  /// Was a precompiled header refused or found broken?
  bool hasPchErrors() const { return PchCount != 0; }
  std::vector<std::string> take() { return std::move(Errors); }

private:
  static constexpr unsigned MaxKept = 10;
  std::vector<std::string> Errors;
  unsigned Count = 0;
  unsigned PchCount = 0;
};

/// The disk as seen from a working directory of its own; null when there is no
/// such folder.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
fileSystemAt(llvm::StringRef Directory);

/// \p FS, with StandInFolder (Adjust.h) if \p Invocation searches it: the
/// headers in lib/compile/stand-ins, which are part of this program.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withStandIns(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
             const clang::CompilerInvocation &Invocation);

/// The text of all of them, to tell one version from another.
std::string standInText();

/// What clang's driver makes of a command (element 0 is the compiler). Null
/// after an error, which \p Errors then has.
std::unique_ptr<clang::CompilerInvocation>
makeInvocation(llvm::ArrayRef<std::string> Command,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
               ErrorCollector &Errors);

/// An instance ready for ExecuteAction, its target made. \p Errors must
/// outlive it. Null when the target cannot be made (an unknown -march).
std::unique_ptr<clang::CompilerInstance>
makeInstance(std::shared_ptr<clang::CompilerInvocation> Invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
             ErrorCollector &Errors);

/// Absolute folders that the invocation searches as a system's (-isystem and
/// the compiler's own).
std::vector<std::string>
systemFolders(const clang::CompilerInvocation &Invocation,
              llvm::StringRef Directory);

} // namespace tdl

#endif // TDL_COMPILE_FRONTEND_H
