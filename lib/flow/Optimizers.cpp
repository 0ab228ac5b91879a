//===- Optimizers.cpp - What an optimizer keeps of its parameters ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adam and its kin keep tensors for each parameter: made beside it by the first
// step(), read by later ones. A module that moves leaves them where they are,
// and torch::load puts them where the file says (torch/csrc/api/src/optim). All
// of them are one tensor to the analysis, the optimizer's state.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// An optimizer whose module is known.
struct Evaluator::KnownOptimizer {
  LocationId State;
  /// The module's holder, pointer or object.
  LocationId Module;
  const ValueDecl *Name = nullptr;
  const Expr *Source = nullptr;     ///< The optimizer in the source.
  const Expr *Parameters = nullptr; ///< net->parameters()
};

/// The optimizer in the words of the source: `opt` for `opt->` and `*opt`.
static const Expr *withoutAccess(const Expr *Named) {
  Named = skipNoise(Named);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Named))
    return skipNoise(Operator->getArg(0));
  const auto *Star = dyn_cast<UnaryOperator>(Named);
  return Star ? skipNoise(Star->getSubExpr()) : Named;
}

std::optional<Evaluator::KnownOptimizer>
Evaluator::optimizerAt(const Expr *Named) {
  llvm::SmallVector<const ValueDecl *, 2> Variables = variablesIn(Named);
  const OptimizerParameters::Row *Row =
      Variables.size() == 1 ? C.Optimizers.of(Variables.front()) : nullptr;
  if (!Row)
    return std::nullopt;
  auto LocationOf = [&](const ValueDecl *Variable) {
    return isa<FieldDecl>(Variable)
               ? C.Storage.ofMember(C.Storage.ofThis(), Variable)
               : C.Storage.ofVariable(Variable);
  };
  KnownOptimizer Known;
  Known.Name = Variables.front();
  Known.State = C.Storage.ofState(LocationOf(Known.Name));
  Known.Module = LocationOf(Row->Module);
  Known.Source = withoutAccess(Named);
  Known.Parameters = Row->Parameters;
  return Known;
}

/// The module that \p V, a holder or pointer, names.
static std::optional<LocationId> moduleBehind(const Value *V) {
  const auto *Pointer = dyn_cast<PointerValue>(V);
  return Pointer ? std::optional(Pointer->Target) : std::nullopt;
}

void Evaluator::recordOptimizer(const KnownOptimizer &Optimizer,
                                const CallExpr *Call, const TensorValue &State,
                                const TensorValue &Parameters, Disjunct &D) {
  const Contract *Row = C.Contracts.find("optim::Optimizer", {}, C.Version);
  if (!Row || !Sink)
    return;
  llvm::SmallVector<BoundArgument, 2> Arguments(2);
  Arguments[0].Name = "state";
  Arguments[0].Source = Optimizer.Source;
  Arguments[0].What = &State;
  Arguments[1].Name = "parameters";
  Arguments[1].Source = Optimizer.Parameters;
  Arguments[1].What = &Parameters;
  std::vector<Operand> Operands;
  Event Step;
  Step.Op = Row->Name.str();
  Step.Site = Call;
  Step.Path = D.Path;
  for (const BoundArgument &Argument : Arguments) {
    Operand O;
    O.Name = O.Parameter = Argument.Name.str();
    O.Role = Row->roleOf(Argument.Name);
    O.Source = Argument.Source;
    O.What = Argument.What;
    Operands.push_back(O);
    EventArgument Given;
    Given.Name = Argument.Name.str();
    Given.Kind = StepArgument::Kind::Tensor;
    Given.Events = {O.tensor()->Story};
    Step.Arguments.push_back(Given);
  }
  TorchCallee Callee;
  Callee.Op = Row->Name.str();
  const Event *Made = &C.Stories.add(std::move(Step));
  record(Call, Callee, Row, std::move(Operands), Made, D);
}

/// The optimizer at \p Location has just been made: it keeps nothing yet.
void Evaluator::startOptimizer(const ValueDecl *Named, LocationId Location,
                               Disjunct &D) {
  if (isOptimizer(Named->getType()) && C.Optimizers.of(Named))
    store(C.Storage.ofState(Location), undefinedTensor(), D);
}

