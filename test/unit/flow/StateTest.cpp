//===- StateTest.cpp - Joins of states --------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/State.h"
#include "gtest/gtest.h"

using namespace tdl;

static const Place CPU = Place::known(DeviceType::CPU);
static const Place Cuda = Place::known(DeviceType::CUDA);

namespace {
class StateTest : public testing::Test, InitialValues {
protected:
  StateTest() : Factory(/*canonicalize=*/false), Joiner(Arena, Factory, *this) {}

  const Value *initialValue(LocationId) override { return Arena.unknown(); }

  const Value *tensor(Place P) {
    return Arena.make<TensorValue>(P, Rank::exactly(1), ElementType::Float,
                                   nullptr);
  }
  /// A state of one disjunct with the tensor of location 0 at \p P.
  State at(Place P, std::initializer_list<PathCondition::Literal> Path = {}) {
    Disjunct D(Factory.add(Factory.getEmptyMap(), 0, tensor(P)));
    for (const PathCondition::Literal &L : Path)
      D.Path.add(L.first, L.second);
    State S;
    S.Disjuncts.push_back(D);
    return S;
  }
  /// Where location 0 is in disjunct \p N.
  Place placeIn(const State &S, unsigned N = 0) {
    const Value *const *Found = S.Disjuncts[N].Env.lookup(0);
    const auto *Tensor =
        Found ? llvm::dyn_cast<TensorValue>(*Found) : nullptr;
    return Tensor ? Tensor->Where : Place::unknown();
  }

  ValueArena Arena;
  Environment::Factory Factory;
  StateJoiner Joiner;
};
} // namespace

TEST_F(StateTest, joiningNothingOrTheSameChangesNothing) {
  State S = at(CPU);
  EXPECT_FALSE(Joiner.joinInto(S, State()));
  EXPECT_FALSE(Joiner.joinInto(S, at(CPU)));
  EXPECT_EQ(S.Disjuncts.size(), 1u);
  EXPECT_EQ(placeIn(S), CPU);
}

TEST_F(StateTest, conditionsThatMayHoldAtOnceShareWhatTheyKnow) {
  // A branch without a name: x is on the CPU or on cuda:0 by the condition 1,
  // or was moved to cuda:1 whatever that is.
  State S = at(CPU, {{1, false}});
  Joiner.joinInto(S, at(Place::known(DeviceType::CUDA, 0), {{1, true}}));
  ASSERT_EQ(S.Disjuncts.size(), 2u);
  EXPECT_TRUE(Joiner.joinInto(S, at(Place::known(DeviceType::CUDA, 1))));
  for (unsigned I = 0; I < S.Disjuncts.size(); ++I)
    EXPECT_TRUE(placeIn(S, I).isUnknown());
  // What one of them says already stays.
  State Same = at(CPU, {{1, true}});
  EXPECT_FALSE(Joiner.joinInto(Same, at(CPU, {{1, true}, {2, false}})));
  EXPECT_EQ(placeIn(Same), CPU);
}

TEST_F(StateTest, detailsSplitNoState) {
  State S = at(CPU, {{1, true}});
  S.Disjuncts[0].Env =
      Factory.add(S.Disjuncts[0].Env, 1, Arena.make<IntValue>(3));
  State Other = at(CPU, {{1, false}});
  Other.Disjuncts[0].Env =
      Factory.add(Other.Disjuncts[0].Env, 1, Arena.unknown());
  Joiner.joinInto(S, Other);
  ASSERT_EQ(S.Disjuncts.size(), 1u);
  EXPECT_TRUE(S.Disjuncts[0].Path.empty());
  // A text that names a device is no detail.
  State Text = at(CPU, {{1, true}});
  Text.Disjuncts[0].Env =
      Factory.add(Text.Disjuncts[0].Env, 1, Arena.make<StringValue>("cuda:1"));
  Joiner.joinInto(Text, Other);
  EXPECT_EQ(Text.Disjuncts.size(), 2u);
}

TEST_F(StateTest, intoAnUnreachableState) {
  State S;
  EXPECT_TRUE(S.isUnreachable());
  EXPECT_TRUE(Joiner.joinInto(S, at(Cuda)));
  EXPECT_FALSE(S.isUnreachable());
  EXPECT_EQ(placeIn(S), Cuda);
}

