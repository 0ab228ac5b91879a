//===- DisplayLineTest.cpp - A source line as a terminal shows it ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each byte of a line lands.
//
//===----------------------------------------------------------------------===//

#include "report/DisplayLine.h"
#include "gtest/gtest.h"

using namespace tdl;

TEST(DisplayLineTest, tabsGoToTheNextStop) {
  const DisplayLine Line("\ta\tb", 8);
  EXPECT_EQ(Line.text(), "        a       b");
  EXPECT_EQ(Line.column(0), 0u);
  EXPECT_EQ(Line.column(1), 8u);
  EXPECT_EQ(Line.column(3), 16u);
  EXPECT_EQ(Line.width(), 17u);
  EXPECT_EQ(DisplayLine("ab\tc", 4).text(), "ab  c");
  EXPECT_EQ(DisplayLine("abcd\te", 4).text(), "abcd    e");
}

TEST(DisplayLineTest, charactersOfSeveralBytes) {
  const DisplayLine Line("\xC3\xA4=x", 8); // a with two dots
  EXPECT_EQ(Line.width(), 3u);
  EXPECT_EQ(Line.column(1), 0u) << "inside the character";
  EXPECT_EQ(Line.column(2), 1u);
  EXPECT_EQ(Line.column(3), 2u);
}

TEST(DisplayLineTest, wideAndCombiningCharacters) {
  const DisplayLine Wide("\xE5\xBC\xA0x", 8); // CJK
  EXPECT_EQ(Wide.column(3), 2u);
  const DisplayLine Combining("e\xCC\x81x", 8); // e, acute accent, x
  EXPECT_EQ(Combining.column(3), 1u);
}

TEST(DisplayLineTest, whatATerminalWouldNotShow) {
  EXPECT_EQ(DisplayLine("a\x1B[31m", 8).text(), "a<U+001B>[31m");
  EXPECT_EQ(DisplayLine("a\xFF"
                        "b",
                        8)
                .text(),
            "a<FF>b");
  EXPECT_EQ(DisplayLine("\xE2\x80\xAEx", 8).text(), "<U+202E>x");
  EXPECT_EQ(DisplayLine("\xE2\x80\xAEx", 8).column(3), 8u);
  EXPECT_EQ(DisplayLine("\xE2\x80", 8).text(), "<E2><80>");
}

TEST(DisplayLineTest, behindTheEnd) {
  EXPECT_EQ(DisplayLine("ab", 8).column(99), 2u);
  EXPECT_EQ(DisplayLine("", 8).column(0), 0u);
}

TEST(DisplayLineTest, widthOfText) {
  EXPECT_EQ(displayWidth("abc"), 3u);
  EXPECT_EQ(displayWidth("\xE5\xBC\xA0"), 2u);
  EXPECT_EQ(displayWidth("a\tb"), 3u);
}
