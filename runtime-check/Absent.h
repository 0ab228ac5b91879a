//===- Absent.h - Tensors that are not there --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ABSENT_H
#define TDL_RUNTIME_CHECK_ABSENT_H

#include <ATen/core/Tensor.h>

#include <string>

namespace tdl {
namespace verify {

/// The tensor that a step of the kind undefined stands for: \p Why is its op.
/// Throws CannotRun for a member that is not in the table.
at::Tensor undefinedTensor(const std::string &Why);

/// Calls \p Op (device, options, to, zeros_like, ...), which needs the device of
/// \p Asked. LibTorch's exceptions pass through. Returns \p Asked.
at::Tensor askDevice(const std::string &Op, const at::Tensor &Asked);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ABSENT_H
