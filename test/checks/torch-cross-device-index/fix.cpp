//===- fix.cpp - torch-cross-device-index: its repairs, applied --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-cross-device-index --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-cross-device-index %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace fixed_index {

torch::Tensor toTheHost() {
  auto table = torch::rand({8, 4});
  auto picked = torch::zeros({3}, torch::kCUDA).to(torch::kLong);
  return table.index({picked});
  // FIXED: return table.index({picked.cpu()});
}

torch::Tensor toTheGpu() {
  auto table = torch::rand({8, 4}, torch::kCUDA);
  auto picked = torch::arange(3);
  return table.index_select(0, picked);
  // FIXED: return table.index_select(0, picked.to(table.device()));
}

torch::Tensor expression() {
  auto table = torch::rand({8}, torch::kCUDA);
  auto other = torch::rand({8});
  return table.masked_select(other > 0.5);
  // FIXED: return table.masked_select((other > 0.5).to(table.device()));
}

struct Reader {
  torch::Tensor table;
  torch::Tensor read() {
    table = torch::rand({8}, torch::kCUDA);
    return torch::gather(this->table, 0, torch::arange(3));
    // FIXED: return torch::gather(this->table, 0, torch::arange(3).to(this->table.device()));
  }
};

void value() {
  auto table = torch::rand({8}, torch::kCUDA);
  auto rows = torch::zeros({2}, torch::kLong);
  table.index_put_({rows}, torch::rand({2}));
  // FIXED: table.index_put_({rows}, torch::rand({2}).to(table.device()));
}

} // namespace fixed_index
