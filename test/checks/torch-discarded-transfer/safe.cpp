//===- safe.cpp - torch-discarded-transfer: what it is silent about ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-discarded-transfer %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void modules(torch::nn::Linear layer, torch::nn::Sequential net,
             torch::nn::Module &module, torch::Device device) {
  layer->to(device);
  layer->to(torch::kHalf);
  net->to(torch::kCUDA);
  module.to(device);
  module.to(device, torch::kHalf);
}

torch::Tensor taken(torch::Tensor x, torch::Device device) {
  x = x.to(device);
  auto y = x.cuda();
  y = std::move(x).to(device);
  x.cuda().sum();
  x.to(device).copy_(y);
  x.contiguous().data_ptr<float>();
  bool there = x.cuda().is_cuda();
  y = there ? x.cuda() : x.cpu();
  torch::cat({x.cpu(), y.cpu()});
  x.cpu().item<float>();
  if (x.cpu().equal(y))
    return x.to(device);
  return x.contiguous();
}

// Said aloud: the reader of a benchmark wants the transfer alone.
void wanted(torch::Tensor x) {
  (void)x.cuda();
  std::ignore = x.cpu();
  [[maybe_unused]] auto warm = x.cuda();
}

// What is there already, and of that type, needs no assignment.
void alreadyThere(torch::Device device) {
  auto labels = torch::from_blob(nullptr, {4}, torch::kLong).clone();
  labels.to(torch::kLong);
  labels.cpu();
  auto x = torch::ones({2}, device);
  x.to(device);
  x.to(x.device());
}

struct Mover {
  Mover &to(torch::Device);
  void cuda();
  void cpu();
};

void otherClasses(Mover mover, torch::Device device) {
  mover.to(device);
  mover.cuda();
  mover.cpu();
}

auto arrow = [](torch::Tensor x) { return x.cuda(); };

// In place: these change x, or are no transfers.
void changes(torch::Tensor x, torch::Tensor y) {
  x.copy_(y);
  x.fill_(1);
  x.set_data(y.cuda());
  x.zero_();
  x.detach_();
}

#define EXPECT_THROW(statement)                                                \
  try {                                                                        \
    statement;                                                                 \
  } catch (...) {                                                              \
  }

void meantToThrow(torch::Tensor x) { EXPECT_THROW(x.to(torch::kCUDA)); }

void hidden(torch::Tensor x) {
  x.cuda(); // NOLINT(torch-discarded-transfer)
}

// Meant for what it does besides: starts CUDA, or throws where there is none.
void warmUp() { torch::rand({3}).to(torch::kCUDA); }
