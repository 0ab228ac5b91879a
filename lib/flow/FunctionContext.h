//===- FunctionContext.h - What the analysis of one function owns ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_FUNCTIONCONTEXT_H
#define TDL_FLOW_FUNCTIONCONTEXT_H

#include "flow/Locations.h"
#include "flow/State.h"
#include "flow/Story.h"
#include "torch/ContractTable.h"

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace tdl {

/// Arenas and tables; findings made from a FunctionResult need it alive.
struct FunctionContext {
  FunctionContext(clang::ASTContext &AST, const ContractTable &Contracts,
                  std::optional<LibTorchVersion> Version)
      : AST(AST), Contracts(Contracts), Version(Version),
        Storage(Arena, Formulas, Atoms, Symbols, Stories),
        Factory(/*canonicalize=*/false) {}

  clang::ASTContext &AST;
  const ContractTable &Contracts;
  /// Of the headers that the file includes; none: the newest that is known.
  std::optional<LibTorchVersion> Version;
  ValueArena Arena;
  FormulaArena Formulas;
  AtomTable Atoms;
  SymbolTable Symbols;
  StoryBook Stories;
  Locations Storage;
  Environment::Factory Factory;
  /// Where the source states a condition for the first time.
  llvm::DenseMap<AtomId, const clang::Expr *> AtomSites;
};

} // namespace tdl

#endif // TDL_FLOW_FUNCTIONCONTEXT_H
