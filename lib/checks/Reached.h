//===- Reached.h - How the program gets to a finding ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What checks say of paths and calls: the condition under which something
// fails, and a finding in a callee told at the call.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_REACHED_H
#define TDL_CHECKS_REACHED_H

#include "device/Condition.h"
#include "findings/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class SourceLocation;
} // namespace clang

namespace tdl {

struct FunctionContext;

/// A path that reaches a place of the program, and whether it fails there.
struct TriedPath {
  const PathCondition *Path = nullptr; ///< Never null.
  bool Fails = false;
};

/// The part of \p Failing, one of \p All, that tells it from those that do not
/// fail. Atoms for which \p IsExplanation holds are not part of it.
PathCondition decisivePart(llvm::ArrayRef<TriedPath> All,
                           const PathCondition &Failing,
                           llvm::function_ref<bool(AtomId)> IsExplanation);

/// The failing path to tell about, and the part of it that makes it fail.
struct FailingPath {
  size_t Index = 0;   ///< Into the paths that were given.
  PathCondition Told; ///< Empty where all paths fail.
};

/// The failing path with the fewest conditions that surely exists; none where
/// no path fails.
std::optional<FailingPath>
chooseFailing(const FunctionContext &Context, llvm::ArrayRef<TriedPath> All,
              llvm::function_ref<PathCondition(size_t)> DecisivePart);

/// Where an editor should point: the method's name, the operator, the call.
clang::SourceLocation pointOfCall(const clang::CallExpr *Call);

/// Whether \p Call, or one of the calls \p Chain that lead to it, stands in
/// code that is meant to fail.
bool isExpectedToThrow(const FunctionContext &Context,
                       llvm::ArrayRef<const clang::Expr *> Chain,
                       const clang::CallExpr *Call);

/// Tells \p F, which is about the call of \p Op in a callee, at one of the calls
/// that lead to it: number \p Index of \p Chain, outermost first and not empty.
void moveToCall(const FunctionContext &Context,
                llvm::ArrayRef<const clang::Expr *> Chain, llvm::StringRef Op,
                Finding &F, size_t Index = 0);

} // namespace tdl

#endif // TDL_CHECKS_REACHED_H
