//===- NoLint.h - Findings that a comment hides ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NOLINT, NOLINTNEXTLINE and NOLINTBEGIN/NOLINTEND, as clang-tidy 22 reads
// them, so that one comment serves both programs:
//
//   NOLINT            hides on its line; NOLINTNEXTLINE on the line below.
//   NOLINTBEGIN ...   hides up to the NOLINTEND with the same check list;
//   blocks NOLINTEND         nest and never overlap otherwise.
//
//   - The word is found anywhere in the text, in comments, strings and macros
//     alike, in capitals; letters right behind it make it another word
//     (NOLINTX), anything else does not.
//   - Without "(" right behind it, or with one that is not closed on the line,
//     it is for every check. "(a, b*)" is for the checks that a glob names;
//     "()" for none; a glob that begins with "-" counts for nothing.
//   - A list of BEGIN and END is the same when its text is, blanks around the
//     commas aside: "NOLINTBEGIN(a)" is not closed by "NOLINTEND", "(*)" or
//     "(a,b)".
//   - A finding in a macro is hidden by a mark at its expansion or at the
//   macro's
//     text.
//   - A BEGIN or END without the other hides nothing and is a problem. It is
//     noticed in files that have a finding that no mark of a single line hides.
//
// Source: clang-tools-extra/clang-tidy/NoLintDirectiveHandler.cpp, and runs of
// clang-tidy 22.1.8 that test/unit/findings/NoLintTest.cpp repeats.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_NOLINT_H
#define TDL_FINDINGS_NOLINT_H

#include "findings/Finding.h"
#include "findings/SourceText.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <vector>

namespace tdl {

/// A BEGIN or END without the other.
struct NoLintProblem {
  SourcePoint At;
  std::string Message; ///< clang-tidy's words.
};

/// Reads each file once. \p Sources must outlive it.
class NoLint {
public:
  explicit NoLint(SourceText &Sources);
  ~NoLint();

  /// Whether a comment at the finding's place, or at one of its macro places,
  /// hides it.
  bool suppresses(const Finding &F);

  /// Removes the findings that are hidden and returns their number. After
  /// sortAndMerge(), else a finding of a header is counted once a file.
  unsigned filter(std::vector<Finding> &Findings);

  /// What was noticed so far, sorted by place.
  std::vector<NoLintProblem> problems() const;

private:
  struct FileMarks;
  FileMarks &marksOf(llvm::StringRef File);
  bool suppressesAt(const SourcePoint &Place, llvm::StringRef Check);

  SourceText &Sources;
  llvm::StringMap<std::unique_ptr<FileMarks>> Files;
};

} // namespace tdl

#endif // TDL_FINDINGS_NOLINT_H
