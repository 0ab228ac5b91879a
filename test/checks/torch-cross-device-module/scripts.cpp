//===- scripts.cpp - torch-cross-device-module: script modules -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-module,torch-cross-device-op %s
//
// Where programs keep script modules, how they call them, and what they take
// out of the results.
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

#include <fstream>
#include <memory>
#include <optional>

using torch::jit::IValue;

torch::Tensor host() { return torch::zeros({2}); }

//===----------------------------------------------------------------------===//
// Where they are kept
//===----------------------------------------------------------------------===//

void shared(const std::string &file) {
  auto net = std::make_shared<torch::jit::script::Module>(torch::jit::load(file, torch::kCUDA));
  net->forward({host()});
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  std::shared_ptr<torch::jit::Module> later;
  later = std::make_shared<torch::jit::Module>(torch::jit::load(file));
  later->to(torch::kCUDA);
  later->eval();
  later->forward({host()});
  // CHECK: :[[@LINE-1]]:10: warning: input 'host()' is on cpu, but the module 'later' is on cuda [torch-cross-device-module]
}

void unique(const std::string &file) {
  std::unique_ptr<torch::jit::Module> net;
  net.reset(new torch::jit::Module(torch::jit::load(file, torch::kCUDA)));
  net->forward({host()});
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  (*net).forward({host()});
  // CHECK: :[[@LINE-1]]:10: warning: input 'host()' is on cpu, but the module '*net' is on cuda [torch-cross-device-module]
}

