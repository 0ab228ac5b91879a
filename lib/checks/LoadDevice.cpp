//===- LoadDevice.cpp - torch-load-device ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is loaded without a device is where it was saved. Where it meets a
// tensor that the program puts on an accelerator, the file decides whether that
// works. An operation is tried with the file's tensors on the CPU: if it would
// violate its contract, the load is reported. The state of an optimizer is left
// behind in another way too: the module moves after the first step.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
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

namespace tdl {

namespace {
/// An operation in which a file's tensor meets another one.
struct Meeting {
  const Event *Load = nullptr;
  PlaceFacts Facts; ///< As if the file had been saved on the CPU.
  unsigned Loaded = 0, Partner = 0; ///< Among the visit's operands.
};
} // namespace

/// The load of an operand that is still where its file says; null for another.
static const Event *loadOf(const Operand &O) {
  const TensorValue *Tensor = O.tensor();
  const Event *Load = Tensor ? loadOf(Tensor->Story) : nullptr;
  return Load && Load->After == Tensor->Where ? Load : nullptr;
}

/// Takes it that a device that the program chooses is an accelerator.
static void assumeAccelerator(const FunctionContext &C, const Operand &O,
                              PlaceFacts &Facts) {
  Place P = Facts.resolve(O.place());
  if (P.isSymbol() && C.Symbols.isChosen(P.symbolId()) && !Facts.typeOf(P))
    Facts.assumeNotType(P, DeviceType::CPU);
}

/// Operands with those of \p Load as tensors that have dimensions: saved
/// numbers are rare.
static std::vector<Operand> withDimensions(llvm::ArrayRef<Operand> Operands,
                                           const Event *Load,
                                           ValueArena &Arena) {
  std::vector<Operand> Result(Operands.begin(), Operands.end());
  for (Operand &O : Result)
    if (loadOf(O) == Load && O.tensor()->Dimensions.isUnknown()) {
      auto *Positive = Arena.make<TensorValue>(*O.tensor());
      Positive->Dimensions = Rank::atLeastOne();
      O.What = Positive;
    }
  return Result;
}

/// What \p Visit brings together that fails if \p Load reads a file that was
/// saved on the CPU; none where it works.
static std::optional<Meeting> meetingOf(const FunctionContext &C,
                                        const Operation &Op,
                                        const OperationVisit &Visit,
                                        const Event *Load, ValueArena &Arena) {
  Meeting Found;
  Found.Load = Load;
  Found.Facts = Visit.Facts;
  if (!Found.Facts.mayBe(Load->After, DeviceType::CPU) ||
      !Found.Facts.assumeType(Load->After, DeviceType::CPU))
    return std::nullopt;
  for (const Operand &O : Visit.Operands)
    if (!loadOf(O))
      assumeAccelerator(C, O, Found.Facts);
  std::vector<Operand> Operands = withDimensions(Visit.Operands, Load, Arena);
  ContractOutcome Outcome = applyContract(*Op.Row, Operands, Found.Facts);
  if (Outcome.Result != Compliance::Violates || Outcome.First == Outcome.Second)
    return std::nullopt;
  bool FirstIsLoaded = loadOf(Visit.Operands[Outcome.First]) == Load;
  Found.Loaded = FirstIsLoaded ? Outcome.First : Outcome.Second;
  Found.Partner = FirstIsLoaded ? Outcome.Second : Outcome.First;
  bool MeetsOther = loadOf(Visit.Operands[Found.Loaded]) == Load &&
                    !loadOf(Visit.Operands[Found.Partner]);
  return MeetsOther ? std::optional<Meeting>(Found) : std::nullopt;
}

/// The loads whose tensors take part in \p Op, in the order of the operands.
static llvm::SmallVector<const Event *, 2> loadsIn(const Operation &Op) {
  llvm::SmallVector<const Event *, 2> Loads;
  for (const OperationVisit &Visit : Op.Visits) {
    if (Visit.Outcome.Result == Compliance::Violates)
      continue; // Told by another check.
    for (const Operand &O : Visit.Operands)
      if (const Event *Load = loadOf(O))
        if (llvm::none_of(Loads, [&](const Event *Known) {
              return Known->Site == Load->Site;
            }))
          Loads.push_back(Load);
  }
  return Loads;
}

static std::optional<Meeting> meetingOf(const FunctionContext &C,
                                        const Operation &Op,
                                        const OperationVisit &Visit,
                                        const Expr *Site, ValueArena &Arena) {
  if (Visit.Outcome.Result == Compliance::Violates)
    return std::nullopt;
  for (const Operand &O : Visit.Operands)
    if (const Event *Load = loadOf(O); Load && Load->Site == Site)
      if (auto Found = meetingOf(C, Op, Visit, Load, Arena))
        return Found;
  return std::nullopt;
}

/// "net", or what the call loads in words of the source.
static std::string nameOfLoaded(const FunctionContext &C, const Meeting &Met,
                                const Operand &Loaded) {
  if (Met.Load->Subject)
    return Met.Load->Subject->getNameAsString();
  return sourceText(Loaded.Source, C.AST);
}

static void addOperands(const FunctionContext &C, const OperationVisit &Visit,
                        const Meeting &Met, StoryWriter &Writer, Finding &F) {
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
    Shown.Disagrees = I == Met.Loaded || I == Met.Partner;
    F.Operands.push_back(std::move(Shown));
  }
}

