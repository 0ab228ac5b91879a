//===- aliases.cpp - Tensors and modules that change by another name -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of this is right, and reported by an analysis that takes a name for the
// only one.
//
// The line that replaces a buffer is a fault of its own, which
// torch-unregistered-state reports.
//
// RUN: %check 'torch-cross-*,torch-discarded-*' %s
// RUN: %check torch-unregistered-state %s --check-prefix=STATE
//
//===----------------------------------------------------------------------===//

#include <any>
#include <future>
#include <thread>
#include <torch/script.h>
#include <torch/torch.h>
#include <variant>

using torch::kCPU;
using torch::kCUDA;
using torch::Tensor;
namespace nn = torch::nn;

Tensor gpu() { return torch::ones({2, 3}, kCUDA); }
Tensor cpu() { return torch::zeros({2, 3}); }

// Add() keeps the module in all_ and cur_; place() moves all.
namespace alias_add_place {
struct Mgr {
  std::vector<std::shared_ptr<nn::LinearImpl>> all_;
  std::shared_ptr<nn::LinearImpl> cur_;
  void add(std::shared_ptr<nn::LinearImpl> x) {
    all_.push_back(x);
    cur_ = x;
  }
  void place() {
    for (auto &n : all_)
      n->to(kCUDA);
  }
  Tensor p() {
    add(std::make_shared<nn::LinearImpl>(3, 3));
    place();
    return cur_->forward(gpu());
  }
};
} // namespace alias_add_place

// AnyModule holds a's module.
namespace alias_anymodule {
Tensor f() {
  nn::Linear a(3, 3);
  nn::AnyModule any(a);
  any.ptr()->to(kCUDA);
  return a(gpu());
}
} // namespace alias_anymodule

// Holders in the array share their module with a.
namespace alias_array {
Tensor f() {
  nn::Linear a(3, 3), b(3, 3);
  std::array<nn::Linear, 2> n = {a, b};
  for (auto &m : n)
    m->to(kCUDA);
  return a(gpu());
}
} // namespace alias_array

// Both networks are moved in a loop over their pointers.
namespace alias_initlist {
Tensor f() {
  nn::Linear g(3, 3), d(3, 3);
  for (nn::Module *m : std::initializer_list<nn::Module *>{g.get(), d.get()})
    m->to(kCUDA);
  return d(g(gpu()));
}
} // namespace alias_initlist

// The loop over next moves all nodes, the first and the second.
namespace alias_list_walk {
struct Node {
  Tensor t;
  std::shared_ptr<Node> next;
};
Tensor f() {
  auto h = std::make_shared<Node>();
  h->t = cpu();
  h->next = std::make_shared<Node>();
  h->next->t = cpu();
  for (auto n = h; n; n = n->next)
    n->t = n->t.cuda();
  return h->next->t + gpu();
}
} // namespace alias_list_walk

// The map's element is net itself.
namespace alias_map {
Tensor f() {
  auto net = std::make_shared<nn::LinearImpl>(3, 3);
  std::map<std::string, std::shared_ptr<nn::LinearImpl>> registry;
  registry["a"] = net;
  for (auto &[name, m] : registry)
    m->to(kCUDA);
  return net->forward(gpu());
}
} // namespace alias_map

// Cur_ is one of all_ (the manager's current network).
namespace alias_member_list {
struct Mgr {
  std::vector<nn::Linear> all_;
  nn::Linear cur_{nullptr};
  Tensor f() {
    cur_->to(kCPU);
    for (auto &n : all_)
      n->to(kCUDA);
    return cur_(gpu());
  }
};
} // namespace alias_member_list

// Cur_ is one of by_.
namespace alias_member_map {
struct Mgr {
  std::map<int, std::shared_ptr<nn::LinearImpl>> by_;
  std::shared_ptr<nn::LinearImpl> cur_;
  int i;
  Tensor g() {
    cur_->to(kCPU);
    by_.at(i)->to(kCUDA);
    return cur_->forward(gpu());
  }
};
} // namespace alias_member_map

// S_ is one of all_.
namespace alias_member_struct {
struct S {
  Tensor a;
};
struct Mgr {
  std::vector<std::shared_ptr<S>> all_;
  std::shared_ptr<S> s_;
  Tensor k() {
    s_->a = cpu();
    for (auto &x : all_)
      x->a = gpu();
    return s_->a + gpu();
  }
};
} // namespace alias_member_struct

// The optional's holder shares a's module: moved to cuda and back.
namespace alias_optional {
Tensor f() {
  nn::Linear a(3, 3);
  std::optional<nn::Linear> o = a;
  (*o)->to(kCUDA);
  o.value()->to(kCPU);
  return a(cpu());
}
} // namespace alias_optional

// User's smart wrapper: its operator* gives p's object.
namespace alias_own_class {
struct S {
  Tensor a;
};
struct Wrap {
  S *p;
  S &operator*() { return *p; }
};
Tensor f() {
  auto p = std::make_shared<S>();
  p->a = cpu();
  Wrap w{p.get()};
  (*w).a = gpu();
  return p->a + gpu();
}
} // namespace alias_own_class

// Cur is one of all.
namespace alias_parameter_list {
Tensor f(nn::Linear cur, std::vector<nn::Linear> &all) {
  cur->to(kCPU);
  for (auto &n : all)
    n->to(kCUDA);
  return cur(gpu());
}
} // namespace alias_parameter_list

// P is one of the list's elements, and not a module.
namespace alias_struct_loop {
struct S {
  Tensor a;
};
Tensor f() {
  auto p = std::make_shared<S>(), q = std::make_shared<S>();
  p->a = cpu();
  for (auto &x : {p, q})
    x->a = gpu();
  return p->a + gpu();
}
} // namespace alias_struct_loop

// The map's element is p, and not a module.
namespace alias_struct_map {
struct S {
  Tensor a;
};
Tensor f() {
  auto p = std::make_shared<S>();
  p->a = cpu();
  std::map<int, std::shared_ptr<S>> m;
  m[0] = p;
  m[0]->a = gpu();
  return p->a + gpu();
}
} // namespace alias_struct_map

