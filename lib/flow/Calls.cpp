//===- Calls.cpp - Calls that are followed into their callee --------------===//
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
#include "torch/ModuleTypes.h"
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
      runsOnDevice(Definition) || Definition->isDefaulted() ||
      !Definition->doesThisDeclarationHaveABody())
    return nullptr;
  return Definition;
}

/// Likewise for a constructor; the ones that the compiler makes have a body
/// that runs the members' initialisers.
static const FunctionDecl *
constructorBody(const CXXConstructorDecl *Constructor) {
  const FunctionDecl *Definition = nullptr;
  if (!Constructor->hasBody(Definition) || Definition->isDependentContext() ||
      !Definition->doesThisDeclarationHaveABody())
    return nullptr;
  return Definition;
}

/// The function that \p Call runs, if it is known and has a body here.
const FunctionDecl *Evaluator::calleeBody(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    const CXXMethodDecl *Method = Member->getMethodDecl();
    // In a constructor, *this is of the constructor's own class.
    const auto *Constructor = dyn_cast_or_null<CXXConstructorDecl>(Function);
    bool IsOwn =
        Constructor &&
        isa<CXXThisExpr>(skipNoise(Member->getImplicitObjectArgument()));
    if (Method && Method->isVirtual() && IsOwn)
      Callee = Method->getCorrespondingMethodInClass(Constructor->getParent(),
                                                     /*MayBeBase=*/true);
    else if (Method && Method->isVirtual())
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

/// A constructor of one of the program's classes, on an object of its own whose
/// copy the expression is; a base's constructor works on the object around.
std::optional<FollowedCall>
Evaluator::followableConstruct(const CXXConstructExpr *E, Disjunct &D) {
  const CXXConstructorDecl *Constructor = E->getConstructor();
  bool IsMemberwise =
      Constructor->isCopyOrMoveConstructor() && !Constructor->isUserProvided();
  if (!isRecord(E->getType()) || IsMemberwise || isStandardOrTorch(Constructor))
    return std::nullopt;
  FollowedCall Followed;
  Followed.Site = E;
  Followed.Callee = constructorBody(Constructor);
  if (!Followed.Callee)
    return std::nullopt;
  Followed.Arguments.assign(E->arg_begin(), E->arg_end());
  bool IsWhole = E->getConstructionKind() == CXXConstructionKind::Complete;
  Followed.Result =
      IsWhole ? FollowedCall::Outcome::Object : FollowedCall::Outcome::None;
  Followed.This = IsWhole ? renewObject(E, D) : C.Storage.ofThis();
  return Followed;
}

/// The constructor behind std::make_shared or a module holder's constructor.
std::optional<FollowedCall> Evaluator::followableAllocation(const Expr *E,
                                                            Disjunct &D) {
  const CXXRecordDecl *Class = allocatedClass(E);
  if (!Class || !Class->hasDefinition() || isTorchDecl(Class))
    return std::nullopt;
  FollowedCall Followed;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    Followed.Arguments.assign(Construct->arg_begin(), Construct->arg_end());
  else
    Followed.Arguments.assign(cast<CallExpr>(E)->arg_begin(),
                              cast<CallExpr>(E)->arg_end());
  const CXXConstructorDecl *Constructor =
      chooseConstructor(Class, Followed.Arguments);
  Followed.Callee = Constructor ? constructorBody(Constructor) : nullptr;
  if (!Followed.Callee)
    return std::nullopt;
  Followed.Site = E;
  Followed.Result = FollowedCall::Outcome::Pointer;
  Followed.This = renewObject(E, D);
  return Followed;
}

/// The constructor behind list.emplace_back(...).
std::optional<FollowedCall>
Evaluator::followableElement(const CXXMemberCallExpr *Call, Disjunct &D) {
  QualType Element = appendedElement(Call);
  if (Element.isNull() || !isRecord(Element) ||
      (Call->getNumArgs() == 1 &&
       C.AST.hasSameUnqualifiedType(
           Element, Call->getArg(0)->getType().getNonReferenceType())))
    return std::nullopt;
  FollowedCall Followed;
  Followed.Arguments.assign(Call->arg_begin(), Call->arg_end());
  const CXXConstructorDecl *Constructor =
      chooseConstructor(Element->getAsCXXRecordDecl(), Followed.Arguments);
  Followed.Callee = Constructor ? constructorBody(Constructor) : nullptr;
  if (!Followed.Callee)
    return std::nullopt;
  Followed.Site = Call;
  Followed.Result = FollowedCall::Outcome::Element;
  Followed.This = renewObject(Call, D);
  return Followed;
}

/// A batch of a loader: what the get() of the program's dataset makes.
std::optional<FollowedCall> Evaluator::followableBatch(const Expr *E,
                                                       Disjunct &D) {
  const Expr *Loader = iteratedList(E);
  FollowedCall Followed;
  Followed.Callee = Loader ? bodyOf(datasetGet(Loader)) : nullptr;
  if (!Followed.Callee)
    return std::nullopt;
  Followed.Site = E;
  Followed.This = C.Storage.ofTemporary(E);
  forgetLocation(*Followed.This, D);
  return Followed;
}

/// The object that a method is called on; one that is not known stands for
/// itself alone.
std::optional<LocationId> Evaluator::objectOfCall(const CallExpr *Call,
                                                  const Expr *Object,
                                                  FollowedCall &Followed,
                                                  Disjunct &D) {
  std::optional<LocationId> Location;
  bool IsPointer = Object && pointedClassOf(Object);
  if (Object)
    Location = IsPointer ? pointee(Object, D) : locate(Object, D);
  if (Location)
    return Location;
  Location = C.Storage.ofTemporary(Call);
  const Value *Copy =
      Object && !IsPointer ? evaluate(Object, D) : C.Arena.unknown();
  forgetLocation(*Location, D);
  if (isa<RecordValue>(Copy))
    store(*Location, Copy, D);
  if (!Object || Object->getType()->isPointerType())
    return Location;
  if (isa<RecordValue>(Copy) && partPath(Object, D))
    Followed.ObjectPart = Object;
  else
    forgetNamedIn(Object, D);
  return Location;
}

/// The forward() of the program's module that \p Call, module(x), runs through
/// a holder; null for any other call.
static const FunctionDecl *forwardOfHolder(const CallExpr *Call) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  if (!Operator || Operator->getOperator() != OO_Call)
    return nullptr;
  const CXXRecordDecl *Class = heldModuleClass(Operator->getArg(0)->getType());
  if (!Class || isTorchDecl(Class) || !Class->hasDefinition())
    return nullptr;
  const FunctionDecl *Forward = nullptr;
  for (const CXXMethodDecl *Method : Class->methods())
    if (Method->getIdentifier() && Method->getName() == "forward") {
      if (Forward)
        return nullptr; // Overloads; types would have to decide.
      Forward = Method;
    }
  return bodyOf(Forward);
}

