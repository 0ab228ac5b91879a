//===- chosen-device-safe.cpp - Chosen devices that nothing disagrees with ===//
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

// Who calls decides, and all calls are here.
static torch::Tensor mine(torch::Tensor a, torch::Device device) {
  return a.to(device) * torch::zeros({3});
}
torch::Tensor caller() { return mine(torch::ones({3}), torch::kCPU); }

torch::Tensor asks(torch::Tensor a, torch::Device device) {
  auto x = a.to(device);
  if (device.is_cuda())
    return x;
  return x * torch::zeros({3});
}

torch::Tensor refuses(torch::Tensor a, torch::Device device) {
  TORCH_CHECK(device == torch::kCPU, "only the host");
  return a.to(device) * torch::zeros({3});
}

torch::Tensor scalars(torch::Tensor a, torch::Device device) {
  auto x = a.to(device);
  x = x * torch::tensor(3.0);
  x.index_put_({torch::arange(2)}, torch::tensor(1.0));
  return x[torch::arange(3)] + 2;
}

// Nothing says that it is not the CPU's.
torch::Device deviceOf(const torch::Tensor &x);
torch::Tensor follows(torch::Tensor a) {
  return torch::zeros({3}).to(deviceOf(a)) * torch::ones({3});
}

torch::Tensor two(torch::Tensor a, torch::Device from, torch::Device to) {
  return torch::matmul(a.to(from), a.to(to)); // The caller's business.
}

torch::Tensor reset(torch::Tensor a, torch::Device device) {
  device = torch::kCPU;
  return a.to(device) * torch::zeros({3});
}

// What comes after a call that may not have been made knows nothing of it.
void maybe(torch::nn::Linear &model, torch::Device device, bool warm) {
  auto x = torch::rand({8, 3});
  if (warm)
    model->forward(x);
  model->to(device);
  auto out = model->forward(x.to(device));
  torch::mse_loss(out, torch::rand({8, 4}, device));
}

void inTurn(torch::nn::Linear &model, torch::Device device) {
  auto x = torch::rand({8, 3});
  auto first = model->forward(x); // The CPU ...
  model->to(device);
  auto second = model->forward(x.to(device)); // ... and then the device.
  torch::mse_loss(first.to(device), second);
}

torch::Tensor tries(torch::Tensor a, torch::Tensor b, torch::Device device) {
  torch::Tensor result;
  try {
    result = torch::matmul(a, b.cpu());
  } catch (const c10::Error &) {
    result = torch::matmul(a, b.to(device));
  }
  return result;
}

// One layer is on another device than the next.
struct Offloaded : torch::nn::Module {
  explicit Offloaded(torch::Device device) {
    register_module("embedding", embedding);
    register_module("fc", fc);
    fc->to(device);
  }
  torch::Tensor forward(torch::Tensor words, torch::Device device) {
    return fc(embedding(words.cpu()).to(device));
  }
  torch::nn::Embedding embedding{torch::nn::Embedding(10, 3)};
  torch::nn::Linear fc{torch::nn::Linear(3, 4)};
};
void offload(Offloaded &model, torch::Device device) {
  auto out = model.forward(torch::arange(8), device);
  torch::mse_loss(out, torch::rand({8, 4}, device));
}

// What is asked of a text or a device may decide.
struct Options {
  std::string device = "cpu";
  bool cuda() const { return device != "cpu"; }
};

torch::Tensor asksText(torch::Tensor x, const Options &options) {
  torch::Device d(options.device);
  auto y = torch::rand({3});
  if (options.device != "cpu")
    y = y.to(d);
  if (options.cuda())
    x = x.to(d);
  else
    return torch::rand({3}, d) + torch::rand({3});
  return torch::rand({3}, d) + y;
}

torch::Tensor asksDevice(torch::Tensor x, torch::Device d) {
  x = x.to(d);
  if (d.str() == "cpu")
    return x + torch::ones({3});
  return x;
}

torch::Tensor asksCopy(torch::Tensor x, const Options &options) {
  const std::string name = options.device;
  if (name != "cpu")
    throw std::runtime_error("only the host");
  return x.to(torch::Device(options.device)) + torch::ones({3});
}

torch::Tensor asksFlag(torch::Tensor x, bool use_gpu, torch::Device d) {
  auto y = torch::ones({3});
  if (use_gpu)
    y = y.to(d);
  return x.to(d) + y;
}

torch::Tensor asksForGpu(torch::Tensor x, torch::Device d) {
  if (!torch::cuda::is_available())
    return x.to(d) + torch::ones({3});
  return x;
}

void requireHost(const torch::Device &d);
torch::Tensor refused(torch::Tensor x, torch::Device d) {
  requireHost(d);
  return x.to(d) + torch::ones({3});
}

namespace {
struct Settings {
  torch::Device device = torch::kCPU;
};
torch::Tensor inSettings(const Settings &s, torch::Tensor x) { return x.to(s.device) + torch::ones({3}); }
} // namespace
torch::Tensor usesSettings() { return inSettings(Settings(), torch::ones({3})); }

static torch::Device never = torch::kCPU;
torch::Tensor global(torch::Tensor x) { return x.to(never) + torch::ones({3}); }

// CHECK-NOT: warning:
