//===- Operations.h - What the analysis saw, for checks to read ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record a call and disjunct that reaches it. Checks read these and
// nothing else of the analysis.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_OPERATIONS_H
#define TDL_FLOW_OPERATIONS_H

#include "flow/ContractRules.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
} // namespace clang

namespace tdl {

struct FunctionContext;

/// One call under one path condition.
struct OperationVisit {
  PathCondition Path;
  std::vector<Operand> Operands;
  ContractOutcome Outcome;
  PlaceFacts Facts; ///< What guards established before the call.
  /// The call as the last event of the story; never null.
  const Event *Made = nullptr;
  /// Every operand's place is a known device or a symbol.
  bool AllPlacesKnown = false;
};

/// A call that takes part in the device rules.
struct Operation {
  const clang::CallExpr *Call = nullptr;
  /// The calls through which the function under analysis reaches it, outermost
  /// first; empty for a call of its own.
  llvm::SmallVector<const clang::Expr *, 4> Chain;
  std::string Op;
  const Contract *Row = nullptr; ///< Null: not in the contract table.
  std::vector<OperationVisit> Visits;
};

/// A call of Tensor::to and its kin whose result nobody takes, on the first path
/// on which it may be another tensor than its own.
struct DiscardedTransfer {
  const clang::CallExpr *Call = nullptr;
  std::string Op;
  const Event *Made = nullptr;   ///< The move; null where nothing is known of it.
  const Value *Receiver = nullptr; ///< Never null.
};

/// A call that needs the device of one tensor (x.device(), x.cuda(), y.to(x)),
/// on one path.
struct DeviceQuestionVisit {
  PathCondition Path;
  const Value *Asked = nullptr; ///< The tensor; never null.
  const Event *Made = nullptr;  ///< The call as the last event; never null.

  /// The call surely throws: there is no tensor.
  bool fails() const;
};

/// Calls that throw where the tensor that they ask is undefined.
struct DeviceQuestion {
  const clang::CallExpr *Call = nullptr;
  llvm::SmallVector<const clang::Expr *, 4> Chain; ///< As Operation::Chain.
  std::string Op;
  const clang::Expr *Source = nullptr; ///< The tensor that is asked.
  std::vector<DeviceQuestionVisit> Visits;
};

/// torch::jit::Module::to with a device, on one path.
struct FrozenMoveVisit {
  PathCondition Path;
  PlaceFacts Facts;
  /// What freeze() folded; null where the module is not frozen.
  const TensorValue *Constants = nullptr;
  Place Target;
  /// The constants are not, or not surely, where they are asked to go.
  bool IsMisplaced = false;
  /// What a forward() with an input at Target would be; null where the module
  /// is not frozen.
  const Event *Made = nullptr;
};

/// A call of torch::jit::Module::to.
struct FrozenMove {
  const clang::CallExpr *Call = nullptr;
  llvm::SmallVector<const clang::Expr *, 4> Chain; ///< As Operation::Chain.
  const clang::Expr *Source = nullptr;             ///< The module.
  std::vector<FrozenMoveVisit> Visits;
};

/// What a member of a module got: by an initialiser, an assignment, or as one of
/// the elements of a container.
struct MemberAssignment {
  const clang::ValueDecl *Member = nullptr;
  /// A member of *this of the function under analysis, or of another module.
  bool IsOwn = false;
  bool IsElement = false;
  bool IsInitializer = false;
  bool IsImplicit = false; ///< The compiler's own initialiser.
  bool IsForeign = false;  ///< Not by way of `this`.
  clang::SourceLocation At; ///< Where it is written; valid.
  const clang::Expr *Source = nullptr; ///< What is assigned; never null.
  const Value *What = nullptr;         ///< Never null.
  /// The state of the module that What points to; null for other values.
  const TensorValue *State = nullptr;
  PathCondition Path;
  PlaceFacts Facts;
};

/// A tensor or child that is registered in a module that is on another device.
struct LateRegistration {
  const clang::CallExpr *Call = nullptr;
  /// The calls through which the function under analysis reaches it, outermost
  /// first.
  llvm::SmallVector<const clang::Expr *, 4> Chain;
  const Value *Added = nullptr;        ///< Never null.
  const TensorValue *Tensor = nullptr; ///< Itself, or the child's state.
  const TensorValue *State = nullptr;  ///< The module's.
  PathCondition Path;
  PlaceFacts Facts;
};

/// A tensor expression and what was known of it on one path.
struct SeenTensor {
  const clang::Expr *Source = nullptr;
  const Value *What = nullptr; ///< Never null.
  PathCondition Path;
  PlaceFacts Facts;
  /// The variable that it names may change behind the analysis's back.
  bool IsUntracked = false;
};

/// Whether \p Path needs two conditions of the program's own that may exclude
/// each other in ways that are not modelled (n > 0 and n < 2, all enumerators
/// but one), or two calls: a path that needs both may not exist. That a variable
/// equals one constant and not another is understood.
bool isEntangled(const FunctionContext &Context, const PathCondition &Path);

/// What the analysis of one function found.
struct FunctionResult {
  const clang::FunctionDecl *Function = nullptr;
  bool GivenUp = false;
  std::vector<Operation> Operations; ///< In the order of the source's control flow.

  /// The record of a call; made when it is asked for first.
  Operation &operationAt(llvm::ArrayRef<const clang::Expr *> Chain,
                         const clang::CallExpr *Call);
  /// Adds the visits of \p Other that fail, for calls none of whose own visits
  /// do.
  void addFailuresOf(const FunctionResult &Other);
  std::vector<DiscardedTransfer> Discarded;
  /// Likewise in the order of control flow; made when they are asked for first.
  std::vector<DeviceQuestion> Questions;
  DeviceQuestion &questionAt(llvm::ArrayRef<const clang::Expr *> Chain,
                             const clang::CallExpr *Call);
  std::vector<FrozenMove> FrozenMoves;
  FrozenMove &frozenMoveAt(llvm::ArrayRef<const clang::Expr *> Chain,
                           const clang::CallExpr *Call);
  /// Those of callees among them.
  std::vector<MemberAssignment> Assignments;
  std::vector<LateRegistration> LateRegistrations;
  /// Every tensor expression of the function itself; only where
  /// FunctionContext::RecordsTensors asks for them.
  std::vector<SeenTensor> Tensors;

private:
  /// By chain and call; only looked up.
  using CallIndex = std::map<std::vector<const void *>, size_t>;
  template <typename Record>
  static Record &recordAt(std::vector<Record> &Records, CallIndex &Index,
                          llvm::ArrayRef<const clang::Expr *> Chain,
                          const clang::CallExpr *Call);
  CallIndex Index, QuestionIndex, FrozenMoveIndex;
};

} // namespace tdl

#endif // TDL_FLOW_OPERATIONS_H
