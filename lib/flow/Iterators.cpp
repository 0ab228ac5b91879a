//===- Iterators.cpp - Which container an iterator goes through ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Iterators.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

static llvm::StringRef nameOf(const FunctionDecl *Function) {
  return Function && Function->getIdentifier() ? Function->getName()
                                               : llvm::StringRef();
}

/// begin(), find(key) and their kin: methods that return an iterator of their
/// object.
static bool returnsIterator(llvm::StringRef Method) {
  return llvm::StringSwitch<bool>(Method)
      .Cases({"begin", "cbegin", "rbegin", "crbegin"}, true)
      .Cases({"end", "cend", "rend", "crend"}, true)
      .Cases({"find", "lower_bound", "upper_bound"}, true)
      .Cases({"erase", "insert", "emplace"}, true)
      .Default(false);
}

/// Algorithms that return a position in the range that begins at their first
/// argument.
static bool returnsPosition(llvm::StringRef Algorithm) {
  return llvm::StringSwitch<bool>(Algorithm)
      .Cases({"next", "prev", "find", "find_if"}, true)
      .Cases({"find_if_not", "max_element", "min_element"}, true)
      .Cases({"lower_bound", "upper_bound", "remove", "remove_if"}, true)
      .Cases({"unique", "partition", "stable_partition"}, true)
      .Default(false);
}

/// begin(x) is x.begin().
static bool isRangeAccess(llvm::StringRef Function) {
  return llvm::StringSwitch<bool>(Function)
      .Cases({"begin", "cbegin", "rbegin", "crbegin"}, true)
      .Cases({"end", "cend", "rend", "crend"}, true)
      .Default(false);
}

RangeUse tdl::rangeUseOf(const CallExpr *Algorithm) {
  const FunctionDecl *Function = Algorithm->getDirectCallee();
  if (!Function || !Function->isInStdNamespace())
    return RangeUse::Unknown;
  return llvm::StringSwitch<RangeUse>(nameOf(Function))
      .Cases({"next", "prev", "find", "find_if"}, RangeUse::Read)
      .Cases({"find_if_not", "max_element", "min_element"}, RangeUse::Read)
      .Cases({"lower_bound", "upper_bound", "binary_search"}, RangeUse::Read)
      .Cases({"any_of", "all_of", "none_of", "count", "count_if"},
             RangeUse::Read)
      .Cases({"accumulate", "reduce", "distance", "equal"}, RangeUse::Read)
      .Cases({"inner_product", "is_sorted"}, RangeUse::Read)
      .Cases({"sort", "stable_sort", "reverse", "shuffle"}, RangeUse::Reorder)
      .Cases({"random_shuffle", "rotate", "partition"}, RangeUse::Reorder)
      .Cases({"remove", "remove_if", "unique"}, RangeUse::Reorder)
      .Cases({"stable_partition", "nth_element"}, RangeUse::Reorder)
      .Default(RangeUse::Unknown);
}

IteratorSource tdl::iteratorSource(const Expr *Iterator) {
  /// Longer ways are not worth following.
  constexpr unsigned MaxSteps = 8;
  const Expr *E = Iterator;
  for (unsigned Step = 0; E && Step < MaxSteps; ++Step) {
    E = withoutCopies(E);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
      bool IsOwn = Variable && !isa<ParmVarDecl>(Variable) &&
                   !Variable->getType()->isReferenceType();
      E = IsOwn ? Variable->getInit() : nullptr;
      continue;
    }
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *Method = Member->getMethodDecl();
      if (!Method || !returnsIterator(nameOf(Method)))
        return {};
      IteratorSource Source;
      Source.Container = Member->getImplicitObjectArgument();
      if (Method->getName() == "find" && Member->getNumArgs() == 1)
        Source.Key = Member->getArg(0);
      return Source;
    }
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
    if (!Function || !isStandardOrTorch(Function) || Call->getNumArgs() == 0)
      return {};
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
      bool Moves =
          llvm::is_contained({OO_Plus, OO_Minus, OO_PlusPlus, OO_MinusMinus,
                              OO_PlusEqual, OO_MinusEqual},
                             Operator->getOperator());
      E = Moves ? Operator->getArg(0) : nullptr;
    } else if (isRangeAccess(nameOf(Function))) {
      return {Call->getArg(0), nullptr};
    } else {
      E = returnsPosition(nameOf(Function)) ? Call->getArg(0) : nullptr;
    }
  }
  return {};
}

const Expr *tdl::dereferencedIterator(const Expr *E) {
  if (const auto *Star = dyn_cast<UnaryOperator>(E))
    return Star->getOpcode() == UO_Deref ? Star->getSubExpr() : nullptr;
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
  bool Dereferences = Operator && Operator->getNumArgs() == 1 &&
                      (Operator->getOperator() == OO_Star ||
                       Operator->getOperator() == OO_Arrow);
  return Dereferences ? Operator->getArg(0) : nullptr;
}

