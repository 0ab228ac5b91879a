//===- FunctionContext.h - What the analysis of one function owns ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_FUNCTIONCONTEXT_H
#define TDL_FLOW_FUNCTIONCONTEXT_H

#include "flow/LayerOptions.h"
#include "flow/Locations.h"
#include "flow/ModuleMembers.h"
#include "flow/OptimizerParameters.h"
#include "flow/State.h"
#include "flow/Story.h"
#include "flow/Syntax.h"
#include "torch/ContractTable.h"
#include "torch/Dispatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class CFG;
class CXXRecordDecl;
class Expr;
class FunctionDecl;
class PostOrderCFGView;
} // namespace clang

namespace tdl {

/// A function's control flow graph and what a walk over its body found; made
/// once however often the function is analysed.
struct FunctionGraph {
  FunctionGraph();
  ~FunctionGraph();
  std::unique_ptr<clang::CFG> Graph; ///< Null where clang cannot build one.
  std::unique_ptr<clang::PostOrderCFGView> Order;
  std::vector<bool> IsInCycle; ///< By block number: false for what runs once.
  BodyFacts Facts;
};

/// The assumption that *this is a module that was moved since its members got
/// what they hold.
struct MovedModule {
  /// Members whose own value counts, whatever is registered, and what they hold
  /// where an analysis of single elements loses track of them; null for those
  /// of which it does not.
  llvm::DenseMap<const clang::ValueDecl *, const Value *> Members;
};

/// Arenas and tables of one translation unit; findings made from a
/// FunctionResult need it alive.
struct FunctionContext {
  FunctionContext(clang::ASTContext &AST, const ContractTable &Contracts,
                  std::optional<LibTorchVersion> Version)
      : AST(AST), Contracts(Contracts), Version(Version),
        Storage(Arena, Formulas, Atoms, Symbols, Stories),
        Factory(/*canonicalize=*/false) {}

  /// The graph of \p Function, which has a body.
  const FunctionGraph &graphOf(const clang::FunctionDecl *Function);

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
  /// Devices that a call which is not followed may have refused.
  llvm::DenseSet<SymbolId> CheckedDevices;
  /// Where a call shows, by not throwing, that a symbol is the device of
  /// another operand.
  llvm::DenseMap<SymbolId, std::pair<const clang::Expr *, Place>> AgreedAt;
  /// The condition that an atom of the program's own stands for, where the
  /// source states it for the first time.
  llvm::DenseMap<AtomId, const clang::Expr *> ProgramConditions;
  /// The locations that an atom's key reads.
  llvm::DenseMap<AtomId, llvm::SmallVector<LocationId, 2>> AtomReads;
  /// Results of calls that are not followed, by call.
  llvm::DenseMap<const clang::Expr *, const Value *> OpaqueResults;
  /// Devices of which not all is known, by the expression that makes them.
  llvm::DenseMap<const clang::Expr *, SymbolId> DeviceSymbols;
  /// What the program's modules register.
  ModuleMembers Modules;
  /// How it makes the layers in its classes.
  LayerMembers Layers;
  /// The operators that it registers.
  LibrarySchemas Libraries;
  /// Whose parameters its optimizers change.
  OptimizerParameters Optimizers;
  /// What always holds of *this when a method of the class begins; a class
  /// without an entry has none.
  llvm::DenseMap<const clang::CXXRecordDecl *, State> ClassInvariants;
  /// The conditions in them that a method was the first to be called.
  llvm::DenseMap<AtomId, const clang::FunctionDecl *> CalledFirst;
  /// Functions whose callers are not known.
  llvm::DenseSet<const clang::FunctionDecl *> EntryPoints;
  /// Whether what fails for some of their callers alone is wanted.
  bool WantsLatent = false;
  /// What is assumed of *this of the function under analysis; null: nothing.
  const MovedModule *Assumed = nullptr;
  /// Whether FunctionResult::Tensors is wanted.
  bool RecordsTensors = false;
  /// Block visits that are left for all that is followed from the function
  /// under analysis, and for the function itself.
  unsigned CalleeVisitsLeft = 0;
  unsigned OwnVisitsLeft = 0;
  /// Visits in callees that are left for the whole translation unit.
  unsigned UnitVisitsLeft = 300000;

private:
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionGraph>>
      Graphs;
};

} // namespace tdl

#endif // TDL_FLOW_FUNCTIONCONTEXT_H
