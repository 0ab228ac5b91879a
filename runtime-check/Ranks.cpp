//===- Ranks.cpp - How many dimensions a story's tensors need -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"

#include "Layers.h"
#include "ModulePlan.h"
#include "OpNames.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace tdl {
namespace verify {

/// No tensor has more; a number beyond it is no dimension.
static constexpr int64_t MaxRank = 8;

static const Argument *argumentNamed(const Step &S, const std::string &Name) {
  for (const Argument &A : S.Arguments)
    if (A.Name == Name)
      return &A;
  return nullptr;
}

/// The step whose tensor is the object of the call; -1 when there is none.
static int objectOf(const Step &S) {
  const Argument *Self = argumentNamed(S, "self");
  for (const char *Other : {"input", "module"})
    if (!Self)
      Self = argumentNamed(S, Other);
  bool IsTensor = Self && Self->ArgKind == Argument::Kind::Tensor;
  return IsTensor ? Self->Steps.front() : -1;
}

bool namesDimensions(const Argument &A) {
  static const std::unordered_set<std::string> Names = {
      "dim",       "dims",  "dim0",  "dim1",      "dim2",
      "dimension", "axis0", "axis1", "start_dim", "end_dim"};
  bool IsNumber =
      A.ArgKind == Argument::Kind::Int || A.ArgKind == Argument::Kind::IntList;
  return IsNumber && Names.count(A.Name) != 0;
}

/// The rank that has a dimension of that number: 2 and -3 need three.
static int rankWith(int64_t Dimension) {
  int64_t Rank = Dimension >= 0 ? Dimension + 1 : -Dimension;
  return Rank > MaxRank ? 0 : int(Rank);
}

/// What a call says of its object by the dimensions that it names.
static RankNeed needOfObject(const Step &S) {
  RankNeed Need;
  std::string Op = operatorFor(S.Op);
  for (const Argument &A : S.Arguments) {
    if (!namesDimensions(A))
      continue;
    for (int64_t Dimension : A.Ints) {
      int Rank = rankWith(Dimension);
      // A dimension that is added is counted in the result.
      if (Op == "unsqueeze" || Op == "stack")
        --Rank;
      Need.Least = std::max(Need.Least, Rank);
    }
    if (Op == "permute" && int64_t(A.Ints.size()) <= MaxRank)
      Need.Exact = int(A.Ints.size());
  }
  return Need;
}

/// How many dimensions the result has more than the object; nothing where that
/// is not the same for all objects.
static std::optional<int> addedDimensions(const Step &S) {
  if (S.Kind == StepKind::Move)
    return 0;
  static const std::unordered_map<std::string, int> Added = {
      {"chunk", 0},    {"clone", 0},     {"contiguous", 0}, {"detach", 0},
      {"flip", 0},     {"narrow", 0},    {"permute", 0},    {"roll", 0},
      {"select", -1},  {"slice", 0},     {"softmax", 0},    {"split", 0},
      {"swapdims", 0}, {"transpose", 0}, {"unfold", 1},     {"unsqueeze", 1},
  };
  auto Found = Added.find(operatorFor(S.Op));
  if (Found == Added.end())
    return std::nullopt;
  return Found->second;
}

/// The first tensor that a module's forward() takes; -1 when there is none.
static int firstInputOf(const Step &S) {
  for (const Argument &A : S.Arguments)
    if (A.Name != "state" && A.ArgKind == Argument::Kind::Tensor)
      return A.Steps.front();
  return -1;
}

static void add(RankNeed &To, const RankNeed &Need) {
  if (To.Exact < 0)
    To.Exact = Need.Exact;
  To.Least = std::max(To.Least, Need.Least);
}

std::vector<RankNeed> rankNeeds(const Finding &F) {
  std::vector<RankNeed> Needs(F.Steps.size());
  for (auto S = F.Steps.rbegin(); S != F.Steps.rend(); ++S) {
    add(Needs[S->Id], {S->Rank, S->MinRank});
    const LayerKind *Layer = runsModule(*S) ? findLayer(S->Op) : nullptr;
    int Input = Layer ? firstInputOf(*S) : -1;
    if (Input >= 0)
      add(Needs[Input], {-1, Layer->InputRank});
    int Object = objectOf(*S);
    if (Object < 0)
      continue;
    add(Needs[Object], needOfObject(*S));
    std::optional<int> Added = addedDimensions(*S);
    if (!Added)
      continue;
    RankNeed Need = Needs[S->Id];
    int Exact = Need.Exact < 0 ? -1 : Need.Exact - *Added;
    add(Needs[Object], {std::max(Exact, -1), std::max(Need.Least - *Added, 0)});
  }
  return Needs;
}

} // namespace verify
} // namespace tdl
