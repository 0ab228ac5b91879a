//===- containers-safe.cpp - Lists and maps that change by another name --===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of this is right, and reported by an analysis that takes a list for what
// it was, or a reference to a part of one for a copy.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <torch/torch.h>
#include <unordered_map>

using torch::kCPU;
using torch::kCUDA;
using torch::Tensor;
namespace nn = torch::nn;

namespace names {
struct V {
  int id = 0;
  Tensor a, b;
  void toGpu() {
    a = a.cuda();
    b = b.cuda();
  }
  Tensor sum() const { return a + b; }
  Tensor &ra() { return a; }
};
Tensor G() { return torch::ones({2}, kCUDA); }
Tensor H() { return torch::ones({2}); }
using L = std::vector<Tensor>;
void s1() {
  L l{H()};
  auto &r = l[0];
  l[0] = G();
  r + G();
}
void s2() {
  L l{H()};
  auto &r = l[0];
  r = G();
  l[0] + G();
}
void s3() {
  L l{H()};
  const auto &r = l[0];
  l[0] = l[0].cuda();
  r + G();
}
void s4() {
  L l{H(), G()};
  std::swap(l[0], l[1]);
  l[0] + G();
  l[1] + H();
}
void s5() {
  L a{H()}, b{G()};
  a.swap(b);
  a[0] + G();
  b[0] + H();
}
void s6() {
  L a{H()}, b{G()};
  std::swap(a, b);
  a[0] + G();
  b[0] + H();
}
void s7() {
  L l{H(), G()};
  l.erase(l.begin());
  l[0] + G();
}
void s8() {
  L l{H()};
  l.clear();
  l.push_back(G());
  l[0] + G();
}
void s9() {
  L l{H()};
  L m = std::move(l);
  l = L{G()};
  l[0] + G();
  m[0] + H();
}
void s10() {
  L l{H()};
  L c = l;
  c[0] = G();
  l[0] + H();
  c[0] + G();
}
void s11() {
  L l{H()};
  l.push_back(G());
  l.back() + G();
  l.front() + H();
  l.pop_back();
  l.back() + H();
}
void s12() {
  std::deque<Tensor> d{H()};
  auto &r = d.front();
  d.push_front(G());
  r + H();
  d.front() + G();
  d[1] + H();
}
void s13() {
  std::deque<Tensor> d{H(), G()};
  auto &r = d[1];
  d.pop_front();
  r + G();
  d[0] + G();
}
void s14() {
  L l{H(), H()};
  for (auto &t : l) {
    if (t.numel() > 3)
      break;
    t = t.cuda();
  }
  if (l[0].is_cuda())
    l[0] + G();
}
void s15() {
  L l{H(), H()};
  for (auto &t : l) {
    if (t.numel() > 3)
      continue;
    t = t.cuda();
  }
  (void)l;
  if (l[0].is_cuda())
    l[0] + G();
  else
    l[0] + H();
}
void s16(bool c) {
  L l{H(), H()};
  for (auto &t : l) {
    if (c)
      t = t.cuda();
  }
  if (c)
    l[0] + G();
  else
    l[0] + H();
}
void s17() {
  std::map<std::string, Tensor> m;
  m["a"] = H();
  m["a"] = G();
  m["a"] + G();
}
void s18() {
  std::map<std::string, Tensor> m;
  m["a"] = H();
  m.erase("a");
  m["a"] = G();
  m["a"] + G();
}
void s19(std::string k) {
  std::map<std::string, Tensor> m;
  m["a"] = H();
  m[k] = G();
  if (m["a"].is_cuda())
    m["a"] + G();
}
void s20() {
  std::map<std::string, Tensor> m;
  m["a"] = H();
  auto &r = m["a"];
  m["a"] = G();
  r + G();
  r = H();
  m["a"] + H();
}
void s21() {
  std::map<std::string, Tensor> m;
  m.emplace("a", H());
  m.emplace("b", G());
  m.at("b") + G();
  m.at("a") + H();
}
void s22() {
  std::map<std::string, Tensor> m{{"a", H()}, {"b", H()}};
  for (auto &[k, t] : m)
    t = t.cuda();
  m["a"] + m["b"];
  m["a"] + G();
}
void s23() {
  std::map<std::string, Tensor> m{{"a", H()}};
  auto it = m.find("a");
  it->second = G();
  m["a"] + G();
  it->second + G();
}
void s24() {
  std::map<std::string, Tensor> m{{"a", H()}, {"b", H()}};
  for (auto it = m.begin(); it != m.end(); ++it)
    it->second = it->second.cuda();
  if (m["a"].is_cuda())
    m["a"] + G();
}
void s25() {
  std::vector<V> v(2);
  for (auto &x : v) {
    x.a = G();
    x.b = G();
  }
  v[0].a + v[1].b;
  v[0].a + G();
}
void s26() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  v[0].toGpu();
  v[0].a + G();
  for (auto &x : v)
    x.toGpu();
  v[0].b + G();
}
void s27() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  V &r = v.back();
  r.toGpu();
  v[0].a + G();
  v.back().b + G();
  r.a + G();
}
void s28() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  V c = v[0];
  c.toGpu();
  v[0].a + H();
  c.a + G();
}
void s29() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  v[0].ra() = G();
  v[0].a + G();
}
void s30() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  V *p = &v[0];
  p->a = G();
  v[0].a + G();
}
void s31() {
  std::vector<V> v;
  v.push_back({1, H(), H()});
  std::vector<V> *p = &v;
  (*p)[0].a = G();
  v[0].a + G();
}
void mod(L &l) {
  for (auto &t : l)
    t = t.cuda();
}
void mod1(Tensor &t) { t = t.cuda(); }
void mod2(V &v) { v.a = v.a.cuda(); }
void s32() {
  L l{H()};
  mod(l);
  l[0] + G();
}
void s33() {
  L l{H()};
  mod1(l[0]);
  l[0] + G();
}
void s34() {
  std::vector<V> l(1);
  l[0].a = H();
  mod2(l[0]);
  l[0].a + G();
}
void s35() {
  L l{H()};
  auto f = [&] { l[0] = l[0].cuda(); };
  f();
  l[0] + G();
}
void s36() {
  L l{H()};
  auto f = [&](Tensor &t) { t = t.cuda(); };
  for (auto &t : l)
    f(t);
  l[0] + G();
}
void s37() {
  L l{H()};
  std::for_each(l.begin(), l.end(), [](Tensor &t) { t = t.cuda(); });
  l[0] + G();
}
void s38() {
  L l{H()};
  std::transform(l.begin(), l.end(), l.begin(),
                 [](const Tensor &t) { return t.cuda(); });
  l[0] + G();
}
void s39() {
  L l{H()}, o;
  std::transform(l.begin(), l.end(), std::back_inserter(o),
                 [](const Tensor &t) { return t.cuda(); });
  o[0] + G();
}
void s40() {
  L l{H(), G()};
  std::reverse(l.begin(), l.end());
  l[0] + G();
}
void s41() {
  L l{H(), G()};
  std::sort(l.begin(), l.end(), [](const Tensor &a, const Tensor &b) {
    return a.numel() < b.numel();
  });
  l[0] + G();
}
void s42() {
  L l{H(), G()};
  l.erase(std::remove_if(l.begin(), l.end(),
                         [](const Tensor &t) { return t.is_cpu(); }),
          l.end());
  l[0] + G();
}
void s43() {
  std::vector<L> ll{{H()}};
  ll[0][0] = G();
  ll[0][0] + G();
  ll[0].push_back(H());
  ll[0].back() + H();
}
void s44() {
  std::vector<L> ll{{H()}};
  for (auto &l : ll)
    for (auto &t : l)
      t = t.cuda();
  ll[0][0] + G();
}
void s45() {
  std::vector<L> ll{{H()}};
  auto &l = ll[0];
  l[0] = G();
  ll[0][0] + G();
  l.clear();
  l.push_back(H());
  ll[0][0] + H();
}
void s46() {
  std::pair<Tensor, Tensor> p{H(), G()};
  p.first = G();
  p.first + p.second;
  std::swap(p.first, p.second);
}
void s47() {
  std::tuple<Tensor, Tensor> p{H(), G()};
  std::get<0>(p) = G();
  std::get<0>(p) + std::get<1>(p);
}
void s48() {
  Tensor a = H(), b = G();
  auto t = std::tie(a, b);
  std::get<0>(t) = G();
  a + b;
}
void s49() {
  Tensor a = H(), b = G();
  std::tie(a, b) = std::make_tuple(b, a);
  a + G();
  b + H();
}
void s50() {
  std::pair<Tensor, Tensor> p{H(), G()};
  auto &[x, y] = p;
  x = G();
  p.first + p.second;
  x + y;
}
void s51() {
  std::pair<Tensor, Tensor> p{H(), G()};
  auto &[x, y] = p;
  p.first = G();
  x + y;
}
void s52() {
  std::array<Tensor, 2> p{H(), G()};
  auto &[x, y] = p;
  p[0] = G();
  x + y;
}
void s53() {
  V p{1, H(), G()};
  auto &[i, x, y] = p;
  p.a = G();
  x + y;
}
void s54() {
  V p{1, H(), G()};
  auto &[i, x, y] = p;
  x = G();
  p.a + p.b;
}
void s55() {
  L l{H(), H(), H()};
  for (size_t i = 0; i < l.size(); ++i)
    l[i] = l[i].cuda();
  if (l[1].is_cuda())
    l[1] + G();
}
void s56() {
  L l(3);
  for (int i = 0; i < 3; ++i)
    l[i] = G();
  l[0] + G();
  if (!l[1].defined())
    l[1] = H();
}
void s57() {
  L l(3);
  if (!l[1].defined())
    l[1] = H();
  else
    l[1] = l[1].cuda();
  l[1] + H();
}
void s58() {
  L l;
  l.resize(3);
  l[0] = H();
  if (l[0].defined())
    l[0] + H();
  Tensor x = l[1].defined() ? l[1] : G();
  x + G();
}
void s59() {
  torch::OrderedDict<std::string, Tensor> d;
  d.insert("a", H());
  d["a"] = G();
  d["a"] + G();
  for (auto &i : d)
    i.value() = H();
  d["a"] + H();
}
void s60() {
  c10::Dict<std::string, Tensor> d;
  d.insert("a", H());
  auto e = d;
  e.insert_or_assign("a", G());
  d.at("a") + G();
}
void s61() {
  c10::List<Tensor> d;
  d.push_back(H());
  auto e = d;
  e.set(0, G());
  Tensor t = d.get(0);
  t + G();
}
void s62() {
  c10::List<Tensor> d;
  d.push_back(H());
  c10::List<Tensor> e = d;
  e.clear();
  e.push_back(G());
  Tensor t = d.get(0);
  t + G();
}
} // namespace names

