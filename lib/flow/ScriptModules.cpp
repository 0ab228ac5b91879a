//===- ScriptModules.cpp - torch::jit: loading, freezing, copying ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A torch::jit::Module is a handle; what it names has a state as other modules
// do. freeze() makes a module whose parameters, buffers and attributes are
// constants of its graph: they share storage with those of the original, so
// that they move with it as long as nothing was folded, and no to() of the
// frozen module reaches them (torch/csrc/jit/passes/freeze_module.cpp).
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

/// The name of the function of LibTorch that \p Call calls; empty for another.
static llvm::StringRef torchFunction(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  return Function && Function->getIdentifier() && isTorchDecl(Function)
             ? Function->getName()
             : llvm::StringRef();
}

/// torch::jit::load(file, device): a module whose state is there; null for any
/// other call.
const Value *Evaluator::evaluateScriptLoad(const CallExpr *Call, Disjunct &D) {
  llvm::StringRef Name = torchFunction(Call);
  bool Loads = llvm::StringSwitch<bool>(Name)
                   .Cases({"load", "import_ir_module"}, true)
                   .Case("_load_for_mobile", true)
                   .Default(false);
  if (!Loads || !isScriptModule(Call->getType()))
    return nullptr;
  LocationId Object = renewObject(Call, D);
  if (const DeviceValue *Target = moduleTarget(Call, "load", D))
    moveModule(Object, Call, *Target, "load", D);
  else
    loadModule(Object, Call, placeOfFile(Call, D), nullptr, D);
  return C.Arena.make<PointerValue>(Object);
}

static bool freezes(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"freeze", "freeze_module", "optimize_for_inference"}, true)
      .Default(false);
}

/// The module at \p Into holds what that at \p Of held, as constants.
const Value *Evaluator::frozenCopy(const Expr *Site, llvm::StringRef Op,
                                   std::optional<LocationId> Of,
                                   LocationId Into, Disjunct &D) {
  const auto *Before =
      Of ? dyn_cast<TensorValue>(load(moduleState(*Of), D)) : nullptr;
  if (Before && Before->IsUndefined)
    return C.Arena.make<PointerValue>(Into);
  Event E;
  E.Kind = StepKind::View;
  E.Op = Op.str();
  E.Site = Site;
  E.IsModuleState = true;
  E.After = Before ? Before->Where : Place::unknown();
  E.PlaceFrom = Before ? Before->Story : nullptr;
  E.Path = D.Path;
  EventArgument Module;
  Module.Name = "module";
  Module.Kind = StepArgument::Kind::Tensor;
  Module.Events = {E.PlaceFrom};
  E.Arguments.push_back(Module);
  TensorValue *Frozen = makeTensor(std::move(E));
  Frozen->IsFrozen = true;
  store(C.Storage.ofState(Into), Frozen, D);
  return C.Arena.make<PointerValue>(Into);
}

const Value *Evaluator::evaluateScriptCopy(const CallExpr *Call, Disjunct &D) {
  llvm::StringRef Name = torchFunction(Call);
  if (!isScriptModule(Call->getType()))
    return nullptr;
  if (freezes(Name) && Call->getNumArgs() >= 1) {
    std::optional<LocationId> Of = moduleAt(Call->getArg(0), D);
    return frozenCopy(Call, "freeze", Of, renewObject(Call, D), D);
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  bool Copies = Member && llvm::StringSwitch<bool>(Name)
                              .Cases({"clone", "copy", "deepcopy"}, true)
                              .Default(false);
  std::optional<LocationId> Of = Copies ? objectOf(Member, D) : std::nullopt;
  return Of ? copiedScript(Member, *Of, D) : nullptr;
}

/// copy() has the tensors of the module that it is a copy of, and so has
/// clone(true): they move together. deepcopy() and clone() have their own.
const Value *Evaluator::copiedScript(const CXXMemberCallExpr *Call,
                                     LocationId Of, Disjunct &D) {
  const auto *Before = dyn_cast<TensorValue>(load(moduleState(Of), D));
  bool IsFrozen = Before && Before->IsFrozen;
  llvm::StringRef Name = torchFunction(Call);
  bool IsDeep =
      Name == "deepcopy" || (Name == "clone" && Call->getNumArgs() >= 1 &&
                             isa<CXXDefaultArgExpr>(Call->getArg(0)));
  if (!IsDeep && !IsFrozen)
    return C.Arena.make<PointerValue>(Of);
  LocationId Object = renewObject(Call, D);
  if (IsFrozen) // Constants of the graph are not copied.
    return frozenCopy(Call, "freeze", Of, Object, D);
  const DeviceValue *Target = moduleTarget(Call, Name, D);
  Event E;
  E.Kind = StepKind::Move;
  E.Op = Name.str();
  E.Site = Call;
  E.IsModuleState = true;
  E.After = Target ? Target->Where : Before ? Before->Where : Place::unknown();
  E.PlaceFrom = Target ? Target->OfTensor : Before ? Before->Story : nullptr;
  E.Path = D.Path;
  EventArgument Module;
  Module.Name = "module";
  Module.Kind =
      Before ? StepArgument::Kind::Tensor : StepArgument::Kind::Opaque;
  if (Before)
    Module.Events = {Before->Story};
  E.Arguments.push_back(Module);
  store(C.Storage.ofState(Object),
        Before || Target ? makeTensor(std::move(E)) : C.Arena.unknown(), D);
  return C.Arena.make<PointerValue>(Object);
}

const Value *Evaluator::handleOfScript(const Expr *Given, Disjunct &D) {
  if (!Given)
    return C.Arena.none(); // There is no module behind it yet.
  const Value *Handle = evaluate(Given, D);
  return isa<PointerValue>(Handle) ? Handle : C.Arena.unknown();
}

const Value *Evaluator::handleBehind(const Expr *Pointer, Disjunct &D) {
  const CXXRecordDecl *Class = pointedClassOf(Pointer);
  if (!Class || !isScriptModule(C.AST.getCanonicalTagType(Class)))
    return nullptr;
  std::optional<LocationId> Module = pointee(Pointer, D);
  return Module ? C.Arena.make<PointerValue>(*Module) : C.Arena.unknown();
}

const Value *Evaluator::evaluateMethodOf(const CXXMemberCallExpr *Call,
                                         Disjunct &D) {
  if (!isScriptMethod(Call->getType()) ||
      (torchFunction(Call) != "get_method" &&
       torchFunction(Call) != "find_method"))
    return nullptr;
  std::optional<LocationId> Module = objectOf(Call, D);
  return Module ? C.Arena.make<PointerValue>(*Module) : C.Arena.unknown();
}

bool Evaluator::givesTensor(const CXXMemberCallExpr *Call, Disjunct &D) {
  return llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
    return anyPart(evaluate(Argument, D),
                   [](const Value *Part) { return isa<TensorValue>(Part); });
  });
}

/// freeze_module_inplace(&module)
bool Evaluator::freezeInPlace(const CallExpr *Call, Disjunct &D) {
  if (torchFunction(Call) != "freeze_module_inplace" || Call->getNumArgs() < 1)
    return false;
  const auto *Address = dyn_cast<UnaryOperator>(skipNoise(Call->getArg(0)));
  std::optional<LocationId> Module =
      Address && Address->getOpcode() == UO_AddrOf
          ? moduleAt(Address->getSubExpr(), D)
          : std::nullopt;
  if (!Module)
    return false;
  frozenCopy(Call, "freeze", Module, *Module, D);
  return true;
}

/// The move of a frozen module as it is, with the failure that is told of it.
static Event frozenMoveEvent(const CallExpr *Call, const TensorValue &Constants,
                             Place Target, const Disjunct &D) {
  Event Moved;
  Moved.Kind = StepKind::Move;
  Moved.Op = "to";
  Moved.Site = Call;
  Moved.IsModuleState = true;
  Moved.HasFailed = true;
  Moved.After = Constants.Where;
  Moved.Path = D.Path;
  EventArgument Module, Device;
  Module.Name = "module";
  Module.Kind = StepArgument::Kind::Tensor;
  Module.Events = {Constants.Story};
  Device.Name = "device";
  Device.Source = Call;
  if (Target.isKnown()) {
    Device.Kind = StepArgument::Kind::Device;
    Device.Text = Target.str();
  }
  Moved.Arguments = {Module, Device};
  return Moved;
}

/// What would show the fault: a forward() with an input at \p Target, where the
/// constants are not.
static Event runEvent(const CallExpr *Call, const Event *Module, Place Target,
                      const Disjunct &D, StoryBook &Stories) {
  Event Input;
  Input.Kind = StepKind::Input;
  Input.After = Target;
  Event Run;
  Run.Op = "jit::Module";
  Run.Site = Call;
  Run.Path = D.Path;
  EventArgument State, Inputs;
  State.Name = "state";
  State.Kind = StepArgument::Kind::Tensor;
  State.Events = {Module};
  Inputs.Name = "inputs";
  Inputs.Kind = StepArgument::Kind::TensorList;
  Inputs.Events = {&Stories.add(std::move(Input))};
  Run.Arguments = {State, Inputs};
  return Run;
}

/// \p Constants is null for a module that is not frozen, which moves.
void Evaluator::recordScriptMove(const CallExpr *Call,
                                 const TensorValue *Constants, Place Target,
                                 const Event *Moved, Disjunct &D) {
  if (!Sink)
    return;
  FrozenMove &Move = Sink->frozenMoveAt(Chain, Call);
  Move.Source = cast<CXXMemberCallExpr>(Call)->getImplicitObjectArgument();
  for (const FrozenMoveVisit &Known : Move.Visits)
    if (Known.Path == D.Path)
      return;
  FrozenMoveVisit Visit;
  Visit.Path = D.Path;
  Visit.Facts = D.Facts;
  Visit.Constants = Constants;
  Visit.Target = Target;
  if (Constants) // Of constants whose place is not known, the file's is.
    Visit.IsMisplaced =
        !Target.isUnknown() && !hasFailed(Constants->Story) &&
        (Constants->Where.isKnown() || loadOf(Constants->Story)) &&
        D.Facts.compare(Constants->Where, Target) != Agreement::Same;
  if (Moved)
    Visit.Made = &C.Stories.add(runEvent(Call, Moved, Target, D, C.Stories));
  Move.Visits.push_back(std::move(Visit));
}

/// Module::to of a frozen module: its constants stay. False for another module.
bool Evaluator::moveFrozen(LocationId State, const CallExpr *Call,
                           const DeviceValue &Target, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member || !isScriptModule(C.AST.getCanonicalTagType(
                     Member->getMethodDecl()->getParent())))
    return false;
  const auto *Constants = dyn_cast<TensorValue>(load(State, D));
  if (!Constants || !Constants->IsFrozen) {
    recordScriptMove(Call, nullptr, Target.Where, nullptr, D);
    return false;
  }
  TensorValue *Stayed =
      makeTensor(frozenMoveEvent(Call, *Constants, Target.Where, D));
  Stayed->IsFrozen = true;
  recordScriptMove(Call, Constants, Target.Where, Stayed->Story, D);
  if (D.Facts.compare(Constants->Where, Target.Where) != Agreement::Same)
    store(State, Stayed, D);
  return true;
}
