//===- DisplayLine.h - A source line as a terminal shows it ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A caret must stand under the right character: tabs are as wide as the place
// they are at asks for, CJK characters take two columns, combining marks none.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_DISPLAYLINE_H
#define TDL_REPORT_DISPLAYLINE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

/// Made once from a line without its line end; keeps no reference to it.
class DisplayLine {
public:
  /// Tabs become spaces up to the next multiple of \p TabStop. What a terminal
  /// would not show as a character becomes text: a byte that is no UTF-8
  /// `<FF>`, a control or formatting character `<U+202E>`.
  DisplayLine(llvm::StringRef Line, unsigned TabStop);

  llvm::StringRef text() const { return Text; }

  /// The columns that the text takes.
  unsigned width() const { return Columns.back(); }

  /// Where the byte of the line at \p Offset (from 0) is shown, from 0; width()
  /// at the line's end and behind. Bytes inside a character are at its start.
  unsigned column(size_t Offset) const;

private:
  void append(llvm::StringRef Shown, unsigned Width, size_t Bytes);

  std::string Text;
  std::vector<unsigned> Columns; ///< By byte, and one for the end.
};

/// The columns that \p Text takes on a terminal; 1 for each byte when it holds
/// something that is not shown as a character.
unsigned displayWidth(llvm::StringRef Text);

} // namespace tdl

#endif // TDL_REPORT_DISPLAYLINE_H
