//===- safe.cpp - torch-cross-device-index: what it is silent about ----------===//
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

using torch::indexing::Slice;

void hostIndices() {
  auto gpu = torch::rand({8, 4}, torch::kCUDA);
  gpu.index({torch::arange(3)});
  gpu.index({torch::rand({8, 4}) > 0.5});
  gpu.index({torch::arange(3), torch::arange(3, torch::kCUDA)});
  gpu.index({Slice(), 0});
  gpu.index({gpu > 0});
  gpu[0][1];
}

void scalarIndices() {
  auto host = torch::rand({8, 4});
  auto gpu = torch::rand({8}, torch::kCUDA);
  host[gpu.argmax()];
  host.index({gpu.argmax()});
  host.index({torch::tensor(1, torch::kCUDA), Slice()});
  host.select(0, 1);
}

void movedFirst(torch::Tensor table, torch::Tensor picked) {
  table.index({picked.to(table.device())});
  table.index({picked.cpu()});
  table.index_select(0, picked.to(table.device()));
  table.cuda().gather(0, picked.cuda());
  auto host = torch::rand({8});
  host.index({picked.to(torch::kCUDA).cpu()});
}

void puts() {
  auto x = torch::rand({8, 4});
  auto on = torch::TensorOptions().dtype(torch::kLong).device(torch::kCUDA);
  auto rows = torch::zeros({2}, on);
  x.index_put_({rows}, torch::rand({2, 4}));
  x.index_put_({rows}, 1.f);
  x.index_put_({rows}, torch::tensor(1.f, torch::kCUDA));
  x.index_put_({Slice(), 1}, torch::rand({8}, torch::kCUDA));
  x.index({Slice(0, 2)}) = torch::rand({2, 4}, torch::kCUDA);
  x[0] = torch::rand({4}, torch::kCUDA);
  // A CPU value of one element under a mask is a fill.
  auto gpu = torch::rand({8}, torch::kCUDA);
  gpu.index_put_({gpu > 0}, torch::ones({1}));
}

// Nothing is known of either: silent.
void unknown(torch::Tensor table, torch::Tensor picked) {
  table.index({picked});
  torch::rand({8}).index({picked});
  table.index_select(0, torch::arange(2));
  table.gather(0, picked);
}

void wherePicked(torch::Tensor table) {
  auto picked = torch::nonzero(table > 0).squeeze(1);
  table.index({picked});
  table.index_select(0, picked);
  auto order = std::get<1>(table.sort(0));
  table.gather(0, order);
  auto [values, indices] = table.topk(2);
  table.gather(0, indices);
  table.masked_fill_(table.isnan(), 0);
}

torch::Tensor chosenTogether(bool gpu) {
  auto device = gpu ? torch::kCUDA : torch::kCPU;
  auto table = torch::rand({8}, device);
  auto picked = torch::arange(3, torch::TensorOptions().device(device));
  return table.index_select(0, picked) + table.index({picked});
}

void undefinedMask(c10::optional<torch::Tensor> mask) {
  auto x = torch::rand({8}, torch::kCUDA);
  x.index({torch::Tensor()});
  if (mask)
    x.masked_fill_(*mask, 0);
}

#define EXPECT_THROW(statement) \
  try { statement; } catch (const c10::Error &) {}

void meantToThrow() {
  auto host = torch::rand({8});
  EXPECT_THROW(host.index({torch::zeros({2}, torch::kCUDA)}));
}

// A condition of the program's own that keeps them together.
void keptTogether(bool gpu) {
  auto table = torch::rand({8});
  auto picked = torch::arange(3);
  if (gpu) {
    table = table.cuda();
    picked = picked.cuda();
  }
  table.index_select(0, picked);
}
