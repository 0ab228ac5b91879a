//===- parallel.cpp - torch-cross-device-module: many GPUs ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REQUIRES: libtorch-2.11, cuda-sources
// RUN: %check torch-cross-device-module,torch-cross-device-op %s -- %cuda_flags
//
//===----------------------------------------------------------------------===//

#include <torch/csrc/inductor/aoti_runner/model_container_runner_cuda.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

torch::Tensor host() { return torch::zeros({2, 3}); }

void parallel(torch::nn::Linear net) {
  std::vector<torch::Device> both{torch::Device("cuda:0"), torch::Device("cuda:1")};
  auto y = torch::nn::parallel::data_parallel(net, host(), both);
  y + host();
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda:0, 'host()' is on cpu [torch-cross-device-op]
  auto z = torch::nn::parallel::data_parallel(net, host(), {{torch::Device("cuda:0")}}, torch::Device("cuda:1"));
  z + torch::zeros({2, 4}, torch::Device("cuda:0"));
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'z' is on cuda:1, 'torch::zeros({2, 4}, torch::Device("cuda:0"))' is on cuda:0 [torch-cross-device-op]
  net->forward(host()); // With one device it moved.
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'net' is on cuda:0 [torch-cross-device-module]
}

void compiled(const torch::Tensor &x) {
  auto runner = std::make_unique<torch::inductor::AOTIModelContainerRunnerCuda>("model.so");
  runner->run({host()});
  // CHECK: :[[@LINE-1]]:11: warning: input 'host()' is on cpu, but the module 'runner' is on cuda [torch-cross-device-module]
  auto outputs = runner->run({x.cuda()});
  outputs[0] + host();
  // CHECK: :[[@LINE-1]]:14: warning: operands of 'add' are on different devices: 'outputs[0]' is on cuda, 'host()' is on cpu [torch-cross-device-op]
}
