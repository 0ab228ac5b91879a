//===- FindingsFile.h - The findings file: findings as JSON ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/formats/findings.md describes the format, findings.schema.json beside it
// is the same for machines, FindingsFields.h the same as code. The linter
// writes the file, torch-device-verify adds a verdict to each finding, and the
// linter reads it back.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_FINDINGSFILE_H
#define TDL_REPORT_FINDINGSFILE_H

#include "findings/Coverage.h"
#include "findings/Finding.h"
#include "findings/Verdict.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tdl {

/// The version that is written, and the only one that is read.
inline constexpr unsigned FindingsFileVersion = 1;

/// Who found, in what.
struct RunInfo {
  std::string Tool = "torch-device-lint";
  std::string Version; ///< Of the tool: "0.1.0".
  std::vector<std::string>
      LibTorch;     ///< Versions of the headers seen, in any order.
  std::string Root; ///< Absolute; files below it are written relative to it.
                    ///< Empty: all paths as they are.
};

struct FindingRecord {
  Finding What;
  std::optional<Verdict> Seen; ///< None until a verifier has tried it.
};

struct FindingsFile {
  RunInfo Run;
  Coverage Counts;
  std::vector<FindingRecord> Records;
};

/// Writes \p File as JSON, its findings sorted, the same bytes for the same
/// findings. Text that is no UTF-8 and values that are not of their kind's form
/// (StepArgument) are written as the document says, so that the result is
/// always valid.
void writeFindings(llvm::raw_ostream &OS, const FindingsFile &File);

/// Writes the findings of a run to \p Path (see writeOutputFile()). The error
/// names the path.
llvm::Error writeFindingsFile(llvm::StringRef Path,
                              llvm::ArrayRef<Finding> Findings,
                              const Coverage &Counts, const RunInfo &Run);

/// Reads what writeFindings() or a verifier wrote; paths below the root are
/// made absolute again. Keys that are not known are ignored. Everything that
/// names a step names one that is there. The error is one line: \p Name, the
/// key, what was expected and what stands there.
///
/// Values of a later writer: an expectation that is not known is None, a kind
/// of argument Opaque, a kind of step Operation (nothing in the linter executes
/// steps).
llvm::Expected<FindingsFile> parseFindings(llvm::StringRef Text,
                                           llvm::StringRef Name);

/// parseFindings() on a file. The error names the path.
llvm::Expected<FindingsFile> readFindingsFile(llvm::StringRef Path);

} // namespace tdl

#endif // TDL_REPORT_FINDINGSFILE_H
