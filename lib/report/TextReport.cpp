//===- TextReport.cpp - Findings as clang prints warnings -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The head line of each message; Snippet.h does the lines beneath.
//
//===----------------------------------------------------------------------===//

#include "report/TextReport.h"
#include "findings/FindingId.h"
#include "report/CoverageText.h"
#include "findings/Wording.h"
#include "report/Snippet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tdl;

TextReport::TextReport(raw_ostream &OS, SourceText &Sources,
                       TextReportOptions Options)
    : OS(OS), Sources(Sources), Options(std::move(Options)) {
  OS.enable_colors(this->Options.Colors);
}

void TextReport::headLine(const SourcePoint &At, Word Severity,
                          StringRef Message, StringRef Check) {
  struct Style {
    StringRef Text;
    raw_ostream::Colors Color;
  };
  static const Style Styles[] = {{"warning: ", raw_ostream::MAGENTA},
                                 {"remark: ", raw_ostream::BLUE},
                                 {"note: ", raw_ostream::CYAN}};
  if (At.isValid()) {
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true)
        << pathBelow(At.File, Options.Base) << ':' << At.Line << ':'
        << At.Column << ": ";
    OS.resetColor();
  }
  const Style &S = Styles[unsigned(Severity)];
  OS.changeColor(S.Color, /*Bold=*/true) << S.Text;
  OS.resetColor();
  if (Severity != Word::Note)
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << Message;
  if (!Check.empty())
    OS << " [" << Check << ']';
  OS.resetColor() << '\n';
}

/// The fix that needs no words: its text stands beneath the finding's caret.
static const Fix *fixBeneath(const Finding &F) {
  for (const Fix &X : F.Fixes)
    if (X.Edits.size() == 1 && !X.Edits.front().Replacement.empty() &&
        isShownBeneath(X.Edits.front(), F.At))
      return &X;
  return nullptr;
}

void TextReport::fix(const Fix &F) {
  if (F.Edits.empty())
    return;
  headLine(F.Edits.front().Span.Begin, Word::Note, "fix: " + F.Description);
  // Edits of one line share a snippet.
  for (size_t I = 0; I != F.Edits.size();) {
    Snippet S{F.Edits[I].Span.Begin, {}, {}};
    const size_t First = I;
    for (; I != F.Edits.size() && isShownBeneath(F.Edits[I], S.At); ++I)
      S.Inserted.push_back(&F.Edits[I]);
    if (I == First)
      ++I; // Many lines: the description tells what happens, here is where.
    writeSnippet(OS, Sources, S, Options.TabStop);
  }
}

void TextReport::finding(const Finding &F) {
  headLine(F.At, F.Level == Certainty::Latent ? Word::Remark : Word::Warning,
           F.Message, F.Check);
  const Fix *Beneath = fixBeneath(F);
  Snippet S{F.At, F.Extent, {}};
  if (Beneath)
    S.Inserted.push_back(&Beneath->Edits.front());
  writeSnippet(OS, Sources, S, Options.TabStop);

  for (const Note &N : F.Notes) {
    headLine(N.At, Word::Note, N.Message);
    writeSnippet(OS, Sources, {N.At, {}, {}}, Options.TabStop);
  }
  for (const Fix &X : F.Fixes)
    if (&X != Beneath)
      fix(X);
}

void TextReport::problem(const NoLintProblem &P) {
  headLine(P.At, Word::Warning, P.Message, "nolint");
  writeSnippet(OS, Sources, {P.At, {}, {}}, Options.TabStop);
}

void TextReport::place(const PlaceLine &Line, bool WithSteps) {
  headLine(Line.At, Word::Note, placeLineText(Line));
  if (!WithSteps)
    return;
  for (const Note &N : Line.Steps) {
    headLine(N.At, Word::Note, N.Message);
    writeSnippet(OS, Sources, {N.At, {}, {}}, Options.TabStop);
  }
}

void TextReport::coverage(unsigned Findings, const Coverage &Counts) {
  if (!Options.Quiet)
    OS << '\n' << coverageText(Findings, Counts) << '\n';
}
