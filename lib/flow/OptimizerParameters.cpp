//===- OptimizerParameters.cpp - Whose parameters an optimizer changes -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/OptimizerParameters.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

/// The class of LibTorch's optimizers that \p Type is or points to; null for
/// any other type.
static const CXXRecordDecl *optimizerClass(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return nullptr;
  Type = Type.getNonReferenceType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  else if (isSmartPointer(Type))
    Type = templateArgument(Type->getAsCXXRecordDecl());
  const CXXRecordDecl *Class =
      Type.isNull() ? nullptr : Type->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier() || !isTorchDecl(Class))
    return nullptr;
  return llvm::StringSwitch<bool>(Class->getName())
                 .Cases({"Optimizer", "Adam", "AdamW", "SGD"}, true)
                 .Cases({"RMSprop", "Adagrad", "LBFGS"}, true)
                 .Default(false)
             ? Class
             : nullptr;
}

bool tdl::isOptimizer(QualType Type) { return optimizerClass(Type) != nullptr; }

namespace {
/// What the expression that makes an optimizer says.
struct Construction {
  const CXXRecordDecl *Class = nullptr; ///< The one that is made.
  const Expr *Parameters = nullptr;     ///< net->parameters()
  bool HasMomentum = false;
};
} // namespace

static Construction readConstruction(const Expr *Source) {
  Construction Found;
  llvm::SmallVector<const Stmt *, 16> Pending = {Source};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S || isa<LambdaExpr>(S))
      continue;
    const auto *E = dyn_cast<Expr>(S);
    // The innermost is what std::make_unique makes; an empty pointer is none.
    bool Makes = isa<CXXNewExpr, CallExpr>(S) ||
                 (isa<CXXConstructExpr>(S) && !isSmartPointer(E->getType()));
    if (Makes && E)
      if (const CXXRecordDecl *Class = optimizerClass(E->getType());
          Class && Class->getName() != "Optimizer")
        Found.Class = Class;
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(S)) {
      const CXXMethodDecl *Method = Call->getMethodDecl();
      if (Method && Method->getIdentifier() && isTorchDecl(Method)) {
        Found.HasMomentum |= Method->getName() == "momentum";
        if (Method->getName() == "parameters" &&
            isModuleClass(Method->getParent()))
          Found.Parameters = Call;
      }
    }
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
  return Found;
}

/// The variable or member of *this that names the module whose parameters these
/// are; null for anything else.
static const ValueDecl *moduleNamed(const Expr *Parameters) {
  const auto *Call = cast<CXXMemberCallExpr>(Parameters);
  const Expr *Module = skipNoise(Call->getImplicitObjectArgument());
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Module))
    Module = skipNoise(Arrow->getArg(0));
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Module))
    return isa<VarDecl>(Reference->getDecl()) ? Reference->getDecl() : nullptr;
  const auto *Member = dyn_cast<MemberExpr>(Module);
  return Member && isa<CXXThisExpr>(skipNoise(Member->getBase()))
             ? Member->getMemberDecl()
             : nullptr;
}

void OptimizerParameters::add(const ValueDecl *Named, const Expr *Source) {
  if (!isOptimizer(Named->getType()))
    return;
  Construction Made = readConstruction(Source);
  if (!Made.Class)
    return; // nullptr, or an empty pointer.
  bool HasState = Made.Class->getName() != "SGD" || Made.HasMomentum;
  Row New;
  if (HasState && Made.Parameters) {
    New.Module = moduleNamed(Made.Parameters);
    New.Parameters = Made.Parameters;
  }
  auto [It, Inserted] =
      Rows.try_emplace(cast<ValueDecl>(Named->getCanonicalDecl()), New);
  if (!Inserted && It->second.Module != New.Module)
    It->second = Row();
}

void OptimizerParameters::search(const Stmt *Body) {
  llvm::SmallVector<const Stmt *, 32> Pending = {Body};
  while (!Pending.empty()) {
    const Stmt *S = Pending.pop_back_val();
    if (!S)
      continue;
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Part : Declaration->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Part))
          if (Variable->getInit())
            add(Variable, Variable->getInit());
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S);
               Operator && Operator->getOperator() == OO_Equal) {
      const Expr *Target = skipNoise(Operator->getArg(0));
      if (const auto *Member = dyn_cast<MemberExpr>(Target))
        add(Member->getMemberDecl(), Operator->getArg(1));
      else if (const auto *Reference = dyn_cast<DeclRefExpr>(Target))
        add(Reference->getDecl(), Operator->getArg(1));
    }
    for (const Stmt *Child : S->children())
      Pending.push_back(Child);
  }
}

void OptimizerParameters::collect(
    llvm::ArrayRef<const FunctionDecl *> Functions) {
  for (const FunctionDecl *Function : Functions) {
    search(Function->getBody());
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
    if (!Constructor)
      continue;
    for (const CXXCtorInitializer *Initializer : Constructor->inits())
      if (Initializer->isAnyMemberInitializer() && Initializer->getInit())
        add(Initializer->getAnyMember(), Initializer->getInit());
  }
}

const OptimizerParameters::Row *
OptimizerParameters::of(const ValueDecl *Named) const {
  auto It = Rows.find(cast<ValueDecl>(Named->getCanonicalDecl()));
  return It == Rows.end() || !It->second.Module ? nullptr : &It->second;
}
