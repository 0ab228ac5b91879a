//===- Undefined.cpp - Tensors that are not there -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An undefined tensor answers is_cuda() with false and sizes() with [0], and
// throws "tensor does not have a device" where its device is needed
// (c10/core/TensorImpl.h, UndefinedTensorImpl.cpp): device(), options(),
// get_device(), a move, a factory beside it.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/AbsentMembers.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

const Value *Evaluator::undefinedTensor() {
  auto *Undefined = C.Arena.make<TensorValue>(Place::unknown(), Rank::unknown(),
                                              ElementType::Unknown, nullptr);
  Undefined->IsUndefined = true;
  return Undefined;
}

const Value *Evaluator::undefinedTensor(llvm::StringRef Why, const Expr *Site,
                                        Disjunct &D,
                                        const ValueDecl *Declaration) {
  Event E;
  E.Kind = StepKind::Undefined;
  E.Op = Why.str();
  E.Site = Site;
  E.Declaration = Declaration;
  E.Path = D.Path;
  TensorValue *Undefined = makeTensor(std::move(E));
  Undefined->IsUndefined = true;
  return Undefined;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The tensor whose device \p Call, of \p Callee, needs and that is not where
/// an operation runs; null for any other call.
static const Expr *askedTensor(const CallExpr *Call,
                               const TorchCallee &Callee) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Callee || Callee.IsOperator)
    return nullptr;
  if (!Member || !Callee.IsTensorMethod)
    return llvm::StringRef(Callee.Op).ends_with("_like") && // Not at::'s.
                   Call->getNumArgs() >= 1 &&
                   llvm::StringRef(
                       Call->getDirectCallee()->getQualifiedNameAsString())
                       .starts_with("torch::")
               ? Call->getArg(0)
               : nullptr;
  const Expr *Self = Member->getImplicitObjectArgument();
  bool AsksSelf = llvm::StringSwitch<bool>(Callee.Op)
                      .Cases({"device", "options", "get_device"}, true)
                      .Cases({"cpu", "cuda"}, true)
                      .Default(false);
  if (AsksSelf)
    return Self;
  if ((Callee.Op == "to" || Callee.Op == "type_as") &&
      Call->getNumArgs() >= 1) {
    if (torchTypeOf(Call->getArg(0)->getType()) == TorchType::Tensor)
      return Call->getArg(0);
    if (Callee.Op == "to" && llvm::any_of(Call->arguments(), deviceSyntax))
      return Self;
  }
  return nullptr;
}

/// The optional behind `o->`, `*o` and `o.value()`; \p E itself elsewhere.
static const Expr *withoutAccess(const Expr *E) {
  E = skipNoise(E);
  const Expr *Object = nullptr;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (llvm::is_contained({OO_Arrow, OO_Star}, Operator->getOperator()))
      Object = Operator->getArg(0);
  } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (Method && Method->getIdentifier() && Method->getName() == "value")
      Object = Call->getImplicitObjectArgument();
  }
  return Object && className(Object->getType()) == "optional"
             ? skipNoise(Object)
             : E;
}

void Evaluator::recordQuestion(const CallExpr *Call, Disjunct &D) {
  if (!Sink)
    return;
  TorchCallee Callee = torchCalleeOf(Call->getDirectCallee());
  const Expr *Asked = askedTensor(Call, Callee);
  if (!Asked)
    return;
  DeviceQuestion &Question = Sink->questionAt(Chain, Call);
  Question.Op = Callee.Op;
  Question.Source = withoutAccess(Asked);
  for (const DeviceQuestionVisit &Known : Question.Visits)
    if (Known.Path == D.Path)
      return;
  DeviceQuestionVisit Visit;
  Visit.Path = D.Path;
  Visit.Asked = evaluate(Asked, D);
  Event Made;
  Made.Op = Callee.Op;
  Made.Site = Call;
  Made.Path = D.Path;
  EventArgument Self;
  Self.Name = "self";
  Self.Kind = StepArgument::Kind::Tensor;
  const auto *Tensor = dyn_cast<TensorValue>(Visit.Asked);
  Self.Events = {Tensor ? Tensor->Story : nullptr};
  Made.Arguments.push_back(Self);
  Visit.Made = &C.Stories.add(std::move(Made));
  Question.Visits.push_back(std::move(Visit));
}

//===----------------------------------------------------------------------===//
// Moved-from tensors
//===----------------------------------------------------------------------===//

/// x of std::move(x); null for any other expression.
static const Expr *movedVariable(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(skipNoise(E));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->isInStdNamespace() && Callee->getIdentifier() &&
                 Callee->getName() == "move" && Call->getNumArgs() == 1
             ? Call->getArg(0)
             : nullptr;
}

