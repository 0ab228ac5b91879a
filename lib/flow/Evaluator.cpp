//===- Evaluator.cpp - Which expression is what ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace tdl;

std::string Evaluator::sourceText(const Expr *E) const {
  return tdl::sourceText(E, C.AST);
}

TensorValue *Evaluator::makeTensor(Event E) {
  const Event &Made = C.Stories.add(std::move(E));
  return C.Arena.make<TensorValue>(Made.After, Made.Dimensions, Made.Elements,
                                   &Made);
}

const Value *Evaluator::evaluate(const Expr *E, Disjunct &D) {
  E = skipNoise(E);
  auto It = Cached.find(E);
  if (It != Cached.end())
    return It->second;
  for (const auto &[Kept, V] : D.Arms)
    if (Kept == E)
      return V;
  const Value *V = compute(E, D);
  Cached[E] = V;
  if (C.RecordsTensors && Sink && Chain.empty() &&
      torchTypeOf(E->getType()) == TorchType::Tensor)
    recordTensor(E, V, D);
  return V;
}

void Evaluator::recordTensor(const Expr *E, const Value *V, Disjunct &D) {
  SeenTensor Seen;
  Seen.Source = E;
  Seen.What = V;
  Seen.Path = D.Path;
  Seen.Facts = D.Facts;
  if (std::optional<LocationId> Location = locate(E, D))
    Seen.IsUntracked = isUntracked(*Location);
  Sink->Tensors.push_back(std::move(Seen));
}

/// Numbers that 64 signed bits do not hold are not followed.
static const Value *integerValue(const llvm::APSInt &Number,
                                 ValueArena &Arena) {
  std::optional<int64_t> Small = Number.tryExtValue();
  return Small ? Arena.make<IntValue>(*Small) : Arena.unknown();
}

/// A value for a literal or another expression whose class alone decides it;
/// null when it does not.
static const Value *literalValue(const Expr *E, FunctionContext &C) {
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return integerValue(llvm::APSInt(Literal->getValue(), /*isUnsigned=*/true),
                        C.Arena);
  if (const auto *Literal = dyn_cast<clang::StringLiteral>(E))
    return C.Arena.make<StringValue>(
        Literal->isOrdinary() ? Literal->getString() : llvm::StringRef());
  if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(E))
    return C.Arena.make<BoolValue>(C.Formulas.constant(Literal->getValue()));
  if (isa<CXXNullPtrLiteralExpr>(E))
    return C.Arena.none();
  if (isa<CXXThisExpr>(E))
    return C.Arena.make<PointerValue>(C.Storage.ofThis());
  return nullptr;
}

const Value *Evaluator::compute(const Expr *E, Disjunct &D) {
  if (const Value *Literal = literalValue(E, C))
    return Literal;
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E))
    return evaluateVariable(E, D);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return evaluateConstruct(Construct, D);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr(), D);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return evaluate(Default->getExpr(), D);
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateConditional(E, Conditional->getTrueExpr(),
                               Conditional->getFalseExpr(), D);
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    // std::array keeps its elements in an inner list.
    if (List->getNumInits() == 1 && isa<InitListExpr>(List->getInit(0)))
      return evaluate(List->getInit(0), D);
    if (isRecord(List->getType()))
      return evaluateRecordList(List, D);
    llvm::SmallVector<const Expr *, 4> Elements(List->inits());
    return evaluateList(Elements, D);
  }
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
    return evaluate(List->getSubExpr(), D);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return C.Arena.make<CallableValue>(Lambda);
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return evaluateNew(New, D);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(Call, D);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_AddrOf &&
        isRecord(Unary->getSubExpr()->getType()))
      if (std::optional<LocationId> Object = locate(Unary->getSubExpr(), D))
        return C.Arena.make<PointerValue>(*Object);
    if (Unary->getOpcode() == UO_Deref) {
      if (const Value *Element = evaluateIterator(Unary, D))
        return Element;
      if (const Value *Handle = handleBehind(Unary->getSubExpr(), D))
        return Handle;
    }
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    if (const auto *List =
            dyn_cast<ListValue>(evaluate(Subscript->getBase(), D)))
      return listElement(List, std::nullopt, C.Arena);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    if (Binary->getOpcode() == BO_Comma || Binary->getOpcode() == BO_Assign)
      return evaluate(Binary->getRHS(), D);
  if (E->getType()->isBooleanType())
    return C.Arena.make<BoolValue>(formulaOf(E, D));
  Expr::EvalResult Constant;
  if (E->getType()->isIntegralOrEnumerationType() && !E->isValueDependent() &&
      E->EvaluateAsInt(Constant, C.AST, Expr::SE_NoSideEffects))
    return integerValue(Constant.Val.getInt(), C.Arena);
  return C.Arena.unknown();
}

