//===- unsafe.cpp - torch-frozen-move: what it reports --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-frozen-move %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

using torch::jit::Module;

void frozen(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCPU);
  net.eval();
  net = torch::jit::freeze(net);
  net.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:7: warning: 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  // CHECK: :[[@LINE-5]]:14: note: 'net' is loaded to cpu here
  // CHECK: :[[@LINE-4]]:9: note: 'net' is frozen here
}

void optimized(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCPU);
  auto fast = torch::jit::optimize_for_inference(net);
  fast.to(torch::Device(torch::kCUDA, 0), torch::kHalf);
  // CHECK: :[[@LINE-1]]:8: warning: 'fast' is frozen, so 'to' does not move it to cuda:0: its constants stay on cpu [torch-frozen-move]
}

void unknownFile(const std::string &file, torch::Device device) {
  auto net = torch::jit::freeze(torch::jit::load(file));
  net.to(device);
  // CHECK: :[[@LINE-1]]:7: warning: 'net' is frozen, so 'to' does not move it to the device: its constants stay on the device that 'torch::jit::load(file)' finds in its file [torch-frozen-move]
}

void aliases(const std::string &file) {
  auto frozen = torch::jit::freeze(torch::jit::load(file, torch::kCPU));
  auto other = frozen;
  other.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:9: warning: 'other' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  auto copy = torch::jit::freeze(torch::jit::load(file, torch::kCPU)).clone();
  copy.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: 'copy' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
}

Module prepare(Module net) {
  net.eval();
  return torch::jit::freeze(net);
}

void place(Module &net, torch::Device device) { net.to(device); }

void helpers(const std::string &file) {
  auto net = prepare(torch::jit::load(file, torch::kCPU));
  net.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:7: warning: 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  auto other = prepare(torch::jit::load(file, torch::kCPU));
  place(other, torch::kCUDA);
  // CHECK: :[[@LINE-1]]:3: warning: in this call of 'place', 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
}

struct Engine {
  Module net;
  void open(const std::string &file) { net = torch::jit::freeze(torch::jit::load(file, torch::kCPU)); }
  void start(const std::string &file) {
    open(file);
    net.to(torch::kCUDA);
    // CHECK: :[[@LINE-1]]:9: warning: 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  }
};

class Private {
public:
  explicit Private(const std::string &file) {
    net = torch::jit::freeze(torch::jit::load(file, torch::kCPU));
  }
  void toGpu() {
    net.to(torch::kCUDA);
    // CHECK: :[[@LINE-1]]:9: warning: 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu [torch-frozen-move]
  }

private:
  Module net;
};

void onOnePath(const std::string &file, bool fold) {
  auto net = torch::jit::load(file, torch::kCPU);
  if (fold)
    net = torch::jit::freeze(net);
  net.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:7: warning: 'net' is frozen, so 'to' does not move it to cuda: its constants stay on cpu when fold [torch-frozen-move]
}
