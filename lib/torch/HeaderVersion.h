//===- HeaderVersion.h - Which LibTorch a file includes --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_HEADERVERSION_H
#define TDL_TORCH_HEADERVERSION_H

#include "torch/ContractTable.h"
#include <optional>

namespace clang {
class Preprocessor;
} // namespace clang

namespace tdl {

/// The release of the LibTorch whose headers \p PP has read; none when no
/// header told it.
std::optional<LibTorchVersion> libTorchVersionOf(clang::Preprocessor &PP);

} // namespace tdl

#endif // TDL_TORCH_HEADERVERSION_H