/// The lambda that \p V is; null for any other value.
static const LambdaExpr *lambdaOf(const Value *V) {
  const auto *Callable = dyn_cast<CallableValue>(V);
  return Callable ? Callable->Lambda : nullptr;
}

std::optional<FollowedCall> Evaluator::followable(const Stmt *S, Disjunct &D) {
  const auto *E = dyn_cast<Expr>(S);
  if (!E || E->isTypeDependent() || E != skipNoise(E))
    return std::nullopt;
  if (std::optional<FollowedCall> Made = followableAllocation(E, D))
    return Made;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return followableConstruct(Construct, D);
  const auto *Call = dyn_cast<CallExpr>(E);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E))
    if (std::optional<FollowedCall> Element = followableElement(Member, D))
      return Element;
  if (std::optional<FollowedCall> Batch = followableBatch(E, D))
    return Batch;
  if (!Call)
    return std::nullopt;
  FollowedCall Followed;
  Followed.Site = Call;
  Followed.Callee = forwardOfHolder(Call);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() == OO_Call)
    Followed.Lambda = lambdaOf(evaluate(Operator->getArg(0), D));
  if (!Followed.Callee)
    Followed.Callee = calleeBody(Call, D);
  if (!Followed.Callee)
    return std::nullopt;
  const auto *Method = dyn_cast<CXXMethodDecl>(Followed.Callee);
  bool HasObjectFirst = isa<CXXOperatorCallExpr>(Call) && Method;
  for (unsigned I = HasObjectFirst; I < Call->getNumArgs(); ++I)
    Followed.Arguments.push_back(Call->getArg(I));
  if (Method && Method->isInstance() && !isLambdaCall(Followed.Callee)) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    Followed.This = objectOfCall(Call,
                                 Member ? Member->getImplicitObjectArgument()
                                 : HasObjectFirst ? Call->getArg(0)
                                                  : nullptr,
                                 Followed, D);
  }
  return Followed;
}

