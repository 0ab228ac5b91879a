//===- Iterators.h - Which container an iterator goes through --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterators are not followed as values. One is known by the call that made it:
// begin(), find(key), an algorithm that returns a position. One that goes where
// it is not known is like a pointer that does.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_ITERATORS_H
#define TDL_FLOW_ITERATORS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CallExpr;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace tdl {

/// Where an iterator points.
struct IteratorSource {
  const clang::Expr *Container = nullptr; ///< Null: not known.
  const clang::Expr *Key = nullptr; ///< What find() was asked for; null: any.
};

/// Where \p Iterator, an expression, points.
IteratorSource iteratorSource(const clang::Expr *Iterator);

/// The iterator that \p E dereferences, *it or it->; null for any other
/// expression.
const clang::Expr *dereferencedIterator(const clang::Expr *E);

/// Whether \p Container is a container of the standard library or of LibTorch
/// by its type, and a variable, a member of one or of *this, or part of such by
/// subscripts: whatever is written into it can be seen.
bool isNamedContainer(const clang::Expr *Container);

/// What algorithms of the standard library do to a range that they get.
enum class RangeUse { Unknown, Read, Reorder };
RangeUse rangeUseOf(const clang::CallExpr *Algorithm);

/// Collects, statement by statement of a body, which iterators are used in
/// known ways only.
class IteratorUses {
public:
  void visit(const clang::Stmt *S);
  /// Calls that hand out iterators through which nothing changes unseen.
  const llvm::DenseSet<const clang::Expr *> &harmless() const {
    return Harmless;
  }
  /// The containers whose iterators go where they are not known.
  llvm::SmallVector<const clang::Expr *, 4> escaping() const;

private:
  void allow(const clang::Expr *Use);

  struct Uses {
    unsigned All = 0, Known = 0;
  };
  llvm::DenseSet<const clang::Expr *> Harmless;
  llvm::DenseMap<const clang::VarDecl *, Uses> Variables;
  llvm::SmallVector<const clang::VarDecl *, 4> Order; ///< As they are declared.
  llvm::SmallVector<const clang::Expr *, 2> Escaping;
};

} // namespace tdl

#endif // TDL_FLOW_ITERATORS_H
