//===- fix.cpp - torch-unregistered-state: its repairs, applied ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The repaired file is linted again, and fixes-compile.test compiles it.
//
// RUN: not %tdl --quiet --checks=torch-unregistered-state --export-findings=%t.json %s -- %torch_flags
// RUN: %python %src_root/test/apply-fixes %t.json %s %t.cpp
// RUN: FileCheck --check-prefix=FIXED --input-file=%t.cpp %s
// RUN: %check torch-unregistered-state %t.cpp
//
//===----------------------------------------------------------------------===//

#include <torch/script.h>
#include <torch/torch.h>

namespace fixed_state {

struct WindowImpl : torch::nn::Module {
  explicit WindowImpl(int64_t n) : window_(torch::hann_window(n)) {
    // FIXED: window_(register_buffer("window", torch::hann_window(n)))
    fc = register_module("fc", torch::nn::Linear(n, n));
    m_scale = torch::full({n}, 0.5) * 2;
    // FIXED: m_scale = register_buffer("scale", torch::full({n}, 0.5) * 2);
  }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x * window_) * m_scale + ramp;
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor window_, m_scale;
  torch::Tensor ramp = torch::linspace(0, 1, 4);
  // FIXED: torch::Tensor ramp = register_buffer("ramp", torch::linspace(0, 1, 4));
};

} // namespace fixed_state
