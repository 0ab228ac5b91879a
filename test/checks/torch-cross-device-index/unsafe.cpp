//===- unsafe.cpp - torch-cross-device-index: what it reports ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-cross-device-index %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

// The story: both tensors, where they were made, where they moved.
torch::Tensor story() {
  auto table = torch::rand({8, 4});
  auto picked = torch::randint(8, {3}, torch::kLong);
  picked = picked.to(torch::kCUDA);
  return table.index({picked});
  // CHECK: :[[@LINE-1]]:16: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
}

torch::Tensor conditional() {
  auto table = torch::rand({8, 4});
  auto picked = torch::arange(3);
  if (torch::cuda::is_available())
    picked = picked.cuda();
  return table.index({picked});
  // CHECK: :[[@LINE-1]]:16: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu when torch::cuda::is_available() [torch-cross-device-index]
}

torch::Tensor guarded(torch::Tensor table, torch::Tensor picked) {
  TORCH_CHECK(table.device().is_cpu() && picked.is_cuda());
  return table.index({picked});
  // CHECK: :[[@LINE-1]]:16: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
}

void forms() {
  auto table = torch::rand({8, 4});
  auto on = torch::TensorOptions().dtype(torch::kLong).device(torch::kCUDA);
  auto picked = torch::zeros({3}, on);
  table.index({picked, Slice()});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({Slice(), picked});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({Ellipsis, picked});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({None, picked});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({picked, 0});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({picked, torch::arange(3)});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({torch::arange(3), picked});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'picked' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  std::vector<at::indexing::TensorIndex> list{picked};
  table.index(list);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'list' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  table.index({table.to(torch::kCUDA) > 0});
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'table.to(torch::kCUDA) > 0' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
}

void masks() {
  auto x = torch::rand({8});
  auto gpu = x.cuda();
  x.index({gpu > 0});
  // CHECK: :[[@LINE-1]]:5: warning: index tensor 'gpu > 0' is on cuda, but the indexed tensor 'x' is on cpu [torch-cross-device-index]
  x.masked_select(gpu > 0.5);
  // CHECK: :[[@LINE-1]]:5: warning: mask 'gpu > 0.5' is on cuda, but the tensor 'x' is on cpu [torch-cross-device-index]
  gpu.masked_select(x > 0.5);
  // CHECK: :[[@LINE-1]]:7: warning: mask 'x > 0.5' is on cpu, but the tensor 'gpu' is on cuda [torch-cross-device-index]
  gpu.masked_fill_(x.isnan(), 0);
  // CHECK: :[[@LINE-1]]:7: warning: mask 'x.isnan()' is on cpu, but the tensor 'gpu' is on cuda [torch-cross-device-index]
  torch::masked_scatter(gpu, x > 0, gpu);
  // CHECK: :[[@LINE-1]]:3: warning: mask 'x > 0' is on cpu, but the tensor 'gpu' is on cuda [torch-cross-device-index]
  torch::masked_scatter(gpu, gpu > 0, x);
  // CHECK: :[[@LINE-1]]:3: warning: mask 'x' is on cpu, but the tensor 'gpu' is on cuda [torch-cross-device-index]
}

void lookups() {
  auto table = torch::rand({8, 4}, torch::kCUDA);
  auto rows = torch::arange(2);
  auto cells = torch::zeros({2, 2}, torch::kLong);
  torch::gather(table, 1, cells);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'cells' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.index_select(0, rows);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'rows' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.scatter_(1, cells, 0.f);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'cells' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.scatter_add_(1, cells, table);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'cells' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.scatter_(1, cells.cuda(), torch::rand({2, 2}));
  // CHECK: :[[@LINE-1]]:9: warning: value 'torch::rand({2, 2})' is on cpu, but the tensor 'table' is on cuda [torch-cross-device-index]
  table.index_fill_(0, rows, 0.f);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'rows' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.index_add_(0, rows, table.slice(0, 0, 2));
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'rows' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  table.take(cells);
  // CHECK: :[[@LINE-1]]:9: warning: index tensor 'cells' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  torch::take_along_dim(table, cells, 1);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'cells' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
  torch::embedding(table, rows);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'rows' is on cpu, but the embedding table 'table' is on cuda [torch-cross-device-index]
  torch::nn::functional::embedding(rows, table);
  // CHECK: :[[@LINE-1]]:3: warning: index tensor 'rows' is on cpu, but the embedding table 'table' is on cuda [torch-cross-device-index]
}

void putsValue() {
  auto x = torch::rand({8, 4}, torch::kCUDA);
  auto rows = torch::zeros({2}, torch::kLong);
  x.index_put_({rows}, torch::rand({2, 4}));
  // CHECK: :[[@LINE-1]]:5: warning: value 'torch::rand({2, 4})' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
  x.index_put_({rows, Slice()}, torch::rand({2, 4}));
  // CHECK: :[[@LINE-1]]:5: warning: value 'torch::rand({2, 4})' is on cpu, but the tensor 'x' is on cuda [torch-cross-device-index]
}

void inLambda() {
  auto pick = [](const torch::Tensor &) {
    auto table = torch::rand({8});
    return table.index({torch::zeros({2}).to(torch::kLong).cuda()});
    // CHECK: :[[@LINE-1]]:18: warning: index tensor 'torch::zeros({2}).to(torch::kLong).cuda()' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  };
  pick({});
}

template <typename Index> torch::Tensor inTemplate(Index index) {
  auto table = torch::rand({8}, torch::kCUDA);
  return table.gather(0, torch::zeros({2}, torch::kLong)) + index;
  // CHECK: :[[@LINE-1]]:16: warning: index tensor 'torch::zeros({2}, torch::kLong)' is on cpu, but the indexed tensor 'table' is on cuda [torch-cross-device-index]
}
template torch::Tensor inTemplate(int);
template torch::Tensor inTemplate(double);

struct Reader {
  torch::Tensor read() const {
    auto table = torch::rand({8});
    return table.index({torch::zeros({2}, torch::kCUDA).to(torch::kLong)});
    // CHECK: :[[@LINE-1]]:18: warning: index tensor 'torch::zeros({2}, torch::kCUDA).to(torch::kLong)' is on cuda, but the indexed tensor 'table' is on cpu [torch-cross-device-index]
  }
};
