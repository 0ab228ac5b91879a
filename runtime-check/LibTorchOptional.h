//===- LibTorchOptional.h - LibTorch's optional ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LibTorch 1 had an optional of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_LIBTORCHOPTIONAL_H
#define TDL_RUNTIME_CHECK_LIBTORCHOPTIONAL_H

#include <c10/util/Optional.h>
#include <torch/version.h>

#include <optional>

namespace tdl {
namespace verify {

#if TORCH_VERSION_MAJOR >= 2
template <class T> using LibTorchOptional = std::optional<T>;
#else
template <class T> using LibTorchOptional = c10::optional<T>;
#endif

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_LIBTORCHOPTIONAL_H
