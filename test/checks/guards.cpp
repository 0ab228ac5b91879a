//===- guards.cpp - What tests of a tensor's device establish ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guard tells where a parameter is, on the side of the branch that it leads
// to and nowhere else.
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

#include <cassert>

void isCuda(torch::Tensor x) {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::Device(torch::kCUDA, 0));
  host + x;
  if (x.is_cuda()) {
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
    gpu + x;
  } else {
    host + x;
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda:0, 'x' is on the device of x [torch-cross-device-op]
  }
  host + x;
  gpu.mm(x);
}

void deviceIsCuda(torch::Tensor x, torch::Tensor y) {
  auto host = torch::ones({2});
  if (x.device().is_cuda())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  if (x.device().type() == torch::kCUDA)
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  if (torch::kCUDA == x.device().type())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  if (x.device() == torch::Device(torch::kCUDA, 1))
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  if (x.device() == torch::Device("cuda:1") && y.is_cpu())
    x.mm(y);
    // CHECK: :[[@LINE-1]]:7: warning: operands of 'mm' are on different devices: 'x' is on cuda:1, 'y' is on cpu [torch-cross-device-op]
  if (x.options().device().is_cuda())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  const auto device = x.device();
  if (device.is_cuda())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  const bool onGpu = x.is_cuda();
  if (onGpu)
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void isCpu(torch::Tensor x) {
  auto gpu = torch::ones({2, 2}, torch::kCUDA);
  if (x.is_cpu())
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
  if (x.device().is_cpu())
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
  if (x.device().type() == torch::kCPU)
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
  if (x.device() == torch::kCPU)
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
  if (!x.is_cpu())
    gpu.mm(x);
  else
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
  // The rank of x is not known: it may be the excepted 0-dim tensor.
  if (x.is_cpu())
    gpu + x;
}

void otherTypes(torch::Tensor x) {
  auto host = torch::ones({2});
  if (x.is_mps())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on mps, 'host' is on cpu [torch-cross-device-op]
  if (x.is_xpu())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on xpu, 'host' is on cpu [torch-cross-device-op]
  if (x.device().type() == torch::kXLA)
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on xla, 'host' is on cpu [torch-cross-device-op]
}

void earlyReturn(torch::Tensor x) {
  auto host = torch::ones({2});
  if (!x.is_cuda())
    return;
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void earlyThrow(torch::Tensor x, torch::Tensor y) {
  if (x.is_cpu() || y.is_cuda())
    throw std::invalid_argument("devices");
  auto host = torch::ones({2});
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on the device of x, 'host' is on cpu [torch-cross-device-op]
  host + y;
}

void notBoth(torch::Tensor x, torch::Tensor y) {
  auto host = torch::ones({2});
  if (!(x.is_cuda() && y.is_cuda()))
    return;
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + y;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'y' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void notEither(torch::Tensor x, torch::Tensor y) {
  auto host = torch::ones({2});
  if (!(x.is_cpu() || y.is_cpu())) {
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on the device of x, 'host' is on cpu [torch-cross-device-op]
    host + y;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'y' is on the device of y, 'host' is on cpu [torch-cross-device-op]
  }
  if (x.is_cuda() || y.is_cuda()) {
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu when x.is_cuda() [torch-cross-device-op]
    host + y;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'y' is on cuda, 'host' is on cpu when {{.*}}y.is_cuda() [torch-cross-device-op]
  }
}

void torchCheck(torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  auto host = torch::ones({2});
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  TORCH_CHECK(y.is_cuda() && z.is_cpu(), "y on the GPU, z on the host");
  host + y;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'y' is on cuda, 'host' is on cpu [torch-cross-device-op]
  y.mm(z);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mm' are on different devices: 'y' is on cuda, 'z' is on cpu [torch-cross-device-op]
  host + z;
}

void otherAsserts(torch::Tensor x, torch::Tensor y, torch::Tensor z,
                  torch::Tensor w) {
  auto host = torch::ones({2});
  TORCH_INTERNAL_ASSERT(x.is_cuda());
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  AT_ASSERT(y.is_cuda());
  host + y;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'y' is on cuda, 'host' is on cpu [torch-cross-device-op]
  assert(z.is_cuda());
  host + z;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'z' is on cuda, 'host' is on cpu [torch-cross-device-op]
  TORCH_CHECK(!w.is_cpu());
  host + w;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'w' is on the device of w, 'host' is on cpu [torch-cross-device-op]
}

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " not contiguous")
#define CHECK_INPUT(x)                                                         \
  CHECK_CUDA(x);                                                               \
  CHECK_CONTIGUOUS(x)
#define CHECK_CPU(x) TORCH_CHECK(x.device().is_cpu(), #x " must be on the host")
#define REQUIRE_SAME(x, y)                                                     \
  do {                                                                         \
    if (x.device() != y.device())                                              \
      throw std::runtime_error(#x " and " #y " differ");                       \
  } while (false)

void userMacros(torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  auto host = torch::ones({2});
  CHECK_INPUT(x);
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  CHECK_CPU(y);
  x.mm(y);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mm' are on different devices: 'x' is on cuda, 'y' is on cpu [torch-cross-device-op]
  REQUIRE_SAME(x, z);
  host + z;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'z' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void sameDevice(torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  auto host = torch::ones({2});
  TORCH_CHECK(x.device() == y.device(), "x and y on one device");
  x.mm(y);
  if (x.is_cuda()) {
    host + y;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'y' is on cuda, 'host' is on cpu [torch-cross-device-op]
    x.mm(y);
  }
  if (x.device() != z.device())
    x.mm(z);
    // CHECK: :[[@LINE-1]]:7: warning: operands of 'mm' are on different devices: 'x' is on the device of x, 'z' is on the device of z [torch-cross-device-op]
  else
    x.mm(z);
  if (x.device() == z.device() && z.is_cuda())
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

torch::Tensor ternary(torch::Tensor x) {
  auto host = torch::ones({2});
  auto there = x.is_cuda() ? host.cuda() : host;
  there + x;
  return x.is_cuda() ? host + x : host;
  // CHECK: :[[@LINE-1]]:29: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

torch::Tensor movedWhereItHasToBe(torch::Tensor x) {
  auto host = torch::ones({2});
  if (x.is_cuda())
    host = host.to(x.device());
  return host + x;
}

void onDeviceType(torch::Tensor x) {
  auto host = torch::ones({2, 2});
  auto gpu = torch::ones({2, 2}, torch::kCUDA);
  switch (x.device().type()) {
  case torch::kCUDA:
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
    break;
  case torch::kCPU:
    host + x;
    gpu.mm(x);
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'mm' are on different devices: 'gpu' is on cuda, 'x' is on cpu [torch-cross-device-op]
    break;
  default:
    break;
  }
  host + x;
}

void loops(torch::Tensor x, int n) {
  auto host = torch::ones({2});
  for (int i = 0; i < n; ++i) {
    if (!x.is_cuda())
      continue;
    host + x;
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  }
  host + x;
  while (n-- > 0)
    TORCH_CHECK(x.is_cuda());
  host + x;
}

void rebound(torch::Tensor x) {
  auto host = torch::ones({2});
  TORCH_CHECK(x.is_cuda());
  x = x.cpu();
  host + x;
  TORCH_CHECK(x.is_cpu());
}

void contradiction(torch::Tensor x) {
  auto host = torch::ones({2});
  if (x.is_cuda()) {
    if (x.is_cpu())
      host + x; // No execution gets here.
    return;
  }
  TORCH_CHECK(!x.is_cuda());
  host + x;
}
