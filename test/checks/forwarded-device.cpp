//===- forwarded-device.cpp - An argument that a call only reads ----------------===//
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

void forwardedDevice() {
  torch::Device device = torch::kCUDA;
  auto options = torch::TensorOptions().device(device);
  torch::ones({2}) + torch::zeros({2}, options);
  // CHECK: :[[@LINE-1]]:20: warning: operands of 'add' are on different devices: 'torch::zeros({2}, options)' is on cuda, 'torch::ones({2})' is on cpu [torch-cross-device-op]
  torch::ones({2}) + torch::zeros({2}, device);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

void tensorMadeOptional() {
  auto x = torch::rand({3}, torch::kCUDA);
  auto low = torch::zeros({3});
  torch::clamp(x, low);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'clamp' are on different devices: 'x' is on cuda, 'low' is on cpu [torch-cross-device-op]
  x + low;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
