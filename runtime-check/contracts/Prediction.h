//===- Prediction.h - What a row says of tensors in given places ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_PREDICTION_H
#define TDL_RUNTIME_CHECK_CONTRACTS_PREDICTION_H

#include "ContractRows.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// A tensor argument, or an element of a list of them, as it is passed.
struct Passed {
  std::string Parameter;
  c10::Device Device = c10::Device(c10::kCPU);
  int64_t Rank = 0;
  int64_t Elements = 1;
  bool IsIntegral = false; ///< Booleans too.
  bool IsMask = false;     ///< Booleans, or bytes.
  c10::ScalarType Type = c10::ScalarType::Undefined;
};

/// A call as far as contracts look at it.
struct Call {
  std::vector<Passed> Tensors;       ///< In the order of parameters.
  std::optional<c10::Device> Device; ///< That the call asks for.
  /// Parameters that other overloads take a tensor for, with a number.
  std::vector<std::string> Numbers;
  /// Arguments that are no tensors, without those that are absent (None).
  std::map<std::string, c10::IValue> Values;
  /// Indices without dimensions are read before the operator is called.
  bool ReadsScalars = false;
  bool Accumulates = false; ///< index_put(..., accumulate=true).
};

/// What a row says of a call.
struct Judgement {
  enum class Kind {
    Works,
    Fails,
    FailsByScalars, ///< One excepted operand too many.
    Open,           ///< It does not tell overloads apart that differ here.
  };
  Kind Is = Kind::Works;
  std::string Culprit; ///< "'other' on cpu", for Fails and FailsByScalars.
};
Judgement judge(const ContractRow &Row, const Call &C);

/// Where the result at a position of the tuple is; nothing where the row does
/// not say. Of a list, its element of that number: beside the argument's own
/// element where that is a list too. Only for a call without a violation.
std::optional<c10::Device> placeOfResult(const ContractRow &Row, const Call &C,
                                         size_t Position, size_t Element);

/// What a row says of how many dimensions a result has.
struct RankClaim {
  std::optional<int64_t> Exactly;
  int64_t AtLeast = 0;

  bool allows(int64_t Rank) const {
    return Rank >= AtLeast && (!Exactly || Rank == *Exactly);
  }
  std::string inWords() const;
};

/// Nothing where the row does not say.
std::optional<RankClaim> rankOfResult(const ContractRow &Row, const Call &C);
/// Likewise; of the result at a position of the tuple.
std::optional<c10::ScalarType> typeOfResult(const ContractRow &Row,
                                            const Call &C, size_t Position);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_PREDICTION_H
