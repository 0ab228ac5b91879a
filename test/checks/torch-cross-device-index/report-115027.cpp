//===- report-115027.cpp - pytorch/pytorch issue 115027 ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packing wants lengths on the host, so the order made of them is there as
// well, and the sequences are on the GPU. In the fixed form the order moves.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor encodeWrong(torch::Tensor batch, torch::nn::LSTM lstm) {
  TORCH_CHECK(batch.is_cuda(), "the encoder runs on the GPU");
  auto lengths = torch::randint(1, 9, {4}, torch::kLong);
  auto order = lengths.argsort(0, /*descending=*/true);
  return batch.index_select(0, order);
  // CHECK: :[[@LINE-1]]:16: warning: index tensor 'order' is on cpu, but the indexed tensor 'batch' is on cuda [torch-cross-device-index]
}

torch::Tensor encodeRight(torch::Tensor batch, torch::nn::LSTM lstm) {
  TORCH_CHECK(batch.is_cuda(), "the encoder runs on the GPU");
  auto lengths = torch::randint(1, 9, {4}, torch::kLong);
  auto order = lengths.argsort(0, /*descending=*/true).to(batch.device());
  return batch.index_select(0, order);
}
