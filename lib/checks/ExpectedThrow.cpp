//===- ExpectedThrow.cpp - Code that is meant to fail ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/ExpectedThrow.h"
#include "flow/FunctionContext.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace tdl;

bool tdl::isExpectedToThrow(const FunctionContext &Context, const Expr *E) {
  const SourceManager &SM = Context.AST.getSourceManager();
  SourceLocation Loc = E->getExprLoc();
  while (Loc.isMacroID()) {
    llvm::StringRef Macro = Lexer::getImmediateMacroName(
        Loc, SM, Context.AST.getLangOpts());
    // EXPECT_THROW, ASSERT_ANY_THROW, CHECK_THROWS_AS, REQUIRE_THROWS,
    // BOOST_CHECK_EXCEPTION, EXPECT_DEATH; not EXPECT_NO_THROW.
    bool SaysThrow = Macro.contains("THROW") || Macro.contains("DEATH") ||
                     Macro.contains("EXCEPTION") || Macro.contains("RAISES");
    if (SaysThrow && !Macro.contains("NO_THROW") && !Macro.contains("NOTHROW"))
      return true;
    Loc = SM.getImmediateMacroCallerLoc(Loc);
  }
  return false;
}
