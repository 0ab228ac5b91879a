//===- report-14270.cpp - pytorch/pytorch issue 14270 ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of a list in torch::cat and torch::stack.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor prependWrong() {
  auto tokens = torch::rand({4, 8}, torch::kCUDA);
  auto first = torch::zeros({1, 8});
  return torch::cat({first, tokens}, /*dim=*/0);
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'cat' are on different devices: 'tokens' is on cuda, 'first' is on cpu [torch-cross-device-op]
}

torch::Tensor prependRight() {
  auto tokens = torch::rand({4, 8}, torch::kCUDA);
  auto first = torch::zeros({1, 8}, tokens.options());
  return torch::cat({first, tokens}, /*dim=*/0);
}

torch::Tensor framesWrong() {
  auto frame = torch::rand({3, 8}, torch::kCUDA);
  auto padding = torch::zeros({3, 8});
  return torch::stack({frame, padding, padding});
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'stack' are on different devices: 'frame' is on cuda, 'padding' is on cpu [torch-cross-device-op]
}
