//===- CallerSupposition.h - What fails only for some callers --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation of an exported function that mixes a parameter with a tensor on
// a known device is right for some callers and fails for others. Two parameters
// that may differ are the caller's business.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_CALLERSUPPOSITION_H
#define TDL_CHECKS_CALLERSUPPOSITION_H

#include "flow/Operations.h"
#include <optional>
#include <string>

namespace tdl {

struct FunctionContext;

/// An operation as some caller would see it.
struct CallerSupposition {
  Operation Op;      ///< Visits that no such caller reaches are left out.
  std::string Words; ///< "a caller passes 'idx' on cuda:0"
};

/// The first supposition about one parameter of an entry point
/// (FunctionContext::EntryPoints) under which \p Op violates its contract; none
/// where there is no such, or where nothing need be supposed.
std::optional<CallerSupposition> supposeCaller(const FunctionContext &Context,
                                               const Operation &Op);

} // namespace tdl

#endif // TDL_CHECKS_CALLERSUPPOSITION_H
