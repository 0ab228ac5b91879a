//===- unsafe.cpp - torch-load-device: what it reports --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-load-device %s
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

void script(const std::string &file, torch::Tensor x) {
  auto net = torch::jit::load(file);
  // CHECK: :[[@LINE-1]]:14: warning: 'net' is loaded to the device that it was saved on, but meets 'x' on cuda [torch-load-device]
  x = x.cuda();
  // CHECK: :[[@LINE-1]]:9: note: 'x' is moved to cuda here
  net.forward({x});
  // CHECK: :[[@LINE-1]]:7: note: they meet in 'forward' here
}

void afterTheMove(const std::string &file, torch::Tensor x) {
  Net net;
  net->to(torch::kCUDA);
  torch::load(net, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'net' is loaded to the device that it was saved on, but meets 'x' on cuda [torch-load-device]
  net->forward(x.cuda());
}

void chosen(const std::string &file, torch::Tensor x, torch::Device device) {
  Net net;
  torch::load(net, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'net' is loaded to the device that it was saved on, but meets 'x' on the device [torch-load-device]
  net->forward(x.to(device));
}

void tensors(const std::string &file, torch::Tensor x, const std::vector<char> &bytes) {
  torch::Tensor mean;
  torch::load(mean, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'mean' is loaded to the device that it was saved on, but meets 'x.cuda()' on cuda [torch-load-device]
  auto a = x.cuda() - mean;
  std::vector<torch::Tensor> all;
  torch::load(all, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'all[0]' is loaded to the device that it was saved on, but meets 'x.cuda()' on cuda [torch-load-device]
  auto b = torch::cat({x.cuda(), all[0]});
  auto weight = torch::pickle_load(bytes).toTensor();
  // CHECK: :[[@LINE-1]]:17: warning: 'weight' is loaded to the device that it was saved on, but meets 'x.cuda()' on cuda [torch-load-device]
  auto c = x.cuda().mm(weight);
  auto box = torch::jit::load(file);
  // CHECK: :[[@LINE-1]]:14: warning: 'box' is loaded to the device that it was saved on, but meets 'x.cuda()' on cuda [torch-load-device]
  auto d = x.cuda().mm(box.attr("weight").toTensor());
}

void archives(const std::string &file, torch::Tensor x) {
  torch::serialize::InputArchive archive;
  archive.load_from(file);
  // CHECK: :[[@LINE-1]]:11: warning: 'weight' is loaded to the device that it was saved on, but meets 'x.cuda()' on cuda [torch-load-device]
  torch::Tensor weight;
  archive.read("weight", weight);
  auto y = x.cuda().mm(weight);
  torch::serialize::InputArchive whole;
  whole.load_from(file);
  // CHECK: :[[@LINE-1]]:9: warning: 'fc' is loaded to the device that it was saved on, but meets 'x' on cuda [torch-load-device]
  Net net;
  net->to(torch::kCUDA);
  net->load(whole);
  net->forward(x.cuda());
}

Net read(const std::string &file) {
  Net net;
  torch::load(net, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'net' is loaded to the device that it was saved on, but meets 'x' on cuda [torch-load-device]
  return net;
}

void helper(const std::string &file, torch::Tensor x) {
  auto net = read(file);
  net->forward(x.cuda());
}

class Detector {
public:
  Detector(const std::string &file, torch::Device device) : device(device) {
    net = torch::jit::load(file);
    // CHECK: :[[@LINE-1]]:11: warning: 'net' is loaded to the device that it was saved on, but meets 'x.to(this->device)' on the device [torch-load-device]
    net.eval();
  }
  torch::Tensor run(torch::Tensor x) { return net.forward({x.to(this->device)}).toTensor(); }

private:
  torch::jit::Module net;
  torch::Device device;
};

void onOnePath(const std::string &file, torch::Tensor x, bool gpu) {
  auto net = torch::jit::load(file);
  // CHECK: :[[@LINE-1]]:14: warning: 'net' is loaded to the device that it was saved on, but meets 'x' on cuda when gpu [torch-load-device]
  if (gpu)
    x = x.cuda();
  net.forward({x});
}

void optimizers(const std::string &file) {
  Net net;
  net->to(torch::kCUDA);
  torch::optim::Adam adam(net->parameters(), 1e-3);
  torch::load(adam, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'adam' is loaded to the device that it was saved on, but meets 'net->parameters()' on cuda [torch-load-device]
  adam.step();
  auto sgd = std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.9));
  torch::load(*sgd, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'sgd' is loaded to the device that it was saved on, but meets 'net->parameters()' on cuda [torch-load-device]
}

void beforeTheMove(const std::string &file) {
  Net net;
  torch::optim::AdamW adam(net->parameters(), 1e-3);
  torch::load(adam, file);
  // CHECK: :[[@LINE-1]]:3: warning: 'adam' is loaded to the device that it was saved on, but meets 'net->parameters()' on cuda [torch-load-device]
  net->to(torch::kCUDA);
  adam.step();
}

void leftBehind() {
  Net net;
  torch::optim::Adam adam(net->parameters(), 1e-3);
  adam.step();
  net->to(torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: 'net->parameters()' are on cuda, but what 'adam' keeps of them is on cpu [torch-load-device]
  adam.step();
}
