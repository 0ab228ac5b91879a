//===- Runners.cpp - What runs a module besides its forward ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// data_parallel() scatters its input, which may be anywhere, over copies of the
// module, and gathers the results. With one device there is no copy: the module
// itself moves (torch/nn/parallel/data_parallel.h).
//
// A model that AOTInductor compiled takes its inputs as they are: the runner's
// class says where they must be. That of a package says it at run time.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

//===----------------------------------------------------------------------===//
// data_parallel
//===----------------------------------------------------------------------===//

/// The positions of data_parallel's parameters.
enum ParallelArgument : unsigned {
  ModuleArgument,
  InputArgument,
  DevicesArgument,
  OutputArgument
};

static bool isDataParallel(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  return Function && Function->getIdentifier() && isTorchDecl(Function) &&
         Function->getName() == "data_parallel" && Call->getNumArgs() >= 4;
}

/// The argument number \p I; null where it is not given.
static const Expr *givenArgument(const CallExpr *Call, unsigned I) {
  return isa<CXXDefaultArgExpr>(Call->getArg(I)) ? nullptr : Call->getArg(I);
}

const Value *Evaluator::evaluateParallel(const CallExpr *Call, Disjunct &D) {
  if (!isDataParallel(Call))
    return nullptr;
  const DeviceValue *Target = nullptr;
  const Expr *Output = givenArgument(Call, OutputArgument);
  const Expr *List = givenArgument(Call, DevicesArgument);
  if (Output)
    Target = dyn_cast<DeviceValue>(evaluate(Output, D));
  else if (!List)
    Target = C.Arena.make<DeviceValue>(Place::known(DeviceType::CUDA, 0));
  else if (const auto *All = dyn_cast<ListValue>(evaluate(List, D));
           All && All->IsExact && !All->Elements.empty())
    Target = dyn_cast<DeviceValue>(All->Elements.front());
  if (!Target || Target->Where.isUnknown())
    return nullptr;
  const auto *Given =
      dyn_cast<TensorValue>(evaluate(Call->getArg(InputArgument), D));
  Event E;
  E.Kind = StepKind::Move;
  E.Op = "to";
  E.Site = Call;
  E.After = Target->Where;
  E.PlaceFrom = Target->OfTensor;
  E.Path = D.Path;
  EventArgument Self;
  Self.Name = "self";
  Self.Kind = StepArgument::Kind::Tensor;
  Self.Events = {Given ? Given->Story : nullptr};
  E.Arguments.push_back(Self);
  return makeTensor(std::move(E));
}

bool Evaluator::applyParallel(const CallExpr *Call, Disjunct &D) {
  if (!isDataParallel(Call))
    return false;
  const Expr *Run = withoutCopies(Call->getArg(ModuleArgument));
  std::optional<LocationId> Moved = moduleAt(Run, D);
  if (!Moved) {
    forgetAliased(D);
    return true;
  }
  const Expr *Given = givenArgument(Call, DevicesArgument);
  const auto *All = Given ? dyn_cast<ListValue>(evaluate(Given, D)) : nullptr;
  bool IsKnown = All && All->IsExact && !All->Elements.empty();
  if (IsKnown && All->Elements.size() > 1)
    return true; // Copies of it run.
  const auto *Only =
      IsKnown ? dyn_cast<DeviceValue>(All->Elements.front()) : nullptr;
  if (Only)
    moveModule(*Moved, Call, *Only, "to", D);
  else
    forgetLocation(moduleState(*Moved), D); // How many GPUs are there?
  return true;
}

//===----------------------------------------------------------------------===//
// AOTInductor
//===----------------------------------------------------------------------===//

/// The variable or member that \p Runner names; null for a temporary.
static const ValueDecl *nameOf(const Expr *Runner) {
  llvm::SmallVector<const ValueDecl *, 2> Named = variablesIn(Runner);
  return Named.size() == 1 ? Named.front() : nullptr;
}

const Value *Evaluator::compiledState(const Expr *Runner,
                                      const CXXRecordDecl *Class, Disjunct &D) {
  std::optional<DeviceType> Type = parseDeviceType(compiledFor(Class).lower());
  if (!Type)
    return C.Arena.unknown();
  Event E;
  E.Kind = StepKind::Module;
  E.Op = "aoti::Runner";
  E.Declaration = nameOf(Runner);
  E.Site = E.Declaration ? nullptr : Runner;
  E.Subject = E.Declaration;
  E.IsModuleState = true;
  E.After = Place::known(*Type);
  E.Path = D.Path;
  return makeTensor(std::move(E));
}
