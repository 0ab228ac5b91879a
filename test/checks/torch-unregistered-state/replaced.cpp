//===- replaced.cpp - torch-unregistered-state: stale and late members ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is registered is not what the member holds; what is registered after the
// move; what is made on the CPU again.
//
// RUN: %check torch-unregistered-state %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>
using torch::Tensor;
namespace nn = torch::nn;
// stale handles
struct StaleCtorImpl : nn::Module {
  StaleCtorImpl() {
    w_ = register_parameter("w", torch::randn({4, 4}));
    w_ = w_ * 0.1;
  // CHECK: :[[@LINE-1]]:5: warning: 'w_' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return x.matmul(w_); }
  Tensor w_;
};
struct StaleToImpl : nn::Module {
  explicit StaleToImpl(torch::Device d) {
    w_ = register_parameter("w", torch::randn({4, 4}));
    w_ = w_.to(d);
  // CHECK: :[[@LINE-1]]:5: warning: 'w_' no longer holds the tensor that is registered, and stays where it is when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return x.matmul(w_); }
  Tensor w_;
};
struct StaleGpuImpl : nn::Module {
  StaleGpuImpl() { w_ = register_parameter("w", torch::randn({4, 4})); }
  void gpu() { w_ = w_.to(torch::kCUDA); }
  // CHECK: :[[@LINE-1]]:16: warning: 'w_' no longer holds the tensor that is registered, and stays on cuda when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor x) { return x.matmul(w_); }
  Tensor w_;
};
struct StaleCatImpl : nn::Module {
  StaleCatImpl() {
    w_ = register_parameter("w", torch::randn({4, 4}));
    fc = register_module("fc", nn::Linear(4, 4));
  }
  void grow(int64_t n) { w_ = torch::cat({w_, torch::zeros({n, 4})}); }
  // CHECK: :[[@LINE-1]]:26: warning: 'w_' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor x) { return fc(x).matmul(w_.t()); }
  Tensor w_;
  nn::Linear fc{nullptr};
};
struct BufferImpl : nn::Module {
  BufferImpl() : x_(torch::ones({4})) {
    register_buffer("x", x_);
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor in) {
    x_ = x_ * 2;
  // CHECK: :[[@LINE-1]]:5: warning: 'x_' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
    return fc(in) + x_;
  }
  Tensor x_;
  nn::Linear fc{nullptr};
};
struct MeanImpl : nn::Module {
  MeanImpl() {
    mean_ = register_buffer("mean", torch::zeros({4}));
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    if (is_training())
      mean_ = 0.9 * mean_ + 0.1 * x.mean(0);
  // CHECK: :[[@LINE-1]]:7: warning: 'mean_' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
    return fc(x - mean_);
  }
  Tensor mean_;
  nn::Linear fc{nullptr};
};
// replaced child
struct HeadImpl : nn::Module {
  HeadImpl() : head_(4, 10) { register_module("head", head_); }
  void set_classes(int64_t n) { head_ = nn::Linear(4, n); }
  // CHECK: :[[@LINE-1]]:33: warning: 'head_' no longer holds the module that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor x) { return head_->forward(x); }
  nn::Linear head_;
};
// from outside
struct NetImpl : nn::Module {
  NetImpl() { fc = register_module("fc", nn::Linear(4, 10)); }
  Tensor forward(Tensor x) { return fc->forward(x); }
  nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);
Net transfer(int64_t n) {
  Net net;
  net->fc = nn::Linear(4, n);
  // CHECK: :[[@LINE-1]]:3: warning: 'fc' no longer holds the module that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  return net;
}
void tie(nn::Linear &l) {
  l->weight = torch::randn({4, 4});
  // CHECK: :[[@LINE-1]]:3: warning: 'weight' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  l->bias = l->bias.to(torch::kCUDA);
}
// late
struct LazyImpl : nn::Module {
  LazyImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!proj) {
      proj = register_module("proj", nn::Linear(x.size(1), 4));
  // CHECK: :[[@LINE-1]]:14: warning: 'nn::Linear(x.size(1), 4)' is registered when it is first needed and stays on cpu when the module is moved to another device [torch-unregistered-state]
    }
    return fc(x) + proj(x);
  }
  nn::Linear fc{nullptr}, proj{nullptr};
};
struct LazyBufImpl : nn::Module {
  LazyBufImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!mask.defined())
      mask = register_buffer("mask", torch::ones({x.size(0), 1}));
  // CHECK: :[[@LINE-1]]:14: warning: 'torch::ones({x.size(0), 1})' is registered when it is first needed and stays on cpu when the module is moved to another device [torch-unregistered-state]
    return fc(x) * mask;
  }
  nn::Linear fc{nullptr};
  Tensor mask;
};
struct CtorMoveImpl : nn::Module {
  explicit CtorMoveImpl(torch::Device d) {
    fc = register_module("fc", nn::Linear(4, 4));
    to(torch::kCUDA);
    head = register_module("head", nn::Linear(4, 4));
  // CHECK: :[[@LINE-1]]:12: warning: 'nn::Linear(4, 4)' is registered after the module moved and is on cpu, but the module is on cuda [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return head(fc(x)); }
  nn::Linear fc{nullptr}, head{nullptr};
};
void late(const Tensor &x) {
  Net net;
  net->to(torch::kCUDA);
  auto extra = net->register_module("extra", nn::Linear(4, 4));
  // CHECK: :[[@LINE-1]]:16: warning: 'nn::Linear(4, 4)' is registered after the module moved and is on cpu, but the module is on cuda [torch-unregistered-state]
  extra->forward(net->forward(x.to(torch::kCUDA)));
}
// reset makes it on the CPU
struct ResetImpl : nn::Module {
  ResetImpl() { gru = register_module("gru", nn::GRU(4, 4)); }
  void reset_state(int64_t b) { h_ = torch::zeros({1, b, 4}); }
  // CHECK: :[[@LINE-1]]:33: warning: 'h_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor x) {
    auto out = gru->forward(x, h_);
    h_ = std::get<1>(out).detach();
    return std::get<0>(out);
  }
  nn::GRU gru{nullptr};
  Tensor h_;
};
struct HiddenCtorImpl : nn::Module {
  HiddenCtorImpl() : h_(torch::zeros({1, 2, 4})) {
  // CHECK: :[[@LINE-1]]:22: warning: 'h_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    gru = register_module("gru", nn::GRU(4, 4));
  }
  Tensor forward(Tensor x) {
    auto [out, h] = gru->forward(x, h_);
    h_ = h.detach();
    return out;
  }
  nn::GRU gru{nullptr};
  Tensor h_;
};
// no state of its own, meets an input
struct NormImpl : nn::Module {
  Tensor forward(Tensor x) { return (x - mean_) / std_; }
  Tensor mean_ = torch::tensor({0.485, 0.456, 0.406}).view({3, 1, 1});
  // CHECK: :[[@LINE-1]]:10: warning: 'mean_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor std_ = torch::tensor({0.229, 0.224, 0.225}).view({3, 1, 1});
  // CHECK: :[[@LINE-1]]:10: warning: 'std_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
};
// index into a table left behind
struct TableImpl : nn::Module {
  TableImpl() { table_ = torch::rand({10, 4}); }
  // CHECK: :[[@LINE-1]]:17: warning: 'table_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor ids) { return table_.index_select(0, ids); }
  Tensor table_;
};
struct Table2Impl : nn::Module {
  Table2Impl() { table_ = torch::rand({10, 4}); }
  // CHECK: :[[@LINE-1]]:18: warning: 'table_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor ids) { return table_.index({ids}); }
  Tensor table_;
};
// argument of the constructor
struct ArgImpl : nn::Module {
  explicit ArgImpl(Tensor w) : w_(w) {
  // CHECK: :[[@LINE-1]]:32: warning: 'w_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return fc(x) * w_.view({1, 4}); }
  nn::Linear fc{nullptr};
  Tensor w_;
};
