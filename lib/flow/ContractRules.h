//===- ContractRules.h - Applies a contract to operands --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from a row of the contract table and the operands of one call
// to a verdict and to the place of the result. Knows no clang and no check.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_CONTRACTRULES_H
#define TDL_FLOW_CONTRACTRULES_H

#include "device/PlaceFacts.h"
#include "flow/Value.h"
#include "torch/ContractTable.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace tdl {

/// A tensor that takes part in a call; the elements of a list are operands of
/// their own.
struct Operand {
  std::string Name;     ///< "self", "indices[0]".
  std::string Parameter;///< "self", "indices".
  ArgRole Role = ArgRole::Any;
  const Value *What = nullptr; ///< Never null; not a tensor when unknown.
  const clang::Expr *Source = nullptr;
  const TensorValue *tensor() const {
    return llvm::dyn_cast<TensorValue>(What);
  }
  bool isUndefined() const { return tensor() && tensor()->IsUndefined; }
  Place place() const {
    return tensor() ? tensor()->Where : Place::unknown();
  }
};

enum class Compliance : uint8_t { Agrees, Violates, Unknown };

struct ContractOutcome {
  Compliance Result = Compliance::Unknown;
  /// Indices of the two operands that disagree, when Violates. Second is the
  /// one to move. They are equal where one operand alone is at fault (it must
  /// be on the CPU).
  unsigned First = 0, Second = 0;
};

/// Whether the operand must be on the device that all have in common.
bool takesPart(const Operand &O);

ContractOutcome applyContract(const Contract &Row,
                              llvm::ArrayRef<Operand> Operands,
                              const PlaceFacts &Facts);

/// The operands, two by two, that surely are on one device where the call has
/// not thrown: both are tensors, none may be excepted, and \p Facts do not tell.
/// Empty where the call violates its contract.
llvm::SmallVector<std::pair<const Operand *, const Operand *>, 1>
operandsThatAgree(const Contract &Row, llvm::ArrayRef<Operand> Operands,
                  const PlaceFacts &Facts);

/// The operand whose device the result of a row with ResultPlace::Common has;
/// null when it is not known.
const Operand *commonOperand(llvm::ArrayRef<Operand> Operands,
                             const PlaceFacts &Facts);

} // namespace tdl

#endif // TDL_FLOW_CONTRACTRULES_H
