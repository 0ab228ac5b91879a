//===- Undecided.h - What the simulation cannot know ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some operators leave the question whether their tensors may be on different
// devices to a function that is only in libtorch_cuda. The simulation does not
// guess: it remembers that such a question came up.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_UNDECIDED_H
#define TDL_RUNTIME_CHECK_SIM_UNDECIDED_H

#include <string>

namespace tdl {
namespace sim {

void noteUndecided(const std::string &Operator);

/// A kernel that is only in libtorch_cuda would have made a new tensor; where
/// it is now is a rule of the simulation: beside the first device tensor.
void notePlaced(const std::string &Operator);

} // namespace sim
} // namespace tdl

extern "C" {
/// The first operator since the last reset whose answer only a CUDA kernel
/// knows; "" when there was none. Valid until the next call from here.
const char *tdl_sim_undecided();
/// Likewise, the first one whose result is where the simulation thinks best.
const char *tdl_sim_placed();
/// Forgets both.
void tdl_sim_reset_undecided();
}

#endif // TDL_RUNTIME_CHECK_SIM_UNDECIDED_H
