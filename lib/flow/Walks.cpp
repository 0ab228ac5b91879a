//===- Walks.cpp - Loops that change a list element by element -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `for (auto &t : list) t = t.to(device);` changes every element, and so does
// `for (i = 0; i < list.size(); ++i) list[i] = list[i].to(device);`. While the
// loop runs, the list is a WalkValue: nobody else knows what it holds. Each
// round adds what it made of its element, and where the loop ends by itself,
// all elements are of that kind. A loop that is left in another way leaves a
// list of which nothing is known.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace tdl;

static const VarDecl *variableOf(const Expr *E) {
  const auto *Reference = dyn_cast_or_null<DeclRefExpr>(E ? skipNoise(E) : E);
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

//===----------------------------------------------------------------------===//
// Loops over indices
//===----------------------------------------------------------------------===//

/// The variable that the head of \p Loop declares as 0; null for another head.
static const VarDecl *counterOf(const ForStmt *Loop) {
  const auto *Declaration = dyn_cast_or_null<DeclStmt>(Loop->getInit());
  const auto *Counter = Declaration && Declaration->isSingleDecl()
                            ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                            : nullptr;
  const Expr *Init = Counter ? Counter->getInit() : nullptr;
  const auto *Zero =
      dyn_cast_or_null<IntegerLiteral>(Init ? skipNoise(Init) : nullptr);
  return Zero && Zero->getValue() == 0 ? Counter : nullptr;
}

/// The list whose size bounds \p Counter in \p Condition; null for another
/// condition.
static const Expr *boundingList(const Expr *Condition, const VarDecl *Counter) {
  const auto *Compares = dyn_cast_or_null<BinaryOperator>(
      Condition ? skipNoise(Condition) : nullptr);
  if (!Compares || variableOf(Compares->getLHS()) != Counter ||
      (Compares->getOpcode() != BO_LT && Compares->getOpcode() != BO_NE))
    return nullptr;
  const auto *Size = dyn_cast<CXXMemberCallExpr>(skipNoise(Compares->getRHS()));
  const CXXMethodDecl *Method = Size ? Size->getMethodDecl() : nullptr;
  bool IsSize = Method && Method->getIdentifier() &&
                Method->getName() == "size" &&
                isSequence(Size->getObjectType());
  return IsSize ? skipNoise(Size->getImplicitObjectArgument()) : nullptr;
}

/// The variable or member of *this that \p E names; null for any other.
static const ValueDecl *namedList(const Expr *E) {
  E = skipNoise(E);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return isa<CXXThisExpr>(skipNoise(Member->getBase()))
               ? Member->getMemberDecl()
               : nullptr;
  return variableOf(E);
}

/// The list in list[i], list.at(i), or list.size(); null for any other call.
static const Expr *listOfAccess(const Stmt *S, const VarDecl *Counter) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S))
    return Operator->getOperator() == OO_Subscript &&
                   variableOf(Operator->getArg(1)) == Counter
               ? Operator->getArg(0)
               : nullptr;
  const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier())
    return nullptr;
  bool IsAccess = Method->getName() == "size" ||
                  (Method->getName() == "at" && Call->getNumArgs() == 1 &&
                   variableOf(Call->getArg(0)) == Counter);
  return IsAccess ? Call->getImplicitObjectArgument() : nullptr;
}

std::optional<IndexWalk> tdl::indexWalkOf(const ForStmt *Loop) {
  const VarDecl *Counter = counterOf(Loop);
  const Expr *List = Counter ? boundingList(Loop->getCond(), Counter) : nullptr;
  const auto *Step = dyn_cast_or_null<UnaryOperator>(
      Loop->getInc() ? skipNoise(Loop->getInc()) : nullptr);
  const ValueDecl *Named = List ? namedList(List) : nullptr;
  if (!Named || !Step || !Step->isIncrementOp() ||
      variableOf(Step->getSubExpr()) != Counter)
    return std::nullopt;
  unsigned Uses = 0, Accesses = 0;
  bool Changes = false;
  llvm::SmallVector<const Stmt *, 32> Pending = {Loop->getBody()};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    if (const auto *E = dyn_cast<Expr>(S); E && E == skipNoise(E))
      Uses +=
          (isa<DeclRefExpr>(E) || isa<MemberExpr>(E)) && namedList(E) == Named;
    if (const Expr *Accessed = listOfAccess(S, Counter))
      Accesses += namedList(Accessed) == Named;
    for (const Expr *Target : changedBy(S))
      for (const ValueDecl *Variable : variablesIn(Target)) {
        if (Variable == Counter)
          return std::nullopt;
        Changes |= Variable == Named;
      }
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  if (!Changes || Uses != Accesses)
    return std::nullopt;
  return IndexWalk{Loop, Counter, List};
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

static const VarDecl *rangeVariable(const CXXForRangeStmt *Loop) {
  return cast<VarDecl>(Loop->getRangeStmt()->getSingleDecl());
}

std::optional<LocationId> Evaluator::walkedBy(const Stmt *Loop, Disjunct &D) {
  if (!Body)
    return std::nullopt;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop)) {
    const auto *Begin =
        dyn_cast_or_null<VarDecl>(Range->getBeginStmt()->getSingleDecl());
    return Begin && Body->Walks.contains(Begin)
               ? std::optional(C.Storage.ofVariable(rangeVariable(Range)))
               : std::nullopt;
  }
  const auto *For = dyn_cast<ForStmt>(Loop);
  const VarDecl *Counter = For ? counterOf(For) : nullptr;
  auto It = Counter ? Body->IndexWalks.find(Counter) : Body->IndexWalks.end();
  return It != Body->IndexWalks.end() ? locate(It->second.List, D)
                                      : std::nullopt;
}

