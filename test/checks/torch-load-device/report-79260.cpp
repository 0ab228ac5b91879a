//===- report-79260.cpp - pytorch/pytorch issue 79260 ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A script is loaded without a device and gets inputs on the GPU.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

int main(int argc, const char *argv[]) {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available())
    device = torch::kCUDA;
  torch::jit::script::Module module;
  try {
    module = torch::jit::load(argv[1]);
    // CHECK: :[[@LINE-1]]:14: warning: 'module' is loaded to the device that it was saved on, but meets 'inputs' on cuda when torch::cuda::is_available() [torch-load-device]
  } catch (const c10::Error &e) {
    return -1;
  }
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::ones({1, 3, 224, 224}).to(device));
  at::Tensor output = module.forward(inputs).toTensor();
}
