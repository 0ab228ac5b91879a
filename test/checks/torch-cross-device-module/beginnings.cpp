//===- beginnings.cpp - torch-cross-device-module: two-step initialisation ===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-module,torch-cross-device-op %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

class Detector {
public:
  void Initialize(int gpu_id, const std::string &path) {
    if (gpu_id >= 0)
      device = torch::Device(torch::kCUDA, gpu_id);
    else
      device = torch::Device(torch::kCPU);
    model = torch::jit::load(path);
    model.to(device);
  }
  torch::Tensor Predict(float *data, int h, int w) {
    auto t = torch::from_blob(data, {1, 3, h, w});
    return model.forward({t}).toTensor();
    // CHECK: :[[@LINE-1]]:18: warning: input 't' is on cpu, but the module 'model' is on cuda when gpu_id >= 0 and 'Initialize' was called [torch-cross-device-module]
    // CHECK: :[[@LINE-6]]:11: note: 'model' is moved to cuda here when gpu_id >= 0
  }

private:
  torch::Device device = torch::kCPU;
  torch::jit::Module model;
};

class Trainer {
public:
  void init(bool gpu) {
    if (gpu)
      device = torch::kCUDA;
    net = torch::nn::Linear(3, 4);
    net->to(device);
  }
  void train(int epochs) {
    torch::optim::SGD optimizer(net->parameters(), 0.1);
    for (int e = 0; e < epochs; ++e) {
      auto x = torch::randn({8, 3}).to(device);
      auto y = torch::randint(0, 4, {8});
      auto loss = torch::nn::functional::cross_entropy(net->forward(x), y);
      // CHECK: :[[@LINE-1]]:19: warning: operands of 'F::cross_entropy' are on different devices: {{.*}} is on cuda, 'y' is on cpu when {{.*}}'init' was called [torch-cross-device-op]
      loss.backward();
      optimizer.step();
    }
  }

private:
  torch::nn::Linear net{nullptr};
  torch::Device device = torch::kCPU;
};

// Two steps, in the order that makes sense.
class Stepwise {
public:
  void useGpu() { device = torch::kCUDA; }
  void load(const std::string &path) { model = torch::jit::load(path, device); }
  at::Tensor run() {
    return model.forward({torch::ones({1, 3})}).toTensor();
    // CHECK: :[[@LINE-1]]:18: warning: input {{.*}} is on cpu, but the module 'model' is on cuda when 'useGpu' was called [torch-cross-device-module]
  }

private:
  torch::Device device = torch::kCPU;
  torch::jit::Module model;
};

class Moved {
public:
  explicit Moved(const std::string &file) : net_(torch::jit::load(file, torch::kCPU)) {}
  void gpu() { net_.to(torch::kCUDA); }
  torch::Tensor run() { return net_.forward({torch::ones({2})}).toTensor(); }
  // CHECK: :[[@LINE-1]]:37: warning: input 'torch::ones({2})' is on cpu, but the module 'net_' is on cuda when 'gpu' was called [torch-cross-device-module]

private:
  torch::jit::Module net_;
};

// CHECK-NOT: warning:
