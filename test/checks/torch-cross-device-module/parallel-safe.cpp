//===- parallel-safe.cpp - torch-cross-device-module: many GPUs ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REQUIRES: libtorch-2.11, cuda-sources
// RUN: %check 'torch-*' %s -- %cuda_flags
//
//===----------------------------------------------------------------------===//

#include <torch/csrc/inductor/aoti_runner/model_container_runner_cuda.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

torch::Tensor host() { return torch::zeros({2, 3}); }
torch::Tensor gpu() { return torch::zeros({2, 3}, torch::kCUDA); }

// The input may be anywhere; how many GPUs there are is not known.
void parallel(torch::nn::Linear net) {
  std::vector<torch::Device> both{torch::Device("cuda:0"), torch::Device("cuda:1")};
  net->to(torch::kCPU);
  torch::nn::parallel::data_parallel(net, gpu(), both);
  net->forward(host());
  auto y = torch::nn::parallel::data_parallel(net, host());
  net->forward(host());
  y + torch::zeros({2, 4}, torch::Device("cuda:0"));
}

void compiled(const torch::Tensor &x) {
  torch::inductor::AOTIModelContainerRunnerCuda runner("model.so", 1, "cuda:1");
  runner.run({x.cuda(), torch::tensor(3)});
  runner.run({x.to(torch::Device("cuda:1"))});
}