/// What is always so of an object of its class that is known by nothing else.
void Evaluator::assumeInvariants(const FollowedCall &Call, Disjunct &D) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Call.Callee);
  auto It = Method ? C.ClassInvariants.find(Method->getParent())
                   : C.ClassInvariants.end();
  if (It == C.ClassInvariants.end() || It->second.isUnreachable())
    return;
  const State &Invariant = It->second;
  for (const auto &Entry : Invariant.Disjuncts.front().Env) {
    LocationId Location = Entry.first;
    const Value *Held = Entry.second;
    const ValueDecl *Member = C.Storage.memberOfThis(Location);
    bool IsCertain = llvm::all_of(
        llvm::drop_begin(Invariant.Disjuncts), [&](const Disjunct &Other) {
          const Value *const *Theirs = Other.Env.lookup(Location);
          return Theirs && sameKnowledge(Held, *Theirs);
        });
    if (!Member || C.Storage.declaration(Location) != Member || !IsCertain)
      continue;
    LocationId Part = C.Storage.ofMember(*Call.This, Member);
    if (!D.Env.lookup(Part))
      store(Part, Held, D);
  }
}

void Evaluator::bindParameters(const FollowedCall &Call, Disjunct &D) {
  // Evaluate all first: an argument may read what a parameter shadows when the
  // callee was followed before.
  llvm::SmallVector<const Value *, 4> Values;
  for (const Expr *Argument : Call.Arguments)
    Values.push_back(evaluate(Argument, D));
  C.Storage.unnamePartsIn(Call.Callee);
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
    if (Type->isReferenceType() && Call.Arguments[I]->isLValue() &&
        declarePartName(Parameter, Values[I], Call.Arguments[I], D))
      continue;
    store(C.Storage.ofVariable(Parameter), Values[I], D);
  }
  D.Env = C.Factory.remove(D.Env, C.Storage.ofVariable(Call.Callee));
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Call.Callee);
  if (Constructor && Call.Result != FollowedCall::Outcome::None &&
      isModuleClass(Constructor->getParent()))
    store(C.Storage.ofState(*Call.This),
          freshState(Call.Site, Constructor->getParent(), D), D);
  else if (!Constructor && Call.This)
    assumeInvariants(Call, D);
}

const Value *Evaluator::resultOf(const FollowedCall &Call, LocationId Returned,
                                 Disjunct &D) {
  switch (Call.Result) {
  case FollowedCall::Outcome::Pointer:
    return C.Arena.make<PointerValue>(*Call.This);
  case FollowedCall::Outcome::Object: {
    const Value *Copy = copyOf(*Call.This, Call.Site->getType(), D);
    removeObject(*Call.This, D);
    return Copy;
  }
  case FollowedCall::Outcome::Element: {
    const auto *Appends = cast<CXXMemberCallExpr>(Call.Site);
    const Value *Copy =
        copyOf(*Call.This, elementTypeOf(Appends->getObjectType()), D);
    removeObject(*Call.This, D);
    appendElement(Appends, Copy, D);
    return Copy;
  }
  case FollowedCall::Outcome::None:
    return C.Arena.unknown();
  case FollowedCall::Outcome::Returned:
    break;
  }
  QualType Type = Call.Callee->getReturnType();
  if (isRecord(Type) && !Type->isReferenceType())
    return copyOf(Returned, Type, D);
  const Value *const *Found = D.Env.lookup(Returned);
  return Found ? *Found : C.Arena.unknown();
}

