//===- UnregisteredState.cpp - torch-unregistered-state ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module::to() moves what is registered. What else a module keeps stays where
// it was, and meets what moved.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/CrossDevice.h"
#include "checks/ExpectedThrow.h"
#include "checks/FixIts.h"
#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "flow/Syntax.h"
#include "summary/MovedModules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include <map>

using namespace clang;

namespace tdl {

namespace {
/// An operation in which a member that was left behind meets what moved.
struct Meeting {
  const LeftBehind *Left = nullptr; ///< Null: none.
  const OperationVisit *Visit = nullptr;
  unsigned Behind = 0, Moved = 0; ///< Indices of operands.
};
} // namespace

/// What \p Visit shows of a member, where it fails.
static Meeting meetingIn(const MovedModuleCall &Call,
                         const OperationVisit &Visit) {
  Meeting M;
  const ContractOutcome &Outcome = Visit.Outcome;
  if (Outcome.Result != Compliance::Violates || Outcome.First == Outcome.Second)
    return M;
  const LeftBehind *First =
      Call.memberBehind(Visit.Operands[Outcome.First].What);
  const LeftBehind *Second =
      Call.memberBehind(Visit.Operands[Outcome.Second].What);
  if ((First != nullptr) == (Second != nullptr))
    return M;
  M.Left = First ? First : Second;
  M.Visit = &Visit;
  M.Behind = First ? Outcome.First : Outcome.Second;
  M.Moved = First ? Outcome.Second : Outcome.First;
  // The other one is where the module went.
  if (!(Visit.Facts.resolve(Visit.Operands[M.Moved].place()) == Call.Target))
    M.Left = nullptr;
  return M;
}

static void addOperands(const FunctionContext &C, const Meeting &M,
                        StoryWriter &Writer, Finding &F) {
  for (unsigned I = 0; I < M.Visit->Operands.size(); ++I) {
    const Operand &O = M.Visit->Operands[I];
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
    Shown.Disagrees = I == M.Behind || I == M.Moved;
    F.Operands.push_back(std::move(Shown));
  }
}

/// The qualified name of the function around \p Given: of the constructor or
/// method; of the class for an initialiser in it.
static std::string functionAround(const MovedModuleCall &Call,
                                  const LeftBehind &Left) {
  for (const CXXMethodDecl *Method : Call.Class->methods()) {
    const FunctionDecl *Definition = nullptr;
    if (Method->hasBody(Definition) &&
        Definition->getSourceRange().fullyContains(
            SourceRange(Left.Given.At, Left.Given.At)))
      return Method->getQualifiedNameAsString();
  }
  return Call.Class->getQualifiedNameAsString();
}

static Finding makeFinding(const FunctionContext &C,
                           const MovedModuleCall &Call, const Operation &Op,
                           const Meeting &M) {
  const LeftBehind &Left = *M.Left;
  Finding F;
  F.Check = "torch-unregistered-state";
  F.Function = functionAround(Call, Left);
  F.At = pointOf(C, Left.Given.At);
  F.Extent = spanOf(C, Left.Given.Source->getSourceRange());
  F.Op = Op.Op;
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText(Op.Row->Error).str();
  PathCondition Told;
  StoryWriter Writer(C, M.Visit->Facts, M.Visit->Path, Told, F);
  addOperands(C, M, Writer, F);
  Writer.addSteps(M.Visit->Made);
  F.Level = Certainty::Conditional;
  F.Condition = moduleMovesCondition();
  std::string Member = Left.Member->getNameAsString();
  FindingOperand &Behind = F.Operands[M.Behind];
  F.Message = unregisteredStateMessage(
      Member, Left.IsModule, Left.Reason == LeftBehindReason::Replaced,
      Left.Reason == LeftBehindReason::Kept, Behind.Place);
  const auto *Method = cast<CXXMethodDecl>(Call.Result.Function);
  const Expr *Site = Op.Call;
  F.Notes.push_back({pointOf(C, Site->getExprLoc()),
                     meetsMovedNote(Op.Op, Behind, F.Operands[M.Moved],
                                    Method->getNameAsString())});
  for (const Expr *Through : llvm::reverse(Op.Chain))
    F.Notes.push_back({pointOf(C, Through->getExprLoc()),
                       callNote(sourceText(Through, C.AST))});
  F.Explains.push_back(pointOf(C, Site->getExprLoc()));
  F.Explains.push_back(pointOf(C, Op.Call->getBeginLoc()));
  addRegisterFix(C, Left, Behind, F.Operands[M.Moved], F);
  return F;
}

/// A finding whose operation is not known yet.
static Finding startFinding(const FunctionContext &C,
                            const FunctionDecl *Function, SourceLocation At,
                            const Expr *Source) {
  Finding F;
  F.Check = "torch-unregistered-state";
  F.Function = Function->getQualifiedNameAsString();
  F.At = pointOf(C, At);
  F.Extent = spanOf(C, Source->getSourceRange());
  F.Level = Certainty::Conditional;
  F.Condition = moduleMovesCondition();
  return F;
}

/// The name of the module of LibTorch whose state \p E is; empty for any other.
static std::string moduleOfState(const Event *E) {
  while (E && E->Kind == StepKind::Move && E->IsModuleState &&
         !E->Arguments.empty() && !E->Arguments.front().Events.empty())
    E = E->Arguments.front().Events.front();
  bool IsLayer = E && E->Kind == StepKind::Module &&
                 llvm::StringRef(E->Op).starts_with("nn::") &&
                 E->Op != "nn::Sequential";
  return IsLayer ? E->Op : "";
}

/// The operation that fails is in a forward() that the story does not hold: a
/// call of the module, or a product, with a tensor that is where the module is
/// stands in for it. Without a row that can fail there is no witness.
static void addStandIn(const FunctionContext &C, const Event *Behind,
                       bool IsModule, Place Target, StoryWriter &Writer,
                       Finding &F) {
  std::string Op = IsModule ? moduleOfState(Behind) : "mul";
  const Contract *Row =
      Op.empty() ? nullptr : C.Contracts.find(Op, {}, C.Version);
  // A 0-dim tensor may be anywhere in a product.
  if (!Row || (!IsModule && Behind->Dimensions.isZero())) {
    F.Notes.push_back({SourcePoint(), noOperationNote()});
    return;
  }
  Event Input, Use;
  Input.Kind = StepKind::Input;
  Input.After = Target;
  Use.Op = Op;
  EventArgument First, Second;
  First.Name = IsModule ? "state" : "self";
  Second.Name = IsModule ? "input" : "other";
  First.Kind = Second.Kind = StepArgument::Kind::Tensor;
  First.Events = {IsModule ? Behind : &Input};
  Second.Events = {IsModule ? &Input : Behind};
  Use.Arguments = {First, Second};
  Writer.addSteps(&Use);
  F.Op = Op;
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText(Row->Error).str();
}

static Finding lateFinding(const FunctionContext &C, const LateChild &Late) {
  const LateRegistration &R = Late.Registration;
  const Expr *Added = R.Call->getArg(1);
  const Expr *Site = R.Chain.empty() ? R.Call : R.Chain.front();
  Finding F = startFinding(C, Late.Function, Site->getBeginLoc(), Added);
  if (!R.Chain.empty())
    F.Extent = spanOf(C, Site->getSourceRange());
  F.Op = R.Call->getDirectCallee()->getNameAsString();
  const PathCondition Untold;
  StoryWriter Writer(C, R.Facts, R.Path, Untold, F);
  // A move without a place in the source is the one that is assumed.
  bool IsAssumed = R.State->Story && !R.State->Story->Site;
  if (!IsAssumed) {
    F.Condition = R.Path.str(C.Atoms);
    F.Level = F.Condition.empty() ? Certainty::Certain : Certainty::Conditional;
  }
  F.Message = lateRegistrationMessage(
      sourceText(Added, C.AST), Writer.placeText(R.Tensor->Where),
      IsAssumed ? "" : Writer.placeText(R.State->Where));
  if (!IsAssumed)
    F.Message += conditionSuffix(F.Condition);
  Writer.addNotes(R.State->Story);
  addStandIn(C, R.Tensor->Story, !isa<TensorValue>(R.Added), R.State->Where,
             Writer, F);
  return F;
}

static Finding replacedFinding(const FunctionContext &C,
                               const ReplacedMember &Replaced) {
  const LeftBehind &Left = Replaced.Left;
  const MemberAssignment &Given = Left.Given;
  Finding F = startFinding(C, Replaced.Function, Given.At, Given.Source);
  const PathCondition Untold;
  StoryWriter Writer(C, Given.Facts, Given.Path, Untold, F);
  const Event *Made = Left.Made.front();
  F.Message = unregisteredStateMessage(
      Left.Member->getNameAsString(), Left.IsModule, /*IsReplaced=*/true,
      /*IsKept=*/false, Writer.placeText(Made->After));
  Writer.addNotes(Made);
  Place Target =
      Place::known(Made->After.isCPU() ? DeviceType::CUDA : DeviceType::CPU);
  addStandIn(C, Made, Left.IsModule, Target, Writer, F);
  return F;
}

void checkUnregisteredState(const FunctionContext &Context,
                            const MovedModules &Modules,
                            std::vector<Finding> &Findings) {
  std::map<SourcePoint, size_t> ByPlace;
  for (const MovedModuleCall &Call : Modules.Calls)
    for (const Operation &Op : Call.Result.Operations) {
      if (!Op.Row || isExpectedToThrow(Context, Op.Call))
        continue;
      for (const OperationVisit &Visit : Op.Visits) {
        Meeting M = meetingIn(Call, Visit);
        if (!M.Left || isEntangled(Context, Visit.Path))
          continue;
        Finding F = makeFinding(Context, Call, Op, M);
        auto [It, IsNew] = ByPlace.try_emplace(F.At, Findings.size());
        if (IsNew)
          Findings.push_back(std::move(F));
        else
          for (const SourcePoint &Point : F.Explains)
            Findings[It->second].Explains.push_back(Point);
      }
    }
  auto AddOnce = [&](const Expr *Site, Finding F) {
    if (!isExpectedToThrow(Context, Site) &&
        ByPlace.try_emplace(F.At, Findings.size()).second)
      Findings.push_back(std::move(F));
  };
  for (const LateChild &Late : Modules.LateChildren)
    if (!isEntangled(Context, Late.Registration.Path))
      AddOnce(Late.Registration.Call, lateFinding(Context, Late));
  for (const ReplacedMember &Replaced : Modules.Replaced)
    if (!isEntangled(Context, Replaced.Left.Given.Path))
      AddOnce(Replaced.Left.Given.Source, replacedFinding(Context, Replaced));
}

} // namespace tdl