// The tuple's pointer is p.
namespace alias_tuple {
Tensor f() {
  auto p = std::make_shared<nn::LinearImpl>(3, 3);
  auto t = std::make_pair(p, 1);
  t.first->to(kCUDA);
  return p->forward(gpu());
}
} // namespace alias_tuple

// The variant's holder shares a's module.
namespace alias_variant {
Tensor f() {
  nn::Linear a(3, 3);
  std::variant<int, nn::Linear> v = a;
  std::get<nn::Linear>(v)->to(kCUDA);
  return a(gpu());
}
} // namespace alias_variant

// Holders in the vector share their module with a; moved by an iterator.
namespace alias_vector_iterator {
Tensor f() {
  nn::Linear a(3, 3), b(3, 3);
  std::vector<nn::Linear> n;
  n.push_back(a);
  n.push_back(b);
  for (auto it = n.begin(); it != n.end(); ++it)
    (*it)->to(kCUDA);
  return a(gpu());
}
} // namespace alias_vector_iterator

// GAN: both networks are moved in a loop over their base pointers.
namespace alias_vector_loop {
Tensor f() {
  nn::Linear g(3, 3), d(3, 3);
  std::vector<std::shared_ptr<nn::Module>> all{g.ptr(), d.ptr()};
  for (auto &m : all)
    m->to(kCUDA);
  return d(g(gpu()));
}
} // namespace alias_vector_loop

// W.lock() is p.
namespace alias_weak {
struct S {
  Tensor a;
};
Tensor f() {
  auto p = std::make_shared<S>();
  p->a = cpu();
  std::weak_ptr<S> w = p;
  w.lock()->a = gpu();
  return p->a + gpu();
}
} // namespace alias_weak

// Any_cast gives a holder of a's module.
namespace any {
Tensor f() {
  nn::Linear a(3, 3);
  std::any v = a;
  std::any_cast<nn::Linear>(v)->to(kCUDA);
  return a(gpu());
}
} // namespace any

// Operator>> loads the module from an archive on cuda.
namespace archive {
Tensor f(std::string p) {
  nn::Linear l(3, 3);
  torch::serialize::InputArchive a;
  a.load_from(p, torch::Device(kCUDA));
  a >> l;
  return l(gpu());
}
} // namespace archive

// The member is another tensor now, and no longer the buffer.
namespace buffer_assigned {
Tensor f() {
  nn::BatchNorm1d b(3);
  b->to(kCUDA);
  b->running_mean = torch::zeros({3});
  // STATE: :[[@LINE-1]]:3: warning: 'running_mean' no longer holds the tensor that is registered, and stays on cpu when the module is moved to another device [torch-unregistered-state]
  return b->running_mean + torch::ones({3});
}
} // namespace buffer_assigned

// The callee moves both members through pointers (the usual to(device) of a
// struct).
namespace callee_pointer_loop {
struct S {
  Tensor a = cpu(), b = cpu();
  void toGpu() {
    for (auto *t : {&a, &b})
      *t = t->cuda();
  }
};
Tensor f() {
  S s;
  s.toGpu();
  return s.a + gpu();
}
} // namespace callee_pointer_loop

// The callee assigns through a pointer to its reference parameter.
namespace callee_pointer {
void toGpu(Tensor &t) {
  Tensor *p = &t;
  *p = p->cuda();
}
Tensor f() {
  Tensor a = cpu();
  toGpu(a);
  return a + gpu();
}
} // namespace callee_pointer

// The method moves every element of its own list through auto&.
namespace callee_rangefor_method {
struct S {
  std::vector<Tensor> v{cpu(), cpu()};
  void toGpu() {
    for (auto &t : v)
      t = t.cuda();
  }
};
Tensor f() {
  S s;
  s.toGpu();
  return s.v[0] + gpu();
}
} // namespace callee_rangefor_method

// The callee moves every element of the caller's list through auto&.
namespace callee_rangefor {
void toGpu(std::vector<Tensor> &v) {
  for (auto &t : v)
    t = t.cuda();
}
Tensor f() {
  std::vector<Tensor> v{cpu(), cpu()};
  toGpu(v);
  return v[0] + gpu();
}
} // namespace callee_rangefor

// The callee moves through reference_wrappers.
namespace callee_refwrapper {
struct S {
  Tensor a = cpu(), b = cpu();
  void toGpu() {
    std::vector<std::reference_wrapper<Tensor>> r{a, b};
    for (Tensor &t : r)
      t = t.cuda();
  }
};
Tensor f() {
  S s;
  s.toGpu();
  return s.a + gpu();
}
} // namespace callee_refwrapper

// A thread that the callee starts and joins moves the caller's tensor.
namespace callee_thread {
void toGpu(Tensor &t) {
  std::thread w([&t] { t = t.cuda(); });
  w.join();
}
Tensor f() {
  Tensor a = cpu();
  toGpu(a);
  return a + gpu();
}
} // namespace callee_thread

// A visitor template moves all the tensors of a struct's list.
namespace callee_visitor {
struct S {
  std::vector<Tensor> v{cpu()};
  template <class F> void visit(F &&f) {
    for (auto &t : v)
      f(t);
  }
};
Tensor f() {
  S s;
  s.visit([](Tensor &t) { t = t.cuda(); });
  return s.v[0] + gpu();
}
} // namespace callee_visitor

// The whole net is moved, then the embedding alone goes back: the head is on
// cuda.
namespace child_back_to_cpu {
struct Net : nn::Module {
  Net()
      : emb(register_module("emb", nn::Linear(3, 3))),
        head(register_module("head", nn::Linear(3, 3))) {}
  nn::Linear emb, head;
};
Tensor f() {
  Net n;
  n.to(kCUDA);
  n.emb->to(kCPU);
  return n.head(gpu());
}
} // namespace child_back_to_cpu

// Only b is moved in the constructor; a is on the CPU.
namespace child_to_in_ctor {
struct Net : nn::Module {
  nn::Linear a{nullptr}, b{nullptr};
  Net() {
    a = register_module("a", nn::Linear(3, 3));
    b = register_module("b", nn::Linear(3, 3));
    b->to(kCUDA);
  }
  Tensor forward(Tensor x) { return b(a(x).cuda()); }
};
Tensor f() {
  Net p;
  return p.forward(cpu());
}
} // namespace child_to_in_ctor

// Each child is placed on its own in a method.
namespace child_to_in_method {
struct Split : nn::Module {
  nn::Linear lo{register_module("lo", nn::Linear(3, 3))},
      hi{register_module("hi", nn::Linear(3, 3))};
  Tensor forward(Tensor x) {
    lo->to(kCPU);
    hi->to(kCUDA);
    return hi(lo(x.cpu()).cuda());
  }
};
} // namespace child_to_in_method

// Only the head is moved; the embedding stays on the CPU.
namespace child_to {
struct NetImpl : nn::Module {
  NetImpl()
      : emb(register_module("emb", nn::Embedding(10, 3))),
        head(register_module("head", nn::Linear(3, 3))) {}
  nn::Embedding emb;
  nn::Linear head;
};
TORCH_MODULE(Net);
Tensor f() {
  Net n;
  n->head->to(kCUDA);
  return n->emb(torch::zeros({4}, torch::kLong));
}
} // namespace child_to

// Each child is moved.
namespace children_to {
Tensor f() {
  nn::Sequential s(nn::Linear(3, 3), nn::Linear(3, 3));
  for (auto &m : s->children())
    m->to(kCUDA);
  return s->forward(gpu());
}
} // namespace children_to

// G0() const ends in go() const, deeper than calls are followed, which changes
// *s.
namespace const_method_deep {
struct S {
  Tensor a;
};
struct W {
  std::shared_ptr<S> s;
  void go() const { s->a = gpu(); }
  void g4() const { go(); }
  void g3() const { g4(); }
  void g2() const { g3(); }
  void g1() const { g2(); }
  void g0() const { g1(); }
};
Tensor f() {
  W w{std::make_shared<S>()};
  w.s->a = cpu();
  w.g0();
  return w.s->a + gpu();
}
} // namespace const_method_deep

// The copy constructor clones the module: a's module stays where it is.
namespace copy_constructor_deep {
struct Agent {
  nn::Linear net;
  Agent() : net(3, 3) {}
  Agent(const Agent &o)
      : net(std::dynamic_pointer_cast<nn::LinearImpl>(o.net->clone())) {}
};
Tensor f() {
  Agent a;
  Agent b = a;
  b.net->to(kCUDA);
  return a.net(cpu());
}
} // namespace copy_constructor_deep

// Extern copy constructor: nothing is known of b.
namespace copy_constructor_extern {
struct Cp {
  Tensor a = cpu();
  Cp();
  Cp(const Cp &o);
};
Tensor f(Cp &a) {
  a.a = cpu();
  Cp b = a;
  return b.a + gpu();
}
} // namespace copy_constructor_extern

// The copy constructor moves a.
namespace copy_constructor {
struct Cp {
  Tensor a = cpu();
  Cp() = default;
  Cp(const Cp &o) : a(o.a.cuda()) {}
};
Tensor f() {
  Cp a;
  Cp b = a;
  return b.a + gpu();
}
} // namespace copy_constructor

// The parameter is a copy, made by the copy constructor.
namespace copy_parameter {
struct Cp {
  Tensor a = cpu();
  Cp() = default;
  Cp(const Cp &o) : a(o.a.cuda()) {}
};
Tensor run(Cp x) { return x.a + gpu(); }
Tensor f() {
  Cp a;
  return run(a);
}
} // namespace copy_parameter

// Self() is *this.
namespace crtp {
template <class D> struct Movable {
  D &self() { return static_cast<D &>(*this); }
  void up() { self().w = self().w.cuda(); }
};
struct S : Movable<S> {
  Tensor w = cpu();
};
Tensor f() {
  S s;
  s.up();
  return s.w + gpu();
}
} // namespace crtp

// The constructor's callback, called by fire(), moves w.
namespace ctor_callback {
struct Ev {
  std::function<void(torch::Device)> on;
  void fire(torch::Device d) {
    if (on)
      on(d);
  }
};
struct Own {
  Ev ev;
  Tensor w = cpu();
  Own() {
    ev.on = [this](torch::Device d) { w = w.to(d); };
  }
};
Tensor f() {
  Own o;
  o.ev.fire(kCUDA);
  return o.w + gpu();
}
} // namespace ctor_callback

// The dataset overrides get_batch, which moves what get made.
namespace dataset_get_batch {
struct Ds : torch::data::Dataset<Ds> {
  torch::data::Example<> get(size_t) override {
    return {torch::zeros({3}), torch::zeros({1})};
  }
  std::vector<torch::data::Example<>>
  get_batch(torch::ArrayRef<size_t> idx) override {
    std::vector<torch::data::Example<>> v;
    for (auto i : idx) {
      auto e = get(i);
      e.data = e.data.cuda();
      v.push_back(e);
    }
    return v;
  }
  torch::optional<size_t> size() const override { return 100; }
};
void f() {
  nn::Linear l(3, 1);
  l->to(kCUDA);
  auto dl = torch::data::make_data_loader(
      Ds().map(torch::data::transforms::Stack<>()), 8);
  for (auto &b : *dl)
    l(b.data);
}
} // namespace dataset_get_batch

// The scope's destructor moves the module back to the CPU.
namespace dtor_scope_module {
struct Scope {
  nn::Linear n;
  Scope(nn::Linear p) : n(p) { n->to(kCUDA); }
  ~Scope() { n->to(kCPU); }
};
Tensor f() {
  nn::Linear p(3, 3);
  {
    Scope k(p);
    auto y = p(gpu());
  }
  return p(cpu());
}
} // namespace dtor_scope_module

