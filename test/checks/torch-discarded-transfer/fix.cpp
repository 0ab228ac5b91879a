//===- fix.cpp - torch-discarded-transfer: its repairs, applied --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-discarded-transfer --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-discarded-transfer %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace fixed_transfer {

void variable(torch::Tensor x, torch::Device device) {
  x.to(device);
  // FIXED: x = x.to(device);
  x.cuda();
  // FIXED: x = x.cuda();
}

struct Holder {
  torch::Tensor weight;
  void move() {
    weight.cuda();
    // FIXED: weight = weight.cuda();
    this->weight.cpu();
    // FIXED: this->weight = this->weight.cpu();
  }
};

void member(Holder &holder) {
  holder.weight.contiguous();
  // FIXED: holder.weight = holder.weight.contiguous();
}

void branch(torch::Tensor &x, bool gpu) {
  if (gpu)
    x.cuda();
  // FIXED: if (gpu)
  // FIXED-NEXT: x = x.cuda();
}

} // namespace fixed_transfer
