//===- FindingSetTest.cpp - One sorted list of findings -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is one finding, which of two is kept, and that the order of arrival
// does not matter.
//
//===----------------------------------------------------------------------===//

#include "findings/FindingSet.h"
#include "findings/Coverage.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace tdl;

static Finding makeFinding(const char *File, unsigned Line, unsigned Column,
                           const char *Check, const char *Message) {
  Finding F;
  F.At = {File, Line, Column};
  F.Check = Check;
  F.Message = Message;
  return F;
}

/// "file:line:column check message" of each.
static std::vector<std::string> texts(const std::vector<Finding> &Findings) {
  std::vector<std::string> Result;
  for (const Finding &F : Findings)
    Result.push_back(F.At.File + ":" + std::to_string(F.At.Line) + ":" +
                     std::to_string(F.At.Column) + " " + F.Check + " " +
                     F.Message);
  return Result;
}

TEST(FindingSetTest, sortsByPlaceCheckAndMessage) {
  std::vector<Finding> Findings = {makeFinding("b.cpp", 1, 1, "x", "m"),
                                   makeFinding("a.cpp", 10, 1, "x", "m"),
                                   makeFinding("a.cpp", 9, 5, "y", "m"),
                                   makeFinding("a.cpp", 9, 5, "x", "m"),
                                   makeFinding("a.cpp", 9, 2, "z", "m")};
  sortAndMerge(Findings);
  EXPECT_EQ(texts(Findings),
            (std::vector<std::string>{"a.cpp:9:2 z m", "a.cpp:9:5 x m",
                                      "a.cpp:9:5 y m", "a.cpp:10:1 x m",
                                      "b.cpp:1:1 x m"}));
}

TEST(FindingSetTest, oneFindingOfAHeaderInManyFiles) {
  std::vector<Finding> Findings(3, makeFinding("h.h", 4, 7, "x", "m"));
  sortAndMerge(Findings);
  EXPECT_EQ(Findings.size(), 1u);
}

TEST(FindingSetTest, keepsTheSurestInstantiation) {
  Finding Sure = makeFinding("h.h", 4, 7, "x", "z comes last by its message");
  Finding Maybe = makeFinding("h.h", 4, 7, "x", "a comes first");
  Maybe.Level = Certainty::Conditional;
  Maybe.Condition = "use_gpu";
  std::vector<Finding> Findings = {Maybe, Sure};
  sortAndMerge(Findings);
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].Message, Sure.Message);
}

/// Findings at one place that differ in one thing each.
static std::vector<Finding> variants() {
  const Finding Base = makeFinding("h.h", 4, 7, "x", "m");
  std::vector<Finding> All(7, Base);
  All[1].Function = "f<int>";
  All[2].Notes = {{{"h.h", 1, 1}, "made here"}};
  All[3].Operands.resize(1);
  All[4].Steps.resize(1);
  All[5].Steps.resize(1);
  All[5].Steps[0].Arguments.resize(1);
  All[6].Fixes.resize(1);
  return All;
}

TEST(FindingSetTest, orderOfArrivalDoesNotMatter) {
  std::vector<Finding> All = variants();
  for (size_t I = 0; I != All.size(); ++I)
    for (size_t J = 0; J != All.size(); ++J) {
      SCOPED_TRACE(std::to_string(I) + " and " + std::to_string(J));
      EXPECT_EQ(findingLess(All[I], All[J]) || findingLess(All[J], All[I]),
                I != J);
      EXPECT_FALSE(findingLess(All[I], All[J]) && findingLess(All[J], All[I]));
    }
}

TEST(FindingSetTest, mergingIsAssociative) {
  std::vector<Finding> All = variants();
  std::vector<Finding> Once = All;
  sortAndMerge(Once);

  std::vector<Finding> Left(All.begin(), All.begin() + 3);
  std::vector<Finding> Right(All.begin() + 3, All.end());
  std::reverse(Right.begin(), Right.end());
  sortAndMerge(Left);
  sortAndMerge(Right);
  Right.insert(Right.end(), Left.begin(), Left.end());
  sortAndMerge(Right);

  ASSERT_EQ(Once.size(), 1u);
  ASSERT_EQ(Right.size(), 1u);
  EXPECT_FALSE(findingLess(Once[0], Right[0]) ||
               findingLess(Right[0], Once[0]));
}

TEST(CoverageTest, addsEveryCount) {
  Coverage One{1, 2, 3, 4, 5, 6, 7, 8, 9};
  Coverage Sum{10, 20, 30, 40, 50, 60, 70, 80, 90};
  Sum += One;
  EXPECT_EQ(Sum.Files, 11u);
  EXPECT_EQ(Sum.FilesFailed, 22u);
  EXPECT_EQ(Sum.PreludeFallbacks, 33u);
  EXPECT_EQ(Sum.Functions, 44u);
  EXPECT_EQ(Sum.FunctionsGivenUp, 55u);
  EXPECT_EQ(Sum.Operations, 66u);
  EXPECT_EQ(Sum.OperationsKnown, 77u);
  EXPECT_EQ(Sum.OperationsUnmodelled, 88u);
  EXPECT_EQ(Sum.Suppressed, 99u);
}
