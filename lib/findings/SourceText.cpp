//===- SourceText.cpp - The text of source files, by line -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer and the offsets of its lines for each file.
//
//===----------------------------------------------------------------------===//

#include "findings/SourceText.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace llvm;
using namespace tdl;

struct SourceText::Entry {
  std::unique_ptr<MemoryBuffer> Buffer;
  std::vector<size_t> LineStarts; ///< Never empty: a file has a first line.

  explicit Entry(std::unique_ptr<MemoryBuffer> B) : Buffer(std::move(B)) {
    const StringRef Text = Buffer->getBuffer();
    LineStarts.push_back(0);
    for (size_t End = Text.find('\n'); End != StringRef::npos;
         End = Text.find('\n', End + 1))
      LineStarts.push_back(End + 1);
  }

  StringRef line(unsigned Line) const {
    if (Line == 0 || Line > LineStarts.size())
      return StringRef();
    StringRef Rest = Buffer->getBuffer().drop_front(LineStarts[Line - 1]);
    StringRef Text = Rest.take_front(Rest.find('\n'));
    Text.consume_back("\r");
    return Text;
  }
};

SourceText::SourceText() = default;
SourceText::~SourceText() = default;
SourceText::SourceText(SourceText &&) = default;
SourceText &SourceText::operator=(SourceText &&) = default;

void SourceText::setText(StringRef File, StringRef Text) {
  Files[File] =
      std::make_unique<Entry>(MemoryBuffer::getMemBufferCopy(Text, File));
}

SourceText::Entry &SourceText::entry(StringRef File) {
  std::unique_ptr<Entry> &E = Files[File];
  if (!E) {
    // Volatile: read, not mapped. A mapped file that an editor cuts short while
    // we look at it would end the program.
    auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false,
                                        /*IsVolatile=*/true);
    E = std::make_unique<Entry>(Buffer ? std::move(*Buffer)
                                       : MemoryBuffer::getMemBuffer(""));
  }
  return *E;
}

StringRef SourceText::text(StringRef File) {
  return entry(File).Buffer->getBuffer();
}

StringRef SourceText::line(StringRef File, unsigned Line) {
  return entry(File).line(Line);
}

std::optional<size_t> SourceText::offset(const SourcePoint &Point) {
  const Entry &E = entry(Point.File);
  if (!Point.isValid() || Point.Line > E.LineStarts.size())
    return std::nullopt;
  const size_t Column = Point.Column == 0 ? 0 : Point.Column - 1;
  return E.LineStarts[Point.Line - 1] +
         std::min(Column, E.line(Point.Line).size());
}

SourcePoint SourceText::point(StringRef File, size_t Offset) {
  const Entry &E = entry(File);
  Offset = std::min(Offset, E.Buffer->getBufferSize());
  const auto Next =
      std::upper_bound(E.LineStarts.begin(), E.LineStarts.end(), Offset);
  SourcePoint Point;
  Point.File = File.str();
  Point.Line = Next - E.LineStarts.begin();
  Point.Column = Offset - *std::prev(Next) + 1;
  return Point;
}
