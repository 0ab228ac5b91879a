//===- CoverageTextTest.cpp - The last line of a report -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sentence, its grammar and its rounding.
//
//===----------------------------------------------------------------------===//

#include "report/CoverageText.h"
#include "gtest/gtest.h"

using namespace tdl;

TEST(CoverageTextTest, everything) {
  EXPECT_EQ(coverageText(2, {3, 4, 5, 41, 6, 230, 188, 7, 8}),
            "2 findings in 3 files: 41 functions, 230 tensor operations, 188 "
            "(81 %) with every operand's place known, 7 without a contract; 6 "
            "functions given up; 4 files could not be analysed; 5 files parsed "
            "without the prelude; 8 suppressed by NOLINT");
}

TEST(CoverageTextTest, singular) {
  EXPECT_EQ(coverageText(1, {1, 1, 1, 1, 1, 1, 1, 1, 1}),
            "1 finding in 1 file: 1 function, 1 tensor operation, 1 (100 %) "
            "with every operand's place known, 1 without a contract; 1 "
            "function given up; 1 file could not be analysed; 1 file parsed "
            "without the prelude; 1 suppressed by NOLINT");
}

TEST(CoverageTextTest, nothingLookedAt) {
  EXPECT_EQ(coverageText(0, {}),
            "no findings in 0 files: 0 functions, 0 tensor operations");
}

TEST(CoverageTextTest, hundredPercentIsAll) {
  Coverage C;
  C.Operations = 1000;
  C.OperationsKnown = 999;
  EXPECT_NE(coverageText(0, C).find("999 (99 %)"), std::string::npos);
  C.Operations = C.OperationsKnown = 4000000000;
  EXPECT_NE(coverageText(0, C).find("(100 %)"), std::string::npos);
}
