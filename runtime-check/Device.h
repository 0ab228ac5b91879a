//===- Device.h - CUDA, real or simulated ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One program for both: libtorch_cuda or the simulation is loaded at run time,
// never both, and only in a process that executes something. (A process that
// has asked a CUDA driver anything cannot fork.)
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_DEVICE_H
#define TDL_RUNTIME_CHECK_DEVICE_H

#include <string>

namespace tdl {
namespace verify {

enum class DeviceKind { Cuda, Simulated };

/// "cuda" or "simulated", as in a verdict.
const char *deviceName(DeviceKind Kind);

/// Gives this process CUDA devices. Throws std::runtime_error when it cannot.
void loadDevice(DeviceKind Kind);

/// After loadDevice().
int cudaDeviceCount();

/// What the simulation could not decide since the last reset; empty on a GPU.
std::string undecidedOperator();
/// The first operator since the last reset that made a tensor whose place is
/// the simulation's own idea; empty on a GPU.
std::string placedOperator();
/// Resets both.
void resetUndecided();

/// The version of the LibTorch headers that the verifier was built with.
std::string libTorchVersion();

/// Makes LibTorch's exceptions cheap: they carry no stack.
void dropStackTraces();

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_DEVICE_H
