//===- conditions.cpp - Conditions of the program that decide places ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place that a condition decides is known on each side of it; two that the
// same condition decides agree.
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void chosenDevice() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto host = torch::ones({2});
  auto x = torch::ones({2}).to(device);
  auto y = torch::zeros({2}, device);
  x + y;
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
  host.to(device) + x;
}

void chosenByBranch() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) {
    device = torch::kCUDA;
  }
  auto host = torch::ones({2});
  auto x = torch::ones({2}, device);
  x + torch::ones({2}, torch::TensorOptions().device(device));
  host + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'x' is on cuda, 'host' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
}

void chosenByString() {
  std::string name = torch::cuda::is_available() ? "cuda:0" : "cpu";
  auto x = torch::ones({2}, torch::Device(name));
  torch::ones({2}) + x;
  // CHECK: :[[@LINE-1]]:20: warning: operands of 'add' are on different devices: 'x' is on cuda:0, 'torch::ones({2})' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
}

void movedWhenThere() {
  auto x = torch::ones({2});
  auto y = torch::ones({2});
  if (torch::cuda::is_available())
    x = x.to(torch::kCUDA);
  if (torch::cuda::is_available()) {
    x + y;
    // CHECK: :[[@LINE-1]]:7: warning: operands of 'add' are on different devices: 'x' is on cuda, 'y' is on cpu [torch-cross-device-op]
    y = y.to(torch::kCUDA);
  }
  x + y;
}

void otherTests() {
  auto host = torch::ones({2});
  torch::Device device = torch::kCPU;
  if (torch::cuda::device_count() > 0)
    device = torch::kCUDA;
  host + torch::ones({2}, device);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::ones({2}, device)' is on cuda, 'host' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
  if (torch::hasMPS())
    host + torch::ones({2}, torch::kMPS);
    // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'torch::ones({2}, torch::kMPS)' is on mps, 'host' is on cpu [torch-cross-device-op]
}

void ownBoolean(bool gpu) {
  auto x = torch::ones({2});
  auto w = torch::ones({2});
  if (gpu)
    x = x.cuda();
  if (gpu)
    w = w.cuda();
  x + w;
  auto b = torch::ones({2});
  x + b;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'b' is on cpu when gpu [torch-cross-device-op]
  if (!gpu)
    x + b;
}

void forgottenInOneBranch(bool gpu) {
  auto x = torch::ones({2});
  auto w = torch::ones({2});
  if (gpu)
    x = x.cuda();
  else
    w = w.cpu();
  x + w;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'w' is on cpu when gpu [torch-cross-device-op]
}

struct Options {
  bool gpu = false;
  std::string device = "cpu";
  int mode = 0;
};

void ownMember(const Options &options) {
  auto x = torch::ones({2});
  auto w = torch::ones({2});
  if (options.gpu)
    x = x.cuda();
  if (options.gpu)
    w = w.cuda();
  x + w;
  x + torch::ones({2});
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::ones({2})' is on cpu when options.gpu [torch-cross-device-op]
}

enum class Mode { Host, Gpu };

void ownEnum(Mode mode) {
  auto device = mode == Mode::Gpu ? torch::kCUDA : torch::kCPU;
  auto x = torch::ones({2}, device);
  x + torch::ones({2});
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::ones({2})' is on cpu when mode == Mode::Gpu [torch-cross-device-op]
  if (mode == Mode::Host)
    x + torch::ones({2});
}

void bothNeeded(bool wanted) {
  const bool gpu = wanted && torch::cuda::is_available();
  auto device = gpu ? torch::kCUDA : torch::kCPU;
  auto x = torch::ones({2}, device);
  auto w = torch::ones({2}).to(device);
  x + w;
  w + torch::ones({2});
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'w' is on cuda, 'torch::ones({2})' is on cpu when {{wanted and torch::cuda::is_available\(\)|torch::cuda::is_available\(\) and wanted}} [torch-cross-device-op]
}

void opposite(bool host) {
  auto x = host ? torch::ones({2}) : torch::ones({2}, torch::kCUDA);
  auto w = !host ? torch::ones({2}, torch::kCUDA) : torch::ones({2});
  x + w;
}

bool decide();

void changedBetween(bool gpu) {
  auto x = torch::ones({2});
  auto w = torch::ones({2});
  if (gpu)
    x = x.cuda();
  gpu = decide();
  if (gpu)
    w = w.cuda();
  x + torch::ones({2});
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::ones({2})' is on cpu when gpu [torch-cross-device-op]
  if (gpu)
    w + torch::ones({2}, torch::kCUDA);
}

void twoCalls() {
  // decide() may answer differently each time.
  auto x = torch::ones({2});
  if (decide())
    x = x.cuda();
  auto w = torch::ones({2});
  if (decide())
    w = w.cuda();
}

void everySide(bool gpu) {
  // Whatever gpu is, the two differ.
  auto x = gpu ? torch::ones({2}, torch::kCUDA) : torch::ones({2});
  auto w = gpu ? torch::ones({2}) : torch::ones({2}, torch::kCUDA);
  x + w;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'w' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

void inLoop(int epochs) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  auto weights = torch::rand({3, 3}, device);
  auto targets = torch::rand({3, 3});
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto batch = torch::rand({3, 3}).to(device);
    auto out = batch.mm(weights);
    out - targets;
    // CHECK: :[[@LINE-1]]:9: warning: operands of 'sub' are on different devices: 'out' is on cuda, 'targets' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
    weights = weights - 0.1 * out;
  }
  weights.mm(torch::eye(3, device));
}

void movedInLoop(int epochs) {
  auto x = torch::ones({2});
  auto gpu = torch::ones({2}, torch::kCUDA);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    x = x.cuda();
    x + gpu;
  }
}
