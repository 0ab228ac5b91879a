//===- unsafe.cpp - torch-cross-device-module: what it reports -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-module %s
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t n)
      : embed(register_module("embed", torch::nn::Embedding(n, n))) {
    fc = register_module("fc", torch::nn::Linear(n, n));
    scale = register_parameter("scale", torch::ones({n}));
  }
  torch::Tensor forward(const torch::Tensor &ids) {
    return fc->forward(embed->forward(ids)) * scale;
  }
  torch::nn::Embedding embed;
  torch::nn::Linear fc{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Net);

void layers() {
  torch::nn::Linear fc(4, 4);
  fc->to(torch::kCUDA);
  auto x = torch::zeros({2, 4});
  fc->forward(x);
  // CHECK: :[[@LINE-1]]:7: warning: input 'x' is on cpu, but the module 'fc' is on cuda [torch-cross-device-module]
  fc(x);
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cpu, but the module 'fc' is on cuda [torch-cross-device-module]
  x = x.to(torch::Device(torch::kCUDA, 1));
  torch::nn::Conv2d conv(1, 2, 3);
  conv->forward(x);
  // CHECK: :[[@LINE-1]]:9: warning: input 'x' is on cuda:1, but the module 'conv' is on cpu [torch-cross-device-module]
}

torch::nn::Sequential build() {
  torch::nn::Sequential net(torch::nn::Linear(4, 4), torch::nn::ReLU());
  return net;
}

void containers(torch::Device gpu) {
  auto net = build();
  net->to(torch::kCUDA);
  net->forward(torch::zeros({2, 4}));
  // CHECK: :[[@LINE-1]]:8: warning: input 'torch::zeros({2, 4})' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

void parameterOfTheFunction(torch::nn::Sequential net) {
  net->to(torch::kCUDA);
  net->forward(torch::zeros({2, 4}));
  // CHECK: :[[@LINE-1]]:8: warning: input 'torch::zeros({2, 4})' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

void ownModules(const torch::Tensor &ids) {
  Net byHolder(4);
  byHolder->forward(ids.to(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:13: warning: in this call of 'forward', input 'ids' is on cuda, but the module 'embed' is on cpu [torch-cross-device-module]
  auto byPointer = std::make_shared<NetImpl>(4);
  byPointer->forward(ids.to(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:14: warning: in this call of 'forward', input 'ids' is on cuda, but the module 'embed' is on cpu [torch-cross-device-module]
  NetImpl byValue(4);
  byValue.forward(ids.to(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:11: warning: in this call of 'forward', input 'ids' is on cuda, but the module 'embed' is on cpu [torch-cross-device-module]
  std::unique_ptr<NetImpl> unique(new NetImpl(4));
  unique->forward(ids.to(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:11: warning: in this call of 'forward', input 'ids' is on cuda, but the module 'embed' is on cpu [torch-cross-device-module]
}

void aliases(const torch::Tensor &ids) {
  Net one(4);
  Net other = one;
  other->to(torch::kCUDA);
  one->forward(ids.cpu());
  // CHECK: :[[@LINE-1]]:8: warning: in this call of 'forward', input 'ids' is on cpu, but the module 'embed' is on cuda [torch-cross-device-module]
}

void parameters() {
  torch::nn::Linear fc(4, 4);
  fc->to(torch::kCUDA);
  auto y = torch::zeros({2, 4}).matmul(fc->weight);
  // CHECK: :[[@LINE-1]]:33: warning: operands of 'matmul' are on different devices: 'fc->weight' is on cuda, 'torch::zeros({2, 4})' is on cpu [torch-cross-device-module]
}

void recurrent() {
  torch::nn::LSTM lstm(4, 4);
  lstm->to(torch::kCUDA);
  auto x = torch::zeros({5, 1, 4}, torch::kCUDA);
  auto h = torch::zeros({1, 1, 4});
  lstm->forward(x, std::make_tuple(h, h));
  // CHECK: :[[@LINE-1]]:9: warning: input 'std::make_tuple(h, h)' is on cpu, but the module 'lstm' is on cuda [torch-cross-device-module]
}

void script(const std::string &file, const torch::Tensor &x) {
  auto module = torch::jit::load(file, torch::kCUDA);
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(x.cuda());
  inputs.push_back(torch::ones({2}));
  module.forward(inputs);
  // CHECK: :[[@LINE-1]]:10: warning: input 'inputs' is on cpu, but the module 'module' is on cuda [torch-cross-device-module]
}

void batches(const std::string &root, torch::Device device) {
  Net net(784);
  net->to(torch::kCUDA);
  auto set = torch::data::datasets::MNIST(root)
                 .map(torch::data::transforms::Normalize<>(0.13, 0.3))
                 .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  for (auto &batch : *loader)
    net->forward(batch.data);
  // CHECK: :[[@LINE-1]]:10: warning: in this call of 'forward', input 'ids' is on cpu, but the module 'embed' is on cuda [torch-cross-device-module]
}

class Cells : public torch::data::datasets::Dataset<Cells> {
public:
  torch::data::Example<> get(size_t index) override {
    return {torch::full({4}, 1.0), torch::zeros({}, torch::kLong)};
  }
  torch::optional<size_t> size() const override { return 10; }
};

void ownDataset() {
  torch::nn::Linear fc(4, 4);
  fc->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(
      Cells().map(torch::data::transforms::Stack<>()), 64);
  for (auto &batch : *loader)
    fc->forward(batch.data);
  // CHECK: :[[@LINE-1]]:9: warning: input 'batch.data' is on cpu, but the module 'fc' is on cuda [torch-cross-device-module]
}

struct BlockImpl : torch::nn::Module {
  BlockImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Block);

struct StackImpl : torch::nn::Module {
  StackImpl() {
    register_module("blocks", blocks);
    for (int i = 0; i < 3; ++i)
      blocks->push_back(Block());
    head = register_module("head", std::make_shared<BlockImpl>());
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto &block : *blocks)
      x = block->as<BlockImpl>()->forward(x);
    return head->forward(x);
  }
  torch::nn::ModuleList blocks;
  std::shared_ptr<BlockImpl> head;
};

void nested() {
  StackImpl stack;
  stack.to(torch::kCUDA);
  stack.forward(torch::zeros({2, 4}));
  // CHECK: :[[@LINE-1]]:9: warning: in this call of 'forward', input 'x' is on cpu, but the module 'fc' is on cuda [torch-cross-device-module]
}

class Runner {
public:
  Runner() : device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU), net_(4) {
    net_->to(device_);
  }
  torch::Tensor run(const torch::Tensor &ids) {
    return net_->forward(ids.cpu());
    // CHECK: :[[@LINE-1]]:18: warning: in this call of 'forward', input 'ids' is on cpu, but the module 'embed' is on cuda when torch::cuda::is_available() [torch-cross-device-module]
  }

private:
  torch::Device device_;
  Net net_;
};
