//===- Check.h - What a check is -------------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check reads the result of one function's analysis and returns findings. It
// changes nothing. Checks.def lists them all; the registry, --list-checks and
// the tests are made from it.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_CHECK_H
#define TDL_CHECKS_CHECK_H

#include "findings/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tdl {

struct FunctionContext;
struct FunctionResult;
struct MovedModules;

/// Adds to \p Findings what is wrong in \p Result.
using CheckFunction = void (*)(const FunctionContext &Context,
                               const FunctionResult &Result,
                               std::vector<Finding> &Findings);

/// Adds to \p Findings what is wrong with modules of the unit that are moved.
using ModuleCheckFunction = void (*)(const FunctionContext &Context,
                                     const MovedModules &Modules,
                                     std::vector<Finding> &Findings);

struct CheckInfo {
  llvm::StringLiteral Name;    ///< "torch-cross-device-index"
  llvm::StringLiteral Summary; ///< One line, lower case, no full stop.
  CheckFunction Run;           ///< Null for a check of modules.
  ModuleCheckFunction RunOnModules; ///< Null for a check of functions.
};

/// All checks, in the order of Checks.def.
llvm::ArrayRef<CheckInfo> allChecks();

/// The page of a check, docs/checks/NAME.md; empty when there is none.
llvm::StringRef checkPage(llvm::StringRef Name);

} // namespace tdl

#endif // TDL_CHECKS_CHECK_H
