//===- Conditions.cpp - Formulas, and what a branch establishes ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on the expression tree of a condition, not on the branches of the CFG
// alone: under !(a && b) and inside TORCH_CHECK's __builtin_expect clang
// merges the operands before it branches.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

const Formula *Evaluator::formulaOf(const Expr *E, Disjunct &D) {
  return computeFormula(skipNoise(E), D);
}

const Formula *Evaluator::typeFormula(Place P, DeviceType Type, const Expr *E) {
  if (P.isUnknown())
    return C.Formulas.unknown();
  if (P.isKnown())
    return C.Formulas.constant(P.type() == Type);
  Atom A;
  A.K = Atom::Kind::TypeIs;
  A.A = P;
  A.Type = Type;
  A.Text = sourceText(E);
  AtomId Id = C.Atoms.intern(A);
  C.AtomSites.try_emplace(Id, E);
  return C.Formulas.atom(Id);
}

const Formula *Evaluator::sameFormula(Place A, Place B, const Expr *E,
                                      bool IsEqual) {
  if (A.isUnknown() || B.isUnknown())
    return C.Formulas.unknown();
  if (A.isKnown() && B.isKnown()) {
    // "cuda" against "cuda:1" is not decided.
    switch (PlaceFacts().compare(A, B)) {
    case Agreement::Same:
      return C.Formulas.constant(IsEqual);
    case Agreement::Different:
      return C.Formulas.constant(!IsEqual);
    case Agreement::Unknown:
      return C.Formulas.unknown();
    }
  }
  Atom Same;
  Same.K = Atom::Kind::Same;
  Same.A = A;
  Same.B = B;
  Same.Text = sourceText(E);
  if (!IsEqual) { // The source says the negation.
    Same.NegatedText = Same.Text;
    Same.Text = "!(" + Same.NegatedText + ")";
  }
  AtomId Id = C.Atoms.intern(Same);
  C.AtomSites.try_emplace(Id, E);
  const Formula *F = C.Formulas.atom(Id);
  // A device without an index equals no tensor's device, which has one
  // (c10/core/Device.h): that they differ says nothing.
  auto HasNoIndex = [](Place P) {
    return P.isKnown() && !P.isCPU() && P.index() == Place::CurrentIndex;
  };
  if (HasNoIndex(A) || HasNoIndex(B))
    F = C.Formulas.conjunction(F, C.Formulas.unknown());
  return IsEqual ? F : C.Formulas.negate(F);
}

const Formula *Evaluator::availabilityFormula(llvm::StringRef Device) {
  Atom A;
  A.Key = "available:" + Device.str();
  A.Text = "torch::" + Device.str() + "::is_available()";
  return C.Formulas.atom(C.Atoms.intern(A));
}

std::optional<std::string>
Evaluator::stableKey(const Expr *E, Disjunct &D,
                     llvm::SmallVectorImpl<LocationId> &Reads) {
  E = skipNoise(E);
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return llvm::toString(Literal->getValue(), 10, /*Signed=*/true);
  if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(E))
    return std::string(Literal->getValue() ? "true" : "false");
  if (const auto *Literal = dyn_cast<CharacterLiteral>(E))
    return "char " + std::to_string(Literal->getValue());
  if (const auto *Literal = dyn_cast<clang::StringLiteral>(E))
    return "\"" + Literal->getBytes().str() + "\"";
  if (isa<FloatingLiteral>(E))
    return sourceText(E);
  if (isa<CXXNullPtrLiteralExpr>(E))
    return std::string("nullptr");
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    if (isa<EnumConstantDecl>(Reference->getDecl()))
      return "enum " + Reference->getDecl()->getQualifiedNameAsString();
  if (std::optional<LocationId> Location = locate(E, D)) {
    const auto *Variable =
        dyn_cast_or_null<VarDecl>(C.Storage.declaration(*Location));
    // The iterators of range-for, and variables that change behind our back.
    if ((Variable && Variable->isImplicit()) || isUntracked(*Location))
      return std::nullopt;
    Reads.push_back(*Location);
    return "#" + std::to_string(*Location);
  }
  std::string Key;
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    Key = "member " + Member->getMemberDecl()->getNameAsString();
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp())
      return std::nullopt;
    Key = "unary " + std::to_string(Unary->getOpcode());
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp() || Binary->getOpcode() == BO_Comma)
      return std::nullopt;
    Key = "binary " + std::to_string(Binary->getOpcode());
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Function = Call->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function);
    if (!Function || (Method && !Method->isConst() && !Method->isStatic()))
      return std::nullopt;
    Key = "call " + Function->getQualifiedNameAsString();
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      auto Object = stableKey(Member->getImplicitObjectArgument(), D, Reads);
      if (!Object)
        return std::nullopt;
      Key += "(" + *Object;
    }
    for (const Expr *Argument : Call->arguments()) {
      auto Part = stableKey(Argument, D, Reads);
      if (!Part)
        return std::nullopt;
      Key += "," + *Part;
    }
    return Key + ")";
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    Key = "construct " + className(Construct->getType()).str();
  } else if (!isa<CXXDefaultArgExpr>(E)) {
    return std::nullopt;
  } else {
    return std::string("default");
  }
  for (const Stmt *Child : E->children()) {
    const auto *Operand = dyn_cast_or_null<Expr>(Child);
    auto Part = Operand ? stableKey(Operand, D, Reads) : std::nullopt;
    if (!Part)
      return std::nullopt;
    Key += " " + *Part;
  }
  return "(" + Key + ")";
}

