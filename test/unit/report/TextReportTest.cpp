//===- TextReportTest.cpp - Findings as clang prints warnings -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole reports, character by character.
//
//===----------------------------------------------------------------------===//

#include "report/TextReport.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tdl;

static const char File[] = "/p/src/pick.cpp";
static const char Program[] = R"(#include <torch/torch.h>

torch::Tensor pick() {
  auto x_cpu = torch::rand({4, 3});
  auto idx_cuda = torch::arange(2).to(torch::kCUDA);
  return x_cpu.index({idx_cuda});
}
)";

static SourcePoint at(unsigned Line, unsigned Column) {
  return {File, Line, Column};
}

static Edit insertion(SourcePoint At, StringRef Text) {
  return {{At, At, 0, 0}, Text.str()};
}

static Finding example() {
  Finding F;
  F.Check = "torch-cross-device-index";
  F.At = at(6, 23);
  F.Extent = {at(6, 10), at(6, 33), 147, 23};
  F.Message = "index 'idx_cuda' is on cuda but the indexed tensor 'x_cpu' is "
              "on cpu";
  F.Notes = {{at(4, 16), "'x_cpu' is made here on cpu"},
             {at(5, 36), "'idx_cuda' is moved to cuda here"}};
  F.Fixes = {{"move 'idx_cuda' to the device of 'x_cpu'",
              {insertion(at(6, 31), ".to(x_cpu.device())")},
              "indices[0]",
              "self"}};
  return F;
}

static std::string report(const Finding &F, StringRef Text = Program,
                          TextReportOptions Options = {}) {
  SourceText Sources;
  Sources.setText(File, Text);
  std::string Result;
  raw_string_ostream OS(Result);
  Options.Base = "/p";
  TextReport(OS, Sources, Options).finding(F);
  return Result;
}

TEST(TextReportTest, findingWithNotesAndFix) {
  EXPECT_EQ(
      report(example()),
      R"(src/pick.cpp:6:23: warning: index 'idx_cuda' is on cuda but the indexed tensor 'x_cpu' is on cpu [torch-cross-device-index]
    6 |   return x_cpu.index({idx_cuda});
      |          ~~~~~~~~~~~~~^~~~~~~~~~
      |                               .to(x_cpu.device())
src/pick.cpp:4:16: note: 'x_cpu' is made here on cpu
    4 |   auto x_cpu = torch::rand({4, 3});
      |                ^
src/pick.cpp:5:36: note: 'idx_cuda' is moved to cuda here
    5 |   auto idx_cuda = torch::arange(2).to(torch::kCUDA);
      |                                    ^
)");
}

TEST(TextReportTest, wordsForCertainty) {
  Finding F = example();
  F.Level = Certainty::Conditional;
  EXPECT_NE(report(F).find(":6:23: warning: "), std::string::npos);
  F.Level = Certainty::Latent;
  EXPECT_NE(report(F).find(":6:23: remark: "), std::string::npos);
}

TEST(TextReportTest, otherFixesAreNotes) {
  Finding F = example();
  F.Notes.clear();
  // On other lines, in two places of one line, and over several lines.
  F.Fixes = {{"make it there", {insertion(at(5, 21), "x::")}, "", ""},
             {"move both",
              {{{at(6, 10), at(6, 15), 0, 5}, "y"},
               insertion(at(6, 31), ".cpu()"),
               insertion(at(4, 3), "const ")},
              "",
              ""},
             {"rewrite", {{{at(4, 3), at(6, 33), 0, 90}, "a\nb"}}, "", ""}};
  EXPECT_EQ(
      report(F),
      R"(src/pick.cpp:6:23: warning: index 'idx_cuda' is on cuda but the indexed tensor 'x_cpu' is on cpu [torch-cross-device-index]
    6 |   return x_cpu.index({idx_cuda});
      |          ~~~~~~~~~~~~~^~~~~~~~~~
src/pick.cpp:5:21: note: fix: make it there
    5 |   auto idx_cuda = torch::arange(2).to(torch::kCUDA);
      |                     ^
      |                     x::
src/pick.cpp:6:10: note: fix: move both
    6 |   return x_cpu.index({idx_cuda});
      |          ^~~~~
      |          y                    .cpu()
    4 |   auto x_cpu = torch::rand({4, 3});
      |   ^
      |   const
src/pick.cpp:4:3: note: fix: rewrite
    4 |   auto x_cpu = torch::rand({4, 3});
      |   ^
)");
}

