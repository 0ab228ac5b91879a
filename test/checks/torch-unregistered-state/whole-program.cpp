//===- whole-program.cpp - a program that moves no module ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-unregistered-state %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>
// whole program, nothing moves
struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x) * m_; }
  torch::nn::Linear fc{nullptr};
  torch::Tensor m_ = torch::ones({4});
};
TORCH_MODULE(Net);
int main() {
  Net n;
  n->fc->weight = torch::ones({4, 4});
  auto y = n->forward(torch::ones({2, 4})).to(torch::kFloat);
  return y.size(0);
}
