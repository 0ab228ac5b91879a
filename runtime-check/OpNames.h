//===- OpNames.h - From C++ names to ATen's -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_OPNAMES_H
#define TDL_RUNTIME_CHECK_OPNAMES_H

#include <string>

namespace tdl {
namespace verify {

/// The operator that a C++ function of LibTorch calls: "linear" for
/// "nn::functional::linear", "linalg_norm" for "linalg::norm", "to" for "cuda".
/// Empty for a function of the program's own ("my::add"), which a contract of
/// the user's may describe, and for one of LibTorch's that is no operator.
std::string operatorFor(const std::string &Op);

/// A function of LibTorch's that is no operator: "optim::step".
bool isFunctionWithoutOperator(const std::string &Op);

/// A factory that no operator stands behind: its tensor is made of host data.
bool isHostDataFactory(const std::string &Operator);

/// What an argument of nn::functional is called in the schema; the name itself
/// where it is the same.
std::string schemaArgument(const std::string &Name);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_OPNAMES_H