TEST(TextReportTest, insertionsDoNotOverlap) {
  Finding F;
  F.At = at(1, 1);
  F.Message = "m";
  F.Check = "c";
  F.Fixes = {
      {"two",
       {insertion(at(1, 3), ".cuda()"), insertion(at(1, 1), "std::move(")},
       "",
       ""}};
  EXPECT_EQ(report(F, "a = b;"), R"(src/pick.cpp:1:1: warning: m [c]
    1 | a = b;
      | ^
src/pick.cpp:1:3: note: fix: two
    1 | a = b;
      |   ^
      | std::move( .cuda()
)");
}

TEST(TextReportTest, tabsAndWideCharacters) {
  Finding F;
  F.Message = "m";
  F.Check = "c";
  const char Line[] = "\tf(\"\xC3\xA4\xE5\xBC\xA0\",\tx + y);";
  const unsigned Column = StringRef(Line).find("x +") + 1;
  F.At = at(1, Column + 2);
  F.Extent = {at(1, Column), at(1, Column + 5), 0, 5};
  F.Fixes = {{"", {insertion(at(1, Column + 5), ".cpu()")}, "", ""}};
  EXPECT_EQ(report(F, Line),
            "src/pick.cpp:1:" + std::to_string(F.At.Column) +
                ": warning: m [c]\n"
                "    1 |         f(\"\xC3\xA4\xE5\xBC\xA0\",        x + y);\n"
                "      |                         ~~^~~\n"
                "      |                              .cpu()\n");
}

TEST(TextReportTest, extentOverSeveralLines) {
  Finding F;
  F.Message = "m";
  F.Check = "c";
  F.At = at(2, 5);
  F.Extent = {at(1, 1), at(3, 2), 0, 20};
  EXPECT_EQ(report(F, "f(a,\n    bcd,\n e)"),
            R"(src/pick.cpp:2:5: warning: m [c]
    2 |     bcd,
      |     ^~~~
)");
}

TEST(TextReportTest, placesThatAreNotThere) {
  Finding F;
  F.Message = "m";
  F.Check = "c";
  EXPECT_EQ(report(F), "warning: m [c]\n");
  F.At = at(99, 1);
  EXPECT_EQ(report(F), "src/pick.cpp:99:1: warning: m [c]\n");
  F.At = at(3, 500);
  EXPECT_EQ(report(F), R"(src/pick.cpp:3:500: warning: m [c]
    3 | torch::Tensor pick() {
      |                       ^
)");
  F.At = at(1, 1);
  EXPECT_EQ(report(F, std::string(5000, 'x')),
            "src/pick.cpp:1:1: warning: m [c]\n");
}

TEST(TextReportTest, coloursAreClangs) {
  Finding F = example();
  F.Notes.resize(1);
  TextReportOptions Options;
  Options.Colors = true;
  EXPECT_EQ(report(F, Program, Options),
            "\x1B[1msrc/pick.cpp:6:23: \x1B[0m\x1B[0;1;35mwarning: \x1B[0m"
            "\x1B[1mindex 'idx_cuda' is on cuda but the indexed tensor 'x_cpu' "
            "is on cpu [torch-cross-device-index]\x1B[0m\n"
            "    6 |   return x_cpu.index({idx_cuda});\n"
            "      | \x1B[0;1;32m         ~~~~~~~~~~~~~^~~~~~~~~~\x1B[0m\n"
            "      | \x1B[0;32m                              "
            ".to(x_cpu.device())\x1B[0m\n"
            "\x1B[1msrc/pick.cpp:4:16: \x1B[0m\x1B[0;1;36mnote: \x1B[0m"
            "'x_cpu' is made here on cpu\x1B[0m\n"
            "    4 |   auto x_cpu = torch::rand({4, 3});\n"
            "      | \x1B[0;1;32m               ^\x1B[0m\n");
}

static std::string lastLine(bool Quiet) {
  SourceText Sources;
  std::string Result;
  raw_string_ostream OS(Result);
  TextReportOptions Options;
  Options.Quiet = Quiet;
  TextReport(OS, Sources, Options).coverage(0, {});
  return Result;
}

TEST(TextReportTest, lastLine) {
  EXPECT_EQ(lastLine(/*Quiet=*/false),
            "\nno findings in 0 files: 0 functions, 0 tensor operations\n");
  EXPECT_EQ(lastLine(/*Quiet=*/true), "");
}

TEST(TextReportTest, unmatchedNoLint) {
  SourceText Sources;
  Sources.setText("a.cpp", "// NOLINTEND");
  std::string Result;
  raw_string_ostream OS(Result);
  TextReport(OS, Sources, {}).problem({{"a.cpp", 1, 4}, "unmatched"});
  EXPECT_EQ(Result, "a.cpp:1:4: warning: unmatched [nolint]\n"
                    "    1 | // NOLINTEND\n"
                    "      |    ^\n");
}
