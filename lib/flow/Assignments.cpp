//===- Assignments.cpp - Records of what members of modules get ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which line gives a member its tensor or submodule: initialisers, assignments,
// also to one element, and the methods that add to a container. Changes
// nothing.
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

namespace {
/// A member of a module, and whether one of its elements is named.
struct NamedMember {
  const MemberExpr *Syntax = nullptr; ///< Null: none.
  bool IsElement = false;
};
} // namespace

/// The member of a module that \p Target is, or is part or element of.
static NamedMember memberIn(const Expr *Target) {
  NamedMember Named;
  for (const Expr *E = skipNoise(Target); E; E = skipNoise(E)) {
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      bool IsModules =
          Field && isModuleClass(dyn_cast<CXXRecordDecl>(Field->getParent()));
      if (IsModules) {
        Named.Syntax = Member;
        return Named;
      }
      E = Member->getBase();
    } else if (const auto *Call = dyn_cast<CallExpr>(E);
               Call && torchCalleeOf(Call->getDirectCallee()).IsTensorMethod) {
      return NamedMember(); // x[i] = y writes into the tensor that x is.
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      Named.IsElement |= Operator->getOperator() == OO_Subscript;
      E = Operator->getNumArgs() > 0 ? Operator->getArg(0) : nullptr;
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      // list.at(i), list.back(); what a method of the program returns is not
      // followed.
      if (!Call->getMethodDecl() || !isStandardOrTorch(Call->getMethodDecl()))
        return Named;
      Named.IsElement = true;
      E = Call->getImplicitObjectArgument();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      Named.IsElement = true;
      E = Subscript->getBase();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
    } else {
      return Named;
    }
    if (!E)
      return Named;
  }
  return Named;
}

void Evaluator::addAssignment(MemberAssignment A, Disjunct &D) {
  if (const auto *Pointer = dyn_cast<PointerValue>(A.What); Pointer && !A.State)
    A.State = dyn_cast<TensorValue>(load(moduleState(Pointer->Target), D));
  A.Path = D.Path;
  A.Facts = D.Facts;
  for (const MemberAssignment &Known : Sink->Assignments)
    if (Known.Member == A.Member && Known.At == A.At && Known.What == A.What)
      return;
  Sink->Assignments.push_back(std::move(A));
}

void Evaluator::recordAssignment(const Expr *Target, const Expr *Source,
                                 const Value *V, Disjunct &D) {
  if (!Sink)
    return;
  NamedMember Named = memberIn(Target);
  if (!Named.Syntax)
    return;
  MemberAssignment A;
  A.Member = cast<ValueDecl>(Named.Syntax->getMemberDecl()->getCanonicalDecl());
  bool IsOfThis = isa<CXXThisExpr>(skipNoise(Named.Syntax->getBase()));
  A.IsForeign = !IsOfThis;
  A.IsOwn = IsOfThis && C.Storage.memberOfThis(C.Storage.ofMember(
                            C.Storage.ofThis(), A.Member)) == A.Member;
  A.IsElement = Named.IsElement;
  A.At = Target->getBeginLoc();
  A.Source = Source;
  A.What = V;
  addAssignment(std::move(A), D);
}

void Evaluator::recordInitializer(const CXXCtorInitializer *Initializer,
                                  const Value *V, Disjunct &D) {
  const FieldDecl *Field = Initializer->getAnyMember();
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  if (!Sink || !isModuleClass(Class))
    return;
  MemberAssignment A;
  A.Member = cast<ValueDecl>(Field->getCanonicalDecl());
  A.IsOwn = C.Storage.memberOfThis(
                C.Storage.ofMember(C.Storage.ofThis(), A.Member)) == A.Member;
  A.IsInitializer = true;
  bool IsInClass =
      Initializer->isInClassMemberInitializer() || !Initializer->isWritten();
  A.IsImplicit =
      !Initializer->isInClassMemberInitializer() && !Initializer->isWritten();
  A.At = IsInClass ? Field->getLocation() : Initializer->getMemberLocation();
  A.Source = Initializer->getInit();
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(A.Source))
    A.Source = Default->getExpr();
  A.What = V;
  addAssignment(std::move(A), D);
}

