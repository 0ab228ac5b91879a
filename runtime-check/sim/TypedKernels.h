//===- TypedKernels.h - Kernels that are not a CPU kernel on aliases ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_TYPEDKERNELS_H
#define TDL_RUNTIME_CHECK_SIM_TYPEDKERNELS_H

#include <torch/library.h>

#include <string>
#include <unordered_set>

namespace tdl {
namespace sim {

/// Registers allocation, views, copies and storage changes. Returns the names
/// that the boxed kernel must leave alone.
std::unordered_set<std::string> registerTypedKernels(torch::Library &Library);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_TYPEDKERNELS_H
