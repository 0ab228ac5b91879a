//===- until-there.cpp - A loop that ends when its guard holds -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XFAIL: *
// A loop that ends when its guard holds: what x is before the first round and
// after a later one is joined.
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void untilThere(torch::Tensor x) {
  auto host = torch::ones({2});
  while (!x.is_cuda())
    x = x.cuda();
  host + x;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
