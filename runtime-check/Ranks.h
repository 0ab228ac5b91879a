//===- Ranks.h - How many dimensions a story's tensors need ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding seldom says how many dimensions an input has, but what is done with
// it does: permute() of six, unfold() along dimension 3, a 'dim' of -3.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_RANKS_H
#define TDL_RUNTIME_CHECK_RANKS_H

#include "Finding.h"

namespace tdl {
namespace verify {

struct RankNeed {
  int Exact = -1; ///< -1: not known.
  int Least = 0;
};

/// Whether an argument's numbers count dimensions instead of elements.
bool namesDimensions(const Argument &A);

/// Per step, what the step itself and those that use its tensor tell.
std::vector<RankNeed> rankNeeds(const Finding &F);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_RANKS_H
