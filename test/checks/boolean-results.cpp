//===- boolean-results.cpp - Operators that return a C++ bool ----------------===//
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

// Fact 50 of contracts-facts.cpp: they throw instead of saying no.
bool comparesAcrossDevices() {
  auto x = torch::rand({3}, torch::kCUDA);
  auto host = torch::rand({3});
  bool same = torch::equal(x, host);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  if (x.equal(host))
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
    return same;
  return torch::allclose(x, host);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
