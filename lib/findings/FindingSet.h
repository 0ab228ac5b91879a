//===- FindingSet.h - One sorted list of findings -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which findings are reported, and which of them are one: a
// function of a header is analysed in every file that includes it, a template
// in every instantiation.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_FINDINGSET_H
#define TDL_FINDINGS_FINDINGSET_H

#include "findings/Finding.h"
#include <vector>

namespace tdl {

/// By file, line, column, check and message, then by certainty (the surest
/// first) and by everything that tells the story: whatever the order in which
/// findings came, the sorted list is the same.
bool findingLess(const Finding &A, const Finding &B);

/// Whether the two report the same: one check at one place.
bool isSameFinding(const Finding &A, const Finding &B);

/// What a callee is reported for by itself, or at a call further in, is not told
/// again at the calls around (Finding::Origins), nor what is due to a finding of
/// another check (Finding::Explains).
void dropRepetitions(std::vector<Finding> &Findings);

/// Sorts \p Findings and keeps one of those that are the same: the surest, then
/// the first in the order. The ids are not looked at. Merging lists in any
/// order and grouping gives the same list.
void sortAndMerge(std::vector<Finding> &Findings);

} // namespace tdl

#endif // TDL_FINDINGS_FINDINGSET_H
