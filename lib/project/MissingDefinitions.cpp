//===- MissingDefinitions.cpp - What a unit uses and does not define -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "project/MissingDefinitions.h"
#include "compile/AbsolutePath.h"
#include "compile/BodySkipper.h"
#include "compile/UnitParser.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;
using namespace tdl;

namespace {
class UseFinder : public RecursiveASTVisitor<UseFinder> {
public:
  explicit UseFinder(const ParsedUnit &Unit) : Unit(Unit) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    addFunction(dyn_cast<FunctionDecl>(E->getDecl()));
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    addFunction(dyn_cast<FunctionDecl>(E->getMemberDecl()));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    addFunction(E->getConstructor());
    return true;
  }
  bool VisitExpr(Expr *E) {
    if (!E->getType().isNull())
      addType(E->getType());
    return true;
  }

  std::map<std::string, std::set<std::string>> Missing;

private:
  void addFunction(const FunctionDecl *Function) {
    if (!Function || !Seen.insert(Function->getCanonicalDecl()).second)
      return;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Function))
      addClass(Method->getParent());
    note(Function);
  }

  void note(const FunctionDecl *Function) {
    if (Function->isDefined() || Function->isImplicit() ||
        Function->isPureVirtual() || Function->isDeleted() ||
        Function->isDefaulted() || Function->isTemplated() ||
        Function->isTemplateInstantiation() || isDeviceCode(Function) ||
        !Unit.isProject(Function->getLocation()))
      return;
    const SourceManager &SM = Unit.Context.getSourceManager();
    OptionalFileEntryRef File = SM.getFileEntryRefForID(
        SM.getFileID(SM.getExpansionLoc(Function->getLocation())));
    if (!File)
      return;
    llvm::SmallString<256> Path = File->getName();
    SM.getFileManager().makeAbsolutePath(Path);
    // A constructor is written under its class's name.
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
    Missing[absolutePath(Path)].insert(
        Constructor ? Constructor->getParent()->getNameAsString()
                    : Function->getNameAsString());
  }

  void addType(QualType Type) {
    if (const auto *Pointer = Type->getAs<PointerType>())
      Type = Pointer->getPointeeType();
    addClass(Type.getNonReferenceType()->getAsCXXRecordDecl());
  }

  /// \p Class, and the classes that it holds by its template's arguments or
  /// those of its bases: shared_ptr<Net>, a holder of Net.
  void addClass(const CXXRecordDecl *Class) {
    if (!Class || !Seen.insert(Class->getCanonicalDecl()).second)
      return;
    if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Class))
      for (const TemplateArgument &Argument : Instance->getTemplateArgs().asArray())
        if (Argument.getKind() == TemplateArgument::Type)
          addType(Argument.getAsType());
    Class = Class->getDefinition();
    if (!Class || Class->isDependentContext())
      return;
    if (Unit.isProject(Class->getLocation()))
      for (const CXXMethodDecl *Method : Class->methods())
        note(Method);
    for (const CXXBaseSpecifier &Base : Class->bases())
      addClass(Base.getType()->getAsCXXRecordDecl());
    if (Unit.isProject(Class->getLocation()))
      for (const FieldDecl *Field : Class->fields())
        addType(Field->getType());
  }

  const ParsedUnit &Unit;
  llvm::DenseSet<const void *> Seen;
};
} // namespace

std::map<std::string, std::set<std::string>>
tdl::findMissingDefinitions(const ParsedUnit &Unit) {
  UseFinder Finder(Unit);
  for (Decl *TopLevel : Unit.TopLevel)
    Finder.TraverseDecl(TopLevel);
  return std::move(Finder.Missing);
}
