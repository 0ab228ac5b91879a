//===- beginnings-safe.cpp - Classes that are initialised in two steps ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

// The flag and the model may be set in any order: which is not known.
class Flagged {
public:
  void enableGpu() { gpu = true; }
  void load(const std::string &path) {
    model = torch::jit::load(path);
    model.to(gpu ? torch::kCUDA : torch::kCPU);
  }
  at::Tensor run(at::Tensor x) {
    x = gpu ? x.cuda() : x.cpu();
    return model.forward({x}).toTensor();
  }

private:
  bool gpu = false;
  torch::jit::Module model;
};

class BackAndForth {
public:
  BackAndForth() { net->to(device); }
  void toGpu() {
    device = torch::kCUDA;
    net->to(device);
  }
  void toHost() {
    device = torch::kCPU;
    net->to(device);
  }
  at::Tensor run() {
    if (net->weight.is_cuda())
      toHost();
    return net->forward(torch::ones({1, 3}));
  }
  at::Tensor moved() { return net->forward(torch::ones({1, 3}).to(net->weight.device())); }

private:
  torch::nn::Linear net{torch::nn::Linear(3, 4)};
  torch::Device device = torch::kCPU;
};

class Agrees {
public:
  bool Initialize(int gpu_id) {
    if (gpu_id >= 0 && !torch::cuda::is_available())
      return false;
    if (gpu_id >= 0)
      device = torch::Device(torch::kCUDA, gpu_id);
    net = torch::nn::Linear(3, 4);
    net->to(device);
    return true;
  }
  at::Tensor Predict() {
    if (net.is_empty())
      return {};
    auto x = torch::ones({1, 3});
    if (device.is_cuda())
      x = x.to(device);
    return net->forward(x);
  }

private:
  torch::Device device = torch::kCPU;
  torch::nn::Linear net{nullptr};
};

// What a later method replaces is not what the first one left.
class Cache {
public:
  void prepare(torch::Device d) {
    device = d;
    table = torch::zeros({4}, device);
  }
  void fetch() { table = table.cpu(); }
  at::Tensor sum() { return table + torch::ones({4}); }

private:
  torch::Device device = torch::kCPU;
  torch::Tensor table = torch::zeros({4});
};

// What is private runs in the middle of something else.
class Helped {
public:
  explicit Helped(torch::Device d) : d_(d) {
    build();
    warm();
    net_->to(d);
  }
  torch::Tensor run(torch::Tensor x) { return net_(x.to(d_)); }
  torch::Tensor either(torch::Tensor x) { return d_.is_cpu() ? host(x) : x.to(d_); }

private:
  void build() { net_ = torch::nn::Linear(3, 4); }
  void warm() { net_(torch::zeros({1, 3})); }
  torch::Tensor host(torch::Tensor x) { return x.to(d_) + torch::ones({3}); }
  torch::Device d_;
  torch::nn::Linear net_{nullptr};
};

class Warmed {
public:
  void init(torch::Device d) {
    warm();
    d_ = d;
    net_->to(d);
  }
  torch::Tensor run(torch::Tensor x) { return net_(x.to(d_)); }

private:
  void warm() { net_(torch::zeros({1, 3})); }
  torch::Device d_ = torch::kCPU;
  torch::nn::Linear net_{torch::nn::Linear(3, 4)};
};

class Saved {
public:
  Saved() { net_->to(torch::kCUDA); }
  void save() {
    net_->to(torch::kCPU);
    probe();
    net_->to(torch::kCUDA);
  }

private:
  void probe() { net_(torch::rand({1, 3})); }
  torch::nn::Linear net_{torch::nn::Linear(3, 4)};
};

// Others assign what is public.
struct Open {
  explicit Open(bool gpu) : device(gpu ? torch::kCUDA : torch::kCPU) { net->to(device); }
  torch::Tensor act() { return net->forward(torch::ones({1, 3})); }
  torch::Device device;
  torch::nn::Linear net{torch::nn::Linear(3, 4)};
};
void toHost(Open &agent) { agent.net = torch::nn::Linear(3, 4); }

struct Base {
  Base() { net->to(torch::kCUDA); }
  torch::Tensor act() { return net->forward(torch::ones({1, 3})); }
  torch::nn::Linear net{torch::nn::Linear(3, 4)};
};
struct Derived : Base {
  Derived() { net->to(torch::kCPU); }
};

// CHECK-NOT: warning:
