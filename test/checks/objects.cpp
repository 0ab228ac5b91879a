//===- objects.cpp - Tensors in objects, copies and lists of them --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>
struct Step {
  torch::Tensor value, reward;
};
struct Config {
  torch::Device device{torch::kCUDA, 0};
  int n = 3;
};
void copies() {
  Step a{torch::ones({2}), torch::ones({2}).cuda()};
  Step b = a;
  b.value = b.value.cuda();
  a.value + b.value;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 'b.value' is on cuda, 'a.value' is on cpu [torch-cross-device-op]
  b.value + b.reward;
}
void lists() {
  std::vector<Step> steps;
  for (int i = 0; i < 3; ++i)
    steps.push_back({torch::ones({2}).cuda(), torch::zeros({2})});
  for (const auto &s : steps)
    s.value + s.reward;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 's.value' is on cuda, 's.reward' is on cpu [torch-cross-device-op]
  steps[0].value + torch::ones({2});
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 'steps[0].value' is on cuda, 'torch::ones({2})' is on cpu
  // [torch-cross-device-op]
}
torch::Tensor pointers() {
  auto cfg = std::make_shared<Config>();
  auto x = torch::ones({2}, cfg->device);
  return x + torch::zeros({2});
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 'x' is on cuda:0, 'torch::zeros({2})' is on cpu
  // [torch-cross-device-op]
}
Step make() { return {torch::ones({2}), torch::ones({2}).cuda()}; }
void returned() {
  auto s = make();
  s.value + s.reward;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 's.reward' is on cuda, 's.value' is on cpu [torch-cross-device-op]
  auto [v, r] = make();
  v + r;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: operands of 'add' are on different
  // devices: 'r' is on cuda, 'v' is on cpu [torch-cross-device-op]
}
struct Guard {
  ~Guard();
  torch::Tensor t;
};
void arrays() {
  Guard both[2];
  both[0].t = torch::ones({2});
}

// A holder's constructor passes a device on; the variable stays what it is.
struct PlacedImpl : torch::nn::Module {
  explicit PlacedImpl(torch::Device device) {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Placed);
void deviceOfAHolder(const torch::Tensor &x) {
  torch::Device device(torch::kCUDA);
  Placed net(device);
  net->forward(x.to(device));
  net->forward(torch::ones({4}));
  // CHECK: :[[@LINE-1]]:8: warning: in this call of 'forward', input 'x' is on cpu, but the module 'fc' is on cuda [torch-cross-device-module]
}
// One that takes a reference may keep it.
struct KeepingImpl : torch::nn::Module {
  explicit KeepingImpl(torch::Device &device) : kept(device) {}
  void choose() { kept = torch::kCUDA; }
  torch::Device &kept;
};
TORCH_MODULE(Keeping);
void keptDevice(const torch::Tensor &x) {
  torch::Device device(torch::kCPU);
  Keeping net(device);
  net->choose();
  x.to(device) + torch::ones({2}, torch::kCUDA);
}
