//===- Guard.cpp - Current device and streams of the simulation -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What c10 asks of a device type: how many devices, which one is current.
// Everything is done at once, so there is one stream, which is always idle.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Version.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace tdl {
namespace sim {
namespace {

struct Guard final : c10::impl::DeviceGuardImplInterface {
  Guard() = default;
  explicit Guard(c10::DeviceType) {}

  c10::DeviceType type() const override { return c10::DeviceType::CUDA; }
  c10::DeviceIndex deviceCount() const noexcept override { return DeviceCount; }

  c10::Device getDevice() const override {
    return c10::Device(c10::DeviceType::CUDA, currentDevice());
  }
  void setDevice(c10::Device To) const override {
    // The text of cudaErrorInvalidDevice.
    TORCH_CHECK(To.index() < DeviceCount, "CUDA error: invalid device ordinal");
    uncheckedSetDevice(To);
  }
  void uncheckedSetDevice(c10::Device To) const noexcept override {
    if (To.index() >= 0)
      setCurrentDevice(To.index());
  }
  c10::Device exchangeDevice(c10::Device To) const override {
    c10::Device Former = getDevice();
    setDevice(To);
    return Former;
  }

  // noexcept in 1.13, where the base class asks for it.
  c10::Stream getStream(c10::Device Of) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, Of);
  }
  c10::Stream getDefaultStream(c10::Device Of) const override {
    return getStream(Of);
  }
  c10::Stream exchangeStream(c10::Stream To) const noexcept override {
    return To;
  }
  bool queryStream(const c10::Stream &) const override { return true; }
  void synchronizeStream(const c10::Stream &) const override {}
  void recordDataPtrOnStream(const c10::DataPtr &,
                             const c10::Stream &) const override {}

  void record(void **, const c10::Stream &, const c10::DeviceIndex,
              const c10::EventFlag) const override {}
  void block(void *, const c10::Stream &) const override {}
  bool queryEvent(void *) const override { return true; }
  void destroyEvent(void *, const c10::DeviceIndex) const noexcept override {}
};

C10_REGISTER_GUARD_IMPL(CUDA, Guard);

} // namespace
} // namespace sim
} // namespace tdl
