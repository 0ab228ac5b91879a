//===- fix.cpp - torch-cross-device-op: its repairs, applied -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-cross-device-op --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-cross-device-op %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace fixed_op {

torch::Tensor right() {
  auto gpu = torch::rand({3}, torch::Device("cuda:1"));
  auto host = torch::rand({3});
  return gpu + host;
  // FIXED: return gpu + host.to(gpu.device());
}

torch::Tensor left() {
  auto gpu = torch::rand({3}, torch::kCUDA);
  auto host = torch::rand({3});
  return host * gpu;
  // FIXED: return host.to(gpu.device()) * gpu;
}

torch::Tensor expression() {
  auto gpu = torch::rand({3}, torch::kCUDA);
  auto host = torch::rand({3});
  return gpu * (host + 1);
  // FIXED: return gpu * ((host + 1).to(gpu.device()));
}

torch::Tensor bareExpression() {
  auto gpu = torch::rand({3}, torch::kCUDA);
  auto host = torch::rand({3});
  return torch::add(gpu, host + 1);
  // FIXED: return torch::add(gpu, (host + 1).to(gpu.device()));
}

torch::Tensor inList() {
  auto gpu = torch::rand({3}, torch::kCUDA);
  return torch::cat({torch::rand({3}), gpu});
  // FIXED: return torch::cat({torch::rand({3}).to(gpu.device()), gpu});
}

void inPlace() {
  auto host = torch::rand({3});
  auto gpu = torch::rand({3}, torch::kCUDA);
  host += gpu;
  // FIXED: host += gpu.cpu();
}

torch::Tensor conditional() {
  auto x = torch::rand({3}).to(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto y = torch::rand({3});
  return torch::mse_loss(x, y);
  // FIXED: return torch::mse_loss(x, y.to(x.device()));
}

void onHost() {
  auto parts = torch::tensor({1, 2}, torch::kCUDA);
  torch::rand({4}, torch::kCUDA).tensor_split(parts);
  // FIXED: .tensor_split(parts.cpu());
}

} // namespace fixed_op
