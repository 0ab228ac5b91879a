//===- Explain.h - --list-checks, --explain and --explain-op ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_EXPLAIN_H
#define TDL_TOOL_EXPLAIN_H

#include "llvm/ADT/StringRef.h"

namespace tdl {

class ContractTable;

/// Prints the checks, a line each; returns the exit status.
int listChecks();

/// Prints the page of a check; returns the exit status. For a name that is no
/// check's, offers a near one.
int explainCheck(llvm::StringRef Name);

/// Prints what LibTorch's operator demands of devices, as the contract table
/// has it; returns the exit status. The name is the table's or C++'s
/// ("torch::linalg::svd"), or that of a row of the user's own. For an unknown
/// one, offers near ones.
int explainOp(llvm::StringRef Spelling, const ContractTable &Table);

} // namespace tdl

#endif // TDL_TOOL_EXPLAIN_H