bool tdl::isNamedContainer(const Expr *Container) {
  const Expr *E = skipNoise(Container);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl, BindingDecl>(Reference->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (!isa<FieldDecl>(Member->getMemberDecl()))
      return false;
    const Expr *Base = skipNoise(Member->getBase());
    return isa<CXXThisExpr>(Base) ||
           (!Member->isArrow() && isNamedContainer(Base));
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call || !Call->getDirectCallee() ||
      !isStandardOrTorch(Call->getDirectCallee()))
    return false;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return Operator->getOperator() == OO_Subscript &&
           (isSequence(Operator->getArg(0)->getType()) ||
            isMap(Operator->getArg(0)->getType())) &&
           isNamedContainer(Operator->getArg(0));
  const auto *Method = dyn_cast<CXXMemberCallExpr>(Call);
  return Method &&
         llvm::StringSwitch<bool>(nameOf(Method->getMethodDecl()))
             .Cases({"at", "front", "back"}, true)
             .Default(false) &&
         (isSequence(Method->getObjectType()) ||
          isMap(Method->getObjectType())) &&
         isNamedContainer(Method->getImplicitObjectArgument());
}

/// The variable that \p E is; null for any other expression.
static const VarDecl *variableOf(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(withoutCopies(E));
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// The call of begin() or find() that \p E is; null for any other expression.
static const CXXMemberCallExpr *iteratorCall(const Expr *E) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(withoutCopies(E));
  return Call && Call->getMethodDecl() &&
                 returnsIterator(nameOf(Call->getMethodDecl())) &&
                 (isSequence(Call->getObjectType()) ||
                  isMap(Call->getObjectType()))
             ? Call
             : nullptr;
}

/// A use of an iterator, or a call that makes one, where it is only compared,
/// moved on or looked through.
void IteratorUses::allow(const Expr *Use) {
  if (const CXXMemberCallExpr *Call = iteratorCall(Use))
    Harmless.insert(Call);
  else if (const VarDecl *Variable = variableOf(Use))
    ++Variables[Variable].Known;
}

void IteratorUses::visit(const Stmt *S) {
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Part : Declaration->decls()) {
      const auto *Variable = dyn_cast<VarDecl>(Part);
      const Expr *Init = Variable ? Variable->getInit() : nullptr;
      if (!Init || Variable->getType()->isReferenceType() ||
          Variable->isImplicit() || Variable->isStaticLocal())
        continue;
      const Expr *Container = iteratorSource(Init).Container;
      bool IsContainer = Container && (isSequence(Container->getType()) ||
                                       isMap(Container->getType()));
      if (!IsContainer || variableOf(Init))
        continue;
      Order.push_back(Variable);
      allow(Init);
    }
    return;
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S)) {
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
      ++Variables[Variable].All;
    return;
  }
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    // A list of what lies between two iterators is a copy.
    if (isSequence(Construct->getType()) && Construct->getNumArgs() >= 2)
      for (const Expr *Argument : Construct->arguments())
        allow(Argument);
    return;
  }
  if (!Function || !isStandardOrTorch(Function))
    return;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    switch (Operator->getOperator()) {
    case OO_Equal: {
      // it = list.erase(it)
      const auto *Next = iteratorCall(Operator->getArg(1));
      const VarDecl *Variable = variableOf(Operator->getArg(0));
      if (!Variable || !Next)
        return;
      llvm::StringRef Name = nameOf(Next->getMethodDecl());
      if (Name == "erase" || Name == "insert")
        allow(Operator->getArg(0));
      else
        Escaping.push_back(Next->getImplicitObjectArgument());
      return;
    }
    case OO_PlusPlus:
    case OO_MinusMinus:
    case OO_PlusEqual:
    case OO_MinusEqual:
    case OO_Star:
    case OO_Arrow:
    case OO_EqualEqual:
    case OO_ExclaimEqual:
    case OO_Less:
    case OO_Greater:
    case OO_LessEqual:
    case OO_GreaterEqual:
    case OO_Minus:
      for (const Expr *Argument : Operator->arguments())
        allow(Argument);
      return;
    default:
      return;
    }
  }
  bool OnContainer = false;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    OnContainer =
        llvm::StringSwitch<bool>(nameOf(Member->getMethodDecl()))
            .Cases({"erase", "insert", "emplace", "assign"}, true)
            .Default(false) &&
        (isSequence(Member->getObjectType()) || isMap(Member->getObjectType()));
  if (OnContainer || rangeUseOf(Call) != RangeUse::Unknown)
    for (const Expr *Argument : Call->arguments())
      allow(Argument);
}

llvm::SmallVector<const Expr *, 4> IteratorUses::escaping() const {
  llvm::SmallVector<const Expr *, 4> Containers(Escaping.begin(),
                                                Escaping.end());
  for (const VarDecl *Variable : Order) {
    auto It = Variables.find(Variable);
    if (It != Variables.end() && It->second.All != It->second.Known)
      Containers.push_back(iteratorSource(Variable->getInit()).Container);
  }
  return Containers;
}
