//===- Syntax.h - Small questions about clang's syntax tree ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_SYNTAX_H
#define TDL_FLOW_SYNTAX_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class CallExpr;
class CXXForRangeStmt;
class CXXRecordDecl;
class Decl;
class Expr;
class ForStmt;
class FunctionDecl;
class InitListExpr;
class QualType;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace tdl {

/// \p E without what has no meaning here: parentheses, casts that keep the
/// value, temporaries and their clean-up.
const clang::Expr *skipNoise(const clang::Expr *E);

/// The source of \p E on one line; the macro's use where it comes from a macro.
std::string sourceText(const clang::Expr *E, const clang::ASTContext &AST);

/// Declared in namespace std or in LibTorch.
bool isStandardOrTorch(const clang::Decl *D);

/// The braces that \p E, a list argument, is written with; null when it is
/// something else.
const clang::InitListExpr *listSyntax(const clang::Expr *E);

/// Whether \p Type is a string, a string_view or a pointer to characters.
bool isText(clang::QualType Type);

/// pointedClass of the type that \p E has before conversions to a base.
const clang::CXXRecordDecl *pointedClassOf(const clang::Expr *E);

/// The device that \p E, an argument, is or that options are made of: `d` of
/// x.to(d), which takes TensorOptions. Null for anything else.
const clang::Expr *deviceSyntax(const clang::Expr *E);

/// The types of the parts of a tuple or pair; empty for any other type.
llvm::SmallVector<clang::QualType, 4> tupleTypes(clang::QualType Type);

/// \p E without the copies and conversions of one argument around it: what is
/// passed by value.
const clang::Expr *withoutCopies(const clang::Expr *E);

/// The expressions that \p S, one statement or expression without what it
/// contains, may change: targets of assignments, arguments for non-const
/// references, objects of non-const calls, operands of & and of references that
/// are bound.
llvm::SmallVector<const clang::Expr *, 2> changedBy(const clang::Stmt *S);

/// The variables that \p Target names: itself, or the arms of a conditional,
/// the object of a member or call, an iterator and its container. Members stand
/// for their object.
llvm::SmallVector<const clang::ValueDecl *, 2>
variablesIn(const clang::Expr *Target);

/// Whether a parameter takes whatever it is given (T &&): it says nothing about
/// what the callee does to it, and the callees that have such ones forward.
bool isForwarding(const clang::FunctionDecl *Function, unsigned Index);

/// A loop over all indices of a list, which its body names in no other way than
/// by its counter.
struct IndexWalk {
  const clang::ForStmt *Loop = nullptr;
  const clang::VarDecl *Counter = nullptr;
  const clang::Expr *List = nullptr;
};

/// The loop that \p Loop is; none where it is no such loop, or changes nothing.
std::optional<IndexWalk> indexWalkOf(const clang::ForStmt *Loop);

/// Does the function run on the GPU alone (CUDA's __global__ and __device__)?
bool runsOnDevice(const clang::FunctionDecl *Function);

/// Is the call a launch of a kernel, k<<<grid, block>>>(x), or the part of one
/// that sets grid and block?
bool isKernelLaunch(const clang::CallExpr *Call);

/// What one walk over a body collects for the analysis.
struct BodyFacts {
  /// Expressions that stand as a statement of their own: nobody takes their
  /// value, unless it is cast to void.
  llvm::DenseSet<const clang::Expr *> Discarded;
  /// The arms of conditional operators.
  llvm::DenseSet<const clang::Expr *> Arms;
  /// Variables, and members, that something else than a plain statement of the
  /// function may change: a lambda that captures them by reference, a pointer
  /// to them.
  llvm::DenseSet<const clang::ValueDecl *> Untracked;
  /// Any member of *this may change behind the analysis's back: a reference or
  /// pointer to one is handed out.
  bool MayChangeMembers = false;
  /// Variables that may change after their declaration.
  llvm::DenseSet<const clang::ValueDecl *> Reassigned;
  /// The variables that loops step on: `++i` or `i += 2` in the head of a for.
  llvm::DenseSet<const clang::VarDecl *> Counters;
  /// Loops that change what they walk over element by element, by the iterator
  /// that each of them declares.
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *> Walks;
  /// Likewise loops over all indices of a list, `for (i = 0; i < list.size();
  /// ++i) list[i] = ...`, by their counter.
  llvm::DenseMap<const clang::VarDecl *, IndexWalk> IndexWalks;
  /// Calls that hand out iterators through which nothing changes unseen.
  llvm::DenseSet<const clang::Expr *> HarmlessIterators;
};

BodyFacts collectBodyFacts(const clang::FunctionDecl *Function);

/// The options that \p Call puts something into and gives back, as
/// `options.weight(w)` does; null for any other call.
const clang::Expr *optionsSetBy(const clang::CallExpr *Call);

} // namespace tdl

#endif // TDL_FLOW_SYNTAX_H
