//===- report-21682.cpp - pytorch/pytorch issue 21682 --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weight of a layer is assigned, and the layer moved afterwards: forward()
// finds the new weight where it was made.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor scores(const torch::Tensor &x, torch::Device device) {
  torch::nn::Linear head(4, 2);
  head->weight = torch::zeros({2, 4}).normal_(0.0, 0.02);
  // CHECK: :[[@LINE-1]]:3: warning: 'weight' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  {
    torch::NoGradGuard guard;
    head->bias.zero_();
  }
  head->to(device);
  return head->forward(x.to(device));
}
