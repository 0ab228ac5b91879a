//===- latent.cpp - What fails only for some callers ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <torch/library.h>
#include <torch/torch.h>

namespace ops {

// Registered below, for tensors of any device.
at::Tensor rows(const at::Tensor &idx) {
  auto start = at::arange(8, at::kLong);
  TORCH_CHECK(idx.dim() == 1);
  return idx + start;
}

at::Tensor shifted(const at::Tensor &idx, bool shift) {
  auto offsets = at::arange(8, idx.options());
  if (shift)
    offsets = at::arange(8, at::kLong);
  return idx - offsets;
}

static at::Tensor one() {
  return at::ones({1});
}

// Seen from scale: it has no callers that are not known.
static at::Tensor scaled(const at::Tensor &x) {
  return x * one();
}

at::Tensor scale(const at::Tensor &x) {
  // Two of the caller's tensors are the caller's business.
  auto y = x + x;
  return scaled(y);
}

at::Tensor mix(const at::Tensor &x, const at::Tensor &y) { return x + y; }

// The dispatcher calls it with tensors on the CPU alone.
at::Tensor hostRows(const at::Tensor &idx) {
  return idx + at::arange(8, at::kLong);
}

at::Tensor checked(const at::Tensor &x) {
  TORCH_CHECK(x.device().is_cpu());
  return x + at::ones({4});
}

} // namespace ops

TORCH_LIBRARY(ops, m) {
  m.def("rows", &ops::rows);
  m.def("half", [](const at::Tensor &x) {
    return x * at::full({2}, 0.5);
  });
  m.def("host(Tensor idx) -> Tensor");
}
TORCH_LIBRARY_IMPL(ops, CPU, m) { m.impl("host", &ops::hostRows); }

// Nothing here calls it.
at::Tensor onGpu(const at::Tensor &x) {
  return x.mm(at::ones({4, 4}, at::kCUDA));
}

// A tensor without dimensions may be on the CPU.
at::Tensor addOnGpu(const at::Tensor &x) {
  return x + at::ones({4}, at::kCUDA);
}
