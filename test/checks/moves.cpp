//===- moves.cpp - Tensor::to in all its overloads, and its kin --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void toAnotherDevice() {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::Device("cuda:1"));
  host + host.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, /*non_blocking=*/true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, /*non_blocking=*/true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, true, /*copy=*/true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, true, /*copy=*/true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::Device(torch::kCUDA, 1));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::Device(torch::kCUDA, 1))' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::Device("cuda:1"), torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::Device("cuda:1"), torch::kHalf)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, torch::kHalf)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, torch::kHalf, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, torch::kHalf, true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, torch::kHalf, true, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, torch::kHalf, true, true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kCUDA, torch::kHalf, false, true, torch::MemoryFormat::Contiguous);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kCUDA, torch::kHalf, false, tr...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to("cuda:2");
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to("cuda:2")' is on cuda:2, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::TensorOptions().device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::TensorOptions().device(torch::...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu, true)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu, false, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu, false, true)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu.device());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu.device())' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu.device(), gpu.scalar_type());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu.device(), gpu.scalar_type())' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(gpu.options());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(gpu.options())' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kFloat, torch::kStrided, torch::Device("cuda:1"), false, false, false, std::nullopt);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::kFloat, torch::kStrided, torch...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.cuda();
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.cuda()' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.type_as(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.type_as(gpu)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
}

void deviceKept() {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::kCUDA);
  host + gpu.to(torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(torch::kHalf)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(torch::kHalf, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(torch::kHalf, true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(torch::kHalf, false, true);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(torch::kHalf, false, true)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(torch::TensorOptions().dtype(torch::kLong));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(torch::TensorOptions().dtype(torch::kL...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(host.dtype());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(host.dtype())' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(host.scalar_type());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(host.scalar_type())' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.toType(torch::kDouble);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.toType(torch::kDouble)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.to(torch::kFloat, torch::kStrided, std::nullopt, false, false, false, std::nullopt);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.to(torch::kFloat, torch::kStrided, std::n...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.contiguous();
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.contiguous()' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.clone();
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.clone()' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.detach();
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.detach()' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.alias();
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.alias()' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.to(torch::kDouble);
  host + host.pin_memory();
}

void toTheHost() {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::kCUDA);
  host + gpu.cpu();
  host + gpu.to(torch::kCPU);
  host + gpu.to("cpu");
  host + gpu.to(host);
  host + gpu.to(host.device());
  host + gpu.to(host.options());
  host + gpu.to(torch::kCPU, torch::kDouble, true);
  host + gpu.type_as(host);
  gpu + gpu.cpu();
  // CHECK: :[[@LINE-1]]:7: warning: operands of 'add' are on different devices: 'gpu' is on cuda, 'gpu.cpu()' is on cpu [torch-cross-device-op]
}

void chainsOfMoves() {
  auto host = torch::ones({2});
  auto there = host.cuda();
  auto back = there.to(torch::kDouble).cpu();
  auto again = back.to(there.device()).sum(0, /*keepdim=*/true);
  host + back;
  there + again;
  host + again;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'again' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void anotherGpu() {
  auto first = torch::ones({2}, torch::Device(torch::kCUDA, 0));
  auto second = first.to(torch::Device(torch::kCUDA, 1));
  first + second;
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add' are on different devices: 'first' is on cuda:0, 'second' is on cuda:1 [torch-cross-device-op]
  first + second.to(first.device());
  // Without a number it is the current device, which may be either.
  first + second.to(torch::kCUDA);
  first + second.cuda();
}

void assignedAndRebound(torch::Device device) {
  auto x = torch::ones({2});
  auto y = x;
  y = y.to(torch::kCUDA);
  x + y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x = x.to(torch::kCUDA);
  x + y;
  auto &alias = x;
  alias = alias.cpu();
  x + y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x = x.to(device);
  y = y.to(device);
  x + y;
  std::swap(x, y);
  x + y;
}
