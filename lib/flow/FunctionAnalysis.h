//===- FunctionAnalysis.h - Forward abstract interpretation of one function ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist over clang's CFG in reverse post-order, with a bound on visits. A
// function over the bound is given up: nothing of it is reported, and it is
// counted.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_FUNCTIONANALYSIS_H
#define TDL_FLOW_FUNCTIONANALYSIS_H

#include "flow/FunctionContext.h"
#include "flow/Operations.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace tdl {

/// Bounds on the work spent on one function.
struct AnalysisBudget {
  /// Visits of all blocks together, for each block of the function.
  unsigned VisitsPerBlock = 24;
  /// Visits besides, for callees that are followed. When they run out, calls
  /// are no longer followed.
  unsigned VisitsInCallees = 20000;
};

/// Analyses \p Function, which has a body and is not a template. The result
/// refers to \p Context.
FunctionResult analyzeFunction(FunctionContext &Context,
                               const clang::FunctionDecl *Function,
                               const AnalysisBudget &Budget = {});

/// Executes \p Function from \p Start without recording anything; returns the
/// state at its end, none when it took too long.
std::optional<State> executeFunction(FunctionContext &Context,
                                     const clang::FunctionDecl *Function,
                                     const State &Start,
                                     const AnalysisBudget &Budget = {});

/// Analyses \p Function from \p Start and records what it does in \p Result.
/// Returns the state at its end, none when it took too long.
std::optional<State> analyzeFrom(FunctionContext &Context,
                                 const clang::FunctionDecl *Function,
                                 const State &Start, FunctionResult &Result,
                                 const AnalysisBudget &Budget = {});

/// Executes the members' initialisers of \p Class, whose constructor the
/// compiler makes, from \p Start.
State analyzeInitializers(FunctionContext &Context,
                          const clang::CXXRecordDecl *Class,
                          const State &Start, FunctionResult &Result);

/// The state of a function that nothing is known of: one disjunct, empty.
State emptyState(FunctionContext &Context);

} // namespace tdl

#endif // TDL_FLOW_FUNCTIONANALYSIS_H