/// A constant of LibTorch: kCUDA, kLong, DeviceType::CUDA, nullopt; null for
/// any other declaration.
static const Value *torchConstant(const ValueDecl *Declaration,
                                  FunctionContext &C) {
  if (className(Declaration->getType()) == "nullopt_t")
    return C.Arena.none();
  if (!isTorchDecl(Declaration) || !Declaration->getIdentifier())
    return nullptr;
  switch (torchTypeOf(Declaration->getType())) {
  case TorchType::DeviceType:
    if (auto Type = deviceTypeOfConstant(Declaration->getName()))
      return C.Arena.make<DeviceValue>(Place::known(*Type));
    return nullptr;
  case TorchType::ScalarType: {
    std::string Name = Declaration->getName().str();
    ElementType Elements = elementTypeOfConstant(Name.c_str());
    if (Elements == ElementType::Unknown)
      return nullptr;
    return C.Arena.make<ElementTypeValue>(Elements);
  }
  default:
    return nullptr;
  }
}

/// The initialiser of a variable that never changes and that another function
/// or namespace declares; null when there is none.
static const Expr *constantInitializer(const ValueDecl *Declaration) {
  if (const auto *Field = dyn_cast<FieldDecl>(Declaration))
    return Field->getType().isConstQualified() ? Field->getInClassInitializer()
                                               : nullptr;
  const auto *Variable = dyn_cast<VarDecl>(Declaration);
  if (!Variable || isa<ParmVarDecl>(Variable) ||
      !(Variable->getType().isConstQualified() || Variable->isConstexpr()))
    return nullptr;
  return Variable->getAnyInitializer();
}

const Value *Evaluator::evaluateVariable(const Expr *E, Disjunct &D) {
  const ValueDecl *Declaration = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    Declaration = Reference->getDecl();
  else
    Declaration = cast<MemberExpr>(E)->getMemberDecl();
  if (const Value *Constant = torchConstant(Declaration, C))
    return Constant;
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(Declaration))
    return integerValue(Enumerator->getInitVal(), C.Arena);
  std::optional<LocationId> Location = locate(E, D);
  if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Location) {
    const Value *Base = evaluate(Member->getBase(), D);
    const auto *Field = dyn_cast<FieldDecl>(Declaration->getCanonicalDecl());
    if (const auto *Record = dyn_cast<RecordValue>(Base))
      if (const Value *V = Field ? Record->field(Field) : nullptr)
        return V;
    if (Field && isPair(C.AST.getCanonicalTagType(Field->getParent())))
      return listElement(Base, Field->getFieldIndex(), C.Arena);
  }
  if (!Location)
    return E->getType()->isBooleanType()
               ? C.Arena.make<BoolValue>(programFormula(E, D))
               : C.Arena.unknown();
  const Value *V = load(*Location, D);
  // A constant from outside the function is what its initialiser says.
  bool IsInitial = !D.Env.lookup(*Location);
  if (IsInitial && ConstantsUnderWay.insert(Declaration).second) {
    if (const Expr *Init = constantInitializer(Declaration)) {
      llvm::SaveAndRestore<FunctionResult *> NoRecords(Sink, nullptr);
      const Value *Constant = evaluate(Init, D);
      if (!isa<UnknownValue>(Constant))
        V = Constant;
    }
    ConstantsUnderWay.erase(Declaration);
  }
  if (isa<UnknownValue>(V) && E->getType()->isBooleanType())
    return C.Arena.make<BoolValue>(programFormula(E, D));
  return V;
}

const Value *Evaluator::evaluateConditional(const Expr *E, const Expr *Then,
                                            const Expr *Else, Disjunct &D) {
  auto Find = [&](const Expr *Wanted) -> const Value * {
    for (const auto &[Arm, V] : D.Arms)
      if (Arm == Wanted)
        return V;
    return nullptr;
  };
  if (const Value *Whole = Find(E))
    return Whole;
  const Value *ThenValue = Find(skipNoise(Then));
  const Value *ElseValue = Find(skipNoise(Else));
  if (ThenValue && ElseValue)
    return join(C.Arena, ThenValue, ElseValue);
  if (ThenValue || ElseValue)
    return ThenValue ? ThenValue : ElseValue;
  return join(C.Arena, evaluate(Then, D), evaluate(Else, D));
}

