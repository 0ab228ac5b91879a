//===- BoxedKernel.h - One kernel for every operator ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks devices as the CUDA kernel would, then runs the CPU kernel on aliases.
// Who checks:
//   the generated wrapper   LibTorch's own check_and_update_common_device() on
//                           the arguments that torchgen's model names
//   a structured operator   its real meta function, on the real tensors
//                           (the functional and in-place forms run LibTorch's
//                           own code up to the out= form, which also says where
//                           the result is)
//   a shared kernel         the real C++ function, on the real tensors, which
//                           stops where it asks for device code
//   another CUDA kernel     nobody here; noteUndecided() when devices differ
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_BOXEDKERNEL_H
#define TDL_RUNTIME_CHECK_SIM_BOXEDKERNEL_H

#include <ATen/core/dispatch/Dispatcher.h>

namespace tdl {
namespace sim {

/// "add.Tensor", "index_select".
std::string operatorName(const c10::OperatorHandle &Op);

void runBoxed(const c10::OperatorHandle &Op, torch::jit::Stack *Stack);

/// Runs what is registered for the CPU on the device tensors themselves. Only
/// for shared kernels that never touch elements: views.
void runCpuRegistration(const c10::OperatorHandle &Op,
                        torch::jit::Stack *Stack);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_BOXEDKERNEL_H
