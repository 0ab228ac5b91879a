//===- DisplayLine.cpp - A source line as a terminal shows it -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One character at a time, its text and its width.
//
//===----------------------------------------------------------------------===//

#include "report/DisplayLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>

using namespace llvm;
using namespace tdl;

/// The character at the start of \p Text and its bytes; 0 bytes when there is
/// no UTF-8.
static std::pair<UTF32, size_t> firstCharacter(StringRef Text) {
  const auto *Begin = reinterpret_cast<const UTF8 *>(Text.bytes_begin());
  const UTF8 *Source = Begin;
  UTF32 Character = 0;
  if (convertUTF8Sequence(&Source, Text.bytes_end(), &Character,
                          strictConversion) != conversionOK)
    return {0, 0};
  return {Character, size_t(Source - Begin)};
}

void DisplayLine::append(StringRef Shown, unsigned Width, size_t Bytes) {
  const unsigned Start = Columns.back();
  Text += Shown;
  Columns.resize(Columns.size() + Bytes - 1, Start);
  Columns.push_back(Start + Width);
}

DisplayLine::DisplayLine(StringRef Line, unsigned TabStop) {
  Columns.push_back(0);
  while (!Line.empty()) {
    const auto [Character, Bytes] = firstCharacter(Line);
    if (Character == '\t') {
      const unsigned Width = TabStop - this->width() % TabStop;
      append(std::string(Width, ' '), Width, 1);
    } else if (Bytes == 0) {
      append("<" + toHex(Line.take_front(1)) + ">", 4, 1);
    } else if (!sys::unicode::isPrintable(Character)) {
      const std::string Name = "<U+" + utohexstr(Character, false, 4) + ">";
      append(Name, Name.size(), Bytes);
    } else {
      const StringRef Shown = Line.take_front(Bytes);
      append(Shown, std::max(0, sys::unicode::columnWidthUTF8(Shown)), Bytes);
    }
    Line = Line.drop_front(std::max<size_t>(1, Bytes));
  }
}

unsigned DisplayLine::column(size_t Offset) const {
  return Columns[std::min(Offset, Columns.size() - 1)];
}

unsigned tdl::displayWidth(StringRef Text) {
  const int Width = sys::unicode::columnWidthUTF8(Text);
  return Width >= 0 ? unsigned(Width) : Text.size();
}