void Evaluator::initializeMembers(const CXXRecordDecl *Class, Disjunct &D) {
  for (const FieldDecl *Field : Class->fields()) {
    LocationId Location = C.Storage.ofMember(C.Storage.ofThis(), Field);
    const Expr *Init = Field->getInClassInitializer();
    if (!Init) {
      store(Location,
            torchTypeOf(Field->getType()) == TorchType::Tensor &&
                    className(Field->getType()) != "optional"
                ? undefinedTensor()
                : defaultValue(Field->getType()),
            D);
      continue;
    }
    const Value *V = valueOf(Init, D);
    MemberAssignment A;
    A.Member = cast<ValueDecl>(Field->getCanonicalDecl());
    A.IsOwn = A.IsInitializer = true;
    A.At = Field->getLocation();
    A.Source = Init;
    A.What = V;
    addAssignment(std::move(A), D);
    store(Location, V, D);
    nameAfter(V, Field, D);
  }
}

/// The position of the argument that a container's method adds; none for a
/// method that adds nothing.
static std::optional<unsigned> addedArgument(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method || !Method->getIdentifier() || !isStandardOrTorch(Method) ||
      Call->getNumArgs() == 0)
    return std::nullopt;
  bool Adds = llvm::StringSwitch<bool>(Method->getName())
                  .Cases({"push_back", "emplace_back", "push_front"}, true)
                  .Cases({"emplace_front", "emplace", "insert"}, true)
                  .Cases({"try_emplace", "insert_or_assign", "push"}, true)
                  .Default(false);
  // std::shared_ptr::reset(new T).
  bool Replaces =
      Method->getName() == "reset" && isSmartPointer(Call->getObjectType());
  if (!Adds && !Replaces)
    return std::nullopt;
  return Call->getNumArgs() - 1;
}

void Evaluator::recordAdded(const CXXMemberCallExpr *Call, Disjunct &D) {
  std::optional<unsigned> Position = addedArgument(Call);
  if (!Sink || !Position)
    return;
  const Expr *Object = Call->getImplicitObjectArgument();
  NamedMember Named = memberIn(Object);
  if (!Named.Syntax)
    return;
  MemberAssignment A;
  A.Member = cast<ValueDecl>(Named.Syntax->getMemberDecl()->getCanonicalDecl());
  bool IsOfThis = isa<CXXThisExpr>(skipNoise(Named.Syntax->getBase()));
  A.IsOwn = IsOfThis && C.Storage.memberOfThis(C.Storage.ofMember(
                            C.Storage.ofThis(), A.Member)) == A.Member;
  A.IsElement = !isSmartPointer(Call->getObjectType());
  A.At = Call->getBeginLoc();
  A.Source = Call->getArg(*Position);
  A.What = valueOf(A.Source, D);
  // map.insert({key, value})
  if (const auto *Pair = dyn_cast<ListValue>(A.What))
    if (Pair->IsExact && Pair->Elements.size() == 2 && *Position == 0)
      A.What = Pair->Elements.back();
  // layers.emplace_back(in, out) makes the layer itself.
  QualType Element = elementTypeOf(Call->getObjectType());
  const CXXRecordDecl *Held =
      Element.isNull() ? nullptr : heldModuleClass(Element);
  if (Held && !isa<PointerValue>(A.What) &&
      Call->getMethodDecl()->getName().starts_with("emplace")) {
    A.What = C.Arena.make<PointerValue>(C.Storage.ofObject(Chain, Call));
    A.State = dyn_cast<TensorValue>(freshState(Call, Held, D));
  }
  addAssignment(std::move(A), D);
}
