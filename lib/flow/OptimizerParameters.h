//===- OptimizerParameters.h - Whose parameters an optimizer changes -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `torch::optim::Adam opt(net->parameters(), 1e-3)`: read off the source, for
// variables and members.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_OPTIMIZERPARAMETERS_H
#define TDL_FLOW_OPTIMIZERPARAMETERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class Expr;
class FunctionDecl;
class QualType;
class Stmt;
class ValueDecl;
} // namespace clang

namespace tdl {

/// Whether \p Type is, or points to, one of LibTorch's optimizers.
bool isOptimizer(clang::QualType Type);

class OptimizerParameters {
public:
  struct Row {
    /// The variable or member that names the module.
    const clang::ValueDecl *Module = nullptr;
    /// The call of parameters().
    const clang::Expr *Parameters = nullptr;
  };

  /// Reads \p Functions, which have bodies.
  void collect(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

  /// The module of the optimizer that \p Named, a variable or member, holds.
  /// Null for one that is made in several ways or of something else, and for
  /// one that keeps nothing of its parameters (SGD without momentum).
  const Row *of(const clang::ValueDecl *Named) const;

private:
  void add(const clang::ValueDecl *Named, const clang::Expr *Source);
  void search(const clang::Stmt *Body);

  /// A row without a module: not known.
  llvm::DenseMap<const clang::ValueDecl *, Row> Rows;
};

} // namespace tdl

#endif // TDL_FLOW_OPTIMIZERPARAMETERS_H
