//===- SourceText.h - The text of source files, by line -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report shows, what a stable id hashes and where NOLINT stands are
// lines of the program's files. Each file is read once.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_SOURCETEXT_H
#define TDL_FINDINGS_SOURCETEXT_H

#include "findings/Finding.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <vector>

namespace tdl {

/// Reads files on demand and keeps them. A file that cannot be read is an empty
/// one. Everything returned points into this object and lives as long as it.
/// Not for several threads at once.
class SourceText {
public:
  SourceText();
  ~SourceText();
  SourceText(SourceText &&);
  SourceText &operator=(SourceText &&);

  /// From now on \p File has this text, whatever is on disk: an editor's
  /// unsaved file. What was returned for the file before is no longer valid.
  void setText(llvm::StringRef File, llvm::StringRef Text);

  llvm::StringRef text(llvm::StringRef File);

  /// A line, counted from 1, without its line end ("\n" or "\r\n"); empty when
  /// the file has no such line.
  llvm::StringRef line(llvm::StringRef File, unsigned Line);

  /// The byte of the file at which \p Point stands, none when the file has no
  /// such line. A column behind the line's end is the line's end.
  std::optional<size_t> offset(const SourcePoint &Point);

  /// The place of a byte of the file; the end of the file for a larger offset.
  SourcePoint point(llvm::StringRef File, size_t Offset);

private:
  struct Entry;
  Entry &entry(llvm::StringRef File);

  llvm::StringMap<std::unique_ptr<Entry>> Files;
};

} // namespace tdl

#endif // TDL_FINDINGS_SOURCETEXT_H