// The scope's destructor moves s->a back to the CPU.
namespace dtor_scope {
struct S {
  Tensor a;
};
struct Scope {
  std::shared_ptr<S> s;
  Scope(std::shared_ptr<S> p) : s(p) { s->a = s->a.cuda(); }
  ~Scope() { s->a = s->a.cpu(); }
};
Tensor f() {
  auto p = std::make_shared<S>();
  p->a = cpu();
  {
    Scope k(p);
    auto y = p->a + gpu();
  }
  return p->a + cpu();
}
} // namespace dtor_scope

// Init(), in another file, may move the global's module.
namespace global_module {
nn::Linear g_l(3, 3);
void init();
Tensor f() {
  g_l->to(kCPU);
  init();
  return g_l(gpu());
}
} // namespace global_module

// L2() moves both networks in a loop over base pointers.
namespace inv_base_loop_method {
class D {
public:
  D() {}
  void l2() {
    std::vector<std::shared_ptr<nn::Module>> v{l_.ptr(), m_.ptr()};
    for (auto &x : v)
      x->to(kCUDA);
  }
  Tensor f() { return l_(gpu()); }

private:
  nn::Linear l_{3, 3}, m_{3, 3};
};
} // namespace inv_base_loop_method

// L2() moves the children.
namespace inv_children_method {
class C {
public:
  C() {}
  void l2(torch::Device d) {
    for (auto &m : l_->children())
      m->to(d);
  }
  Tensor f() { return l_->forward(gpu()); }

private:
  nn::Sequential l_{nn::Linear(3, 3)};
};
} // namespace inv_children_method

// Prep() is const, in another file, and moves what impl_ points to.
namespace inv_const_extern {
struct Impl {
  nn::Linear l{3, 3};
};
class E {
public:
  void prep() const;
  Tensor run() {
    impl_ = std::make_shared<Impl>();
    prep();
    return impl_->l(gpu());
  }

private:
  std::shared_ptr<Impl> impl_;
};
} // namespace inv_const_extern

// The constructor puts the module into a registry, whose modules are moved.
namespace inv_global_registry {
std::vector<std::shared_ptr<nn::Module>> &registry() {
  static std::vector<std::shared_ptr<nn::Module>> r;
  return r;
}
class B {
public:
  B() : l_(3, 3) { registry().push_back(l_.ptr()); }
  Tensor f() { return l_(gpu()); }

private:
  nn::Linear l_;
};
Tensor f() {
  B b;
  for (auto &m : registry())
    m->to(kCUDA);
  return b.f();
}
} // namespace inv_global_registry

// State() hands out the nested struct by reference: anybody may assign its
// members.
namespace inv_nested_ref {
class B {
  struct State {
    Tensor w = cpu();
  };

public:
  B() {}
  State &state() { return s_; }
  Tensor f() { return s_.w * gpu(); }

private:
  State s_;
};
Tensor f() {
  B b;
  b.state().w = gpu();
  return b.f();
}
} // namespace inv_nested_ref

// The public to() moves both members through pointers, and d_ follows.
namespace inv_ptr_loop_callee {
class Ag {
public:
  Ag() { w_ = cpu(); }
  void to(torch::Device d) {
    d_ = d;
    for (auto *t : {&w_, &v_})
      *t = t->to(d);
  }
  Tensor f() { return d_.is_cuda() ? w_ + gpu() : w_ + cpu(); }

private:
  torch::Device d_ = kCPU;
  Tensor w_, v_ = cpu();
};
Tensor f() {
  Ag a;
  a.to(kCUDA);
  return a.f();
}
} // namespace inv_ptr_loop_callee

// Reg() keeps a pointer to a, and to() assigns through it.
namespace inv_ptr_registersed {
class Q {
public:
  Q() : a(cpu()) { reg(a); }
  void reg(Tensor &t) { all.push_back(&t); }
  void to(torch::Device d) {
    for (auto *t : all)
      *t = t->to(d);
  }
  Tensor g() { return a + gpu(); }

private:
  Tensor a;
  std::vector<Tensor *> all;
};
} // namespace inv_ptr_registersed

// V is a reference to a; to() assigns through it.
namespace inv_ref_member {
class R {
public:
  R() : a(cpu()), v(a) {}
  void to(torch::Device d) { v = v.to(d); }
  Tensor g() { return a + gpu(); }

private:
  Tensor a;
  Tensor &v;
};
} // namespace inv_ref_member

// State() hands out the shared state: anybody may move its module.
namespace inv_shared_state {
struct State {
  nn::Linear l{3, 3};
};
class B {
public:
  B() : s_(std::make_shared<State>()) {}
  std::shared_ptr<State> state() { return s_; }
  Tensor f() { return s_->l(gpu()); }

private:
  std::shared_ptr<State> s_;
};
Tensor f() {
  B b;
  b.state()->l->to(kCUDA);
  return b.f();
}
} // namespace inv_shared_state

// All_ holds the same module as l_, and to() moves it.
namespace inv_two_holders {
class C {
public:
  C() { l_ = add(nn::Linear(3, 3)); }
  nn::Linear add(nn::Linear l) {
    all_.push_back(l);
    return l;
  }
  void to(torch::Device d) {
    for (auto &l : all_)
      l->to(d);
  }
  Tensor f() { return l_(gpu()); }

private:
  nn::Linear l_{nullptr};
  std::vector<nn::Linear> all_;
};
} // namespace inv_two_holders

// The children have all the parameters.
namespace jit_children {
void f() {
  auto m = torch::jit::load("m.pt", kCPU);
  for (auto s : m.children())
    s.to(kCUDA);
  m.forward({gpu()});
}
} // namespace jit_children

// The map's module shares its object with m.
namespace jit_map {
void f() {
  auto m = torch::jit::load("m.pt", kCPU);
  std::map<std::string, torch::jit::Module> v;
  v.emplace("a", m);
  v.at("a").to(kCUDA);
  m.forward({gpu()});
}
} // namespace jit_map

