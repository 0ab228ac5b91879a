//===- CrossDevice.cpp - What the two cross-device checks share ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CrossDevice.h"
#include "checks/CallerSupposition.h"
#include "checks/ExpectedThrow.h"
#include "checks/FixIts.h"
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

/// Whether the visit fails for sure, on a path that surely exists.
static bool fails(const OperationVisit &Visit) {
  return Visit.Outcome.Result == Compliance::Violates;
}

/// The part of the failing path that tells it from the visits that don't fail.
static PathCondition decisivePart(const FunctionContext &C, const Operation &Op,
                                  const OperationVisit &Failing) {
  PathCondition Decisive = Failing.Path;
  Place First = Failing.Operands[Failing.Outcome.First].place();
  Place Second = Failing.Operands[Failing.Outcome.Second].place();
  for (const PathCondition::Literal &L : Failing.Path.literals()) {
    // What says where an operand is explains the finding.
    const Atom &A = C.Atoms[L.first];
    bool IsAboutOperand = A.A.isSymbol() && (A.A == First || A.A == Second);
    if (IsAboutOperand)
      continue;
    PathCondition Without = Decisive;
    Without.remove(L.first);
    auto IsExcluded = [&](const OperationVisit &Visit) {
      if (fails(Visit))
        return true;
      return llvm::any_of(Without.literals(),
                          [&](const PathCondition::Literal &Other) {
                            return Visit.Path.valueOf(Other.first) ==
                                   std::optional<bool>(!Other.second);
                          });
    };
    if (llvm::all_of(Op.Visits, IsExcluded))
      Decisive = Without;
  }
  return Decisive;
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
  Failure Chosen;
  bool AllFail = llvm::all_of(Op.Visits, fails);
  for (const OperationVisit &Visit : Op.Visits) {
    if (!fails(Visit))
      continue;
    bool IsSimpler = !Chosen.Visit || Visit.Path.literals().size() <
                                          Chosen.Visit->Path.literals().size();
    if (!IsSimpler)
      continue;
    PathCondition Told = AllFail ? PathCondition() : decisivePart(C, Op, Visit);
    if (isEntangled(C, Told))
      continue;
    Chosen = {&Visit, Told};
  }
  return Chosen;
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

/// Where an editor should point: the method's name, the operator, the call.
static SourceLocation pointOfCall(const CallExpr *Call) {
  if (isa<CXXMemberCallExpr>(Call) || isa<CXXOperatorCallExpr>(Call))
    return Call->getExprLoc();
  return Call->getBeginLoc();
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
  addMoveFix(C, *Op.Row, Visit, F);
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

/// A finding in a callee that is due to the call belongs to the call.
static void moveToCall(const FunctionContext &C, const Operation &Op,
                       const OperationVisit &Visit, Finding &F) {
  size_t Index = indexOfCall(Op, Visit);
  const Expr *Site = Op.Chain[Index];
  F.Notes.insert(F.Notes.begin(), {F.At, operationNote(Op.Op)});
  F.Origins.push_back(F.At);
  for (size_t I = Op.Chain.size(); I > 0; --I) {
    const Expr *Other = Op.Chain[I - 1];
    if (I - 1 != Index)
      F.Notes.insert(F.Notes.begin(), {pointOf(C, Other->getExprLoc()),
                                       callNote(sourceText(Other, C.AST))});
    if (I - 1 > Index)
      F.Origins.push_back(pointOf(C, Other->getExprLoc()));
  }
  const auto *Call = dyn_cast<CallExpr>(Site);
  F.At = pointOf(C, Call ? pointOfCall(Call) : Site->getExprLoc());
  F.Extent = spanOf(C, Site->getSourceRange());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  F.Message = inCallMessage(Callee ? Callee->getNameAsString() : "", F.Message);
  F.Fixes.clear(); // The callee may be right for its other callers.
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
  bool MeetsState = isModuleState(Visit.Operands[Visit.Outcome.First]) !=
                    isModuleState(Visit.Operands[Visit.Outcome.Second]);
  return MeetsState ? CheckFamily::Module : Op.Row->Family;
}

/// Says which callers \p F is about.
static void makeLatent(llvm::StringRef Callers, Finding &F) {
  F.Level = Certainty::Latent;
  F.Message += conditionSuffix(Callers, /*IsFurther=*/!F.Condition.empty());
  F.Condition += (F.Condition.empty() ? "" : " and ") + Callers.str();
}

/// Whether the program means the operation, or a call on the way, to throw.
static bool expectsThrow(const FunctionContext &C, const Operation &Op) {
  return isExpectedToThrow(C, Op.Call) ||
         llvm::any_of(Op.Chain, [&](const Expr *Site) {
           return isExpectedToThrow(C, Site);
         });
}

void tdl::reportCrossDevice(const FunctionContext &Context,
                            const FunctionResult &Result, CheckFamily Family,
                            llvm::StringRef Check, CrossDeviceMessage Message,
                            std::vector<Finding> &Findings) {
  for (const Operation &Op : Result.Operations) {
    if (!Op.Row)
      continue;
    Failure Chosen = chooseFailure(Context, Op);
    std::optional<CallerSupposition> Supposed;
    if (!Chosen.Visit && (Supposed = supposeCaller(Context, Op)))
      Chosen = chooseFailure(Context, Supposed->Op);
    const OperationVisit *Visit = Chosen.Visit;
    if (!Visit || familyOf(Op, *Visit) != Family || expectsThrow(Context, Op))
      continue;
    Finding F = makeFinding(Context, Supposed ? Supposed->Op : Op, *Visit,
                            Chosen.Told, Check, Message);
    F.Function = Result.Function->getQualifiedNameAsString();
    if (Supposed)
      makeLatent(Supposed->Words, F);
    if (!Op.Chain.empty())
      moveToCall(Context, Op, *Visit, F);
    Findings.push_back(std::move(F));
  }
}
