//===- safe.cpp - torch-cross-device-op: what it is silent about -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-op %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace F = torch::nn::functional;

void scalars() {
  auto x = torch::rand({3}, torch::kCUDA);
  x + 1;
  2.0 * x;
  x + torch::tensor(1.f);
  x * torch::scalar_tensor(2);
  torch::tensor(0.f) + x;
  x / x.numel();
  x == torch::tensor(1);
  torch::maximum(x, torch::zeros({}));
  x.pow(torch::tensor(2));
  x += torch::tensor(1.f);
  torch::where(x > 0, x, 0.);
  x + torch::rand({3}).sum();
  x * torch::rand({3})[0];
  x * torch::rand({3}).mean();
}

void accumulates() {
  auto total = torch::zeros({});
  for (int i = 0; i < 3; ++i)
    total = total + torch::rand({3}, torch::kCUDA).sum();
  total + torch::rand({3}, torch::kCUDA);
}

void copies() {
  auto x = torch::rand({3}, torch::kCUDA);
  auto host = torch::rand({3});
  host.copy_(x);
  x.copy_(host);
  x.fill_(torch::tensor(1.f));
  host.resize_as_(x);
  host.view_as(x);
  torch::zeros_like(x).set_requires_grad(true) + x;
  host = x;
  host + x;
}

void allMoved(torch::Tensor a, torch::Tensor b, torch::Device device) {
  a.to(device) + b.to(device);
  torch::cat({a.to(device), b.to(device)});
  torch::zeros({2}, device) + torch::ones({2}, torch::TensorOptions().device(device));
  a + b.to(a.device());
  a + torch::zeros_like(a);
  a + a.new_zeros({2});
  a + torch::ones({2}, a.options());
  a.cuda() + b.cuda();
  a.cpu() + torch::ones({2});
}

void unknown(torch::Tensor a, torch::Tensor b) {
  a + b;
  a + torch::ones({2});
  torch::ones({2}, torch::kCUDA) + a;
  torch::cat({a, b});
  torch::matmul(a, b);
}

// An index-less kCUDA may be any of them.
void currentDevice() {
  auto current = torch::rand({3}, torch::kCUDA);
  current + torch::rand({3}, torch::Device(torch::kCUDA, 0));
  current + torch::rand({3}, torch::Device("cuda:1"));
}

void undefinedTensors() {
  auto x = torch::rand({2, 3}, torch::kCUDA);
  auto w = torch::rand({4, 3}, torch::kCUDA);
  torch::Tensor bias;
  F::linear(x, w, bias);
  torch::linear(x, w, torch::Tensor());
  torch::conv1d(torch::rand({1, 2, 3}, torch::kCUDA), torch::rand({1, 2, 1}, torch::kCUDA), {});
}

void sameList() {
  std::vector<torch::Tensor> parts;
  for (int i = 0; i < 4; ++i)
    parts.push_back(torch::rand({3}, torch::kCUDA));
  torch::cat(parts) + torch::rand({12}, torch::kCUDA);
  std::vector<torch::Tensor> host = {torch::rand({3}), torch::rand({3})};
  torch::stack(host);
}

void notTensors() {
  std::string a = "x";
  auto b = a + "y";
  std::vector<int> numbers(3);
  numbers[0] += 1;
  torch::IntArrayRef sizes(3);
  torch::Scalar s = 3;
  torch::rand({3}, torch::kCUDA) * s;
}

void meantToThrow() {
  try {
    // Nobody says here that it is meant: a test macro's name would.
    torch::rand({3}, torch::kCUDA).sum();
  } catch (...) {
  }
}

#define ASSERT_ANY_THROW(statement)                                            \
  try {                                                                        \
    statement;                                                                 \
  } catch (...) {                                                              \
  }

void testsOfErrors() {
  ASSERT_ANY_THROW(torch::rand({3}) + torch::rand({3}, torch::kCUDA));
  ASSERT_ANY_THROW(torch::cat({torch::rand({3}), torch::rand({3}, torch::kCUDA)}));
}

torch::Tensor sizesOnly() {
  auto x = torch::rand({3, 3}, torch::kCUDA);
  return torch::rand(x.sizes()).view(x.sizes());
}

void unreachable() {
  if (false)
    torch::rand({3}) + torch::rand({3}, torch::kCUDA);
  sizeof(torch::rand({3}) + torch::rand({3}, torch::kCUDA));
}
