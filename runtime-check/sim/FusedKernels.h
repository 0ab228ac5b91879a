//===- FusedKernels.h - Operators that exist for CUDA alone ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATen's composite RNN and CTC code asks for fused kernels when its tensors
// are on CUDA. They have no CPU kernel to borrow.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_FUSEDKERNELS_H
#define TDL_RUNTIME_CHECK_SIM_FUSEDKERNELS_H

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace tdl {
namespace sim {

/// Takes CPU aliases of the arguments and returns CPU results. Null when
/// \p Operator is none of them.
using FusedKernel =
    std::vector<c10::IValue> (*)(const std::vector<c10::IValue> &Arguments);
FusedKernel findFusedKernel(const std::string &Operator);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_FUSEDKERNELS_H
