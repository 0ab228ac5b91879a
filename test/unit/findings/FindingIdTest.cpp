//===- FindingIdTest.cpp - A finding's name that survives edits -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an id depends on and what it does not.
//
//===----------------------------------------------------------------------===//

#include "findings/FindingId.h"
#include "gtest/gtest.h"

using namespace tdl;

static Finding makeFinding(const char *File, unsigned Line, unsigned Column) {
  Finding F;
  F.Check = "torch-cross-device-index";
  F.Function = "pick";
  F.At = {File, Line, Column};
  return F;
}

static const char File[] = "/p/src/a.cpp";

/// The ids of findings, in their order, in a file with this text.
static std::vector<std::string> idsOf(std::vector<Finding> Findings,
                                      llvm::StringRef Text,
                                      llvm::StringRef Root = "/p") {
  SourceText Sources;
  for (const Finding &F : Findings)
    Sources.setText(F.At.File, Text);
  assignIds(Findings, Sources, Root);
  std::vector<std::string> Ids;
  for (const Finding &F : Findings)
    Ids.push_back(F.Id);
  return Ids;
}

TEST(FindingIdTest, isWhatTheDocumentSays) {
  // printf '%s\0' torch-cross-device-index src/a.cpp pick 'x.index({i});' 0 |
  //   sha1sum | cut -c1-16
  EXPECT_EQ(idsOf({makeFinding(File, 1, 3)}, "  x.index({i});")[0],
            "1286a8db4b3bb92c");
}

TEST(FindingIdTest, survivesMovedAndReindentedLines) {
  EXPECT_EQ(idsOf({makeFinding(File, 1, 1)}, "x.index({i, j});"),
            idsOf({makeFinding(File, 3, 2)}, "\n\n\tx.index( {i,j} );\r\n"));
}

TEST(FindingIdTest, survivesAnotherFolderOfTheProject) {
  EXPECT_EQ(idsOf({makeFinding("/p/src/a.cpp", 1, 1)}, "x", "/p"),
            idsOf({makeFinding("/home/q/src/a.cpp", 1, 1)}, "x", "/home/q/"));
}

TEST(FindingIdTest, dependsOnEachPart) {
  const std::string Id = idsOf({makeFinding(File, 1, 1)}, "x")[0];
  Finding Check = makeFinding(File, 1, 1);
  Check.Check = "torch-cross-device-op";
  Finding Function = makeFinding(File, 1, 1);
  Function.Function = "pick2";
  EXPECT_NE(idsOf({Check}, "x")[0], Id);
  EXPECT_NE(idsOf({Function}, "x")[0], Id);
  EXPECT_NE(idsOf({makeFinding("/p/a.cpp", 1, 1)}, "x")[0], Id);
  EXPECT_NE(idsOf({makeFinding(File, 1, 1)}, "y")[0], Id);
}

TEST(FindingIdTest, partsDoNotRunTogether) {
  Finding A = makeFinding(File, 1, 1), B = A;
  A.Function = "ab";
  B.Function = "a";
  EXPECT_NE(idsOf({A}, "c")[0], idsOf({B}, "bc")[0]);
}

TEST(FindingIdTest, equalOnesAreNumberedByPlace) {
  const char Text[] = "f(x, x);\n\nf(x, x);\n";
  const std::vector<Finding> Ordered = {makeFinding(File, 1, 3),
                                        makeFinding(File, 1, 6),
                                        makeFinding(File, 3, 3)};
  const auto Ids = idsOf(Ordered, Text);
  EXPECT_NE(Ids[0], Ids[1]);
  EXPECT_NE(Ids[1], Ids[2]);
  EXPECT_NE(Ids[0], Ids[2]);
  EXPECT_EQ(idsOf({Ordered[2], Ordered[0], Ordered[1]}, Text),
            (std::vector<std::string>{Ids[2], Ids[0], Ids[1]}));
}

TEST(FindingIdTest, pathsBelowARoot) {
  EXPECT_EQ(pathBelow("/p/src/a.cpp", "/p"), "src/a.cpp");
  EXPECT_EQ(pathBelow("/p/src/a.cpp", "/p/"), "src/a.cpp");
  EXPECT_EQ(pathBelow("/p//a.cpp", "/p"), "a.cpp");
  EXPECT_EQ(pathBelow("/pq/a.cpp", "/p"), "/pq/a.cpp");
  EXPECT_EQ(pathBelow("/p", "/p"), "/p");
  EXPECT_EQ(pathBelow("/p/a.cpp", ""), "/p/a.cpp");
}
