//===- EntryPoints.cpp - Functions whose callers are not known -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "summary/EntryPoints.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

/// A call that exports a function: torch::Library::def and impl,
/// torch::class_::def, pybind11's def.
static bool isExport(const Stmt *S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier())
    return false;
  bool HasName = llvm::StringSwitch<bool>(Method->getName())
                     .Cases({"def", "impl", "def_static", "op"}, true)
                     .Default(false);
  if (!HasName)
    return false;
  std::string Class = Method->getParent()->getQualifiedNameAsString();
  return llvm::StringRef(Class).starts_with("torch::") ||
         llvm::StringRef(Class).starts_with("c10::") ||
         llvm::StringRef(Class).starts_with("pybind11::");
}

/// TORCH_LIBRARY_IMPL(ns, CPU, m) makes a function that is named
/// TORCH_LIBRARY_IMPL_init_ns_CPU_N (torch/library.h).
static bool registersForHost(const FunctionDecl *Function) {
  llvm::StringRef Name =
      Function->getIdentifier() ? Function->getName() : llvm::StringRef();
  return Name.starts_with("TORCH_LIBRARY_IMPL_init_") && Name.contains("_CPU_");
}

namespace {
/// Which functions the bodies of a translation unit export and refer to.
class ReferenceFinder {
public:
  void search(const FunctionDecl *Function) {
    InHostLibrary = registersForHost(Function);
    walk(Function->getBody(), /*InExport=*/false);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Initializer : Constructor->inits())
        walk(Initializer->getInit(), /*InExport=*/false);
  }

  llvm::DenseSet<const FunctionDecl *> Exported, Referred;

private:
  void walk(const Stmt *Root, bool InExport) {
    llvm::SmallVector<std::pair<const Stmt *, bool>, 32> Pending = {
        {Root, InExport}};
    while (!Pending.empty()) {
      auto [S, Exports] = Pending.pop_back_val();
      if (!S)
        continue;
      Exports |= isExport(S);
      note(S, Exports);
      for (const Stmt *Child : S->children())
        Pending.push_back({Child, Exports});
    }
  }

  void note(const Stmt *S, bool Exports) {
    const Decl *Named = nullptr;
    if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
      Named = Reference->getDecl();
    else if (const auto *Member = dyn_cast<MemberExpr>(S))
      Named = Member->getMemberDecl();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(S))
      Named = Made->getConstructor();
    else if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
      Named = Exports ? Lambda->getCallOperator() : nullptr;
    const auto *Function = dyn_cast_or_null<FunctionDecl>(Named);
    if (!Function)
      return;
    bool IsEntry = Exports && !InHostLibrary;
    (IsEntry ? Exported : Referred).insert(Function->getCanonicalDecl());
  }

  bool InHostLibrary = false;
};
} // namespace

static bool isPublic(const FunctionDecl *Function) {
  return Function->isExternallyVisible() && !Function->isMain() &&
         !Function->isTemplateInstantiation() &&
         Function->getAccess() != AS_private &&
         Function->getAccess() != AS_protected;
}

llvm::DenseSet<const FunctionDecl *>
tdl::findEntryPoints(llvm::ArrayRef<const FunctionDecl *> Functions) {
  ReferenceFinder Finder;
  for (const FunctionDecl *Function : Functions)
    Finder.search(Function);
  llvm::DenseSet<const FunctionDecl *> Entries;
  auto AddLambda = [&](const FunctionDecl *Function) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Function))
      if (Method->getParent()->isLambda())
        Entries.insert(Function);
  };
  for (const FunctionDecl *Exported : Finder.Exported)
    AddLambda(Exported);
  for (const FunctionDecl *Function : Functions) {
    const FunctionDecl *Canonical = Function->getCanonicalDecl();
    if (Finder.Exported.count(Canonical) || Function->isExternC() ||
        (isPublic(Function) && !Finder.Referred.count(Canonical)))
      Entries.insert(Function);
  }
  return Entries;
}
