//===- TextReport.h - Findings as clang prints warnings -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `file:line:col: warning: message [check]`, the source line with its caret,
// and the story in notes. Editors and scripts that read clang-tidy's output
// read this.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_TEXTREPORT_H
#define TDL_REPORT_TEXTREPORT_H

#include "findings/Coverage.h"
#include "findings/Finding.h"
#include "findings/NoLint.h"
#include "findings/PlaceLine.h"
#include "findings/SourceText.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tdl {

struct TextReportOptions {
  bool Colors = false; ///< clang's colours, as escape sequences.
  bool Quiet = false;  ///< No last line.
  std::string Base; ///< Absolute folder; files below it are shown relative to
                    ///< it. Empty: paths as they are.
  unsigned TabStop = 8; ///< At least 1.
};

/// Writes as it is called; \p OS and \p Sources must outlive it. Findings are
/// written in the order of the calls.
class TextReport {
public:
  TextReport(llvm::raw_ostream &OS, SourceText &Sources,
             TextReportOptions Options);

  /// A finding with its notes and fixes. Its word is "warning", for a latent
  /// one "remark". A fix that is one edit on the finding's line is shown
  /// beneath the caret; others are notes of their own, "fix: ..." with their
  /// edits.
  void finding(const Finding &F);

  /// A BEGIN or END of NOLINT without the other, as a warning.
  void problem(const NoLintProblem &P);

  /// What is known of a tensor expression, as a note; \p WithSteps: for an
  /// unknown place also how it came from where it became so.
  void place(const PlaceLine &Line, bool WithSteps);

  /// The last line, an empty one before it; nothing when quiet.
  void coverage(unsigned Findings, const Coverage &Counts);

private:
  enum class Word { Warning, Remark, Note };
  void headLine(const SourcePoint &At, Word Severity, llvm::StringRef Message,
                llvm::StringRef Check = "");
  void fix(const Fix &F);

  llvm::raw_ostream &OS;
  SourceText &Sources;
  TextReportOptions Options;
};

} // namespace tdl

#endif // TDL_REPORT_TEXTREPORT_H
