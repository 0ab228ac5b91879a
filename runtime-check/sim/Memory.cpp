//===- Memory.cpp - Memory of the simulated devices -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "Version.h"

#include <c10/util/Exception.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace tdl {
namespace sim {

static thread_local int Current = 0;

int currentDevice() { return Current; }
void setCurrentDevice(int Index) { Current = Index; }

namespace {

/// The memory of one device. First fit; freed pages go back to the system.
class Arena {
public:
  Arena();
  /// Null when there is no room.
  void *take(size_t Bytes);
  /// False when \p Pointer was not given by this arena.
  bool give(void *Pointer);
  bool contains(const void *Pointer) const {
    return Pointer >= User && Pointer < User + Capacity;
  }
  void *kernelAddress(const void *Pointer) const {
    return Kernel + (static_cast<const char *>(Pointer) - User);
  }

private:
  static constexpr size_t Capacity = size_t(1) << 30;
  static constexpr size_t Alignment = 512; ///< cudaMalloc's.

  int File = -1;
  char *User = nullptr;   ///< What tensors hold: never readable.
  char *Kernel = nullptr; ///< The same bytes for kernels.
  mutable std::mutex Lock;
  std::map<size_t, size_t> Taken; ///< Offset to size.
};

} // namespace

Arena::Arena() {
  File = memfd_create("tdl-simcuda", MFD_CLOEXEC);
  TORCH_CHECK(File >= 0 && ftruncate(File, Capacity) == 0,
              "simulated CUDA: cannot make a memory file: ", strerror(errno));
  void *NoAccess = mmap(nullptr, Capacity, PROT_NONE, MAP_SHARED, File, 0);
  void *ReadWrite =
      mmap(nullptr, Capacity, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  TORCH_CHECK(NoAccess != MAP_FAILED && ReadWrite != MAP_FAILED,
              "simulated CUDA: cannot map device memory: ", strerror(errno));
  User = static_cast<char *>(NoAccess);
  Kernel = static_cast<char *>(ReadWrite);
}

void *Arena::take(size_t Bytes) {
  if (Bytes > Capacity)
    return nullptr;
  size_t Size = (Bytes + Alignment - 1) / Alignment * Alignment;
  std::lock_guard<std::mutex> Guard(Lock);
  size_t Offset = 0;
  for (const auto &Block : Taken) {
    if (Block.first - Offset >= Size)
      break;
    Offset = Block.first + Block.second;
  }
  if (Capacity - Offset < Size)
    return nullptr;
  Taken[Offset] = Size;
  return User + Offset;
}

bool Arena::give(void *Pointer) {
  if (!contains(Pointer))
    return false;
  std::lock_guard<std::mutex> Guard(Lock);
  Taken.erase(static_cast<char *>(Pointer) - User);
  return true;
}

/// Never destroyed: tensors in static variables outlive every destructor here.
static Arena &arena(int Index) {
  static Arena *Arenas = new Arena[DeviceCount];
  return Arenas[Index];
}

int deviceOf(const void *Pointer) {
  for (int Index = 0; Index < DeviceCount; ++Index)
    if (arena(Index).contains(Pointer))
      return Index;
  return -1;
}

void *kernelAddress(const void *Pointer) {
  int Index = deviceOf(Pointer);
  return Index < 0 ? const_cast<void *>(Pointer)
                   : arena(Index).kernelAddress(Pointer);
}

static void giveDeviceMemory(void *Pointer) {
  for (int Index = 0; Index < DeviceCount; ++Index)
    if (arena(Index).give(Pointer))
      return;
}

static std::mutex PinnedLock;
static std::map<const char *, size_t> &pinnedBlocks() {
  static auto *Blocks = new std::map<const char *, size_t>;
  return *Blocks;
}

bool isPinned(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(PinnedLock);
  const char *Byte = static_cast<const char *>(Pointer);
  auto After = pinnedBlocks().upper_bound(Byte);
  if (After == pinnedBlocks().begin())
    return false;
  --After;
  return Byte < After->first + After->second;
}

static void givePinnedMemory(void *Pointer) {
  {
    std::lock_guard<std::mutex> Guard(PinnedLock);
    pinnedBlocks().erase(static_cast<const char *>(Pointer));
  }
  std::free(Pointer);
}

// Since 2.3 allocate() is not const and there is copy_data().
#if TDL_TORCH >= 203
#define TDL_ALLOCATE_CONST
#else
#define TDL_ALLOCATE_CONST const
#endif

namespace {

struct DeviceAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t Bytes) TDL_ALLOCATE_CONST override {
    c10::Device Device(c10::DeviceType::CUDA, currentDevice());
    if (Bytes == 0)
      return {nullptr, nullptr, &giveDeviceMemory, Device};
    void *Pointer = arena(currentDevice()).take(Bytes);
    TORCH_CHECK(Pointer, "CUDA out of memory. Tried to allocate ", Bytes,
                " bytes on simulated device ", currentDevice(), ".");
    return {Pointer, Pointer, &giveDeviceMemory, Device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &giveDeviceMemory; }
#if TDL_TORCH >= 203
  void copy_data(void *To, const void *From, std::size_t Bytes) const override {
    std::memcpy(kernelAddress(To), kernelAddress(From), Bytes);
  }
#endif
};

struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t Bytes) TDL_ALLOCATE_CONST override {
    size_t Size = (Bytes + 63) / 64 * 64;
    if (Size == 0)
      return {nullptr, nullptr, &givePinnedMemory, c10::Device(c10::kCPU)};
    void *Pointer = std::aligned_alloc(64, Size);
    TORCH_CHECK(Pointer, "CUDA out of page-locked memory: ", Bytes, " bytes");
    std::lock_guard<std::mutex> Guard(PinnedLock);
    pinnedBlocks()[static_cast<const char *>(Pointer)] = Size;
    return {Pointer, Pointer, &givePinnedMemory, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &givePinnedMemory; }
#if TDL_TORCH >= 203
  void copy_data(void *To, const void *From, std::size_t Bytes) const override {
    std::memcpy(To, From, Bytes);
  }
#endif
};

} // namespace

c10::Allocator *deviceAllocator() {
  static auto *Allocator = new DeviceAllocator;
  return Allocator;
}

c10::Allocator *pinnedAllocator() {
  static auto *Allocator = new PinnedAllocator;
  return Allocator;
}

namespace {

struct RegisterAllocator {
  RegisterAllocator() {
    c10::SetAllocator(c10::DeviceType::CUDA, deviceAllocator());
  }
} Registered;

} // namespace

} // namespace sim
} // namespace tdl