const Formula *Evaluator::programFormula(const Expr *E, Disjunct &D) {
  llvm::SmallVector<LocationId, 4> Reads;
  std::optional<std::string> Key = stableKey(E, D, Reads);
  // A question about a tensor that is not understood may be about its place.
  bool AsksTensor = llvm::any_of(Reads, [&](LocationId Read) {
    const ValueDecl *Declaration = C.Storage.declaration(Read);
    return Declaration &&
           torchTypeOf(Declaration->getType()) == TorchType::Tensor;
  });
  if (!Key || AsksTensor)
    return C.Formulas.unknown();
  Atom A;
  A.Key = *Key;
  A.Text = sourceText(E);
  AtomId Id = C.Atoms.intern(A);
  C.AtomReads.try_emplace(Id, Reads.begin(), Reads.end());
  C.ProgramConditions.try_emplace(Id, E);
  return C.Formulas.atom(Id);
}

/// The constant that \p E is, as text; none when it is not one.
static std::optional<std::string> constantText(const Expr *E,
                                               const ASTContext &AST) {
  E = skipNoise(E);
  if (isa<CXXNullPtrLiteralExpr>(E) || isa<GNUNullExpr>(E))
    return std::string("0");
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() >= 1 &&
      className(Construct->getType()) == "basic_string")
    E = skipNoise(Construct->getArg(0));
  if (const auto *Text = dyn_cast<clang::StringLiteral>(E))
    return "\"" + Text->getBytes().str() + "\"";
  Expr::EvalResult Result;
  if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, AST, Expr::SE_NoSideEffects))
    return llvm::toString(Result.Val.getInt(), 10);
  return std::nullopt;
}

/// Whether two values that are known are equal; none where one is not known.
static std::optional<bool> compareKnown(const Value *A, const Value *B) {
  if (isa<IntValue>(A) && isa<IntValue>(B))
    return cast<IntValue>(A)->Number == cast<IntValue>(B)->Number;
  if (isa<StringValue>(A) && isa<StringValue>(B))
    return cast<StringValue>(A)->Text == cast<StringValue>(B)->Text;
  return std::nullopt;
}

/// a.get_device() == b.get_device(): one device, as an index is asked of both;
/// null for another comparison.
const Formula *Evaluator::deviceIndexComparison(const Expr *Left,
                                                const Expr *Right, bool IsEqual,
                                                const Expr *Whole,
                                                Disjunct &D) {
  auto AskedTensor = [&](const Expr *E) -> const TensorValue * {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(skipNoise(E));
    if (!Call || torchCalleeOf(Call->getDirectCallee()).Op != "get_device")
      return nullptr;
    return dyn_cast<TensorValue>(
        evaluate(Call->getImplicitObjectArgument(), D));
  };
  const TensorValue *A = AskedTensor(Left), *B = AskedTensor(Right);
  return A && B ? sameFormula(A->Where, B->Where, Whole, IsEqual) : nullptr;
}

