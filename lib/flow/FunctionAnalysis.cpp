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

/// One execution of one function: the function under analysis, or a callee that
/// is followed from it.
class FunctionRun {
public:
  FunctionRun(FunctionContext &C, const FunctionDecl *Function,
              FunctionResult &Result, const FunctionRun *Caller,
              const Expr *CallSite);

  /// Executes the function from \p Start. False when it took too long.
  bool reachFixpoint(const State &Start);
  /// The state at the function's end; unreachable for one that never returns.
  const State &exitState() const;
  /// Executes it once more and records what it does.
  void recordOperations();

private:
  /// A disjunct on its way through a block.
  struct Strand {
    Disjunct D;
    size_t Next; ///< The element to execute next.
    Evaluator::Cache Cache;
  };

  /// Runs the elements of \p Block on each disjunct of \p Entry.
  State transfer(const CFGBlock &Block, const State &Entry);
  void runStrand(const CFGBlock &Block, Strand Now,
                 std::vector<Strand> &Pending, State &Exit);
  /// Follows the call that \p S is into its callee. False when it is none, or
  /// cannot be followed.
  bool follow(const Stmt *S, Disjunct &D, llvm::SmallVectorImpl<Strand> &Out);
  /// Executes a lambda's body where the lambda is made, to report what is wrong
  /// in it whoever calls it.
  void recordLambda(const LambdaExpr *Lambda, const Disjunct &D);
  bool isBeingExecuted(const FunctionDecl *Callee) const;
  /// What of \p Exit reaches successor number \p Index.
  State alongEdge(const CFGBlock &Block, unsigned Index, const State &Exit);
  const Formula *edgeFormula(const CFGBlock &Block, unsigned Index, bool &Holds,
                             Disjunct &D);
  void recordFirstRound(const CFGBlock &Block);
  bool keepsFirstRound(const CFGBlock &Block, unsigned Index) const;

  FunctionContext &C;
  const FunctionDecl *Function;
  FunctionResult &Result;
  const FunctionRun *Caller; ///< Null for the function under analysis.
  CallChain Chain;
  unsigned Depth = 0;
  bool Records = false;
  const FunctionGraph &Body;
  Evaluator Eval;
  StateJoiner Joiner;
  std::vector<State> Entries; ///< By block number.
  /// By block number: whether the block was executed, and whether every
  /// execution so far surely gets there in the first round of the loops around.
  std::vector<bool> Visited, IsFirstRound;
  /// What fails in the first round of a loop, before the rounds are joined.
  FunctionResult FirstRounds;
  bool HasLoops = false;
  /// Whether what the function does may have been done before it began.
  bool StartMayRepeat = false;
};

} // namespace

FunctionGraph::FunctionGraph() = default;
FunctionGraph::~FunctionGraph() = default;

/// By block number: whether the block may be in a cycle. An edge that goes back
/// in \p Order counts as a loop over all that stands between its ends: every
/// cycle is covered by such.
static std::vector<bool> findCycles(const CFG &Graph,
                                    const PostOrderCFGView &Order) {
  std::vector<unsigned> Position(Graph.getNumBlockIDs());
  std::vector<const CFGBlock *> Blocks(Order.begin(), Order.end());
  for (unsigned I = 0; I < Blocks.size(); ++I)
    Position[Blocks[I]->getBlockID()] = I;
  // How many loops begin, less how many end, before each block.
  std::vector<int> Change(Blocks.size() + 1);
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (const CFGBlock *Successor : Blocks[I]->succs())
      if (Successor && Position[Successor->getBlockID()] <= I) {
        ++Change[Position[Successor->getBlockID()]];
        --Change[I + 1];
      }
  std::vector<bool> IsInCycle(Graph.getNumBlockIDs());
  int Depth = 0;
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    Depth += Change[I];
    IsInCycle[Blocks[I]->getBlockID()] = Depth > 0;
  }
  return IsInCycle;
}

const FunctionGraph &FunctionContext::graphOf(const FunctionDecl *Function) {
  std::unique_ptr<FunctionGraph> &Made = Graphs[Function];
  if (Made)
    return *Made;
  Made = std::make_unique<FunctionGraph>();
  Made->Facts = collectBodyFacts(Function);
  CFG::BuildOptions Options;
  Options.AddInitializers = true;
  Options.AddTemporaryDtors = false;
  Options.AddImplicitDtors = false;
  Options.AddCXXDefaultInitExprInCtors = true;
  Options.PruneTriviallyFalseEdges = true;
  Options.setAllAlwaysAdd();
  Made->Graph = CFG::buildCFG(Function, Function->getBody(), &AST, Options);
  if (!Made->Graph)
    return *Made;
  Made->Order = std::make_unique<PostOrderCFGView>(Made->Graph.get());
  Made->IsInCycle = findCycles(*Made->Graph, *Made->Order);
  return *Made;
}

