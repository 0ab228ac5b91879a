//===- Callee.cpp - What a call means to LibTorch --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/Callee.h"
#include "torch/ContractTable.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

namespace {
/// Operators of at::Tensor as ATen's operators; the in-place form where the
/// left side changes. Source: ATen/core/TensorBody.h, ATen/TensorOperators.h.
struct OperatorRow {
  OverloadedOperatorKind Kind;
  llvm::StringLiteral Op;
};
constexpr OperatorRow Operators[] = {
    {OO_Plus, "add"},           {OO_Minus, "sub"},
    {OO_Star, "mul"},           {OO_Slash, "div"},
    {OO_Percent, "remainder"},  {OO_Amp, "bitwise_and"},
    {OO_Pipe, "bitwise_or"},    {OO_Caret, "bitwise_xor"},
    {OO_LessLess, "bitwise_left_shift"},
    {OO_GreaterGreater, "bitwise_right_shift"},
    {OO_EqualEqual, "eq"},      {OO_ExclaimEqual, "ne"},
    {OO_Less, "lt"},            {OO_LessEqual, "le"},
    {OO_Greater, "gt"},         {OO_GreaterEqual, "ge"},
    {OO_PlusEqual, "add_"},     {OO_MinusEqual, "sub_"},
    {OO_StarEqual, "mul_"},     {OO_SlashEqual, "div_"},
    {OO_AmpEqual, "bitwise_and_"}, {OO_PipeEqual, "bitwise_or_"},
    {OO_CaretEqual, "bitwise_xor_"},
    {OO_Tilde, "bitwise_not"},  {OO_Subscript, "operator[]"},
};
/// Namespaces whose functions the contract table knows, and what their names
/// there begin with.
struct NamespaceRow {
  llvm::StringLiteral Namespace;
  llvm::StringLiteral Prefix;
};
constexpr NamespaceRow Namespaces[] = {
    {"at::", ""},
    {"torch::", ""},
    {"c10::", ""},
    {"at::symint::", ""},
    {"torch::stable::", ""}, // ATen's operators for a stable ABI.
    {"torch::special::", "special_"},
    {"torch::linalg::", "linalg_"},
    {"torch::fft::", "fft_"},
    {"torch::nn::functional::", "F::"},
    {"torch::nn::init::", "init::"},
    {"torch::nn::utils::", "utils::"},
    {"torch::nn::utils::rnn::", "rnn::"},
    {"torch::nested::", "nested::"},
    {"torch::autograd::", "autograd::"},
};
} // namespace

/// Names of the namespaces around \p Function, innermost first.
static llvm::SmallVector<llvm::StringRef, 4>
namespacesAround(const FunctionDecl *Function) {
  llvm::SmallVector<llvm::StringRef, 4> Names;
  for (const DeclContext *Context = Function->getDeclContext(); Context;
       Context = Context->getParent())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(Context))
      if (Namespace->getIdentifier() && !Namespace->isInline())
        Names.push_back(Namespace->getName());
  return Names;
}

static std::string freeFunctionOp(const FunctionDecl *Function) {
  std::string Qualified;
  for (llvm::StringRef Namespace : namespacesAround(Function))
    Qualified = (Namespace + "::" + Qualified).str();
  const auto *Row = llvm::find_if(Namespaces, [&](const NamespaceRow &R) {
    return R.Namespace == Qualified;
  });
  if (Row == std::end(Namespaces))
    return "";
  // at::linalg_svd and torch::linalg_svd carry the prefix in their own name;
  // torch::linalg's wrappers of LibTorch 1.13 do too.
  llvm::StringRef Name = Function->getName();
  return Name.starts_with(Row->Prefix) ? Name.str()
                                       : (Row->Prefix + Name).str();
}

TorchCallee tdl::torchCalleeOf(const FunctionDecl *Function) {
  TorchCallee Callee;
  if (!Function || !isTorchDecl(Function))
    return Callee;
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  if (Method &&
      torchTypeOf(Method->getFunctionObjectParameterType()) != TorchType::Tensor)
    return Callee;
  Callee.IsTensorMethod = Method != nullptr && !Method->isStatic();
  if (OverloadedOperatorKind Kind = Function->getOverloadedOperator()) {
    const auto *Row = llvm::find_if(
        Operators, [&](const OperatorRow &R) { return R.Kind == Kind; });
    // Unary minus is the only operator of one operand that shares its token.
    unsigned Operands = Function->getNumParams() + Callee.IsTensorMethod;
    if (Kind == OO_Minus && Operands == 1)
      Callee.Op = "neg";
    else if (Row != std::end(Operators))
      Callee.Op = Row->Op.str();
    Callee.IsOperator = true;
    return Callee;
  }
  if (!Function->getIdentifier())
    return Callee;
  Callee.Op = Method ? Function->getName().str() : freeFunctionOp(Function);
  return Callee;
}

TorchCallee tdl::ownCalleeOf(const FunctionDecl *Function,
                             const ContractTable &Table) {
  TorchCallee Callee;
  if (!Table.hasOwnRows() || !Function || !Function->getIdentifier() ||
      isTorchDecl(Function))
    return Callee;
  std::string Name = Function->getQualifiedNameAsString();
  if (!llvm::StringRef(Name).contains("::"))
    Name = "::" + Name;
  if (!Table.rowsOf(Name).empty())
    Callee.Op = Name;
  return Callee;
}

llvm::StringRef tdl::availabilityTestOf(const FunctionDecl *Function) {
  if (!Function || !Function->getIdentifier() || !isTorchDecl(Function))
    return "";
  if (Function->getName() == "is_available") {
    llvm::SmallVector<llvm::StringRef, 4> Names = namespacesAround(Function);
    return Names.empty() ? "" : Names.front();
  }
  return llvm::StringSwitch<llvm::StringRef>(Function->getName())
      .Case("hasCUDA", "cuda")
      .Case("hasHIP", "hip")
      .Case("hasMPS", "mps")
      .Case("hasXPU", "xpu")
      .Case("hasMTIA", "mtia")
      .Case("hasVulkan", "vulkan")
      .Default("");
}

llvm::StringRef tdl::deviceCountOf(const FunctionDecl *Function) {
  if (!Function || !Function->getIdentifier() || !isTorchDecl(Function))
    return "";
  llvm::SmallVector<llvm::StringRef, 4> Names = namespacesAround(Function);
  if (Function->getName() == "device_count" && !Names.empty())
    return Names.front();
  return Function->getName() == "getNumGPUs" ? "cuda" : "";
}