static Finding makeFinding(const FunctionContext &C, const Operation &Op,
                           const OperationVisit &Visit, const Meeting &Met,
                           const PathCondition &Told) {
  const auto *Load = cast<CallExpr>(Met.Load->Site);
  Finding F;
  F.Check = "torch-load-device";
  std::string Path = Told.str(C.Atoms);
  F.Level = Certainty::Conditional;
  F.Condition = savedOnHostCondition(Path);
  F.At = pointOf(C, pointOfCall(Load));
  F.Extent = spanOf(C, Load->getSourceRange());
  F.Op = Op.Op;
  StoryWriter Writer(C, Met.Facts, Visit.Path, Told, F);
  addOperands(C, Visit, Met, Writer, F);
  Writer.addSteps(Visit.Made);
  const Operand &Loaded = Visit.Operands[Met.Loaded];
  const Operand &Partner = Visit.Operands[Met.Partner];
  F.Message = loadDeviceMessage(nameOfLoaded(C, Met, Loaded),
                                sourceText(Partner.Source, C.AST),
                                F.Operands[Met.Partner].Place) +
              conditionSuffix(Path);
  if (const TensorValue *Tensor = Partner.tensor())
    Writer.addNotes(Tensor->Story);
  for (const Expr *Inner : Op.Chain)
    F.Notes.push_back(
        {pointOf(C, Inner->getExprLoc()), callNote(sourceText(Inner, C.AST))});
  F.Notes.push_back({pointOf(C, pointOfCall(Op.Call)), meetingNote(Op.Op)});
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText(Op.Row->Error).str();
  return F;
}

