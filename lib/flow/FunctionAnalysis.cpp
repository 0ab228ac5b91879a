//===- FunctionAnalysis.cpp - Forward abstract interpretation of one function ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/FunctionAnalysis.h"
#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"

using namespace clang;
using namespace tdl;

namespace {

class FunctionRun {
public:
  FunctionRun(FunctionContext &C, const FunctionDecl *Function,
              const AnalysisBudget &Budget)
      : C(C), Function(Function), Budget(Budget), Eval(C),
        Joiner(C.Arena, C.Factory, C.Storage) {}

  FunctionResult run();

private:
  bool buildGraph();
  bool reachFixpoint();
  void recordOperations();
  State startState();
  /// Runs the elements of \p Block on each disjunct of \p Entry.
  State transfer(const CFGBlock &Block, const State &Entry);
  /// What of \p Exit reaches successor number \p Index.
  State alongEdge(const CFGBlock &Block, unsigned Index, const State &Exit);
  const Formula *edgeFormula(const CFGBlock &Block, unsigned Index, bool &Holds,
                             Disjunct &D);

  FunctionContext &C;
  const FunctionDecl *Function;
  const AnalysisBudget &Budget;
  Evaluator Eval;
  StateJoiner Joiner;
  BodyFacts Facts;
  std::unique_ptr<CFG> Graph;
  std::unique_ptr<PostOrderCFGView> Order;
  std::vector<State> Entries; ///< By block number.
  FunctionResult Result;
};

} // namespace

bool FunctionRun::buildGraph() {
  CFG::BuildOptions Options;
  Options.AddInitializers = true;
  Options.AddTemporaryDtors = false;
  Options.AddImplicitDtors = false;
  Options.AddCXXDefaultInitExprInCtors = true;
  Options.PruneTriviallyFalseEdges = true;
  Options.setAllAlwaysAdd();
  Graph = CFG::buildCFG(Function, Function->getBody(), &C.AST, Options);
  if (!Graph)
    return false;
  Order = std::make_unique<PostOrderCFGView>(Graph.get());
  Entries.resize(Graph->getNumBlockIDs());
  return true;
}

State FunctionRun::startState() {
  State Start;
  Start.Disjuncts.push_back(Disjunct(C.Factory.getEmptyMap()));
  return Start;
}

State FunctionRun::transfer(const CFGBlock &Block, const State &Entry) {
  State Exit;
  for (const Disjunct &Before : Entry.Disjuncts) {
    Disjunct D = Before;
    Eval.beginBlock();
    for (const CFGElement &Element : Block) {
      if (auto S = Element.getAs<CFGStmt>()) {
        Eval.execute(S->getStmt(), D);
        const auto *E = dyn_cast<Expr>(S->getStmt());
        if (E && Facts.Arms.contains(E))
          Eval.keepArm(E, D);
      } else if (auto Initializer = Element.getAs<CFGInitializer>()) {
        Eval.execute(Initializer->getInitializer(), D);
      }
    }
    Exit.Disjuncts.push_back(std::move(D));
  }
  return Exit;
}

/// The formula that the edge to successor \p Index depends on, and its value;
/// null where nothing is assumed.
const Formula *FunctionRun::edgeFormula(const CFGBlock &Block, unsigned Index,
                                        bool &Holds, Disjunct &D) {
  const Stmt *Terminator = Block.getTerminatorStmt();
  if (!Terminator)
    return nullptr;
  if (const auto *Switch = dyn_cast<SwitchStmt>(Terminator)) {
    const CFGBlock *Successor = Block.succ_begin()[Index];
    const Stmt *Label = Successor ? Successor->getLabel() : nullptr;
    const auto *Case = dyn_cast_or_null<CaseStmt>(Label);
    Holds = true;
    if (Case)
      return Eval.caseFormula(Switch->getCond(), Case, D);
    // The default: none of the others.
    const Formula *None = C.Formulas.constant(true);
    for (const SwitchCase *Other = Switch->getSwitchCaseList(); Other;
         Other = Other->getNextSwitchCase())
      if (isa<CaseStmt>(Other))
        None = C.Formulas.conjunction(
            None, C.Formulas.negate(
                      Eval.caseFormula(Switch->getCond(), Other, D)));
    return None;
  }
  // How often a loop runs decides no place by itself.
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Terminator) ||
      Block.succ_size() != 2)
    return nullptr;
  const Expr *Condition = Block.getLastCondition();
  if (!Condition)
    return nullptr;
  Holds = Index == 0;
  return Eval.formulaOf(Condition, D);
}

State FunctionRun::alongEdge(const CFGBlock &Block, unsigned Index,
                             const State &Exit) {
  State Reached;
  for (const Disjunct &Before : Exit.Disjuncts) {
    Disjunct D = Before;
    Eval.beginBlock();
    bool Holds = true;
    const Formula *F = edgeFormula(Block, Index, Holds, D);
    if (!F) {
      Reached.Disjuncts.push_back(std::move(D));
      continue;
    }
    for (Disjunct &Refined : Eval.assume(F, Holds, D))
      Reached.Disjuncts.push_back(std::move(Refined));
  }
  Joiner.normalise(Reached);
  return Reached;
}

bool FunctionRun::reachFixpoint() {
  ForwardDataflowWorklist Worklist(*Graph, Order.get());
  const CFGBlock &Start = Graph->getEntry();
  Entries[Start.getBlockID()] = startState();
  Worklist.enqueueBlock(&Start);
  unsigned Visits = 0;
  const unsigned Limit = Budget.VisitsPerBlock * Graph->getNumBlockIDs();
  while (const CFGBlock *Block = Worklist.dequeue()) {
    if (++Visits > Limit)
      return false;
    State Exit = transfer(*Block, Entries[Block->getBlockID()]);
    for (unsigned Index = 0; Index < Block->succ_size(); ++Index) {
      const CFGBlock *Successor = Block->succ_begin()[Index];
      if (!Successor)
        continue;
      State Reached = alongEdge(*Block, Index, Exit);
      if (Reached.isUnreachable())
        continue;
      if (Joiner.joinInto(Entries[Successor->getBlockID()], Reached))
        Worklist.enqueueBlock(Successor);
    }
  }
  return true;
}

void FunctionRun::recordOperations() {
  Eval.setSink(&Result);
  for (const CFGBlock *Block : *Order)
    transfer(*Block, Entries[Block->getBlockID()]);
  Eval.setSink(nullptr);
}

FunctionResult FunctionRun::run() {
  Result.Function = Function;
  C.Storage.setFunction(Function);
  Facts = collectBodyFacts(Function->getBody());
  Eval.setUntracked(Facts.Untracked);
  Eval.setDiscarded(Facts.Discarded);
  if (!buildGraph() || !reachFixpoint()) {
    Result.GivenUp = true;
    return std::move(Result);
  }
  recordOperations();
  return std::move(Result);
}

FunctionResult tdl::analyzeFunction(FunctionContext &Context,
                                    const FunctionDecl *Function,
                                    const AnalysisBudget &Budget) {
  return FunctionRun(Context, Function, Budget).run();
}
