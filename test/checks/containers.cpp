//===- containers.cpp - Lists of objects, maps, loops over them ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is put into a list, a map or a tuple is known where it is taken out.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <array>
#include <deque>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <torch/torch.h>
#include <unordered_map>

using torch::kCUDA;
using torch::Tensor;

Tensor gpu() { return torch::ones({2}, kCUDA); }
Tensor cpu() { return torch::ones({2}); }

struct View {
  int id = 0;
  Tensor image, pose;
  void toGpu() { image = image.cuda(); }
};

// Lists of objects.
std::vector<View> load() {
  std::vector<View> views;
  for (int i = 0; i < 3; ++i) {
    View v;
    v.id = i;
    v.image = cpu();
    v.pose = gpu();
    views.push_back(std::move(v));
  }
  return views;
}
void elements() {
  auto views = load();
  for (const View &v : views)
    v.image + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  views[0].image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  views.front().image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  views.at(1).image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  views.back().image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto it = views.rbegin(); it != views.rend(); ++it)
    it->image + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  const auto &first = views[0];
  first.image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  auto copy = views;
  copy[1].image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  auto moved = std::move(views);
  moved[1].image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void use(const std::vector<View> &views) {
  for (const auto &v : views)
    v.image + v.pose;
}
void passed() {
  use(load());
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  auto views = load();
  use(views);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
struct Pair {
  Tensor a, b;
  Pair(Tensor x, Tensor y) : a(x), b(y) {}
};
void emplaced() {
  std::vector<Pair> pairs;
  pairs.emplace_back(cpu(), gpu());
  pairs[0].a + pairs[0].b;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void changedByReference() {
  auto views = load();
  auto &r = views[0];
  r.image + r.pose;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  r.image = r.image.cuda();
  r.image + r.pose;
  views[0].image + views[0].pose;
  View &last = views.back();
  last.toGpu();
  last.image + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void stacked() {
  std::vector<Tensor> images;
  for (auto &v : load())
    images.push_back(v.image);
  torch::stack(images) + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Lists of other things.
void pairs() {
  std::vector<std::pair<Tensor, Tensor>> list;
  list.emplace_back(cpu(), gpu());
  list[0].first + list[0].second;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto &[a, b] : list)
    a + b;
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void tuples() {
  std::vector<std::tuple<Tensor, Tensor>> list;
  list.push_back(std::make_tuple(cpu(), gpu()));
  auto [a, b] = list[0];
  a + b;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  std::get<0>(list[0]) + std::get<1>(list[0]);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void arrays() {
  std::vector<std::array<Tensor, 2>> list;
  list.push_back({cpu(), gpu()});
  list[0][0] + list[0][1];
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void optionals() {
  std::vector<std::optional<Tensor>> list;
  list.push_back(cpu());
  *list[0] + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  list[0].value() + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void nested() {
  std::vector<std::vector<Tensor>> lists(1);
  lists[0].push_back(cpu());
  lists[0][0] + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto &list : lists)
    for (auto &t : list)
      t + gpu();
      // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void queues() {
  std::deque<View> queue;
  View v;
  v.image = cpu();
  queue.push_back(v);
  queue.push_front(v);
  queue.front().image + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void sized() {
  std::vector<Tensor> list(3, cpu());
  list[0] + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  std::vector<Tensor> slots;
  slots.resize(2);
  slots[0] = cpu();
  slots[0] + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Loops that change every element.
void everyElement() {
  std::vector<Tensor> list{cpu(), cpu()};
  for (auto &t : list)
    t = t.to(kCUDA);
  list[0] + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  list[1] + gpu();
}
void everyIndex() {
  std::vector<Tensor> list{cpu(), cpu()};
  for (size_t i = 0; i < list.size(); ++i)
    list[i] = list[i].to(kCUDA);
  list[0] + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  list[1] + gpu();
}
void everyObject() {
  auto views = load();
  for (auto &v : views)
    v.toGpu();
  views[0].image + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  views[0].image + views[1].pose;
}
void moveAll(std::vector<Tensor> &list) {
  for (auto &t : list)
    t = t.to(kCUDA);
}
void helper() {
  std::vector<Tensor> list{cpu()};
  moveAll(list);
  list[0] + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Maps.
void keys() {
  std::map<std::string, Tensor> m;
  m["a"] = cpu();
  m["b"] = gpu();
  m["a"] + m["b"];
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  m.at("a") + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  std::map<std::string, Tensor> braces{{"a", cpu()}};
  braces.at("a") + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  auto it = m.find("a");
  if (it != m.end())
    it->second + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void entries() {
  std::unordered_map<int, Tensor> m;
  m.emplace(1, cpu());
  m.insert({2, cpu()});
  m.at(1) + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto &entry : m)
    entry.second + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto &[key, t] : m)
    t = t.to(kCUDA);
  m.at(2) + cpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  m.at(2) + gpu();
}
void dictionaries() {
  torch::OrderedDict<std::string, Tensor> d;
  d.insert("a", cpu());
  d["a"] + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  for (auto &item : d)
    item.value() + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Tuples in tuples.
void nestedTuples() {
  auto p = std::make_pair(cpu(), std::make_pair(gpu(), cpu()));
  auto [a, bc] = p;
  auto [b, c] = bc;
  a + b;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  std::get<0>(std::get<1>(p)) + a;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  p.second.first + p.first;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  Tensor x, y, z;
  std::forward_as_tuple(x, std::tie(y, z)) = p;
  x + y;
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  x + z;
}
struct Rnn : torch::nn::Module {
  torch::nn::LSTM lstm{nullptr};
  Rnn() { lstm = register_module("lstm", torch::nn::LSTM(3, 4)); }
  std::tuple<Tensor, std::tuple<Tensor, Tensor>>
  forward(Tensor x, std::tuple<Tensor, Tensor> state) {
    Tensor h, c, out;
    std::tie(h, c) = state;
    std::tie(out, std::ignore) = lstm->forward(x, std::make_tuple(h, c));
    return std::make_tuple(out, std::make_tuple(h, c));
  }
};
void hiddenState() {
  auto model = std::make_shared<Rnn>();
  Tensor out, h = torch::zeros({1, 1, 4}), c = h;
  std::forward_as_tuple(out, std::tie(h, c)) =
      model->forward(torch::ones({1, 1, 3}), std::make_tuple(h, c));
  h + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Members that only their class changes.
class Rollout {
public:
  Rollout() : device_(kCUDA, 0) { state_["h"] = cpu(); }
  void add(const Tensor &value) {
    steps_.push_back({0, value.to(device_), torch::ones({2}, device_)});
  }
  void walk(const Tensor &last) const {
    for (size_t i = steps_.size(); i-- > 0;) {
      const View &s = steps_[i];
      s.pose + last;
    }
  }
  void read() {
    state_["h"] + gpu();
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
  }

private:
  torch::Device device_;
  std::vector<View> steps_;
  std::map<std::string, Tensor> state_;
};
void finish(const Rollout &rollout) {
  rollout.walk(cpu());
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Both kinds of elements are in the list once the counter was on both sides.
Tensor mixture(int64_t n, int64_t have) {
  std::vector<Tensor> list;
  for (int64_t i = 0; i < n; ++i) {
    if (i < have)
      list.push_back(gpu());
    else
      list.push_back(cpu());
  }
  return torch::stack(list);
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} when i < have [torch-cross-device-op]
}

// Addresses that are compared or printed.
void addresses(const Tensor *before) {
  Tensor x = cpu();
  if (&x != before)
    std::cout << &x;
  printf("%p", (void *)&x);
  x + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// What throws has no result.
Tensor readData(const std::string &path) {
  if (path.size() > 3)
    return torch::ones({2});
  else
    throw std::runtime_error("no such file");
}
void readOrThrown() {
  auto data = readData("a");
  data + gpu();
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// Each result is where its own tensor is.
void broadcast() {
  auto list = torch::broadcast_tensors({cpu(), gpu()});
  torch::cat({list[0], gpu()});
  // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}

// The call that brings the two together.
Tensor error(const Tensor &a, const Tensor &b) { return a - b; }
void compare(const std::vector<View> &views) {
  auto out = gpu();
  for (const View &v : views)
    error(out, v.image);
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: {{.+}} [torch-{{.+}}]
}
void compareAll() { compare(load()); }
