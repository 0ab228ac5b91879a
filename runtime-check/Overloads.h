//===- Overloads.h - Which operator a step calls --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_OVERLOADS_H
#define TDL_RUNTIME_CHECK_OVERLOADS_H

#include "Finding.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <stdexcept>

namespace tdl {
namespace verify {

/// A step cannot be executed; the text says why, without the step.
class CannotRun : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a parameter of a schema takes.
enum class ParameterKind {
  Tensor,
  TensorList,
  OptionalTensorList, ///< Its elements may be absent: index.
  Device,
  DType,
  Int,
  IntList,
  Float,
  FloatList,
  Scalar,
  Bool,
  BoolList,
  Other,
};
struct ParameterType {
  ParameterKind Kind = ParameterKind::Other;
  bool MayBeAbsent = false; ///< None is a value.
};
ParameterType parameterType(const c10::Argument &Parameter);

/// An overload, and what the step gives for its parameters.
struct Overload {
  c10::OperatorHandle Op;
  std::vector<int> Given; ///< Per parameter: index into Step::Arguments, or -1.
};

/// The overload whose parameters fit the step's arguments best: it takes all
/// of them, and needs the fewest that the step does not give. Throws CannotRun.
Overload chooseOverload(const Step &S);

/// Calls \p Op with the arguments on \p Values and puts the results there.
void callOperator(const c10::OperatorHandle &Op, torch::jit::Stack &Values);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_OVERLOADS_H
