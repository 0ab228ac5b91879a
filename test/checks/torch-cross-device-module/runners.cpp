//===- runners.cpp - torch-cross-device-module: AnyModule and its kin ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REQUIRES: libtorch-2.11
// RUN: %check torch-cross-device-module,torch-cross-device-op %s
//
//===----------------------------------------------------------------------===//

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>
#include <torch/torch.h>

using torch::nn::AnyModule;

torch::Tensor host() { return torch::zeros({2, 3}); }

void any() {
  AnyModule layer(torch::nn::Linear(3, 4));
  layer.ptr()->to(torch::kCUDA);
  layer.forward(host());
  // CHECK: :[[@LINE-1]]:9: warning: input 'host()' is on cpu, but the module 'layer' is on cuda [torch-cross-device-module]
}

void inSequential() {
  torch::nn::Sequential net(AnyModule(torch::nn::Linear(3, 4)), AnyModule(torch::nn::ReLU()));
  net->to(torch::kCUDA);
  net->forward(host());
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  torch::nn::Sequential grown;
  grown->push_back("fc", AnyModule(torch::nn::Linear(3, 4)));
  grown->push_back("act", torch::nn::ReLU());
  grown->to(torch::kCUDA);
  grown->forward(host());
  // CHECK: :[[@LINE-1]]:10: warning: input 'host()' is on cpu, but the module 'grown' is on cuda [torch-cross-device-module]
  torch::nn::Sequential norm(torch::nn::BatchNorm1d(torch::nn::BatchNormOptions(3).affine(false)));
  norm->to(torch::kCUDA); // The running statistics.
  norm->forward(host());
  // CHECK: :[[@LINE-1]]:9: warning: input 'host()' is on cpu, but the module 'norm' is on cuda [torch-cross-device-module]
}

void compiled(const torch::Tensor &x) {
  torch::inductor::AOTIModelContainerRunnerCpu runner("model.so");
  std::vector<torch::Tensor> inputs{x.cuda()};
  runner.run(inputs);
  // CHECK: :[[@LINE-1]]:10: warning: input 'inputs' is on cuda, but the module 'runner' is on cpu [torch-cross-device-module]
}
