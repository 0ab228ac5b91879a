//===- ContractReplay.h - --replay-contracts ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contract tables in, one line per overload out (docs/verify.md). Overloads
// share child processes; one that brings its process down costs itself alone.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTREPLAY_H
#define TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTREPLAY_H

#include "../Device.h"
#include "../ExitCode.h"
#include "../Options.h"

#include <ostream>

namespace tdl {
namespace verify {

/// Replays O.Tables, or the tables that are built in, on \p Device and writes
/// the report to \p Out, and with O.Calls each call to \p Calls
/// (docs/formats/replay-calls.md). Throws TableError and SampleError for bad
/// input.
ExitCode replayContracts(const Options &O, DeviceKind Device, std::ostream &Out,
                         std::ostream &Calls);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTREPLAY_H