TEST_F(StateTest, oneConditionOnePlace) {
  State S = at(CPU);
  EXPECT_TRUE(Joiner.joinInto(S, at(Cuda)));
  ASSERT_EQ(S.Disjuncts.size(), 1u);
  EXPECT_TRUE(placeIn(S).isUnknown());
  EXPECT_FALSE(Joiner.joinInto(S, at(CPU))) << "already above";
}

TEST_F(StateTest, conditionsThatDecidePlacesStayApart) {
  State S = at(CPU, {{0, false}});
  EXPECT_TRUE(Joiner.joinInto(S, at(Cuda, {{0, true}})));
  ASSERT_EQ(S.Disjuncts.size(), 2u);
  for (unsigned N : {0u, 1u}) {
    bool Gpu = *S.Disjuncts[N].Path.valueOf(0);
    EXPECT_EQ(placeIn(S, N), Gpu ? Cuda : CPU);
  }
}

TEST_F(StateTest, conditionsThatDecideNothingGo) {
  State S = at(CPU, {{0, false}});
  EXPECT_TRUE(Joiner.joinInto(S, at(CPU, {{0, true}})));
  ASSERT_EQ(S.Disjuncts.size(), 1u);
  EXPECT_TRUE(S.Disjuncts[0].Path.empty());
  EXPECT_EQ(placeIn(S), CPU);
}

TEST_F(StateTest, orderOfJoinsDoesNotMatter) {
  State A = at(CPU, {{0, false}}), B = at(Cuda, {{0, true}});
  State AB = A, BA = B;
  Joiner.joinInto(AB, B);
  Joiner.joinInto(BA, A);
  ASSERT_EQ(AB.Disjuncts.size(), BA.Disjuncts.size());
  for (unsigned N = 0; N < AB.Disjuncts.size(); ++N) {
    EXPECT_TRUE(AB.Disjuncts[N].Path == BA.Disjuncts[N].Path);
    EXPECT_EQ(placeIn(AB, N), placeIn(BA, N));
  }
}

TEST_F(StateTest, factsOfBothSidesAreKept) {
  Place S0 = Place::symbol(0), S1 = Place::symbol(1);
  State A = at(CPU), B = at(CPU);
  EXPECT_TRUE(A.Disjuncts[0].Facts.assumeType(S0, DeviceType::CUDA));
  EXPECT_TRUE(A.Disjuncts[0].Facts.assumeType(S1, DeviceType::CUDA));
  EXPECT_TRUE(B.Disjuncts[0].Facts.assumeType(S0, DeviceType::CUDA));
  EXPECT_TRUE(Joiner.joinInto(A, B));
  EXPECT_EQ(A.Disjuncts[0].Facts.typeOf(S0), DeviceType::CUDA);
  EXPECT_EQ(A.Disjuncts[0].Facts.typeOf(S1), std::nullopt);
}

TEST_F(StateTest, aLocationOfOneSideJoinsItsInitialValue) {
  State A = at(Cuda);
  State B;
  B.Disjuncts.push_back(Disjunct(Factory.getEmptyMap()));
  EXPECT_TRUE(Joiner.joinInto(A, B));
  EXPECT_TRUE(placeIn(A).isUnknown());
}

TEST_F(StateTest, disjunctsAreBounded) {
  State S;
  // Every other place on every combination of four conditions.
  for (unsigned Values = 0; Values < 16; ++Values) {
    std::initializer_list<PathCondition::Literal> Path = {
        {0, bool(Values & 1)},
        {1, bool(Values & 2)},
        {2, bool(Values & 4)},
        {3, bool(Values & 8)}};
    Joiner.joinInto(S, at(Place::known(DeviceType::CUDA, Values), Path));
    EXPECT_LE(S.Disjuncts.size(), State::MaxDisjuncts);
  }
  EXPECT_FALSE(S.isUnreachable());
  // What is still told apart is told right.
  for (unsigned N = 0; N < S.Disjuncts.size(); ++N) {
    if (placeIn(S, N).isUnknown())
      continue;
    int Values = placeIn(S, N).index();
    for (const PathCondition::Literal &L : S.Disjuncts[N].Path.literals())
      EXPECT_EQ(L.second, bool(Values >> L.first & 1));
    EXPECT_EQ(S.Disjuncts[N].Path.literals().size(), 4u);
  }
}
