//===- Wrappers.h - What LibTorch's CUDA wrappers compare -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of data/cuda-wrappers-RELEASE.tsv, which tools/cuda_wrappers.py
// derives from torchgen's model of LibTorch. The linter's contract table has no
// part in it: the simulation must be able to disagree with the linter.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_WRAPPERS_H
#define TDL_RUNTIME_CHECK_SIM_WRAPPERS_H

#include <string>
#include <unordered_map>
#include <vector>

namespace tdl {
namespace sim {

/// An operator that has a CUDA kernel.
struct Wrapper {
  enum class Kind { Iterator, Structured, Plain };

  std::string Method;               ///< As LibTorch's message names it.
  std::vector<std::string> Checked; ///< Arguments compared, in this order.
  Kind KernelKind = Kind::Plain;
  bool IsShared = false; ///< CUDA and CPU run the same C++ function.
};

/// By operator and overload: "add.Tensor", "index_select".
const std::unordered_map<std::string, Wrapper> &wrappers();

/// Null when the operator has no CUDA kernel of its own.
const Wrapper *findWrapper(const std::string &Operator);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_WRAPPERS_H
