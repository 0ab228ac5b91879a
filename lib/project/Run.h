//===- Run.h - Many files, one report --------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_PROJECT_RUN_H
#define TDL_PROJECT_RUN_H

#include "compile/Database.h"
#include "compile/UnitParser.h"
#include "findings/Coverage.h"
#include "findings/Finding.h"
#include "findings/NoLint.h"
#include "findings/PlaceLine.h"
#include "findings/SourceText.h"
#include "project/AnalyzeUnit.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>
#include <string>
#include <vector>

namespace tdl {

/// One file and where its command comes from.
struct InputFile {
  std::string Path;         ///< Absolute.
  const Database *Commands = nullptr; ///< Null when there is none: Problem says why.
  std::string Problem;      ///< One line, for a file without a database.
};

struct RunOptions {
  ParseOptions Parse;
  AnalysisOptions Analysis;
  /// Whether to look into the files that define what a file calls.
  bool UseCompanions = true;
};

struct RunResult {
  std::vector<Finding> Findings;     ///< Merged, filtered, with ids.
  std::vector<NoLintProblem> NoLintProblems;
  std::vector<std::string> Problems; ///< Lines about files that could not be analysed, in the order of the files.
  std::vector<std::string> GivenUp;  ///< Functions over the budget.
  /// "main.cpp: also read net.cpp", with absolute paths, for --verbose.
  std::vector<std::string> Companions;
  std::vector<PlaceLine> Places;     ///< Sorted, each once.
  Coverage Counts;
  std::set<std::string> LibTorchVersions;
  std::string Root; ///< What ids and exported paths are relative to; empty: nothing.
};

/// Analyses \p Files one after another. A file that fails costs no other.
RunResult runOnFiles(llvm::ArrayRef<InputFile> Files, const RunOptions &Options,
                     SourceText &Sources);

} // namespace tdl

#endif // TDL_PROJECT_RUN_H
