//===- report-57569.cpp - pytorch/pytorch issue 57569 ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is frozen on the CPU and then moved; the input that follows it fails,
// and is not told a second time.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

int main(int argc, const char *argv[]) {
  torch::jit::Module model = torch::jit::load(argv[1], torch::kCPU);
  model.eval();
  model = torch::jit::freeze(model);
  model.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:9: warning: 'model' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  model.forward({torch::randn({1, 3, 224, 224}, torch::kCUDA)});
}
