//===- DiscardedTransfer.cpp - torch-discarded-transfer --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor::to and its kin return a tensor and leave their own alone, unlike
// nn::Module::to.
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
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

namespace tdl {

static Finding makeFinding(const FunctionContext &C,
                           const DiscardedTransfer &Transfer) {
  const auto *Call = cast<CXXMemberCallExpr>(Transfer.Call);
  const Expr *Receiver = skipNoise(Call->getImplicitObjectArgument());
  Finding F;
  F.Check = "torch-discarded-transfer";
  F.At = pointOf(C, Call->getExprLoc());
  F.Extent = spanOf(C, Call->getSourceRange());
  F.Op = Transfer.Op;
  std::string Text = sourceText(Receiver, C.AST);
  F.Message = discardedTransferMessage(Transfer.Op, Text);
  PlaceFacts NoFacts;
  PathCondition Always;
  StoryWriter Writer(C, NoFacts, Always, Always, F);
  FindingOperand Self;
  Self.Name = "self";
  Self.Text = Text;
  Self.At = pointOf(C, Receiver->getExprLoc());
  if (const auto *Tensor = dyn_cast<TensorValue>(Transfer.Receiver)) {
    Self.Place = Writer.placeText(Tensor->Where);
    Self.Rank = Tensor->Dimensions.encoded();
    Self.DType = elementTypeName(Tensor->Elements);
    Self.Step = Writer.addSteps(Tensor->Story);
  }
  F.Operands.push_back(Self);
  if (Writer.addSteps(Transfer.Made) >= 0)
    F.Expect = Expectation::Stays;
  addAssignFix(C, Transfer, F);
  return F;
}

void checkDiscardedTransfer(const FunctionContext &Context,
                            const FunctionResult &Result,
                            std::vector<Finding> &Findings) {
  for (const DiscardedTransfer &Transfer : Result.Discarded) {
    if (isExpectedToThrow(Context, Transfer.Call))
      continue;
    Finding F = makeFinding(Context, Transfer);
    F.Function = Result.Function->getQualifiedNameAsString();
    Findings.push_back(std::move(F));
  }
}

} // namespace tdl
