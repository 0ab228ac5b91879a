//===- KnownPlaces.cpp - What is known of a function's tensors, and why not ===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/KnownPlaces.h"
#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "flow/Syntax.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// The first input of \p E whose place is unknown; null when there is none.
static const Event *unknownInput(const Event &E) {
  if (E.PlaceFrom && E.PlaceFrom->After.isUnknown())
    return E.PlaceFrom;
  for (const EventArgument &Argument : E.Arguments)
    for (const Event *Input : Argument.Events)
      if (Input && Input->After.isUnknown())
        return Input;
  return nullptr;
}

static bool hasInputOutsideStory(const Event &E) {
  return llvm::any_of(E.Arguments, [](const EventArgument &Argument) {
    bool IsTensor = Argument.Kind == StepArgument::Kind::Tensor ||
                    Argument.Kind == StepArgument::Kind::TensorList;
    return IsTensor && llvm::is_contained(Argument.Events, nullptr);
  });
}

static std::string reasonOfEvent(const Event &E) {
  std::string Op = E.Op;
  if (hasInputOutsideStory(E))
    return "an argument of '" + Op + "' is not known";
  switch (E.Kind) {
  case StepKind::Move:
    return "the device that it is moved to is not known";
  case StepKind::Factory:
  case StepKind::Like:
    return "the device in the options of '" + Op + "' is not known";
  default:
    return "'" + Op +
           "' fails here, or the contract table does not say where " +
           "its result is";
  }
}

/// Why an expression that is no tensor to the analysis is unknown.
static std::string reasonOfExpression(const SeenTensor &Seen) {
  const Expr *E = skipNoise(Seen.Source);
  if (Seen.IsUntracked)
    return "it may be changed through a pointer, a reference or a lambda";
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E))
    return "what is assigned to it is not known";
  if (isa<AbstractConditionalOperator>(E))
    return "its two sides are on different devices";
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee ? "nothing is known of the result of '" +
                        Callee->getNameAsString() + "'"
                  : "it is not known which function is called";
  }
  return "this expression is not modelled";
}

static void explain(const FunctionContext &C, const SeenTensor &Seen,
                    PlaceLine &Line) {
  const auto *Tensor = dyn_cast<TensorValue>(Seen.What);
  const Event *E = Tensor ? Tensor->Story : nullptr;
  if (!E) {
    Line.Why = reasonOfExpression(Seen);
    return;
  }
  if (!E->After.isUnknown()) {
    Line.Why = "it is on different devices on different paths";
    return;
  }
  /// Longer ways are cut.
  constexpr unsigned MaxSteps = 16;
  while (const Event *Before = unknownInput(*E)) {
    if (Line.Steps.size() == MaxSteps)
      break;
    if (E->Site)
      Line.Steps.push_back(
          {pointOf(C, E->Site->getExprLoc()), "'" + E->Op + "' takes it on"});
    E = Before;
  }
  Line.Why = reasonOfEvent(*E);
  if (E->Site)
    Line.Steps.push_back(
        {pointOf(C, E->Site->getExprLoc()), "it becomes unknown here"});
}

void tdl::addKnownPlaces(const FunctionContext &C, const FunctionResult &Result,
                         std::vector<PlaceLine> &Lines) {
  for (const SeenTensor &Seen : Result.Tensors) {
    PlaceLine Line;
    Line.At = pointOf(C, Seen.Source->getBeginLoc());
    Line.Text = sourceText(Seen.Source, C.AST);
    const auto *Tensor = dyn_cast<TensorValue>(Seen.What);
    Finding Unused;
    if (Tensor && Tensor->IsUndefined)
      Line.Place = "undefined";
    else if (Tensor)
      Line.Place = StoryWriter(C, Seen.Facts, Seen.Path, Seen.Path, Unused)
                       .placeText(Tensor->Where);
    if (Line.Place.empty())
      explain(C, Seen, Line);
    Line.Condition = Seen.Path.str(C.Atoms);
    Lines.push_back(std::move(Line));
  }
}
