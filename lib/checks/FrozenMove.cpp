//===- FrozenMove.cpp - torch-frozen-move ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// freeze() folds parameters and buffers into the graph, where no to() reaches
// them.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
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

static std::optional<FailingPath> chooseVisit(const FunctionContext &C,
                                              const FrozenMove &Move) {
  llvm::SmallVector<TriedPath, 4> All;
  for (const FrozenMoveVisit &Visit : Move.Visits)
    All.push_back({&Visit.Path, Visit.IsMisplaced});
  return chooseFailing(C, All, [&](size_t I) {
    const FrozenMoveVisit &Visit = Move.Visits[I];
    return decisivePart(All, Visit.Path, [&](AtomId Id) {
      const Atom &A = C.Atoms[Id];
      return A.A.isSymbol() &&
             (A.A == Visit.Constants->Where || A.A == Visit.Target);
    });
  });
}

static Finding makeFinding(const FunctionContext &C, const FrozenMove &Move,
                           const FrozenMoveVisit &Visit,
                           const PathCondition &Told) {
  Finding F;
  F.Check = "torch-frozen-move";
  F.Condition = Told.str(C.Atoms);
  F.Level = F.Condition.empty() ? Certainty::Certain : Certainty::Conditional;
  F.At = pointOf(C, pointOfCall(Move.Call));
  F.Extent = spanOf(C, Move.Call->getSourceRange());
  F.Op = "to";
  StoryWriter Writer(C, Visit.Facts, Visit.Path, Told, F);
  FindingOperand Module;
  Module.Name = "module";
  Module.Text = sourceText(Move.Source, C.AST);
  Module.At = pointOf(C, Move.Source->getExprLoc());
  Module.Disagrees = true;
  Module.Place = Writer.placeText(Visit.Constants->Where);
  Module.Step = Writer.addSteps(Visit.Constants->Story);
  Writer.addSteps(Visit.Made);
  F.Message =
      frozenMoveMessage(Module.Text,
                        Module.Place.empty() ? "" : placeInWords(Module.Place),
                        Writer.placeText(Visit.Target)) +
      conditionSuffix(F.Condition);
  Writer.addNotes(Visit.Constants->Story);
  F.Operands.push_back(std::move(Module));
  F.Expect = Expectation::Throws;
  F.ErrorText = C.Contracts.errorText("the-same").str();
  return F;
}

void checkFrozenMove(const FunctionContext &Context,
                     const FunctionResult &Result,
                     std::vector<Finding> &Findings) {
  for (const FrozenMove &Move : Result.FrozenMoves) {
    std::optional<FailingPath> Chosen = chooseVisit(Context, Move);
    if (!Chosen || isExpectedToThrow(Context, Move.Chain, Move.Call))
      continue;
    Finding F =
        makeFinding(Context, Move, Move.Visits[Chosen->Index], Chosen->Told);
    F.Function = Result.Function->getQualifiedNameAsString();
    if (!Move.Chain.empty())
      moveToCall(Context, Move.Chain, "to", F);
    Findings.push_back(std::move(F));
  }
}

} // namespace tdl
