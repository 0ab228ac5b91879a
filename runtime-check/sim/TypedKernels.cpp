//===- TypedKernels.cpp - Kernels that are not a CPU kernel on aliases ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedKernels.h"

#include "Alias.h"
#include "BoxedKernel.h"
#include "Memory.h"
#include "Version.h"

#include <ATen/EmptyTensor.h>

namespace tdl {
namespace sim {
namespace {

using Ints = at::IntArrayRef;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void refusePinned(Optional<bool> Pin) {
  TORCH_CHECK(!Pin.value_or(false), "Only dense CPU tensors can be pinned");
}

c10::ScalarType typeOr(Optional<at::ScalarType> Type) {
  return Type.value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
}

at::Tensor empty(Ints Sizes, Optional<at::ScalarType> Type,
                 Optional<at::Layout>, Optional<at::Device> Device,
                 Optional<bool> Pin, Optional<at::MemoryFormat> Format) {
  refusePinned(Pin);
  DeviceScope Scope(Device ? Device->index() : -1);
  return at::detail::empty_generic(Sizes, deviceAllocator(),
                                   c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                   typeOr(Type), Format);
}

at::Tensor emptyStrided(Ints Sizes, Ints Strides, Optional<at::ScalarType> Type,
                        Optional<at::Layout>, Optional<at::Device> Device,
                        Optional<bool> Pin) {
  refusePinned(Pin);
  return makeOnDevice(Sizes, Strides, typeOr(Type),
                      Device.value_or(c10::Device(c10::DeviceType::CUDA)));
}

//===----------------------------------------------------------------------===//
// Copies: legal between any two devices
//===----------------------------------------------------------------------===//

at::Tensor &copy(at::Tensor &Self, const at::Tensor &From, bool) {
  cpuAlias(Self).copy_(cpuAlias(From));
  return Self;
}

at::Tensor copyFrom(const at::Tensor &From, const at::Tensor &To, bool) {
  cpuAlias(To).copy_(cpuAlias(From));
  return To;
}

const at::Tensor &resize(const at::Tensor &Self, Ints Sizes,
                         Optional<at::MemoryFormat> Format) {
  at::Tensor Cpu = cpuAlias(Self);
  Cpu.resize_(Sizes, Format);
  followAlias(Self, Cpu);
  return Self;
}

at::Tensor copyFromAndResize(const at::Tensor &From, const at::Tensor &To) {
  if (To.sizes() != From.sizes())
    resize(To, From.sizes(), {});
  return copyFrom(From, To, false);
}

at::Scalar localScalarDense(const at::Tensor &Self) {
  return cpuAlias(Self).item();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

at::Tensor &setStorage(at::Tensor &Self, at::Storage From, int64_t Offset,
                       Ints Sizes, Ints Strides) {
  TORCH_CHECK(From.device() == Self.device(),
              "Attempted to set the storage of a tensor on device \"",
              Self.device(), "\" to a storage on different device \"",
              From.device(),
              "\".  This is no longer allowed; the devices must match.");
  c10::TensorImpl *Impl = Self.unsafeGetTensorImpl();
  Impl->set_storage_keep_dtype(From);
  Impl->set_storage_offset(Offset);
  if (Strides.empty())
    Impl->set_sizes_contiguous(Sizes);
  else
    Impl->set_sizes_and_strides(Sizes, Strides);
  return Self;
}

#if TDL_TORCH < 206
// Later versions ask the hooks instead.
bool isPinnedTensor(const at::Tensor &Self, Optional<at::Device>) {
  return Self.device().is_cpu() && isPinned(Self.storage().data());
}

at::Tensor pinMemory(const at::Tensor &Self, Optional<at::Device>) {
  TORCH_CHECK(Self.device().is_cpu(), "cannot pin '", Self.toString(),
              "' only dense CPU tensors can be pinned");
  at::Tensor Pinned = at::detail::empty_strided_generic(
      Self.sizes(), Self.strides(), pinnedAllocator(),
      c10::DispatchKeySet(c10::DispatchKey::CPU), Self.scalar_type());
  return Pinned.copy_(Self);
}
#endif

} // namespace

std::unordered_set<std::string> registerTypedKernels(torch::Library &Library) {
  std::unordered_set<std::string> Taken;
  auto Register = [&](const char *Name, auto Kernel) {
    Library.impl(Name, std::move(Kernel));
    Taken.insert(Name);
  };
  Register("empty.memory_format", TORCH_FN(empty));
  Register("empty_strided", TORCH_FN(emptyStrided));
  Register("copy_", TORCH_FN(copy));
  Register("_copy_from", TORCH_FN(copyFrom));
  Register("_copy_from_and_resize", TORCH_FN(copyFromAndResize));
  Register("resize_", TORCH_FN(resize));
  Register("_local_scalar_dense", TORCH_FN(localScalarDense));
  // Nothing but sizes and storages: the CPU's function is the CUDA function.
  for (const char *Name : {"as_strided", "_reshape_alias", "view", "unfold",
                           "set_.source_Tensor", "is_set_to"})
    Register(Name,
             torch::CppFunction::makeFromBoxedFunction<&runCpuRegistration>());
  Register("set_.source_Storage_storage_offset", TORCH_FN(setStorage));
#if TDL_TORCH < 206
  Register("is_pinned", TORCH_FN(isPinnedTensor));
  Register("_pin_memory", TORCH_FN(pinMemory));
#endif
  // Nothing here can do these; the dispatcher's own error says so.
  Taken.insert({"set_.source_Storage", "set_", "record_stream"});
  return Taken;
}

} // namespace sim
} // namespace tdl