const Value *Evaluator::evaluateList(llvm::ArrayRef<const Expr *> Elements,
                                     Disjunct &D) {
  llvm::SmallVector<const Value *, 4> Values;
  for (const Expr *Element : Elements)
    Values.push_back(valueOf(Element, D));
  return C.Arena.make<ListValue>(Values);
}

const Value *Evaluator::evaluateConstruct(const CXXConstructExpr *E,
                                          Disjunct &D) {
  unsigned NumWritten = 0;
  for (const Expr *Argument : E->arguments())
    NumWritten += !isa<CXXDefaultArgExpr>(Argument);
  const Expr *First = NumWritten ? E->getArg(0) : nullptr;
  llvm::StringRef Name = className(E->getType());
  bool IsOptional = Name == "optional";
  bool IsCopy = E->getConstructor()->isCopyOrMoveConstructor();
  // Only a copy that the compiler makes is surely the same.
  if (IsCopy && E->getConstructor()->isUserProvided() &&
      !isStandardOrTorch(E->getConstructor()))
    return C.Arena.unknown();
  if (IsOptional || IsCopy)
    return First ? valueOf(First, D) : C.Arena.none();
  if (const CXXRecordDecl *Class = allocatedClass(E))
    return evaluateAllocation(E, Class, D);
  if (isScriptModule(E->getType()))
    return handleOfScript(First, D);
  if (isAnyModule(E->getType()))
    return First ? evaluate(First, D) : C.Arena.none();
  if (pointedClass(E->getType()))
    return First                          ? evaluate(First, D)
           : isSmartPointer(E->getType()) ? C.Arena.none()
                                          : C.Arena.unknown();
  if (isOptionsClass(E->getType()))
    return evaluateSettingsConstruct(E, D);
  switch (torchTypeOf(E->getType())) {
  case TorchType::Tensor: {
    // A class that the program derives from Tensor may do anything.
    if (!isStandardOrTorch(E->getConstructor()))
      return C.Arena.unknown();
    if (First)
      return torchTypeOf(First->getType()) == TorchType::Tensor
                 ? evaluate(First, D)
                 : C.Arena.unknown();
    return undefinedTensor("Tensor", E, D);
  }
  case TorchType::Device:
    return evaluateDeviceConstruct(E, D);
  case TorchType::Options:
    return evaluateOptionsConstruct(E, D);
  case TorchType::TensorIndex: {
    if (!First)
      return C.Arena.unknown();
    // Everything but a tensor indexes without a device: None, Slice, a number.
    const Value *Index = evaluate(First, D);
    if (torchTypeOf(First->getType()) == TorchType::Tensor)
      return Index;
    return isa<IntValue>(Index) ? Index : C.Arena.none();
  }
  default:
    break;
  }
  if (llvm::SmallVector<QualType, 4> Parts = tupleTypes(E->getType());
      !Parts.empty()) {
    if (!First)
      return defaultValue(E->getType());
    llvm::SmallVector<const Expr *, 4> Elements(E->arguments());
    if (Elements.size() == Parts.size())
      return evaluateList(Elements, D);
    // From a pair or tuple of other types.
    return NumWritten == 1 && !tupleTypes(First->getType()).empty()
               ? evaluate(First, D)
               : C.Arena.unknown();
  }
  if (isSequence(E->getType()) || isMap(E->getType()))
    return evaluateContainer(E, D);
  if (Name == "Example" && isRecord(E->getType()))
    return evaluateExample(E, D);
  if (Name == "basic_string" || Name == "basic_string_view")
    return NumWritten == 1 ? evaluate(First, D) : C.Arena.unknown();
  if (Name == "IValue" || Name == "TensorDataContainer" || Name == "function")
    return First ? evaluate(First, D) : C.Arena.unknown();
  return C.Arena.unknown();
}

