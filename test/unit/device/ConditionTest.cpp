//===- ConditionTest.cpp - Formulas and path conditions ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/Condition.h"
#include "gtest/gtest.h"
#include <random>

using namespace tdl;

static Atom program(const char *Key) {
  Atom A;
  A.Key = A.Text = Key;
  return A;
}

TEST(AtomTest, equalAtomsHaveOneNumber) {
  AtomTable Atoms;
  AtomId Gpu = Atoms.intern(program("gpu"));
  EXPECT_EQ(Atoms.intern(program("gpu")), Gpu);
  EXPECT_NE(Atoms.intern(program("wanted")), Gpu);
  Atom Same;
  Same.K = Atom::Kind::Same;
  Same.A = Place::symbol(0);
  Same.B = Place::symbol(1);
  AtomId First = Atoms.intern(Same);
  std::swap(Same.A, Same.B);
  EXPECT_EQ(Atoms.intern(Same), First) << "whichever side stands first";
  Atom Type;
  Type.K = Atom::Kind::TypeIs;
  Type.A = Place::symbol(0);
  Type.Type = DeviceType::CUDA;
  AtomId IsCuda = Atoms.intern(Type);
  Type.Type = DeviceType::CPU;
  EXPECT_NE(Atoms.intern(Type), IsCuda);
}

TEST(AtomTest, wordsOfTheSource) {
  Atom A = program("gpu");
  EXPECT_EQ(A.str(true), "gpu");
  EXPECT_EQ(A.str(false), "!gpu");
  A.Text = "mode == 1";
  EXPECT_EQ(A.str(false), "!(mode == 1)");
  A.NegatedText = "mode != 1";
  EXPECT_EQ(A.str(false), "mode != 1");
}

TEST(FormulaTest, constantsDecide) {
  FormulaArena Arena;
  const Formula *True = Arena.constant(true), *False = Arena.constant(false);
  const Formula *A = Arena.atom(3), *Unknown = Arena.unknown();
  EXPECT_EQ(Arena.conjunction(True, A), A);
  EXPECT_EQ(Arena.conjunction(A, True), A);
  EXPECT_TRUE(Arena.conjunction(A, False)->isConstant(false));
  EXPECT_TRUE(Arena.conjunction(False, Unknown)->isConstant(false));
  EXPECT_EQ(Arena.disjunction(False, A), A);
  EXPECT_EQ(Arena.disjunction(A, False), A);
  EXPECT_TRUE(Arena.disjunction(True, A)->isConstant(true));
  EXPECT_TRUE(Arena.disjunction(Unknown, True)->isConstant(true));
  EXPECT_TRUE(Arena.negate(True)->isConstant(false));
  EXPECT_EQ(Arena.negate(Arena.negate(A)), A);
  EXPECT_EQ(Arena.negate(Unknown), Unknown);
}

/// The value where bit N of \p Values is that of atom N.
static bool evaluate(const Formula *F, unsigned Values) {
  switch (F->K) {
  case Formula::Kind::Constant:
    return F->Value;
  case Formula::Kind::Atom:
    return Values >> F->Id & 1;
  case Formula::Kind::Not:
    return !evaluate(F->Left, Values);
  case Formula::Kind::And:
    return evaluate(F->Left, Values) && evaluate(F->Right, Values);
  case Formula::Kind::Or:
    return evaluate(F->Left, Values) || evaluate(F->Right, Values);
  case Formula::Kind::Unknown:
    break;
  }
  ADD_FAILURE() << "no formula with an unknown part was made";
  return false;
}

TEST(FormulaTest, simplifyingKeepsTheMeaning) {
  std::mt19937 Random(5);
  FormulaArena Arena;
  // Each formula beside its truth table over three atoms.
  std::vector<std::pair<const Formula *, uint8_t>> Made = {
      {Arena.constant(false), 0x00}, {Arena.constant(true), 0xFF},
      {Arena.atom(0), 0xAA},         {Arena.atom(1), 0xCC},
      {Arena.atom(2), 0xF0}};
  for (unsigned Round = 0; Round < 500; ++Round) {
    auto [A, TableA] = Made[Random() % Made.size()];
    auto [B, TableB] = Made[Random() % Made.size()];
    switch (Random() % 3) {
    case 0:
      Made.push_back({Arena.negate(A), uint8_t(~TableA)});
      break;
    case 1:
      Made.push_back({Arena.conjunction(A, B), uint8_t(TableA & TableB)});
      break;
    default:
      Made.push_back({Arena.disjunction(A, B), uint8_t(TableA | TableB)});
    }
    for (unsigned Values = 0; Values < 8; ++Values)
      ASSERT_EQ(evaluate(Made.back().first, Values),
                bool(Made.back().second >> Values & 1));
  }
}

static PathCondition path(std::initializer_list<PathCondition::Literal> List) {
  PathCondition P;
  for (const PathCondition::Literal &L : List)
    P.add(L.first, L.second);
  return P;
}

TEST(PathConditionTest, orderDoesNotMatter) {
  EXPECT_TRUE(path({{2, true}, {0, false}}) == path({{0, false}, {2, true}}));
  EXPECT_TRUE(path({{1, true}, {1, true}}) == path({{1, true}}));
  PathCondition P = path({{2, true}, {0, false}});
  EXPECT_EQ(P.valueOf(0), std::optional<bool>(false));
  EXPECT_EQ(P.valueOf(1), std::nullopt);
  EXPECT_EQ(P.valueOf(2), std::optional<bool>(true));
  P.remove(0);
  P.remove(1);
  EXPECT_TRUE(P == path({{2, true}}));
}

TEST(PathConditionTest, commonPart) {
  PathCondition A = path({{0, true}, {1, false}, {2, true}});
  PathCondition B = path({{0, true}, {1, true}, {3, true}});
  PathCondition Common = A;
  Common.keepCommon(B);
  EXPECT_TRUE(Common == path({{0, true}}));
  EXPECT_TRUE(Common.isImpliedBy(A));
  EXPECT_TRUE(Common.isImpliedBy(B));
  EXPECT_FALSE(A.isImpliedBy(Common));
  EXPECT_FALSE(A.isImpliedBy(B));
  PathCondition Other = B;
  Other.keepCommon(A);
  EXPECT_TRUE(Other == Common);
  EXPECT_TRUE(PathCondition().isImpliedBy(A));
}

TEST(PathConditionTest, words) {
  AtomTable Atoms;
  AtomId Gpu = Atoms.intern(program("gpu"));
  AtomId Wanted = Atoms.intern(program("wanted"));
  EXPECT_EQ(PathCondition().str(Atoms), "");
  EXPECT_EQ(path({{Wanted, false}, {Gpu, true}}).str(Atoms), "gpu and !wanted");
}
