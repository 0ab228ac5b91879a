//===- KnownPlaces.h - What is known of a function's tensors, and why not -===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_KNOWNPLACES_H
#define TDL_CHECKS_KNOWNPLACES_H

#include "findings/PlaceLine.h"
#include <vector>

namespace tdl {

struct FunctionContext;
struct FunctionResult;

/// Adds a line for each tensor expression in \p Result, which was made with
/// FunctionContext::RecordsTensors.
void addKnownPlaces(const FunctionContext &Context,
                    const FunctionResult &Result,
                    std::vector<PlaceLine> &Lines);

} // namespace tdl

#endif // TDL_CHECKS_KNOWNPLACES_H
