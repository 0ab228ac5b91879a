//===- SourceTextTest.cpp - The text of source files, by line -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines, offsets and files that are not there.
//
//===----------------------------------------------------------------------===//

#include "findings/SourceText.h"
#include "gtest/gtest.h"

using namespace tdl;

TEST(SourceTextTest, lines) {
  SourceText Sources;
  Sources.setText("a.cpp", "one\r\ntwo\n\nlast");
  EXPECT_EQ(Sources.line("a.cpp", 1), "one");
  EXPECT_EQ(Sources.line("a.cpp", 2), "two");
  EXPECT_EQ(Sources.line("a.cpp", 3), "");
  EXPECT_EQ(Sources.line("a.cpp", 4), "last");
  EXPECT_EQ(Sources.line("a.cpp", 5), "");
  EXPECT_EQ(Sources.line("a.cpp", 0), "");
}

TEST(SourceTextTest, offsetsAndPointsAreInverse) {
  SourceText Sources;
  const llvm::StringRef Text = "ab\n\ncd\n";
  Sources.setText("a.cpp", Text);
  for (size_t Offset = 0; Offset <= Text.size(); ++Offset)
    EXPECT_EQ(Sources.offset(Sources.point("a.cpp", Offset)), Offset);
  EXPECT_EQ(Sources.point("a.cpp", 5), (SourcePoint{"a.cpp", 3, 2}));
}

TEST(SourceTextTest, placesOutsideTheFile) {
  SourceText Sources;
  Sources.setText("a.cpp", "ab\ncd");
  EXPECT_EQ(Sources.offset({"a.cpp", 1, 99}), 2u);
  EXPECT_EQ(Sources.offset({"a.cpp", 3, 1}), std::nullopt);
  EXPECT_EQ(Sources.offset({"a.cpp", 0, 1}), std::nullopt);
  EXPECT_EQ(Sources.point("a.cpp", 99), (SourcePoint{"a.cpp", 2, 3}));
}

TEST(SourceTextTest, unreadableFilesAreEmpty) {
  SourceText Sources;
  EXPECT_EQ(Sources.text("/does/not/exist.cpp"), "");
  EXPECT_EQ(Sources.line("/does/not/exist.cpp", 1), "");
  EXPECT_EQ(Sources.line("/", 1), "");
}

TEST(SourceTextTest, newTextReplacesTheOld) {
  SourceText Sources;
  Sources.setText("a.cpp", "old");
  EXPECT_EQ(Sources.line("a.cpp", 1), "old");
  Sources.setText("a.cpp", "new");
  EXPECT_EQ(Sources.line("a.cpp", 1), "new");
}
