//===- predicates.cpp - Conditions that functions ask ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that answers a question about its argument decides the branches of
// who asks it, as the question itself would.
//
// RUN: %check '*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

using torch::Tensor;

static bool onGpu(const Tensor &t) { return t.is_cuda(); }
static bool onHost(const Tensor &t) {
  if (t.is_cuda())
    return false;
  return true;
}
static bool together(const Tensor &a, const Tensor &b) {
  return a.device() == b.device();
}
static bool isThere(const Tensor &t) { return t.defined() && t.numel() > 0; }
static bool isGpu(torch::Device d) { return d.is_cuda(); }

static Tensor byReturn(const Tensor &x) {
  if (onGpu(x))
    return x + torch::ones({3}, torch::kCUDA);
  return x + torch::ones({3});
}
static Tensor byEarlyReturn(const Tensor &x) {
  if (!onHost(x))
    return x;
  return x + torch::ones({3});
}
static Tensor bySameness(const Tensor &x, const Tensor &y) {
  if (together(x, y))
    return x + y;
  return x + y.to(x.device());
}
static Tensor byLambda(const Tensor &x) {
  auto asks = [](const Tensor &t) { return t.is_cuda(); };
  return asks(x) ? x + torch::ones({3}, torch::kCUDA) : x + torch::ones({3});
}
static Tensor scaled(const Tensor &x, const Tensor &weight) {
  return isThere(weight) ? x * weight.to(x.device()) : x;
}
static Tensor made(torch::Device d) {
  auto x = torch::ones({3}, d);
  return isGpu(d) ? x + torch::ones({3}, torch::kCUDA) : x + torch::ones({3});
}
static Tensor checked(const Tensor &x) {
  TORCH_CHECK(onHost(x), "x must be on the host");
  return x + torch::ones({3});
}

void askedOfKnownTensors() {
  auto host = torch::ones({3}), gpu = torch::ones({3}, torch::kCUDA);
  byReturn(host), byReturn(gpu);
  byEarlyReturn(host), byEarlyReturn(gpu);
  bySameness(host, gpu), bySameness(gpu, gpu);
  byLambda(host), byLambda(gpu);
  scaled(gpu, {}), scaled(gpu, host);
  made(torch::kCPU), made(torch::kCUDA);
  checked(host);
}

// The wrong side of the answer.
static Tensor mixedUp(const Tensor &x) {
  if (onHost(x))
    return x + torch::ones({3}, torch::kCUDA);
  return x;
}
void askedInVain() {
  mixedUp(torch::ones({3}));
  // CHECK: :[[@LINE-1]]:3: warning: in this call of 'mixedUp', operands of 'add' are on different devices: 'torch::ones({3}, torch::kCUDA)' is on cuda, 'x' is on cpu [torch-cross-device-op]
  mixedUp(torch::ones({3}, torch::kCUDA));
}

// Norms without parameters and buffers are nowhere.
struct Normed : torch::nn::Module {
  Normed()
      : layer(torch::nn::LayerNormOptions({4}).elementwise_affine(false)),
        batch(torch::nn::BatchNorm1dOptions(4).affine(false).track_running_stats(
            false)),
        group(torch::nn::GroupNormOptions(2, 4).affine(false)) {
    fc = register_module("fc", torch::nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return group(batch(layer(fc(x)))); }
  torch::nn::LayerNorm layer;
  torch::nn::BatchNorm1d batch;
  torch::nn::GroupNorm group;
  torch::nn::Linear fc{nullptr};
};
void normedOnGpu() {
  torch::nn::LayerNorm norm(
      torch::nn::LayerNormOptions({4}).elementwise_affine(false));
  norm(torch::ones({2, 4}, torch::kCUDA)) + torch::ones({2, 4}, torch::kCUDA);
  torch::nn::GroupNorm affine(torch::nn::GroupNormOptions(2, 4).affine(true));
  affine(torch::ones({2, 4}, torch::kCUDA));
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: input 'torch::ones({2, 4}, torch::kCUDA)' is on cuda, but the module 'affine' is on cpu [torch-cross-device-module]
}