const Formula *Evaluator::comparisonFormula(const Expr *Left, const Expr *Right,
                                            bool IsEqual, const Expr *Whole,
                                            Disjunct &D) {
  const Value *LeftValue = evaluate(Left, D), *RightValue = evaluate(Right, D);
  if (std::optional<bool> Known = compareKnown(LeftValue, RightValue))
    return C.Formulas.constant(*Known == IsEqual);
  if (skipNoise(Left)->getType()->isBooleanType() &&
      skipNoise(Right)->getType()->isBooleanType()) {
    const Formula *A = formulaOf(Left, D), *B = formulaOf(Right, D);
    const Formula *Both = C.Formulas.disjunction(
        C.Formulas.conjunction(A, B),
        C.Formulas.conjunction(C.Formulas.negate(A), C.Formulas.negate(B)));
    return IsEqual ? Both : C.Formulas.negate(Both);
  }
  if (const Formula *F = deviceIndexComparison(Left, Right, IsEqual, Whole, D))
    return F;
  const auto *LeftDevice = dyn_cast<DeviceValue>(LeftValue);
  const auto *RightDevice = dyn_cast<DeviceValue>(RightValue);
  if (LeftDevice && RightDevice)
    return deviceComparison(Left, *LeftDevice, Right, *RightDevice, IsEqual,
                            Whole);
  if (std::optional<DeviceType> Counted = zeroCountTest(Left, Right)) {
    const Formula *F = availabilityFormula(deviceTypeName(*Counted));
    return IsEqual ? C.Formulas.negate(F) : F;
  }
  if (constantText(Left, C.AST) && !constantText(Right, C.AST))
    std::swap(Left, Right);
  std::optional<std::string> Constant = constantText(Right, C.AST);
  llvm::SmallVector<LocationId, 4> Reads;
  std::optional<std::string> Key = stableKey(Left, D, Reads);
  if (!Constant || !Key) {
    const Formula *F = programFormula(Whole, D);
    return F;
  }
  Atom A;
  A.K = Atom::Kind::Equals;
  A.Key = *Key;
  A.Constant = *Constant;
  A.Text = sourceText(Left) + " == " + sourceText(Right);
  A.NegatedText = sourceText(Left) + " != " + sourceText(Right);
  AtomId Id = C.Atoms.intern(A);
  C.AtomReads.try_emplace(Id, Reads.begin(), Reads.end());
  C.ProgramConditions.try_emplace(Id, Whole);
  const Formula *F = C.Formulas.atom(Id);
  return IsEqual ? F : C.Formulas.negate(F);
}

/// Whether an expression has a device's type alone: kCUDA, x.device().type().
static bool isTypeOnly(const Expr *E) {
  E = skipNoise(E);
  if (torchTypeOf(E->getType()) == TorchType::DeviceType)
    return true;
  const auto *Construct = dyn_cast<CXXConstructExpr>(E);
  return Construct && Construct->getNumArgs() >= 1 &&
         torchTypeOf(Construct->getArg(0)->getType()) ==
             TorchType::DeviceType &&
         (Construct->getNumArgs() == 1 ||
          isa<CXXDefaultArgExpr>(Construct->getArg(1)));
}

const Formula *Evaluator::deviceComparison(const Expr *Left,
                                           const DeviceValue &LeftDevice,
                                           const Expr *Right,
                                           const DeviceValue &RightDevice,
                                           bool IsEqual, const Expr *Whole) {
  bool LeftIsType = isTypeOnly(Left), RightIsType = isTypeOnly(Right);
  if (!LeftIsType && !RightIsType)
    return sameFormula(LeftDevice.Where, RightDevice.Where, Whole, IsEqual);
  // x.device().type() == kCUDA: both are types, one of them is a constant.
  bool LeftIsConstant =
      LeftIsType && (!RightIsType || LeftDevice.Where.isKnown());
  const DeviceValue &Asked = LeftIsConstant ? RightDevice : LeftDevice;
  const DeviceValue &Constant = LeftIsConstant ? LeftDevice : RightDevice;
  if (!Constant.Where.isKnown())
    return C.Formulas.unknown(); // Two types, neither of which is known.
  const Formula *F = typeFormula(Asked.Where, Constant.Where.type(), Whole);
  // A tensor's device has an index, kCUDA has none: x.device() == kCUDA is
  // false on cuda:0 (c10/core/Device.h). The programmer means the type, so the
  // true side may be taken at its word, the false side says nothing.
  bool ComparesWholeDevices =
      className(skipNoise(Left)->getType()) == "Device" ||
      className(skipNoise(Right)->getType()) == "Device";
  if (ComparesWholeDevices && Constant.Where.type() != DeviceType::CPU &&
      F->K != Formula::Kind::Constant)
    F = C.Formulas.conjunction(F, C.Formulas.unknown());
  return IsEqual ? F : C.Formulas.negate(F);
}

