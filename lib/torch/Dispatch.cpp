//===- Dispatch.cpp - Operators that are called by their name -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/Dispatch.h"
#include "torch/SchemaText.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace tdl;

/// \p E without what the compiler adds: casts, temporaries, copies.
static const Expr *plain(const Expr *E) {
  while (E) {
    E = E->IgnoreUnlessSpelledInSource();
    const auto *Construct = dyn_cast<CXXConstructExpr>(E);
    if (!Construct || Construct->getNumArgs() != 1 ||
        !Construct->getConstructor()->isCopyOrMoveConstructor())
      return E;
    E = Construct->getArg(0);
  }
  return E;
}

static std::optional<llvm::StringRef> textOf(const Expr *E) {
  const auto *Literal = dyn_cast_or_null<clang::StringLiteral>(plain(E));
  return Literal && Literal->isOrdinary() ? std::optional(Literal->getString())
                                          : std::nullopt;
}

/// Whether \p Call is of a method of LibTorch of that name.
static bool isMethod(const CXXMemberCallExpr *Call, llvm::StringRef Name) {
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && isTorchDecl(Method) &&
         Method->getName() == Name;
}

DispatchedOp
tdl::dispatchedOpOf(const CallExpr *Call,
                    llvm::function_ref<bool(const VarDecl *)> IsConstant) {
  const auto *Run = dyn_cast<CXXMemberCallExpr>(Call);
  if (!isMethod(Run, "call") ||
      className(Run->getObjectType()) != "TypedOperatorHandle")
    return {};
  const Expr *Handle = plain(Run->getImplicitObjectArgument());
  // auto op = ...typed<...>(); auto handle = ...findSchemaOrThrow(...);
  for (unsigned Steps = 0; Steps != 4; ++Steps) {
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Handle)) {
      const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
      const Expr *Init = Variable && !isa<ParmVarDecl>(Variable)
                             ? Variable->getAnyInitializer()
                             : nullptr;
      if (!Init || !IsConstant(Variable))
        return {};
      Handle = plain(Init);
      continue;
    }
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Handle);
    if (isMethod(Member, "typed")) {
      Handle = plain(Member->getImplicitObjectArgument());
      continue;
    }
    if (!isMethod(Member, "findSchemaOrThrow") || Member->getNumArgs() != 2)
      return {};
    std::optional<llvm::StringRef> Name = textOf(Member->getArg(0));
    std::optional<llvm::StringRef> Overload = textOf(Member->getArg(1));
    if (!Name || !Overload)
      return {};
    return {Name->str(), Overload->str()};
  }
  return {};
}

/// The only declaration of \p Kind called \p Name in \p Context; null.
template <typename Kind>
static const Kind *declaredIn(ASTContext &AST, const DeclContext *Context,
                              llvm::StringRef Name) {
  if (!Context)
    return nullptr;
  for (const NamedDecl *Found : Context->lookup(&AST.Idents.get(Name)))
    if (const auto *Wanted = dyn_cast<Kind>(Found))
      return Wanted;
  return nullptr;
}

llvm::SmallVector<llvm::StringRef, 6>
tdl::atenParameters(ASTContext &AST, const DispatchedOp &Op) {
  llvm::StringRef Name = Op.Name;
  llvm::SmallVector<llvm::StringRef, 6> Names;
  if (!Name.consume_front("aten::"))
    return Names;
  // at::_ops::add_Tensor::call, in ATen/ops/add_ops.h.
  std::string Class = Name.str();
  if (!Op.Overload.empty())
    Class += "_" + Op.Overload;
  const auto *At =
      declaredIn<NamespaceDecl>(AST, AST.getTranslationUnitDecl(), "at");
  const auto *Ops = declaredIn<NamespaceDecl>(AST, At, "_ops");
  const auto *Record = declaredIn<CXXRecordDecl>(AST, Ops, Class);
  const auto *Call = declaredIn<CXXMethodDecl>(
      AST, Record ? Record->getDefinition() : nullptr, "call");
  if (Call)
    for (const ParmVarDecl *Parameter : Call->parameters())
      Names.push_back(Parameter->getName());
  return Names;
}

