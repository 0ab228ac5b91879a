//===- PlaceFactsTest.cpp - Facts about symbols against all their models ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model gives each symbol a device, and says which GPU is the current one.
// Facts are right when they hold in every model of what was assumed; over
// generated sequences with a fixed seed that is counted out.
//
//===----------------------------------------------------------------------===//

#include "device/PlaceFacts.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace tdl;

static constexpr unsigned NumSymbols = 3;

namespace {

struct Model {
  Place Symbols[NumSymbols]; ///< Known, with an index where it is a GPU.
  int Current;

  Place operator()(Place P) const {
    if (P.isSymbol())
      P = Symbols[P.symbolId()];
    bool IsCurrent = P.type() == DeviceType::CUDA &&
                     P.index() == Place::CurrentIndex;
    return IsCurrent ? Place::known(DeviceType::CUDA, Current) : P;
  }
};

struct Assumption {
  enum { Type, NotType, Same, Different } Kind;
  Place A, B;
  DeviceType Asked;

  bool holdsIn(const Model &M) const {
    switch (Kind) {
    case Type:
      return M(A).type() == Asked;
    case NotType:
      return M(A).type() != Asked;
    case Same:
      return M(A) == M(B);
    default:
      return M(A) != M(B);
    }
  }
  bool addTo(PlaceFacts &Facts) const {
    switch (Kind) {
    case Type:
      return Facts.assumeType(A, Asked);
    case NotType:
      return Facts.assumeNotType(A, Asked);
    case Same:
      return Facts.assumeSame(A, B);
    default:
      return Facts.assumeDifferent(A, B);
    }
  }
};

/// Facts beside the models in which all that was assumed holds.
struct Knowledge {
  PlaceFacts Facts;
  std::vector<Model> Models;
};

} // namespace

static const Place CPU = Place::known(DeviceType::CPU);
static const Place Cuda = Place::known(DeviceType::CUDA);
static const Place Cuda0 = Place::known(DeviceType::CUDA, 0);
static const Place Cuda1 = Place::known(DeviceType::CUDA, 1);
static const Place Mps = Place::known(DeviceType::MPS, 0);
static const Place S0 = Place::symbol(0), S1 = Place::symbol(1),
                   S2 = Place::symbol(2);

static const std::vector<Place> Places = {S0, S1, S2, CPU, Cuda, Cuda0, Cuda1, Mps};
static constexpr DeviceType Types[] = {DeviceType::CPU, DeviceType::CUDA,
                                       DeviceType::MPS};

static std::vector<Model> allModels() {
  std::vector<Model> Models;
  for (Place A : {CPU, Cuda0, Cuda1, Mps})
    for (Place B : {CPU, Cuda0, Cuda1, Mps})
      for (Place C : {CPU, Cuda0, Cuda1, Mps})
        for (int Current : {0, 1})
          Models.push_back({{A, B, C}, Current});
  return Models;
}

static Assumption generate(std::mt19937 &Random) {
  auto Below = [&](size_t N) { return Random() % N; };
  Assumption A;
  A.Kind = decltype(A.Kind)(Below(4));
  A.A = Places[Below(NumSymbols)];
  A.B = Places[Below(Places.size())];
  A.Asked = Types[Below(3)];
  return A;
}

/// What the facts say must hold in every model.
static void expectSound(const Knowledge &K) {
  for (Place A : Places) {
    std::optional<DeviceType> Type = K.Facts.typeOf(A);
    for (const Model &M : K.Models) {
      EXPECT_TRUE(!Type || M(A).type() == *Type);
      EXPECT_TRUE(K.Facts.mayBe(A, M(A).type()));
      EXPECT_TRUE(M(K.Facts.resolve(A)) == M(A));
    }
    for (Place B : Places) {
      Agreement Answer = K.Facts.compare(A, B);
      EXPECT_EQ(Answer, K.Facts.compare(B, A));
      for (const Model &M : K.Models) {
        EXPECT_TRUE(Answer != Agreement::Same || M(A) == M(B));
        EXPECT_TRUE(Answer != Agreement::Different || M(A) != M(B));
      }
    }
  }
}

/// Assumes up to \p Length things; stops before one that contradicts.
static Knowledge assumeSome(std::mt19937 &Random, unsigned Length) {
  Knowledge K{{}, allModels()};
  for (unsigned I = 0; I < Length; ++I) {
    Assumption A = generate(Random);
    PlaceFacts Before = K.Facts;
    std::vector<Model> Left;
    for (const Model &M : K.Models)
      if (A.holdsIn(M))
        Left.push_back(M);
    if (!A.addTo(K.Facts)) {
      EXPECT_TRUE(Left.empty()) << "a possible path was cut off";
      K.Facts = Before;
      continue;
    }
    K.Models = std::move(Left);
  }
  return K;
}

TEST(PlaceFactsTest, whatIsKnownHolds) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round < 2000 && !HasFailure(); ++Round)
    expectSound(assumeSome(Random, 1 + Round % 6));
}

static void expectSameAnswers(const PlaceFacts &F, const PlaceFacts &G) {
  for (Place A : Places) {
    EXPECT_EQ(F.typeOf(A), G.typeOf(A));
    for (DeviceType Type : Types)
      EXPECT_EQ(F.mayBe(A, Type), G.mayBe(A, Type));
    for (Place B : Places)
      EXPECT_EQ(F.compare(A, B), G.compare(A, B));
  }
}

