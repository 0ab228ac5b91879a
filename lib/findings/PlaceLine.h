//===- PlaceLine.h - What is known of one tensor expression ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For --dump-places and --why: the analysis's knowledge, apart from what is
// reported.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_PLACELINE_H
#define TDL_FINDINGS_PLACELINE_H

#include "findings/Finding.h"
#include <string>
#include <tuple>
#include <vector>

namespace tdl {

struct PlaceLine {
  SourcePoint At;
  std::string Text;      ///< The expression, on one line.
  std::string Place;     ///< As StoryStep::Place; empty: unknown.
  std::string Condition; ///< Source words; empty when always.
  std::string Why; ///< For an unknown place: since when, and for what reason.
  std::vector<Note> Steps; ///< For an unknown place: how it came from the first
                           ///< unknown, newest first.

  friend bool operator<(const PlaceLine &A, const PlaceLine &B) {
    return std::tie(A.At, A.Text, A.Place, A.Condition) <
           std::tie(B.At, B.Text, B.Place, B.Condition);
  }
};

} // namespace tdl

#endif // TDL_FINDINGS_PLACELINE_H