namespace loops {
struct V {
  int id = 0;
  Tensor a, b;
};
Tensor G() { return torch::ones({2}, kCUDA); }
Tensor H() { return torch::ones({2}); }
using L = std::vector<Tensor>;
bool more();
void unknown(L &l);
void unknownc(const L &l);
void unknownt(Tensor &t);
void s1() {
  L l{H()};
  unknown(l);
  l[0] + G();
}
void s2() {
  L l{H()};
  unknownt(l[0]);
  l[0] + G();
}
void s3() {
  L l{H()};
  for (auto &t : l)
    unknownt(t);
  l[0] + G();
}
void s4() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    if (more())
      break;
    l[i] = G();
  }
  if (l[0].is_cuda())
    l[0] + G();
}
void s5() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    if (more())
      continue;
    l[i] = G();
  }
  if (l[0].is_cuda())
    l[0] + G();
  else
    l[0] + H();
}
void s6() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i)
    l[i] = l[i].cuda();
  l[0] + G();
  l[1] + l[0];
}
void s7() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); i++) {
    l[i] = l[i].cuda();
    l[i] + G();
  }
  l[0] + G();
}
void s8() {
  std::vector<V> l(3);
  for (size_t i = 0; i < l.size(); i++) {
    l[i].a = G();
    l[i].b = H();
  }
  l[0].a + G();
  l[1].b + H();
  for (auto &v : l)
    v.b = v.b.cuda();
  l[1].b + l[2].a;
}
void s9() {
  std::map<int, Tensor> m;
  for (int i = 0; i < 4; ++i)
    m[i] = G();
  m[0] + G();
  for (auto &kv : m)
    kv.second = kv.second.cpu();
  m[0] + H();
  m.at(2) + H();
}
void s10() {
  std::map<int, L> m;
  m[0].push_back(H());
  m[0].push_back(G());
  m[0][1] + G();
  m[0][0] + H();
}
void s11() {
  std::map<int, V> m;
  m[0].a = H();
  m[0] = V{1, G(), G()};
  m[0].a + G();
}
void s12() {
  std::optional<Tensor> o;
  if (!o)
    o = G();
  *o + G();
  o = H();
  *o + H();
  o.reset();
  o.emplace(G());
  o.value() + G();
}
void s13() {
  std::optional<V> o;
  o = V{1, H(), H()};
  o->a = G();
  o->a + G();
  o->b + H();
}
void s14() {
  std::optional<L> o;
  o = L{H()};
  (*o)[0] = G();
  (*o)[0] + G();
  o->push_back(H());
  o->back() + H();
}
void s15() {
  std::list<Tensor> l;
  l.push_back(H());
  for (auto it = l.begin(); it != l.end();) {
    if (more())
      it = l.erase(it);
    else {
      *it = it->cuda();
      ++it;
    }
  }
  if (!l.empty() && l.front().is_cuda())
    l.front() + G();
}
void s16() {
  L a{H()}, b{G()};
  auto it = a.begin();
  it = b.begin();
  *it = H();
  b[0] + H();
  *it + H();
}
void s17() {
  L a{H()};
  auto it = a.begin();
  auto it2 = it;
  *it2 = G();
  a[0] + G();
  *it + G();
}
void s18() {
  L a{H(), H()};
  auto it = a.begin() + 1;
  *it = G();
  a[1] + G();
}
void s19() {
  L a{H(), H()};
  Tensor *p = a.data();
  p[0] = G();
  a[0] + G();
}
void s20() {
  L a{H(), H()};
  *(a.begin() + 1) = G();
  a[1] + G();
  *a.begin() = G();
  a[0] + G();
}
void s21() {
  L a{H()};
  L &r = a;
  r[0] = G();
  a[0] + G();
  a.push_back(H());
  r[1] + H();
}
void s22(L &a, L &b) {
  a.clear();
  a.push_back(H());
  b.clear();
  b.push_back(G());
  b[0] + G();
}
struct Holder {
  std::vector<V> vs;
  std::map<std::string, Tensor> m;
  L l;
  V cur;
  V &get(int i) { return vs[i]; }
  std::vector<V> &all() { return vs; }
  void f() {
    vs.clear();
    vs.push_back({1, H(), H()});
    get(0).a = G();
    vs[0].a + G();
  }
  void g() {
    vs.clear();
    vs.push_back({1, H(), H()});
    all()[0].a = G();
    vs[0].a + G();
  }
  void h() {
    vs.clear();
    vs.push_back({1, H(), H()});
    auto &x = get(0);
    x.a = G();
    vs[0].a + G();
  }
  void i() {
    vs.clear();
    vs.push_back({1, H(), H()});
    for (auto &v : all())
      v.a = G();
    vs[0].a + G();
  }
  void j() {
    l.clear();
    l.push_back(H());
    k();
    l[0] + G();
  }
  void k() {
    for (auto &t : l)
      t = t.cuda();
  }
  void n() {
    m["x"] = H();
    mm();
    m["x"] + G();
  }
  void mm() {
    for (auto &[k, t] : m)
      t = t.cuda();
  }
  void o() {
    cur = V{1, H(), H()};
    vs.push_back(cur);
    cur.a = G();
    vs.back().a + H();
    cur.a + G();
  }
  void p() {
    auto &c = cur;
    c = V{1, G(), G()};
    vs.push_back(std::move(cur));
    vs.back().a + G();
    cur = V{1, H(), H()};
    cur.a + H();
  }
  void q() {
    L t;
    t.swap(l);
    l.push_back(G());
    l[0] + G();
  }
};
class Closed {
  L l_;
  std::vector<V> v_;
  std::map<std::string, Tensor> m_;
  Tensor x_;

public:
  Closed() {
    l_.push_back(H());
    m_["a"] = H();
    v_.push_back({1, H(), H()});
    x_ = H();
  }
  void gpu() {
    for (auto &t : l_)
      t = t.cuda();
    for (auto &[k, t] : m_)
      t = t.cuda();
    for (auto &v : v_) {
      v.a = v.a.cuda();
      v.b = v.b.cuda();
    }
    x_ = x_.cuda();
  }
  void use() {
    if (l_[0].is_cuda())
      l_[0] + G();
    if (m_["a"].is_cuda())
      m_["a"] + G();
    if (v_[0].a.is_cuda())
      v_[0].a + G();
    x_ + l_[0];
  }
};
class Closed2 {
  L l_;

public:
  Closed2() { l_.push_back(H()); }
  void set(int i, Tensor t) { l_[i] = t; }
  void use() { l_[0] + G(); }
};
class Closed3 {
  L l_;

public:
  Closed3() { l_.push_back(H()); }
  void set(Tensor t) {
    for (auto it = l_.begin(); it != l_.end(); ++it)
      *it = t;
  }
  void use() { l_[0] + G(); }
};
class Closed4 {
  L l_;

public:
  Closed4() { l_.push_back(H()); }
  void set(Tensor t) {
    auto f = [&]() { l_[0] = t; };
    f();
  }
  void use() { l_[0] + G(); }
};
class Closed5 {
  L l_;

public:
  Closed5() { l_.push_back(H()); }
  void set(Tensor t) {
    Tensor &r = l_[0];
    r = t;
  }
  void use() { l_[0] + G(); }
};
class Closed6 {
  L l_;

public:
  Closed6() { l_.push_back(H()); }
  L::iterator begin() { return l_.begin(); }
  void use() { l_[0] + G(); }
};
class Closed7 {
  std::map<std::string, Tensor> l_;

public:
  Closed7() { l_["a"] = H(); }
  std::map<std::string, Tensor> &all() { return l_; }
  void use() { l_["a"] + G(); }
};
class Closed8 {
  std::map<std::string, Tensor> l_;

public:
  Closed8() { l_["a"] = H(); }
  Tensor &operator[](const std::string &k) { return l_[k]; }
  void use() { l_["a"] + G(); }
};
class Closed9 {
  std::pair<Tensor, Tensor> l_;

public:
  Closed9() { l_ = {H(), H()}; }
  std::pair<Tensor, Tensor> &p() { return l_; }
  void use() { l_.first + G(); }
};
class Closed10 {
  std::vector<V> l_;

public:
  Closed10() { l_.push_back({1, H(), H()}); }
  V *p() { return &l_[0]; }
  void use() { l_[0].a + G(); }
};
class Closed11 {
  L l_;
  friend void peek(Closed11 &);

public:
  Closed11() { l_.push_back(H()); }
  void use() { l_[0] + G(); }
};
class Closed12 {
  L l_;

public:
  Closed12() { l_.push_back(H()); }
  void load(const std::string &f) { torch::load(l_, f); }
  void use() { l_[0] + G(); }
};
void s30(std::tuple<Tensor, Tensor> p) {
  auto [a, b] = p;
  a = a.cuda();
  b = b.cuda();
  a + b;
  std::get<0>(p) + std::get<1>(p);
}
void s31(std::pair<Tensor, Tensor> &p) {
  p.first = G();
  p.second = G();
  p.first + p.second;
}
void s32(std::vector<std::pair<Tensor, Tensor>> &ps) {
  for (auto &[a, b] : ps) {
    a = a.cuda();
    b = b.cuda();
  }
  ps[0].first + G();
}
std::tuple<Tensor, Tensor> opaque();
std::pair<Tensor, L> opaque2();
void s33() {
  Tensor x;
  for (int i = 0; i < 3; ++i) {
    auto [a, b] = opaque();
    if (i == 0)
      x = a;
    if (a.is_cuda())
      x = x.cuda();
    b + a;
  }
}
void s34() {
  auto t = opaque();
  auto u = opaque();
  if (std::get<0>(t).is_cuda()) {
    std::get<0>(u) + G();
  }
}
void s35() {
  for (int i = 0; i < 2; ++i) {
    auto t = opaque();
    if (std::get<0>(t).is_cuda())
      std::get<0>(t) + G();
    else
      std::get<0>(t) + H();
  }
}
void s36() {
  std::vector<std::function<void()>> fs;
  L l{H()};
  fs.push_back([&] { l[0] = G(); });
  fs[0]();
  l[0] + G();
}
void s37() {
  L l;
  for (int i = 0; i < 3; ++i) {
    l.push_back(H());
    if (more())
      l.clear();
  }
  L g;
  for (auto &t : l)
    g.push_back(t.cuda());
  for (auto &t : g)
    t + G();
}
void s38(bool c) {
  L l;
  l.push_back(c ? H() : G());
  if (c)
    l[0] + H();
  else
    l[0] + G();
}
void s39() {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (i < 2)
      l.push_back(H());
    else
      l.push_back(G());
  }
  L gl;
  for (auto &t : l)
    gl.push_back(t.cuda());
  torch::stack(gl);
}
void s40(bool gpu) {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (gpu)
      l.push_back(G());
    else
      l.push_back(H());
  }
  torch::stack(l);
}
void s41(int n) {
  L l, m;
  for (int i = 0; i < 4; ++i) {
    if (i < n)
      l.push_back(G());
    else
      m.push_back(H());
  }
  torch::stack(l);
  torch::stack(m);
}
void s42(int n) {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (i < n)
      l.push_back(H());
    else {
      l.clear();
      l.push_back(G());
    }
  }
}
void s43(int n) {
  for (int i = 0; i < 4; ++i) {
    L l;
    if (i < n)
      l.push_back(G());
    else
      l.push_back(H());
    torch::stack(l);
  }
}
void s44(int n) {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (i < n)
      l.push_back(H());
    else
      l.push_back(G());
    for (auto &t : l)
      t = t.cuda();
  }
  torch::stack(l);
}
void s45(int n) {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (i < n)
      l.push_back(H());
    else
      l.push_back(G());
  }
  for (auto &t : l)
    t = t.cuda();
  torch::stack(l);
}
void s46(int n) {
  L l;
  for (int i = 0; i < 4; ++i) {
    if (i == 0)
      l.push_back(H());
    else {
      if (i == 1)
        l.clear();
      l.push_back(G());
    }
  }
  torch::stack(l);
}
} // namespace loops

