//===- Adjust.h - From a build's command to one that can be parsed ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from arguments to arguments. Element 0 is the compiler. The
// facts are in AdjustFlags.def.
//
// What stays is what the parse depends on: language, standard, target, macros,
// include paths, -include. Code generation goes. Flags that do no more than set
// macros such as __AVX2__ or __OPTIMIZE__ stay for the user's own code, which
// may test them, and go for the headers of a prelude: few headers consult them,
// no header declares other tensors for them, and targets that differ in them
// alone share one prelude.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_ADJUST_H
#define TDL_COMPILE_ADJUST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

using Arguments = std::vector<std::string>;

/// Whose command line it is; decides which adjuster runs.
enum class CompilerKind {
  Gcc,   ///< g++, c++, cc, and cross compilers of that family.
  Clang, ///< clang, clang++.
  Nvcc,  ///< nvcc, the compiler of CUDA's toolkit.
};

/// By the program's name, without folder and version ("g++-12" is Gcc). An
/// unknown name counts as Gcc, whose syntax most compilers share.
CompilerKind compilerKind(llvm::StringRef Program);

/// The command for parsing one file as the build compiles it: outputs,
/// warnings, code generation and what clang does not know are gone, -w and
/// -fsyntax-only are there, the compiler is clang in the folder of the build's
/// own compiler, so that its headers are found. \p Dropped, if given, receives
/// the arguments left out that clang does not know: all others are expected.
Arguments adjustForParse(llvm::ArrayRef<std::string> Command,
                         Arguments *Dropped = nullptr);

/// The result of adjustForParse without the flags of class Target.
Arguments adjustForPrelude(llvm::ArrayRef<std::string> ParseCommand);

/// Whether \p ParseCommand, a result of adjustForParse, compiles \p File as
/// CUDA: by -x, else by the file's ending.
bool isCuda(llvm::ArrayRef<std::string> ParseCommand, llvm::StringRef File);

/// What clang includes before a CUDA file (nvcc: cuda_runtime.h).
inline constexpr char CudaWrapper[] = "__clang_cuda_runtime_wrapper.h";

/// A folder that is not on disk (withStandIns in Frontend.h).
inline constexpr char StandInFolder[] = "/torch-device-lint/stand-ins";

/// \p ParseCommand for the parse of a CUDA file's host side. Clang does not
/// look for a toolkit then: \p IncludeFolders are searched for CUDA's headers
/// (findCudaHeaders), after the command's own, and StandInFolder last.
Arguments adjustForCuda(llvm::ArrayRef<std::string> ParseCommand,
                        llvm::ArrayRef<std::string> IncludeFolders);

/// \p ParseCommand with \p IncludeFolders searched as a system's, after the
/// command's own.
Arguments withSystemFolders(llvm::ArrayRef<std::string> ParseCommand,
                            llvm::ArrayRef<std::string> IncludeFolders);

} // namespace tdl

#endif // TDL_COMPILE_ADJUST_H
