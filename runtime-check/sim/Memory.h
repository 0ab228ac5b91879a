//===- Memory.h - Memory of the simulated devices -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each simulated device has one memory file that is mapped twice. Tensors hold
// addresses of the first mapping, which nobody may read or write: host code
// that follows such a pointer dies there, as it would with a pointer into a
// GPU. Kernels use the second mapping of the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SIM_MEMORY_H
#define TDL_RUNTIME_CHECK_SIM_MEMORY_H

#include <c10/core/Allocator.h>

namespace tdl {
namespace sim {

constexpr int DeviceCount = 2;

/// The current device of this thread, as cudaGetDevice() tells it.
int currentDevice();
void setCurrentDevice(int Index);

/// Makes a device current until the end of the scope; -1 leaves it as it is.
class DeviceScope {
public:
  explicit DeviceScope(int Index) : Former(currentDevice()) {
    if (Index >= 0)
      setCurrentDevice(Index);
  }
  ~DeviceScope() { setCurrentDevice(Former); }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  int Former;
};

/// Gives memory of the current device. A device has 1 GiB; beyond that it
/// throws c10::Error, "CUDA out of memory".
c10::Allocator *deviceAllocator();

/// Gives page-locked host memory, which here is ordinary memory that
/// isPinned() knows.
c10::Allocator *pinnedAllocator();
bool isPinned(const void *Pointer);

/// The device that \p Pointer points into; -1 for host memory.
int deviceOf(const void *Pointer);

/// The address under which kernels reach the byte at \p Pointer. Host pointers
/// and null are returned as they are.
void *kernelAddress(const void *Pointer);

} // namespace sim
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SIM_MEMORY_H
