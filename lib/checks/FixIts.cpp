//===- FixIts.cpp - Repairs that are certain ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/FixIts.h"
#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "flow/Syntax.h"
#include "summary/MovedModules.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tdl;

/// The tensor expression behind an argument: what a TensorIndex or an optional
/// is made of.
static const Expr *tensorSyntax(const Expr *E) {
  E = skipNoise(E);
  while (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0)
      return E;
    E = skipNoise(Construct->getArg(0));
  }
  return E;
}

/// A variable or member that can be named again in the same expression.
static bool hasName(const Expr *E) {
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return isa<CXXThisExpr>(skipNoise(Member->getBase())) ||
           hasName(skipNoise(Member->getBase()));
  return isa<DeclRefExpr>(E);
}

/// Whether `.to(...)` may follow the expression as it stands.
static bool isPostfix(const Expr *E) {
  return isa<DeclRefExpr, MemberExpr, CallExpr>(E) &&
         !isa<CXXOperatorCallExpr>(E);
}

/// Whether the call is right once the second operand is beside the first.
static bool isEnough(const Contract &Row, const OperationVisit &Visit) {
  if (Visit.Outcome.First == Visit.Outcome.Second)
    return true;
  std::vector<Operand> Operands = Visit.Operands;
  const TensorValue *Second = Operands[Visit.Outcome.Second].tensor();
  if (!Second)
    return false;
  TensorValue Moved = *Second;
  Moved.Where = Operands[Visit.Outcome.First].place();
  Operands[Visit.Outcome.Second].What = &Moved;
  return applyContract(Row, Operands, Visit.Facts).Result !=
         Compliance::Violates;
}

/// The device in the call that moved the module \p O; null where it was not
/// moved by a call that names one.
static const Expr *deviceOfMove(const Operand &O) {
  const Event *Moved = O.tensor() ? O.tensor()->Story : nullptr;
  const auto *Call = Moved && Moved->Kind == StepKind::Move
                         ? dyn_cast_or_null<CallExpr>(Moved->Site)
                         : nullptr;
  if (!Call)
    return nullptr;
  for (const Expr *Argument : Call->arguments()) {
    TorchType Type = torchTypeOf(Argument->getType());
    if (Type == TorchType::Device || Type == TorchType::DeviceType)
      return tensorSyntax(Argument);
  }
  return nullptr;
}

/// Whether \p Part stands in \p Whole. What was put into options before the
/// call that gets them does not.
static bool standsIn(const FunctionContext &C, const Expr *Part,
                     const Expr *Whole) {
  SourceSpan Inner = spanOf(C, Part->getSourceRange());
  SourceSpan Outer = spanOf(C, Whole->getSourceRange());
  return Inner.Begin.File == Outer.Begin.File && Outer.Offset <= Inner.Offset &&
         Inner.Offset + Inner.Length <= Outer.Offset + Outer.Length;
}

