//===- SeedProgram.cpp - A program and where it can be changed ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeedProgram.h"
#include "compile/UnitParser.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

using namespace clang;
using namespace tdl;
using namespace tdl::fuzz;

namespace {
/// Finds the sites of one part, with a stack of the variables in scope.
class SiteFinder {
public:
  SiteFinder(ASTContext &Context, std::vector<MutationSite> &Sites)
      : Context(Context), Sites(Sites) {}

  void walkFunction(const FunctionDecl *Function) {
    Stmt *Body = Function->getBody();
    if (!Body || Function->isImplicit() || Function->isDefaulted())
      return;
    size_t Outside = Scope.size();
    for (const ParmVarDecl *Parameter : Function->parameters())
      Scope.push_back(numberOf(Parameter));
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Initializer : Constructor->inits())
        if (Initializer->isWritten())
          walkChildren(Initializer->getInit()); // Its own text has the name.
    walk(Body);
    Scope.resize(Outside);
  }

  void walkClass(const CXXRecordDecl *Class) {
    for (const Decl *Member : Class->decls()) {
      if (const auto *Method = dyn_cast<FunctionDecl>(Member))
        walkFunction(Method);
      else if (const auto *Field = dyn_cast<FieldDecl>(Member))
        walk(Field->getInClassInitializer());
      else if (const auto *Inner = dyn_cast<CXXRecordDecl>(Member))
        walkClass(Inner);
    }
  }

  /// The text of \p Range if it stands in the file as it is, not in a macro.
  std::optional<Span> spanOf(SourceRange Range) const {
    const SourceManager &SM = Context.getSourceManager();
    if (Range.isInvalid() || Range.getBegin().isMacroID() ||
        Range.getEnd().isMacroID() || !SM.isInMainFile(Range.getBegin()) ||
        !SM.isInMainFile(Range.getEnd()))
      return std::nullopt;
    unsigned End =
        SM.getFileOffset(Range.getEnd()) +
        Lexer::MeasureTokenLength(Range.getEnd(), SM, Context.getLangOpts());
    unsigned Begin = SM.getFileOffset(Range.getBegin());
    if (Begin >= End)
      return std::nullopt;
    return Span{Begin, End};
  }

private:
  unsigned numberOf(const VarDecl *Variable) {
    return Numbers.try_emplace(Variable, Numbers.size()).first->second;
  }