// The script's own method moves the module.
namespace jit_method {
void f() {
  auto m = torch::jit::load("m.pt", kCPU);
  m.run_method("to_gpu");
  m.forward({gpu()});
}
} // namespace jit_method

// All data is replaced.
namespace jit_set_data {
void f() {
  auto m = torch::jit::load("m.pt", kCPU);
  for (auto p : m.parameters())
    p.set_data(p.cuda());
  m.forward({gpu()});
}
} // namespace jit_set_data

// *q is a copy of the handle m: one object.
namespace jit_shared_copy {
void f() {
  auto m = torch::jit::load("m.pt", kCPU);
  auto q = std::make_shared<torch::jit::Module>(m);
  q->to(kCUDA);
  m.forward({gpu()});
}
} // namespace jit_shared_copy

// The lambda captured d by value, when it was the CPU.
namespace lambda_by_value_device {
Tensor f() {
  torch::Device d = kCPU;
  auto zeros = [d] { return torch::zeros({2, 3}, d); };
  d = kCUDA;
  return zeros() + cpu();
}
} // namespace lambda_by_value_device

// The lambda captured the first module.
namespace lambda_by_value_module {
Tensor f() {
  nn::Linear l(3, 3);
  auto run = [l](Tensor t) mutable { return l(t); };
  l = nn::Linear(3, 3);
  l->to(kCUDA);
  return run(cpu());
}
} // namespace lambda_by_value_module

// The lambda captured x by value, when it was on the CPU.
namespace lambda_by_value {
Tensor f() {
  Tensor x = cpu();
  auto get = [x] { return x + cpu(); };
  x = x.cuda();
  return get();
}
} // namespace lambda_by_value

// The body runs only where h is on cuda.
namespace loop_condition_device {
bool flag();
void f() {
  Tensor h = cpu();
  if (flag())
    h = h.cuda();
  while (h.is_cuda()) {
    auto y = h + gpu();
    if (flag())
      break;
  }
}
} // namespace loop_condition_device

// The loop ends only when acc was moved.
namespace loop_do_until_ready {
bool flag();
Tensor f() {
  Tensor acc = cpu();
  bool ready = false;
  do {
    if (flag()) {
      acc = acc.cuda();
      ready = true;
    }
  } while (!ready);
  return acc + gpu();
}
} // namespace loop_do_until_ready

// The loop ends only when acc was moved.
namespace loop_until_ready {
int num();
Tensor f() {
  Tensor acc = cpu();
  bool ready = false;
  while (!ready) {
    if (num() > 3) {
      acc = acc.cuda();
      ready = true;
    }
  }
  return acc + gpu();
}
} // namespace loop_until_ready

// A->to() moves a only: a is on cuda:0 and b on cuda:1 (model parallel).
namespace model_parallel {
struct NetImpl : nn::Module {
  NetImpl() {
    a = register_module("a", nn::Linear(3, 3));
    b = register_module("b", nn::Linear(3, 3));
    a->to(torch::Device(kCUDA, 0));
    b->to(torch::Device(kCUDA, 1));
  }
  Tensor forward(Tensor x) {
    x = a(x.to(torch::Device(kCUDA, 0)));
    return b(x.to(torch::Device(kCUDA, 1)));
  }
  nn::Linear a{nullptr}, b{nullptr};
};
TORCH_MODULE(Net);
Tensor f() {
  Net n;
  return n(cpu());
}
} // namespace model_parallel

// L is in the ModuleDict, and moves with it.
namespace moduledict_moves_child {
Tensor f() {
  nn::Linear l(3, 3);
  torch::OrderedDict<std::string, std::shared_ptr<nn::Module>> o;
  o.insert("a", l.ptr());
  nn::ModuleDict d(o);
  d->to(kCUDA);
  return l(gpu());
}
} // namespace moduledict_moves_child

// Only the first of the list's modules is moved.
namespace modulelist_element_to {
Tensor f() {
  nn::Linear l(3, 3), m(3, 3);
  nn::ModuleList s(l, m);
  s[0]->to(kCUDA);
  return l(gpu());
}
} // namespace modulelist_element_to

// L is in the list, and moves with it.
namespace modulelist_moves_child {
Tensor f() {
  nn::Linear l(3, 3);
  nn::ModuleList s(l);
  s->to(kCUDA);
  return l(gpu());
}
} // namespace modulelist_moves_child

// Modules() contains the module itself.
namespace modules_to {
Tensor f() {
  nn::Linear l(3, 3);
  for (auto &m : l->modules())
    m->to(kCUDA);
  return l(gpu());
}
} // namespace modules_to

// The task moves the module before it is used.
namespace pass_async {
void upload(std::shared_ptr<nn::LinearImpl> n);
Tensor f() {
  auto p = std::make_shared<nn::LinearImpl>(3, 3);
  std::async(std::launch::async, upload, p).wait();
  return p->forward(gpu());
}
} // namespace pass_async

// Bound holder shares p's module.
namespace pass_bind {
void upload(nn::Linear n);
Tensor f() {
  nn::Linear p(3, 3);
  auto g = std::bind(upload, p);
  g();
  return p(gpu());
}
} // namespace pass_bind

// A callback that got the module may move it.
namespace pass_function {
std::function<void(std::shared_ptr<nn::LinearImpl>)> lookup(std::string);
Tensor f() {
  auto p = std::make_shared<nn::LinearImpl>(3, 3);
  auto prepare = lookup("gpu");
  prepare(p);
  return p->forward(gpu());
}
} // namespace pass_function

// The thread moves the module before it is joined.
namespace pass_thread {
void upload(std::shared_ptr<nn::LinearImpl> n);
Tensor f() {
  auto p = std::make_shared<nn::LinearImpl>(3, 3);
  std::thread t(upload, p);
  t.join();
  return p->forward(gpu());
}
} // namespace pass_thread