const Value *Evaluator::evaluateCall(const CallExpr *Call, Disjunct &D) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    if (Operator->getOperator() == OO_Equal)
      return evaluate(Operator->getArg(1), D);
  const FunctionDecl *Function = Call->getDirectCallee();
  if (Call->getType()->isBooleanType() && !torchCalleeOf(Function).IsOperator) {
    // torch::equal and its kin compare tensors as well as answer.
    if (TorchCallee Answers = torchCalleeOf(Function); Answers && Sink)
      evaluateOperation(Call, Answers, D);
    return C.Arena.make<BoolValue>(formulaOf(Call, D));
  }
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    QualType Object = Member->getObjectType();
    if (torchTypeOf(Object) == TorchType::Options &&
        className(Object) == "TensorOptions")
      return evaluateOptionsMethod(Member, D);
    if (torchTypeOf(Object) == TorchType::Device &&
        className(Object) == "Device")
      return evaluateDeviceMethod(Member, D);
  }
  if (const Value *Options = evaluateOptionsFunction(Call, D))
    return Options;
  if (const Value *Settings = evaluateSettingsCall(Call, D))
    return Settings;
  if (const Value *V = evaluateDispatched(Call, D))
    return V;
  if (const CXXRecordDecl *Class = allocatedClass(Call))
    return evaluateAllocation(Call, Class, D);
  if (const Value *V = evaluatePointerCall(Call, D))
    return V;
  if (const Value *V = evaluateModuleCall(Call, D))
    return V;
  if (const Value *V = evaluateParallel(Call, D))
    return V;
  if (const Value *V = evaluateScriptLoad(Call, D))
    return V;
  if (const Value *V = evaluateScriptCopy(Call, D))
    return V;
  if (const Value *V = evaluateUnpickled(Call, D))
    return V;
  if (const Value *V = evaluateParameters(Call, D))
    return V;
  if (const Value *V = evaluateRegistration(Call, D))
    return V;
  if (const Value *V = evaluateIterator(Call, D))
    return V;
  TorchCallee Callee = torchCalleeOf(Function);
  if (!Callee)
    Callee = ownCalleeOf(Function, C.Contracts);
  if (Callee) {
    if (const Value *V = evaluateTensorQuery(Call, Callee, D))
      return V;
    if (const Value *V = evaluateMove(Call, Callee, D))
      return V;
    if (const Value *V = evaluateDataFactory(Call, Callee, D))
      return V;
    return evaluateOperation(Call, Callee, D);
  }
  bool IsModelled = false;
  const Value *V = evaluateStandardCall(Call, D, IsModelled);
  return IsModelled ? V : opaqueResult(Call, D);
}

const Value *Evaluator::opaqueResult(const CallExpr *Call, Disjunct &D) {
  auto It = C.OpaqueResults.find(Call);
  if (It == C.OpaqueResults.end()) {
    const FunctionDecl *Function = Call->getDirectCallee();
    std::string Name = "the result of '" +
                       (Function ? Function->getNameAsString()
                                 : sourceText(Call->getCallee())) +
                       "'";
    const Value *Made = C.Storage.symbolicValue(
        Call->getType(), Name, "call " + std::to_string(C.OpaqueResults.size()),
        nullptr, Call);
    C.OpaqueResults[Call] = Made;
    return Made;
  }
  // Evaluated again, in another round of a loop or another disjunct: what is
  // left of an earlier result is no longer this one.
  anyPart(It->second, [&](const Value *Part) {
    Place P;
    if (const auto *Tensor = dyn_cast<TensorValue>(Part))
      P = Tensor->Where;
    else if (const auto *Device = dyn_cast<DeviceValue>(Part))
      P = Device->Where;
    else if (const auto *Options = dyn_cast<OptionsValue>(Part))
      P = Options->Where;
    if (P.isSymbol())
      forgetSymbol(P.symbolId(), D);
    return false;
  });
  return It->second;
}

/// An example of a data set: data, and a target where it has one.
const Value *Evaluator::evaluateExample(const CXXConstructExpr *E,
                                        Disjunct &D) {
  auto *Record = C.Arena.make<RecordValue>();
  unsigned I = 0;
  for (const FieldDecl *Field : E->getType()->getAsCXXRecordDecl()->fields()) {
    if (I >= E->getNumArgs())
      break;
    Record->Fields.push_back({Field, evaluate(E->getArg(I++), D)});
  }
  return Record;
}

const Value *Evaluator::evaluateStandardCall(const CallExpr *Call, Disjunct &D,
                                             bool &IsModelled) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isStandardOrTorch(Function))
    return C.Arena.unknown();
  IsModelled = true;
  if (const Value *V = evaluateIValue(Call, D))
    return V;
  if (const Value *V = evaluateContainerCall(Call, D))
    return V;
  llvm::StringRef Name =
      Function->getIdentifier() ? Function->getName() : llvm::StringRef();
  // An object that is moved is forgotten where it was.
  if (Call->getNumArgs() >= 1 &&
      (Name == "move" || Name == "forward" || Name == "as_const" ||
       Name == "ref" || Name == "cref" || Name == "make_optional"))
    return valueOf(Call->getArg(0), D);
  IsModelled = false;
  return C.Arena.unknown();
}
