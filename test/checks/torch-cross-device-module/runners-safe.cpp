//===- runners-safe.cpp - torch-cross-device-module: AnyModule and kin ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REQUIRES: libtorch-2.11
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>
#include <torch/torch.h>

using torch::nn::AnyModule;

torch::Tensor host() { return torch::zeros({2, 3}); }
torch::Tensor gpu() { return torch::zeros({2, 3}, torch::kCUDA); }

struct Anywhere : torch::nn::Module {
  torch::nn::Linear fc = register_module("fc", torch::nn::Linear(3, 4));
  torch::Tensor forward(torch::Tensor x) { return fc(x.to(fc->weight.device())); }
};

void any() {
  AnyModule layer(torch::nn::Linear(3, 4));
  layer.forward(host());
  layer.ptr()->to(torch::kCUDA);
  layer.forward(gpu());
  AnyModule activation(torch::nn::ReLU{});
  activation.ptr()->to(torch::kCUDA);
  activation.forward(host());
  AnyModule own(std::make_shared<Anywhere>());
  own.ptr()->to(torch::kCUDA);
  own.forward(host());
}

// Modules without parameters take any input.
void inSequential() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::ReLU());
  net->to(torch::kCUDA);
  net->forward(host());
  torch::nn::Sequential norm(torch::nn::LayerNorm(torch::nn::LayerNormOptions({3}).elementwise_affine(false)),
                             AnyModule(torch::nn::ReLU()));
  norm->to(torch::kCUDA);
  norm->forward(host());
  torch::nn::Sequential batch(
      torch::nn::BatchNorm1d(torch::nn::BatchNormOptions(3).affine(false).track_running_stats(false)));
  batch->to(torch::kCUDA);
  batch->forward(host());
}

void compiled(const torch::Tensor &x) {
  torch::inductor::AOTIModelContainerRunnerCpu runner("model.so");
  runner.run({x.cpu()});
  torch::inductor::AOTIModelPackageLoader loader("model.pt2");
  loader.run({x.cuda()});
  loader.run({x.cpu()});
}