void Evaluator::startWalk(const VarDecl *Variable, Disjunct &D) {
  if (!Body)
    return;
  if (const CXXForRangeStmt *Range = Body->Walks.lookup(Variable))
    startWalk(Range, C.Storage.ofVariable(rangeVariable(Range)), D);
  auto It = Body->IndexWalks.find(Variable);
  if (It == Body->IndexWalks.end())
    return;
  if (std::optional<LocationId> List = locate(It->second.List, D))
    startWalk(It->second.Loop, *List, D);
}

/// \p Loop, which walks over what is in \p Walked, begins.
void Evaluator::startWalk(const Stmt *Loop, LocationId Walked, Disjunct &D) {
  const Value *Before = load(Walked, D);
  if (!isa<ListValue, MapValue>(Before)) {
    forgetLocation(Walked, D);
    return;
  }
  auto *Walk = C.Arena.make<WalkValue>(Loop);
  Walk->Before = Before;
  storeAlone(Walked, Walk, D);
  forgetNames(Walked, D);
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
    Parts.push_back(
        currentValue(C.Storage.ofVariable(Binding), Binding->getType(), D));
  const auto *Record = dyn_cast<RecordValue>(anyElement(Walk.Before, C.Arena));
  if (!Record)
    return C.Arena.make<ListValue>(Parts);
  auto *Changed = C.Arena.make<RecordValue>(*Record);
  for (unsigned I = 0; I < Changed->Fields.size(); ++I)
    Changed->Fields[I].second = I < Parts.size() ? Parts[I] : C.Arena.unknown();
  return Changed;
}

void Evaluator::beginRound(const Stmt *Loop, Disjunct &D) {
  std::optional<LocationId> Walked =
      isa<ForStmt>(Loop) ? walkedBy(Loop, D) : std::nullopt;
  const auto *Walk = Walked ? dyn_cast<WalkValue>(load(*Walked, D)) : nullptr;
  if (!Walk || Walk->Loop != Loop)
    return;
  auto *Next = C.Arena.make<WalkValue>(*Walk);
  Next->Current = anyElement(Walk->Before, C.Arena);
  storeAlone(*Walked, Next, D);
}

/// A round ends: the iterator or the counter goes on. False for any other step.
bool Evaluator::stepWalk(const Expr *Step, Disjunct &D) {
  const Stmt *Loop = nullptr;
  const auto *Unary = dyn_cast<UnaryOperator>(Step);
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Step);
  if (Unary && Unary->isIncrementOp()) {
    auto It = Body->IndexWalks.find(variableOf(Unary->getSubExpr()));
    if (It != Body->IndexWalks.end())
      Loop = It->second.Loop;
  } else if (Operator && Operator->getOperator() == OO_PlusPlus) {
    Loop = Body->Walks.lookup(variableOf(Operator->getArg(0)));
  }
  std::optional<LocationId> Walked = Loop ? walkedBy(Loop, D) : std::nullopt;
  if (!Walked)
    return false;
  const auto *Walk = dyn_cast<WalkValue>(load(*Walked, D));
  if (!Walk || Walk->Loop != Loop)
    return true;
  const auto *Range = dyn_cast<CXXForRangeStmt>(Loop);
  const Value *Made = Range           ? walkedElement(Range, *Walk, D)
                      : Walk->Current ? Walk->Current
                                      : C.Arena.unknown();
  auto *Next = C.Arena.make<WalkValue>(*Walk);
  Next->Current = nullptr;
  Next->Done = Walk->Done ? joinElements(C.Arena, Walk->Done, Made) : Made;
  storeAlone(*Walked, Next, D);
  forgetNames(*Walked, D);
  return true;
}

bool Evaluator::endWalk(const Stmt *Loop, Disjunct &D) {
  std::optional<LocationId> Walked = walkedBy(Loop, D);
  if (!Walked)
    return true;
  const auto *Walk = dyn_cast<WalkValue>(load(*Walked, D));
  if (!Walk || Walk->Loop != Loop) {
    forgetLocation(*Walked, D);
    return true;
  }
  if (Walk->Done) {
    store(*Walked, withAllElements(Walk->Before, Walk->Done, C.Arena), D);
    return true;
  }
  // It ends without a round only where there is nothing to walk over.
  if (const auto *List = dyn_cast<ListValue>(Walk->Before)) {
    if (List->IsExact && !List->Elements.empty())
      return false;
    store(*Walked, C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>()), D);
    return true;
  }
  store(*Walked, C.Arena.make<MapValue>(), D);
  return true;
}