/// Whether \p Body asks the optimizer \p Named for its state: what is loaded
/// may then be moved by hand before the next step.
static bool asksForState(const Stmt *Body, const ValueDecl *Named) {
  llvm::SmallVector<const Stmt *, 32> Pending = {Body};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    if (Method && Method->getIdentifier() && Method->getName() == "state" &&
        llvm::is_contained(variablesIn(Call->getImplicitObjectArgument()),
                           Named))
      return true;
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return false;
}

/// torch::load(optimizer, file): its state is where the call or the file says.
bool Evaluator::loadOptimizer(const Expr *Named, const CallExpr *Call,
                              const DeviceValue *Target,
                              const TensorValue *Archive, Disjunct &D) {
  if (!isOptimizer(skipNoise(Named)->getType()))
    return false;
  std::optional<KnownOptimizer> Optimizer = optimizerAt(Named);
  if (!Optimizer)
    return true;
  Event E;
  E.Kind = StepKind::Factory;
  E.Op = "optim::load";
  E.Site = Call;
  E.IsFromFile = !Target && !Archive;
  E.After = Archive  ? Archive->Where
            : Target ? Target->Where
                     : placeOfFile(Call, D);
  E.PlaceFrom = Archive ? Archive->Story : nullptr;
  E.Path = D.Path;
  TensorValue *State = makeTensor(std::move(E));
  C.Stories.nameSubject(State->Story, Optimizer->Name);
  store(Optimizer->State, State, D);
  std::optional<LocationId> Module = moduleBehind(load(Optimizer->Module, D));
  const auto *Parameters =
      Module ? dyn_cast<TensorValue>(load(moduleState(*Module), D)) : nullptr;
  bool MayMove = Function && asksForState(Function->getBody(), Optimizer->Name);
  if (Parameters && !Parameters->IsUndefined && !MayMove)
    recordOptimizer(*Optimizer, Call, *State, *Parameters, D);
  return true;
}

/// step(), load(archive) of an optimizer. False for any other call, and where
/// step() runs a closure.
bool Evaluator::applyOptimizer(const CallExpr *Call, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || !isTorchDecl(Method))
    return false;
  const Expr *Named = skipNoise(Member->getImplicitObjectArgument());
  if (!isOptimizer(Named->getType()))
    return false;
  if (Method->getName() == "load" && Call->getNumArgs() == 1) {
    const auto *Archive = dyn_cast<TensorValue>(evaluate(Call->getArg(0), D));
    return Archive && loadOptimizer(Named, Call, nullptr, Archive, D);
  }
  if (Method->getName() == "zero_grad")
    return true;
  if (Method->getName() == "state") {
    // Who asks for it may move it by hand.
    if (std::optional<KnownOptimizer> Optimizer = optimizerAt(Named))
      forgetLocation(Optimizer->State, D);
    return true;
  }
  std::optional<KnownOptimizer> Optimizer =
      Method->getName() == "step" ? optimizerAt(Named) : std::nullopt;
  std::optional<LocationId> Module =
      Optimizer ? moduleBehind(load(Optimizer->Module, D)) : std::nullopt;
  // Whatever it optimizes, a step moves nothing.
  bool RunsClosure =
      Call->getNumArgs() > 0 && !isa<CXXDefaultArgExpr>(Call->getArg(0));
  if (!Module)
    return Method->getName() == "step" && !RunsClosure;
  const auto *Parameters = dyn_cast<TensorValue>(load(moduleState(*Module), D));
  const auto *State = dyn_cast<TensorValue>(load(Optimizer->State, D));
  if (!Parameters || Parameters->IsUndefined || !State)
    return !RunsClosure;
  if (State->IsUndefined) {
    Event E;
    E.Op = "optim::step";
    E.Site = Call;
    E.After = Parameters->Where;
    E.PlaceFrom = Parameters->Story;
    E.Path = D.Path;
    EventArgument Given;
    Given.Name = "parameters";
    Given.Kind = StepArgument::Kind::Tensor;
    Given.Events = {Parameters->Story};
    E.Arguments.push_back(Given);
    TensorValue *Made = makeTensor(std::move(E));
    C.Stories.nameSubject(Made->Story, Optimizer->Name);
    store(Optimizer->State, Made, D);
  } else {
    recordOptimizer(*Optimizer, Call, *State, *Parameters, D);
  }
  return !RunsClosure;
}