// To() moved nothing yet; fc is made after that, on the CPU.
namespace registers_after_to {
struct Late : nn::Module {
  void build() {
    fc = nn::Linear(3, 3);
    register_module("fc", fc);
  }
  nn::Linear fc{nullptr};
};
Tensor f() {
  Late l;
  l.to(kCUDA);
  l.build();
  return l.fc(cpu());
}
} // namespace registers_after_to

// L is registered in t, and moves with it.
namespace registers_from_outside {
struct Trunk : nn::Module {
  Trunk() { fc = register_module("fc", nn::Linear(3, 3)); }
  nn::Linear fc{nullptr};
};
Tensor f() {
  nn::Linear l(3, 3);
  Trunk t;
  t.register_module("x", l);
  t.to(kCUDA);
  return l(gpu());
}
} // namespace registers_from_outside

// Reg() registers in *this and returns the holder.
namespace registers_helper_free {
template <class M> M reg(nn::Module &self, const std::string &n, M m) {
  self.register_module(n, m);
  return m;
}
struct Net : nn::Module {
  Net() { b = reg(*this, "b", nn::Linear(3, 3)); }
  nn::Linear b{nullptr};
};
Tensor f() {
  Net n;
  n.to(kCUDA);
  return n.b(gpu());
}
} // namespace registers_helper_free

// AddTo registers fc2 through its reference parameter.
namespace registers_helper_ref {
struct Net : nn::Module {
  Net() { addTo(fc2, "fc2"); }
  void addTo(nn::Linear &l, std::string n) {
    l = nn::Linear(3, 3);
    register_module(n, l);
  }
  nn::Linear fc2{nullptr};
};
Tensor f() {
  Net n;
  n.to(kCUDA);
  return n.fc2(gpu());
}
} // namespace registers_helper_ref

// L is registered under a local name and kept in a member and in a list.
namespace registers_local_name {
struct Net : nn::Module {
  Net() {
    nn::Linear h(3, 3);
    register_module("h", h);
    head = h;
  }
  nn::Linear head{nullptr};
};
Tensor f() {
  Net n;
  n.to(kCUDA);
  return n.head(gpu());
}
} // namespace registers_local_name

// Fc is a new module, on the CPU.
namespace registers_replaced {
struct Net : nn::Module {
  Net() { fc = register_module("fc", nn::Linear(3, 3)); }
  nn::Linear fc{nullptr};
};
Tensor f() {
  Net l;
  l.to(kCUDA);
  l.fc = l.replace_module("fc", nn::Linear(3, 3));
  return l.fc(cpu());
}
} // namespace registers_replaced

// Keep is the module that was registered.
namespace registers_shared_ptr {
struct Net : nn::Module {
  Net() {
    auto a = std::make_shared<nn::LinearImpl>(3, 3);
    register_module("a", a);
    keep = a;
  }
  std::shared_ptr<nn::LinearImpl> keep;
};
Tensor f() {
  Net n;
  n.to(kCUDA);
  return n.keep->forward(gpu());
}
} // namespace registers_shared_ptr

// List holds a, which is registered.
namespace registersed_list_too {
struct Net : nn::Module {
  nn::Linear a{nullptr};
  std::vector<nn::Linear> list;
  Net() {
    a = register_module("a", nn::Linear(3, 3));
    list = {a};
  }
  Tensor g() {
    to(kCPU);
    for (auto &n : list)
      n->to(kCUDA);
    return a(gpu());
  }
};
} // namespace registersed_list_too

// *ptr() is w_.
namespace returns_ptr_accessor {
struct S {
  Tensor w_;
  Tensor *ptr() { return &w_; }
  Tensor run() {
    w_ = cpu();
    *ptr() = w_.cuda();
    return w_ + gpu();
  }
};
} // namespace returns_ptr_accessor

// T is w_, through the accessor.
namespace returns_ref_accessor_bound {
struct S {
  Tensor w_;
  Tensor &w() { return w_; }
  Tensor run() {
    w_ = cpu();
    auto &t = w();
    t = t.cuda();
    return w_ + gpu();
  }
};
} // namespace returns_ref_accessor_bound

// W() returns w_ by reference.
namespace returns_ref_accessor {
struct S {
  Tensor w_;
  Tensor &w() { return w_; }
  Tensor run() {
    w_ = cpu();
    w() = w().cuda();
    return w_ + gpu();
  }
};
} // namespace returns_ref_accessor

// Weight(s) is s.w.
namespace returns_ref_free {
struct S {
  Tensor w;
};
Tensor &weight(S &s) { return s.w; }
Tensor f() {
  S s;
  s.w = cpu();
  weight(s) = s.w.cuda();
  return s.w + gpu();
}
} // namespace returns_ref_free

// R is s.w_, bound before s.w_ was assigned.
namespace returns_ref_held {
struct S {
  Tensor w_;
  Tensor &w() { return w_; }
};
Tensor f() {
  S s;
  auto &r = s.w();
  s.w_ = cpu();
  r = r.cuda();
  return s.w_ + gpu();
}
} // namespace returns_ref_held

// Slot(0) is b.
namespace returns_ref_lambda {
Tensor f() {
  Tensor a = cpu(), b = cpu();
  auto slot = [&](int i) -> Tensor & { return i ? a : b; };
  slot(0) = slot(0).cuda();
  return b + gpu();
}
} // namespace returns_ref_lambda

// Made() made two modules: a is on the CPU, b on cuda.
namespace same_site_arguments {
nn::Linear made(torch::Device d) {
  nn::Linear l(3, 3);
  l->to(d);
  return l;
}
Tensor run(nn::Linear a, nn::Linear b) { return b(a(cpu()).cuda()); }
Tensor f() { return run(made(kCPU), made(kCUDA)); }
} // namespace same_site_arguments

// The constructor's arguments are two modules, the first on the CPU.
namespace same_site_ctor_init {
nn::Linear made(torch::Device d) {
  nn::Linear l(3, 3);
  l->to(d);
  return l;
}
struct Two {
  nn::Linear a, b;
  Two(nn::Linear x, nn::Linear y) : a(x), b(y) {}
};
Tensor f() {
  Two t(made(kCPU), made(kCUDA));
  return t.a(cpu());
}
} // namespace same_site_ctor_init

