//===- AbsolutePath.h - One spelling for each path ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_ABSOLUTEPATH_H
#define TDL_COMPILE_ABSOLUTEPATH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tdl {

/// \p Path made absolute against \p Directory, without "." and "..". An empty
/// \p Directory is the current one. Asks the disk where a ".." follows a
/// symbolic link (/lib/gcc/../../include is /usr/include where /lib is a link);
/// other links stay as they are spelled.
std::string absolutePath(llvm::StringRef Path, llvm::StringRef Directory = {});

} // namespace tdl

#endif // TDL_COMPILE_ABSOLUTEPATH_H