/// device_count() == 0, in either order: the type that is counted.
std::optional<DeviceType> Evaluator::zeroCountTest(const Expr *Left,
                                                   const Expr *Right) {
  const auto *Call = dyn_cast<CallExpr>(skipNoise(Left));
  if (!Call) {
    std::swap(Left, Right);
    Call = dyn_cast<CallExpr>(skipNoise(Left));
  }
  if (!Call || constantText(Right, C.AST) != std::optional<std::string>("0"))
    return std::nullopt;
  return parseDeviceType(deviceCountOf(Call->getDirectCallee()));
}

static bool compareNumbers(BinaryOperatorKind Kind, int64_t A, int64_t B) {
  switch (Kind) {
  case BO_LT:
    return A < B;
  case BO_LE:
    return A <= B;
  case BO_GT:
    return A > B;
  default:
    return A >= B;
  }
}

/// device_count() > 0, >= 1 and longer counts: there is such a device.
const Formula *Evaluator::deviceCountFormula(const BinaryOperator *E,
                                             Disjunct &D) {
  if (E->isRelationalOp()) {
    const auto *Left = dyn_cast<IntValue>(evaluate(E->getLHS(), D));
    const auto *Right = dyn_cast<IntValue>(evaluate(E->getRHS(), D));
    if (Left && Right)
      return C.Formulas.constant(
          compareNumbers(E->getOpcode(), Left->Number, Right->Number));
  }
  const auto *Call = dyn_cast<CallExpr>(skipNoise(E->getLHS()));
  std::optional<DeviceType> Type =
      Call ? parseDeviceType(deviceCountOf(Call->getDirectCallee()))
           : std::nullopt;
  std::optional<std::string> Bound = constantText(E->getRHS(), C.AST);
  int Number = 0;
  if (!Type || !Bound || llvm::StringRef(*Bound).getAsInteger(10, Number))
    return programFormula(E, D);
  const Formula *Available = availabilityFormula(deviceTypeName(*Type));
  if (E->getOpcode() == BO_GE)
    --Number;
  if ((E->getOpcode() == BO_GT || E->getOpcode() == BO_GE) && Number == 0)
    return Available;
  if ((E->getOpcode() == BO_GT || E->getOpcode() == BO_GE) && Number > 0)
    return C.Formulas.conjunction(Available, programFormula(E, D));
  return programFormula(E, D);
}

/// The device type that a method such as is_cuda asks about; none for others.
static std::optional<DeviceType> typeAskedBy(llvm::StringRef Method) {
  if (!Method.consume_front("is_"))
    return std::nullopt;
  // is_vulkan, is_metal, is_privateuseone: the names of the device strings.
  return parseDeviceType(Method);
}

const Formula *Evaluator::callFormula(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function)
    return programFormula(Call, D);
  if (Function->getBuiltinID() == Builtin::BI__builtin_expect)
    return formulaOf(Call->getArg(0), D);
  if (llvm::StringRef Device = availabilityTestOf(Function);
      !Device.empty() && parseDeviceType(Device))
    return availabilityFormula(Device);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  bool IsConversion = isa<CXXConversionDecl>(Function);
  if (!Member || (!Function->getIdentifier() && !IsConversion))
    return programFormula(Call, D);
  const Expr *ObjectExpr = Member->getImplicitObjectArgument();
  llvm::StringRef Name =
      Function->getIdentifier() ? Function->getName() : llvm::StringRef();
  std::optional<DeviceType> Asked = typeAskedBy(Name);
  if (Asked && isTorchDecl(Function)) {
    const Value *Object = evaluate(ObjectExpr, D);
    if (const auto *Tensor = dyn_cast<TensorValue>(Object))
      return Tensor->IsUndefined && Tensor->Story
                 ? C.Formulas.constant(false)
                 : typeFormula(Tensor->Where, *Asked, Call);
    if (const auto *Device = dyn_cast<DeviceValue>(Object))
      return typeFormula(Device->Where, *Asked, Call);
    return C.Formulas.unknown();
  }
  if (Function->getReturnType().getNonReferenceType()->isBooleanType() &&
      lacksOption(Member, D))
    return C.Formulas.constant(false);
  bool AsksForExistence =
      Name == "defined" || Name == "has_value" ||
      (IsConversion && className(ObjectExpr->getType()) == "optional");
  if (AsksForExistence) {
    const Value *Object = evaluate(ObjectExpr, D);
    const auto *Tensor = dyn_cast<TensorValue>(Object);
    if (isa<NoneValue>(Object) || (Tensor && Tensor->IsUndefined))
      return C.Formulas.constant(false);
    const auto *Device = dyn_cast<DeviceValue>(Object);
    if (Device && Device->Where.isKnown())
      return C.Formulas.constant(true);
    // What this function made is there; what came from outside may not be.
    // So may a parameter or buffer that is registered later.
    if (Tensor && Tensor->Story && Tensor->Story->Kind != StepKind::Input &&
        !Tensor->Story->IsModuleState && !Tensor->Where.isSymbol() &&
        !Tensor->MayBeUndefined)
      return C.Formulas.constant(true);
  }
  return programFormula(Call, D);
}