static bool isLoop(const Stmt *Terminator) {
  return isa_and_nonnull<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(
      Terminator);
}

FunctionRun::FunctionRun(FunctionContext &C, const FunctionDecl *Function,
                         FunctionResult &Result, const FunctionRun *Caller,
                         const Expr *CallSite)
    : C(C), Function(Function), Result(Result), Caller(Caller),
      Body(C.graphOf(Function)), Eval(C),
      Joiner(C.Arena, C.Factory, C.Storage) {
  if (Caller) {
    Chain = Caller->Chain;
    Depth = Caller->Depth + 1;
    if (CallSite)
      Chain.push_back(CallSite);
  }
  Eval.setChain(Chain);
  Eval.setFunction(Function);
  // What others may change while the caller runs, they may change meanwhile.
  llvm::DenseSet<const ValueDecl *> Untracked = Body.Facts.Untracked;
  if (Caller)
    for (const ValueDecl *Variable : Caller->Eval.untracked())
      Untracked.insert(Variable);
  Eval.setUntracked(std::move(Untracked), Body.Facts.MayChangeMembers);
  Eval.setBody(Body.Facts);
  if (!Body.Graph)
    return;
  Entries.resize(Body.Graph->getNumBlockIDs());
  Visited.resize(Entries.size());
  IsFirstRound.resize(Entries.size());
  HasLoops = llvm::any_of(*Body.Graph, [](const CFGBlock *Block) {
    return Block && isLoop(Block->getTerminatorStmt());
  });
}

bool FunctionRun::isBeingExecuted(const FunctionDecl *Callee) const {
  for (const FunctionRun *Run = this; Run; Run = Run->Caller)
    if (Run->Function == Callee)
      return true;
  return false;
}

bool FunctionRun::follow(const Stmt *S, Disjunct &D,
                         llvm::SmallVectorImpl<Strand> &Out) {
  /// Deeper calls are not followed: few findings need them.
  constexpr unsigned MaxDepth = 4;
  if (Depth >= MaxDepth || C.CalleeVisitsLeft == 0)
    return false;
  std::optional<FollowedCall> Call = Eval.followable(S, D);
  if (!Call || isBeingExecuted(Call->Callee) || !C.graphOf(Call->Callee).Graph)
    return false;
  State Start;
  Start.Disjuncts.push_back(D);
  Disjunct &Entered = Start.Disjuncts.front();
  Eval.bindParameters(*Call, Entered);
  // Arms are kept for the caller's own expressions.
  auto Arms = std::move(Entered.Arms);
  Entered.Arms.clear();
  std::optional<LocationId> OuterThis;
  if (Call->This)
    OuterThis = C.Storage.setThis(Call->This);
  FunctionRun Run(C, Call->Callee, Result, this, Call->Site);
  Eval.hideCopies(*Call, Body.Facts, Start.Disjuncts.front());
  bool Ended = Run.reachFixpoint(Start);
  if (Ended && Records)
    Run.recordOperations();
  if (Call->This)
    C.Storage.setThis(OuterThis);
  if (!Ended)
    return false;
  State Exit;
  llvm::SmallVector<const Value *, 4> Results;
  for (const Disjunct &Left : Run.exitState().Disjuncts) {
    Disjunct After = Left;
    Eval.forgetUntracked(*Call, Run.Body.Facts, After);
    const Value *Returned = Eval.leaveCallee(*Call, After);
    // Nothing is known of it, as of a call that is not followed.
    const auto *Site = dyn_cast<CallExpr>(Call->Site);
    if (Site && isa<UnknownValue>(Returned) && !Site->getType()->isVoidType())
      Returned = Eval.opaqueResult(Site, After);
    Eval.restoreCopies(*Call, Body.Facts, D, After);
    After.Arms = Arms;
    // The result travels as an arm, so that joins see it.
    After.Arms.push_back({Call->Site, Returned});
    Exit.Disjuncts.push_back(std::move(After));
  }
  Joiner.normalise(Exit);
  for (Disjunct &After : Exit.Disjuncts) {
    const Value *Returned = After.Arms.back().second;
    for (const auto &[Kept, V] : After.Arms)
      if (Kept == Call->Site)
        Returned = V;
    Strand Next{std::move(After), 0, Eval.cache()};
    Next.Cache[Call->Site] = Returned;
    Out.push_back(std::move(Next));
  }
  return true;
}

