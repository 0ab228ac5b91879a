//===- Replay.h - Executes the witness of a finding -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three runs of the finding's story, step by step, on LibTorch:
//   control    everything on one device: must succeed, or the witness is no
//              witness
//   as found   everything where the linter said; each step's place is compared
//              with the real one, and the last step must do what is predicted
//   as fixed   the same with each repair: must succeed
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_REPLAY_H
#define TDL_RUNTIME_CHECK_REPLAY_H

#include "Device.h"
#include "Finding.h"
#include "Verdict.h"

#include <functional>

namespace tdl {
namespace verify {

/// Called with what comes next: "step 2 of the run as found".
using Progress = std::function<void(const std::string &)>;

/// Executes \p F in this process, which must have loaded \p Device. Never
/// throws; what LibTorch does to the process is the caller's to contain.
Verdict replay(const Finding &F, DeviceKind Device, const Progress &Report);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_REPLAY_H