const Formula *Evaluator::computeFormula(const Expr *E, Disjunct &D) {
  if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(E))
    return C.Formulas.constant(Literal->getValue());
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->getOpcode() == UO_LNot
               ? C.Formulas.negate(formulaOf(Unary->getSubExpr(), D))
               : programFormula(E, D);
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(E))
    return formulaOf(Rewritten->getSemanticForm(), D);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    const Expr *Left = Binary->getLHS(), *Right = Binary->getRHS();
    switch (Binary->getOpcode()) {
    case BO_LAnd:
      return C.Formulas.conjunction(formulaOf(Left, D), formulaOf(Right, D));
    case BO_LOr:
      return C.Formulas.disjunction(formulaOf(Left, D), formulaOf(Right, D));
    case BO_EQ:
    case BO_NE:
      return comparisonFormula(Left, Right, Binary->getOpcode() == BO_EQ, E, D);
    case BO_Comma:
    case BO_Assign:
      return formulaOf(Right, D);
    default:
      return deviceCountFormula(Binary, D);
    }
  }
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E)) {
    const Formula *If = formulaOf(Conditional->getCond(), D);
    return C.Formulas.disjunction(
        C.Formulas.conjunction(If, formulaOf(Conditional->getTrueExpr(), D)),
        C.Formulas.conjunction(C.Formulas.negate(If),
                               formulaOf(Conditional->getFalseExpr(), D)));
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    OverloadedOperatorKind Kind = Operator->getOperator();
    if ((Kind == OO_EqualEqual || Kind == OO_ExclaimEqual) &&
        Operator->getNumArgs() == 2)
      return comparisonFormula(Operator->getArg(0), Operator->getArg(1),
                               Kind == OO_EqualEqual, E, D);
    const Formula *Answer = followedAnswer(Operator, D);
    return Answer ? Answer : programFormula(E, D);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (const Formula *Answer = followedAnswer(Call, D))
      return Answer;
    if (auto Type = parseDeviceType(deviceCountOf(Call->getDirectCallee())))
      return availabilityFormula(deviceTypeName(*Type));
    return callFormula(Call, D);
  }
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E)) {
    const Value *V = evaluate(E, D);
    if (const auto *Bool = dyn_cast<BoolValue>(V))
      return Bool->Condition;
    if (isa<NoneValue>(V))
      return C.Formulas.constant(false);
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() == 1)
    return formulaOf(Construct->getArg(0), D);
  if (!E->getType()->isBooleanType() && E->getType()->isScalarType())
    return nonZeroFormula(E, D);
  return programFormula(E, D);
}

static bool isDecided(const Formula *F) {
  switch (F->K) {
  case Formula::Kind::Unknown:
    return false;
  case Formula::Kind::Constant:
  case Formula::Kind::Atom:
    return true;
  default:
    return isDecided(F->Left) && (!F->Right || isDecided(F->Right));
  }
}

/// What a call that was followed, `is_gpu(x)`, answered in terms of its
/// arguments; null where that is not known.
const Formula *Evaluator::followedAnswer(const CallExpr *Call,
                                         const Disjunct &D) const {
  for (const auto &[Site, V] : D.Arms)
    if (const auto *Bool = dyn_cast<BoolValue>(V);
        Bool && Site == Call && isDecided(Bool->Condition))
      return Bool->Condition;
  return nullptr;
}

