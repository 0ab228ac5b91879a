//===- UndefinedTensorDevice.cpp - torch-undefined-tensor-device ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An undefined tensor has no device; asking for it throws.
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

/// The failing visit to tell about; none where there is none, or where it takes
/// more than one condition: that they ever meet is not sure enough.
static std::optional<FailingPath> chooseVisit(const FunctionContext &C,
                                              const DeviceQuestion &Question) {
  llvm::SmallVector<TriedPath, 4> All;
  for (const DeviceQuestionVisit &Visit : Question.Visits)
    All.push_back({&Visit.Path, Visit.fails()});
  std::optional<FailingPath> Chosen = chooseFailing(C, All, [&](size_t I) {
    return decisivePart(All, Question.Visits[I].Path,
                        [](AtomId) { return false; });
  });
  return Chosen && Chosen->Told.literals().size() <= 1 ? Chosen : std::nullopt;
}

static Finding makeFinding(const FunctionContext &C,
                           const DeviceQuestion &Question,
                           const DeviceQuestionVisit &Visit,
                           const PathCondition &Told) {
  Finding F;
  F.Check = "torch-undefined-tensor-device";
  F.Condition = Told.str(C.Atoms);
  F.Level = F.Condition.empty() ? Certainty::Certain : Certainty::Conditional;
  F.At = pointOf(C, pointOfCall(Question.Call));
  F.Extent = spanOf(C, Question.Call->getSourceRange());
  F.Op = Question.Op;
  std::string Text = sourceText(Question.Source, C.AST);
  F.Message =
      undefinedTensorMessage(Text, Question.Op) + conditionSuffix(F.Condition);
  PlaceFacts NoFacts;
  StoryWriter Writer(C, NoFacts, Visit.Path, Told, F);
  FindingOperand Self;
  Self.Name = "self";
  Self.Text = Text;
  Self.At = pointOf(C, Question.Source->getExprLoc());
  Self.Disagrees = true;
  if (const auto *Tensor = dyn_cast<TensorValue>(Visit.Asked)) {
    Self.Step = Writer.addSteps(Tensor->Story);
    Writer.addSteps(Visit.Made);
    Writer.addNotes(Tensor->Story);
    F.Expect = Expectation::Throws;
    F.ErrorText = "tensor does not have a device";
  }
  F.Operands.push_back(Self);
  addDefinedMemberFix(C, Question, F);
  return F;
}

void checkUndefinedTensorDevice(const FunctionContext &Context,
                                const FunctionResult &Result,
                                std::vector<Finding> &Findings) {
  for (const DeviceQuestion &Question : Result.Questions) {
    std::optional<FailingPath> Chosen = chooseVisit(Context, Question);
    if (!Chosen || isExpectedToThrow(Context, Question.Chain, Question.Call))
      continue;
    Finding F = makeFinding(Context, Question, Question.Visits[Chosen->Index],
                            Chosen->Told);
    F.Function = Result.Function->getQualifiedNameAsString();
    if (!Question.Chain.empty())
      moveToCall(Context, Question.Chain, Question.Op, F);
    Findings.push_back(std::move(F));
  }
}

} // namespace tdl
