//===- lookup.cpp - Found by what it mentions -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tables.h"

torch::Tensor table(int64_t Length) { return torch::arange(Length); }
