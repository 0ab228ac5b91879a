//===- Verdict.h - What the verifier saw ----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_VERDICT_H
#define TDL_RUNTIME_CHECK_VERDICT_H

#include <string>
#include <vector>

namespace tdl {
namespace verify {

struct Verdict {
  enum class Status { Confirmed, Refuted, NotRun };

  Status State = Status::NotRun;
  std::string Reason;    ///< One line; empty when confirmed.
  int Step = -1;         ///< -1: at none in particular.
  std::string Device;    ///< "cuda" or "simulated"; empty when not run.
  std::string LibTorch;  ///< Empty when not run.
  std::string ErrorText; ///< What LibTorch threw, devices included.
  /// What the run took from the finding instead of from executing it: where
  /// opaque devices and named places were put.
  std::vector<std::string> Assumed;
};

inline Verdict notRun(std::string Reason, int Step = -1) {
  Verdict V;
  V.Reason = std::move(Reason);
  V.Step = Step;
  return V;
}

/// "confirmed", "refuted", "not-run", as in the findings file.
const char *statusName(Verdict::Status State);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_VERDICT_H
