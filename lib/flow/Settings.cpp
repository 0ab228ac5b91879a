//===- Settings.cpp - Options objects that hold tensors -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// F::CrossEntropyFuncOptions().weight(w) and its kin: the tensors that are put
// into options, by a setter or by the constructor, are operands of the call
// that gets the options. The options' names are those that the contract table
// has for the tensors.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// Remembers what \p Argument puts into the option \p Name.
static void give(SettingsValue &Settings, llvm::StringRef Name,
                 QualType Parameter, const Expr *Argument, const Value *What) {
  if (torchTypeOf(Parameter) == TorchType::Tensor || isTensorList(Parameter))
    Settings.put({Name.str(), What, Argument});
  else
    Settings.HasOthers = true;
}

const Value *Evaluator::evaluateSettingsConstruct(const CXXConstructExpr *E,
                                                  Disjunct &D) {
  const CXXConstructorDecl *Constructor = E->getConstructor();
  auto *Settings = C.Arena.make<SettingsValue>();
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    const Expr *Argument = E->getArg(I);
    // From options of another class, which may hold anything.
    if (I >= Constructor->getNumParams() || isOptionsClass(Argument->getType()))
      return C.Arena.unknown();
    const ParmVarDecl *Parameter = Constructor->getParamDecl(I);
    if (!isa<CXXDefaultArgExpr>(Argument))
      give(*Settings, Parameter->getName(), Parameter->getType(), Argument,
           evaluate(Argument, D));
  }
  return Settings;
}

/// Whether \p Call is of a method of options, whatever it does.
static const CXXMemberCallExpr *optionsMethod(const CallExpr *Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  bool IsMeant = Method && Method->getIdentifier() && isTorchDecl(Method) &&
                 isOptionsClass(Member->getObjectType());
  return IsMeant ? Member : nullptr;
}

const Value *Evaluator::evaluateSettingsCall(const CallExpr *Call,
                                             Disjunct &D) {
  const CXXMemberCallExpr *Member = optionsMethod(Call);
  if (!Member)
    return nullptr;
  const auto *Self =
      dyn_cast<SettingsValue>(evaluate(Member->getImplicitObjectArgument(), D));
  llvm::StringRef Name = Member->getMethodDecl()->getName();
  if (!optionsSetBy(Call)) { // A getter.
    const SettingsValue::Setting *Held = Self ? Self->find(Name) : nullptr;
    return Held && Call->getNumArgs() == 0 ? Held->What : nullptr;
  }
  if (!Self)
    return C.Arena.unknown();
  auto *Settings = C.Arena.make<SettingsValue>(*Self);
  give(*Settings, Name, Member->getMethodDecl()->getParamDecl(0)->getType(),
       Call->getArg(0), evaluate(Call->getArg(0), D));
  return Settings;
}

/// The options that a chain of setters begins with.
static const Expr *firstOptions(const CallExpr *Call) {
  const Expr *Options = skipNoise(optionsSetBy(Call));
  while (const auto *Inner = dyn_cast<CallExpr>(Options)) {
    const Expr *Set = optionsSetBy(Inner);
    if (!Set)
      break;
    Options = skipNoise(Set);
  }
  return Options;
}

bool Evaluator::applySettings(const CallExpr *Call, Disjunct &D) {
  const CXXMemberCallExpr *Member = optionsMethod(Call);
  if (!Member)
    return false;
  // What a getter gives may be assigned to or handed on: whoever does that
  // forgets the options.
  if (Call->getNumArgs() == 0)
    return true;
  if (!optionsSetBy(Call))
    return false;
  const Value *Set = evaluate(Call, D);
  const Expr *Options = firstOptions(Call);
  if (std::optional<LocationId> Location = locate(Options, D))
    store(*Location, Set, D);
  else if (Options->isLValue() && isa<SettingsValue>(Set))
    forgetNamedIn(Options, D); // In a container.
  return true;
}
