//===- Hooks.cpp - What ATen asks the CUDA library for --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::cuda::is_available(), pinned memory, default generators. ATen looks
// the class up by the name CUDAHooks, at the first question and never again:
// the library must be loaded before anyone asks.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Version.h"

#include <ATen/core/Generator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/GeneratorImpl.h>

namespace tdl {
namespace sim {
namespace {

/// Random numbers come from the CPU kernels' own generator; this one only
/// stands for the device that it belongs to.
struct Generator final : c10::GeneratorImpl {
  explicit Generator(c10::DeviceIndex Index)
      : GeneratorImpl(c10::Device(c10::DeviceType::CUDA, Index),
                      c10::DispatchKeySet(c10::DispatchKey::CUDA)) {}

  void set_current_seed(uint64_t To) override { Seed = To; }
  uint64_t current_seed() const override { return Seed; }
  uint64_t seed() override { return Seed; }
  void set_state(const c10::TensorImpl &) override {}
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    TORCH_CHECK(false, "simulated CUDA: a generator has no state to save");
  }
#if TDL_TORCH >= 202
  void set_offset(uint64_t) override {}
  uint64_t get_offset() const override { return 0; }
#endif
  Generator *clone_impl() const override {
    return new Generator(device().index());
  }

private:
  uint64_t Seed = 0;
};

const at::Generator &defaultGenerator(int Index) {
  static const at::Generator Generators[DeviceCount] = {
      at::make_generator<Generator>(0), at::make_generator<Generator>(1)};
  return Generators[Index < 0 ? currentDevice() : Index];
}

c10::Device deviceFromPointer(const void *Pointer) {
  int Index = deviceOf(Pointer);
  // The text of CUDA's own getDeviceFromPtr.
  TORCH_CHECK(Index >= 0, "The specified pointer resides on host memory and is "
                          "not registered with any CUDA device.");
  return c10::Device(c10::DeviceType::CUDA, Index);
}

} // namespace
} // namespace sim
} // namespace tdl

struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}

  bool hasCUDA() const override { return true; }
  int getNumGPUs() const override { return tdl::sim::DeviceCount; }
  c10::Device getDeviceFromPtr(void *Pointer) const override {
    return tdl::sim::deviceFromPointer(Pointer);
  }
  at::Allocator *getPinnedMemoryAllocator() const override {
    return tdl::sim::pinnedAllocator();
  }

#if TDL_TORCH >= 206
  const at::Generator &
  getDefaultGenerator(c10::DeviceIndex Index = -1) const override {
    return tdl::sim::defaultGenerator(Index);
  }
  bool isPinnedPtr(const void *Pointer) const override {
    return tdl::sim::isPinned(Pointer);
  }
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  c10::DeviceIndex deviceCount() const override {
    return tdl::sim::DeviceCount;
  }
  c10::DeviceIndex current_device() const override {
    return getCurrentDevice();
  }
  c10::DeviceIndex getCurrentDevice() const override {
    return tdl::sim::currentDevice();
  }
  void setCurrentDevice(c10::DeviceIndex To) const override {
    tdl::sim::setCurrentDevice(To);
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex To) const override {
    c10::DeviceIndex Former = getCurrentDevice();
    setCurrentDevice(To);
    return Former;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex To) const override {
    return exchangeDevice(To);
  }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  void deviceSynchronize(c10::DeviceIndex) const override {}
#else
  const at::Generator &
  getDefaultCUDAGenerator(c10::DeviceIndex Index = -1) const override {
    return tdl::sim::defaultGenerator(Index);
  }
  bool isPinnedPtr(void *Pointer) const override {
    return tdl::sim::isPinned(Pointer);
  }
  void initCUDA() const override {}
  int64_t current_device() const override { return tdl::sim::currentDevice(); }
  bool hasPrimaryContext(int64_t) const override { return true; }
  void deviceSynchronize(int64_t) const override {}
#endif
};

namespace at {
using ::CUDAHooks;
C10_REGISTER_CLASS(CUDAHooksRegistry, CUDAHooks, CUDAHooks)
} // namespace at
