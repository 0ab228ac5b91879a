//===- Coverage.h - What a run looked at ----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts that the last line of every report shows, so that a run cannot be
// green without having looked at anything. Sums over files.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_COVERAGE_H
#define TDL_FINDINGS_COVERAGE_H

namespace tdl {

struct Coverage {
  unsigned Files = 0;            ///< Analysed.
  unsigned FilesFailed = 0;      ///< Could not be analysed.
  unsigned PreludeFallbacks = 0; ///< Did not parse with the prelude and were parsed without.
  unsigned Functions = 0;        ///< Bodies analysed, lambdas and instantiations among them.
  unsigned FunctionsGivenUp = 0; ///< Over budget.
  unsigned Operations = 0;       ///< Calls that take two tensors or more (lists count), or index a tensor.
  unsigned OperationsKnown = 0;  ///< Of those, with every operand's place known (a named device or a symbol).
  unsigned OperationsUnmodelled = 0; ///< Of those, not in the contract table.
  unsigned Suppressed = 0;       ///< Findings hidden by NOLINT.

  Coverage &operator+=(const Coverage &Other);
};

} // namespace tdl

#endif // TDL_FINDINGS_COVERAGE_H
