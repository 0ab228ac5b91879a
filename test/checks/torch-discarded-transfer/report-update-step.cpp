//===- report-update-step.cpp - NVIDIA/TorchFort commit 86bac434 -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A training step that moves its inputs and keeps none of them; the repaired
// one assigns.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor stepWrong(torch::Tensor state, torch::Tensor action,
                        torch::Device device) {
  state.to(device);
  // CHECK: :[[@LINE-1]]:9: warning: the result of 'to' is dropped; 'state' itself does not change [torch-discarded-transfer]
  action.to(device);
  // CHECK: :[[@LINE-1]]:10: warning: the result of 'to' is dropped; 'action' itself does not change [torch-discarded-transfer]
  return torch::cat({state, action}, 1);
}

torch::Tensor stepRight(torch::Tensor state, torch::Tensor action,
                        torch::Device device) {
  state = state.to(device);
  action = action.to(device);
  return torch::cat({state, action}, 1);
}

// Seen through: the dropped move makes the next line fail.
torch::Tensor rotaryWrong() {
  auto x = torch::rand({4}, torch::kCUDA);
  const auto angles = torch::rand({4});
  angles.to(x.device());
  // CHECK: :[[@LINE-1]]:10: warning: the result of 'to' is dropped; 'angles' itself does not change [torch-discarded-transfer]
  return x * angles;
  // CHECK: :[[@LINE-1]]:12: warning: operands of 'mul' are on different devices: 'x' is on cuda, 'angles' is on cpu [torch-cross-device-op]
}
