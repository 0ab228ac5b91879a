//===- unsafe.cpp - torch-discarded-transfer: what it reports ----------------===//
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

void everyMethod(torch::Tensor x, torch::Device device, torch::Tensor other) {
  x.to(device);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(torch::kCUDA, torch::kHalf);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(torch::kHalf);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(other);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(other.options());
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.to(device, /*non_blocking=*/true);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.cuda();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.cpu();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'cpu' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.pin_memory();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'pin_memory' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.contiguous();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'contiguous' is dropped; 'x' itself does not change [torch-discarded-transfer]
}

void receivers(torch::Tensor &x, const torch::Tensor &constant,
               torch::Tensor *pointer, std::vector<torch::Tensor> &list) {
  x.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  constant.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:12: warning: the result of 'to' is dropped; 'constant' itself does not change [torch-discarded-transfer]
  pointer->to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:12: warning: the result of 'to' is dropped; 'pointer' itself does not change [torch-discarded-transfer]
  list[0].to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:11: warning: the result of 'to' is dropped; 'list[0]' itself does not change [torch-discarded-transfer]
  x.to(torch::kHalf).to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:22: warning: the result of 'to' is dropped; 'x.to(torch::kHalf)' itself does not change [torch-discarded-transfer]
  for (auto &element : list)
    element.cuda();
    // CHECK: :[[@LINE-1]]:13: warning: the result of 'cuda' is dropped; 'element' itself does not change [torch-discarded-transfer]
}

struct Holder {
  torch::Tensor weight;
  void move(torch::Device device) {
    weight.to(device);
    // CHECK: :[[@LINE-1]]:12: warning: the result of 'to' is dropped; 'weight' itself does not change [torch-discarded-transfer]
    this->weight.cuda();
    // CHECK: :[[@LINE-1]]:18: warning: the result of 'cuda' is dropped; 'this->weight' itself does not change [torch-discarded-transfer]
  }
  void moveConst(torch::Device device) const {
    weight.to(device);
    // CHECK: :[[@LINE-1]]:12: warning: the result of 'to' is dropped; 'weight' itself does not change [torch-discarded-transfer]
  }
};

void perhapsThere(torch::Tensor x, torch::Device device) {
  auto here = torch::ones({2});
  here.to(device);
  // CHECK: :[[@LINE-1]]:8: warning: the result of 'to' is dropped; 'here' itself does not change [torch-discarded-transfer]
  here.to(torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: the result of 'to' is dropped; 'here' itself does not change [torch-discarded-transfer]
  here.to(torch::kCPU, torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: the result of 'to' is dropped; 'here' itself does not change [torch-discarded-transfer]
  auto gpu = torch::ones({2}, torch::kCUDA);
  gpu.to(torch::Device(torch::kCUDA, 1));
  // CHECK: :[[@LINE-1]]:7: warning: the result of 'to' is dropped; 'gpu' itself does not change [torch-discarded-transfer]
}

void inBranches(torch::Tensor x, bool gpu) {
  if (gpu)
    x.cuda();
    // CHECK: :[[@LINE-1]]:7: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  else
    x.cpu();
    // CHECK: :[[@LINE-1]]:7: warning: the result of 'cpu' is dropped; 'x' itself does not change [torch-discarded-transfer]
  while (gpu)
    x.cuda();
    // CHECK: :[[@LINE-1]]:7: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  switch (x.dim()) {
  case 1:
    x.contiguous();
    // CHECK: :[[@LINE-1]]:7: warning: the result of 'contiguous' is dropped; 'x' itself does not change [torch-discarded-transfer]
  }
  [&] { x.cuda(); }();
  // CHECK: :[[@LINE-1]]:11: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  (x.cuda());
  // CHECK: :[[@LINE-1]]:6: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.cuda(), x.cpu();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  // CHECK: :[[@LINE-2]]:15: warning: the result of 'cpu' is dropped; 'x' itself does not change [torch-discarded-transfer]
}

#define MOVE(x) x.to(torch::kCUDA)

void inMacro(torch::Tensor x) {
  MOVE(x);
  // CHECK: :[[@LINE-1]]:3: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
}

template <typename T> void inTemplate(T x) {
  x.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
}
template void inTemplate(torch::Tensor);
