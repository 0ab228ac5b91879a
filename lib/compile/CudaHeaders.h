//===- CudaHeaders.h - Where CUDA's headers are -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .cu file needs CUDA's headers and nothing else of a toolkit: no compiler,
// no library, no GPU. So a folder of headers will do, such as the Python wheels
// bring, where clang by itself insists on an installed toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_CUDAHEADERS_H
#define TDL_COMPILE_CUDAHEADERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tdl {

/// Where CUDA may be, absolute, best first, each once: what \p Command, the
/// build's own, names (--cuda-path, the folder above nvcc, an include folder
/// with CUDA's headers), $CUDA_HOME and $CUDA_PATH, installed toolkits, and
/// wheels: beside the LibTorch that the command includes, in Python's folders.
/// Relative paths are relative to \p Directory.
std::vector<std::string> cudaRoots(llvm::ArrayRef<std::string> Command,
                                   llvm::StringRef Directory);

/// The folders to search for CUDA's headers, absolute, in order, /usr/include
/// not among them: those of the first of \p Roots that has all that a parse
/// needs. A root is a toolkit, a folder of headers, or the folder "nvidia" of
/// Python's wheels. The error says where it looked and what is missing.
llvm::Expected<std::vector<std::string>>
findCudaHeaders(llvm::ArrayRef<std::string> Roots);

} // namespace tdl

#endif // TDL_COMPILE_CUDAHEADERS_H