void tdl::addMoveFix(const FunctionContext &C, const Operation &Op,
                     const OperationVisit &Visit, Finding &F) {
  const Operand &First = Visit.Operands[Visit.Outcome.First];
  const Operand &Second = Visit.Operands[Visit.Outcome.Second];
  // What an in-place operation writes must stay the tensor that it is, and one
  // move must be enough.
  bool IsWritten =
      llvm::StringRef(F.Op).ends_with("_") && Second.Parameter == "self";
  if (IsWritten || !isEnough(*Op.Row, Visit))
    return;
  const Expr *Moved = tensorSyntax(Second.Source);
  const Expr *Beside = tensorSyntax(First.Source);
  if (!standsIn(C, Moved, Op.Call) || !standsIn(C, Beside, Op.Call))
    return;
  // Elements of a list that is built elsewhere have no source here; code in
  // macros is not edited.
  if (torchTypeOf(Moved->getType()) != TorchType::Tensor ||
      Moved->getBeginLoc().isMacroID() || Moved->getEndLoc().isMacroID())
    return;
  bool ToHost = Visit.Outcome.First == Visit.Outcome.Second ||
                Visit.Facts.typeOf(First.place()) == DeviceType::CPU;
  std::string Suffix = ".cpu()";
  std::string BesideText = sourceText(Beside, C.AST);
  if (First.Parameter == "state") {
    // A module has no device() to ask; the device it was moved to may have a
    // name.
    const Expr *Device = deviceOfMove(First);
    if (!Device || !hasName(Device))
      return;
    Suffix = ".to(" + sourceText(Device, C.AST) + ")";
  } else if (!ToHost) {
    if (!hasName(Beside))
      return;
    Suffix = ".to(" + BesideText + ".device())";
  }
  Fix Repair;
  std::string Text = sourceText(Moved, C.AST);
  Repair.Description = moveFixDescription(Text, ToHost ? "cpu" : BesideText);
  SourceSpan Whole = spanOf(C, Moved->getSourceRange());
  SourceSpan After;
  After.Begin = After.End = Whole.End;
  After.Offset = Whole.Offset + Whole.Length;
  if (isPostfix(Moved)) {
    Repair.Edits.push_back({After, Suffix});
  } else {
    SourceSpan Before;
    Before.Begin = Before.End = Whole.Begin;
    Before.Offset = Whole.Offset;
    Repair.Edits.push_back({Before, "("});
    Repair.Edits.push_back({After, ")" + Suffix});
  }
  Repair.Operand = Second.Name;
  Repair.Target = ToHost ? "cpu" : First.Name;
  F.Fixes.push_back(std::move(Repair));
}

/// "mask" for mask_ and m_mask; empty where nothing is left.
static std::string bufferName(llvm::StringRef Member) {
  Member.consume_front("m_");
  return Member.trim('_').str();
}

