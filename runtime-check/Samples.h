//===- Samples.h - Values for what the linter does not know ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and most numbers are no facts of a finding. For each that is missing
// there is a short list of choices, the likeliest first; the replay takes the
// first combination with which everything works on one device.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SAMPLES_H
#define TDL_RUNTIME_CHECK_SAMPLES_H

#include "Finding.h"
#include "Overloads.h"
#include "Ranks.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace tdl {
namespace verify {

/// What a tensor is used as, so far as that decides its elements.
enum class Role {
  Data,
  Index,  ///< Integers in range, or a mask.
  Count,  ///< Integers of at least 1: lengths, repetitions.
  Mask,   ///< Booleans.
  Target, ///< Class numbers, or data.
};

/// The role of an argument by its name in the schema.
Role roleOf(const std::string &ArgumentName);

/// Numbers that occur as sizes or positions in a finding, 2 first and 1, which
/// broadcasts, last: sizes that have to match something in the source are among
/// them.
std::vector<int64_t> sizePool(const Finding &F);

struct TensorSpec {
  std::vector<int64_t> Sizes;
  c10::ScalarType Type = c10::ScalarType::Float;
  bool IsContiguous = true;
};

/// \p Need is what the story tells of the step's rank.
std::vector<TensorSpec> tensorChoices(const Step &S, Role R, RankNeed Need,
                                      const std::vector<int64_t> &Pool);

/// Sizes of what torch::tensor() makes of a list that stands in the source:
/// {3} for "{x, 1, f(a, b)}", {2, 2} for "{{1, 2}, {3, 4}}". Nothing for other
/// text, also for a list that is cut off or uneven.
std::optional<std::vector<int64_t>> literalSizes(const std::string &Text);

std::vector<c10::ScalarType> typeChoices(const std::string &DType, Role R);

/// Choices for a parameter that is no tensor; empty when there are none.
std::vector<c10::IValue> valueChoices(const Step &S,
                                      const c10::Argument &Parameter, Role R,
                                      const std::vector<int64_t> &Pool);

/// A tensor on the CPU. Integers are 0 for an index and 1 otherwise, floating
/// numbers are between 0 and 1, booleans alternate.
at::Tensor makeSample(const TensorSpec &Spec, Role R);

/// c10's type by its name in lower case; nothing for another word.
std::optional<c10::ScalarType> typeByName(const std::string &Name);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SAMPLES_H
