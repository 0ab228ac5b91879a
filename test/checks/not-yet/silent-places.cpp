//===- silent-places.cpp - Places that are not followed yet ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XFAIL: *
// Lists that operators return, the default of a switch over device types, a
// loop that ends when its guard holds.
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

void untilThere(torch::Tensor x) {
  auto host = torch::ones({2});
  while (!x.is_cuda())
    x = x.cuda();
  host + x;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
