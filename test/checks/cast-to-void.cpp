//===- cast-to-void.cpp - static_cast<void> says that it is meant ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check torch-discarded-transfer %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void meant(torch::Tensor x) { static_cast<void>(x.to(torch::kCPU)); }
