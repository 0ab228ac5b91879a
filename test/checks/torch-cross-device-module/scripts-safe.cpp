//===- scripts-safe.cpp - torch-cross-device-module: script modules ------===//
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

#include <memory>

using torch::jit::IValue;

torch::Tensor host() { return torch::zeros({2}); }
torch::Tensor gpu() { return torch::zeros({2}, torch::kCUDA); }

// All handles of one module move with it.
void handles(const std::string &file) {
  auto net = std::make_shared<torch::jit::script::Module>(torch::jit::load(file, torch::kCUDA));
  net->forward({gpu()});
  auto other = net;
  other->to(torch::kCPU);
  net->forward({host()});
  net.reset();
  net.reset(new torch::jit::Module(torch::jit::load(file, torch::kCPU)));
  net->forward({host()});
}

void assignedThrough(const std::string &file) {
  auto net = std::make_shared<torch::jit::Module>();
  *net = torch::jit::load(file, torch::kCPU);
  net->forward({host()});
  auto other = net;
  *other = torch::jit::load(file, torch::kCUDA);
  net->forward({gpu()});
  other->forward({gpu()});
}

void copies(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCPU);
  auto clone = net.clone();
  clone.to(torch::kCUDA);
  net.forward({host()});
  clone.forward({gpu()});
  auto same = net.copy();
  net.to(torch::kCUDA);
  same.forward({gpu()});
  auto deep = net.deepcopy();
  net.to(torch::kCPU);
  deep.forward({gpu()});
  auto elsewhere = net.deepcopy(torch::Device(torch::kCUDA));
  elsewhere.forward({gpu()});
}

// Lengths and numbers may be meant for the CPU.
void hostInputs(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  net.forward({torch::zeros({1, 80, 2}, torch::kCUDA), torch::tensor({2}, torch::kLong), torch::tensor(0.5)});
  net.forward({gpu(), 3, true, "text", c10::nullopt});
}

// A method without a tensor may move the module.
void ownMove(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  net.run_method("to_host");
  net.forward({host()});
}

void eitherDevice(const std::string &file, bool useGpu, const std::vector<int> &all) {
  torch::jit::Module net;
  if (useGpu)
    net = torch::jit::load(file, torch::kCUDA);
  else
    net = torch::jit::load(file, torch::kCPU);
  auto x = host();
  if (useGpu)
    x = x.cuda();
  net.forward({x});
  torch::jit::Module last;
  for (int one : all)
    if (one > 3)
      last = torch::jit::load(file, torch::kCUDA);
    else
      last = torch::jit::load(file, torch::kCPU);
  last.forward({host()});
}

class Opened {
public:
  void open(const std::string &file, torch::Device device) {
    net_ = std::make_shared<torch::jit::Module>(torch::jit::load(file, device));
    device_ = device;
  }
  torch::Tensor run() { return net_->forward({host().to(device_)}).toTensor(); }

private:
  std::shared_ptr<torch::jit::Module> net_;
  torch::Device device_ = torch::kCPU;
};

// Who may replace the module, may put it anywhere.
class Replaced {
public:
  void use(torch::jit::Module net) { net_ = net; }
  void open(const std::string &file) { net_ = torch::jit::load(file, torch::kCUDA); }
  torch::Tensor run() { return net_.forward({host()}).toTensor(); }

private:
  torch::jit::Module net_;
};

void results(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  auto all = net.forward({gpu()});
  auto pair = all.toTuple();
  pair->elements()[0].toTensor().cpu() + host();
  all.toTuple()->elements()[1].toTensor() + gpu();
  all.toTensorList().get(0) + gpu();
  for (const IValue &one : pair->elements())
    one.toTensor() + gpu();
  for (torch::Tensor one : all.toTensorVector())
    one + gpu();
}

// Without a GPU the load throws, and nobody gets to the call.
class AsksLate {
public:
  explicit AsksLate(const std::string &file) {
    if (torch::cuda::is_available())
      device_ = torch::kCUDA;
    net_ = torch::jit::load(file, torch::kCUDA);
  }
  torch::Tensor run() { return net_.forward({host().to(device_)}).toTensor(); }

private:
  torch::jit::Module net_;
  torch::Device device_ = torch::kCPU;
};

// Lengths whose element type is not written.
torch::Tensor lengths(torch::jit::Module &net, const std::vector<int64_t> &n,
                      const torch::Tensor &mask) {
  net.to(torch::kCUDA);
  net.forward({gpu(), torch::tensor({3, 2})});
  net.forward({gpu(), mask.cpu().sum(1)});
  return net.forward({gpu(), torch::tensor(n)}).toTensor();
}

// What was taken out of the inputs is not given.
void fewerInputs(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  std::vector<IValue> first{host(), gpu()};
  first.erase(first.begin());
  net.forward(first);
  std::vector<IValue> last{gpu(), host()};
  last.resize(1);
  net.forward(last);
  std::vector<IValue> all{gpu(), host()};
  std::vector<IValue> some(all.begin(), all.begin() + 1);
  net.forward(some);
}

torch::Tensor childMoves(const std::string &file) {
  torch::jit::Module parent("Parent");
  auto child = torch::jit::load(file, torch::kCPU);
  parent.register_module("child", child);
  parent.to(torch::kCUDA);
  return child.forward({gpu()}).toTensor();
}
