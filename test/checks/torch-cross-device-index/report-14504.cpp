//===- report-14504.cpp - pytorch/pytorch pull request 14504 -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// masked_select and masked_fill on a CUDA tensor with a mask of the host.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor keepsWrong() {
  auto scores = torch::rand({100}, torch::kCUDA);
  auto keep = torch::zeros({100}, torch::kBool);
  keep.index_put_({torch::indexing::Slice(0, 10)}, true);
  return scores.masked_select(keep);
  // CHECK: :[[@LINE-1]]:17: warning: mask 'keep' is on cpu, but the tensor 'scores' is on cuda [torch-cross-device-index]
}

torch::Tensor keepsRight() {
  auto scores = torch::rand({100}, torch::kCUDA);
  auto keep = torch::zeros({100}, torch::kBool);
  keep.index_put_({torch::indexing::Slice(0, 10)}, true);
  return scores.index({keep}) + scores.masked_select(keep.to(scores.device()));
}