/// Whether some member of \p Class, or of its bases, may be registered under
/// \p Name: a literal in one of the class's bodies says it.
static bool mentionsName(const CXXRecordDecl *Class, llvm::StringRef Name) {
  llvm::SmallVector<const Stmt *, 32> Pending;
  for (const CXXMethodDecl *Method : Class->methods()) {
    const FunctionDecl *Definition = nullptr;
    if (!Method->hasBody(Definition))
      continue;
    Pending.push_back(Definition->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
      for (const CXXCtorInitializer *Initializer : Constructor->inits())
        Pending.push_back(Initializer->getInit());
  }
  for (const FieldDecl *Field : Class->fields())
    if (Field->hasInClassInitializer())
      Pending.push_back(Field->getInClassInitializer());
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    if (const auto *Literal = dyn_cast<clang::StringLiteral>(S);
        Literal && Literal->isOrdinary() && Literal->getString() == Name)
      return true;
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return false;
}

/// A Cloneable module registers all its state in reset().
static bool isCloneable(const CXXRecordDecl *Class) {
  bool Found = false;
  Class->forallBases([&](const CXXRecordDecl *Base) {
    Found |= Base->getIdentifier() && Base->getName() == "Cloneable";
    return true;
  });
  return Found;
}

void tdl::addRegisterFix(const FunctionContext &C, const LeftBehind &Left,
                         const FindingOperand &Behind,
                         const FindingOperand &Moved, Finding &F) {
  const auto *Class = cast<CXXRecordDecl>(Left.Member->getParent());
  const Expr *Source = skipNoise(Left.Given.Source);
  while (const auto *Construct = dyn_cast<CXXConstructExpr>(Source)) {
    if (Construct->getNumArgs() != 1)
      return;
    Source = skipNoise(Construct->getArg(0));
  }
  std::string Name = bufferName(Left.Member->getName());
  bool IsPlain = className(Left.Member->getType()) == "Tensor" &&
                 className(Source->getType()) == "Tensor" &&
                 !Left.Given.IsElement && !Left.IsModule &&
                 Left.IsAssignedOnce &&
                 Left.Reason == LeftBehindReason::Unregistered;
  if (!IsPlain || Name.empty() || isCloneable(Class) ||
      mentionsName(Class, Name) || Source->getBeginLoc().isMacroID() ||
      Source->getEndLoc().isMacroID())
    return;
  SourceSpan Whole = spanOf(C, Source->getSourceRange());
  SourceSpan Before, After;
  Before.Begin = Before.End = Whole.Begin;
  Before.Offset = Whole.Offset;
  After.Begin = After.End = Whole.End;
  After.Offset = Whole.Offset + Whole.Length;
  Fix Repair;
  Repair.Description = registerFixDescription(Left.Member->getName(), Name);
  Repair.Edits.push_back({Before, "register_buffer(\"" + Name + "\", "});
  Repair.Edits.push_back({After, ")"});
  Repair.Operand = Behind.Name;
  Repair.Target = Moved.Name;
  F.Fixes.push_back(std::move(Repair));
}

void tdl::addAssignFix(const FunctionContext &C,
                       const DiscardedTransfer &Transfer, Finding &F) {
  const auto *Call = cast<CXXMemberCallExpr>(Transfer.Call);
  const Expr *Receiver = skipNoise(Call->getImplicitObjectArgument());
  QualType Type = Receiver->getType();
  bool IsAssignable = hasName(Receiver) && Receiver->isLValue() &&
                      !Type.isConstQualified() && className(Type) == "Tensor" &&
                      !Call->getBeginLoc().isMacroID();
  if (!IsAssignable)
    return;
  std::string Text = sourceText(Receiver, C.AST);
  Fix Repair;
  Repair.Description = assignFixDescription(Text);
  SourceSpan Before;
  SourceSpan Whole = spanOf(C, Call->getSourceRange());
  Before.Begin = Before.End = Whole.Begin;
  Before.Offset = Whole.Offset;
  Repair.Edits.push_back({Before, Text + " = "});
  F.Fixes.push_back(std::move(Repair));
}

void tdl::addDefinedMemberFix(const FunctionContext &C,
                              const DeviceQuestion &Question, Finding &F) {
  const auto *Member = dyn_cast<MemberExpr>(skipNoise(Question.Source));
  const ValueDecl *Field = Member ? Member->getMemberDecl() : nullptr;
  bool IsQuestion = Question.Op == "device" || Question.Op == "get_device";
  if (!Field || !isTorchDecl(Field) || Field->getName() != "bias" ||
      !IsQuestion || Member->getMemberLoc().isMacroID())
    return;
  // A norm without affine parameters has no weight either.
  const StoryStep *Made = F.Steps.empty() ? nullptr : &F.Steps.front();
  llvm::StringRef Layer =
      Made ? llvm::StringRef(Made->Op).split('.').first : llvm::StringRef();
  if (!Layer.contains("Linear") && !Layer.contains("Conv"))
    return;
  Fix Repair;
  Repair.Description = useDefinedMemberFixDescription("bias", "weight");
  Repair.Edits.push_back({spanOf(C, Member->getMemberLoc()), "weight"});
  F.Fixes.push_back(std::move(Repair));
}

/// The call that moved the tensor of \p E, or made it, on a device, and the
/// device there; null where it is not named.
static const Expr *deviceArgumentOf(const Event *E) {
  for (; E; E = E->PlaceFrom) {
    const auto *Call = dyn_cast_or_null<CallExpr>(E->Site);
    if (!Call || (E->Kind != StepKind::Move && E->Kind != StepKind::Factory))
      continue;
    for (const Expr *Argument : Call->arguments())
      if (const Expr *Device = deviceSyntax(Argument))
        return Device;
  }
  return nullptr;
}

/// Whether the block in \p Body that declares something at \p Declared, or a
/// parameter, is around \p Use.
static bool isInScope(const FunctionContext &C, const Stmt *Body,
                      SourceLocation Declared, SourceLocation Use) {
  const SourceManager &SM = C.AST.getSourceManager();
  auto Contains = [&](const Stmt *S, SourceLocation Loc) {
    return SM.isPointWithin(Loc, S->getBeginLoc(), S->getEndLoc());
  };
  if (!Contains(Body, Use) || !SM.isBeforeInTranslationUnit(Declared, Use))
    return false;
  llvm::SmallVector<const Stmt *, 32> Pending = {Body};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    bool IsBlock = isa<CompoundStmt, ForStmt, IfStmt, WhileStmt, LambdaExpr,
                       CXXForRangeStmt, SwitchStmt, CXXTryStmt>(S);
    if (IsBlock && Contains(S, Declared) && !Contains(S, Use))
      return false;
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return true;
}

/// Whether something in \p Body behind \p From may change \p Variable.
static bool changesAfter(const FunctionContext &C, const Stmt *Body,
                         SourceLocation From, const ValueDecl *Variable) {
  llvm::SmallVector<const Stmt *, 32> Pending = {Body};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    for (const Expr *Target : changedBy(S))
      if (C.AST.getSourceManager().isBeforeInTranslationUnit(
              From, Target->getBeginLoc()) &&
          llvm::is_contained(variablesIn(Target), Variable))
        return true;
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return false;
}

/// Whether \p Device, which stands somewhere in \p Function, means the same
/// device at \p Use.
static bool meansTheSameAt(const FunctionContext &C,
                           const FunctionDecl &Function, const Expr *Device,
                           SourceLocation Use) {
  Device = skipNoise(Device);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Device)) {
    const ValueDecl *Variable = Reference->getDecl();
    if (isTorchDecl(Variable))
      return true; // torch::kCUDA
    return Variable->getDeclContext() == &Function &&
           isInScope(C, Function.getBody(), Variable->getLocation(), Use) &&
           !changesAfter(C, Function.getBody(), Use, Variable);
  }
  // torch::Device(torch::kCUDA, 0)
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Device))
    return llvm::all_of(Construct->arguments(), [&](const Expr *Part) {
      return isa<IntegerLiteral, CXXDefaultArgExpr, clang::StringLiteral>(
                 skipNoise(Part)) ||
             meansTheSameAt(C, Function, Part, Use);
    });
  if (const auto *Member = dyn_cast<MemberExpr>(Device))
    return isa<CXXThisExpr>(skipNoise(Member->getBase())) &&
           isInScope(C, Function.getBody(), Function.getBeginLoc(), Use) &&
           !changesAfter(C, Function.getBody(), Use, Member->getMemberDecl());
  return false;
}

