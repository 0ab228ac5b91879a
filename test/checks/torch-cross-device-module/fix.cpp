//===- fix.cpp - torch-cross-device-module: its repairs, applied ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-cross-device-module --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-cross-device-module %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

namespace fixed_module {

void named(const torch::Tensor &x) {
  torch::Device device(torch::kCUDA, 0);
  torch::nn::Linear fc(4, 4);
  fc->to(device);
  auto batch = torch::zeros({2, 4});
  fc->forward(batch);
  // FIXED: fc->forward(batch.to(device));
}

} // namespace fixed_module
