//===- Version.h - What differs between LibTorch versions -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one number that the simulated device is written against. Differences of
// declarations (a virtual function that lost its const, one that got another
// name) are met where they occur, by comparing with this number.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_VERSION_H
#define TDL_RUNTIME_CHECK_SIM_VERSION_H

#include <c10/util/Optional.h>
#include <torch/version.h>

/// 113 for LibTorch 1.13, 211 for 2.11.
#define TDL_TORCH (TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR)

namespace tdl {
namespace sim {

#if TDL_TORCH >= 200
template <class T> using Optional = std::optional<T>;
#else
template <class T> using Optional = c10::optional<T>;
#endif

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_VERSION_H