TEST(PlaceFactsTest, whatAMeetKeepsHoldsOnBothSides) {
  std::mt19937 Random(11);
  for (unsigned Round = 0; Round < 2000 && !HasFailure(); ++Round) {
    Knowledge A = assumeSome(Random, 1 + Round % 5);
    Knowledge B = assumeSome(Random, 1 + Round % 5);
    A.Facts.meetWith(B.Facts);
    A.Models.insert(A.Models.end(), B.Models.begin(), B.Models.end());
    expectSound(A);
    PlaceFacts Again = A.Facts;
    Again.meetWith(B.Facts);
    EXPECT_TRUE(Again == A.Facts) << "meeting twice is meeting once";
  }
}

TEST(PlaceFactsTest, meetingOneselfChangesNothing) {
  std::mt19937 Random(17);
  for (unsigned Round = 0; Round < 1000 && !HasFailure(); ++Round) {
    Knowledge K = assumeSome(Random, 1 + Round % 6);
    PlaceFacts Alone = K.Facts;
    Alone.meetWith(K.Facts);
    expectSameAnswers(Alone, K.Facts);
  }
}

TEST(PlaceFactsTest, aMeetKeepsATypeThatBothKnow) {
  PlaceFacts A, B;
  EXPECT_TRUE(A.assumeType(S0, DeviceType::CUDA));
  EXPECT_TRUE(A.assumeSame(S1, S0));
  EXPECT_TRUE(B.assumeType(S1, DeviceType::CUDA));
  A.meetWith(B);
  EXPECT_EQ(A.typeOf(S1), DeviceType::CUDA);
}

TEST(PlaceFactsTest, whatIsLeftAfterForgettingHolds) {
  std::mt19937 Random(13);
  for (unsigned Round = 0; Round < 1000 && !HasFailure(); ++Round) {
    Knowledge K = assumeSome(Random, 1 + Round % 6);
    SymbolId Id = Random() % NumSymbols;
    K.Facts.forget(Id);
    // The symbol may now be anything.
    std::vector<Model> Models;
    for (const Model &M : K.Models)
      for (Place P : {CPU, Cuda0, Cuda1, Mps}) {
        Models.push_back(M);
        Models.back().Symbols[Id] = P;
      }
    K.Models = std::move(Models);
    expectSound(K);
    EXPECT_EQ(K.Facts.typeOf(Place::symbol(Id)), std::nullopt);
  }
}

TEST(PlaceFactsTest, whatIsAssumedIsKnown) {
  PlaceFacts Facts;
  EXPECT_TRUE(Facts.assumeType(S0, DeviceType::CUDA));
  EXPECT_EQ(Facts.typeOf(S0), DeviceType::CUDA);
  EXPECT_FALSE(Facts.mayBe(S0, DeviceType::CPU));
  EXPECT_TRUE(Facts.assumeSame(S1, S0));
  EXPECT_EQ(Facts.compare(S0, S1), Agreement::Same);
  EXPECT_EQ(Facts.typeOf(S1), DeviceType::CUDA);
  EXPECT_TRUE(Facts.assumeNotType(S2, DeviceType::CUDA));
  EXPECT_EQ(Facts.compare(S1, S2), Agreement::Different);
  EXPECT_EQ(Facts.resolve(S1), S0);
}

TEST(PlaceFactsTest, contradictionsAreSeen) {
  PlaceFacts Facts;
  EXPECT_TRUE(Facts.assumeType(S0, DeviceType::CUDA));
  EXPECT_FALSE(Facts.assumeType(S0, DeviceType::CPU));
  EXPECT_FALSE(Facts.assumeNotType(S0, DeviceType::CUDA));
  EXPECT_FALSE(Facts.assumeSame(S0, CPU));
  EXPECT_TRUE(Facts.assumeSame(S0, Cuda1));
  EXPECT_FALSE(Facts.assumeSame(S0, Cuda0));
  EXPECT_FALSE(Facts.assumeDifferent(S0, Cuda1));
  EXPECT_FALSE(Facts.assumeDifferent(CPU, CPU));
}

TEST(PlaceFactsTest, twoOnTheHostDoNotDiffer) {
  PlaceFacts Facts;
  EXPECT_TRUE(Facts.assumeType(S0, DeviceType::CPU));
  EXPECT_TRUE(Facts.assumeType(S1, DeviceType::CPU));
  EXPECT_EQ(Facts.compare(S0, S1), Agreement::Same);
  EXPECT_FALSE(Facts.assumeDifferent(S0, S1));
}

TEST(PlaceFactsTest, comparisonsOfKnownPlaces) {
  PlaceFacts Nothing;
  EXPECT_EQ(Nothing.compare(CPU, Cuda), Agreement::Different);
  EXPECT_EQ(Nothing.compare(Cuda0, Cuda1), Agreement::Different);
  EXPECT_EQ(Nothing.compare(Cuda, Cuda1), Agreement::Unknown);
  EXPECT_EQ(Nothing.compare(Cuda, Cuda), Agreement::Same);
  EXPECT_EQ(Nothing.compare(S0, S1), Agreement::Unknown);
  EXPECT_EQ(Nothing.compare(S0, S0), Agreement::Same);
  EXPECT_EQ(Nothing.compare(Place::unknown(), Place::unknown()),
            Agreement::Unknown);
}
