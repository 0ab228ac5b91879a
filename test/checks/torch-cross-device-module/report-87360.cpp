//===- report-87360.cpp - pytorch/pytorch issue 87360 --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trained network meets batches as the loader makes them.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc1(784, 64), fc2(64, 10) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1->forward(x.view({-1, 784})));
    return torch::log_softmax(fc2->forward(x), 1);
  }
  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(Net);

template <typename Loader> void testWrong(Net net, Loader &loader) {
  torch::NoGradGuard no_grad;
  net->eval();
  for (const auto &batch : loader) {
    auto output = net->forward(batch.data);
    (void)output;
  }
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  auto set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (auto &batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net->forward(batch.data.to(device)), batch.target.to(device));
    loss.backward();
    optimizer.step();
  }
  testWrong(net, *loader);
  // CHECK: :[[@LINE-1]]:3: warning: in this call of 'testWrong', input 'x.view({-1, 784})' is on cpu, but the module 'fc1' is on cuda when torch::cuda::is_available() [torch-cross-device-module]
}
