//===- archives.cpp - Script modules from files of known names ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>

void there() {
  auto net = torch::jit::freeze(torch::jit::load("there.pt", torch::kCPU));
  net.to(torch::kCUDA);
}

void absent() {
  auto net = torch::jit::freeze(torch::jit::load("absent.pt", torch::kCPU));
  net.to(torch::kCUDA);
}