// Two agents: the default initialiser made a module for each.
namespace same_site_default_member {
struct Ag {
  nn::Linear net{3, 3};
  Ag(torch::Device d) { net->to(d); }
};
Tensor run(Ag a, Ag b) { return b.net(a.net(cpu()).cuda()); }
Tensor f() { return run(Ag(kCPU), Ag(kCUDA)); }
Tensor g() {
  std::vector<Ag> v{Ag(kCPU), Ag(kCUDA)};
  return v[0].net(cpu());
}
} // namespace same_site_default_member

// Two structs: the first on the CPU.
namespace same_site_shared_struct {
struct S {
  Tensor a;
};
std::shared_ptr<S> made(torch::Device d) {
  auto s = std::make_shared<S>();
  s->a = torch::zeros({2, 3}, d);
  return s;
}
Tensor run(std::shared_ptr<S> x, std::shared_ptr<S> y) { return x->a + cpu(); }
Tensor f() { return run(made(kCPU), made(kCUDA)); }
} // namespace same_site_shared_struct

// Made() made two modules: a is on the CPU, b on cuda.
namespace same_site_struct {
nn::Linear made(torch::Device d) {
  nn::Linear l(3, 3);
  l->to(d);
  return l;
}
struct Two {
  nn::Linear a, b;
};
Tensor f() {
  Two t{made(kCPU), made(kCUDA)};
  return t.a(cpu());
}
} // namespace same_site_struct

// Made() made two modules: the first is on the CPU.
namespace same_site_tuple {
nn::Linear made(torch::Device d) {
  nn::Linear l(3, 3);
  l->to(d);
  return l;
}
Tensor f() {
  auto [x, y] = std::make_tuple(made(kCPU), made(kCUDA));
  return x(cpu());
}
} // namespace same_site_tuple

// Made() made two modules: the first is on the CPU.
namespace same_site_vector {
nn::Linear made(torch::Device d) {
  nn::Linear l(3, 3);
  l->to(d);
  return l;
}
Tensor f() {
  std::vector<nn::Linear> v{made(kCPU), made(kCUDA)};
  return v[0](cpu());
}
} // namespace same_site_vector

// The modules of a, on cuda, are in k now.
namespace seq_extend {
Tensor f() {
  nn::Sequential a(nn::Linear(3, 3)), k;
  a->to(kCUDA);
  k->extend(*a);
  return k->forward(gpu());
}
} // namespace seq_extend

// The Sequential holds l, which is on cuda already.
namespace seq_moved_child {
Tensor f() {
  nn::Linear l(3, 3);
  l->to(kCUDA);
  nn::Sequential s(l);
  return s->forward(gpu());
}
} // namespace seq_moved_child

// L is in the Sequential, and moves with it.
namespace seq_moves_child {
Tensor f() {
  nn::Linear l(3, 3);
  nn::Sequential s(l, nn::ReLU());
  s->to(kCUDA);
  return l(gpu());
}
} // namespace seq_moves_child

// The Sequential holds l, which is on cuda already.
namespace seq_pushed_child {
Tensor f() {
  nn::Linear l(3, 3);
  l->to(kCUDA);
  nn::Sequential s;
  s->push_back(l);
  return s->forward(gpu());
}
} // namespace seq_pushed_child

// The callee replaces every parameter's data.
namespace set_data_callee {
void toGpu(nn::Module &m) {
  for (auto &p : m.named_parameters())
    p->set_data(p->cuda());
}
Tensor f() {
  nn::Linear a(3, 3);
  toGpu(*a);
  return a(gpu());
}
} // namespace set_data_callee

// B's parameters are replaced by copies of a's, by name.
namespace set_data_copy_state {
Tensor f() {
  nn::Linear a(3, 3), b(3, 3);
  a->to(kCUDA);
  auto s = a->named_parameters(), d = b->named_parameters();
  for (auto &v : s)
    if (auto *t = d.find(v.key()))
      t->set_data(v.value().clone());
  return b(gpu());
}
} // namespace set_data_copy_state

// The callee replaces the data of all tensors that it gets.
namespace set_data_list_callee {
void toGpu(std::vector<Tensor> v) {
  for (auto &t : v)
    t.set_data(t.cuda());
}
Tensor f() {
  Tensor a = cpu(), b = cpu();
  toGpu({a, b});
  return b + gpu();
}
} // namespace set_data_list_callee

// The list's tensors are a and b themselves.
namespace set_data_list {
Tensor f() {
  Tensor a = cpu(), b = cpu();
  for (Tensor t : {a, b})
    t.set_data(t.cuda());
  return b + gpu();
}
} // namespace set_data_list

// Every parameter's data is replaced, through a list of named_parameters().
namespace set_data_named {
Tensor f() {
  nn::Linear a(3, 3);
  auto ps = a->named_parameters();
  for (auto &p : ps)
    p.value().set_data(p.value().cuda());
  return a(gpu());
}
} // namespace set_data_named

// S.b and s2.b are one tensor.
namespace set_data_struct {
struct S {
  Tensor b;
};
Tensor f() {
  S s{cpu()};
  auto u = std::make_shared<S>(s);
  u->b.set_data(gpu());
  return s.b + gpu();
}
} // namespace set_data_struct

// A and b are one tensor: set_data on either moves both.
namespace set_data_twice {
Tensor f() {
  Tensor a = cpu();
  Tensor b = a;
  a.set_data(gpu());
  b.set_data(cpu());
  return a + cpu();
}
} // namespace set_data_twice

// A registered s, so a.to() moves s, whoever else holds it.
namespace shared_child_moved_by_parent {
struct Two : nn::Module {
  explicit Two(nn::Linear b) {
    s = register_module("s", b);
    h = register_module("h", nn::Linear(3, 3));
  }
  nn::Linear s{nullptr}, h{nullptr};
};
Tensor f() {
  nn::Linear s(3, 3);
  Two a(s);
  a.to(kCUDA);
  return s(gpu());
}
} // namespace shared_child_moved_by_parent

