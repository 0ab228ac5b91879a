//===- Snippet.cpp - A source line with what is pointed at ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Laying out the three lines by display column.
//
//===----------------------------------------------------------------------===//

#include "report/Snippet.h"
#include "report/DisplayLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace tdl;

static const size_t MaxLineBytes = 4096;
static const unsigned GutterDigits =
    5; ///< As clang: right-aligned, wider only from line 100000.

bool tdl::isShownBeneath(const Edit &E, const SourcePoint &At) {
  const auto OnLine = [&](const SourcePoint &P) {
    return P.File == At.File && P.Line == At.Line;
  };
  return OnLine(E.Span.Begin) && OnLine(E.Span.End) &&
         !StringRef(E.Replacement).contains('\n');
}

static unsigned columnOf(const SourcePoint &P, const DisplayLine &Line) {
  return Line.column(P.Column == 0 ? 0 : P.Column - 1);
}

/// Puts `~` from \p Begin to \p End, as far as the marks reach.
static void underline(std::string &Marks, unsigned Begin, unsigned End) {
  for (unsigned I = Begin; I < std::min<unsigned>(End, Marks.size()); ++I)
    Marks[I] = '~';
}

/// The columns of the part of \p Span on \p At's line, blanks at the line's
/// start left out; empty when there is none.
static std::pair<unsigned, unsigned> columnsOf(const SourceSpan &Span,
                                               const SourcePoint &At,
                                               const DisplayLine &Line) {
  if (!Span.Begin.isValid() || Span.Begin.File != At.File ||
      Span.Begin.Line > At.Line || Span.End.Line < At.Line)
    return {0, 0};
  const unsigned Indent =
      Line.text().size() - Line.text().drop_while(isSpace).size();
  const unsigned Begin =
      Span.Begin.Line < At.Line ? Indent : columnOf(Span.Begin, Line);
  const unsigned End =
      Span.End.Line > At.Line ? Line.width() : columnOf(Span.End, Line);
  return {Begin, End};
}

static std::string caretLine(const Snippet &S, const DisplayLine &Line) {
  std::string Marks(Line.width() + 1, ' ');
  const auto [Begin, End] = columnsOf(S.Underlined, S.At, Line);
  underline(Marks, Begin, End);
  for (const Edit *E : S.Inserted)
    if (E->Span.Length != 0)
      underline(Marks, columnOf(E->Span.Begin, Line),
                columnOf(E->Span.End, Line));
  Marks[columnOf(S.At, Line)] = '^';
  return StringRef(Marks).rtrim(' ').str();
}

/// Each text at its column, or behind the text before it.
static std::string insertionLine(const Snippet &S, const DisplayLine &Line) {
  std::vector<const Edit *> Edits = S.Inserted;
  llvm::sort(Edits, [](const Edit *A, const Edit *B) {
    return std::tie(A->Span.Begin, A->Replacement) <
           std::tie(B->Span.Begin, B->Replacement);
  });
  std::string Text;
  unsigned Width = 0;
  for (const Edit *E : Edits) {
    if (E->Replacement.empty())
      continue;
    const unsigned Column = columnOf(E->Span.Begin, Line);
    const unsigned Gap = Column > Width ? Column - Width : Width != 0;
    Text += std::string(Gap, ' ') + E->Replacement;
    Width += Gap + displayWidth(E->Replacement);
  }
  return StringRef(Text).rtrim(' ').str();
}

void tdl::writeSnippet(raw_ostream &OS, SourceText &Sources, const Snippet &S,
                       unsigned TabStop) {
  const StringRef Source = Sources.line(S.At.File, S.At.Line);
  if (Source.empty() || Source.size() > MaxLineBytes)
    return;
  const DisplayLine Line(Source, TabStop);
  const std::string Number = utostr(S.At.Line);
  const size_t Digits = std::max<size_t>(GutterDigits, Number.size());

  OS.indent(Digits - Number.size())
      << Number << " | " << Line.text().rtrim(' ') << '\n';
  OS.indent(Digits) << " | ";
  OS.changeColor(raw_ostream::GREEN, /*Bold=*/true) << caretLine(S, Line);
  OS.resetColor() << '\n';
  const std::string Inserted = insertionLine(S, Line);
  if (Inserted.empty())
    return;
  OS.indent(Digits) << " | ";
  OS.changeColor(raw_ostream::GREEN) << Inserted;
  OS.resetColor() << '\n';
}