/// `if (n)`, `if (p)`: the same condition as n != 0.
const Formula *Evaluator::nonZeroFormula(const Expr *E, Disjunct &D) {
  if (const auto *Number = dyn_cast<IntValue>(evaluate(E, D)))
    return C.Formulas.constant(Number->Number != 0);
  llvm::SmallVector<LocationId, 4> Reads;
  std::optional<std::string> Key = stableKey(E, D, Reads);
  if (!Key)
    return C.Formulas.unknown();
  Atom A;
  A.K = Atom::Kind::Equals;
  A.Key = *Key;
  A.Constant = "0";
  A.NegatedText = sourceText(E);
  A.Text = "!" + A.NegatedText;
  AtomId Id = C.Atoms.intern(A);
  C.AtomReads.try_emplace(Id, Reads.begin(), Reads.end());
  return C.Formulas.negate(C.Formulas.atom(Id));
}

/// Adds one atom to the disjunct; returns false when it contradicts it.
bool Evaluator::refine(Disjunct &D, AtomId Id, bool Holds) {
  if (std::optional<bool> Known = D.Path.valueOf(Id))
    return *Known == Holds;
  const Atom &A = C.Atoms[Id];
  switch (A.K) {
  case Atom::Kind::Program:
  case Atom::Kind::Called:
    break;
  case Atom::Kind::Equals:
    // One value equals at most one constant.
    for (const PathCondition::Literal &L : D.Path.literals()) {
      const Atom &Other = C.Atoms[L.first];
      if (Other.K == Atom::Kind::Equals && L.second && Other.Key == A.Key)
        return !Holds;
    }
    break;
  case Atom::Kind::TypeIs: {
    if (std::optional<DeviceType> Type = D.Facts.typeOf(A.A))
      return (*Type == A.Type) == Holds;
    bool IsPossible = Holds ? D.Facts.assumeType(A.A, A.Type)
                            : D.Facts.assumeNotType(A.A, A.Type);
    if (!IsPossible)
      return false;
    break;
  }
  case Atom::Kind::Same: {
    Agreement Known = D.Facts.compare(A.A, A.B);
    if (Known != Agreement::Unknown)
      return (Known == Agreement::Same) == Holds;
    bool IsPossible = Holds ? D.Facts.assumeSame(A.A, A.B)
                            : D.Facts.assumeDifferent(A.A, A.B);
    if (!IsPossible)
      return false;
    break;
  }
  }
  /// A longer condition is no help to anyone.
  constexpr size_t MaxLiterals = 24;
  if (D.Path.literals().size() < MaxLiterals)
    D.Path.add(Id, Holds);
  return true;
}

llvm::SmallVector<Disjunct, 2> Evaluator::assume(const Formula *F, bool Holds,
                                                 const Disjunct &D) {
  switch (F->K) {
  case Formula::Kind::Constant:
    if (F->Value != Holds)
      return {};
    return {D};
  case Formula::Kind::Unknown:
    return {D};
  case Formula::Kind::Not:
    return assume(F->Left, !Holds, D);
  case Formula::Kind::Atom: {
    Disjunct Refined = D;
    if (!refine(Refined, F->Id, Holds))
      return {};
    return {Refined};
  }
  case Formula::Kind::And:
  case Formula::Kind::Or:
    break;
  }
  bool BothSides = (F->K == Formula::Kind::And) == Holds;
  llvm::SmallVector<Disjunct, 2> Result;
  if (BothSides) {
    for (const Disjunct &Left : assume(F->Left, Holds, D))
      Result.append(assume(F->Right, Holds, Left));
    return Result;
  }
  // One side decides, or the first does not and the second does.
  Result = assume(F->Left, Holds, D);
  for (const Disjunct &Left : assume(F->Left, !Holds, D))
    Result.append(assume(F->Right, Holds, Left));
  return Result;
}

const Formula *Evaluator::caseFormula(const Expr *Condition,
                                      const SwitchCase *Label, Disjunct &D) {
  const auto *Case = dyn_cast<CaseStmt>(Label);
  if (!Case || Case->getRHS())
    return C.Formulas.unknown();
  return comparisonFormula(Condition, Case->getLHS(), /*IsEqual=*/true,
                           Case->getLHS(), D);
}
