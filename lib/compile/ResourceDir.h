//===- ResourceDir.h - Where clang's builtin headers are ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// stddef.h, stdarg.h, immintrin.h and their kin belong to the compiler, and the
// parser needs those of its own version wherever the binary is installed.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_RESOURCEDIR_H
#define TDL_COMPILE_RESOURCEDIR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tdl {

/// The first of these that holds include/stddef.h:
///   \p Override alone, when it is not empty (--resource-dir);
///   <exe>/../lib/torch-device-lint/clang/22 and <exe>/../lib/clang/22, where
///   <exe> is the folder of \p Executable (absolute);
///   the folder that the build was configured with;
///   Debian's /usr/lib/llvm-22/lib/clang/22.
/// The error lists where it looked.
llvm::Expected<std::string> findResourceDir(llvm::StringRef Override,
                                            llvm::StringRef Executable);

} // namespace tdl

#endif // TDL_COMPILE_RESOURCEDIR_H