// A.to() moves the trunk that b registered too.
namespace shared_child_two_parents {
struct Two : nn::Module {
  explicit Two(nn::Linear b) {
    s = register_module("s", b);
    h = register_module("h", nn::Linear(3, 3));
  }
  nn::Linear s{nullptr}, h{nullptr};
};
Tensor f() {
  nn::Linear s(3, 3);
  Two a(s), b(s);
  a.to(kCUDA);
  return b.s(gpu());
}
} // namespace shared_child_two_parents

// Cf is the singleton: set_device(), in another file, changes it.
namespace singleton_ref {
struct Conf {
  torch::Device dev = kCPU;
  static Conf &get() {
    static Conf c;
    return c;
  }
};
void set_device();
Tensor f() {
  auto &cf = Conf::get();
  cf.dev = kCPU;
  set_device();
  return torch::zeros({2, 3}, cf.dev) + gpu();
}
} // namespace singleton_ref

// MyT's constructor moves what it gets.
namespace tensor_subclass {
struct MyT : Tensor {
  MyT(const Tensor &t) : Tensor(t.cuda()) {}
};
Tensor f() {
  MyT t(cpu());
  return t + gpu();
}
} // namespace tensor_subclass

// W is a or b; each branch uses the one that was moved.
namespace ternary_ref {
Tensor f(bool first) {
  Tensor a, b;
  auto &w = first ? a : b;
  a = cpu();
  b = cpu();
  w = w.cuda();
  return first ? a + gpu() : b + gpu();
}
} // namespace ternary_ref

// Self is this: self->a is s.a of the caller.
namespace this_alias_callee {
struct S {
  Tensor a = cpu();
  void up() {
    S *self = this;
    self->a = self->a.cuda();
  }
};
Tensor f() {
  S s;
  s.up();
  return s.a + gpu();
}
} // namespace this_alias_callee

// Self is this: self->a is a.
namespace this_alias {
struct S {
  Tensor a;
  Tensor run() {
    a = cpu();
    S *self = this;
    self->a = self->a.cuda();
    return a + gpu();
  }
};
} // namespace this_alias

// Children() has a.
namespace this_children {
struct Net : nn::Module {
  nn::Linear a{nullptr};
  Net() { a = register_module("a", nn::Linear(3, 3)); }
  Tensor h() {
    to(kCPU);
    for (auto &n : children())
      n->to(kCUDA);
    return a(gpu());
  }
  Tensor m() {
    to(kCPU);
    for (auto &n : named_children())
      n.value()->to(kCUDA);
    return a(gpu());
  }
};
} // namespace this_children

// Net::to() overrides Module::to() and moves pos too, also through
// shared_ptr<Module>.
namespace virtual_to_base_ptr {
struct Net : nn::Module {
  Net() {
    fc = register_module("fc", nn::Linear(3, 3));
    pos = cpu();
  }
  void to(torch::Device d, bool nb = false) override {
    nn::Module::to(d, nb);
    pos = pos.to(d);
  }
  Tensor forward(Tensor x) { return fc(x) + pos; }
  nn::Linear fc{nullptr};
  Tensor pos;
};
Tensor f() {
  auto p = std::make_shared<Net>();
  std::shared_ptr<nn::Module> q = p;
  q->to(torch::Device(kCUDA));
  return p->forward(gpu());
}
} // namespace virtual_to_base_ptr

// Net::to() overrides Module::to() and moves pos too, also through the base.
namespace virtual_to_base_ref {
struct Net : nn::Module {
  Net() {
    fc = register_module("fc", nn::Linear(3, 3));
    pos = cpu();
  }
  void to(torch::Device d, bool nb = false) override {
    nn::Module::to(d, nb);
    pos = pos.to(d);
  }
  Tensor forward(Tensor x) { return fc(x) + pos; }
  nn::Linear fc{nullptr};
  Tensor pos;
};
Tensor f() {
  auto p = std::make_shared<Net>();
  nn::Module &m = *p;
  m.to(torch::Device(kCUDA));
  return p->forward(gpu());
}
} // namespace virtual_to_base_ref

// Pinned stays on the CPU: its to() does nothing, also through the base.
namespace virtual_to_noop {
struct Pinned : nn::Module {
  Pinned() { fc = register_module("fc", nn::Linear(3, 3)); }
  void to(torch::Device, bool = false) override {}
  nn::Linear fc{nullptr};
};
Tensor f() {
  Pinned n;
  nn::Module &m = n;
  m.to(torch::Device(kCUDA));
  return n.fc(cpu());
}
} // namespace virtual_to_noop

// The Sequential's to() calls the child's to(), which overrides it and moves
// pos.
namespace virtual_to_sequential {
struct EncImpl : nn::Module {
  EncImpl() {
    fc = register_module("fc", nn::Linear(3, 3));
    pos = cpu();
  }
  void to(torch::Device d, bool nb = false) override {
    nn::Module::to(d, nb);
    pos = pos.to(d);
  }
  Tensor forward(Tensor x) { return fc(x) + pos; }
  nn::Linear fc{nullptr};
  Tensor pos;
};
TORCH_MODULE(Enc);
Tensor f() {
  Enc e;
  nn::Sequential s(e);
  s->to(kCUDA);
  return e(gpu());
}
} // namespace virtual_to_sequential

// Weight and bias are replaced by tensors on cuda.
namespace weight_assigned {
Tensor f() {
  nn::Linear e(3, 3);
  e->weight = torch::ones({3, 3}, kCUDA);
  e->bias = torch::ones({3}, kCUDA);
  return e(gpu());
}
} // namespace weight_assigned

// Module::to() replaces the data of the tensor (set_data), so every handle of
// it moves.
namespace weight_handle {
Tensor f() {
  nn::Linear l(3, 3);
  l->to(kCUDA);
  Tensor w = l->weight;
  l->to(kCPU);
  return w + torch::zeros({3, 3});
}
} // namespace weight_handle
