//===- ContractWording.h - A contract in words -----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a row of the contract table means, for people: the words that
// --explain-op prints. The only place with English about contracts.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_CONTRACTWORDING_H
#define TDL_TORCH_CONTRACTWORDING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tdl {

class ContractTable;

/// The name in the table of what a program spells \p Spelling:
/// "torch::linalg::svd" is "linalg_svd", "torch::nn::functional::linear" is
/// "F::linear", "at::add", "Tensor::add" and "aten::add" are "add". A name of
/// the table stays as it is.
std::string contractNameOf(llvm::StringRef Spelling);

/// All rows of \p Name, a name of the table: for each, the arguments by role,
/// the result, how its derived forms differ, the error, the releases and the
/// source. "max.other" is the row of that overload alone. Lines end with a
/// newline. Empty when the table has no such row.
std::string contractInWords(const ContractTable &Table, llvm::StringRef Name);

} // namespace tdl

#endif // TDL_TORCH_CONTRACTWORDING_H
