//===- fix.cpp - torch-undefined-tensor-device: its repairs, applied ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-undefined-tensor-device --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-undefined-tensor-device %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace fixed_undefined {

struct AdapterImpl : torch::nn::Module {
  AdapterImpl() {
    base = register_module("base", torch::nn::Linear(torch::nn::LinearOptions(4, 4).bias(false)));
    const auto where = base->bias.device();
    // FIXED: const auto where = base->weight.device();
    down = register_parameter("down", torch::zeros({2, 4}, where));
  }
  torch::nn::Linear base{nullptr};
  torch::Tensor down;
};

} // namespace fixed_undefined
