//===- Walks.cpp - Loops that change a list element by element -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `for (auto &t : list) t = t.to(device);` changes every element. While the loop
// runs, the list is a WalkValue: nobody else knows what it holds. Each round
// adds what it made of its element, and where the loop ends by itself, all
// elements are of that kind. A loop that is left in another way leaves a list of
// which nothing is known.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace tdl;

/// The loop whose iterator \p E is; null for any other expression.
static const CXXForRangeStmt *loopOf(const BodyFacts &Body, const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(E));
  const auto *Begin =
      Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Begin ? Body.Walks.lookup(Begin) : nullptr;
}

static const VarDecl *rangeVariable(const CXXForRangeStmt *Loop) {
  return cast<VarDecl>(Loop->getRangeStmt()->getSingleDecl());
}

/// The loop begins.
void Evaluator::startWalk(const VarDecl *Begin, Disjunct &D) {
  const CXXForRangeStmt *Loop = Body->Walks.lookup(Begin);
  LocationId Range = C.Storage.ofVariable(rangeVariable(Loop));
  const Value *Before = load(Range, D);
  if (!isa<ListValue, MapValue>(Before)) {
    forgetLocation(Range, D);
    return;
  }
  auto *Walk = C.Arena.make<WalkValue>(Loop);
  Walk->Before = Before;
  storeAlone(Range, Walk, D);
  forgetNames(Range, D);
}

/// What the loop's variable, or its bindings, hold now.
const Value *Evaluator::walkedElement(const CXXForRangeStmt *Loop,
                                      const WalkValue &Walk, Disjunct &D) {
  const VarDecl *Variable = Loop->getLoopVariable();
  const auto *Decomposition = dyn_cast<DecompositionDecl>(Variable);
  if (!Decomposition)
    return currentValue(C.Storage.ofVariable(Variable), Variable->getType(), D);
  llvm::SmallVector<const Value *, 4> Parts;
  for (const BindingDecl *Binding : Decomposition->bindings())
    Parts.push_back(currentValue(C.Storage.ofVariable(Binding),
                                 Binding->getType(), D));
  const auto *Record = dyn_cast<RecordValue>(anyElement(Walk.Before, C.Arena));
  if (!Record)
    return C.Arena.make<ListValue>(Parts);
  auto *Changed = C.Arena.make<RecordValue>(*Record);
  for (unsigned I = 0; I < Changed->Fields.size(); ++I)
    Changed->Fields[I].second =
        I < Parts.size() ? Parts[I] : C.Arena.unknown();
  return Changed;
}

/// A round ends: the iterator goes on. False for any other call.
bool Evaluator::stepWalk(const CallExpr *Call, Disjunct &D) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  if (!Body || !Operator || Operator->getOperator() != OO_PlusPlus)
    return false;
  const CXXForRangeStmt *Loop = loopOf(*Body, Operator->getArg(0));
  if (!Loop)
    return false;
  LocationId Range = C.Storage.ofVariable(rangeVariable(Loop));
  const auto *Walk = dyn_cast<WalkValue>(load(Range, D));
  if (!Walk || Walk->Loop != Loop)
    return true;
  const Value *Made = walkedElement(Loop, *Walk, D);
  auto *Next = C.Arena.make<WalkValue>(*Walk);
  Next->Done = Walk->Done ? joinElements(C.Arena, Walk->Done, Made) : Made;
  storeAlone(Range, Next, D);
  return true;
}

bool Evaluator::endWalk(const CXXForRangeStmt *Loop, Disjunct &D) {
  const auto *Begin =
      dyn_cast_or_null<VarDecl>(Loop->getBeginStmt()->getSingleDecl());
  if (!Begin || !Body || !Body->Walks.contains(Begin))
    return true;
  LocationId Range = C.Storage.ofVariable(rangeVariable(Loop));
  const auto *Walk = dyn_cast<WalkValue>(load(Range, D));
  if (!Walk || Walk->Loop != Loop) {
    forgetLocation(Range, D);
    return true;
  }
  if (Walk->Done) {
    store(Range, withAllElements(Walk->Before, Walk->Done, C.Arena), D);
    return true;
  }
  // It ends without a round only where there is nothing to walk over.
  if (const auto *List = dyn_cast<ListValue>(Walk->Before)) {
    if (List->IsExact && !List->Elements.empty())
      return false;
    store(Range, C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>()), D);
    return true;
  }
  store(Range, C.Arena.make<MapValue>(), D);
  return true;
}