void tdl::addLoadDeviceFix(const FunctionContext &C,
                           const FunctionDecl &Function, const Operand &Partner,
                           const CallExpr &Load, Finding &F) {
  const Event *Story = Partner.tensor() ? Partner.tensor()->Story : nullptr;
  const Expr *Device = deviceArgumentOf(Story);
  const FunctionDecl *Callee = Load.getDirectCallee();
  bool TakesDevice =
      Callee && Callee->getIdentifier() && Callee->getName() != "pickle_load";
  SourceLocation End = Load.getRParenLoc();
  if (!Device || !TakesDevice || End.isMacroID() || End.isInvalid() ||
      !meansTheSameAt(C, Function, Device, Load.getBeginLoc()))
    return;
  for (const Expr *Argument : Load.arguments())
    if (!isa<CXXDefaultArgExpr>(Argument) &&
        torchTypeOf(Argument->getType()) == TorchType::Device)
      return; // nullopt is given.
  std::string Text = sourceText(Device, C.AST);
  SourceSpan At = spanOf(C, End);
  At.End = At.Begin;
  At.Length = 0;
  Fix Repair;
  Repair.Description = loadDeviceFixDescription(Text);
  Repair.Edits.push_back({At, ", " + Text});
  F.Fixes.push_back(std::move(Repair));
}
