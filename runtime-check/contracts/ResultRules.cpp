//===- ResultRules.cpp - What a row says of a result's rank and type ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultRules.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace tdl {
namespace verify {

namespace {

/// "matmul(A,B)" as its word and what stands in brackets.
struct Rule {
  std::string Word;
  std::vector<std::string> Names;
};

} // namespace

/// Nothing for brackets that do not match.
static std::optional<Rule> readRule(const std::string &Text) {
  Rule Read;
  size_t Open = Text.find('(');
  Read.Word = Text.substr(0, Open);
  if (Open == std::string::npos)
    return Read;
  if (Text.back() != ')')
    return std::nullopt;
  std::istringstream In(Text.substr(Open + 1, Text.size() - Open - 2));
  for (std::string Name; std::getline(In, Name, ',');)
    Read.Names.push_back(Name);
  return Read;
}

static bool isNumber(const std::string &Word) {
  return !Word.empty() && Word.size() < 3 &&
         std::all_of(
             Word.begin(), Word.end(),
             [](char C) { return C >= '0' && C <= '9'; });
}

std::optional<RankRule> readRankRule(const std::string &Cell) {
  using Kind = RankRule::Kind;
  struct Form {
    Kind Says;
    size_t Names;
  };
  static const std::map<std::string, Form> Forms = {
      {"", {Kind::Unknown, 0}},        {"?", {Kind::Unknown, 0}},
      {"1+", {Kind::AtLeastOne, 0}},   {"same", {Kind::Same, 1}},
      {"same+", {Kind::SamePlus, 1}},  {"plus", {Kind::Plus, 1}},
      {"minus", {Kind::Minus, 1}},     {"sizes", {Kind::Sizes, 1}},
      {"bcast", {Kind::Broadcast, 0}}, {"reduce", {Kind::Reduce, 1}},
      {"matmul", {Kind::MatMul, 2}},
  };
  RankRule Rank;
  if (isNumber(Cell)) {
    Rank.Says = Kind::Number;
    Rank.Number = std::stoi(Cell);
    return Rank;
  }
  std::optional<Rule> Read = readRule(Cell);
  if (!Read)
    return std::nullopt;
  auto Found = Forms.find(Read->Word);
  if (Found == Forms.end() || Found->second.Names != Read->Names.size())
    return std::nullopt;
  Rank.Says = Found->second.Says;
  Read->Names.resize(2);
  Rank.Argument = Read->Names[0];
  Rank.Second = Read->Names[1];
  return Rank;
}

static std::optional<TypeRule> readTypeRule(const std::string &Text) {
  using Kind = TypeRule::Kind;
  static const std::map<std::string, Kind> Kinds = {
      {"same", Kind::Same}, {"like", Kind::Like}, {"options", Kind::Options}};
  if (Text.empty())
    return TypeRule();
  if (Text == "promote")
    return TypeRule{Kind::Promote, ""};
  std::optional<Rule> Read = readRule(Text);
  if (!Read || Read->Names.size() > 1)
    return std::nullopt;
  auto Found = Kinds.find(Read->Word);
  if (Found == Kinds.end())
    return Read->Names.empty()
               ? std::optional<TypeRule>({Kind::Named, Read->Word})
               : std::nullopt;
  if (Read->Names.empty() && Found->second != Kind::Options)
    return std::nullopt;
  return TypeRule{Found->second, Read->Names.empty() ? "" : Read->Names[0]};
}

std::optional<std::vector<TypeRule>> readTypeRules(const std::string &Cell) {
  std::vector<TypeRule> Rules;
  std::istringstream In(Cell);
  for (std::string Word; std::getline(In, Word, ',');) {
    std::optional<TypeRule> Rule = readTypeRule(Word);
    if (!Rule)
      return std::nullopt;
    Rules.push_back(*Rule);
  }
  return Rules;
}

RankRule rankOfSelf() {
  RankRule Rank;
  Rank.Says = RankRule::Kind::Same;
  Rank.Argument = "self";
  return Rank;
}

TypeRule typeOfSelf() { return {TypeRule::Kind::Same, "self"}; }

} // namespace verify
} // namespace tdl
