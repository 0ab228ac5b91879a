//===- LayerOptions.cpp - The options that a layer is made with ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/LayerOptions.h"
#include "flow/Syntax.h"
#include "torch/AbsentMembers.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

namespace {
/// An option that is given: bias(false).
struct GivenOption {
  llvm::StringRef Name;
  const Expr *Argument = nullptr;
};
} // namespace

/// The initialiser of a variable that never changes; null for any other
/// expression.
static const Expr *constantOptions(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  const auto *Variable =
      Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && Variable->getType().isConstQualified() &&
                 !isa<ParmVarDecl>(Variable)
             ? Variable->getAnyInitializer()
             : nullptr;
}

/// The options in the chain of setters that ends in \p E, the last one first.
/// False where the chain does not begin with new options.
static bool readChain(const Expr *E,
                      llvm::SmallVectorImpl<GivenOption> &Given) {
  while (true) {
    E = skipNoise(E);
    if (E->getType()->isArithmeticType())
      return true; // Linear(3, 4)
    if (!isOptionsClass(E->getType()))
      return false;
    if (const Expr *Init = constantOptions(E)) {
      E = Init;
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *Setter = Call->getMethodDecl();
      if (!Setter || !Setter->getIdentifier() || Call->getNumArgs() != 1)
        return false;
      Given.push_back({Setter->getName(), Call->getArg(0)});
      E = Call->getImplicitObjectArgument();
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      bool IsConversion = Construct->getNumArgs() >= 1 &&
                          isOptionsClass(Construct->getArg(0)->getType());
      if (!IsConversion)
        return true;
      E = Construct->getArg(0);
    } else {
      return isa<InitListExpr>(E);
    }
  }
}

llvm::SmallVector<AbsentMember, 4>
tdl::absentMembersOf(const Expr *Site, const CXXRecordDecl *Class,
                     BoolReader Read) {
  llvm::SmallVector<AbsentMember, 4> Absent;
  std::string Op = moduleOp(Class);
  llvm::SmallVector<const Expr *, 4> Arguments;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Site))
    Arguments.assign(Construct->arg_begin(), Construct->arg_end());
  else if (const auto *Call = dyn_cast<CallExpr>(Site))
    Arguments.assign(Call->arg_begin(), Call->arg_end());
  llvm::SmallVector<GivenOption, 4> Given;
  if (Op.empty() ||
      (!Arguments.empty() && !readChain(Arguments.front(), Given)))
    return Absent;
  for (const AbsentMembersRow &Row : absentMembersTable()) {
    if (!Row.isFor(Op))
      continue;
    const auto *Option = llvm::find_if(
        Given, [&](const GivenOption &G) { return G.Name == Row.Option; });
    std::optional<bool> IsThere = Row.IsThereByDefault;
    if (Option != Given.end())
      IsThere = Read(Option->Argument);
    if (IsThere.value_or(true))
      continue;
    llvm::SmallVector<llvm::StringRef, 3> Names;
    Row.Members.split(Names, ' ');
    for (llvm::StringRef Name : Names)
      Absent.push_back({Name, Row.Option});
  }
  return Absent;
}

const Expr *tdl::layerMadeBy(const Expr *Source) {
  const Expr *E = skipNoise(Source);
  while (true) {
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      bool IsNamed = Callee && Callee->getIdentifier();
      if (IsNamed && isTorchDecl(Callee) &&
          Callee->getName() == "register_module" && Call->getNumArgs() == 2) {
        E = skipNoise(Call->getArg(1));
        continue;
      }
      bool Allocates = IsNamed && Callee->isInStdNamespace() &&
                       (Callee->getName() == "make_shared" ||
                        Callee->getName() == "make_unique");
      return Allocates ? E : nullptr;
    }
    const auto *Construct = dyn_cast<CXXConstructExpr>(E);
    if (!Construct)
      return nullptr;
    bool IsCopy = Construct->getNumArgs() == 1 &&
                  pointedClass(Construct->getType()) &&
                  pointedClass(Construct->getType()) ==
                      pointedClass(skipNoise(Construct->getArg(0))->getType());
    if (!IsCopy)
      return heldModuleClass(Construct->getType()) ? E : nullptr;
    E = skipNoise(Construct->getArg(0));
  }
}

/// fc{nullptr}, fc: nothing is made yet.
static bool isEmptyHolder(const Expr *Source) {
  const auto *Construct = dyn_cast<CXXConstructExpr>(skipNoise(Source));
  return Construct && heldModuleClass(Construct->getType()) &&
         Construct->getNumArgs() == 1 &&
         Construct->getArg(0)->getType()->isNullPtrType();
}

/// The member of a program's class that \p E names; null for anything else.
static const FieldDecl *memberNamed(const Expr *E) {
  const auto *Member = dyn_cast<MemberExpr>(skipNoise(E));
  const auto *Field =
      Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  return Field && isModuleClass(pointedClass(Field->getType())) ? Field
                                                                : nullptr;
}

void LayerMembers::add(const ValueDecl *Member, const Expr *Source) {
  if (isEmptyHolder(Source) || memberNamed(withoutCopies(Source)) == Member)
    return;
  // fc = register_module("fc", fc) makes nothing new.
  if (const auto *Call = dyn_cast<CallExpr>(withoutCopies(Source)))
    if (Call->getNumArgs() == 2 &&
        memberNamed(withoutCopies(Call->getArg(1))) == Member)
      return;
  const Expr *Maker = layerMadeBy(Source);
  auto [It, Inserted] =
      Makers.try_emplace(cast<ValueDecl>(Member->getCanonicalDecl()), Maker);
  // An initialiser of the class is seen once for each constructor.
  if (!Inserted && It->second != Maker)
    It->second = nullptr;
}

void LayerMembers::search(const Stmt *Body) {
  llvm::SmallVector<const Stmt *, 32> Pending = {Body};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S);
        Operator && Operator->getOperator() == OO_Equal)
      if (const FieldDecl *Member = memberNamed(Operator->getArg(0)))
        add(Member, Operator->getArg(1));
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
}

void LayerMembers::collect(llvm::ArrayRef<const FunctionDecl *> Functions) {
  for (const FunctionDecl *Function : Functions) {
    search(Function->getBody());
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
    if (!Constructor)
      continue;
    for (const CXXCtorInitializer *Initializer : Constructor->inits()) {
      if (!Initializer->isAnyMemberInitializer() || !Initializer->getInit())
        continue;
      search(Initializer->getInit());
      const FieldDecl *Member = Initializer->getAnyMember();
      const Expr *Init = Initializer->getInit();
      if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init))
        Init = Default->getExpr();
      if (isModuleClass(pointedClass(Member->getType())))
        add(Member, Init);
    }
  }
}

const Expr *LayerMembers::madeBy(const ValueDecl *Member) const {
  auto It = Makers.find(cast<ValueDecl>(Member->getCanonicalDecl()));
  return It == Makers.end() ? nullptr : It->second;
}
