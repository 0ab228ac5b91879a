//===- safe.cpp - torch-undefined-tensor-device: what it is silent about --===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-undefined-tensor-device %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

#include <optional>

torch::Tensor make();
void fill(torch::Tensor &t);
template <class T> void anything(T &&x);

void questionsThatAreAnswered() {
  torch::Tensor t;
  bool onGpu = t.is_cuda();
  auto sizes = t.sizes();
  auto type = t.dtype();
  bool there = t.defined() && t.device() == torch::kCPU;
  if (t.defined())
    t.device();
}

void filled() {
  torch::Tensor a, b, c, d;
  fill(a);
  a.device();
  anything(b);
  b.device();
  auto lambda = [&] { c = make(); };
  lambda();
  c.device();
  auto *pointer = &d;
  *pointer = make();
  d.device();
}

void several() {
  torch::Tensor values, indices, last;
  std::tie(values, indices) = torch::max(make(), 1);
  values.device();
  indices.device();
  auto old = std::exchange(last, make());
  last.device();
}

void moved(torch::Tensor x) {
  x = std::move(x);
  x = std::move(x).cuda();
  x.device();
}

void optionals(std::optional<torch::Tensor> given) {
  std::optional<torch::Tensor> mask;
  if (mask)
    mask->device();
  if (mask.has_value())
    mask.value().device();
  given->device();
}

// That none of the cases holds is not believed.
void cases(int mode, const std::string &name) {
  torch::Tensor t, u;
  switch (mode) {
  case 0:
    t = make();
    break;
  case 1:
    t = make();
    break;
  }
  t.device();
  if (name == "a")
    u = make();
  else if (name == "b")
    u = make();
  u.device();
}

void loops(const std::vector<torch::Tensor> &frames) {
  torch::Tensor last, sum;
  bool first = true;
  for (const auto &frame : frames) {
    if (last.defined())
      last.device();
    last = frame;
    if (first) {
      sum = frame;
      first = false;
    } else {
      sum = sum + frame.to(sum.device());
    }
  }
  sum.device();
}

void caught() {
  torch::Tensor t;
  try {
    t = make();
  } catch (...) {
  }
  t.device();
}

void layers(bool bias) {
  torch::nn::Linear with(2, 3);
  with->bias.device();
  torch::nn::Linear on(torch::nn::LinearOptions(2, 3).bias(true));
  on->bias.device();
  torch::nn::Linear either(torch::nn::LinearOptions(2, 3).bias(bias));
  either->bias.device();
  auto options = torch::nn::LinearOptions(2, 3).bias(false);
  options.bias(true);
  torch::nn::Linear changed(options);
  changed->bias.device();
  torch::nn::Linear later(torch::nn::LinearOptions(2, 3).bias(false));
  later->options.bias(true);
  later->reset();
  later->bias.device();
  torch::nn::Linear own(torch::nn::LinearOptions(2, 3).bias(false));
  own->bias = torch::zeros({3});
  own->bias.device();
  own->weight.device();
  torch::nn::ReLU none;
  for (auto &p : none->parameters())
    p.device();
}

struct NetImpl : torch::nn::Module {
  explicit NetImpl(bool bias)
      : fc(register_module("fc", torch::nn::Linear(torch::nn::LinearOptions(2, 3).bias(bias)))),
        plain(register_module("plain", torch::nn::Linear(torch::nn::LinearOptions(2, 3).bias(false)))) {}
  torch::Tensor forward(torch::Tensor x) {
    x = x.to(fc->bias.device());
    if (plain->bias.defined())
      x = x.to(plain->bias.device());
    return plain->forward(fc->forward(x.to(plain->weight.device())));
  }
  void prepare() { later = make(); }
  torch::Device where() { return later.device(); }
  torch::nn::Linear fc, plain;
  torch::Tensor later;
};

// A tensor that is not there has no elements.
static torch::Tensor weighted(torch::Tensor x, const torch::Tensor &weight) {
  if (weight.numel() == 0)
    return x;
  return x * weight.to(x.device());
}
torch::Tensor withoutWeight(const torch::Tensor &x) {
  torch::Tensor none;
  if (none.numel() > 0)
    none = none.to(x.device());
  return weighted(x, none);
}

// Who asks for the option knows that there may be no bias.
struct Asking : torch::nn::Module {
  Asking() {
    fc = register_module("fc", torch::nn::Linear(torch::nn::LinearOptions(3, 4).bias(false)));
    bn = register_module("bn", torch::nn::BatchNorm1d(torch::nn::BatchNormOptions(3).track_running_stats(false)));
  }
  void print() {
    if (fc->options.bias())
      std::cout << fc->bias.device();
    if (bn->options.track_running_stats())
      std::cout << bn->running_mean.device();
  }
  torch::nn::Linear fc{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};
};

void asksForOption() {
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(3, 4, 3).bias(false));
  if (conv->options.bias())
    std::cout << conv->bias.device();
  if (!conv->options.bias())
    return;
  std::cout << conv->bias.device();
}
