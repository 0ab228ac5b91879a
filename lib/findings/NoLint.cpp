//===- NoLint.cpp - Findings that a comment hides -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finding the marks of a file, pairing BEGIN with END, and asking them.
//
//===----------------------------------------------------------------------===//

#include "findings/NoLint.h"
#include "findings/CheckList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>
#include <tuple>

using namespace llvm;
using namespace tdl;

namespace {

enum class MarkKind { Line, NextLine, Begin, End };

struct Mark {
  MarkKind Kind;
  size_t Offset; ///< Of the word's first letter.
  unsigned Line;
  std::optional<std::string> List; ///< None for every check; blanks removed.
  CheckList Checks;
};

/// From a BEGIN to its END, both offsets outside.
struct Block {
  size_t Begin, End;
  CheckList Checks;
};

} // namespace

struct NoLint::FileMarks {
  SmallVector<Mark, 0> Marks;
  std::vector<Block> Blocks;
  std::vector<NoLintProblem> Problems;
  bool BlocksAsked = false; ///< The problems are reported only then.
};

static std::optional<MarkKind> markKind(StringRef Word) {
  return StringSwitch<std::optional<MarkKind>>(Word)
      .Case("NOLINT", MarkKind::Line)
      .Case("NOLINTNEXTLINE", MarkKind::NextLine)
      .Case("NOLINTBEGIN", MarkKind::Begin)
      .Case("NOLINTEND", MarkKind::End)
      .Default(std::nullopt);
}

static std::string withoutBlanks(StringRef List) {
  SmallVector<StringRef> Parts;
  List.split(Parts, ',');
  for (StringRef &Part : Parts)
    Part = Part.trim();
  return join(Parts, ",");
}

/// The text between the parentheses with which \p Text begins, none when it
/// begins with something else or the line ends before they do.
static std::optional<StringRef> parenthesised(StringRef Text) {
  if (!Text.consume_front("("))
    return std::nullopt;
  const size_t End = Text.find_first_of("\n)");
  if (End == StringRef::npos || Text[End] != ')')
    return std::nullopt;
  return Text.take_front(End);
}

static SmallVector<Mark, 0> findMarks(StringRef Text, StringRef File,
                                      SourceText &Sources) {
  const StringRef Stem = "NOLINT";
  SmallVector<Mark, 0> Marks;
  for (size_t At = Text.find(Stem); At != StringRef::npos;) {
    StringRef Word = Text.drop_front(At).take_while(isAlpha);
    size_t Next = At + Word.size();
    if (std::optional<MarkKind> Kind = markKind(Word)) {
      const auto List = parenthesised(Text.drop_front(Next));
      if (List)
        Next += List->size() + 2;
      Marks.push_back(
          {*Kind, At, Sources.point(File, At).Line,
           List ? std::optional(withoutBlanks(*List)) : std::nullopt,
           CheckList(List.value_or("*"), CheckList::Negative::Ignored)});
    }
    At = Text.find(Stem, Next);
  }
  return Marks;
}

static NoLintProblem unmatched(const Mark &M, StringRef File,
                               SourceText &Sources) {
  return {Sources.point(File, M.Offset),
          M.Kind == MarkKind::Begin
              ? "unmatched 'NOLINTBEGIN' comment without a subsequent "
                "'NOLINTEND' comment"
              : "unmatched 'NOLINTEND' comment without a previous "
                "'NOLINTBEGIN' comment"};
}

/// An END closes the innermost open BEGIN or, when that one has another list,
/// nothing.
NoLint::FileMarks &NoLint::marksOf(StringRef File) {
  std::unique_ptr<FileMarks> &Entry = Files[File];
  if (Entry)
    return *Entry;
  Entry = std::make_unique<FileMarks>();
  Entry->Marks = findMarks(Sources.text(File), File, Sources);

  SmallVector<const Mark *> Open;
  for (const Mark &M : Entry->Marks) {
    if (M.Kind == MarkKind::Begin) {
      Open.push_back(&M);
    } else if (M.Kind == MarkKind::End) {
      if (!Open.empty() && Open.back()->List == M.List) {
        const Mark *Begin = Open.pop_back_val();
        Entry->Blocks.push_back({Begin->Offset, M.Offset, Begin->Checks});
      } else {
        Entry->Problems.push_back(unmatched(M, File, Sources));
      }
    }
  }
  for (const Mark *M : Open)
    Entry->Problems.push_back(unmatched(*M, File, Sources));
  return *Entry;
}

NoLint::NoLint(SourceText &Sources) : Sources(Sources) {}
NoLint::~NoLint() = default;

bool NoLint::suppressesAt(const SourcePoint &Place, StringRef Check) {
  const std::optional<size_t> Offset = Sources.offset(Place);
  if (!Offset)
    return false;
  FileMarks &File = marksOf(Place.File);

  const auto OnLine = [&](const Mark &M) {
    const bool Reaches =
        (M.Kind == MarkKind::Line && M.Line == Place.Line) ||
        (M.Kind == MarkKind::NextLine && M.Line + 1 == Place.Line);
    return Reaches && M.Checks.contains(Check);
  };
  if (any_of(File.Marks, OnLine))
    return true;

  File.BlocksAsked = true;
  return any_of(File.Blocks, [&](const Block &B) {
    return B.Begin < *Offset && *Offset < B.End && B.Checks.contains(Check);
  });
}

bool NoLint::suppresses(const Finding &F) {
  return suppressesAt(F.At, F.Check) ||
         any_of(F.MacroPlaces, [&](const SourcePoint &Place) {
           return suppressesAt(Place, F.Check);
         });
}

unsigned NoLint::filter(std::vector<Finding> &Findings) {
  const size_t Before = Findings.size();
  erase_if(Findings, [&](const Finding &F) { return suppresses(F); });
  return Before - Findings.size();
}

std::vector<NoLintProblem> NoLint::problems() const {
  std::vector<NoLintProblem> All;
  for (const auto &File : Files)
    if (File.second->BlocksAsked)
      append_range(All, File.second->Problems);
  llvm::sort(All, [](const NoLintProblem &A, const NoLintProblem &B) {
    return std::tie(A.At, A.Message) < std::tie(B.At, B.Message);
  });
  return All;
}
