//===- Nvcc.h - nvcc's command line -------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc has a syntax of its own: lists with commas, "-std c++17", flags for the
// host compiler in -Xcompiler. Here it becomes a command of the host compiler,
// which Adjust.h then treats like any other. The facts are in NvccFlags.def.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_NVCC_H
#define TDL_COMPILE_NVCC_H

#include "compile/Adjust.h"
#include "llvm/Support/Error.h"

namespace tdl {

/// \p Command, of nvcc, with the flags in place of the option files that name
/// them (--options-file). Relative names are relative to \p Directory, an
/// absolute path. An error names the file that cannot be read.
llvm::Expected<Arguments> expandOptionFiles(llvm::ArrayRef<std::string> Command,
                                            llvm::StringRef Directory);

/// The command of the host compiler that \p Command, of nvcc, stands for, in
/// clang's words. Element 0 is the compiler that -ccbin names, else "g++". What
/// concerns the GPU alone is gone.
Arguments hostCommand(llvm::ArrayRef<std::string> Command);

} // namespace tdl

#endif // TDL_COMPILE_NVCC_H