/// The state of an optimizer that its module has left behind: told where the
/// module moves.
static Finding makeLeftBehind(const FunctionContext &C, const Operation &Op,
                              const OperationVisit &Visit,
                              const PathCondition &Told) {
  const Operand &State = Visit.Operands[0], &Parameters = Visit.Operands[1];
  const Event *Last = Parameters.tensor()->Story;
  const auto *Move = Last && Last->Kind == StepKind::Move
                         ? dyn_cast_or_null<CallExpr>(Last->Site)
                         : nullptr;
  const CallExpr *Shown = Move ? Move : Op.Call;
  Finding F;
  F.Check = "torch-load-device";
  F.Condition = Told.str(C.Atoms);
  F.Level = F.Condition.empty() ? Certainty::Certain : Certainty::Conditional;
  F.At = pointOf(C, pointOfCall(Shown));
  F.Extent = spanOf(C, Shown->getSourceRange());
  F.Op = Op.Op;
  StoryWriter Writer(C, Visit.Facts, Visit.Path, Told, F);
  for (const Operand *O : {&State, &Parameters}) {
    FindingOperand Shown;
    Shown.Name = O->Name;
    Shown.Text = sourceText(O->Source, C.AST);
    Shown.Place = Writer.placeText(O->place());
    Shown.At = pointOf(C, O->Source->getExprLoc());
    Shown.Step = Writer.addSteps(O->tensor()->Story);
    Shown.Disagrees = true;
    F.Operands.push_back(std::move(Shown));
  }
  Writer.addSteps(Visit.Made);
  F.Message = leftBehindMessage(F.Operands[1].Text, F.Operands[1].Place,
                                F.Operands[0].Text, F.Operands[0].Place) +
              conditionSuffix(F.Condition);
  Writer.addNotes(State.tensor()->Story);
  F.Notes.push_back({pointOf(C, pointOfCall(Op.Call)), meetingNote(Op.Op)});
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText(Op.Row->Error).str();
  return F;
}

static void reportLeftBehind(const FunctionContext &C,
                             const FunctionResult &Result, const Operation &Op,
                             std::vector<Finding> &Findings) {
  llvm::SmallVector<TriedPath, 4> All;
  for (const OperationVisit &Visit : Op.Visits)
    All.push_back({&Visit.Path, Visit.Outcome.Result == Compliance::Violates});
  std::optional<FailingPath> Chosen = chooseFailing(C, All, [&](size_t I) {
    return decisivePart(All, Op.Visits[I].Path, [](AtomId) { return false; });
  });
  if (!Chosen)
    return;
  Finding F = makeLeftBehind(C, Op, Op.Visits[Chosen->Index], Chosen->Told);
  F.Function = Result.Function->getQualifiedNameAsString();
  Findings.push_back(std::move(F));
}

void checkLoadDevice(const FunctionContext &Context,
                     const FunctionResult &Result,
                     std::vector<Finding> &Findings) {
  ValueArena Arena;
  llvm::SmallVector<const Expr *, 4> Told;
  for (const Operation &Op : Result.Operations) {
    if (!Op.Row || isExpectedToThrow(Context, Op.Chain, Op.Call))
      continue;
    if (Op.Row->Family == CheckFamily::Load)
      reportLeftBehind(Context, Result, Op, Findings);
    for (const Event *Load : loadsIn(Op)) {
      if (llvm::is_contained(Told, Load->Site))
        continue; // Where they meet first is enough.
      std::vector<std::optional<Meeting>> Meetings;
      llvm::SmallVector<TriedPath, 4> All;
      for (const OperationVisit &Visit : Op.Visits) {
        Meetings.push_back(meetingOf(Context, Op, Visit, Load->Site, Arena));
        All.push_back({&Visit.Path, Meetings.back().has_value()});
      }
      std::optional<FailingPath> Chosen =
          chooseFailing(Context, All, [&](size_t I) {
            const OperationVisit &Visit = Op.Visits[I];
            Place Partner = Visit.Operands[Meetings[I]->Partner].place();
            return decisivePart(All, Visit.Path, [&](AtomId Id) {
              const Atom &A = Context.Atoms[Id];
              return A.A.isSymbol() &&
                     (A.A == Partner || A.A == Meetings[I]->Load->After);
            });
          });
      if (!Chosen)
        continue;
      const OperationVisit &Visit = Op.Visits[Chosen->Index];
      const Meeting &Met = *Meetings[Chosen->Index];
      Finding F = makeFinding(Context, Op, Visit, Met, Chosen->Told);
      F.Function = Result.Function->getQualifiedNameAsString();
      addLoadDeviceFix(Context, *Result.Function, Visit.Operands[Met.Partner],
                       *cast<CallExpr>(Load->Site), F);
      Told.push_back(Load->Site);
      Findings.push_back(std::move(F));
    }
  }
}

} // namespace tdl
