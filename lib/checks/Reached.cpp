//===- Reached.cpp - How the program gets to a finding --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Reached.h"
#include "checks/ExpectedThrow.h"
#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "flow/Syntax.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

PathCondition
tdl::decisivePart(llvm::ArrayRef<TriedPath> All, const PathCondition &Failing,
                  llvm::function_ref<bool(AtomId)> IsExplanation) {
  PathCondition Decisive = Failing;
  for (const PathCondition::Literal &L : Failing.literals()) {
    if (IsExplanation(L.first))
      continue;
    PathCondition Without = Decisive;
    Without.remove(L.first);
    auto IsExcluded = [&](const TriedPath &Tried) {
      if (Tried.Fails)
        return true;
      return llvm::any_of(Without.literals(),
                          [&](const PathCondition::Literal &Other) {
                            return Tried.Path->valueOf(Other.first) ==
                                   std::optional<bool>(!Other.second);
                          });
    };
    if (llvm::all_of(All, IsExcluded))
      Decisive = Without;
  }
  return Decisive;
}

/// Whether \p Path is taken only by objects that nothing has completed yet: who
/// uses one before Initialize() gets another error.
static bool isBeforeCalls(const FunctionContext &C, const PathCondition &Path) {
  return llvm::any_of(Path.literals(), [&](const PathCondition::Literal &L) {
    return !L.second && C.Atoms[L.first].K == Atom::Kind::Called;
  });
}

std::optional<FailingPath>
tdl::chooseFailing(const FunctionContext &C, llvm::ArrayRef<TriedPath> All,
                   llvm::function_ref<PathCondition(size_t)> DecisivePart) {
  std::optional<FailingPath> Chosen;
  bool AllFail =
      llvm::all_of(All, [](const TriedPath &Tried) { return Tried.Fails; });
  for (size_t I = 0; I < All.size(); ++I) {
    if (!All[I].Fails)
      continue;
    bool IsSimpler = !Chosen || All[I].Path->literals().size() <
                                    All[Chosen->Index].Path->literals().size();
    if (!IsSimpler)
      continue;
    PathCondition Told = AllFail ? PathCondition() : DecisivePart(I);
    if (!isEntangled(C, Told) && !isBeforeCalls(C, Told))
      Chosen = FailingPath{I, Told};
  }
  return Chosen;
}

SourceLocation tdl::pointOfCall(const CallExpr *Call) {
  if (isa<CXXMemberCallExpr>(Call) || isa<CXXOperatorCallExpr>(Call))
    return Call->getExprLoc();
  return Call->getBeginLoc();
}

bool tdl::isExpectedToThrow(const FunctionContext &C,
                            llvm::ArrayRef<const Expr *> Chain,
                            const CallExpr *Call) {
  return isExpectedToThrow(C, Call) ||
         llvm::any_of(Chain, [&](const Expr *Site) {
           return isExpectedToThrow(C, Site);
         });
}

void tdl::moveToCall(const FunctionContext &C,
                     llvm::ArrayRef<const Expr *> Chain, llvm::StringRef Op,
                     Finding &F, size_t Index) {
  const Expr *Site = Chain[Index];
  F.Notes.insert(F.Notes.begin(), {F.At, operationNote(Op)});
  F.Origins.push_back(F.At);
  for (const Expr *Inner : llvm::drop_begin(Chain, Index + 1))
    F.Origins.push_back(pointOf(C, Inner->getExprLoc()));
  for (const Expr *Other : llvm::reverse(Chain))
    if (Other != Site)
      F.Notes.insert(F.Notes.begin(), {pointOf(C, Other->getExprLoc()),
                                       callNote(sourceText(Other, C.AST))});
  const auto *Call = dyn_cast<CallExpr>(Site);
  F.At = pointOf(C, Call ? pointOfCall(Call) : Site->getExprLoc());
  F.Extent = spanOf(C, Site->getSourceRange());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  F.Message = inCallMessage(Callee ? Callee->getNameAsString() : "", F.Message);
  F.Fixes.clear(); // The callee may be right for its other callers.
}
