//===- unsafe.cpp - torch-cross-device-op: what it reports -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-op %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace F = torch::nn::functional;

void operators() {
  auto x = torch::rand({3});
  auto y = torch::rand({3}, torch::kCUDA);
  x + y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x - y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'sub' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x * y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mul' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x / y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'div' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x % y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'remainder' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x == y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'eq' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x != y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'ne' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x < y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'lt' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x <= y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'le' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x > y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'gt' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x >= y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'ge' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  (x > 0) & (y > 0);
  // CHECK: :[[@LINE-1]]:11: warning: operands of 'bitwise_and' are on different devices: '(y > 0)' is on cuda, '(x > 0)' is on cpu [torch-cross-device-op]
  (x > 0) | (y > 0);
  // CHECK: :[[@LINE-1]]:11: warning: operands of 'bitwise_or' are on different devices: '(y > 0)' is on cuda, '(x > 0)' is on cpu [torch-cross-device-op]
  (x > 0) ^ (y > 0);
  // CHECK: :[[@LINE-1]]:11: warning: operands of 'bitwise_xor' are on different devices: '(y > 0)' is on cuda, '(x > 0)' is on cpu [torch-cross-device-op]
  x += y;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add_' are on different devices: 'x' is on cpu, 'y' is on cuda [torch-cross-device-op]
  y -= x;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'sub_' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y *= x;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mul_' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y /= x;
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'div_' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  -x + 1 - y;
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'sub' are on different devices: 'y' is on cuda, '-x + 1' is on cpu [torch-cross-device-op]
}

