//===- conjunction-tested-twice.cpp - A boolean that is 'and' of two ---------===//
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

void testedTwice(bool wanted) {
  const bool gpu = wanted && torch::cuda::is_available();
  auto device = gpu ? torch::kCUDA : torch::kCPU;
  auto w = torch::ones({2}).to(device);
  if (gpu)
    w + torch::ones({2}, torch::kCUDA);
  w + torch::ones({2});
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
