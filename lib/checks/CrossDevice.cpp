//===- CrossDevice.cpp - What the two cross-device checks share -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CrossDevice.h"
#include "checks/CallerSupposition.h"
#include "checks/FixIts.h"
#include "checks/Reached.h"
#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "flow/Syntax.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// What is wrong with an operand is told elsewhere.
static bool isToldAlready(const Operand &O) {
  return O.tensor() && hasFailed(O.tensor()->Story);
}

/// Whether the visit fails for sure, on a path that surely exists.
static bool fails(const OperationVisit &Visit) {
  return Visit.Outcome.Result == Compliance::Violates &&
         !isToldAlready(Visit.Operands[Visit.Outcome.First]) &&
         !isToldAlready(Visit.Operands[Visit.Outcome.Second]);
}

/// The part of the failing path that tells it from the visits that don't fail.
static PathCondition decisiveOf(const FunctionContext &C,
                                llvm::ArrayRef<TriedPath> All,
                                const OperationVisit &Failing) {
  Place First = Failing.Operands[Failing.Outcome.First].place();
  Place Second = Failing.Operands[Failing.Outcome.Second].place();
  return decisivePart(All, Failing.Path, [&](AtomId Id) {
    // What says where an operand is explains the finding.
    const Atom &A = C.Atoms[Id];
    return A.A.isSymbol() && (A.A == First || A.A == Second);
  });
}

namespace {
/// The visit to tell about, and the part of its path that makes it fail.
struct Failure {
  const OperationVisit *Visit = nullptr; ///< Null: nothing to report.
  PathCondition Told;                    ///< Empty where all visits fail.
};
} // namespace

/// The failing visit with the simplest path that surely exists.
static Failure chooseFailure(const FunctionContext &C, const Operation &Op) {
  llvm::SmallVector<TriedPath, 4> All;
  for (const OperationVisit &Visit : Op.Visits)
    All.push_back({&Visit.Path, fails(Visit)});
  std::optional<FailingPath> Chosen = chooseFailing(
      C, All, [&](size_t I) { return decisiveOf(C, All, Op.Visits[I]); });
  return Chosen ? Failure{&Op.Visits[Chosen->Index], Chosen->Told} : Failure();
}

static void addOperands(const FunctionContext &C, const OperationVisit &Visit,
                        StoryWriter &Writer, Finding &F) {
  for (unsigned I = 0; I < Visit.Operands.size(); ++I) {
    const Operand &O = Visit.Operands[I];
    FindingOperand Shown;
    Shown.Name = O.Name;
    Shown.Text = sourceText(O.Source, C.AST);
    Shown.Place = Writer.placeText(O.place());
    Shown.At = pointOf(C, O.Source->getExprLoc());
    if (const TensorValue *Tensor = O.tensor()) {
      Shown.Rank = Tensor->Dimensions.encoded();
      Shown.DType = elementTypeName(Tensor->Elements);
      Shown.Step = Writer.addSteps(Tensor->Story);
    }
    Shown.Disagrees = I == Visit.Outcome.First || I == Visit.Outcome.Second;
    F.Operands.push_back(std::move(Shown));
  }
}

/// The events behind the operands on paths that do not fail.
static llvm::SmallVector<const Event *, 8>
eventsOfOtherPaths(const Operation &Op) {
  llvm::SmallVector<const Event *, 8> Events;
  for (const OperationVisit &Visit : Op.Visits) {
    if (fails(Visit))
      continue;
    for (const Operand &O : Visit.Operands)
      for (const Event *E = O.tensor() ? O.tensor()->Story : nullptr; E;
           E = E->PlaceFrom)
        Events.push_back(E);
  }
  return Events;
}

static Finding makeFinding(const FunctionContext &C, const Operation &Op,
                           const OperationVisit &Visit,
                           const PathCondition &Told, llvm::StringRef Check,
                           CrossDeviceMessage Message) {
  Finding F;
  F.Check = Check.str();
  F.Condition = Told.str(C.Atoms);
  F.Level = F.Condition.empty() ? Certainty::Certain : Certainty::Conditional;
  F.At = pointOf(C, pointOfCall(Op.Call));
  F.Extent = spanOf(C, Op.Call->getSourceRange());
  F.Op = Op.Op;
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText(Op.Row->Error).str();
  StoryWriter Writer(C, Visit.Facts, Visit.Path, Told, F);
  Writer.setUnconditional(eventsOfOtherPaths(Op));
  addOperands(C, Visit, Writer, F);
  Writer.addSteps(Visit.Made);
  const FindingOperand &First = F.Operands[Visit.Outcome.First];
  const FindingOperand &Second = F.Operands[Visit.Outcome.Second];
  bool IsHostOnly = &First == &Second;
  F.Message = (IsHostOnly ? hostOnlyMessage(First, Op.Op)
                          : Message(First, Second, Op.Op)) +
              conditionSuffix(F.Condition);
  for (unsigned Index : {Visit.Outcome.First, Visit.Outcome.Second}) {
    if (const TensorValue *Tensor = Visit.Operands[Index].tensor())
      Writer.addNotes(Tensor->Story);
    if (IsHostOnly)
      break;
  }
  addMoveFix(C, Op, Visit, F);
  return F;
}

