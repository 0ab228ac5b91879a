//===- FixIts.cpp - Repairs that are certain -------------------------------===//
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

void tdl::addMoveFix(const FunctionContext &C, const Contract &Row,
                     const OperationVisit &Visit, Finding &F) {
  const Operand &First = Visit.Operands[Visit.Outcome.First];
  const Operand &Second = Visit.Operands[Visit.Outcome.Second];
  // What an in-place operation writes must stay the tensor that it is, and one
  // move must be enough.
  bool IsWritten =
      llvm::StringRef(F.Op).ends_with("_") && Second.Parameter == "self";
  if (IsWritten || !isEnough(Row, Visit))
    return;
  const Expr *Moved = tensorSyntax(Second.Source);
  const Expr *Beside = tensorSyntax(First.Source);
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
