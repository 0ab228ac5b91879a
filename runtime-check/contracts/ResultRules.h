//===- ResultRules.h - What a row says of a result's rank and type --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns rank and dtype of contract tables (docs/formats/contracts.md).
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_RESULTRULES_H
#define TDL_RUNTIME_CHECK_CONTRACTS_RESULTRULES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

struct RankRule {
  enum class Kind {
    Unknown,
    Number,
    AtLeastOne,
    Same,     ///< As Argument.
    SamePlus, ///< As Argument, and never 0-dim.
    Plus,     ///< One more than Argument.
    Minus,    ///< One less than Argument.
    Sizes,    ///< The length of the list Argument.
    Broadcast,
    Reduce, ///< Of Argument, by dim and keepdim.
    MatMul, ///< Of Argument and Second.
  };
  Kind Says = Kind::Unknown;
  int64_t Number = 0;
  std::string Argument, Second;
};

struct TypeRule {
  enum class Kind {
    Unknown,
    Named,   ///< Name: "bool", "long".
    Same,    ///< As Name.
    Like,    ///< The options', else as Name.
    Options, ///< The options', else Name, which may be empty.
    Promote,
  };
  Kind Says = Kind::Unknown;
  std::string Name;
};

/// Nothing when the cell is none that a table may have.
std::optional<RankRule> readRankRule(const std::string &Cell);
/// One rule for all results, or one for each, as in the cell.
std::optional<std::vector<TypeRule>> readTypeRules(const std::string &Cell);

/// Of an in-place form: self's own.
RankRule rankOfSelf();
TypeRule typeOfSelf();

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_RESULTRULES_H
