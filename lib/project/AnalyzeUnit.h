//===- AnalyzeUnit.h - From one translation unit to findings ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_PROJECT_ANALYZEUNIT_H
#define TDL_PROJECT_ANALYZEUNIT_H

#include "findings/CheckList.h"
#include "findings/Coverage.h"
#include "findings/Finding.h"
#include "findings/PlaceLine.h"
#include "torch/ContractTable.h"
#include <string>
#include <vector>

namespace tdl {

struct ParsedUnit;

/// What one translation unit gave.
struct UnitResult {
  std::vector<Finding> Findings; ///< Not merged; headers repeat across units.
  Coverage Counts;               ///< Without Files and FilesFailed.
  std::string LibTorchVersion;   ///< "2.11"; empty when no header says it.
  std::vector<std::string> GivenUp; ///< Names of functions over the budget.
  std::vector<PlaceLine> Places;    ///< In no order; headers repeat.
};

/// Analyses every function that the user's files define in \p Unit.
/// \p WithPlaces asks for UnitResult::Places.
struct AnalysisOptions {
  CheckList Checks{"*"};
  /// Outlives the analysis.
  const ContractTable *Contracts = &ContractTable::builtin();
  bool WithPlaces = false; ///< UnitResult::Places is wanted.
  bool WithLatent = false; ///< Findings of Certainty::Latent are wanted.
};

UnitResult analyzeUnit(ParsedUnit &Unit, const AnalysisOptions &Options);

} // namespace tdl

#endif // TDL_PROJECT_ANALYZEUNIT_H
