//===- safe.cpp - torch-cross-device-module: what it is silent about -----===//
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

void agree(torch::Device device, const torch::Tensor &ids) {
  Net net(4);
  net->forward(ids.cpu());
  net->to(device);
  net->forward(ids.to(device));
  net->to(torch::kHalf);
  net->forward(ids.to(device));
  net->to(torch::kCPU);
  net->forward(ids.to(torch::kCPU));
}

void withoutParameters() {
  torch::nn::Dropout drop(0.5);
  drop->to(torch::kCUDA);
  drop->forward(torch::zeros({2}));
  torch::nn::Sequential pool(torch::nn::MaxPool2d(2), torch::nn::Flatten());
  pool->to(torch::kCUDA);
  pool->forward(torch::zeros({2, 2, 4, 4}));
  torch::nn::ReLU()(torch::zeros({2}, torch::kCUDA));
  torch::nn::CrossEntropyLoss criterion;
  criterion(torch::zeros({2, 4}, torch::kCUDA), torch::zeros({2}, torch::kCUDA).to(torch::kLong));
}

void moveSomewhere(torch::nn::Module &module);
void loadSomething(Net net);

void othersMayMove(const torch::Tensor &x) {
  Net net(4);
  moveSomewhere(*net);
  net->forward(x.cuda());
  Net other(4);
  loadSomething(other);
  other->forward(x.cuda());
  Net loaded(4);
  torch::load(loaded, "net.pt");
  // CHECK: :[[@LINE-1]]:3: warning: 'loaded' is loaded to the device that it was saved on, but meets 'ids' on cuda [torch-load-device]
  loaded->forward(x.cuda());
  Net placed(4);
  torch::load(placed, "net.pt", torch::kCUDA);
  placed->forward(x.cuda());
  Net applied(4);
  applied->apply([](torch::nn::Module &m) { m.to(torch::kCUDA); });
  applied->forward(x.cuda());
}

struct OnGpuImpl : torch::nn::Module {
  OnGpuImpl() {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    to(torch::kCUDA);
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x.cuda()); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(OnGpu);

struct ElsewhereImpl : torch::nn::Module {
  ElsewhereImpl(); // In another file: it may move itself.
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Elsewhere);

void constructorsThatMove(const torch::Tensor &x) {
  OnGpu gpu;
  gpu->forward(x);
  gpu->fc->forward(x.cuda());
  Elsewhere elsewhere;
  elsewhere->forward(x.cuda());
}

struct PlacedImpl : torch::nn::Module {
  explicit PlacedImpl(torch::Device device) : device_(device) {
    weight_ = register_parameter("weight", torch::ones({4}, device));
    fc_ = register_module("fc", torch::nn::Linear(4, 4));
    fc_->to(device);
  }
  torch::Tensor forward(const torch::Tensor &x) {
    return fc_->forward(x.to(device_)) * weight_;
  }
  torch::Device device_;
  torch::Tensor weight_;
  torch::nn::Linear fc_{nullptr};
};
TORCH_MODULE(Placed);

void placedByItself(const torch::Tensor &x) {
  Placed placed(torch::Device(torch::kCUDA, 0));
  placed->forward(x);
}

struct MovesItselfImpl : torch::nn::Module {
  MovesItselfImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    mask = mask.to(device);
  }
  torch::Tensor forward(const torch::Tensor &x) { return fc->forward(x) + mask; }
  torch::nn::Linear fc{nullptr};
  torch::Tensor mask = torch::zeros({4});
};
TORCH_MODULE(MovesItself);

void ownTo() {
  MovesItself m;
  m->to(torch::kCUDA);
  m->forward(torch::ones({2, 4}, torch::kCUDA));
}

void underOneCondition(bool gpu, torch::Tensor x) {
  Net net(4);
  if (gpu)
    net->to(torch::kCUDA);
  x = x.cpu();
  if (gpu)
    x = x.cuda();
  net->forward(x);
}

void inALoop(const std::vector<torch::Device> &devices, const torch::Tensor &x) {
  for (const auto &device : devices) {
    Net net(4);
    net->to(device);
    net->forward(x.to(device));
  }
  std::vector<Net> nets;
  for (const auto &device : devices) {
    Net net(4);
    net->to(device);
    nets.push_back(net);
  }
  for (size_t i = 0; i < nets.size(); ++i)
    nets[i]->forward(x.to(devices[i]));
}

void script(const std::string &file, const torch::Tensor &x) {
  auto module = torch::jit::load(file);
  module.to(torch::kCUDA);
  auto y = module.forward({x.cuda()}).toTensor();
  y + torch::zeros({3}, torch::kCUDA);
  torch::jit::Module same = module;
  same.to(torch::kCPU);
  module.forward({x.cpu()});
  std::shared_ptr<torch::jit::Module> shared =
      std::make_shared<torch::jit::Module>(torch::jit::load(file, torch::kCUDA));
  shared->forward({x.cuda()});
}

class Pool {
public:
  void add(Net net) { nets_.push_back(net); }
  void place(torch::Device device) {
    for (auto &net : nets_)
      net->to(device);
  }
  torch::Tensor run(torch::Tensor x, torch::Device device) {
    for (auto &net : nets_)
      x = net->forward(x.to(device));
    return x;
  }

private:
  std::vector<Net> nets_;
};

void pool(const torch::Tensor &x) {
  Pool all;
  Net net(4);
  all.add(net);
  all.place(torch::kCUDA);
  net->forward(x.cuda());
}

class GpuCells : public torch::data::datasets::Dataset<GpuCells> {
public:
  torch::data::Example<> get(size_t index) override {
    return {torch::ones({4}, torch::kCUDA), torch::zeros({}, torch::kCUDA)};
  }
  torch::optional<size_t> size() const override { return 10; }
};

void loaderOnTheGpu() {
  torch::nn::Linear fc(4, 4);
  fc->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(
      GpuCells().map(torch::data::transforms::Stack<>()), 64);
  for (auto &batch : *loader)
    fc->forward(batch.data);
}

torch::Tensor parametersTell(torch::nn::Linear fc, const torch::Tensor &x) {
  auto device = fc->parameters()[0].device();
  return fc->forward(x.to(device)) + fc->forward(x.to(fc->weight.device()));
}

// Whatever way a layer comes into a container, it moves with it.
torch::Tensor namedInSequential(const torch::Tensor &x) {
  torch::nn::Linear fc(4, 4);
  torch::nn::Sequential net({{"fc", fc}, {"relu", torch::nn::ReLU()}});
  net->to(torch::kCUDA);
  return fc(x.to(torch::kCUDA));
}

torch::Tensor updatedDictionary(const torch::Tensor &x) {
  torch::nn::Linear fc(4, 4);
  torch::nn::ModuleDict net;
  net->update(std::vector<
              std::pair<std::string, std::shared_ptr<torch::nn::Module>>>{
      {"fc", fc.ptr()}});
  net->to(torch::kCUDA);
  return fc(x.to(torch::kCUDA));
}

torch::Tensor anyInVector(const torch::Tensor &x) {
  torch::nn::Linear fc(4, 4);
  std::vector<torch::nn::AnyModule> all;
  all.emplace_back(fc);
  all[0].ptr()->to(torch::kCUDA);
  return fc(x.to(torch::kCUDA));
}
