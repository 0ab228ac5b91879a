//===- Dispatch.cpp - Calls of operators by their name --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// op.call(x, y), where op is a typed handle of c10::Dispatcher: the row is the
// operator's, its parameters are named by the schema.
//
//===----------------------------------------------------------------------===//

#include "torch/Dispatch.h"
#include "flow/Evaluator.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// The names that the table may have the operator under, the best first.
static llvm::SmallVector<std::string, 2> rowNames(const DispatchedOp &Op) {
  llvm::StringRef Name = Op.Name, Overload = Op.Overload;
  if (Name.consume_front("aten::")) {
    bool IsOut = Overload == "out" || Overload.ends_with("_out");
    return {Name.str() + (IsOut ? "_out" : "")};
  }
  if (Overload.empty())
    return {Op.Name};
  return {(Name + "." + Overload).str(), Op.Name};
}

DispatchedCall Evaluator::dispatchedCall(const CallExpr *Call) {
  DispatchedCall Found;
  DispatchedOp Op = dispatchedOpOf(Call, [&](const VarDecl *Variable) {
    return Variable->getType().isConstQualified() ||
           (Body && Variable->isLocalVarDecl() &&
            !Body->Reassigned.contains(Variable) &&
            !Untracked.contains(Variable));
  });
  if (!Op)
    return Found;
  for (const std::string &Name : rowNames(Op)) {
    llvm::SmallVector<const Contract *, 2> Rows = C.Contracts.rowsOf(Name);
    if (Rows.empty())
      continue;
    Found.Callee.Op = Name;
    llvm::ArrayRef<llvm::StringRef> Schema = Rows.front()->Schema;
    Found.Parameters.assign(Schema.begin(), Schema.end());
    break;
  }
  if (Found.Parameters.empty())
    Found.Parameters = atenParameters(C.AST, Op);
  if (Found.Parameters.empty())
    for (const std::string &Name : C.Libraries.parametersOf(Op))
      Found.Parameters.push_back(Name);
  if (Found.Parameters.size() != Call->getNumArgs())
    Found.Callee.Op.clear();
  return Found;
}

const Value *Evaluator::evaluateDispatched(const CallExpr *Call, Disjunct &D) {
  DispatchedCall Found = dispatchedCall(Call);
  if (!Found.Callee)
    return nullptr;
  llvm::SmallVector<BoundArgument, 6> Arguments;
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    BoundArgument Argument;
    Argument.Name = Found.Parameters[I];
    Argument.Source = Call->getArg(I);
    Argument.What = evaluate(Argument.Source, D);
    Arguments.push_back(Argument);
  }
  return evaluateBound(Call, Found.Callee, std::move(Arguments), D);
}