void FunctionRun::recordLambda(const LambdaExpr *Lambda, const Disjunct &D) {
  const CXXMethodDecl *Callee = Lambda->getCallOperator();
  if (!Callee->hasBody() || Callee->isDependentContext() ||
      runsOnDevice(Callee) || isBeingExecuted(Callee) ||
      C.CalleeVisitsLeft == 0)
    return;
  State Start;
  Start.Disjuncts.push_back(D);
  Disjunct &Entered = Start.Disjuncts.front();
  Entered.Arms.clear();
  // What the function assigns again may be anything when the lambda runs.
  for (const LambdaCapture &Capture : Lambda->captures())
    if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef &&
        Body.Facts.Reassigned.contains(
            cast<ValueDecl>(Capture.getCapturedVar()->getCanonicalDecl())))
      Eval.forgetVariable(Capture.getCapturedVar(), Entered);
  Eval.forgetMembers(Entered);
  FunctionRun Run(C, Callee, Result, this, nullptr);
  if (Run.reachFixpoint(Start))
    Run.recordOperations();
}

void FunctionRun::runStrand(const CFGBlock &Block, Strand Now,
                            std::vector<Strand> &Pending, State &Exit) {
  Eval.setCache(std::move(Now.Cache));
  Disjunct D = std::move(Now.D);
  for (size_t I = Now.Next; I < Block.size(); ++I) {
    const CFGElement Element = Block[I];
    if (auto Initializer = Element.getAs<CFGInitializer>()) {
      Eval.execute(Initializer->getInitializer(), D);
      continue;
    }
    auto Statement = Element.getAs<CFGStmt>();
    if (!Statement)
      continue;
    const Stmt *S = Statement->getStmt();
    llvm::SmallVector<Strand, 2> After;
    if (follow(S, D, After)) {
      for (Strand &Other : llvm::drop_begin(After, After.empty() ? 0 : 1)) {
        Other.Next = I + 1;
        Pending.push_back(std::move(Other));
      }
      if (After.empty())
        return; // The callee never returns.
      D = std::move(After.front().D);
      Eval.setCache(std::move(After.front().Cache));
    } else {
      Eval.execute(S, D);
      const auto *Lambda = dyn_cast<LambdaExpr>(S);
      if (Lambda && Records)
        recordLambda(Lambda, D);
    }
    const auto *E = dyn_cast<Expr>(S);
    if (E && Body.Facts.Arms.contains(E))
      Eval.keepArm(E, D);
  }
  Exit.Disjuncts.push_back(std::move(D));
}

State FunctionRun::transfer(const CFGBlock &Block, const State &Entry) {
  Eval.setMayRepeat(StartMayRepeat || Body.IsInCycle[Block.getBlockID()]);
  State Exit;
  std::vector<Strand> Pending;
  for (const Disjunct &Before : llvm::reverse(Entry.Disjuncts))
    Pending.push_back(Strand{Before, 0, Evaluator::Cache()});
  /// Calls that split and split again are joined at the end of the block; more
  /// strands than this are not worth their time.
  constexpr unsigned MaxStrands = 64;
  for (unsigned Run = 0; !Pending.empty() && Run < MaxStrands; ++Run) {
    Strand Now = std::move(Pending.back());
    Pending.pop_back();
    runStrand(Block, std::move(Now), Pending, Exit);
  }
  return Exit;
}

/// Whether nothing but places decides \p F.
static bool isAboutPlaces(const Formula *F, const AtomTable &Atoms) {
  switch (F->K) {
  case Formula::Kind::Constant:
    return true;
  case Formula::Kind::Unknown:
    return false;
  case Formula::Kind::Atom:
    return Atoms[F->Id].K == Atom::Kind::TypeIs ||
           Atoms[F->Id].K == Atom::Kind::Same;
  default:
    return isAboutPlaces(F->Left, Atoms) &&
           (!F->Right || isAboutPlaces(F->Right, Atoms));
  }
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
    // A case holds where those before it do not, the default where none does:
    // so the conditions of the branches add up to all again. The list of cases
    // begins with the last.
    const SwitchCase *Other =
        Case ? Case->getNextSwitchCase() : Switch->getSwitchCaseList();
    const Formula *F = C.Formulas.constant(true);
    /// Conditions of long switches are no help to anyone.
    constexpr unsigned MaxCases = 16;
    for (unsigned I = 0; Other; Other = Other->getNextSwitchCase()) {
      if (++I > MaxCases)
        return nullptr;
      if (isa<CaseStmt>(Other))
        F = C.Formulas.conjunction(
            C.Formulas.negate(Eval.caseFormula(Switch->getCond(), Other, D)),
            F);
    }
    return Case ? C.Formulas.conjunction(
                      F, Eval.caseFormula(Switch->getCond(), Case, D))
                : F;
  }
  if (Block.succ_size() != 2)
    return nullptr;
  const Expr *Condition = Block.getLastCondition();
  if (!Condition)
    return nullptr;
  Holds = Index == 0;
  const Formula *F = Eval.formulaOf(Condition, D);
  // How often a loop runs decides no place by itself, unless places decide how
  // often it runs.
  return isLoop(Terminator) && !isAboutPlaces(F, C.Atoms) ? nullptr : F;
}

