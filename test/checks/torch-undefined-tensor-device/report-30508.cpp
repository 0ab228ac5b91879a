//===- report-30508.cpp - pytorch/pytorch issue 30508 ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device is taken from the bias of a layer that has none.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor project(const torch::Tensor &x) {
  auto layer = torch::nn::Linear(torch::nn::LinearOptions(8, 2).bias(false));
  torch::Device device = layer->bias.device();
  // CHECK: :[[@LINE-1]]:38: warning: 'layer->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  return layer->forward(x.to(device));
}
