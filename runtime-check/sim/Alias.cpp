//===- Alias.cpp - Device tensors as kernels see them ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alias.h"

#include "Memory.h"

#include <ATen/EmptyTensor.h>

namespace tdl {
namespace sim {

bool isOnDevice(const at::Tensor &T) {
  return T.defined() && T.device().is_cuda();
}

at::Tensor cpuAlias(const at::Tensor &T) {
  if (!isOnDevice(T))
    return T;
  c10::DataPtr Data(kernelAddress(T.storage().data()), c10::Device(c10::kCPU));
  auto Storage = c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), T.storage().nbytes(),
      std::move(Data), c10::GetAllocator(c10::kCPU), /*resizable=*/true);
  auto Alias = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(Storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
      T.dtype());
  c10::TensorImpl *Impl = Alias.unsafeGetTensorImpl();
  Impl->set_storage_offset(T.storage_offset());
  Impl->set_sizes_and_strides(T.sizes(), T.strides());
  if (T.is_conj())
    Alias._set_conj(true);
  if (T.is_neg())
    Alias._set_neg(true);
  if (T.unsafeGetTensorImpl()->is_wrapped_number())
    Impl->set_wrapped_number(true);
  return Alias;
}

at::Tensor makeOnDevice(c10::IntArrayRef Sizes, c10::IntArrayRef Strides,
                        c10::ScalarType Type, c10::Device Device) {
  DeviceScope Scope(Device.index());
  return at::detail::empty_strided_generic(
      Sizes, Strides, deviceAllocator(),
      c10::DispatchKeySet(c10::DispatchKey::CUDA), Type);
}

at::Tensor copyToDevice(const at::Tensor &Cpu, c10::Device Device) {
  if (!Cpu.defined())
    return Cpu;
  at::Tensor Copy =
      makeOnDevice(Cpu.sizes(), Cpu.strides(), Cpu.scalar_type(), Device);
  cpuAlias(Copy).copy_(Cpu);
  return Copy;
}

at::Tensor makeView(const at::Tensor &Base, c10::IntArrayRef Sizes,
                    c10::IntArrayRef Strides, int64_t Offset,
                    c10::ScalarType Type) {
  auto View = at::detail::make_tensor<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(Base.storage()), Base.key_set(),
      c10::scalarTypeToTypeMeta(Type));
  View.unsafeGetTensorImpl()->set_storage_offset(Offset);
  View.unsafeGetTensorImpl()->set_sizes_and_strides(Sizes, Strides);
  return View;
}

void followAlias(const at::Tensor &T, const at::Tensor &Alias) {
  c10::TensorImpl *Impl = T.unsafeGetTensorImpl();
  if (Alias.storage().data() != kernelAddress(T.storage().data())) {
    at::Tensor Fresh = copyToDevice(Alias, T.device());
    Impl->set_storage_keep_dtype(Fresh.storage());
    Impl->set_storage_offset(0);
    Impl->set_sizes_and_strides(Fresh.sizes(), Fresh.strides());
  } else if (Alias.sizes() != T.sizes() || Alias.strides() != T.strides()) {
    Impl->set_sizes_and_strides(Alias.sizes(), Alias.strides());
  }
}

} // namespace sim
} // namespace tdl
