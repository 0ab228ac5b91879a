//===- type-differs.cpp - A guard that is written with != --------------------===//
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

void typeDiffers(torch::Tensor x) {
  auto host = torch::ones({2});
  if (x.device().type() != torch::kCUDA)
    host + x;
  else
    host + x;
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

void returnWhereTypeDiffers(torch::Tensor x) {
  auto host = torch::ones({2});
  if (x.device().type() != torch::kCUDA)
    return;
  host + x;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