  void walk(Stmt *S) {
    if (!S)
      return;
    if (auto *E = dyn_cast<Expr>(S))
      addExpression(E);
    size_t Outside = Scope.size();
    if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      walkLambda(Lambda);
    } else if (auto *Loop = dyn_cast<CXXForRangeStmt>(S)) {
      walk(Loop->getRangeInit());
      Scope.push_back(numberOf(Loop->getLoopVariable()));
      walk(Loop->getBody());
    } else if (auto *Declaration = dyn_cast<DeclStmt>(S)) {
      walkDeclaration(Declaration);
      return; // Its variables stay in scope.
    } else {
      bool IsBlock = isa<CompoundStmt>(S);
      for (Stmt *Child : S->children()) {
        if (IsBlock && Child)
          addStatement(Child);
        walk(Child);
      }
    }
    Scope.resize(Outside);
  }

  void walkChildren(Stmt *S) {
    for (Stmt *Child : S->children())
      walk(Child);
  }

  void walkDeclaration(DeclStmt *Declaration) {
    for (Decl *D : Declaration->decls())
      if (auto *Variable = dyn_cast<VarDecl>(D)) {
        walk(Variable->getInit());
        Scope.push_back(numberOf(Variable));
      }
  }

  void walkLambda(LambdaExpr *Lambda) {
    for (Expr *Init : Lambda->capture_inits())
      walk(Init);
    if (Lambda->getCaptureDefault() == LCD_None) {
      Scope.clear();
      for (const LambdaCapture &Capture : Lambda->captures())
        if (Capture.capturesVariable())
          if (auto *Variable = dyn_cast<VarDecl>(Capture.getCapturedVar()))
            Scope.push_back(numberOf(Variable));
    }
    if (!Lambda->isGenericLambda())
      walkFunction(Lambda->getCallOperator());
  }

  /// The variables that \p S names and does not declare itself.
  void addReads(const Stmt *S, llvm::BitVector &Into) {
    if (!S)
      return;
    if (const auto *Name = dyn_cast<DeclRefExpr>(S))
      if (const auto *Variable = dyn_cast<VarDecl>(Name->getDecl()))
        if (Variable->isLocalVarDeclOrParm())
          set(Into, numberOf(Variable));
    for (const Stmt *Child : S->children())
      addReads(Child, Into);
  }

  static void set(llvm::BitVector &Bits, unsigned Number) {
    if (Bits.size() <= Number)
      Bits.resize(Number + 1);
    Bits.set(Number);
  }

  void add(const Stmt *S, MutationSite Site) {
    std::optional<Span> Where = spanOf(S->getSourceRange());
    if (!Where)
      return;
    Site.Where = *Where;
    addReads(S, Site.Reads);
    for (unsigned Number : Scope)
      set(Site.InScope, Number);
    Sites.push_back(std::move(Site));
  }

  void addStatement(const Stmt *S) {
    if (isa<DeclStmt, NullStmt>(S))
      return;
    MutationSite Site;
    Site.What = MutationSite::Kind::Statement;
    add(S, std::move(Site));
  }

  void addExpression(const Expr *E) {
    if (E != E->IgnoreImplicit() || E->isTypeDependent() ||
        E->isValueDependent() || isa<InitListExpr, CXXDefaultArgExpr>(E))
      return;
    QualType Type = E->getType().getCanonicalType();
    if (Type->isVoidType() || Type->isFunctionType() ||
        Type->isPlaceholderType() || Type->isArrayType())
      return;
    MutationSite Site;
    bool IsLvalue = E->isLValue();
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.adjustForCPlusPlus();
    Site.Type =
        (IsLvalue ? Type : Type.getUnqualifiedType()).getAsString(Policy);
    if (IsLvalue)
      Site.Type += " lvalue";
    add(E, std::move(Site));
  }

  ASTContext &Context;
  std::vector<MutationSite> &Sites;
  std::vector<unsigned> Scope;
  llvm::DenseMap<const VarDecl *, unsigned> Numbers;
};
} // namespace

/// Whether the function can be declared where it is, without its body.
static bool canLoseBody(const FunctionDecl *Function) {
  return !isa<CXXMethodDecl>(Function) && !Function->isMain() &&
         !Function->getReturnType()->getContainedDeducedType() &&
         !Function->isConstexpr();
}

SeedProgram tdl::fuzz::readSeed(llvm::StringRef Path, ParsedUnit &Unit) {
  SeedProgram Seed;
  const SourceManager &SM = Unit.Context.getSourceManager();
  Seed.Path = Path.str();
  Seed.Text = SM.getBufferData(SM.getMainFileID()).str();
  for (Decl *TopLevel : Unit.TopLevel) {
    SeedPart Part;
    SiteFinder Finder(Unit.Context, Part.Sites);
    std::optional<Span> Where = Finder.spanOf(TopLevel->getSourceRange());
    if (!Where)
      continue;
    Part.Where = *Where;
    if (auto *Function = dyn_cast<FunctionDecl>(TopLevel)) {
      if (!Function->doesThisDeclarationHaveABody() || Function->isMain())
        continue;
      Finder.walkFunction(Function);
      if (canLoseBody(Function))
        Part.Body = Finder.spanOf(Function->getBody()->getSourceRange())
                        .value_or(Span());
    } else if (auto *Class = dyn_cast<CXXRecordDecl>(TopLevel)) {
      if (!Class->isThisDeclarationADefinition())
        continue;
      Finder.walkClass(Class);
      size_t Semicolon = Seed.Text.find(';', Part.Where.End);
      if (Semicolon == std::string::npos)
        continue;
      Part.Where.End = Semicolon + 1;
    } else {
      continue;
    }
    if (!Part.Sites.empty())
      Seed.Parts.push_back(std::move(Part));
  }
  return Seed;
}
