//===- Calls.cpp - Calls that are followed into their callee ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A callee whose body is at hand is executed in the state of the call: its
// parameters have the arguments' values, what it captures by reference is the
// caller's own storage, its *this is the object of the call. What it checks,
// throws on, assigns and returns is then known to the caller, condition by
// condition.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// The definition of \p Function if its body can be executed; null otherwise.
static const FunctionDecl *bodyOf(const FunctionDecl *Function) {
  const FunctionDecl *Definition = nullptr;
  if (!Function || !Function->hasBody(Definition) ||
      isStandardOrTorch(Definition) || Definition->isDependentContext() ||
      Definition->isDefaulted() || !Definition->doesThisDeclarationHaveABody())
    return nullptr;
  return Definition;
}

/// The function that \p Call runs, if it is known and has a body here.
const FunctionDecl *Evaluator::calleeBody(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    const CXXMethodDecl *Method = Member->getMethodDecl();
    if (Method && Method->isVirtual())
      Callee = Method->getDevirtualizedMethod(
          Member->getImplicitObjectArgument()->IgnoreParenImpCasts(),
          /*IsAppleKext=*/false);
  }
  if (const FunctionDecl *Body = bodyOf(Callee))
    return Body;
  // A std::function or a generic name for a lambda that is known.
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  if (!Operator || Operator->getOperator() != OO_Call)
    return nullptr;
  const auto *Lambda =
      dyn_cast<CallableValue>(evaluate(Operator->getArg(0), D));
  return Lambda ? bodyOf(Lambda->Lambda->getCallOperator()) : nullptr;
}

static bool isLambdaCall(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  return Method && Method->getParent()->isLambda();
}

/// A variable that a user's constructor makes.
static std::optional<FollowedCall> followedConstructor(const DeclStmt *S,
                                                       FunctionContext &C) {
  if (!S->isSingleDecl())
    return std::nullopt;
  const auto *Variable = dyn_cast<VarDecl>(S->getSingleDecl());
  if (!Variable || !Variable->getInit() || Variable->isStaticLocal() ||
      Variable->getType()->isReferenceType())
    return std::nullopt;
  const auto *Construct =
      dyn_cast<CXXConstructExpr>(skipNoise(Variable->getInit()));
  const FunctionDecl *Callee =
      Construct ? bodyOf(Construct->getConstructor()) : nullptr;
  if (!Callee)
    return std::nullopt;
  FollowedCall Followed;
  Followed.Site = Construct;
  Followed.Callee = Callee;
  Followed.Arguments.assign(Construct->arg_begin(), Construct->arg_end());
  Followed.This = C.Storage.ofVariable(Variable);
  return Followed;
}

std::optional<FollowedCall> Evaluator::followable(const Stmt *S, Disjunct &D) {
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    return followedConstructor(Declaration, C);
  const auto *Call = dyn_cast<CallExpr>(S);
  if (!Call || Call->isTypeDependent())
    return std::nullopt;
  FollowedCall Followed;
  Followed.Site = Call;
  Followed.Callee = calleeBody(Call, D);
  if (!Followed.Callee)
    return std::nullopt;
  const auto *Method = dyn_cast<CXXMethodDecl>(Followed.Callee);
  bool HasObjectFirst = isa<CXXOperatorCallExpr>(Call) && Method;
  for (unsigned I = HasObjectFirst; I < Call->getNumArgs(); ++I)
    Followed.Arguments.push_back(Call->getArg(I));
  if (Method && Method->isInstance() && !isLambdaCall(Followed.Callee)) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const Expr *Object = Member           ? Member->getImplicitObjectArgument()
                         : HasObjectFirst ? Call->getArg(0)
                                          : nullptr;
    std::optional<LocationId> Location;
    bool IsPointer = Object && !isa<CXXThisExpr>(skipNoise(Object)) &&
                     Object->getType()->isPointerType();
    if (Object && !IsPointer)
      Location = locate(Object, D);
    if (!Location) {
      // An object without a name, or one that others may change.
      Location = C.Storage.ofTemporary(Call);
      forgetLocation(*Location, D);
      if (Object && !IsPointer)
        forgetNamedIn(Object, D);
    }
    Followed.This = Location;
  }
  return Followed;
}

void Evaluator::bindParameters(const FollowedCall &Call, Disjunct &D) {
  // Evaluate all first: an argument may read what a parameter shadows when the
  // callee was followed before.
  llvm::SmallVector<const Value *, 4> Values;
  for (const Expr *Argument : Call.Arguments)
    Values.push_back(evaluate(Argument, D));
  for (unsigned I = 0; I < Call.Callee->getNumParams(); ++I) {
    const ParmVarDecl *Parameter = Call.Callee->getParamDecl(I);
    if (I >= Call.Arguments.size())
      break;
    QualType Type = Parameter->getType();
    bool IsOutput = Type->isLValueReferenceType() &&
                    !Type->getPointeeType().isConstQualified();
    C.Storage.unbindReference(Parameter);
    if (IsOutput || !isa<TensorValue>(Values[I]))
      if (Type->isReferenceType())
        if (std::optional<LocationId> Target = locate(Call.Arguments[I], D)) {
          C.Storage.bindReference(Parameter, *Target);
          continue;
        }
    store(C.Storage.ofVariable(Parameter), Values[I], D);
  }
  D.Env = C.Factory.remove(D.Env, C.Storage.ofVariable(Call.Callee));
}

const Value *Evaluator::leaveCallee(const FollowedCall &Call, Disjunct &D) {
  LocationId Returned = C.Storage.ofVariable(Call.Callee);
  const Value *const *Found = D.Env.lookup(Returned);
  const Value *Result = Found ? *Found : C.Arena.unknown();
  llvm::SmallVector<LocationId, 8> Locals = {Returned};
  for (const auto &Entry : D.Env)
    if (C.Storage.belongsTo(Entry.first, Call.Callee))
      Locals.push_back(Entry.first);
  for (LocationId Local : Locals) {
    forgetConditionsOn(Local, D);
    D.Env = C.Factory.remove(D.Env, Local);
  }
  llvm::SmallVector<AtomId, 2> Stale;
  for (const PathCondition::Literal &L : D.Path.literals()) {
    auto It = C.AtomReads.find(L.first);
    if (It != C.AtomReads.end() &&
        llvm::any_of(It->second, [&](LocationId Read) {
          return C.Storage.belongsTo(Read, Call.Callee);
        }))
      Stale.push_back(L.first);
  }
  for (AtomId Id : Stale)
    D.Path.remove(Id);
  return Result;
}

void Evaluator::forgetVariable(const ValueDecl *Variable, Disjunct &D) {
  forgetLocation(C.Storage.ofVariable(Variable), D);
}
