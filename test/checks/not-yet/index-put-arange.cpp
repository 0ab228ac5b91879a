//===- index-put-arange.cpp - The element type of an index that is no mask ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XFAIL: *
// A range of integers is not known to be no mask. (With a value on the GPU it
// would not matter: a mask excepts a CPU value of one element only.)
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void putsAtRange() {
  auto x = torch::rand({3, 3});
  x.index_put_({torch::arange(2)}, torch::rand({2, 3}, torch::kCUDA));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  auto y = torch::rand({3, 3}, torch::kCUDA);
  y.index_put_({torch::arange(2)}, torch::rand({2, 3}));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
