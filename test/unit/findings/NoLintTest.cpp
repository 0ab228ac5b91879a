//===- NoLintTest.cpp - Findings that a comment hides ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case is a file in which google-explicit-constructor reports every
// one-argument constructor `X(int)`. What clang-tidy 22.1.8 still shows, and
// where it reports a BEGIN or END without the other, is what the table says;
// it was compared by running clang-tidy on the very texts.
//
//===----------------------------------------------------------------------===//

#include "findings/NoLint.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tdl;

static const char Check[] = "google-explicit-constructor";
static const char File[] = "case.cpp";

namespace {
struct Case {
  const char *Text;
  std::vector<unsigned> Shown;    ///< Lines of findings that are not hidden.
  std::vector<unsigned> Problems; ///< Lines of unmatched BEGIN and END.
};
} // namespace

static const Case Cases[] = {
    // clang-format off
    {R"(struct A { A(int); };)", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT)", {}, {}},
    {R"(struct A { A(int); }; /* NOLINT */)", {}, {}},
    {R"(/* NOLINT */ struct A { A(int); };)", {}, {}},
    {R"(struct A { A(int); }; // because NOLINT: it is wanted)", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(google-explicit-constructor))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(google-*))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(*-explicit-*))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(Google-Explicit-Constructor))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(google-explicit))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check, google-explicit-constructor))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(  other-check  ,  google-explicit-constructor  ))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT())", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT( ))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(,))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(*))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(-google-explicit-constructor))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(*,-google-explicit-constructor))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(-*))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check)", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check
