//===- Binding.h - Which of LibTorch's functions have a contract -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the declarations of LibTorch's headers for the functions that programs
// call with tensors, and asks the contract table for each. For those who work
// on the table: docs/contributing/binding.md.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_BINDING_H
#define TDL_TORCH_BINDING_H

#include "torch/ContractTable.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace tdl {

/// A function, a method of a tensor, or a setter of an options object.
struct TensorFunction {
  std::string Scope;     ///< "at", "torch::nn::functional", "at::Tensor".
  std::string Name;      ///< Without the scope.
  std::string Signature; ///< Type as clang prints it; tells overloads apart.
  bool IsBound = false;  ///< A row of the table was found.
};

/// Every public function that takes or returns tensors, lists of them or
/// optional ones, in the namespaces that torchCalleeOf knows and in
/// at::indexing, the classes of tensors, and those options of
/// torch::nn::functional that hold tensors. A method's own object does not
/// count as taken. Constructors, destructors and the assignment of handles are
/// left out: they have no contract. Sorted, no duplicates. \p AST must hold
/// whole headers, not a part of them that was read from a prelude.
std::vector<TensorFunction>
tensorFunctionsOf(clang::ASTContext &AST, const ContractTable &Table,
                  std::optional<LibTorchVersion> Version);

} // namespace tdl

#endif // TDL_TORCH_BINDING_H
