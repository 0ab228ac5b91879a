//===- fix.cpp - torch-load-device: its repairs, applied ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-load-device --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-load-device %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

namespace fixed_load {

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

void local(const std::string &file, torch::Tensor x) {
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available())
    device = torch::Device(torch::kCUDA, 0);
  auto script = torch::jit::load(file);
  // FIXED: auto script = torch::jit::load(file, device);
  script.forward({x.to(device)});
}

void constant(const std::string &file, torch::Tensor x) {
  Net net;
  torch::load(net, file);
  // FIXED: torch::load(net, file, torch::kCUDA);
  net->forward(x.to(torch::kCUDA));
}

struct Trainer {
  Trainer() {
    net->to(device);
    adam = std::make_unique<torch::optim::Adam>(net->parameters(), 1e-3);
  }
  void resume(const std::string &file) {
    torch::load(net, file + "/net.pt", device);
    torch::load(*adam, file + "/adam.pt");
    // FIXED: torch::load(*adam, file + "/adam.pt", device);
  }
  torch::Device device{torch::kCUDA, 0};
  Net net;
  std::unique_ptr<torch::optim::Adam> adam;
};

} // namespace fixed_load
