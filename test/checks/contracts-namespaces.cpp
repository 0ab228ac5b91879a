//===- contracts-namespaces.cpp - Names that lead to contracts ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions outside at:: and torch:: themselves.
//
// REQUIRES: libtorch-2.11
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

namespace stable = torch::stable;

// The operators of the stable ABI are ATen's.
stable::Tensor places(const stable::Tensor &x) {
  if (!x.is_cuda())
    return x;
  auto host = stable::empty({2, 3});
  stable::Device gpu(torch::headeronly::DeviceType::CUDA, 0);
  auto device = stable::empty({3, 4}, std::nullopt, std::nullopt, gpu);
  stable::matmul(host, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'matmul' are on different devices: 'x' is on cuda, 'host' is on cpu [torch-cross-device-op]
  stable::matmul(x, stable::transpose(x, 0, 1));
  stable::copy_(host, x);
  stable::subtract(x, stable::new_zeros(x, {3}));
  stable::Tensor elsewhere = stable::to(host, gpu);
  stable::matmul(elsewhere, device);
  return device;
}

// What torch::nn::init fills stays where it is.
void initialised() {
  auto weight = torch::nn::init::xavier_uniform_(torch::empty({3, 4}));
  auto x = torch::rand({2, 3}, torch::kCUDA);
  x.mm(weight);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mm' are on different devices: 'x' is on cuda, 'weight' is on cpu [torch-cross-device-op]
  x.mm(weight.to(x.device()));
  torch::nn::init::eye_(weight);
}

// A functional form that LibTorch makes of an in-place one.
void functionalForms() {
  auto x = torch::rand({2, 3}, torch::kCUDA);
  auto noise = at::uniform(torch::empty({3, 2}), 0, 1);
  x.mm(noise);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mm' are on different devices: 'x' is on cuda, 'noise' is on cpu [torch-cross-device-op]
  x.mm(at::uniform(x.t(), 0, 1));
}

// The out form of clamp_max takes a 0-dim CPU tensor, the functional form none.
void clamps() {
  auto x = torch::rand({3}, torch::kCUDA);
  auto out = torch::empty({3}, torch::kCUDA);
  auto limit = torch::scalar_tensor(1.0);
  torch::clamp_max_out(out, x, limit);
  torch::clamp_max(x, limit);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'clamp_max' are on different devices: 'x' is on cuda, 'limit' is on cpu [torch-cross-device-op]
  torch::clamp_max_out(out, x, torch::ones({3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'clamp_max_out' are on different devices: {{.*}}'torch::ones({3})' is on cpu [torch-cross-device-op]
}