/// The namespace of the library that \p Function, the body of a TORCH_LIBRARY
/// or TORCH_LIBRARY_FRAGMENT, fills; empty for any other function.
static llvm::StringRef libraryOf(const FunctionDecl *Function) {
  if (!Function->getIdentifier() || Function->getNumParams() != 1 ||
      className(Function->getParamDecl(0)->getType()) != "Library")
    return "";
  llvm::StringRef Name = Function->getName();
  if (Name.consume_front("TORCH_LIBRARY_init_"))
    return Name;
  if (!Name.consume_front("TORCH_LIBRARY_FRAGMENT_init_"))
    return "";
  return Name.rsplit('_').first; // A number makes it unique.
}

/// The text of "f(Tensor x) -> Tensor" or torch::schema("f(...) -> ...").
static std::optional<llvm::StringRef> schemaOf(const Expr *E) {
  if (const auto *Call = dyn_cast<CallExpr>(plain(E)))
    if (Call->getDirectCallee() && isTorchDecl(Call->getDirectCallee()) &&
        Call->getNumArgs() >= 1)
      E = Call->getArg(0);
  return textOf(E);
}

/// The function that \p E, an argument of def, names: &f, f or TORCH_FN(f).
static const FunctionDecl *functionNamedBy(const Expr *E) {
  E = plain(E);
  if (const auto *Address = dyn_cast<UnaryOperator>(E))
    E = plain(Address->getSubExpr());
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? dyn_cast<FunctionDecl>(Reference->getDecl()) : nullptr;
}

void LibrarySchemas::add(llvm::StringRef Namespace,
                         const CXXMemberCallExpr *Def) {
  std::optional<llvm::StringRef> Text = schemaOf(Def->getArg(0));
  if (!Text)
    return;
  std::vector<std::string> Names;
  std::string Key;
  SchemaText Schema;
  SchemaProblem Ignored;
  if (!Text->contains('(')) {
    // def("f", &f): the schema is made from the function, without names.
    const FunctionDecl *Function =
        Def->getNumArgs() >= 2 ? functionNamedBy(Def->getArg(1)) : nullptr;
    if (!Function)
      return;
    Key = Text->str();
    for (const ParmVarDecl *Parameter : Function->parameters())
      Names.push_back(Parameter->getNameAsString());
  } else if (parseSchema(*Text, Schema, Ignored) && Schema.Rest.empty()) {
    Key = Schema.Name.str();
    if (!Schema.Overload.empty())
      Key += "." + Schema.Overload.str();
    for (const SchemaText::Parameter &Parameter : Schema.Parameters)
      Names.push_back(Parameter.Name.str());
  } else {
    return;
  }
  if (!llvm::StringRef(Key).contains("::"))
    Key = (Namespace + "::" + Key).str();
  Parameters.try_emplace(Key, std::move(Names));
}

void LibrarySchemas::collect(llvm::ArrayRef<const FunctionDecl *> Functions) {
  for (const FunctionDecl *Function : Functions) {
    llvm::StringRef Namespace = libraryOf(Function);
    if (Namespace.empty())
      continue;
    llvm::SmallVector<const Stmt *, 16> Pending = {Function->getBody()};
    while (!Pending.empty()) {
      const Stmt *S = Pending.pop_back_val();
      if (!S)
        continue;
      const auto *Def = dyn_cast<CXXMemberCallExpr>(S);
      if (isMethod(Def, "def") && Def->getNumArgs() >= 1)
        add(Namespace, Def);
      Pending.append(S->child_begin(), S->child_end());
    }
  }
}

llvm::ArrayRef<std::string>
LibrarySchemas::parametersOf(const DispatchedOp &Op) const {
  std::string Key = Op.Name;
  if (!Op.Overload.empty())
    Key += "." + Op.Overload;
  auto It = Parameters.find(Key);
  if (It == Parameters.end())
    return {};
  return It->second;
}
