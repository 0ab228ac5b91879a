//===- PlaceTest.cpp - Laws of places, ranks and element types --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/Place.h"
#include "device/TensorShape.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tdl;

static const std::vector<Place> Places = {
    Place::unknown(),
    Place::known(DeviceType::CPU),
    Place::known(DeviceType::CUDA),
    Place::known(DeviceType::CUDA, 0),
    Place::known(DeviceType::CUDA, 1),
    Place::known(DeviceType::MPS),
    Place::symbol(0),
    Place::symbol(1),
};

static const std::vector<Rank> Ranks = {
    Rank::unknown(),  Rank::reduced(),  Rank::atLeastOne(),
    Rank::exactly(0), Rank::exactly(1), Rank::exactly(4),
};

/// Commutative, associative and idempotent.
template <typename T> static void expectJoinLaws(const std::vector<T> &All) {
  for (T A : All) {
    EXPECT_TRUE(join(A, A) == A);
    for (T B : All) {
      EXPECT_TRUE(join(A, B) == join(B, A));
      // The join is above both: joining one of them again adds nothing.
      EXPECT_TRUE(join(join(A, B), A) == join(A, B));
      for (T C : All)
        EXPECT_TRUE(join(join(A, B), C) == join(A, join(B, C)));
    }
  }
}

TEST(PlaceTest, joinLaws) { expectJoinLaws(Places); }

TEST(PlaceTest, joinsOfDifferentPlacesAreUnknown) {
  for (Place A : Places)
    for (Place B : Places)
      EXPECT_EQ(join(A, B).isUnknown(), A != B || A.isUnknown());
}

TEST(PlaceTest, thereIsOneCPU) {
  EXPECT_EQ(Place::known(DeviceType::CPU, 0), Place::known(DeviceType::CPU));
  EXPECT_EQ(Place::known(DeviceType::CPU, 0).str(), "cpu");
  EXPECT_TRUE(Place::known(DeviceType::CPU, 3).isCPU());
}

TEST(PlaceTest, theCurrentDeviceIsNoNumber) {
  EXPECT_NE(Place::known(DeviceType::CUDA), Place::known(DeviceType::CUDA, 0));
  EXPECT_EQ(Place::known(DeviceType::CUDA).str(), "cuda");
  EXPECT_EQ(Place::known(DeviceType::CUDA, 1).str(), "cuda:1");
  EXPECT_EQ(Place::symbol(1).str(), "");
  EXPECT_EQ(Place::unknown().str(), "");
}

TEST(PlaceTest, parse) {
  EXPECT_EQ(Place::parse("cuda"), Place::known(DeviceType::CUDA));
  EXPECT_EQ(Place::parse("cuda:1"), Place::known(DeviceType::CUDA, 1));
  EXPECT_EQ(Place::parse("cpu"), Place::known(DeviceType::CPU));
  for (llvm::StringRef Text : {"", "gpu", "cuda:x", ":1"})
    EXPECT_TRUE(Place::parse(Text).isUnknown()) << Text.str();
}

TEST(RankTest, joinLaws) { expectJoinLaws(Ranks); }

/// Whether a tensor of \p N dimensions is among those that \p R stands for.
static bool includes(Rank R, unsigned N) {
  if (R.isExact())
    return R.number() == N;
  return !R.isPositive() || N > 0;
}

TEST(RankTest, aJoinIncludesBothSides) {
  for (Rank A : Ranks)
    for (Rank B : Ranks)
      for (unsigned N = 0; N < 6; ++N)
        if (includes(A, N) || includes(B, N)) {
          EXPECT_TRUE(includes(join(A, B), N)) << A.encoded() << B.encoded();
        }
}

TEST(RankTest, aBroadcastIncludesEveryResult) {
  for (Rank A : Ranks)
    for (Rank B : Ranks) {
      EXPECT_EQ(broadcast(A, B), broadcast(B, A));
      for (unsigned M = 0; M < 6; ++M)
        for (unsigned N = 0; N < 6; ++N)
          if (includes(A, M) && includes(B, N)) {
            EXPECT_TRUE(includes(broadcast(A, B), std::max(M, N)))
                << A.encoded() << B.encoded();
          }
    }
}

TEST(RankTest, encoding) {
  EXPECT_EQ(Rank::unknown().encoded(), -1);
  EXPECT_EQ(Rank::reduced().encoded(), -1);
  EXPECT_EQ(Rank::atLeastOne().encoded(), -2);
  EXPECT_EQ(Rank::exactly(3).encoded(), 3);
}

TEST(ElementTypeTest, joinLaws) {
  expectJoinLaws<ElementType>({ElementType::Unknown, ElementType::Bool,
                               ElementType::Long, ElementType::Float});
}

TEST(ElementTypeTest, names) {
  EXPECT_EQ(elementTypeOfConstant("kLong"), ElementType::Long);
  EXPECT_EQ(elementTypeOfConstant("kInt64"), ElementType::Long);
  EXPECT_EQ(elementTypeOfConstant("Float"), ElementType::Float);
  EXPECT_EQ(elementTypeOfConstant("kCUDA"), ElementType::Unknown);
  EXPECT_STREQ(elementTypeName(ElementType::Bool), "bool");
  EXPECT_STREQ(elementTypeName(ElementType::Unknown), "");
  EXPECT_TRUE(isMask(ElementType::Byte));
  EXPECT_FALSE(isMask(ElementType::Unknown));
}
