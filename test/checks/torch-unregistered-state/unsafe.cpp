//===- unsafe.cpp - torch-unregistered-state: what it reports ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-unregistered-state %s
//
//===----------------------------------------------------------------------===//

#include <array>
#include <map>
#include <torch/torch.h>
#include <unordered_map>
using torch::Tensor;
namespace nn = torch::nn;

// 1 ctor init list
struct InitListImpl : nn::Module {
  InitListImpl(int64_t n) : mask_(torch::ones({n, n})) {
  // CHECK: :[[@LINE-1]]:29: warning: 'mask_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc_ = register_module("fc", nn::Linear(n, n));
  }
  Tensor forward(Tensor x) { return fc_->forward(x) * mask_; }
  nn::Linear fc_{nullptr};
  Tensor mask_;
};
// 2 ctor body
struct BodyImpl : nn::Module {
  BodyImpl(int64_t n) {
    fc_ = register_module("fc", nn::Linear(n, n));
    auto pe = torch::zeros({n, n});
    pe.slice(1, 0, n, 2) =
        torch::sin(torch::arange(n).unsqueeze(1).to(torch::kFloat));
    pe_ = pe.unsqueeze(0);
  // CHECK: :[[@LINE-1]]:5: warning: 'pe_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(const Tensor &x) {
    return fc_->forward(x) + pe_.slice(1, 0, x.size(1));
  }
  nn::Linear fc_{nullptr};
  Tensor pe_;
};
// 3 helper called from ctor
class HelperImpl : public nn::Module {
public:
  HelperImpl(int64_t n) : fc_(register_module("fc", nn::Linear(n, n))) {
    build(n);
  }
  Tensor forward(const Tensor &x) { return fc_->forward(x).add(table_); }

private:
  void build(int64_t n) { table_ = torch::linspace(0, 1, n); }
  // CHECK: :[[@LINE-1]]:27: warning: 'table_' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  nn::Linear fc_;
  Tensor table_;
};
// 4 vector of tensors
struct VecImpl : nn::Module {
  VecImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 3; ++i)
      anchors.push_back(torch::rand({4}));
  // CHECK: :[[@LINE-1]]:7: warning: 'anchors' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    x = fc(x);
    for (size_t i = 0; i < anchors.size(); ++i)
      x = x + anchors[i];
    return x;
  }
  nn::Linear fc{nullptr};
  std::vector<Tensor> anchors;
};
struct Vec2Impl : nn::Module {
  Vec2Impl() {
    fc = register_module("fc", nn::Linear(4, 4));
    anchors = {torch::rand({4}), torch::rand({4})};
  // CHECK: :[[@LINE-1]]:5: warning: 'anchors' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    x = fc(x);
    for (const auto &a : anchors)
      x = x + a;
    return x;
  }
  nn::Linear fc{nullptr};
  std::vector<Tensor> anchors;
};
// 5 map of tensors, cached by size
struct MapImpl : nn::Module {
  MapImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    auto n = x.size(0);
    auto y = fc(x);
    if (cache.find(n) == cache.end())
      cache[n] = torch::ones({n, 1}, x.options());
  // CHECK: :[[@LINE-1]]:7: warning: 'cache' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    return y * cache[n];
  }
  nn::Linear fc{nullptr};
  std::map<int64_t, Tensor> cache;
};
struct Map2Impl : nn::Module {
  Map2Impl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor get(int64_t n, const Tensor &like) {
    auto it = cache.find(n);
    if (it != cache.end())
      return it->second;
    auto m = torch::ones({n, 1}, like.options());
    cache.emplace(n, m);
  // CHECK: :[[@LINE-1]]:5: warning: 'cache' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    return m;
  }
  Tensor forward(Tensor x) { return fc(x) * get(x.size(0), x); }
  nn::Linear fc{nullptr};
  std::unordered_map<int64_t, Tensor> cache;
};
// 6 array
struct ArrImpl : nn::Module {
  ArrImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 3; ++i)
      grids[i] = torch::rand({4});
  // CHECK: :[[@LINE-1]]:7: warning: 'grids' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) + grids[1]; }
  nn::Linear fc{nullptr};
  std::array<Tensor, 3> grids;
};
struct CArrImpl : nn::Module {
  CArrImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    grids[0] = torch::rand({4});
  // CHECK: :[[@LINE-1]]:5: warning: 'grids' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return fc(x) + grids[0]; }
  nn::Linear fc{nullptr};
  Tensor grids[3];
};
// 7 module kinds
struct HolderInitImpl : nn::Module {
  HolderInitImpl() : a(4, 4) { b = register_module("b", nn::Linear(4, 4)); }
  // CHECK: :[[@LINE-1]]:22: warning: 'a' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  Tensor forward(Tensor x) { return b(a(x)); }
  nn::Linear a, b{nullptr};
};
struct HolderBodyImpl : nn::Module {
  HolderBodyImpl() {
    b = register_module("b", nn::Linear(4, 4));
    a = nn::Linear(4, 4);
  // CHECK: :[[@LINE-1]]:5: warning: 'a' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return b->forward(a->forward(x)); }
  nn::Linear a{nullptr}, b{nullptr};
};
struct HolderMemberImpl : nn::Module {
  HolderMemberImpl() { b = register_module("b", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) { return b->forward(a->forward(x)); }
  nn::Linear a{4, 4};
  // CHECK: :[[@LINE-1]]:14: warning: 'a' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  nn::Linear b{nullptr};
};
struct SharedImpl : nn::Module {
  SharedImpl() {
    b = register_module("b", nn::Linear(4, 4));
    a = std::make_shared<nn::LinearImpl>(4, 4);
  // CHECK: :[[@LINE-1]]:5: warning: 'a' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return b->forward(a->forward(x)); }
  std::shared_ptr<nn::LinearImpl> a;
  nn::Linear b{nullptr};
};
struct UniqueImpl : nn::Module {
  UniqueImpl() : a(std::make_unique<nn::LinearImpl>(4, 4)) {
  // CHECK: :[[@LINE-1]]:18: warning: 'a' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    b = register_module("b", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return b->forward(a->forward(x)); }
  std::unique_ptr<nn::LinearImpl> a;
  nn::Linear b{nullptr};
};
struct BlockImpl : nn::Module {
  BlockImpl(int64_t n) { fc = register_module("fc", nn::Linear(n, n)); }
  Tensor forward(Tensor x) { return torch::relu(fc->forward(x)); }
  nn::Linear fc{nullptr};
};
TORCH_MODULE(Block);
struct OwnImpl : nn::Module {
  OwnImpl() {
    head = register_module("head", nn::Linear(4, 4));
    block = Block(4);
  // CHECK: :[[@LINE-1]]:5: warning: 'block' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) { return head(block(x)); }
  Block block{nullptr};
  nn::Linear head{nullptr};
};
struct OwnVecImpl : nn::Module {
  OwnVecImpl() {
    head = register_module("head", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i)
      blocks.emplace_back(Block(4));
  // CHECK: :[[@LINE-1]]:7: warning: 'blocks' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    for (auto &b : blocks)
      x = b->forward(x);
    return head(x);
  }
  std::vector<Block> blocks;
  nn::Linear head{nullptr};
};
struct EmplaceImpl : nn::Module {
  EmplaceImpl() {
    head = register_module("head", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i)
      blocks.emplace_back(4, 4);
  // CHECK: :[[@LINE-1]]:7: warning: 'blocks' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    for (size_t i = 0; i < blocks.size(); ++i)
      x = blocks[i]->forward(x);
    return head(x);
  }
  std::vector<nn::Linear> blocks;
  nn::Linear head{nullptr};
};
struct SharedVecImpl : nn::Module {
  SharedVecImpl() {
    head = register_module("head", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i)
      blocks.push_back(std::make_shared<BlockImpl>(4));
  // CHECK: :[[@LINE-1]]:7: warning: 'blocks' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    for (const auto &b : blocks)
      x = b->forward(x);
    return head(x);
  }
  std::vector<std::shared_ptr<BlockImpl>> blocks;
  nn::Linear head{nullptr};
};
struct ModuleListImpl : nn::Module {
  ModuleListImpl() {
    head = register_module("head", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i)
      layers->push_back(nn::Linear(4, 4));
  // CHECK: :[[@LINE-1]]:7: warning: 'layers' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    for (size_t i = 0; i < layers->size(); ++i)
      x = layers[i]->as<nn::Linear>()->forward(x);
    return head(x);
  }
  nn::ModuleList layers;
  nn::Linear head{nullptr};
};
struct SeqImpl : nn::Module {
  SeqImpl() : body(nn::Linear(4, 4), nn::ReLU()) {
  // CHECK: :[[@LINE-1]]:15: warning: 'body' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    head = register_module("head", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return head(body->forward(x)); }
  nn::Sequential body;
  nn::Linear head{nullptr};
};
struct MapModImpl : nn::Module {
  MapModImpl() {
    head = register_module("head", nn::Linear(4, 4));
    heads["a"] = nn::Linear(4, 4);
  // CHECK: :[[@LINE-1]]:5: warning: 'heads' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x, const std::string &k) {
    return heads.at(k)->forward(head(x));
  }
  std::map<std::string, nn::Linear> heads;
  nn::Linear head{nullptr};
};
// 8 struct members
struct Tables {
  Tensor cos, sin;
};
struct RopeImpl : nn::Module {
  RopeImpl(int64_t n) {
    fc = register_module("fc", nn::Linear(n, n));
    auto f = torch::arange(n).to(torch::kFloat);
    t.cos = f.cos();
  // CHECK: :[[@LINE-1]]:5: warning: 't' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    t.sin = f.sin();
  // CHECK: :[[@LINE-1]]:5: warning: 't' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
  }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    return y * t.cos + y * t.sin;
  }
  nn::Linear fc{nullptr};
  Tables t;
};
// 9 optional
struct OptImpl : nn::Module {
  OptImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!bias.has_value())
      bias = torch::zeros({4}, x.options());
  // CHECK: :[[@LINE-1]]:7: warning: 'bias' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    return fc(x) + *bias;
  }
  nn::Linear fc{nullptr};
  std::optional<Tensor> bias;
};
// 10 flag / length caches
struct FlagImpl : nn::Module {
  FlagImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!ready_) {
      pos_ = torch::arange(x.size(1), x.options());
  // CHECK: :[[@LINE-1]]:7: warning: 'pos_' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
      ready_ = true;
    }
    return fc(x) + pos_;
  }
  nn::Linear fc{nullptr};
  bool ready_ = false;
  Tensor pos_;
};
struct LenImpl : nn::Module {
  LenImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    const int64_t t = x.size(1);
    if (t > len_) {
      len_ = t;
      pos_ = torch::arange(t, torch::TensorOptions().device(x.device()));
  // CHECK: :[[@LINE-1]]:7: warning: 'pos_' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    }
    return fc(x) + pos_.slice(0, 0, t);
  }
  nn::Linear fc{nullptr};
  int64_t len_ = 0;
  Tensor pos_;
};
struct SavedImpl : nn::Module {
  SavedImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!first_.defined())
      first_ = x.detach().clone();
  // CHECK: :[[@LINE-1]]:7: warning: 'first_' is kept from its first use and stays there when the module is moved to another device [torch-unregistered-state]
    return fc(x) - first_;
  }
  nn::Linear fc{nullptr};
  Tensor first_;
};
// The first call reads what the constructor made.
struct SmoothedImpl : nn::Module {
  SmoothedImpl() : last(torch::zeros({4})) {
    // CHECK: :[[@LINE-1]]:20: warning: 'last' is not registered and stays on cpu when the module is moved to another device [torch-unregistered-state]
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(const Tensor &x) {
    auto y = fc->forward(x) + last;
    last = x.detach();
    return y;
  }
  nn::Linear fc{nullptr};
  Tensor last;
};
TORCH_MODULE(Smoothed);