// ))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT (other-check))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT:other-check)", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check) NOLINT(google-explicit-constructor))", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(other-check)NOLINT)", {}, {}},
    {R"(struct A { A(int); }; // NOLINT(a(google-explicit-constructor)))", {1}, {}},
    {R"(struct A { A(int); }; // NOLINTX)", {1}, {}},
    {R"(struct A { A(int); }; // NOLINTs)", {1}, {}},
    {R"(struct A { A(int); }; // NOLINT_X)", {}, {}},
    {R"(struct A { A(int); }; // NOLINT2)", {}, {}},
    {R"(struct A { A(int); }; // XNOLINT)", {}, {}},
    {R"(struct A { A(int); }; // nolint)", {1}, {}},
    {R"(struct A { A(int); }; // NoLint)", {1}, {}},
    {R"(struct A { A(int); }; // NOLINTNOLINT)", {1}, {}},
    {R"(struct A { A(int); const char *S = "NOLINT"; };)", {}, {}},
    {R"(int NOLINT; struct A { A(int); };)", {}, {}},
    {R"(struct A { A(int); };
// NOLINT)", {1}, {}},
    {R"(struct A { // NOLINT
  A(int);
};)", {2}, {}},

    {R"(// NOLINTNEXTLINE
struct A { A(int); };
struct B { B(int); };)", {3}, {}},
    {R"(// NOLINTNEXTLINE(google-explicit-constructor)
struct A { A(int); };)", {}, {}},
    {R"(// NOLINTNEXTLINE(other-check)
struct A { A(int); };)", {2}, {}},
    {R"(// NOLINTNEXTLINE

struct A { A(int); };)", {3}, {}},
    {R"(struct A { A(int); }; // NOLINTNEXTLINE
struct B { B(int); };)", {1}, {}},
    {R"(// NOLINTNEXTLINE
// NOLINTNEXTLINE(other-check)
struct A { A(int); };)", {3}, {}},
    {R"(// NOLINTNEXTLINE(other-check) NOLINTNEXTLINE
struct A { A(int); };)", {}, {}},
    {R"(// NOLINTNEXTLINE because
// a comment stands between
struct A { A(int); };)", {3}, {}},

    {R"(// NOLINTBEGIN
struct A { A(int); };

struct B { B(int); };
// NOLINTEND
struct C { C(int); };)", {6}, {}},
    {R"(// NOLINTBEGIN(google-explicit-constructor)
struct A { A(int); };
// NOLINTEND(google-explicit-constructor)
struct B { B(int); };)", {4}, {}},
    {R"(// NOLINTBEGIN(other-check)
struct A { A(int); };
// NOLINTEND(other-check))", {2}, {}},
    {R"(// NOLINTBEGIN(google*)
struct A { A(int); };
// NOLINTEND(google*))", {}, {}},
    {R"(// NOLINTBEGIN(*,-google-explicit-constructor)
struct A { A(int); };
// NOLINTEND(*,-google-explicit-constructor))", {}, {}},
    {R"(// NOLINTBEGIN( a , google-explicit-constructor )
struct A { A(int); };
// NOLINTEND(a,google-explicit-constructor))", {}, {}},
    {R"(// NOLINTBEGIN(a,google-explicit-constructor)
struct A { A(int); };
// NOLINTEND(google-explicit-constructor,a))", {2}, {1, 3}},
    {R"(// NOLINTBEGIN(google-explicit-constructor)
struct A { A(int); };
// NOLINTEND)", {2}, {1, 3}},
    {R"(// NOLINTBEGIN
struct A { A(int); };
// NOLINTEND(*))", {2}, {1, 3}},
    {R"(// NOLINTBEGIN
struct A { A(int); };)", {2}, {1}},
    {R"(struct A { A(int); };
// NOLINTEND)", {1}, {2}},
    {R"(// NOLINTBEGIN
// NOLINTBEGIN
struct A { A(int); };
// NOLINTEND
struct B { B(int); };
// NOLINTEND
struct C { C(int); };)", {7}, {}},
    {R"(// NOLINTBEGIN
// NOLINTBEGIN(google-explicit-constructor)
struct A { A(int); };
// NOLINTEND
struct B { B(int); };
// NOLINTEND(google-explicit-constructor))", {}, {1, 4}},
    {R"(// NOLINTBEGIN
// NOLINTBEGIN(other-check)
struct A { A(int); };
// NOLINTEND(other-check)
struct B { B(int); };
// NOLINTEND)", {}, {}},
    {R"(// NOLINTEND
// NOLINTBEGIN
struct A { A(int); };
// NOLINTEND
// NOLINTBEGIN
struct B { B(int); };)", {6}, {1, 5}},
    {R"(struct A { A(int); }; // NOLINTBEGIN
struct B { B(int); };
/* NOLINTEND */ struct C { C(int); };)", {1, 3}, {}},
    {R"(/* NOLINTBEGIN */ struct A { A(int); }; /* NOLINTEND */ struct B { B(int); };)", {1}, {}},
    {R"(// NOLINTBEGIN NOLINTEND
struct A { A(int); };)", {2}, {}},
    {R"(// NOLINTBEGIN
struct A { A(int); }; // NOLINT)", {}, {}},
    {R"(// NOLINTBEGIN
int NoFinding;)", {}, {}},
    // clang-format on
};

/// The finding that google-explicit-constructor has at each `X(int)`.
static std::vector<Finding> findingsIn(StringRef Text, SourceText &Sources) {
  std::vector<Finding> Findings;
  for (size_t At = Text.find("(int)"); At != StringRef::npos;
       At = Text.find("(int)", At + 1)) {
    Finding F;
    F.Check = Check;
    F.At = Sources.point(File, At - 1);
    Findings.push_back(F);
  }
  return Findings;
}

static void expectLikeClangTidy(StringRef Text, const Case &C) {
  SCOPED_TRACE(Text.str());
  SourceText Sources;
  Sources.setText(File, Text);
  NoLint Comments(Sources);
  std::vector<Finding> Findings = findingsIn(Text, Sources);
  const size_t All = Findings.size();
  const unsigned Hidden = Comments.filter(Findings);
  EXPECT_EQ(Hidden + Findings.size(), All);

  std::vector<unsigned> Shown, Problems;
  for (const Finding &F : Findings)
    Shown.push_back(F.At.Line);
  for (const NoLintProblem &P : Comments.problems())
    Problems.push_back(P.At.Line);
  EXPECT_EQ(Shown, C.Shown);
  EXPECT_EQ(Problems, C.Problems);
}

TEST(NoLintTest, asClangTidyReadsThem) {
  for (const Case &C : Cases)
    expectLikeClangTidy(C.Text, C);
}

TEST(NoLintTest, windowsLineEnds) {
  for (const Case &C : Cases) {
    std::string Text;
    for (char Byte : StringRef(C.Text))
      Text += Byte == '\n' ? std::string("\r\n") : std::string(1, Byte);
    expectLikeClangTidy(Text, C);
  }
}

TEST(NoLintTest, messagesOfProblems) {
  SourceText Sources;
  Sources.setText(File,
                  "  // NOLINTEND\nstruct A { A(int); };\n// NOLINTBEGIN");
  NoLint Comments(Sources);
  std::vector<Finding> Findings = findingsIn(Sources.text(File), Sources);
  Comments.filter(Findings);
  const auto Problems = Comments.problems();
  ASSERT_EQ(Problems.size(), 2u);
  EXPECT_EQ(Problems[0].At, (SourcePoint{File, 1, 6}));
  EXPECT_EQ(Problems[0].Message, "unmatched 'NOLINTEND' comment without a "
                                 "previous 'NOLINTBEGIN' comment");
  EXPECT_EQ(Problems[1].At, (SourcePoint{File, 3, 4}));
  EXPECT_EQ(Problems[1].Message, "unmatched 'NOLINTBEGIN' comment without a "
                                 "subsequent 'NOLINTEND' comment");
}

/// Whether the finding of MAKE(A) on line 3 is hidden. clang-tidy 22.1.8
/// agrees: a mark on the macro's text, at its use, or at the use of a macro
/// around it.
static bool isMacroFindingHidden(StringRef DefinitionComment,
                                 StringRef OuterComment, StringRef UseComment) {
  SourceText Sources;
  Sources.setText(File, (Twine("#define MAKE(X) struct X { X(int); }; ") +
                         DefinitionComment + "\n#define OUTER MAKE(A) " +
                         OuterComment + "\nOUTER " + UseComment + "\n")
                            .str());
  Finding F;
  F.Check = Check;
  F.At = {File, 3, 1};
  F.MacroPlaces = {{File, 2, 20}, {File, 1, 28}};
  return NoLint(Sources).suppresses(F);
}

TEST(NoLintTest, macros) {
  EXPECT_FALSE(isMacroFindingHidden("", "", ""));
  EXPECT_TRUE(isMacroFindingHidden("// NOLINT", "", ""));
  EXPECT_TRUE(isMacroFindingHidden("", "// NOLINT", ""));
  EXPECT_TRUE(isMacroFindingHidden("", "", "// NOLINT"));
  EXPECT_FALSE(isMacroFindingHidden("// NOLINT(other)", "", "// NOLINT()"));
}

TEST(NoLintTest, unreadableFileHidesNothing) {
  SourceText Sources;
  Finding F;
  F.Check = Check;
  F.At = {"/does/not/exist.cpp", 1, 1};
  EXPECT_FALSE(NoLint(Sources).suppresses(F));
}
