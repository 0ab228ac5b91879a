//===- CheckListTest.cpp - Which checks a list of globs names -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lists that users write, and both meanings of the minus.
//
//===----------------------------------------------------------------------===//

#include "findings/CheckList.h"
#include "gtest/gtest.h"

using namespace tdl;

static bool isIn(llvm::StringRef List, llvm::StringRef Check) {
  return CheckList(List).contains(Check);
}

TEST(CheckListTest, namesAndGlobs) {
  EXPECT_TRUE(isIn("torch-cross-device-op", "torch-cross-device-op"));
  EXPECT_FALSE(isIn("torch-cross-device-op", "torch-cross-device-ops"));
  EXPECT_FALSE(isIn("torch-cross", "torch-cross-device-op"));
  EXPECT_TRUE(isIn("*", "torch-cross-device-op"));
  EXPECT_TRUE(isIn("torch-*", "torch-cross-device-op"));
  EXPECT_TRUE(isIn("*-op", "torch-cross-device-op"));
  EXPECT_FALSE(isIn("*-op", "torch-cross-device-index"));
  EXPECT_TRUE(isIn("t*-d*-op", "torch-cross-device-op"));
  EXPECT_TRUE(isIn("**", "x"));
}

TEST(CheckListTest, starsShareNoText) {
  EXPECT_FALSE(isIn("ab*b", "ab"));
  EXPECT_TRUE(isIn("ab*b", "abb"));
  EXPECT_FALSE(isIn("a*bc*c", "abc"));
  EXPECT_TRUE(isIn("a*b*b", "axbyb"));
}

TEST(CheckListTest, onlyTheStarIsSpecial) {
  EXPECT_FALSE(isIn("a.c", "abc"));
  EXPECT_TRUE(isIn("a.c", "a.c"));
  EXPECT_FALSE(isIn("a?c", "abc"));
  EXPECT_FALSE(isIn("[ab]", "a"));
}

TEST(CheckListTest, lastGlobThatFitsDecides) {
  EXPECT_FALSE(isIn("*,-torch-discarded-transfer", "torch-discarded-transfer"));
  EXPECT_TRUE(isIn("*,-torch-discarded-transfer", "torch-cross-device-op"));
  EXPECT_TRUE(isIn("-*,torch-cross-*", "torch-cross-device-op"));
  EXPECT_FALSE(isIn("torch-cross-*,-*", "torch-cross-device-op"));
}

TEST(CheckListTest, blanksAndLineEnds) {
  EXPECT_TRUE(isIn(" a , b ", "b"));
  EXPECT_TRUE(isIn("a\nb", "b"));
  EXPECT_FALSE(isIn("*, - a", "a"));
}

TEST(CheckListTest, emptyNamesNothing) {
  EXPECT_FALSE(isIn("", "a"));
  EXPECT_FALSE(isIn(",,", "a"));
}

TEST(CheckListTest, ignoredMinusIsNotInTheList) {
  const auto Ignored = CheckList::Negative::Ignored;
  EXPECT_TRUE(CheckList("*,-a", Ignored).contains("a"));
  EXPECT_FALSE(CheckList("-a", Ignored).contains("a"));
}
