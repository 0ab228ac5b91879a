//===- unsafe.cpp - torch-undefined-tensor-device: what it reports --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-undefined-tensor-device %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

#include <optional>

torch::Tensor make();

void declared() {
  torch::Tensor t;
  auto device = t.device();
  // CHECK: :[[@LINE-1]]:19: warning: 't' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  // CHECK: :[[@LINE-3]]:17: note: 't' is made undefined here
  auto options = t.options();
  // CHECK: :[[@LINE-1]]:20: warning: 't' is undefined and has no device, so 'options' throws [torch-undefined-tensor-device]
  auto index = t.get_device();
  // CHECK: :[[@LINE-1]]:18: warning: 't' is undefined and has no device, so 'get_device' throws [torch-undefined-tensor-device]
}

void moves(torch::Tensor x) {
  torch::Tensor t;
  auto a = t.cuda();
  // CHECK: :[[@LINE-1]]:14: warning: 't' is undefined and has no device, so 'cuda' throws [torch-undefined-tensor-device]
  auto b = t.to(torch::kCPU);
  // CHECK: :[[@LINE-1]]:14: warning: 't' is undefined and has no device, so 'to' throws [torch-undefined-tensor-device]
  auto c = x.to(t);
  // CHECK: :[[@LINE-1]]:14: warning: 't' is undefined and has no device, so 'to' throws [torch-undefined-tensor-device]
  auto d = torch::zeros_like(t);
  // CHECK: :[[@LINE-1]]:12: warning: 't' is undefined and has no device, so 'zeros_like' throws [torch-undefined-tensor-device]
}

void movedFrom(torch::Tensor x, torch::Tensor y) {
  auto z = std::move(x);
  x.device();
  // CHECK: :[[@LINE-1]]:5: warning: 'x' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  // CHECK: :[[@LINE-3]]:12: note: 'x' is moved from here and left undefined
  std::vector<torch::Tensor> all;
  all.push_back(std::move(y));
  auto w = torch::zeros({2}, y.options());
  // CHECK: :[[@LINE-1]]:32: warning: 'y' is undefined and has no device, so 'options' throws [torch-undefined-tensor-device]
}

void reset(torch::Tensor x) {
  x.reset();
  x.device();
  // CHECK: :[[@LINE-1]]:5: warning: 'x' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  // CHECK: :[[@LINE-3]]:5: note: 'x' is reset here and left undefined
}

void onOnePath(torch::Tensor x, bool masked) {
  torch::Tensor mask;
  if (masked)
    mask = x;
  mask.device();
  // CHECK: :[[@LINE-1]]:8: warning: 'mask' is undefined and has no device, so 'device' throws when !masked [torch-undefined-tensor-device]
}

void optional() {
  std::optional<torch::Tensor> mask;
  mask->device();
  // CHECK: :[[@LINE-1]]:9: warning: 'mask' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
}

void layers(bool bias) {
  torch::nn::Linear fc(torch::nn::LinearOptions(2, 3).bias(false));
  fc->bias.device();
  // CHECK: :[[@LINE-1]]:12: warning: 'fc->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  // CHECK: :[[@LINE-3]]:21: note: 'fc' is made without 'bias' here
  const auto options = torch::nn::Conv2dOptions(1, 2, 3).bias(false);
  torch::nn::Conv2d conv(options);
  conv->bias.device();
  // CHECK: :[[@LINE-1]]:14: warning: 'conv->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  torch::nn::BatchNorm2d norm(torch::nn::BatchNorm2dOptions(3).affine(false).track_running_stats(false));
  norm->running_mean.device();
  // CHECK: :[[@LINE-1]]:22: warning: 'norm->running_mean' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  norm->weight.device();
  // CHECK: :[[@LINE-1]]:16: warning: 'norm->weight' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  torch::nn::InstanceNorm2d plain(3);
  plain->weight.device();
  // CHECK: :[[@LINE-1]]:17: warning: 'plain->weight' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  torch::nn::CrossEntropyLoss loss;
  loss->weight.device();
  // CHECK: :[[@LINE-1]]:16: warning: 'loss->weight' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  auto shared = std::make_shared<torch::nn::LinearImpl>(torch::nn::LinearOptions(2, 3).bias(false));
  shared->bias.device();
  // CHECK: :[[@LINE-1]]:16: warning: 'shared->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
}

struct NetImpl : torch::nn::Module {
  NetImpl()
      : fc(register_module("fc", torch::nn::Linear(torch::nn::LinearOptions(2, 3).bias(false)))),
        norm(torch::nn::LayerNormOptions({3}).elementwise_affine(false)) {
    register_module("norm", norm);
    scale.device();
    // CHECK: :[[@LINE-1]]:11: warning: 'scale' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
    scale = register_parameter("scale", torch::ones({3}));
    fc->bias.device();
    // CHECK: :[[@LINE-1]]:14: warning: 'fc->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  }
  // In another method, by what the constructor says.
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x.to(fc->bias.device()));
    // CHECK: :[[@LINE-1]]:38: warning: 'fc->bias' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  }
  torch::Device where() {
    return norm->weight.device();
    // CHECK: :[[@LINE-1]]:25: warning: 'norm->weight' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  }
  torch::nn::Linear fc;
  torch::nn::LayerNorm norm;
  torch::Tensor scale;
};

void firstRound(const std::vector<torch::Tensor> &frames) {
  torch::Tensor last;
  for (const auto &frame : frames) {
    auto device = last.device();
    // CHECK: :[[@LINE-1]]:24: warning: 'last' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
    last = frame;
  }
}

torch::Device deviceOf(const torch::Tensor &t) { return t.device(); }

void inACall() {
  torch::Tensor t;
  deviceOf(t);
  // CHECK: :[[@LINE-1]]:3: warning: in this call of 'deviceOf', 't' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
}

struct Batch {
  torch::Tensor data, target;
};

void member() {
  Batch batch;
  batch.data.device();
  // CHECK: :[[@LINE-1]]:14: warning: 'batch.data' is undefined and has no device, so 'device' throws [torch-undefined-tensor-device]
  // CHECK: :[[@LINE-7]]:17: note: 'data' is made undefined here
}
