//===- Verdict.h - What came of executing a finding -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch-device-verify executes a finding's steps and writes what it saw into
// the findings file (docs/formats/findings.md); here is the same as data, for
// the reports. The linter itself makes none.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_VERDICT_H
#define TDL_FINDINGS_VERDICT_H

#include <cstdint>
#include <string>

namespace tdl {

enum class VerdictStatus : uint8_t {
  Confirmed, ///< Ran as told, failed as predicted, and the repair cured it.
  Refuted,   ///< A place or an outcome differs.
  NotRun,    ///< Could not be executed.
};

struct Verdict {
  VerdictStatus Status = VerdictStatus::NotRun;
  std::string Reason; ///< One line: what differs, or why it was not run; empty
                      ///< when confirmed.
  int Step = -1; ///< Index into Finding::Steps of what differs or could not
                 ///< run; -1 for none in particular.
  std::string Device;    ///< "cuda" or "simulated"; empty when not run.
  std::string LibTorch;  ///< Version that ran it; empty when not run.
  std::string ErrorText; ///< LibTorch's message with its devices; empty when
                         ///< nothing was thrown.
};

} // namespace tdl

#endif // TDL_FINDINGS_VERDICT_H
