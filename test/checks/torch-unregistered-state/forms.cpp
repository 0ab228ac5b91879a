//===- forms.cpp - torch-unregistered-state: other forms of classes ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Methods out of line, templates, bases, tuples, lists of structs, what operators
// a member meets.
//
// RUN: %check torch-unregistered-state %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>
using torch::Tensor;
namespace nn = torch::nn;
// separate decl/def of methods, class template, base with state
struct A1Impl : nn::Module {
  explicit A1Impl(int64_t n);
  Tensor forward(Tensor x);
  void build();
  nn::Linear fc{nullptr};
  Tensor bias_;
};
A1Impl::A1Impl(int64_t n) : fc(register_module("fc", nn::Linear(n, n))) {
  build();
}
void A1Impl::build() { bias_ = torch::zeros({4}); }
  // CHECK: :[[@LINE-1]]:24: warning: 'bias_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
Tensor A1Impl::forward(Tensor x) { return fc(x) + bias_; }

template <typename Act> struct TImpl : nn::Module {
  TImpl() : w(torch::ones({4})) {
  // CHECK: :[[@LINE-1]]:13: warning: 'w' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return act(fc(x)) * w; }
  Act act;
  nn::Linear fc{nullptr};
  Tensor w;
};
template struct TImpl<nn::ReLU>;

struct BaseB : nn::Module {
  BaseB() {
    scale = torch::full({4}, 2.0);
  // CHECK: :[[@LINE-1]]:5: warning: 'scale' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor scale;
  nn::Linear fc{nullptr};
};
struct D1Impl : BaseB {
  Tensor forward(Tensor x) { return fc(x) * scale; }
};
// Cloneable with reset
struct CImpl : nn::Cloneable<CImpl> {
  CImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", nn::Linear(4, 4));
    pe = torch::rand({4});
  // CHECK: :[[@LINE-1]]:5: warning: 'pe' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) + pe; }
  nn::Linear fc{nullptr};
  Tensor pe;
};
// static helper returns tables
static std::pair<Tensor, Tensor> freqs(int64_t n) {
  auto t = torch::arange(n).to(torch::kFloat32);
  return {t.cos(), t.sin()};
}
struct FImpl : nn::Module {
  FImpl(int64_t n) {
    fc = register_module("fc", nn::Linear(n, n));
    std::tie(cos_, sin_) = freqs(n);
  // CHECK: :[[@LINE-1]]:14: warning: 'cos_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  // CHECK: :[[@LINE-2]]:20: warning: 'sin_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    auto [c, s] = freqs(n);
    c_ = c;
  // CHECK: :[[@LINE-1]]:5: warning: 'c_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    return y * cos_ + y * sin_ + c_;
  }
  nn::Linear fc{nullptr};
  Tensor cos_, sin_, c_;
};
// mask by masked_fill
struct MImpl : nn::Module {
  MImpl(int64_t n) {
    q = register_module("q", nn::Linear(n, n));
    mask = torch::triu(torch::ones({n, n}), 1).to(torch::kBool);
  // CHECK: :[[@LINE-1]]:5: warning: 'mask' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    auto s = torch::matmul(q(x), x.transpose(-2, -1));
    return s.masked_fill(mask, -1e9);
  }
  nn::Linear q{nullptr};
  Tensor mask;
};
// conditional cache by early return
struct EImpl : nn::Module {
  EImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    ensure(x);
    return fc(x) * m;
  }
  void ensure(const Tensor &x) {
    if (m.defined() && m.size(0) >= x.size(0))
      return;
    m = torch::ones({x.size(0), 1}, x.device());
  // CHECK: :[[@LINE-1]]:5: warning: 'm' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
  }
  nn::Linear fc{nullptr};
  Tensor m;
};
// ternary
struct TeImpl : nn::Module {
  TeImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    m = m.defined() ? m : torch::ones({4}, x.options());
  // CHECK: :[[@LINE-1]]:5: warning: 'm' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    return fc(x) * m;
  }
  nn::Linear fc{nullptr};
  Tensor m;
};
// helper of another class method; lambda in forward uses member
struct LaImpl : nn::Module {
  LaImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    s = torch::ones({4});
  // CHECK: :[[@LINE-1]]:5: warning: 's' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    auto f = [this](Tensor t) { return t * s; };
    return f(fc(x));
  }
  nn::Linear fc{nullptr};
  Tensor s;
};
// functional with member weight
struct FuImpl : nn::Module {
  FuImpl() {
    w = torch::randn({4, 4});
  // CHECK: :[[@LINE-1]]:5: warning: 'w' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    b = torch::zeros({4});
  }
  Tensor forward(Tensor x) { return torch::nn::functional::linear(x, w, b); }
  Tensor w, b;
};
// where / cat / stack / einsum
struct WImpl : nn::Module {
  WImpl() {
    cls = torch::zeros({1, 1, 4});
  // CHECK: :[[@LINE-1]]:5: warning: 'cls' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    return fc(torch::cat({cls.expand({x.size(0), -1, -1}), x}, 1));
  }
  Tensor cls;
  nn::Linear fc{nullptr};
};
// list passed to stack
struct SImpl : nn::Module {
  SImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 3; ++i)
      ts.push_back(torch::ones({4}));
  // CHECK: :[[@LINE-1]]:7: warning: 'ts' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) + torch::stack(ts).sum(0, true); }
  nn::Linear fc{nullptr};
  std::vector<Tensor> ts;
};
// parameter-like leaf never registered
struct PImpl : nn::Module {
  PImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    alpha = torch::ones({4}, torch::requires_grad());
  // CHECK: :[[@LINE-1]]:5: warning: 'alpha' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) * alpha; }
  nn::Linear fc{nullptr};
  Tensor alpha;
};
// vector sized then filled
struct RImpl : nn::Module {
  RImpl() : ts(3) {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 3; ++i)
      ts[i] = torch::ones({4});
  // CHECK: :[[@LINE-1]]:7: warning: 'ts' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) + ts[0]; }
  nn::Linear fc{nullptr};
  std::vector<Tensor> ts;
};
// nested struct vector
struct Lvl {
  Tensor grid;
  int64_t stride;
};
struct NsImpl : nn::Module {
  NsImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i) {
      Lvl l;
      l.grid = torch::rand({4});
      lv.push_back(l);
  // CHECK: :[[@LINE-1]]:7: warning: 'lv' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    }
  }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    for (auto &l : lv)
      y = y + l.grid;
    return y;
  }
  nn::Linear fc{nullptr};
  std::vector<Lvl> lv;
};
// an initialiser that no constructor asked for yet
template <typename T> struct LazyDefault {
  T twice(T t) { return t + t; }
  int n = sizeof(T);
};
Tensor twice(LazyDefault<Tensor> &l, Tensor t) { return l.twice(t); }
