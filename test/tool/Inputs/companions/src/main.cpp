//===- main.cpp - Calls what other files define -----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../include/net.h"

int main() {
  Net Model;
  Model->to(torch::kCUDA);
  auto X = torch::ones({2, 4});
  auto Y = Model->forward(X);
  auto Z = torch::ones({4, 4}, torch::kCUDA) + positions(4);
  return Z.dim() == 2 ? 0 : 1;
}
