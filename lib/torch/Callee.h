//===- Callee.h - What a call means to LibTorch ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names the operator behind a callee in the words of the contract table:
// methods, free functions in any of LibTorch's namespaces, overloaded
// operators, torch::nn::functional.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_CALLEE_H
#define TDL_TORCH_CALLEE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class Expr;
class FunctionDecl;
} // namespace clang

namespace tdl {

class ContractTable;

/// A function or method of LibTorch.
struct TorchCallee {
  /// As the contract table names it: "index_select", "add_" for operator+=,
  /// "linalg_svd" for torch::linalg::svd, "F::linear" for
  /// torch::nn::functional::linear. Empty when the callee is not LibTorch's.
  std::string Op;
  /// A method of at::Tensor: the object is the argument "self".
  bool IsTensorMethod = false;
  /// An overloaded operator: arguments are self and other by position.
  bool IsOperator = false;

  explicit operator bool() const { return !Op.empty(); }
};

TorchCallee torchCalleeOf(const clang::FunctionDecl *Function);

/// A function of the user's own that \p Table has rows for, under its qualified
/// name ("my::to_gpu", "::to_gpu" in the global namespace).
TorchCallee ownCalleeOf(const clang::FunctionDecl *Function,
                        const ContractTable &Table);

/// Whether \p Function is the availability test of an accelerator
/// (torch::cuda::is_available, hasCUDA, ...); then the name of its device type
/// ("cuda"), else empty.
llvm::StringRef availabilityTestOf(const clang::FunctionDecl *Function);

/// Likewise for a count of devices (torch::cuda::device_count).
llvm::StringRef deviceCountOf(const clang::FunctionDecl *Function);

} // namespace tdl

#endif // TDL_TORCH_CALLEE_H
