//===- ModuleMembers.cpp - What a module moves with itself ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/ModuleMembers.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

static bool isRegistration(const Stmt *S) {
  const auto *Call = dyn_cast<CallExpr>(S);
  return Call && isRegistrationFunction(Call->getDirectCallee());
}

static bool containsRegistration(const Stmt *S) {
  llvm::SmallVector<const Stmt *, 16> Pending = {S};
  while (!Pending.empty()) {
    const Stmt *Part = Pending.pop_back_val();
    if (!Part)
      continue;
    if (isRegistration(Part))
      return true;
    for (const Stmt *Child : Part->children())
      Pending.push_back(Child);
  }
  return false;
}

namespace {
/// Finds registrations in one body.
class RegistrationFinder {
public:
  explicit RegistrationFinder(llvm::DenseSet<const ValueDecl *> &Registered)
      : Registered(Registered) {}

  void search(const Stmt *Body) {
    llvm::SmallVector<const Stmt *, 32> Pending = {Body};
    while (!Pending.empty()) {
      const Stmt *S = Pending.pop_back_val();
      if (!S)
        continue;
      visit(S);
      for (const Stmt *Child : S->children())
        Pending.push_back(Child);
    }
  }

  /// Something was registered whose member, if it has one, is not known.
  bool FoundOther = false;

private:
  void visit(const Stmt *S) {
    if (isRegistration(S)) {
      for (const Expr *Argument : cast<CallExpr>(S)->arguments())
        add(Argument);
      FoundOther |= namesNoMember(cast<CallExpr>(S));
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(S)) {
      if (Assign->isAssignmentOp() && containsRegistration(Assign->getRHS()))
        add(Assign->getLHS());
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S)) {
      if (Operator->isAssignmentOp() &&
          containsRegistration(Operator->getArg(1)))
        add(Operator->getArg(0));
    } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(S)) {
      // blocks.push_back(register_module(...)).
      if (Member->getNumArgs() == 1 && containsRegistration(Member->getArg(0)))
        add(Member->getImplicitObjectArgument());
    }
  }

  /// register_module("fc", local)
  static bool namesNoMember(const CallExpr *Call) {
    if (Call->getNumArgs() < 2)
      return false;
    const auto *Named = dyn_cast<DeclRefExpr>(withoutCopies(Call->getArg(1)));
    return Named && isa<VarDecl>(Named->getDecl());
  }

  void add(const Expr *Named) {
    // A copy of a holder names the member all the same.
    const Expr *E = withoutCopies(Named);
    for (const ValueDecl *Variable : variablesIn(E))
      Registered.insert(cast<ValueDecl>(Variable->getCanonicalDecl()));
  }

  llvm::DenseSet<const ValueDecl *> &Registered;
};
} // namespace

void ModuleMembers::collectFrom(const CXXRecordDecl *Class) {
  RegistrationFinder Finder(Registered);
  for (const FieldDecl *Field : Class->fields())
    if (Field->hasInClassInitializer()) {
      Finder.search(Field->getInClassInitializer());
      if (containsRegistration(Field->getInClassInitializer()))
        Registered.insert(Field);
    }
}

static bool isModuleMove(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  return Method && Method->getIdentifier() &&
         isModuleClass(Method->getParent()) &&
         llvm::StringSwitch<bool>(Method->getName())
             .Cases({"to", "cuda", "cpu"}, true)
             .Default(false);
}

/// Whether \p Call moves a module that may be a part of another one: all but a
/// variable or a member of something that is no module, outside of what makes
/// or is a module.
static bool movesPart(const CXXMemberCallExpr *Call,
                      const FunctionDecl *Around) {
  const Expr *Moved = skipNoise(Call->getImplicitObjectArgument());
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Moved);
      Arrow && Arrow->getOperator() == OO_Arrow)
    Moved = skipNoise(Arrow->getArg(0));
  if (isa<CXXThisExpr>(Moved))
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(Around);
  bool MakesModule = isModuleClass(pointedClass(Around->getReturnType()));
  if (MakesModule || (Method && isModuleClass(Method->getParent())))
    return true;
  const CXXRecordDecl *Class = pointedClassOf(Moved);
  if (Class && isTorchDecl(Class) && Class->getName() == "Module")
    return true; // One of children().
  if (const auto *Member = dyn_cast<MemberExpr>(Moved))
    return isModuleClass(
        dyn_cast<CXXRecordDecl>(Member->getMemberDecl()->getDeclContext()));
  return !isa<DeclRefExpr>(Moved);
}

static bool movesParts(const FunctionDecl *Function) {
  llvm::SmallVector<const Stmt *, 32> Pending = {Function->getBody()};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
    if (Call && isModuleMove(Call) && movesPart(Call, Function))
      return true;
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return false;
}

void ModuleMembers::collect(llvm::ArrayRef<const FunctionDecl *> Functions) {
  MovesParts = llvm::any_of(Functions, ::movesParts);
  RegistrationFinder Finder(Registered);
  llvm::DenseSet<const CXXRecordDecl *> Seen;
  for (const FunctionDecl *Function : Functions) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (!Method || !isModuleClass(Method->getParent()))
      continue;
    if (Seen.insert(Method->getParent()).second)
      collectFrom(Method->getParent());
    Finder.FoundOther = false;
    Finder.search(Method->getBody());
    bool MovesItself = Method->getIdentifier() && Method->getName() == "to";
    if (Finder.FoundOther || MovesItself)
      Opaque.insert(Method->getParent()->getCanonicalDecl());
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Method);
    if (!Constructor)
      continue;
    for (const CXXCtorInitializer *Initializer : Constructor->inits())
      if (Initializer->isAnyMemberInitializer()) {
        Finder.search(Initializer->getInit());
        if (containsRegistration(Initializer->getInit()))
          Registered.insert(Initializer->getAnyMember());
      }
  }
}

static const CXXRecordDecl *classOf(const ValueDecl *Member) {
  const auto *Field = dyn_cast_or_null<FieldDecl>(Member);
  return Field ? dyn_cast<CXXRecordDecl>(Field->getParent()) : nullptr;
}

bool ModuleMembers::isRegistered(const ValueDecl *Member) const {
  if (!Member)
    return false;
  if (Registered.contains(cast<ValueDecl>(Member->getCanonicalDecl())))
    return true;
  const CXXRecordDecl *Class = classOf(Member);
  return Class && isTorchDecl(Class) && isModuleClass(Class);
}

bool ModuleMembers::isOpaque(const ValueDecl *Member) const {
  const CXXRecordDecl *Class = classOf(Member);
  return Class && isModuleClass(Class) && !isRegistered(Member) &&
         Opaque.contains(Class->getCanonicalDecl());
}
