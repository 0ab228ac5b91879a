//===- safe.cpp - torch-frozen-move: what it is silent about --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

using torch::jit::Module;

// The constants are the original's parameters, which move.
void originalMoves(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCPU);
  auto frozen = torch::jit::freeze(net);
  net.to(torch::kCUDA);
  frozen.forward({torch::ones({2}, torch::kCUDA)});
}

void movedBefore(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCPU);
  net.to(torch::kCUDA);
  auto frozen = torch::jit::freeze(net);
  frozen.to(torch::kCUDA);
  frozen.to(torch::kHalf);
  frozen.forward({torch::ones({2}, torch::kCUDA)});
}

void sameDevice(const std::string &file, torch::Device device) {
  auto frozen = torch::jit::freeze(torch::jit::load(file, device));
  frozen.to(device);
}

void onePathEach(const std::string &file, bool fold) {
  auto net = torch::jit::load(file, torch::kCPU);
  if (fold)
    net = torch::jit::freeze(net);
  else
    net.to(torch::kCUDA);
}

void unknown(Module given, torch::Device device) {
  auto frozen = torch::jit::freeze(given);
  frozen.to(device);
}

void reloaded(const std::string &file) {
  auto frozen = torch::jit::freeze(torch::jit::load(file, torch::kCPU));
  frozen.save("frozen.pt");
  auto loaded = torch::jit::load("frozen.pt", torch::kCUDA);
  loaded.forward({torch::ones({2}, torch::kCUDA)});
}
