//===- safe.cpp - torch-unregistered-state: what follows -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Something in each of these shows that the member follows, or that it need not.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <functional>
#include <iostream>
#include <map>
#include <torch/torch.h>
using torch::Tensor;
namespace nn = torch::nn;
// to() override
struct ToImpl : nn::Module {
  ToImpl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  void to(torch::Device d, bool nb = false) override {
    nn::Module::to(d, nb);
    m_ = m_.to(d);
  }
  Tensor forward(Tensor x) { return fc(x) * m_; }
  nn::Linear fc{nullptr};
  Tensor m_;
};
// moveToDevice-like
struct MoveImpl : nn::Module {
  MoveImpl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i)
      ls.push_back(nn::Linear(4, 4));
  }
  void moveToDevice(torch::Device d) {
    this->to(d);
    m_ = m_.to(d);
    for (auto &l : ls)
      l->to(d);
  }
  Tensor forward(Tensor x) {
    x = fc(x) * m_;
    for (auto &l : ls)
      x = l(x);
    return x;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
  std::vector<nn::Linear> ls;
};
static void send(Tensor &t, torch::Device d) { t = t.to(d); }
struct Move2Impl : nn::Module {
  Move2Impl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  void place(torch::Device d) {
    to(d);
    send(m_, d);
  }
  Tensor forward(Tensor x) { return fc(x) * m_; }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Move3Impl : nn::Module {
  Move3Impl() : a_(torch::ones({4})), b_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  void place(torch::Device d) {
    to(d);
    for (Tensor *t : {&a_, &b_})
      *t = t->to(d);
  }
  Tensor forward(Tensor x) { return fc(x) * a_ + b_; }
  nn::Linear fc{nullptr};
  Tensor a_, b_;
};
// at use
struct UseImpl : nn::Module {
  UseImpl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    return y * m_.to(x.device()) + m_.to(x) + m_.type_as(x) +
           m_.to(x.options()) + m_.to(fc->weight.device());
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Use2Impl : nn::Module {
  Use2Impl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    m_ = m_.to(x.device());
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Use3Impl : nn::Module {
  Use3Impl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    if (m_.device() != x.device())
      m_ = m_.to(x.device());
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Use4Impl : nn::Module {
  Use4Impl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    TORCH_CHECK(x.device() == m_.device(), "x");
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Use5Impl : nn::Module {
  Use5Impl() : m_(torch::ones({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) {
    if (x.is_cuda())
      return fc(x) * m_.cuda();
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
// remade
struct RemadeImpl : nn::Module {
  RemadeImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    m_ = torch::ones({4});
  }
  Tensor forward(Tensor x) {
    m_ = torch::ones({4}, x.options());
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
// host use
struct HostImpl : nn::Module {
  HostImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    m_ = torch::ones({4});
    n_ = torch::tensor(3.0);
  }
  Tensor forward(Tensor x) {
    std::cout << m_ << m_.sizes();
    auto a = m_.accessor<float, 1>();
    return fc(x) * m_[0].item<float>() * a[1] * n_ + m_.size(0);
  }
  nn::Linear fc{nullptr};
  Tensor m_, n_;
};
// CPU index
struct IndexImpl : nn::Module {
  IndexImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    perm_ = torch::tensor({3, 2, 1, 0});
  }
  Tensor forward(Tensor x) {
    return fc(x).index({torch::indexing::Slice(), perm_});
  }
  nn::Linear fc{nullptr};
  Tensor perm_;
};
struct LengthsImpl : nn::Module {
  LengthsImpl() {
    gru = register_module("gru", nn::GRU(4, 4));
    len_ = torch::full({2}, 3, torch::kLong);
  }
  Tensor forward(Tensor x) {
    auto p = nn::utils::rnn::pack_padded_sequence(x, len_);
    return std::get<0>(nn::utils::rnn::pad_packed_sequence(
        std::get<0>(gru->forward_with_packed_input(p))));
  }
  nn::GRU gru{nullptr};
  Tensor len_;
};
// undefined
struct UndefImpl : nn::Module {
  UndefImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    auto y = fc(x);
    if (mask_.defined())
      y = y * mask_;
    if (bias_)
      y = y + *bias_;
    return y;
  }
  void set_mask(Tensor m) { mask_ = m; }
  nn::Linear fc{nullptr};
  Tensor mask_;
  std::optional<Tensor> bias_;
};
// no module
struct Plain {
  Tensor m = torch::ones({4});
  Tensor forward(Tensor x) { return x * m; }
};
// device constructor
struct DevImpl : nn::Module {
  DevImpl(torch::Device d) : d_(d), m_(torch::ones({4}, d)) {
    fc = register_module("fc", nn::Linear(4, 4));
    fc->to(d);
    k_ = torch::zeros({4}).to(d_);
    seq = nn::Linear(4, 4);
    seq->to(d);
  }
  Tensor forward(Tensor x) { return seq(fc(x) * m_ + k_); }
  torch::Device d_;
  nn::Linear fc{nullptr}, seq{nullptr};
  Tensor m_, k_;
};
struct Dev2Impl : nn::Module {
  Dev2Impl() {
    fc = register_module("fc", nn::Linear(4, 4));
    m_ = torch::ones({4});
  }
  Tensor forward(Tensor x) { return fc(x) * m_.to(dev_); }
  void set_device(torch::Device d) { dev_ = d; }
  torch::Device dev_ = torch::kCPU;
  nn::Linear fc{nullptr};
  Tensor m_;
};
// registration in other ways
struct LoopImpl : nn::Module {
  LoopImpl() {
    for (int i = 0; i < 3; ++i)
      ls.push_back(nn::Linear(4, 4));
    for (size_t i = 0; i < ls.size(); ++i)
      register_module("l" + std::to_string(i), ls[i]);
  }
  Tensor forward(Tensor x) {
    for (auto &l : ls)
      x = l(x);
    return x;
  }
  std::vector<nn::Linear> ls;
};
struct Loop2Impl : nn::Module {
  Loop2Impl() {
    int i = 0;
    for (int k = 0; k < 3; ++k)
      ls.push_back(nn::Linear(4, 4));
    for (auto &l : ls)
      register_module("l" + std::to_string(i++), l);
  }
  Tensor forward(Tensor x) {
    for (auto &l : ls)
      x = l(x);
    return x;
  }
  std::vector<nn::Linear> ls;
};
struct Loop3Impl : nn::Module {
  Loop3Impl() {
    for (int i = 0; i < 3; ++i) {
      nn::Linear l(4, 4);
      register_module("l" + std::to_string(i), l);
      ls.push_back(l);
    }
  }
  Tensor forward(Tensor x) {
    for (auto &l : ls)
      x = l(x);
    return x;
  }
  std::vector<nn::Linear> ls;
};
struct Loop4Impl : nn::Module {
  Loop4Impl() {
    for (int i = 0; i < 3; ++i) {
      auto l = std::make_shared<nn::LinearImpl>(4, 4);
      ls.push_back(l);
      register_module("l" + std::to_string(i), l);
    }
  }
  Tensor forward(Tensor x) {
    for (auto &l : ls)
      x = l->forward(x);
    return x;
  }
  std::vector<std::shared_ptr<nn::LinearImpl>> ls;
};
struct Loop5Impl : nn::Module {
  Loop5Impl() {
    for (int i = 0; i < 3; ++i) {
      ls.push_back(nn::Linear(4, 4));
      register_module("l" + std::to_string(i), ls.back());
      ls2[std::to_string(i)] = nn::Linear(4, 4);
    }
    for (auto &[k, m] : ls2)
      register_module("m" + k, m);
    for (auto &kv : ls2)
      register_module("n" + kv.first, kv.second);
  }
  Tensor forward(Tensor x) {
    for (auto &l : ls)
      x = l(x);
    for (auto &[k, m] : ls2)
      x = m(x);
    return x;
  }
  std::vector<nn::Linear> ls;
  std::map<std::string, nn::Linear> ls2;
};
struct AfterImpl : nn::Module {
  AfterImpl() {
    a = nn::Linear(4, 4);
    m = torch::ones({4});
    setup();
  }
  void setup() {
    register_module("a", a);
    register_buffer("m", m);
  }
  Tensor forward(Tensor x) { return a(x) * m; }
  nn::Linear a{nullptr};
  Tensor m;
};
struct BaseM : nn::Module {
  template <typename T> T add(const std::string &n, T m) {
    return register_module(n, m);
  }
  Tensor buf(const std::string &n, Tensor t) { return register_buffer(n, t); }
  void keep(const std::string &n, Tensor &t) { t = register_buffer(n, t); }
};
struct DerivedImpl : BaseM {
  DerivedImpl() {
    a = add("a", nn::Linear(4, 4));
    m = buf("m", torch::ones({4}));
    k = torch::zeros({4});
    keep("k", k);
    b = nn::Linear(4, 4);
    add("b", b);
  }
  Tensor forward(Tensor x) { return b(a(x)) * m + k; }
  nn::Linear a{nullptr}, b{nullptr};
  Tensor m, k;
};
struct LambdaImpl : nn::Module {
  LambdaImpl() {
    auto reg = [this](const std::string &n, Tensor t) {
      return register_buffer(n, t);
    };
    m = reg("m", torch::ones({4}));
    auto reg2 = [&](auto n, auto l) {
      register_module(n, l);
      return l;
    };
    a = reg2("a", nn::Linear(4, 4));
    std::function<void(const std::string &, nn::Linear)> f =
        [this](const std::string &n, nn::Linear l) { register_module(n, l); };
    b = nn::Linear(4, 4);
    f("b", b);
  }
  Tensor forward(Tensor x) { return b(a(x)) * m; }
  nn::Linear a{nullptr}, b{nullptr};
  Tensor m;
};
struct ListImpl : nn::Module {
  ListImpl() {
    c = nn::Linear(4, 4);
    layers = register_module("layers", nn::ModuleList());
    layers->push_back(nn::Linear(4, 4));
    layers->push_back(c);
    s = nn::Linear(4, 4);
    seq = register_module("seq", nn::Sequential(s, nn::ReLU()));
    d = nn::Linear(4, 4);
    nn::Sequential t;
    t->push_back(d);
    register_module("t", t);
  }
  Tensor forward(Tensor x) {
    return d(s(c(seq->forward(layers[0]->as<nn::Linear>()->forward(x)))));
  }
  nn::ModuleList layers;
  nn::Linear c{nullptr}, s{nullptr}, d{nullptr};
  nn::Sequential seq{nullptr};
};
void unknown_setup(nn::Module &m);
void unknown_reg(nn::Module &m, Tensor &t);
struct UnknownImpl : nn::Module {
  UnknownImpl() {
    a = nn::Linear(4, 4);
    m = torch::ones({4});
    unknown_setup(*this);
  }
  Tensor forward(Tensor x) { return a(x) * m; }
  nn::Linear a{nullptr};
  Tensor m;
};
// hidden state
struct HidImpl : nn::Module {
  HidImpl() { gru = register_module("gru", nn::GRU(4, 4)); }
  Tensor forward(Tensor x) {
    if (!h_.defined())
      h_ = torch::zeros({1, x.size(1), 4}, x.options());
    Tensor out;
    std::tie(out, h_) = gru->forward(x, h_);
    h_ = h_.detach();
    return out;
  }
  void reset() { h_ = Tensor(); }
  nn::GRU gru{nullptr};
  Tensor h_;
};
struct Hid2Impl : nn::Module {
  Hid2Impl() { cell = register_module("cell", nn::LSTMCell(4, 4)); }
  Tensor forward(Tensor x) {
    if (!h_.defined() || h_.size(0) != x.size(0)) {
      h_ = torch::zeros({x.size(0), 4}, x.options());
      c_ = torch::zeros_like(h_);
    }
    auto r = cell->forward(x, std::make_tuple(h_, c_));
    h_ = std::get<0>(r).detach();
    c_ = std::get<1>(r).detach();
    return h_;
  }
  nn::LSTMCell cell{nullptr};
  Tensor h_, c_;
};
// running statistics
struct RunImpl : nn::Module {
  RunImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    mean_ = register_buffer("mean", torch::zeros({4}));
  }
  Tensor forward(Tensor x) {
    {
      torch::NoGradGuard g;
      mean_.mul_(0.9).add_(x.mean(0), 0.1);
      mean_.copy_(mean_ * 0.9 + x.mean(0) * 0.1);
    }
    count_ += x.size(0);
    loss_ = loss_.defined() ? 0.9 * loss_ + 0.1 * x.mean().detach()
                            : x.mean().detach();
    if (is_training()) {
      auto m = x.detach().mean(0);
      var_ = var_.defined() ? var_ * 0.9 + m * 0.1 : m;
    }
    return fc(x - mean_);
  }
  nn::Linear fc{nullptr};
  Tensor mean_, loss_, var_;
  int64_t count_ = 0;
};
// other library's type
namespace lib {
struct Box {
  Tensor t;
  Tensor apply(Tensor x);
};
} // namespace lib
struct LibImpl : nn::Module {
  LibImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) { return box.apply(fc(x)); }
  lib::Box box;
  nn::Linear fc{nullptr};
};
// weight tying, copies, set_data
struct TieImpl : nn::Module {
  TieImpl() {
    e = register_module("e", nn::Embedding(4, 4));
    d = register_module("d", nn::Linear(4, 4));
    d->weight = e->weight;
    d->bias = Tensor();
  }
  Tensor forward(Tensor x) { return d(e(x)); }
  nn::Embedding e{nullptr};
  nn::Linear d{nullptr};
};
void init(nn::Linear &l, Tensor w) {
  torch::NoGradGuard g;
  l->weight.copy_(torch::randn({4, 4}));
  l->weight.set_data(torch::randn({4, 4}));
  l->weight.data() = torch::ones({4, 4});
  l->weight = l->register_parameter("weight", torch::randn({4, 4}));
  l->weight = w;
  l->weight.requires_grad_(false);
  nn::init::xavier_uniform_(l->weight);
}
// replaced properly
struct ReplImpl : nn::Module {
  ReplImpl() : head_(4, 10) { register_module("head", head_); }
  void set_classes(int64_t n) {
    head_ = replace_module("head", nn::Linear(4, n));
  }
  void set_classes2(int64_t n) {
    head_ = nn::Linear(4, n);
    replace_module("head", head_);
  }
  void set3(int64_t n) {
    unregister_module("head");
    head_ = register_module("head", nn::Linear(4, n));
  }
  Tensor forward(Tensor x) { return head_->forward(x); }
  nn::Linear head_;
};
// device-keyed caches
struct KeyImpl : nn::Module {
  KeyImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!m_.defined() || dev_ != x.device()) {
      m_ = torch::ones({4}, x.options());
      dev_ = x.device();
    }
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
  torch::Device dev_{torch::kCPU};
};
struct Key2Impl : nn::Module {
  Key2Impl() { fc = register_module("fc", nn::Linear(4, 4)); }
  bool stale(const Tensor &x) const {
    return !m_.defined() || m_.size(0) < x.size(0) || m_.device() != x.device();
  }
  Tensor forward(Tensor x) {
    if (stale(x))
      m_ = torch::ones({4}, x.options());
    return fc(x) * m_;
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
struct Key3Impl : nn::Module {
  Key3Impl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    auto key = std::to_string(x.size(0)) + x.device().str();
    auto it = c_.find(key);
    if (it == c_.end())
      it = c_.emplace(key, torch::ones({4}, x.options())).first;
    return fc(x) * it->second;
  }
  nn::Linear fc{nullptr};
  std::map<std::string, Tensor> c_;
};
struct Key4Impl : nn::Module {
  Key4Impl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!m_.defined())
      m_ = torch::ones({4});
    return fc(x) * m_.to(x.device());
  }
  nn::Linear fc{nullptr};
  Tensor m_;
};
// normalise on the host
struct PreImpl : nn::Module {
  PreImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    mean_ = torch::ones({4});
  }
  Tensor forward(Tensor img) {
    auto x = (img - mean_).div(2);
    x = x.to(fc->weight.device());
    return fc(x);
  }
  Tensor after(Tensor x) {
    auto y = fc(x).cpu();
    return y * mean_;
  }
  nn::Linear fc{nullptr};
  Tensor mean_;
};
// protocol: encode then decode
struct EncImpl : nn::Module {
  EncImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  void encode(Tensor x) { mem_ = fc(x); }
  Tensor decode(Tensor y) { return fc(y) + mem_; }
  Tensor forward(Tensor x) {
    if (save_)
      saved_ = x;
    return fc(x);
  }
  Tensor backward(Tensor g) { return g * saved_; }
  nn::Linear fc{nullptr};
  Tensor mem_, saved_;
  bool save_ = true;
};
// no parameters
struct ActImpl : nn::Module {
  ActImpl() {
    act = nn::ReLU();
    drop = nn::Dropout(0.5);
    loss = nn::CrossEntropyLoss();
    fc = register_module("fc", nn::Linear(4, 4));
    pool = nn::AvgPool2d(2);
    flat = nn::Flatten();
    soft = nn::Softmax(1);
    seq = nn::Sequential(nn::ReLU(), nn::Tanh());
  }
  Tensor forward(Tensor x, Tensor t) {
    return loss(seq->forward(soft(flat(pool(drop(act(fc(x))))))), t);
  }
  nn::ReLU act{nullptr};
  nn::Dropout drop{nullptr};
  nn::CrossEntropyLoss loss{nullptr};
  nn::Linear fc{nullptr};
  nn::AvgPool2d pool{nullptr};
  nn::Flatten flat{nullptr};
  nn::Softmax soft{nullptr};
  nn::Sequential seq{nullptr};
};
// late but moved
struct Late1Impl : nn::Module {
  Late1Impl() { fc = register_module("fc", nn::Linear(4, 4)); }
  Tensor forward(Tensor x) {
    if (!p) {
      p = register_module("p", nn::Linear(4, 4));
      p->to(x.device());
    }
    if (!m.defined())
      m = register_buffer("m", torch::ones({4}, x.options()));
    return p(fc(x)) * m;
  }
  nn::Linear fc{nullptr}, p{nullptr};
  Tensor m;
};
struct CtorToImpl : nn::Module {
  CtorToImpl(torch::Device d) {
    fc = register_module("fc", nn::Linear(4, 4));
    to(d);
    p = register_module("p", nn::Linear(4, 4));
    to(d);
  }
  Tensor forward(Tensor x) { return p(fc(x)); }
  nn::Linear fc{nullptr}, p{nullptr};
};
// passes a plain handle on
struct OtherImpl : nn::Module {
  OtherImpl(nn::Linear shared) : shared_(shared) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(Tensor x) { return shared_(fc(x)); }
  nn::Linear shared_;
  nn::Linear fc{nullptr};
};
// data in a list that is copied to the device at once
struct StackImpl : nn::Module {
  StackImpl() {
    fc = register_module("fc", nn::Linear(4, 4));
    for (int i = 0; i < 3; ++i)
      ts_.push_back(torch::ones({4}));
  }
  Tensor forward(Tensor x) {
    auto t = torch::stack(ts_).to(x.device());
    return fc(x) + t.sum(0);
  }
  nn::Linear fc{nullptr};
  std::vector<Tensor> ts_;
};
// replay buffer
struct BufImpl : nn::Module {
  BufImpl() { fc = register_module("fc", nn::Linear(4, 4)); }
  void remember(Tensor x, Tensor r) {
    xs_.push_back(x.cpu());
    rs_.push_back(r);
  }
  Tensor learn() {
    auto x = torch::stack(xs_).to(fc->weight.device());
    return fc(x).mean();
  }
  nn::Linear fc{nullptr};
  std::vector<Tensor> xs_, rs_;
};
// a container of modules that are registered one by one
struct PiecesImpl : nn::Module {
  PiecesImpl() {
    seq = nn::Sequential(register_module("a", nn::Linear(4, 4)),
                         register_module("b", nn::ReLU()));
    seq2 = nn::Sequential(nn::Linear(register_module("c", nn::Linear(4, 4))));
  }
  Tensor forward(Tensor x) { return seq2->forward(seq->forward(x)); }
  nn::Sequential seq{nullptr}, seq2{nullptr};
};
// What forward() gives a member, a later call reads.
struct PolicyImpl : nn::Module {
  PolicyImpl() : mean(torch::zeros({4})) {
    fc = register_module("fc", nn::Linear(4, 4));
  }
  Tensor forward(const Tensor &x) {
    mean = torch::tanh(fc->forward(x));
    return mean;
  }
  Tensor logProb(const Tensor &action) {
    return -(action - mean) * (action - mean);
  }
  nn::Linear fc{nullptr};
  Tensor mean;
};
TORCH_MODULE(Policy);

// Its own to() moves what replaced a registered tensor.
struct OwnMove : torch::nn::Module {
  OwnMove() { mask = register_buffer("mask", torch::ones({3})); }
  void reset() { mask = torch::zeros({3}); }
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    mask = mask.to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};