/// \p Argument is what a tensor is constructed or assigned from: std::move(x)
/// leaves x undefined.
void Evaluator::leaveMovedFrom(const Expr *Argument, Disjunct &D) {
  const Expr *Moved = movedVariable(Argument);
  if (!Moved || torchTypeOf(Moved->getType()) != TorchType::Tensor ||
      className(Moved->getType()) == "optional" ||
      Moved->getType().isConstQualified())
    return;
  if (std::optional<LocationId> Location = locate(Moved, D))
    if (C.Storage.declaration(*Location)) {
      const Value *Left = undefinedTensor("move", skipNoise(Argument), D);
      store(*Location, Left, D);
      nameAfter(Left, C.Storage.declaration(*Location), D);
    }
}

//===----------------------------------------------------------------------===//
// Members that a layer is made without
//===----------------------------------------------------------------------===//

/// The field \p Name of \p Class or of a base; null without one.
static const FieldDecl *fieldNamed(const CXXRecordDecl *Class,
                                   llvm::StringRef Name) {
  if (!Class || !Class->hasDefinition())
    return nullptr;
  for (const FieldDecl *Field : Class->fields())
    if (Field->getName() == Name)
      return Field;
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (const FieldDecl *Field =
            fieldNamed(Base.getType()->getAsCXXRecordDecl(), Name))
      return Field;
  return nullptr;
}

/// The fields that are undefined in the layer that \p Site makes, with the
/// options that say so.
llvm::SmallVector<std::pair<const FieldDecl *, llvm::StringRef>, 4>
Evaluator::absentFields(const Expr *Site, const CXXRecordDecl *Class,
                        Disjunct &D) {
  auto Read = [&](const Expr *Argument) -> std::optional<bool> {
    if (!Argument->getType().getNonReferenceType()->isBooleanType())
      return true; // weight(w)
    const Formula *F = formulaOf(Argument, D);
    if (F->K == Formula::Kind::Constant)
      return F->Value;
    return F->K == Formula::Kind::Atom ? D.Path.valueOf(F->Id) : std::nullopt;
  };
  llvm::SmallVector<std::pair<const FieldDecl *, llvm::StringRef>, 4> Fields;
  for (const AbsentMember &Absent : absentMembersOf(Site, Class, Read))
    if (const FieldDecl *Field = fieldNamed(Class, Absent.Name))
      Fields.push_back({Field, Absent.Option});
  return Fields;
}

/// Whether the layer has no tensor at all: each that it could have is optional
/// and absent, as in a norm without affine parameters.
bool Evaluator::isMadeEmpty(const Expr *Site, const CXXRecordDecl *Class,
                            llvm::StringRef Op, Disjunct &D) {
  unsigned Optional = 0;
  bool IsWeightOptional = false;
  for (const AbsentMembersRow &Row : absentMembersTable())
    if (Row.isFor(Op)) {
      llvm::SmallVector<llvm::StringRef, 4> Names;
      llvm::StringRef(Row.Members).split(Names, ' ');
      Optional += Names.size();
      IsWeightOptional |= llvm::is_contained(Names, "weight");
    }
  return IsWeightOptional && absentFields(Site, Class, D).size() == Optional;
}

/// Notes at the new layer \p Module what it is made without.
void Evaluator::leaveOutAbsent(LocationId Module, const Expr *Site,
                               const CXXRecordDecl *Class, Disjunct &D) {
  for (const auto &[Field, Option] : absentFields(Site, Class, D)) {
    std::string Why = moduleOp(Class) + "." + Field->getName().str();
    D.Env = C.Factory.add(D.Env, C.Storage.ofMember(Module, Field),
                          undefinedTensor(Why, Site, D));
  }
}

