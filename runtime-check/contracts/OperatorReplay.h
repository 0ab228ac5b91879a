//===- OperatorReplay.h - A row of the contract table against LibTorch ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls one overload with its samples in every arrangement of devices that the
// contract's roles tell apart, and compares what happened with what the row
// says. docs/design/contract-replay.md tells which arrangements, and whose word
// counts.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_OPERATORREPLAY_H
#define TDL_RUNTIME_CHECK_CONTRACTS_OPERATORREPLAY_H

#include "ContractRows.h"
#include "SampleFile.h"

#include <functional>

namespace tdl {
namespace verify {

struct OperatorReport {
  enum class Status {
    Agree,
    Disagree, ///< Detail: where, at most three times.
    NeedsGpu, ///< No disagreement; Detail: what only a CUDA kernel decides.
    NotRun,   ///< Detail: why.
    Silent,   ///< The row says nothing that could be compared.
    NoRow,    ///< The table has no row for the operator.
    NoSample, ///< A row that no sample reaches.
  };
  Status State = Status::NotRun;
  std::string Operator; ///< "add.Tensor"; for NoSample the row's name.
  std::string Row;      ///< "Contracts.tsv:57"; empty: none.
  int Calls = 0;        ///< Compared with the row.
  int Undecided = 0;    ///< Of them, those that only a CUDA kernel decides.
  /// Parameters with a role that no sample gives, separated by commas.
  std::string Untested;
  std::string Detail;
  /// Each call, a line per sample (CallList.h). Empty unless asked for.
  std::vector<std::string> CallLines;
};

/// How an operator is replayed.
struct ReplayMode {
  /// Tensors are tried without dimensions too. Internal operators that trust
  /// their caller's shapes may not survive it.
  bool Reshapes = true;
  bool ListsCalls = false; ///< Fills OperatorReport::CallLines.
};

/// "agree", "needs-gpu", as in the report.
const char *statusName(OperatorReport::Status State);

/// The release of the LibTorch that the verifier was built with.
Release libTorchRelease();

/// The row that is for \p Operator ("add.out") of this LibTorch; null when
/// there is none, or no such operator.
ContractRow *rowFor(ContractRows &Table, const std::string &Operator);

/// In this process, which must have loaded a device. \p Row may be null.
/// \p Progress gets each call before it is made: it may crash the process.
OperatorReport
replayOperator(const std::string &Operator, const std::vector<Sample> &Given,
               const ContractRow *Row, ReplayMode Mode,
               const std::function<void(const std::string &)> &Progress);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_OPERATORREPLAY_H
