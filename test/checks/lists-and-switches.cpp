//===- lists-and-switches.cpp - Lists that come back, the default of a switch ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists that operators return, the default of a switch over device types.
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void listResult() {
  auto x = torch::rand({3});
  auto y = torch::rand({9}, torch::kCUDA);
  y.chunk(3)[0] + x;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

void switchDefault(torch::Tensor x) {
  auto host = torch::ones({2});
  switch (x.device().type()) {
  case torch::kCPU:
    break;
  default:
    host + x;
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  }
}