/// Whether \p F asks for what \p Callee keeps to itself.
bool Evaluator::readsLocals(const Formula *F,
                            const FunctionDecl *Callee) const {
  if (F->K == Formula::Kind::Atom) {
    auto It = C.AtomReads.find(F->Id);
    return It != C.AtomReads.end() &&
           llvm::any_of(It->second, [&](LocationId Read) {
             return C.Storage.belongsTo(Read, Callee);
           });
  }
  return (F->Left && readsLocals(F->Left, Callee)) ||
         (F->Right && readsLocals(F->Right, Callee));
}

const Value *Evaluator::leaveCallee(const FollowedCall &Call, Disjunct &D) {
  LocationId Returned = C.Storage.ofVariable(Call.Callee);
  const Value *Result = resultOf(Call, Returned, D);
  if (const auto *Bool = dyn_cast<BoolValue>(Result);
      Bool && readsLocals(Bool->Condition, Call.Callee))
    Result = C.Arena.make<BoolValue>(C.Formulas.unknown());
  const auto *Method = dyn_cast<CXXMethodDecl>(Call.Callee);
  if (Call.ObjectPart && Method && !Method->isConst())
    if (std::optional<PartPath> Part = partPath(Call.ObjectPart, D))
      storePart(*Part, copyOf(*Call.This, Call.ObjectPart->getType(), D), D);
  llvm::SmallVector<LocationId, 8> Locals(C.Storage.subtree(Returned));
  // The environment may be large, and calls are many.
  for (LocationId Variable : C.Storage.variablesOf(Call.Callee))
    for (LocationId Part : C.Storage.subtree(Variable))
      if (D.Env.contains(Part))
        Locals.push_back(Part);
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

static llvm::SmallVector<const VarDecl *, 4>
copiedCaptures(const LambdaExpr *Lambda, const BodyFacts &Caller) {
  llvm::SmallVector<const VarDecl *, 4> Copied;
  for (const LambdaCapture &Capture : Lambda->captures())
    if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByCopy &&
        Caller.Reassigned.contains(
            cast<ValueDecl>(Capture.getCapturedVar()->getCanonicalDecl())))
      Copied.push_back(cast<VarDecl>(Capture.getCapturedVar()));
  return Copied;
}

void Evaluator::hideCopies(const FollowedCall &Call, const BodyFacts &Caller,
                           Disjunct &D) {
  if (Call.Lambda)
    for (const VarDecl *Variable : copiedCaptures(Call.Lambda, Caller))
      forgetVariable(Variable, D);
}

void Evaluator::restoreCopies(const FollowedCall &Call, const BodyFacts &Caller,
                              Disjunct &Before, Disjunct &D) {
  if (!Call.Lambda)
    return;
  for (const VarDecl *Variable : copiedCaptures(Call.Lambda, Caller))
    for (LocationId Part : C.Storage.subtree(C.Storage.ofVariable(Variable))) {
      const Value *const *Held = Before.Env.lookup(Part);
      D.Env = Held ? C.Factory.add(D.Env, Part, *Held)
                   : C.Factory.remove(D.Env, Part);
    }
}

void Evaluator::forgetUntracked(const FollowedCall &Call,
                                const BodyFacts &Callee, Disjunct &D) {
  for (const ValueDecl *Variable : Callee.Untracked) {
    LocationId Location;
    if (isa<FieldDecl>(Variable))
      Location =
          C.Storage.ofMember(Call.This.value_or(C.Storage.ofThis()), Variable);
    else if (isa<VarDecl>(Variable) || isa<BindingDecl>(Variable))
      Location = C.Storage.ofVariable(Variable);
    else
      continue;
    if (const Value *const *Held = D.Env.lookup(Location))
      forgetReachable(*Held, D);
    forgetLocation(Location, D);
  }
  if (Callee.MayChangeMembers) {
    LocationId This = Call.This.value_or(C.Storage.ofThis());
    for (LocationId Part : C.Storage.subtree(This))
      forgetLocation(Part, D);
  }
}

void Evaluator::forgetVariable(const ValueDecl *Variable, Disjunct &D) {
  forgetLocation(C.Storage.ofVariable(Variable), D);
}
