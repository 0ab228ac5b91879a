//===- Instantiations.cpp - What became of the user's templates ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/Instantiations.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace tdl {

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  std::vector<FunctionDecl *> Found;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (Function->isTemplateInstantiation() &&
        Function->doesThisDeclarationHaveABody() &&
        Seen.insert(Function).second)
      Found.push_back(Function);
    return true;
  }

  /// The visitor walks a lambda's own body, not what its call operator was
  /// instantiated to.
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    if (FunctionTemplateDecl *Template = Lambda->getDependentCallOperator())
      for (FunctionDecl *Instance : Template->specializations())
        if (!Seen.contains(Instance) && !TraverseDecl(Instance))
          return false;
    return true;
  }

private:
  llvm::SmallPtrSet<FunctionDecl *, 16> Seen;
};

} // namespace

std::vector<FunctionDecl *> findInstantiations(llvm::ArrayRef<Decl *> Roots) {
  Finder Walk;
  for (Decl *Root : Roots)
    Walk.TraverseDecl(Root);
  return std::move(Walk.Found);
}

} // namespace tdl
