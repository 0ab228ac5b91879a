//===- Binding.cpp - Which of LibTorch's functions have a contract ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/Binding.h"
#include "torch/Callee.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace clang;
using namespace tdl;

static bool holdsTensor(QualType Type) {
  if (Type.isNull())
    return false;
  if (torchTypeOf(Type) == TorchType::Tensor || isTensorList(Type))
    return true;
  const auto *Tuple = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Tuple || !Tuple->getIdentifier() || Tuple->getName() != "tuple")
    return false;
  for (const TemplateArgument &Pack : Tuple->getTemplateArgs().asArray())
    if (Pack.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Element : Pack.pack_elements())
        if (Element.getKind() == TemplateArgument::Type &&
            holdsTensor(Element.getAsType()))
          return true;
  return false;
}

static bool takesTensor(const FunctionDecl *Function) {
  return llvm::any_of(Function->parameters(), [](const ParmVarDecl *P) {
    return holdsTensor(P->getType());
  });
}

static std::string scopeOf(const FunctionDecl *Function) {
  std::string Scope;
  llvm::raw_string_ostream OS(Scope);
  if (const auto *Parent = dyn_cast<NamedDecl>(Function->getDeclContext()))
    Parent->printQualifiedName(OS);
  return Scope;
}

/// Moving a handle about is not an operation. `x[0] = y`, an assignment to a
/// temporary, is one: it copies.
static bool isHandling(const FunctionDecl *Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  return isa<CXXConstructorDecl, CXXDestructorDecl>(Function) ||
         (Method && Method->getOverloadedOperator() == OO_Equal &&
          Method->getRefQualifier() != RQ_RValue);
}

namespace {
class Collector : public RecursiveASTVisitor<Collector> {
public:
  Collector(const ContractTable &Table, std::optional<LibTorchVersion> Version)
      : Table(Table), Version(Version) {}

  bool VisitFunctionDecl(FunctionDecl *Function) {
    bool IsPublic =
        Function->getAccess() == AS_public || Function->getAccess() == AS_none;
    if (!IsPublic || Function->getPreviousDecl() || Function->isDeleted() ||
        !isTorchDecl(Function) || isHandling(Function))
      return true;
    std::string Scope = scopeOf(Function);
    if (Scope == "torch::nn::functional")
      noteOptions(Function);
    if (!takesTensor(Function) && !holdsTensor(Function->getReturnType()))
      return true;
    if (Scopes.contains(Scope))
      add(Function, Scope, rowOf(Function) != nullptr);
    else if (isa<CXXMethodDecl>(Function) && takesTensor(Function))
      Setters.push_back(Function);
    return true;
  }

  std::vector<TensorFunction> finish() {
    for (const FunctionDecl *Setter : Setters) {
      auto Taken = OptionsOf.find(
          cast<CXXMethodDecl>(Setter)->getParent()->getCanonicalDecl());
      if (Taken != OptionsOf.end())
        add(Setter, scopeOf(Setter), Taken->second);
    }
    std::vector<TensorFunction> All;
    for (auto &Entry : Found)
      All.push_back(std::move(Entry.second));
    return All;
  }

private:
  const Contract *rowOf(const FunctionDecl *Function) const {
    TorchCallee Callee = torchCalleeOf(Function);
    if (!Callee)
      return nullptr;
    // The names that a call binds, as flow/Operations.cpp does it.
    llvm::SmallVector<llvm::StringRef, 8> Parameters;
    if (Callee.IsOperator)
      Parameters = {"self", "other"};
    else
      for (const ParmVarDecl *P : Function->parameters())
        Parameters.push_back(P->getName());
    return Table.find(Callee.Op, Parameters, Version);
  }

  /// An options object is bound when the functions that take it are.
  void noteOptions(const FunctionDecl *Function) {
    for (const ParmVarDecl *P : Function->parameters())
      if (const CXXRecordDecl *Record =
              P->getType().getNonReferenceType()->getAsCXXRecordDecl();
          Record && Record->getName().ends_with("Options")) {
        // ConvFuncOptions<2> has its setters from the template.
        if (const CXXRecordDecl *Pattern =
                Record->getTemplateInstantiationPattern())
          Record = Pattern;
        bool IsBound = rowOf(Function) != nullptr;
        auto [It, Inserted] =
            OptionsOf.try_emplace(Record->getCanonicalDecl(), IsBound);
        It->second &= IsBound;
      }
  }

  void add(const FunctionDecl *Function, llvm::StringRef Scope, bool IsBound) {
    TensorFunction F{Scope.str(), Function->getNameAsString(),
                     Function->getType().getAsString(), IsBound};
    std::string Key = F.Scope + "\t" + F.Name + "\t" + F.Signature;
    Found.try_emplace(std::move(Key), std::move(F));
  }

  const ContractTable &Table;
  std::optional<LibTorchVersion> Version;
  std::map<std::string, TensorFunction> Found;
  std::vector<const FunctionDecl *> Setters;
  llvm::DenseMap<const CXXRecordDecl *, bool> OptionsOf;
  const llvm::StringSet<> Scopes = {
      "at",
      "at::symint",
      "at::indexing",
      "at::Tensor",
      "at::TensorBase",
      "torch",
      "torch::autograd",
      "torch::fft",
      "torch::linalg",
      "torch::nested",
      "torch::nn::functional",
      "torch::nn::init",
      "torch::nn::utils",
      "torch::nn::utils::rnn",
      "torch::special",
      "torch::stable",
      "torch::stable::Tensor",
  };
};
} // namespace

std::vector<TensorFunction>
tdl::tensorFunctionsOf(ASTContext &AST, const ContractTable &Table,
                       std::optional<LibTorchVersion> Version) {
  Collector C(Table, Version);
  C.TraverseDecl(AST.getTranslationUnitDecl());
  return C.finish();
}
