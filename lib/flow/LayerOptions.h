//===- LayerOptions.h - The options that a layer is made with --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads `torch::nn::Linear(torch::nn::LinearOptions(3, 4).bias(false))` and its
// kin, and remembers of each member that is a layer how the program makes it.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_LAYEROPTIONS_H
#define TDL_FLOW_LAYEROPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clang {
class CXXRecordDecl;
class Expr;
class FunctionDecl;
class Stmt;
class ValueDecl;
} // namespace clang

namespace tdl {

/// A member that a layer is surely made without.
struct AbsentMember {
  llvm::StringRef Name;
  llvm::StringRef Option; ///< The option that says so, or that is not given.
};

/// The value of a bool expression; none where it is not known.
using BoolReader = llvm::function_ref<std::optional<bool>(const clang::Expr *)>;

/// The members that the layer which \p Site makes (a holder's constructor,
/// make_shared) is surely made without. \p Class is the layer's.
llvm::SmallVector<AbsentMember, 4>
absentMembersOf(const clang::Expr *Site, const clang::CXXRecordDecl *Class,
                BoolReader Read);

/// The layer that \p Source makes: a holder's constructor or make_shared,
/// perhaps inside register_module; null for anything else.
const clang::Expr *layerMadeBy(const clang::Expr *Source);

/// How the members of the program's modules are made.
class LayerMembers {
public:
  /// Reads \p Functions, which have bodies.
  void collect(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

  /// The one expression that makes the layer in \p Member, whatever object it
  /// is of; null where there are several, or something else is assigned.
  const clang::Expr *madeBy(const clang::ValueDecl *Member) const;

private:
  void add(const clang::ValueDecl *Member, const clang::Expr *Source);
  void search(const clang::Stmt *Body);

  /// Null: more than one, or one that is not understood.
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Makers;
};

} // namespace tdl

#endif // TDL_FLOW_LAYEROPTIONS_H