void optional(const std::string &file) {
  std::optional<torch::jit::Module> net;
  net = torch::jit::load(file);
  net->to(torch::kCUDA);
  net->forward({host()});
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

void list(const std::string &file) {
  std::vector<torch::jit::Module> nets;
  nets.push_back(torch::jit::load(file, torch::kCUDA));
  nets[0].forward({host()});
  // CHECK: :[[@LINE-1]]:11: warning: input 'host()' is on cpu, but the module 'nets[0]' is on cuda [torch-cross-device-module]
}

void stream(std::ifstream &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  net.forward({host()});
  // CHECK: :[[@LINE-1]]:7: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

void handled(const std::string &file) {
  torch::jit::Module net;
  try {
    net = torch::jit::load(file, torch::kCUDA);
  } catch (const c10::Error &) {
    std::cerr << "no model\n";
  }
  net.forward({host()});
  // CHECK: :[[@LINE-1]]:7: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

class Initialised {
public:
  explicit Initialised(const std::string &file) : net_(torch::jit::load(file, torch::kCUDA)) { net_.eval(); }
  torch::Tensor run() { return net_.forward({host()}).toTensor(); }
  // CHECK: :[[@LINE-1]]:37: warning: input 'host()' is on cpu, but the module 'net_' is on cuda [torch-cross-device-module]

private:
  torch::jit::script::Module net_;
};

class Shared {
public:
  explicit Shared(const std::string &file) {
    net_ = std::make_shared<torch::jit::script::Module>(torch::jit::load(file));
    net_->to(torch::kCUDA);
  }
  torch::Tensor run() { return net_->forward({host()}).toTensor(); }
  // CHECK: :[[@LINE-1]]:38: warning: input 'host()' is on cpu, but the module 'net_' is on cuda [torch-cross-device-module]

private:
  std::shared_ptr<torch::jit::script::Module> net_;
};

class Opened {
public:
  bool open(const std::string &file) {
    try {
      net_ = torch::jit::load(file);
      net_.to(torch::kCUDA);
    } catch (const c10::Error &) {
      return false;
    }
    return true;
  }
  torch::Tensor run() { return net_.forward({host()}).toTensor(); }
  // CHECK: :[[@LINE-1]]:37: warning: input 'host()' is on cpu, but the module 'net_' is on cuda [torch-cross-device-module]

private:
  torch::jit::script::Module net_;
};

class Public {
public:
  torch::jit::script::Module net;
  torch::Tensor run() {
    net.to(torch::kCUDA);
    return net.forward({host()}).toTensor();
    // CHECK: :[[@LINE-1]]:16: warning: input 'host()' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  }
};

//===----------------------------------------------------------------------===//
// How they are called
//===----------------------------------------------------------------------===//

void methods(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  auto x = host();
  net.run_method("encode", x);
  // CHECK: :[[@LINE-1]]:7: warning: input 'x' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  net.get_method("encode")({x});
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  (*net.find_method("encode"))({x});
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  net({x});
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  auto encode = net.get_method("encode");
  encode({x});
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cpu, but the module 'encode' is on cuda [torch-cross-device-module]
}

void inputs(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  auto x = host();
  std::vector<IValue> braces{x};
  net.forward(braces);
  // CHECK: :[[@LINE-1]]:7: warning: input 'braces' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  std::vector<IValue> added;
  added.emplace_back(x.cuda());
  added.push_back(std::vector<torch::Tensor>{x});
  net.forward(added);
  // CHECK: :[[@LINE-1]]:7: warning: input 'added' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  std::vector<IValue> mixed = {x, 3, true};
  net.forward(mixed);
  // CHECK: :[[@LINE-1]]:7: warning: input 'mixed' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  net.forward({std::make_tuple(x, x)});
  // CHECK: :[[@LINE-1]]:7: warning: input 'std::make_tuple(x, x)' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
  net.forward({c10::ivalue::Tuple::create({x, x})});
  // CHECK: :[[@LINE-1]]:7: warning: input 'c10::ivalue::Tuple::create({x, x})' is on cpu, but the module 'net' is on cuda [torch-cross-device-module]
}

void copies(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  auto same = net.copy();
  same.forward({host()});
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'same' is on cuda [torch-cross-device-module]
  auto deep = net.deepcopy();
  deep.forward({host()});
  // CHECK: :[[@LINE-1]]:8: warning: input 'host()' is on cpu, but the module 'deep' is on cuda [torch-cross-device-module]
  auto clone = net.clone();
  clone.forward({host()});
  // CHECK: :[[@LINE-1]]:9: warning: input 'host()' is on cpu, but the module 'clone' is on cuda [torch-cross-device-module]
}

//===----------------------------------------------------------------------===//
// What they return
//===----------------------------------------------------------------------===//

void results(const std::string &file) {
  auto net = torch::jit::load(file, torch::kCUDA);
  auto x = host();
  auto gpu = x.to(torch::kCUDA);
  net.forward({gpu}).toTensor() + x;
  // CHECK: :[[@LINE-1]]:33: warning: operands of 'add' are on different devices: 'net.forward({gpu}).toTensor()' is on cuda, 'x' is on cpu [torch-cross-device-op]
  auto all = net.forward({gpu});
  auto pair = all.toTuple();
  pair->elements()[0].toTensor() + x;
  // CHECK: :[[@LINE-1]]:34: warning: operands of 'add' are on different devices: 'pair->elements()[0].toTensor()' is on cuda, 'x' is on cpu [torch-cross-device-op]
  all.toTuple()->elements().at(1).toTensor() + x;
  // CHECK: :[[@LINE-1]]:46: warning: operands of 'add' are on different devices: 'all.toTuple()->elements().at(1).toTensor()' is on cuda, 'x' is on cpu [torch-cross-device-op]
  all.toTensorList().get(0) + x;
  // CHECK: :[[@LINE-1]]:29: warning: operands of 'add' are on different devices: 'all.toTensorList().get(0)' is on cuda, 'x' is on cpu [torch-cross-device-op]
  all.toTensorVector()[0] + x;
  // CHECK: :[[@LINE-1]]:27: warning: operands of 'add' are on different devices: 'all.toTensorVector()[0]' is on cuda, 'x' is on cpu [torch-cross-device-op]
  all.toGenericDict().at("scores").toTensor() + x;
  // CHECK: :[[@LINE-1]]:47: warning: operands of 'add' are on different devices: 'all.toGenericDict().at("scores").toTensor()' is on cuda, 'x' is on cpu [torch-cross-device-op]
  all.toList().get(0).toTensor() + x;
  // CHECK: :[[@LINE-1]]:34: warning: operands of 'add' are on different devices: 'all.toList().get(0).toTensor()' is on cuda, 'x' is on cpu [torch-cross-device-op]
}
