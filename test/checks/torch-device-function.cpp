//===- torch-device-function.cpp - torch::device() and its kin ---------------===//
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

void deviceFunction(float *numbers) {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::kCUDA);
  host + torch::zeros({2}, torch::device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + torch::zeros({2}, torch::device(torch::Device("cuda:1")).dtype(torch::kHalf));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + torch::zeros({2}, torch::device(gpu.device()).dtype(host.dtype()));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + torch::from_blob(numbers, {2}, {1}, torch::device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + torch::zeros_like(gpu, torch::dtype(torch::kLong));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + torch::zeros_like(host, torch::device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  host + host.to(torch::device(torch::kCUDA).dtype(torch::kLong), true);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  gpu + torch::zeros({2}, torch::device(torch::kCUDA));
  gpu + torch::zeros_like(gpu, torch::dtype(torch::kLong));
}