/// The tensor at \p Location, a member of one of LibTorch's modules, if it is
/// surely undefined; null otherwise.
const Value *Evaluator::absentMember(LocationId Location, Disjunct &D) {
  if (const Value *const *Held = D.Env.lookup(Location)) {
    const auto *Tensor = dyn_cast<TensorValue>(*Held);
    return Tensor && Tensor->IsUndefined && Tensor->Story ? Tensor : nullptr;
  }
  // Of a layer that the constructor of its class made.
  const auto *Field = cast<FieldDecl>(C.Storage.declaration(Location));
  std::optional<LocationId> Layer = C.Storage.parent(Location);
  std::optional<LocationId> Holder =
      Layer ? C.Storage.pointerTo(*Layer) : std::nullopt;
  const ValueDecl *Member = Holder ? C.Storage.declaration(*Holder) : nullptr;
  const Expr *Site = Member ? C.Layers.madeBy(Member) : nullptr;
  if (!Site || !C.Storage.isFromOutside(*Holder))
    return nullptr;
  const CXXRecordDecl *Class = pointedClass(Member->getType());
  // Options that depend on the constructor's parameters are not known here.
  auto Constant = [&](const Expr *Argument) -> std::optional<bool> {
    bool Result = false;
    if (!Argument->getType().getNonReferenceType()->isBooleanType())
      return true;
    return Argument->EvaluateAsBooleanCondition(Result, C.AST)
               ? std::optional<bool>(Result)
               : std::nullopt;
  };
  for (const AbsentMember &Absent : absentMembersOf(Site, Class, Constant))
    if (Absent.Name == Field->getName()) {
      std::string Why = moduleOp(Class) + "." + Absent.Name.str();
      const Value *Undefined = undefinedTensor(Why, Site, D);
      nameAfter(Undefined, Member, D);
      return Undefined;
    }
  return nullptr;
}

bool Evaluator::lacksOption(const CXXMemberCallExpr *Call, Disjunct &D) {
  const auto *Options =
      dyn_cast<MemberExpr>(skipNoise(Call->getImplicitObjectArgument()));
  const CXXMethodDecl *Asked = Call->getMethodDecl();
  if (!Options || Options->getMemberDecl()->getName() != "options" ||
      !isTorchDecl(Options->getMemberDecl()) || !Asked->getIdentifier() ||
      Call->getNumArgs() != 0)
    return false;
  const Expr *Layer = skipNoise(Options->getBase());
  const CXXRecordDecl *Class = classBehind(Layer->getType());
  std::optional<LocationId> Module =
      Options->isArrow() ? pointee(Layer, D) : locate(Layer, D);
  std::string Op = moduleOp(Class);
  if (!Module || Op.empty())
    return false;
  for (const AbsentMembersRow &Row : absentMembersTable()) {
    if (!Row.isFor(Op) || Row.Option != Asked->getName())
      continue;
    llvm::StringRef First = llvm::StringRef(Row.Members).split(' ').first;
    if (const FieldDecl *Field = fieldNamed(Class, First))
      return absentMember(C.Storage.ofMember(*Module, Field), D) != nullptr;
  }
  return false;
}

/// A member that is registered is known by the member, not by the expression
/// that made it: what the new layer is made without goes along.
void Evaluator::adoptAbsent(LocationId Member, const Expr *Source,
                            Disjunct &D) {
  const Expr *Made = layerMadeBy(Source);
  const auto *New = Made ? dyn_cast<PointerValue>(evaluate(Made, D)) : nullptr;
  LocationId Layer = C.Storage.ofPointee(Member);
  forgetAbsent(Layer, D);
  if (!New)
    return;
  nameAbsent(New->Target, C.Storage.declaration(Member), D);
  for (LocationId Part : C.Storage.subtree(New->Target)) {
    const Value *const *Held = D.Env.lookup(Part);
    const ValueDecl *Field = C.Storage.declaration(Part);
    const auto *Tensor = Held ? dyn_cast<TensorValue>(*Held) : nullptr;
    if (!Tensor || !Tensor->IsUndefined || !Field ||
        C.Storage.parent(Part) != New->Target)
      continue;
    D.Env = C.Factory.add(D.Env, C.Storage.ofMember(Layer, Field), Tensor);
  }
}

/// The first variable that holds a layer names what it is made without.
void Evaluator::nameAbsent(LocationId Module, const ValueDecl *Variable,
                           Disjunct &D) {
  for (LocationId Part : C.Storage.subtree(Module)) {
    const Value *const *Held = D.Env.lookup(Part);
    const auto *Tensor = Held ? dyn_cast<TensorValue>(*Held) : nullptr;
    if (Tensor && Tensor->IsUndefined && Tensor->Story &&
        llvm::StringRef(Tensor->Story->Op).contains('.'))
      C.Stories.nameSubject(Tensor->Story, Variable);
  }
}

/// The layer at \p Module may have got what it was made without.
void Evaluator::forgetAbsent(LocationId Module, Disjunct &D) {
  for (LocationId Part : C.Storage.subtree(Module)) {
    const Value *const *Held = D.Env.lookup(Part);
    const auto *Tensor = Held ? dyn_cast<TensorValue>(*Held) : nullptr;
    if (Tensor && Tensor->IsUndefined && !C.Storage.isState(Part))
      D.Env = C.Factory.add(D.Env, Part, C.Arena.unknown());
  }
}