void methods() {
  auto x = torch::rand({3, 3});
  auto y = torch::rand({3, 3}, torch::kCUDA);
  x.add(y);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.sub_(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'sub_' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.mul(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mul' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x.mm(y);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'mm' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  x.matmul(y);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'matmul' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.bmm(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'bmm' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.maximum(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'maximum' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.pow(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'pow' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.lt(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'lt' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.where(y > 0, x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'where' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.dot(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'dot' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.addmm(x, y);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'addmm' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.atan2(x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'atan2' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.clamp(x, x);
  // CHECK: :[[@LINE-1]]:5: warning: operands of 'clamp' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

void functions() {
  auto x = torch::rand({3, 3});
  auto y = torch::rand({3, 3}, torch::kCUDA);
  torch::add(x, y);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'add' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  at::mul(x, y);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mul' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::matmul(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'matmul' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::where(y > 0, y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'where' are on different devices: 'y > 0' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::max(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'max' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::cdist(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cdist' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::cross(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cross' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::lerp(y, y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'lerp' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::mse_loss(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mse_loss' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  F::l1_loss(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::l1_loss' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  F::linear(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::linear' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  F::cosine_similarity(y, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cosine_similarity' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

void lists() {
  auto x = torch::rand({3});
  auto y = torch::rand({3}, torch::kCUDA);
  torch::cat({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cat' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::cat({y, y, x}, 0);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cat' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::stack({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'stack' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::hstack({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'hstack' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::vstack({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'vstack' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  std::vector<torch::Tensor> parts = {x, y};
  torch::cat(parts);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cat' are on different devices: argument 'tensors[1]' is on cuda, argument 'tensors[0]' is on cpu [torch-cross-device-op]
  torch::TensorList view(parts);
  torch::meshgrid({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'meshgrid' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
  torch::block_diag({x, y});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'block_diag' are on different devices: 'y' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

// Where the result is, so that the next operation is judged.
void resultsFlowOn() {
  auto x = torch::rand({3, 3});
  auto y = torch::rand({3, 3}, torch::kCUDA);
  auto activated = torch::relu(y.mm(y) + 1).t();
  activated + x;
  // CHECK: :[[@LINE-1]]:13: warning: operands of 'add' are on different devices: 'activated' is on cuda, 'x' is on cpu [torch-cross-device-op]
  auto [values, indices] = y.max(0);
  values + x;
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'values' is on cuda, 'x' is on cpu [torch-cross-device-op]
  std::get<0>(y.sort(0)) + x;
  // CHECK: :[[@LINE-1]]:26: warning: operands of 'add' are on different devices: 'std::get<0>(y.sort(0))' is on cuda, 'x' is on cpu [torch-cross-device-op]
  y.view({9}) + x.view({9});
  // CHECK: :[[@LINE-1]]:15: warning: operands of 'add' are on different devices: 'y.view({9})' is on cuda, 'x.view({9})' is on cpu [torch-cross-device-op]
  y.sum(0) + x;
  // CHECK: :[[@LINE-1]]:12: warning: operands of 'add' are on different devices: 'y.sum(0)' is on cuda, 'x' is on cpu [torch-cross-device-op]
  auto &same = y;
  same + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'same' is on cuda, 'x' is on cpu [torch-cross-device-op]
  const torch::Tensor &bound = y.flatten();
  bound + x.flatten();
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add' are on different devices: 'bound' is on cuda, 'x.flatten()' is on cpu [torch-cross-device-op]
  y.grad() + x;
  auto copy = std::move(y);
  copy + x;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'copy' is on cuda, 'x' is on cpu [torch-cross-device-op]
}

void otherPlaces() {
  auto host = torch::rand({3});
  auto mps = torch::rand({3}, torch::kMPS);
  auto xpu = torch::rand({3}, torch::Device(torch::kXPU, 0));
  auto first = torch::rand({3}, torch::Device(torch::kCUDA, 0));
  auto second = torch::rand({3}, torch::Device("cuda:1"));
  host + mps;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'mps' is on mps, 'host' is on cpu [torch-cross-device-op]
  host + xpu;
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'xpu' is on xpu:0, 'host' is on cpu [torch-cross-device-op]
  first + second;
  // CHECK: :[[@LINE-1]]:9: warning: operands of 'add' are on different devices: 'first' is on cuda:0, 'second' is on cuda:1 [torch-cross-device-op]
  second + xpu;
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'add' are on different devices: 'second' is on cuda:1, 'xpu' is on xpu:0 [torch-cross-device-op]
  torch::rand({3}, torch::kCUDA) + mps;
  // CHECK: :[[@LINE-1]]:34: warning: operands of 'add' are on different devices: 'torch::rand({3}, torch::kCUDA)' is on cuda, 'mps' is on mps [torch-cross-device-op]
}

torch::Tensor target(torch::Tensor input) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  auto output = torch::rand({8, 2}).to(device);
  auto wanted = torch::rand({8, 2});
  return torch::mse_loss(output, wanted);
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'mse_loss' are on different devices: 'output' is on cuda, 'wanted' is on cpu when torch::cuda::is_available() [torch-cross-device-op]
}

void strictScalars() {
  auto y = torch::rand({3}, torch::kCUDA);
  auto scalar = torch::tensor(1.f);
  torch::cat({y, scalar.view({1})});
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'cat' are on different devices: 'y' is on cuda, 'scalar.view({1})' is on cpu [torch-cross-device-op]
  torch::addcdiv(y, y, scalar);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'addcdiv' are on different devices: 'y' is on cuda, 'scalar' is on cpu [torch-cross-device-op]
  scalar += y;
  // CHECK: :[[@LINE-1]]:10: warning: operands of 'add_' are on different devices: 'scalar' is on cpu, 'y' is on cuda [torch-cross-device-op]
  scalar.copy_(y);
}

void outArguments() {
  auto x = torch::rand({3, 3}, torch::kCUDA);
  auto out = torch::empty({3, 3});
  torch::add_out(out, x, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'add_out' are on different devices: 'out' is on cpu, 'x' is on cuda [torch-cross-device-op]
  torch::mm_out(out, x, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'mm_out' are on different devices: 'x' is on cuda, 'out' is on cpu [torch-cross-device-op]
  torch::exp_out(out, x);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'exp_out' are on different devices: 'x' is on cuda, 'out' is on cpu [torch-cross-device-op]
}

void mustBeOnHost() {
  auto x = torch::rand({6}, torch::kCUDA);
  x.tensor_split(torch::tensor({2, 4}, torch::kCUDA));
  // CHECK: :[[@LINE-1]]:5: warning: argument 'tensor_indices_or_sections' of 'tensor_split' must be on cpu, but 'torch::tensor({2, 4}, torch::kCUDA)' is on cuda [torch-cross-device-op]
}

// The story's notes name both, in order.
torch::Tensor story(bool gpu) {
  auto weights = torch::rand({3});
  auto input = torch::rand({3});
  if (gpu)
    input = input.cuda();
  return input * weights;
  // CHECK: :[[@LINE-1]]:16: warning: operands of 'mul' are on different devices: 'input' is on cuda, 'weights' is on cpu when gpu [torch-cross-device-op]
}