State FunctionRun::alongEdge(const CFGBlock &Block, unsigned Index,
                             const State &Exit) {
  State Reached;
  for (const Disjunct &Before : Exit.Disjuncts) {
    Disjunct D = Before;
    Eval.beginBlock();
    if (const Stmt *Loop = Block.getTerminatorStmt(); isLoop(Loop)) {
      if (Index == 0)
        Eval.beginRound(Loop, D);
      else if (!Eval.endWalk(Loop, D))
        continue;
    }
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

/// Whether an execution that gets to \p Block in a first round goes on to
/// successor \p Index in it, whatever unknown conditions are. What follows a
/// loop does not count: the loop may have changed anything.
bool FunctionRun::keepsFirstRound(const CFGBlock &Block, unsigned Index) const {
  if (isLoop(Block.getTerminatorStmt()))
    return Index == 0;
  for (unsigned Other = 0; Other < Block.succ_size(); ++Other) {
    const CFGBlock *Successor = Block.succ_begin()[Other];
    if (Other != Index && Successor && !Successor->hasNoReturnElement())
      return false;
  }
  return true;
}

void FunctionRun::recordFirstRound(const CFGBlock &Block) {
  bool IsWanted = !Caller || Caller->Records;
  if (!HasLoops || !IsWanted || !IsFirstRound[Block.getBlockID()])
    return;
  Records = true;
  std::swap(Result, FirstRounds);
  Eval.setSink(&Result);
  transfer(Block, Entries[Block.getBlockID()]);
  Eval.setSink(nullptr);
  std::swap(Result, FirstRounds);
  Records = false;
}

static bool isEmpty(const State &Start) {
  return llvm::all_of(Start.Disjuncts,
                      [](const Disjunct &D) { return D.Env.isEmpty(); });
}

/// Whether the function ends at the end of \p Block without returning: what
/// throws, or calls what never returns, has nothing to tell its caller.
static bool leavesByThrow(const CFGBlock &Block, const CFGBlock &Successor,
                          const CFG &Graph) {
  if (&Successor != &Graph.getExit())
    return false;
  if (Block.hasNoReturnElement())
    return true;
  return llvm::any_of(Block, [](const CFGElement &Element) {
    auto Statement = Element.getAs<CFGStmt>();
    return Statement && isa<CXXThrowExpr>(Statement->getStmt());
  });
}

bool FunctionRun::reachFixpoint(const State &Start) {
  if (!Body.Graph)
    return false;
  ForwardDataflowWorklist Worklist(*Body.Graph, Body.Order.get());
  const CFGBlock &First = Body.Graph->getEntry();
  Entries[First.getBlockID()] = Start;
  StartMayRepeat = Caller ? Caller->Eval.mayRepeat() : !isEmpty(Start);
  IsFirstRound[First.getBlockID()] = true;
  Worklist.enqueueBlock(&First);
  while (const CFGBlock *Block = Worklist.dequeue()) {
    unsigned &VisitsLeft = Caller ? C.CalleeVisitsLeft : C.OwnVisitsLeft;
    if (VisitsLeft == 0)
      return false;
    --VisitsLeft;
    if (Caller && C.UnitVisitsLeft > 0)
      --C.UnitVisitsLeft;
    bool IsFirst = !Visited[Block->getBlockID()];
    if (IsFirst)
      recordFirstRound(*Block);
    Visited[Block->getBlockID()] = true;
    State Exit = transfer(*Block, Entries[Block->getBlockID()]);
    for (unsigned Index = 0; Index < Block->succ_size(); ++Index) {
      const CFGBlock *Successor = Block->succ_begin()[Index];
      if (!Successor || leavesByThrow(*Block, *Successor, *Body.Graph))
        continue;
      State Reached = alongEdge(*Block, Index, Exit);
      if (Reached.isUnreachable())
        continue;
      bool Keeps = IsFirst && IsFirstRound[Block->getBlockID()] &&
                   keepsFirstRound(*Block, Index);
      if (!Visited[Successor->getBlockID()])
        IsFirstRound[Successor->getBlockID()] =
            Keeps && Entries[Successor->getBlockID()].isUnreachable();
      if (Joiner.joinInto(Entries[Successor->getBlockID()], Reached))
        Worklist.enqueueBlock(Successor);
    }
  }
  return true;
}

const State &FunctionRun::exitState() const {
  return Entries[Body.Graph->getExit().getBlockID()];
}

void FunctionRun::recordOperations() {
  Records = true;
  Eval.setSink(&Result);
  for (const CFGBlock *Block : *Body.Order)
    transfer(*Block, Entries[Block->getBlockID()]);
  Result.addFailuresOf(FirstRounds);
}

State tdl::emptyState(FunctionContext &Context) {
  State Start;
  Start.Disjuncts.push_back(Disjunct(Context.Factory.getEmptyMap()));
  return Start;
}

/// Makes \p Function the one under analysis.
static void begin(FunctionContext &C, const FunctionDecl *Function,
                  const AnalysisBudget &Budget) {
  C.Storage.setFunction(Function);
  C.Storage.setThis(std::nullopt);
  C.Storage.unnamePartsIn(Function);
  const FunctionGraph &Body = C.graphOf(Function);
  C.CalleeVisitsLeft = std::min(Budget.VisitsInCallees, C.UnitVisitsLeft);
  C.OwnVisitsLeft = 0;
  if (Body.Graph)
    C.OwnVisitsLeft += Budget.VisitsPerBlock * Body.Graph->getNumBlockIDs();
}

static State startState(FunctionContext &C, const FunctionDecl *Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  // A private method runs in the middle of another one.
  if (Method && Method->isInstance() && !isa<CXXConstructorDecl>(Method) &&
      Method->getAccess() != AS_private) {
    auto It = C.ClassInvariants.find(Method->getParent());
    if (It == C.ClassInvariants.end())
      return emptyState(C);
    State Start = It->second;
    // What completes an object is called once.
    llvm::erase_if(Start.Disjuncts, [&](const Disjunct &D) {
      return llvm::any_of(
          D.Path.literals(), [&](const PathCondition::Literal &L) {
            return L.second && C.CalledFirst.lookup(L.first) == Method;
          });
    });
    return Start;
  }
  return emptyState(C);
}

std::optional<State> tdl::executeFunction(FunctionContext &Context,
                                          const FunctionDecl *Function,
                                          const State &Start,
                                          const AnalysisBudget &Budget) {
  begin(Context, Function, Budget);
  FunctionResult Unused;
  FunctionRun Run(Context, Function, Unused, nullptr, nullptr);
  if (!Run.reachFixpoint(Start))
    return std::nullopt;
  return Run.exitState();
}

std::optional<State> tdl::analyzeFrom(FunctionContext &Context,
                                      const FunctionDecl *Function,
                                      const State &Start,
                                      FunctionResult &Result,
                                      const AnalysisBudget &Budget) {
  begin(Context, Function, Budget);
  Result.Function = Function;
  FunctionRun Run(Context, Function, Result, nullptr, nullptr);
  if (!Run.reachFixpoint(Start))
    return std::nullopt;
  Context.CalleeVisitsLeft =
      std::min(Budget.VisitsInCallees, Context.UnitVisitsLeft);
  Run.recordOperations();
  return Run.exitState();
}

State tdl::analyzeInitializers(FunctionContext &Context,
                               const CXXRecordDecl *Class, const State &Start,
                               FunctionResult &Result) {
  Context.Storage.setFunction(nullptr);
  Context.Storage.setThis(std::nullopt);
  Evaluator Eval(Context);
  Eval.setSink(&Result);
  State Exit = Start;
  for (Disjunct &D : Exit.Disjuncts) {
    Eval.beginBlock();
    Eval.initializeMembers(Class, D);
  }
  return Exit;
}

FunctionResult tdl::analyzeFunction(FunctionContext &Context,
                                    const FunctionDecl *Function,
                                    const AnalysisBudget &Budget) {
  begin(Context, Function, Budget);
  FunctionResult Result;
  Result.Function = Function;
  FunctionRun Run(Context, Function, Result, nullptr, nullptr);
  if (Run.reachFixpoint(startState(Context, Function))) {
    // Calls are followed once more, to record what happens in them.
    Context.CalleeVisitsLeft =
        std::min(Budget.VisitsInCallees, Context.UnitVisitsLeft);
    Run.recordOperations();
  } else {
    Result.GivenUp = true;
  }
  return Result;
}
