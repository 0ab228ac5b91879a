//===- chosen-device.cpp - Devices that the program chooses at run time --===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-op,torch-cross-device-module %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

torch::Tensor masked(torch::Tensor a, torch::Device device) {
  auto x = a.to(device);
  auto m = torch::zeros({3});
  return x * m;
  // CHECK: :[[@LINE-1]]:12: warning: operands of 'mul' are on different devices: 'x' is on cuda:0, 'm' is on cpu when device is cuda:0 [torch-cross-device-op]
}

struct Options {
  std::string device = "cpu";
  torch::Device target = torch::kCPU;
};

void byText(const Options &options) {
  torch::Device device(options.device);
  auto x = torch::rand({2, 2}, device);
  auto y = torch::rand({2, 2});
  auto z = torch::matmul(x, y);
  // CHECK: :[[@LINE-1]]:12: warning: operands of 'matmul' are on different devices: 'x' is on cuda:0, 'y' is on cpu when options.device is cuda:0 [torch-cross-device-op]
}

void byArgument(int argc, char **argv) {
  torch::Device device(argc > 1 ? argv[1] : "cpu"); // Two texts: not known.
  torch::rand({2, 2}, device).add_(torch::rand({2, 2}));
  torch::Device first(argv[1]);
  torch::rand({2, 2}, first).add_(torch::rand({2, 2}));
  // CHECK: :[[@LINE-1]]:30: warning: operands of 'add_' are on different devices: {{.*}} when argv[1] is cuda:0 [torch-cross-device-op]
}

void byMember(const Options &options) {
  auto x = torch::rand({2, 2}, options.target);
  x.add_(torch::rand({2, 2}));
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add_' are on different devices: {{.*}} when options.target is cuda:0 [torch-cross-device-op]
}

// A class that is made elsewhere.
class Loss {
public:
  explicit Loss(torch::Device device) : device(device) {}
  torch::Tensor operator()(torch::Tensor out, torch::Tensor target) {
    auto difference = out.to(device) - target.to(device);
    return difference * torch::ones({4});
    // CHECK: :[[@LINE-1]]:23: warning: operands of 'mul' are on different devices: 'difference' is on cuda:0, {{.*}} is on cpu when device of 'Loss' is cuda:0 [torch-cross-device-op]
  }

private:
  torch::Device device;
};

// Where the model is shows in what it was given before.
void train(torch::nn::Linear &model, torch::Device device) {
  auto input = torch::rand({8, 3});
  auto out = model->forward(input.to(device));
  auto target = torch::rand({8, 4});
  torch::mse_loss(out, target);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mse_loss' are on different devices: 'out' is on cuda:0, 'target' is on cpu when device is cuda:0 [torch-cross-device-op]
  // CHECK: :[[@LINE-4]]:21: note: 'model' is on cuda:0, else this call has failed
}

void train2(torch::nn::Linear &model, torch::Device device) {
  auto input = torch::rand({8, 3});
  auto out = model->forward(input);
  auto target = torch::rand({8, 4}, device);
  torch::mse_loss(out, target);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mse_loss' are on different devices: {{.*}}'target' is on cuda:0{{.*}} when device is cuda:0 [torch-cross-device-op]
}

// CHECK-NOT: warning:
