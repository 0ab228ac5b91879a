//===- Loads.cpp - What comes out of files --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor in a file is loaded to the device that the call names, else to the
// one that it was saved on. That holds for modules too: the parameters go where
// the file's are, wherever they were before (set_data in
// torch/csrc/api/src/serialize/input-archive.cpp), and all handles of them.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

/// The device that the tensors in a file have: a symbol of its own for each
/// call that reads one.
Place Evaluator::placeOfFile(const CallExpr *Load, Disjunct &D) {
  auto It = C.DeviceSymbols.find(Load);
  if (It == C.DeviceSymbols.end())
    It = C.DeviceSymbols
             .try_emplace(Load,
                          C.Symbols.add("device that '" + sourceText(Load) +
                                        "' finds in its file"))
             .first;
  else
    forgetSymbol(It->second, D);
  return Place::symbol(It->second);
}

/// The module's state is at \p Where after \p Call has read it. \p Archive is
/// what was read; null where the call itself reads the file.
void Evaluator::loadModule(LocationId Module, const CallExpr *Call, Place Where,
                           const Event *Archive, Disjunct &D) {
  LocationId State = moduleState(Module);
  const auto *Before = dyn_cast<TensorValue>(load(State, D));
  if (Before && Before->IsUndefined)
    return;
  forgetHandles(Before, D);
  if (State != C.Storage.ofState(Module)) { // A part of a larger module.
    forgetLocation(State, D);
    return;
  }
  Event E;
  E.Kind = StepKind::Move;
  E.Op = "load";
  E.Site = Call;
  E.IsModuleState = true;
  E.IsFromFile = !Archive;
  E.PlaceFrom = Archive;
  E.After = Where;
  E.Path = D.Path;
  EventArgument Self;
  Self.Name = "module";
  Self.Kind = Before && Before->Story ? StepArgument::Kind::Tensor
                                      : StepArgument::Kind::Opaque;
  if (Before && Before->Story)
    Self.Events = {Before->Story};
  E.Arguments.push_back(Self);
  TensorValue *Loaded = makeTensor(std::move(E));
  if (Before && Before->Story && Before->Story->Subject)
    C.Stories.nameSubject(Loaded->Story, Before->Story->Subject);
  store(State, Loaded, D);
}

const Value *Evaluator::loadedTensor(const CallExpr *Load,
                                     const DeviceValue *Target, Disjunct &D) {
  Event E;
  E.Kind = StepKind::Factory;
  E.Op = "load";
  E.Site = Load;
  E.IsFromFile = !Target;
  E.After = Target ? Target->Where : placeOfFile(Load, D);
  E.PlaceFrom = Target ? Target->OfTensor : nullptr;
  E.Path = D.Path;
  return makeTensor(std::move(E));
}

const Value *Evaluator::partOf(const CallExpr *Read, const TensorValue &Whole,
                               Disjunct &D) {
  Event E;
  E.Kind = StepKind::View;
  E.Op = "alias";
  E.Site = Read;
  E.After = Whole.Where;
  E.PlaceFrom = Whole.Story;
  E.Path = D.Path;
  EventArgument Self;
  Self.Name = "self";
  Self.Kind = StepArgument::Kind::Tensor;
  Self.Events = {Whole.Story};
  E.Arguments.push_back(Self);
  return makeTensor(std::move(E));
}

/// The variable \p Target gets \p New in place of what it holds; other handles
/// of that go along.
void Evaluator::replaceTensor(const Expr *Target, const Value *New,
                              Disjunct &D) {
  std::optional<LocationId> Location = locate(Target, D);
  if (!Location) {
    forgetNamedIn(Target, D);
    return;
  }
  const auto *Before = dyn_cast<TensorValue>(load(*Location, D));
  if (!Before || !Before->IsUndefined)
    forgetHandles(Before, D);
  store(*Location, New, D);
  if (const ValueDecl *Variable = C.Storage.declaration(*Location))
    nameAfter(New, Variable, D);
}

/// torch::load(x, file, device) for a module, a tensor or a vector of tensors.
/// False for a call that loads something else.
bool Evaluator::loadInto(const CallExpr *Call, Disjunct &D) {
  if (Call->getNumArgs() < 2)
    return false;
  const Expr *Into = skipNoise(Call->getArg(0));
  const DeviceValue *Target = moduleTarget(Call, "load", D);
  if (std::optional<LocationId> Module = moduleAt(Into, D)) {
    if (Target)
      moveModule(*Module, Call, *Target, "load", D);
    else
      loadModule(*Module, Call, placeOfFile(Call, D), nullptr, D);
    return true;
  }
  if (torchTypeOf(Into->getType()) == TorchType::Tensor) {
    replaceTensor(Into, loadedTensor(Call, Target, D), D);
    return true;
  }
  if (loadOptimizer(Into, Call, Target, nullptr, D))
    return true;
  if (!isTensorList(Into->getType()))
    return false;
  // It appends; each element is on the device of its own record.
  const auto *Before = dyn_cast<ListValue>(evaluate(Into, D));
  const Value *Element = C.Arena.unknown();
  if (Before && Before->IsExact && Before->Elements.empty())
    Element = loadedTensor(Call, Target, D);
  auto *List = C.Arena.make<ListValue>(Element);
  List->IsExact = false;
  if (std::optional<LocationId> Location = locate(Into, D))
    store(*Location, List, D);
  else
    forgetNamedIn(Into, D);
  return true;
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

static bool isInputArchive(QualType Type) {
  const CXXRecordDecl *Class =
      Type.isNull() ? nullptr
                    : Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && isTorchDecl(Class) && className(Type) == "InputArchive";
}

void Evaluator::loadFromArchive(LocationId Module, const CallExpr *Call,
                                const Expr *Archive, Disjunct &D) {
  const auto *Read = dyn_cast<TensorValue>(evaluate(Archive, D));
  if (Read && isInputArchive(Archive->getType()))
    loadModule(Module, Call, Read->Where, Read->Story, D);
  else
    forgetLocation(moduleState(Module), D);
}

/// The value of an archive is a tensor that stands for all in it: load_from and
/// read. False for any other call.
bool Evaluator::applyArchive(const CXXMemberCallExpr *Call,
                             llvm::StringRef Name, Disjunct &D) {
  const Expr *Archive = Call->getImplicitObjectArgument();
  if (!isInputArchive(Archive->getType()))
    return false;
  if (Name == "load_from") {
    std::optional<LocationId> Location = locate(Archive, D);
    if (Location)
      store(*Location, loadedTensor(Call, moduleTarget(Call, "load", D), D), D);
    return Location.has_value();
  }
  if ((Name != "read" && Name != "try_read") || Call->getNumArgs() < 2)
    return false;
  const auto *Read = dyn_cast<TensorValue>(evaluate(Archive, D));
  const Expr *Into = Call->getArg(1);
  // try_read may leave the tensor as it was.
  bool IsRead = Read && Name == "read" && !isInputArchive(Into->getType());
  if (IsRead)
    replaceTensor(Into, partOf(Call, *Read, D), D);
  else if (std::optional<LocationId> Inner = locate(Into, D);
           Inner && Read && isInputArchive(Into->getType()))
    store(*Inner, Read, D);
  else
    forgetNamedIn(Into, D);
  return true;
}

/// archive >> module, archive >> tensor
bool Evaluator::readFromArchive(const CallExpr *Call, Disjunct &D) {
  if (Call->getNumArgs() != 2 || !isInputArchive(Call->getArg(0)->getType()))
    return false;
  const Expr *Into = skipNoise(Call->getArg(1));
  const auto *Read = dyn_cast<TensorValue>(evaluate(Call->getArg(0), D));
  if (std::optional<LocationId> Module = moduleAt(Into, D))
    loadFromArchive(*Module, Call, Call->getArg(0), D);
  else if (Read && torchTypeOf(Into->getType()) == TorchType::Tensor)
    replaceTensor(Into, partOf(Call, *Read, D), D);
  else
    forgetNamedIn(Into, D);
  return true;
}

/// torch::pickle_load(data), and what is read out of a loaded script module,
/// module.attr("mean"); null for any other call.
const Value *Evaluator::evaluateUnpickled(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !Function->getIdentifier() || !isTorchDecl(Function) ||
      className(Call->getType()) != "IValue")
    return nullptr;
  if (Function->getName() == "pickle_load" && Call->getNumArgs() >= 1)
    return loadedTensor(Call, nullptr, D);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member || Function->getName() != "attr" ||
      !isScriptModule(
          skipNoise(Member->getImplicitObjectArgument())->getType()))
    return nullptr;
  std::optional<LocationId> Module = objectOf(Member, D);
  const auto *State =
      Module ? dyn_cast<TensorValue>(load(moduleState(*Module), D)) : nullptr;
  // A to() moves parameters and buffers, and no other attribute.
  bool IsAsLoaded = State && State->Story && State->Story->Op == "load";
  return IsAsLoaded ? partOf(Call, *State, D) : nullptr;
}
