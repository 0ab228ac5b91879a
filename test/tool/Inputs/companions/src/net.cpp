//===- net.cpp - The body of the model --------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../include/net.h"
#include "tables.h"

NetImpl::NetImpl() { Layer = register_module("layer", torch::nn::Linear(4, 4)); }

torch::Tensor NetImpl::forward(torch::Tensor x) {
#ifdef MOVES_ITS_INPUT
  x = x.to(Layer->weight.device());
#endif
  return Layer->forward(x);
}

torch::Tensor positions(int64_t Length) { return table(Length).view({-1, 1}); }

// Reported when this file is analysed, and not with main.cpp.
torch::Tensor wrong() {
  return torch::ones({2}) + torch::ones({2}, torch::kCUDA);
}
