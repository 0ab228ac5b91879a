//===- contracts-facts.cpp - What a naive linter gets wrong ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of docs/formats/contracts.md; numbers that it does not
// have are of facts beside the table. The gaps are facts about modules, pointers
// and threads, which no single operation shows.
//
// RUN: %check 'torch-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace F = torch::nn::functional;
using torch::indexing::Slice;
using torch::Tensor;

static const auto Gpu = torch::TensorOptions(torch::kCUDA);

// 1: 0-dim, not one element.
void fact1() {
  auto x = torch::rand({3}, Gpu);
  x + torch::tensor(1.f);
  x + torch::tensor({1.f});
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::tensor({1.f})' is on cpu [torch-cross-device-op]
  x + torch::ones(1);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::ones(1)' is on cpu [torch-cross-device-op]
  x + torch::full({1}, 2);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::full({1}, 2)' is on cpu [torch-cross-device-op]
  x * torch::scalar_tensor(2);
  x / torch::ones({});
}

// 2: the exception is for CPU scalars only.
void fact2() {
  auto host = torch::rand({3});
  host + torch::tensor(1.f, Gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::tensor(1.f, Gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  auto first = torch::rand({3}, torch::Device(torch::kCUDA, 0));
  first + torch::tensor(1.f, torch::Device(torch::kCUDA, 1));
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add' are on different devices: 'first' is on cuda:0, 'torch::tensor(1.f, torch::Device(torch::kCUDA...' is on cuda:1 [torch-cross-device-op]
}

// 3: both 0-dim: fine, the result is on the GPU.
void fact3() {
  auto x = torch::rand({3});
  auto y = torch::rand({3}, Gpu);
  auto difference = x.mean() - y.mean();
  y + difference;
  x + difference;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'difference' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

// 4: acc = acc + loss works, acc += loss does not.
void fact4() {
  auto loss = torch::rand({3}, Gpu).sum();
  auto acc = torch::zeros({});
  acc = acc + loss;
  torch::rand({3}, Gpu) + acc;
  auto other = torch::zeros({});
  other += loss;
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add_' are on different devices: 'other' is on cpu, 'loss' is on cuda [torch-cross-device-op]
  other.add_(loss);
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add_' are on different devices: 'other' is on cpu, 'loss' is on cuda [torch-cross-device-op]
}

// 5: self of an in-place operator is never the excepted operand.
void fact5() {
  auto x = torch::rand({3}, Gpu);
  x.sum() += torch::tensor(1.f);
  x *= torch::tensor(2.f);
  torch::tensor(2.f).mul_(x);
  // CHECK: :[[@LINE-1]]:22: warning: operands of 'mul_' are on different devices: 'torch::tensor(2.f)' is on cpu, 'x' is on cuda [torch-cross-device-op]
}

// 6: who takes a CPU scalar.
void fact6() {
  auto x = torch::rand({3}, Gpu);
  auto n = torch::ones({3}, Gpu.dtype(torch::kLong));
  auto scalar = torch::tensor(2.f);
  auto whole = torch::tensor(2);
  torch::maximum(x, scalar);
  torch::minimum(x, scalar);
  torch::pow(x, scalar);
  torch::fmod(x, scalar);
  torch::where(x > 0, x, scalar);
  torch::clamp(x, torch::tensor(2.f));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'clamp' are on different devices: 'x' is on cuda, 'torch::tensor(2.f)' is on cpu [torch-cross-device-op]
  x.clamp_min(scalar);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'clamp_min' are on different devices: 'x' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
  torch::gcd(n, whole);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'gcd' are on different devices: 'n' is on cuda, 'whole' is on cpu [torch-cross-device-op]
  torch::lcm(n, whole);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'lcm' are on different devices: 'n' is on cuda, 'whole' is on cpu [torch-cross-device-op]
  torch::logaddexp(x, scalar);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'logaddexp' are on different devices: 'x' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
  torch::nextafter(x, scalar);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'nextafter' are on different devices: 'x' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
  torch::igamma(x, scalar);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'igamma' are on different devices: 'x' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
}

// 7: addcdiv takes no CPU scalar.
void fact7() {
  auto x = torch::rand({3}, Gpu);
  torch::addcdiv(x, x, torch::tensor(2.f));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'addcdiv' are on different devices: 'x' is on cuda, 'torch::tensor(2.f)' is on cpu [torch-cross-device-op]
  torch::lerp(x, x, torch::tensor(0.5f));
}

// 8: where: the condition counts, Scalars do not, several CPU scalars may be there.
void fact8() {
  auto x = torch::rand({3}, Gpu);
  auto condition = torch::rand({3}) > 0.5;
  torch::where(condition, x, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'where' are on different devices: 'x' is on cuda, 'condition' is on cpu [torch-cross-device-op]
  torch::where(x > 0, x, 0.0);
  torch::where(x > 0, torch::tensor(1.f), torch::tensor(0.f));
}

// 9: logical operators make the result on self's device.
void fact9() {
  auto x = torch::rand({3}, Gpu) > 0;
  torch::logical_and(torch::tensor(true), x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'logical_and' are on different devices: 'torch::tensor(true)' is on cpu, 'x' is on cuda [torch-cross-device-op]
  torch::logical_and(x, torch::tensor(true));
}

// 10: CPU indices of a CUDA tensor work, CUDA indices of a CPU tensor do not.
void fact10() {
  auto x = torch::rand({3, 3});
  auto y = torch::rand({3, 3}, torch::Device("cuda:0"));
  auto hostIndex = torch::arange(2);
  auto gpuIndex = torch::arange(2, Gpu);
  y.index({hostIndex});
  x.index({gpuIndex});
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'gpuIndex' is on cuda, but the indexed tensor 'x' is on cpu [torch-cross-device-index]
  y.index({hostIndex, torch::arange(2, torch::Device("cuda:0"))});
  y.index({torch::arange(2, torch::Device("cuda:1"))});
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'torch::arange(2, torch::Device("cuda:1"))' is on cuda:1, but the indexed tensor 'y' is on cuda:0 [torch-cross-device-index]
  x.index({Slice(), gpuIndex});
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'gpuIndex' is on cuda, but the indexed tensor 'x' is on cpu [torch-cross-device-index]
  x.index({"...", gpuIndex});
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'gpuIndex' is on cuda, but the indexed tensor 'x' is on cpu [torch-cross-device-index]
  torch::index(x, {gpuIndex});
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'gpuIndex' is on cuda, but the indexed tensor 'x' is on cpu [torch-cross-device-index]
}

// 11: index_put_ moves its indices; the value matters.
void fact11() {
  auto x = torch::rand({3, 3});
  x.index_put_({torch::arange(2, Gpu)}, torch::rand({2, 3}));
  auto index = torch::zeros({2}, torch::kLong);
  x.index_put_({index}, torch::rand({2, 3}, Gpu));
  // CHECK: :[[@LINE-1]]:5: warning: value 'torch::rand({2, 3}, Gpu)' is on cuda, but the tensor 'x' is on cpu [torch-cross-device-index]
}

// 12: with ints and slices only it is a copy.
void fact12() {
  auto x = torch::rand({3, 3}, Gpu);
  auto row = torch::rand({3});
  auto rows = torch::rand({2, 3});
  auto index = torch::arange(2, Gpu.dtype(torch::kLong));
  x[0] = row;
  x.index_put_({0}, row);
  x.index_put_({Slice(0, 2)}, rows);
  x.index({Slice(0, 2)}) = rows;
  x.index_put_({index}, rows);
  // CHECK: :[[@LINE-1]]:5: warning: value 'rows' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
  x.index_put_({index}, torch::tensor(0.f));
  x.index_put_({index}, 0.f);
}

// 13: a 0-dim index is read with item().
void fact13() {
  auto x = torch::rand({3, 3});
  x[torch::tensor(1, Gpu)];
  x.index({torch::tensor(1, Gpu)});
  x[torch::arange(3, Gpu)[0]];
}

// 14: a mask of masked_fill must be on self's device, one of index need not.
void fact14() {
  auto x = torch::rand({3}, Gpu);
  auto mask = torch::rand({3}) > 0.5;
  x.index({mask});
  x.index_put_({mask}, 0.f);
  x.masked_fill(mask, 0.f);
  // CHECK: :[[@LINE-1]]:5: warning: mask 'mask' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
  x.masked_fill_(mask, 0.f);
  // CHECK: :[[@LINE-1]]:5: warning: mask 'mask' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
  torch::masked_select(x, mask);
  // CHECK: :[[@LINE-1]]:3: warning: mask 'mask' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
  x.masked_scatter(mask, torch::rand({3}, Gpu));
  // CHECK: :[[@LINE-1]]:5: warning: mask 'mask' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
}

// 15: index tensors of named operators must be on the same device.
void fact15() {
  auto x = torch::rand({3, 3}, Gpu);
  auto line = torch::arange(2);
  auto square = torch::zeros({2, 2}, torch::kLong);
  x.gather(1, square);
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'square' is on cpu, but the indexed tensor 'x' is on cuda [torch-cross-device-index]
  torch::zeros_like(x).scatter_(1, square, x);
  // CHECK: :[[@LINE-1]]:24: warning: index tensor 'square' is on cpu, but the indexed tensor 'torch::zeros_like(x)' is on cuda [torch-cross-device-index]
  x.index_select(0, line);
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'line' is on cpu, but the indexed tensor 'x' is on cuda [torch-cross-device-index]
  x.index_add(0, line, torch::rand({2, 3}, Gpu));
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'line' is on cpu, but the indexed tensor 'x' is on cuda [torch-cross-device-index]
  x.index_copy(0, line, torch::rand({2, 3}, Gpu));
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'line' is on cpu, but the indexed tensor 'x' is on cuda [torch-cross-device-index]
  torch::take(x, line);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'line' is on cpu, but the indexed tensor 'x' is on cuda [torch-cross-device-index]
  torch::embedding(x, line);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'line' is on cpu, but the embedding table 'x' is on cuda [torch-cross-device-index]
  F::embedding(line, x);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'line' is on cpu, but the embedding table 'x' is on cuda [torch-cross-device-index]
  x.index({line});
}

// 16: copied across.
void fact16() {
  auto x = torch::rand({3}, Gpu);
  auto host = torch::rand({3});
  x.fill_(torch::tensor(1.f));
  torch::rand({3}).fill_(torch::tensor(1.f, Gpu));
  x.copy_(host);
  host.copy_(x);
  torch::slice_scatter(x, torch::rand({2}), 0, 0, 2);
  x.masked_fill_(x > 0, torch::tensor(0.f));
}

// 17: cat has no exception.
void fact17() {
  auto x = torch::rand({3}, Gpu);
  torch::cat({torch::empty({0}), x});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cat' are on different devices: 'x' is on cuda, 'torch::empty({0})' is on cpu [torch-cross-device-op]
  torch::stack({torch::tensor(1.f), x.sum()});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'stack' are on different devices: 'x.sum()' is on cuda, 'torch::tensor(1.f)' is on cpu [torch-cross-device-op]
  torch::cat({x, x});
}

// 18: losses.
void fact18() {
  auto x = torch::rand({3, 3}, Gpu);
  auto classes = torch::zeros({3}, torch::kLong);
  auto scalar = torch::tensor(0.f);
  torch::cross_entropy_loss(x, classes);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cross_entropy_loss' are on different devices: 'x' is on cuda, 'classes' is on cpu [torch-cross-device-op]
  F::cross_entropy(x, classes);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'classes' is on cpu [torch-cross-device-op]
  torch::nll_loss(x, classes);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'nll_loss' are on different devices: 'x' is on cuda, 'classes' is on cpu [torch-cross-device-op]
  torch::mse_loss(x, torch::rand({3, 3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mse_loss' are on different devices: 'x' is on cuda, 'torch::rand({3, 3})' is on cpu [torch-cross-device-op]
  F::mse_loss(x, torch::rand({3, 3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::mse_loss' are on different devices: 'x' is on cuda, 'torch::rand({3, 3})' is on cpu [torch-cross-device-op]
  torch::mse_loss(x, scalar);
  torch::l1_loss(x, scalar);
  torch::huber_loss(x, scalar);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'huber_loss' are on different devices: 'x' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
  torch::binary_cross_entropy(x, torch::rand({3, 3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'binary_cross_entropy' are on different devices: 'x' is on cuda, 'torch::rand({3, 3})' is on cpu [torch-cross-device-op]
}

// 19: what wants the host, and what takes both.
void fact19() {
  auto probabilities = torch::rand({5, 1, 4}, Gpu).log_softmax(2);
  torch::ctc_loss(probabilities, torch::ones({1, 2}, torch::kLong),
                  torch::tensor({5}), torch::tensor({2}));
  auto x = torch::rand({4}, Gpu);
  x.tensor_split(torch::tensor({1, 2}, Gpu));
  // CHECK: :[[@LINE-1]]:5: warning: argument 'tensor_indices_or_sections' of 'tensor_split' must be on cpu, but 'torch::tensor({1, 2}, Gpu)' is on cuda [torch-cross-device-op]
  x.tensor_split(torch::tensor({1, 2}));
}

// 20: weights in functional options are moved by hand.
void fact20() {
  auto x = torch::rand({3, 3}, Gpu);
  auto y = torch::zeros({3}, Gpu.dtype(torch::kLong));
  torch::cross_entropy_loss(x, y, torch::ones({3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cross_entropy_loss' are on different devices: 'x' is on cuda, 'torch::ones({3})' is on cpu [torch-cross-device-op]
  torch::cross_entropy_loss(x, y, torch::ones({3}, Gpu));
}

// 21: a move that nobody takes.
void fact21(torch::nn::Linear module, torch::Device device) {
  auto x = torch::rand({3});
  x.to(device);
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'to' is dropped; 'x' itself does not change [torch-discarded-transfer]
  x.cuda();
  // CHECK: :[[@LINE-1]]:5: warning: the result of 'cuda' is dropped; 'x' itself does not change [torch-discarded-transfer]
  module->to(device);
}

// 22: kCUDA is the current device.
void fact22() {
  auto x = torch::rand({3}, torch::Device("cuda:1"));
  x.to(torch::kCUDA) + torch::rand({3}, torch::Device("cuda:0"));
}

// 23: an element type says nothing about the device.
void fact23() {
  auto x = torch::rand({3}, Gpu);
  x + torch::zeros({3}, x.dtype());
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::zeros({3}, x.dtype())' is on cpu [torch-cross-device-op]
  x + torch::zeros({3}, x.scalar_type());
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::zeros({3}, x.scalar_type())' is on cpu [torch-cross-device-op]
  x + torch::zeros({3}, x.options());
  x + torch::zeros_like(x, torch::kDouble);
}

// 25: C++ has no default device.
void fact25() {
  torch::set_default_dtype(torch::scalarTypeToTypeMeta(torch::kDouble));
  torch::rand({3}, Gpu) + torch::rand({3});
  // CHECK: :[[@LINE-1]]:25: warning: operands of 'add' are on different devices: 'torch::rand({3}, Gpu)' is on cuda, 'torch::rand({3})' is on cpu [torch-cross-device-op]
}

// 28: to() leaves its tensor alone.
void fact28() {
  auto x = torch::rand({3});
  auto y = x;
  y = y.to(torch::kCUDA);
  x + y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

// 33: a convolution compares types: two GPUs pass that, and fail later.
void fact33() {
  auto x = torch::rand({1, 1, 4, 4}, Gpu);
  torch::conv2d(x, torch::rand({1, 1, 2, 2}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'conv2d' are on different devices: 'x' is on cuda, 'torch::rand({1, 1, 2, 2})' is on cpu [torch-cross-device-op]
  torch::conv2d(x, torch::rand({1, 1, 2, 2}, Gpu));
}

// 35: the bias counts too.
void fact35() {
  auto x = torch::rand({2, 3}, Gpu);
  auto w = torch::rand({4, 3}, Gpu);
  F::linear(x, w, torch::rand({4}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::linear' are on different devices: 'x' is on cuda, 'torch::rand({4})' is on cpu [torch-cross-device-op]
  F::linear(torch::rand({2, 3}), w);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::linear' are on different devices: 'w' is on cuda, 'torch::rand({2, 3})' is on cpu [torch-cross-device-op]
  torch::linear(x, torch::rand({4, 3}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'linear' are on different devices: 'x' is on cuda, 'torch::rand({4, 3})' is on cpu [torch-cross-device-op]
  torch::addmm(torch::rand({4}), x, w.t());
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'addmm' are on different devices: 'x' is on cuda, 'torch::rand({4})' is on cpu [torch-cross-device-op]
}

// 37: an undefined tensor counts nowhere.
void fact37() {
  auto x = torch::rand({2, 3}, Gpu);
  auto w = torch::rand({4, 3}, Gpu);
  torch::linear(x, w, torch::Tensor());
  torch::linear(x, w, {});
  Tensor bias;
  F::linear(x, w, bias);
  auto host = torch::rand({2, 3});
  host + torch::rand({2, 3});
}

// 45: helpers that live on the host.
void fact45() {
  auto x = torch::rand({4, 4}, Gpu);
  x * torch::hann_window(4);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mul' are on different devices: 'x' is on cuda, 'torch::hann_window(4)' is on cpu [torch-cross-device-op]
  x + torch::arange(4);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::arange(4)' is on cpu [torch-cross-device-op]
  x + torch::one_hot(torch::arange(4), 4);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::one_hot(torch::arange(4), 4)' is on cpu [torch-cross-device-op]
  x + torch::eye(4);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'x' is on cuda, 'torch::eye(4)' is on cpu [torch-cross-device-op]
}

// 46: only the shape counts, or the tensor moves.
void fact46() {
  auto x = torch::rand({2, 3}, Gpu);
  auto host = torch::rand({2, 3});
  x.view_as(host) + x;
  x.expand_as(host) + x;
  x.reshape_as(host) + host;
  // CHECK: :[[@LINE-1]]:22: warning: operands of 'add' are on different devices: 'x.reshape_as(host)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host.type_as(x) + x;
  host.to(x) + x;
}

// 47: out= is there already.
void fact47() {
  auto x = torch::rand({2, 3}, Gpu);
  auto out = torch::empty({0});
  torch::sum_out(out, x, 0);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'sum_out' are on different devices: 'x' is on cuda, 'out' is on cpu [torch-cross-device-op]
  torch::mm_out(out, x, x.t());
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mm_out' are on different devices: 'x' is on cuda, 'out' is on cpu [torch-cross-device-op]
  torch::add_out(out, x, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'add_out' are on different devices: 'out' is on cpu, 'x' is on cuda [torch-cross-device-op]
}

// 51: no CUDA kernel at all.
void fact51() {
  auto x = torch::rand({8}, Gpu);
  torch::histc(x, 4);
  auto [values, vectors] = torch::linalg_eig(torch::rand({2, 2}, Gpu));
  values + torch::rand({2});
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'values' is on cuda, 'torch::rand({2})' is on cpu [torch-cross-device-op]
}

// 54: two CPU scalars are no exception for a strict operator.
void fact54() {
  auto x = torch::rand({2, 2}, Gpu);
  torch::mm(x, torch::rand({2, 2}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mm' are on different devices: 'x' is on cuda, 'torch::rand({2, 2})' is on cpu [torch-cross-device-op]
  torch::matmul(x, torch::rand({2, 2}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'matmul' are on different devices: 'x' is on cuda, 'torch::rand({2, 2})' is on cpu [torch-cross-device-op]
  torch::einsum("ij,jk->ik", {x, torch::rand({2, 2})});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'einsum' are on different devices: 'x' is on cuda, 'torch::rand({2, 2})' is on cpu [torch-cross-device-op]
  torch::dot(x[0], torch::rand({2}));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'dot' are on different devices: 'x[0]' is on cuda, 'torch::rand({2})' is on cpu [torch-cross-device-op]
}
