//===- safe.cpp - torch-load-device: what it is silent about --------------===//
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
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

void moved(const std::string &file, torch::Tensor x, torch::Device device) {
  auto script = torch::jit::load(file);
  script.to(torch::kCUDA);
  script.forward({x.cuda()});
  Net net;
  torch::load(net, file);
  net->to(device);
  net->forward(x.to(device));
  torch::Tensor mean;
  torch::load(mean, file);
  mean = mean.to(device);
  auto y = x.to(device) - mean;
}

void placed(const std::string &file, torch::Tensor x, torch::Device device) {
  Net net;
  torch::load(net, file, device);
  net->forward(x.to(device));
  torch::serialize::InputArchive archive;
  archive.load_from(file, torch::kCUDA);
  torch::Tensor weight;
  archive.read("weight", weight);
  auto y = x.cuda().mm(weight);
}

void onTheHost(const std::string &file, const torch::Tensor &x) {
  auto script = torch::jit::load(file);
  script.forward({torch::ones({1, 4})});
  script.forward({x});
  Net net;
  torch::load(net, file);
  net->forward(torch::ones({1, 4}));
  torch::optim::Adam adam(net->parameters(), 1e-3);
  torch::load(adam, file);
  adam.step();
}

void follows(const std::string &file, torch::Tensor x) {
  auto script = torch::jit::load(file);
  auto device = (*script.parameters().begin()).device();
  script.forward({x.to(device)});
  torch::Tensor mean;
  torch::load(mean, file);
  auto y = x.to(mean.device()) - mean;
  if (mean.is_cuda())
    y = x.cuda() - mean;
}

void together(const std::string &file, torch::Tensor x, bool gpu) {
  auto script = torch::jit::load(file);
  if (gpu) {
    script.to(torch::kCUDA);
    x = x.cuda();
  }
  script.forward({x});
}

// One caller moves what the other finds on the CPU.
Net read(const std::string &file) {
  Net net;
  torch::load(net, file);
  return net;
}

void movesIt(const std::string &file, torch::Tensor x) {
  auto net = read(file);
  net->to(torch::kCUDA);
  net->forward(x.cuda());
}

class OnHost {
public:
  explicit OnHost(const std::string &file) : net(torch::jit::load(file)) {}
  torch::Tensor run(torch::Tensor x) { return net.forward({x.to(device)}).toTensor(); }

private:
  torch::jit::Module net;
  torch::Device device{torch::kCPU};
};

void optimizers(const std::string &file) {
  Net net;
  net->to(torch::kCUDA);
  torch::optim::Adam adam(net->parameters(), 1e-3);
  torch::load(adam, file, torch::kCUDA);
  adam.step();
  // It keeps nothing.
  torch::optim::SGD sgd(net->parameters(), 1e-3);
  torch::load(sgd, file);
  sgd.step();
  net->to(torch::kCPU);
  torch::save(net, file);
  net->to(torch::kCUDA);
  adam.step();
}

void indices(const std::string &file, torch::Tensor x) {
  torch::Tensor rows;
  torch::load(rows, file);
  x = x.cuda().index({rows});
}

// Only one fault, and torch-frozen-move tells it.
void frozen(const std::string &file, torch::Tensor x) {
  auto script = torch::jit::freeze(torch::jit::load(file));
  script.to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:10: warning: 'script' is frozen, so 'to' does not move it to cuda: {{.*}} [torch-frozen-move]
  script.forward({x.cuda()});
}

// What was loaded is moved by hand.
void movesOptimizerState(const std::string &file) {
  torch::nn::Linear net(3, 4);
  net->to(torch::kCUDA);
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(0.1));
  torch::load(optimizer, file);
  for (auto &entry : optimizer.state()) {
    auto &state = static_cast<torch::optim::AdamParamState &>(*entry.second);
    state.exp_avg(state.exp_avg().to(torch::kCUDA));
    state.exp_avg_sq(state.exp_avg_sq().to(torch::kCUDA));
  }
  optimizer.step();
}
