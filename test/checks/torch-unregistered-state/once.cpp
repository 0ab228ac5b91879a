//===- once.cpp - One fault is one finding -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fails in main() is due to the member: with this check it is told there,
// without it at the call.
//
// RUN: %check 'torch-*' %s
// RUN: %check torch-cross-device-op %s --check-prefix=CALL
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

struct GateImpl : torch::nn::Module {
  GateImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x) * gate; }
  torch::nn::Linear fc{nullptr};
  torch::Tensor gate = torch::ones({4});
  // CHECK: :[[@LINE-1]]:17: warning: 'gate' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
};
TORCH_MODULE(Gate);

int main() {
  Gate net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::ones({2, 4}, torch::kCUDA));
  // CALL: :[[@LINE-1]]:17: warning: in this call of 'forward', operands of 'mul' are on different devices: 'fc->forward(x)' is on cuda, 'gate' is on cpu [torch-cross-device-op]
  return y.dim();
}