namespace modules {
Tensor G() { return torch::ones({2, 3}, kCUDA); }
Tensor H() { return torch::ones({2, 3}); }
using L = std::vector<Tensor>;
struct B {
  nn::Linear l{nullptr};
  Tensor s;
  B(int n) : l(nn::Linear(n, n)), s(torch::zeros({n})) {}
  void to(torch::Device d) {
    l->to(d);
    s = s.to(d);
  }
};
void m1() {
  std::vector<B> bs;
  bs.emplace_back(3);
  for (auto &b : bs)
    b.to(kCUDA);
  bs[0].l(G());
  bs[0].s + torch::ones({3}, kCUDA);
}
void m2() {
  std::vector<nn::Linear> ls;
  ls.push_back(nn::Linear(3, 3));
  for (auto &l : ls)
    l->to(kCUDA);
  ls[0](G());
}
void m3() {
  std::map<std::string, nn::Linear> ls;
  ls.emplace("a", nn::Linear(3, 3));
  for (auto &[k, l] : ls)
    l->to(kCUDA);
  ls.at("a")(G());
}
void m4() {
  std::map<std::string, nn::Linear> ls;
  ls.insert({"a", nn::Linear(3, 3)});
  ls.at("a")->to(kCUDA);
  ls.at("a")(G());
}
void m5() {
  std::vector<std::shared_ptr<B>> bs;
  bs.push_back(std::make_shared<B>(3));
  bs[0]->to(kCUDA);
  bs[0]->l(G());
  bs[0]->s + torch::ones({3}, kCUDA);
}
void m6() {
  auto b = std::make_shared<B>(3);
  std::vector<std::shared_ptr<B>> bs{b};
  for (auto &x : bs)
    x->to(kCUDA);
  b->l(G());
  b->s + torch::ones({3}, kCUDA);
}
void m7() {
  auto b = std::make_shared<B>(3);
  std::map<int, std::shared_ptr<B>> bs;
  bs[1] = b;
  for (auto &[k, x] : bs)
    x->to(kCUDA);
  b->l(G());
}
void m8() {
  auto b = std::make_shared<B>(3);
  std::map<int, std::shared_ptr<B>> bs;
  bs[1] = b;
  bs.at(1)->to(kCUDA);
  b->l(G());
}
void m9() {
  B b(3);
  std::vector<B *> bs;
  bs.push_back(&b);
  for (auto *x : bs)
    x->to(kCUDA);
  b.l(G());
  b.s + torch::ones({3}, kCUDA);
}
void m10() {
  nn::Linear l(3, 3);
  auto ps = l->parameters();
  l->to(kCUDA);
  for (auto &p : ps)
    p + torch::ones({1, 3}, kCUDA);
  auto np = l->named_parameters();
  for (auto &p : np)
    p.value() + torch::ones({1, 3}, kCUDA);
  np["weight"] + torch::ones({1, 3}, kCUDA);
}
void m11() {
  nn::Linear l(3, 3);
  std::vector<std::pair<std::string, Tensor>> saved;
  for (auto &p : l->named_parameters())
    saved.emplace_back(p.key(), p.value());
  l->to(kCUDA);
  for (auto &[k, t] : saved)
    t + torch::ones({1, 3}, kCUDA);
}
void m12() {
  nn::Linear l(3, 3);
  std::map<std::string, Tensor> saved;
  for (auto &p : l->named_parameters())
    saved[p.key()] = p.value().clone();
  l->to(kCUDA);
  for (auto &[k, t] : saved)
    t + torch::ones({1, 3});
}
struct Batch {
  Tensor data, target;
};
void m13() {
  std::vector<Batch> bs;
  for (int i = 0; i < 3; ++i)
    bs.push_back({H(), H()});
  for (auto &b : bs) {
    auto x = b.data.to(kCUDA), y = b.target.to(kCUDA);
    x + y;
    b.data = x;
  }
  bs[0].data + G();
  bs[0].target + H();
}
struct Mem {
  L states, rewards;
  void clear() {
    states.clear();
    rewards.clear();
  }
  void add(Tensor s, Tensor r) {
    states.push_back(s);
    rewards.push_back(r);
  }
};
void m14() {
  Mem m;
  for (int i = 0; i < 3; ++i)
    m.add(G(), H());
  auto s = torch::stack(m.states);
  auto r = torch::stack(m.rewards).to(s.device());
  s + r;
  m.clear();
  m.add(H(), H());
  torch::cat(m.states) + torch::cat(m.rewards);
}
void m15() {
  Mem a;
  a.add(H(), H());
  Mem b = a;
  b.add(G(), G());
  a.states[0] + H();
  Mem *p = &a;
  p->clear();
  p->add(G(), G());
  a.states[0] + G();
}
void m16(Mem &a, Mem &b) {
  a.clear();
  a.add(H(), H());
  b.clear();
  b.add(G(), G());
  a.states[0] + a.rewards[0];
}
void m17(std::vector<Mem> &ms) {
  for (auto &m : ms) {
    m.clear();
    m.add(G(), G());
    m.states[0] + G();
  }
  ms[0].clear();
  ms[0].add(H(), H());
  ms[0].states[0] + H();
}
void m18() {
  std::array<Tensor, 3> a;
  for (auto &t : a)
    t = G();
  a[0] + a[2];
  a[1] = H();
  a[1] + H();
  a.fill(G());
  a[1] + G();
}
void m19() {
  Tensor a[2] = {H(), G()};
  a[0] = G();
  a[0] + a[1];
  for (auto &t : a)
    t = t.cpu();
  a[0] + H();
}
void m20() {
  std::vector<L> bs(2);
  bs[0] = {H()};
  bs[1] = {G()};
  bs[1][0] + G();
  bs[0][0] + H();
  for (size_t i = 0; i < bs.size(); ++i)
    for (size_t j = 0; j < bs[i].size(); ++j)
      bs[i][j] = bs[i][j].cuda();
  if (bs[0][0].is_cuda())
    bs[0][0] + G();
}
struct Node {
  Tensor v;
  std::vector<Node> kids;
};
void m21() {
  Node n;
  n.v = H();
  n.kids.push_back(Node{G(), {}});
  n.kids[0].v + G();
  Node c = n.kids[0];
  c.v = H();
  n.kids[0].v + G();
  n = n.kids[0];
  n.v + G();
}
struct Cache {
  std::map<std::string, Tensor> m;
  Tensor get(const std::string &k) {
    auto it = m.find(k);
    if (it != m.end())
      return it->second;
    m[k] = G();
    return m[k];
  }
};
void m22() {
  Cache c;
  c.m["a"] = H();
  auto x = c.get("a");
  if (x.is_cuda())
    x + G();
  c.m["a"] = G();
  c.get("a") + G();
}
void m23() {
  L l{H()};
  auto t = l[0];
  l[0] = G();
  t + H();
  const Tensor u = l[0];
  l[0] = H();
  u + G();
}
void m24() {
  L l{H()};
  try {
    l[0] = G();
    l.at(5);
  } catch (...) {
    l[0] = l[0].cpu();
  }
  if (l[0].is_cuda())
    l[0] + G();
  else
    l[0] + H();
}
void m25() {
  std::vector<Batch> v;
  v.push_back({H(), H()});
  Batch &b = v[0];
  v.push_back({G(), G()});
  Batch &b2 = v[1];
  b2.data + G();
  v[0].data + H();
  std::swap(v[0], v[1]);
  v[0].data + G();
  b2.data = H();
  v[1].data + H();
}
void m26() {
  std::vector<Batch> v;
  v.push_back({H(), H()});
  v.insert(v.begin(), Batch{G(), G()});
  v[0].data + G();
  v.erase(v.begin());
  v[0].data + H();
}
void m27() {
  std::pair<Tensor, std::pair<Tensor, Tensor>> p;
  p.first = H();
  p.second.first = G();
  p.second.second = G();
  p.second.first + p.second.second;
  auto &q = p.second;
  q.first = H();
  p.second.first + p.first;
}
void m28() {
  Tensor h = H(), c = H(), o;
  nn::LSTM l(3, 3);
  l->to(kCUDA);
  std::tuple<Tensor, Tensor> s{h.cuda(), c.cuda()};
  auto r = l->forward(torch::ones({1, 2, 3}, kCUDA), s);
  std::tie(o, s) = r;
  std::tie(h, c) = s;
  o.sum() + h.sum() + c.sum();
  h + G();
}
void m29() {
  auto f = [](L &l) {
    for (auto &t : l)
      t = t.cuda();
  };
  L l{H()};
  f(l);
  l[0] + G();
  std::function<void(L &)> g = f;
  L k{H()};
  g(k);
  k[0] + G();
}
void m30() {
  L l{H()};
  auto mv = [&l](torch::Device d) {
    for (auto &t : l)
      t = t.to(d);
  };
  mv(kCUDA);
  l[0] + G();
}
} // namespace modules

