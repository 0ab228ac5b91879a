//===- Device.cpp - CUDA, real or simulated -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Logging.h>
#include <torch/version.h>

#include <dlfcn.h>

#include <stdexcept>

namespace tdl {
namespace verify {

/// The simulation, once it is loaded.
static void *Simulation = nullptr;

const char *deviceName(DeviceKind Kind) {
  return Kind == DeviceKind::Cuda ? "cuda" : "simulated";
}

static void *open(const char *Library) {
  void *Handle = dlopen(Library, RTLD_NOW | RTLD_GLOBAL);
  if (!Handle)
    throw std::runtime_error(std::string("cannot load ") + Library + ": " +
                             dlerror());
  return Handle;
}

void loadDevice(DeviceKind Kind) {
  if (Kind == DeviceKind::Simulated) {
    Simulation = open("libtdl-simcuda.so");
    return;
  }
  // Without a driver there is no need to load gigabytes to learn it.
  open("libcuda.so.1");
  open("libtorch_cuda.so");
  if (cudaDeviceCount() == 0)
    throw std::runtime_error("the CUDA driver has no device");
}

int cudaDeviceCount() {
  return c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
}

template <class Function>
static Function *simulationFunction(const char *Name) {
  return reinterpret_cast<Function *>(Simulation ? dlsym(Simulation, Name)
                                                 : nullptr);
}

std::string undecidedOperator() {
  auto *Get = simulationFunction<const char *()>("tdl_sim_undecided");
  return Get ? Get() : "";
}

std::string placedOperator() {
  auto *Get = simulationFunction<const char *()>("tdl_sim_placed");
  return Get ? Get() : "";
}

void resetUndecided() {
  if (auto *Reset = simulationFunction<void()>("tdl_sim_reset_undecided"))
    Reset();
}

std::string libTorchVersion() {
  return std::to_string(TORCH_VERSION_MAJOR) + "." +
         std::to_string(TORCH_VERSION_MINOR) + "." +
         std::to_string(TORCH_VERSION_PATCH);
}

void dropStackTraces() {
  c10::SetStackTraceFetcher(
      std::function<std::string()>([] { return std::string(); }));
}

} // namespace verify
} // namespace tdl