/// The parameter that \p E names, as it is; null for any other expression.
static const ParmVarDecl *parameterOf(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(E));
  return Reference ? dyn_cast<ParmVarDecl>(Reference->getDecl()) : nullptr;
}

/// The argument of \p Call for \p Parameter, one of its callee's; null where
/// that is not known.
static const Expr *argumentFor(const Expr *Site, const ParmVarDecl *Parameter) {
  const auto *Call = dyn_cast<CallExpr>(Site);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  unsigned Index = Parameter->getFunctionScopeIndex();
  bool IsOwn = Callee && !isa<CXXOperatorCallExpr>(Call) &&
               Index < Call->getNumArgs() && Index < Callee->getNumParams() &&
               Callee->getDefinition() == Parameter->getDeclContext();
  return IsOwn ? Call->getArg(Index) : nullptr;
}

/// The call that a finding in a callee belongs to, as an index into the chain:
/// the one that brings the two operands together where the callee merely takes
/// both, else the outermost, which brings one of them.
static size_t indexOfCall(const Operation &Op, const OperationVisit &Visit) {
  const Expr *First = Visit.Operands[Visit.Outcome.First].Source;
  const Expr *Second = Visit.Operands[Visit.Outcome.Second].Source;
  if (First == Second)
    return 0;
  for (size_t I = Op.Chain.size(); I > 0; --I) {
    const ParmVarDecl *FirstParameter = parameterOf(First);
    const ParmVarDecl *SecondParameter = parameterOf(Second);
    if (!FirstParameter || !SecondParameter)
      return I == Op.Chain.size() ? 0 : I;
    First = argumentFor(Op.Chain[I - 1], FirstParameter);
    Second = argumentFor(Op.Chain[I - 1], SecondParameter);
    if (!First || !Second)
      return 0;
  }
  return 0;
}

/// Whether \p O is a module's state: the module, a parameter or a buffer.
static bool isModuleState(const Operand &O) {
  const Event *E = O.tensor() ? O.tensor()->Story : nullptr;
  while (E && E->Kind == StepKind::View && E->PlaceFrom)
    E = E->PlaceFrom;
  return E && E->IsModuleState;
}

/// The check that an operation belongs to: its row's, but what meets a module's
/// own parameters is a matter of the module.
static CheckFamily familyOf(const Operation &Op, const OperationVisit &Visit) {
  if (Op.Row->Family == CheckFamily::Load)
    return CheckFamily::Load;
  bool MeetsState = isModuleState(Visit.Operands[Visit.Outcome.First]) !=
                    isModuleState(Visit.Operands[Visit.Outcome.Second]);
  return MeetsState ? CheckFamily::Module : Op.Row->Family;
}

/// Says what \p F supposes.
static void addSupposition(const Supposition &S, Finding &F) {
  F.Level = S.Level;
  F.Message += conditionSuffix(S.Words, /*IsFurther=*/!F.Condition.empty());
  F.Condition += (F.Condition.empty() ? "" : " and ") + S.Words;
}

void tdl::reportCrossDevice(const FunctionContext &Context,
                            const FunctionResult &Result, CheckFamily Family,
                            llvm::StringRef Check, CrossDeviceMessage Message,
                            std::vector<Finding> &Findings) {
  for (const Operation &Op : Result.Operations) {
    if (!Op.Row)
      continue;
    Failure Chosen = chooseFailure(Context, Op);
    std::optional<Supposition> Supposed;
    if (!Chosen.Visit)
      Supposed = supposeChoice(Context, Result.Function, Op);
    if (!Chosen.Visit && !Supposed)
      Supposed = supposeCaller(Context, Op);
    if (Supposed)
      Chosen = chooseFailure(Context, Supposed->Op);
    const OperationVisit *Visit = Chosen.Visit;
    if (!Visit || familyOf(Op, *Visit) != Family ||
        isExpectedToThrow(Context, Op.Chain, Op.Call))
      continue;
    Finding F = makeFinding(Context, Supposed ? Supposed->Op : Op, *Visit,
                            Chosen.Told, Check, Message);
    F.Function = Result.Function->getQualifiedNameAsString();
    if (Supposed)
      addSupposition(*Supposed, F);
    if (!Op.Chain.empty())
      moveToCall(Context, Op.Chain, Op.Op, F, indexOfCall(Op, *Visit));
    Findings.push_back(std::move(F));
  }
}