namespace mixed {
Tensor G() { return torch::ones({2, 3}, kCUDA); }
Tensor H() { return torch::ones({2, 3}); }
using L = std::vector<Tensor>;
bool more();
void u1() {
  L l(3);
  for (auto &t : l)
    t = G();
  l[0].device();
  for (auto &t : l)
    t + G();
}
void u2() {
  L l(3);
  for (int i = 0; i < 3; ++i)
    l[i] = G();
  auto d = l[2].device();
  torch::ones({1}, d) + l[0];
}
void u3() {
  L l;
  l.resize(4);
  if (l[1].defined())
    l[1].device();
  std::fill(l.begin(), l.end(), G());
  l[1].device();
  l[0] + G();
}
void u4() {
  std::array<Tensor, 2> a;
  a.fill(G());
  a[0].device();
  a[0] + G();
}
void u5() {
  std::pair<Tensor, Tensor> p;
  p.first = G();
  p.first.device();
  p.first + G();
  std::tie(p.first, p.second) = std::make_tuple(H(), H());
  p.second.device();
  p.first + p.second;
}
void u6() {
  std::tuple<Tensor, Tensor> s;
  for (int i = 0; i < 3; ++i) {
    if (!std::get<0>(s).defined())
      s = std::make_tuple(G(), G());
    std::get<0>(s).device();
    std::get<0>(s) + G();
  }
}
void u7() {
  std::map<int, Tensor> m;
  Tensor &t = m[3];
  t = G();
  m[3].device();
  m[3] + G();
  if (!m[4].defined())
    m[4] = H();
  m[4] + H();
}
void u8() {
  Tensor t = G();
  L l;
  l.push_back(std::move(t));
  t = H();
  t + H();
  l[0] + G();
  l.emplace_back(std::move(t));
  t = G();
  t + G();
  l[1] + H();
}
struct V {
  Tensor a;
  V() = default;
  explicit V(Tensor t) : a(std::move(t)) {}
  V(const V &) = default;
  V &operator=(const V &o) {
    a = o.a.cuda();
    return *this;
  }
};
void u9() {
  std::vector<V> v;
  v.emplace_back(H());
  v[0].a + H();
  V w;
  w = v[0];
  w.a + G();
  v[0] = v[0];
  v[0].a + G();
}
struct W {
  Tensor a;
  ~W() { count++; }
  static int count;
};
void u10() {
  std::vector<W> ws(1);
  ws[0].a = H();
  {
    W &w = ws[0];
    w.a = G();
  }
  ws[0].a + G();
}
struct It {
  L l;
  auto begin() {
    for (auto &t : l)
      t = t.cuda();
    return l.begin();
  }
  auto end() { return l.end(); }
};
void u11() {
  It i{{H()}};
  for (auto &t : i)
    t + G();
  i.l[0] + G();
}
void u12() {
  L l{H()};
  auto e = l.end();
  for (auto it = l.begin(); it != e; ++it)
    *it = G();
  if (l[0].is_cuda())
    l[0] + G();
}
void u13() {
  L l{H(), H()};
  size_t i = 0;
  for (auto &t : l) {
    if (i++ == 0)
      t = G();
  }
  l[0];
  if (l[1].is_cpu())
    l[1] + H();
}
void u14() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    l[i] = G();
    if (i == 0)
      l[i] = H();
  }
  if (l[0].is_cpu())
    l[0] + H();
}
void u15() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); i += 2)
    l[i] = G();
  if (l[1].is_cpu())
    l[1] + H();
}
void u16() {
  L l{H(), H()};
  for (size_t i = 1; i < l.size(); ++i)
    l[i] = G();
  l[0] + H();
  if (l[1].is_cuda())
    l[1] + G();
}
void u17() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size() - 1; ++i)
    l[i] = G();
  l[1];
  if (l[1].is_cpu())
    l[1] + H();
}
void u18() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    auto &t = l[i];
    t = G();
    if (more())
      t = H();
  }
  if (l[0].is_cuda())
    l[0] + G();
}
void u19() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    auto &t = l[i];
    t = t.cuda();
    t + G();
    l[i] + G();
  }
  l[0] + G();
}
void u20() {
  L l{H(), H()}, m{G(), G()};
  for (size_t i = 0; i < l.size(); ++i)
    std::swap(l[i], m[i]);
  l[0];
  if (l[0].is_cuda())
    l[0] + G();
  if (m[0].is_cpu())
    m[0] + H();
}
void u21() {
  L l{H(), H()};
  for (size_t i = 0; i < l.size(); ++i) {
    L n = l;
    n[i] = G();
    l = n;
  }
  if (l[0].is_cuda())
    l[0] + G();
}
void u22() {
  std::map<std::string, L> m;
  m["a"].push_back(G());
  m["a"][0] + G();
  for (auto &[k, l] : m)
    for (auto &t : l)
      t = t.cpu();
  m["a"][0] + H();
  m["a"].clear();
  m["a"].push_back(G());
  m["a"][0] + G();
}
void u23() {
  std::map<std::string, std::map<std::string, Tensor>> m;
  m["a"]["b"] = G();
  m["a"]["b"] + G();
  auto &in = m["a"];
  in["b"] = H();
  m["a"]["b"] + H();
}
void u24() {
  std::vector<std::map<int, Tensor>> v(2);
  v[0][1] = G();
  v[0][1] + G();
  v[1][1] = H();
  v[1][1] + H();
  v[0].swap(v[1]);
  v[0][1] + H();
}
void u25() {
  std::optional<std::pair<Tensor, Tensor>> o;
  o = std::make_pair(H(), H());
  o->first = G();
  o->first + G();
  o->second + H();
  auto [a, b] = *o;
  a + G();
  b + H();
}
void u26(std::optional<std::tuple<Tensor, Tensor>> o) {
  if (o) {
    auto [a, b] = *o;
    a + b;
    a.to(kCUDA) + G();
    o = std::make_tuple(a.cuda(), b.cuda());
    std::get<0>(*o) + G();
  }
}
std::tuple<Tensor, Tensor> step(Tensor x, std::tuple<Tensor, Tensor> s) {
  return {x + std::get<0>(s), std::get<1>(s)};
}
void u27() {
  std::tuple<Tensor, Tensor> s{H(), H()};
  Tensor x = H();
  for (int i = 0; i < 3; ++i) {
    s = step(x, s);
    x = std::get<0>(s);
  }
  s = std::make_tuple(std::get<0>(s).cuda(), std::get<1>(s).cuda());
  x = x.cuda();
  auto [y, z] = step(x, s);
  y + z;
}
template <typename T> void each(T &c, const torch::Device &d) {
  for (auto &t : c)
    t = t.to(d);
}
void u28() {
  L l{H()};
  std::array<Tensor, 2> a{H(), H()};
  each(l, kCUDA);
  each(a, kCUDA);
  l[0] + a[1];
  l[0] + G();
}
template <typename M> void eachm(M &m, torch::Device d) {
  for (auto &kv : m)
    kv.second = kv.second.to(d);
}
void u29() {
  std::map<int, Tensor> m;
  m[0] = H();
  eachm(m, kCUDA);
  m[0] + G();
}
L moved(L l, torch::Device d) {
  for (auto &t : l)
    t = t.to(d);
  return l;
}
void u30() {
  L l{H()};
  auto g = moved(l, kCUDA);
  g[0] + G();
  l[0] + H();
  l = moved(std::move(l), kCUDA);
  l[0] + G();
}
void u31() {
  L l;
  l.reserve(3);
  auto &first = l.emplace_back(H());
  first = first.cuda();
  l[0] + G();
  l.push_back(H());
  l[1] + H();
}
void u32() {
  std::deque<std::pair<Tensor, int>> q;
  q.emplace_back(H(), 1);
  q.front().first = G();
  auto p = q.front();
  q.pop_front();
  p.first + G();
  q.emplace_back(H(), 2);
  auto [t, n] = q.back();
  t + H();
}
void u33() {
  auto p = std::make_shared<L>();
  p->push_back(H());
  auto q = p;
  (*q)[0] = G();
  (*p)[0] + G();
  for (auto &t : *p)
    t = t.cpu();
  (*q)[0] + H();
}
void u34() {
  L *p = new L{H()};
  p->at(0) = G();
  p->at(0) + G();
  (*p)[0] + G();
  L &r = *p;
  r[0] = H();
  (*p)[0] + H();
  delete p;
}
struct Ag {
  L obs;
  std::pair<Tensor, Tensor> st;
  std::map<std::string, Tensor> w;
};
void fill(Ag &a, torch::Device d) {
  a.obs.assign(2, torch::ones({1}, d));
  a.st = {torch::ones({1}, d), torch::ones({1}, d)};
  a.w["x"] = torch::ones({1}, d);
}
void u35() {
  Ag a;
  fill(a, kCPU);
  a.obs[0] + a.st.first;
  fill(a, kCUDA);
  a.obs[0] + a.st.first;
  a.w["x"] + a.st.second;
}
void u36() {
  std::vector<Ag> v(2);
  fill(v[0], kCUDA);
  fill(v[1], kCPU);
  v[0].w["x"] + torch::ones({1}, kCUDA);
  v[1].st.first + torch::ones({1});
  for (auto &a : v)
    fill(a, kCUDA);
  v[1].st.first + torch::ones({1}, kCUDA);
  v[0].obs[0] + v[1].w["x"];
}
void u37() {
  try {
    L l{H()};
    l[0] = l.at(0).cuda();
    if (more())
      throw 1;
    l[0] + G();
  } catch (int) {
  }
}
Tensor pick(const std::map<std::string, Tensor> &m, const std::string &k) {
  auto it = m.find(k);
  if (it == m.end())
    throw std::out_of_range(k);
  return it->second;
}
void u38() {
  std::map<std::string, Tensor> m{{"a", H()}, {"b", G()}};
  pick(m, "b") + G();
  pick(m, "a") + H();
}
Tensor orThrow(Tensor t) {
  if (!t.is_cuda())
    throw std::runtime_error("cpu");
  return t;
}
void u39(Tensor x) {
  auto y = orThrow(x);
  y + G();
  x + y;
}
void check(const Tensor &t) { TORCH_CHECK(t.is_cuda()); }
void u40(Tensor x) {
  try {
    check(x);
  } catch (...) {
    x = x.cuda();
  }
  x + G();
}
} // namespace mixed
