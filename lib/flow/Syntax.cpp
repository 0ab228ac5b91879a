//===- Syntax.cpp - Small questions about clang's syntax tree --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace tdl;

const Expr *tdl::skipNoise(const Expr *E) {
  while (E) {
    if (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(E)) // Clean-ups, constants.
      E = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CXXStaticCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CStyleCastExpr>(E);
             Cast && !Cast->getType()->isVoidType())
      E = Cast->getSubExpr();
    else if (const auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Replaced->getReplacement();
    else
      return E;
  }
  return E;
}

std::string tdl::sourceText(const Expr *E, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  CharSourceRange Range = CharSourceRange::getTokenRange(E->getSourceRange());
  CharSourceRange FileRange =
      Lexer::makeFileCharRange(Range, SM, AST.getLangOpts());
  if (FileRange.isInvalid())
    FileRange = SM.getExpansionRange(E->getSourceRange());
  llvm::StringRef Text =
      Lexer::getSourceText(FileRange, SM, AST.getLangOpts());
  std::string OneLine;
  for (char Character : Text) {
    bool IsSpace = isspace(static_cast<unsigned char>(Character));
    if (!IsSpace)
      OneLine += Character;
    else if (!OneLine.empty() && OneLine.back() != ' ')
      OneLine += ' ';
  }
  return OneLine;
}

bool tdl::isStandardOrTorch(const Decl *D) {
  return D->isInStdNamespace() || isTorchDecl(D);
}

const InitListExpr *tdl::listSyntax(const Expr *E) {
  while (E) {
    E = skipNoise(E);
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return List;
    if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
      E = List->getSubExpr();
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
             Construct && Construct->getNumArgs() >= 1)
      E = Construct->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

unsigned tdl::tensorTupleSize(QualType Type) {
  llvm::StringRef Name = className(Type);
  if (Name != "tuple" && Name != "pair")
    return 0;
  const auto *Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Record)
    return 0;
  llvm::SmallVector<TemplateArgument, 4> Parts;
  for (const TemplateArgument &Argument : Record->getTemplateArgs().asArray())
    if (Argument.getKind() == TemplateArgument::Pack)
      Parts.append(Argument.pack_begin(), Argument.pack_end());
    else
      Parts.push_back(Argument);
  bool AllTensors = llvm::all_of(Parts, [](const TemplateArgument &Part) {
    return Part.getKind() == TemplateArgument::Type &&
           torchTypeOf(Part.getAsType()) == TorchType::Tensor;
  });
  return AllTensors ? Parts.size() : 0;
}

namespace {
/// An explicit stack instead of recursion: generated code nests deeply.
class BodyWalker {
public:
  explicit BodyWalker(BodyFacts &Facts) : Facts(Facts) {}

  void walk(const Stmt *Body) {
    Pending.push_back(Body);
    while (!Pending.empty()) {
      const Stmt *S = Pending.pop_back_val();
      if (!S)
        continue;
      visit(S);
      for (const Stmt *Child : S->children())
        Pending.push_back(Child);
    }
  }

private:
  void discard(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    // A cast to void says that the value is meant to be dropped.
    if (const auto *Cast = dyn_cast<CastExpr>(E->IgnoreParens());
        Cast && Cast->getCastKind() == CK_ToVoid && isa<ExplicitCastExpr>(Cast))
      return;
    E = skipNoise(E);
    Facts.Discarded.insert(E);
    if (const auto *Comma = dyn_cast<BinaryOperator>(E);
        Comma && Comma->getOpcode() == BO_Comma)
      discard(Comma->getRHS());
  }

  void visit(const Stmt *S) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        discard(Child);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      discard(If->getThen());
      discard(If->getElse());
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      discard(For->getInit());
      discard(For->getInc());
      discard(For->getBody());
    } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
      discard(Range->getBody());
      visitRange(Range);
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      discard(While->getBody());
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      discard(Do->getBody());
    } else if (const auto *Case = dyn_cast<SwitchCase>(S)) {
      discard(Case->getSubStmt());
    } else if (const auto *Label = dyn_cast<LabelStmt>(S)) {
      discard(Label->getSubStmt());
    } else if (const auto *Comma = dyn_cast<BinaryOperator>(S);
               Comma && Comma->getOpcode() == BO_Comma) {
      discard(Comma->getLHS());
    } else if (const auto *Conditional =
                   dyn_cast<AbstractConditionalOperator>(S)) {
      Facts.Arms.insert(skipNoise(Conditional->getTrueExpr()));
      Facts.Arms.insert(skipNoise(Conditional->getFalseExpr()));
    } else if (const auto *Address = dyn_cast<UnaryOperator>(S);
               Address && Address->getOpcode() == UO_AddrOf) {
      if (const auto *Reference =
              dyn_cast<DeclRefExpr>(skipNoise(Address->getSubExpr())))
        Facts.Untracked.insert(canonical(Reference->getDecl()));
    } else if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      visitLambda(Lambda);
    }
    const Expr *Target = nullptr;
    if (const auto *Assign = dyn_cast<BinaryOperator>(S);
        Assign && Assign->isAssignmentOp())
      Target = Assign->getLHS();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S);
             Operator && Operator->isAssignmentOp())
      Target = Operator->getArg(0);
    if (Target)
      if (const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(Target)))
        Facts.Reassigned.insert(canonical(Reference->getDecl()));
  }

  /// `for (auto &t : list) t = ...` changes the list without naming it.
  void visitRange(const CXXForRangeStmt *Range) {
    QualType Element = Range->getLoopVariable()->getType();
    const auto *List =
        dyn_cast<DeclRefExpr>(skipNoise(Range->getRangeInit()));
    if (List && Element->isLValueReferenceType() &&
        !Element->getPointeeType().isConstQualified() &&
        torchTypeOf(Element) == TorchType::Tensor)
      Facts.Untracked.insert(canonical(List->getDecl()));
  }

  static const ValueDecl *canonical(const ValueDecl *Declaration) {
    return cast<ValueDecl>(Declaration->getCanonicalDecl());
  }

  /// Variables that the lambda's body may assign to.
  void visitLambda(const LambdaExpr *Lambda) {
    llvm::SmallVector<const Stmt *, 32> Inner = {Lambda->getBody()};
    while (!Inner.empty()) {
      const Stmt *S = Inner.pop_back_val();
      if (!S)
        continue;
      const Expr *Target = nullptr;
      if (const auto *Assign = dyn_cast<BinaryOperator>(S);
          Assign && Assign->isAssignmentOp())
        Target = Assign->getLHS();
      else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S);
               Operator && Operator->isAssignmentOp())
        Target = Operator->getArg(0);
      else if (const auto *Step = dyn_cast<UnaryOperator>(S);
               Step && Step->isIncrementDecrementOp())
        Target = Step->getSubExpr();
      else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(S);
               Member && Member->getMethodDecl() &&
               !Member->getMethodDecl()->isConst())
        Target = Member->getImplicitObjectArgument();
      if (Target)
        if (const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(Target)))
          Facts.Untracked.insert(canonical(Reference->getDecl()));
      for (const Stmt *Child : S->children())
        Inner.push_back(Child);
    }
  }

  BodyFacts &Facts;
  llvm::SmallVector<const Stmt *, 64> Pending;
};
} // namespace

BodyFacts tdl::collectBodyFacts(const Stmt *Body) {
  BodyFacts Facts;
  BodyWalker(Facts).walk(Body);
  return Facts;
}
