//===- Alias.h - Device tensors as kernels see them -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simulated kernel is the CPU kernel on a CPU tensor over the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_ALIAS_H
#define TDL_RUNTIME_CHECK_SIM_ALIAS_H

#include <ATen/core/Tensor.h>

namespace tdl {
namespace sim {

/// Defined and on a simulated device.
bool isOnDevice(const at::Tensor &T);

/// A CPU tensor over the same bytes; keeps nothing alive. A tensor that is not
/// on a simulated device is returned as it is.
at::Tensor cpuAlias(const at::Tensor &T);

/// Uninitialised memory on \p Device; without an index, on the current device.
at::Tensor makeOnDevice(c10::IntArrayRef Sizes, c10::IntArrayRef Strides,
                        c10::ScalarType Type, c10::Device Device);

/// A copy of a CPU tensor, strides included. Undefined stays undefined.
at::Tensor copyToDevice(const at::Tensor &Cpu, c10::Device Device);

/// Another view of the storage of \p Base.
at::Tensor makeView(const at::Tensor &Base, c10::IntArrayRef Sizes,
                    c10::IntArrayRef Strides, int64_t Offset,
                    c10::ScalarType Type);

/// After a kernel worked on \p Alias, makes \p T follow: its sizes, and its
/// storage where the kernel allocated another one.
void followAlias(const at::Tensor &T, const at::Tensor &Alias);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_ALIAS_H
