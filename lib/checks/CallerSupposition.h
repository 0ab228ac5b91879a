//===- CallerSupposition.h - What fails for some callers or choices -------===//
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
// A device that the program chooses at run time (a torch::Device parameter, an
// option, a member) may be a GPU, or it would not be chosen. What then fails is
// reported without being asked for.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_CALLERSUPPOSITION_H
#define TDL_CHECKS_CALLERSUPPOSITION_H

#include "findings/Finding.h"
#include "flow/Operations.h"
#include <optional>
#include <string>

namespace tdl {

struct FunctionContext;

/// An operation as it is where some device is a certain one.
struct Supposition {
  Operation Op;      ///< Visits that are not reached then are left out.
  std::string Words; ///< "a caller passes 'idx' on cuda:0", "device is cuda:0"
  Certainty Level = Certainty::Latent;
};

/// The first supposition about one parameter of an entry point
/// (FunctionContext::EntryPoints) under which \p Op violates its contract; none
/// where there is no such, or where such findings are not wanted
/// (FunctionContext::WantsLatent).
std::optional<Supposition> supposeCaller(const FunctionContext &Context,
                                         const Operation &Op);

/// The first supposition that a device which the program chooses is a GPU under
/// which \p Op, seen in the analysis of \p Function, violates its contract;
/// none where there is no such. What a parameter is of a function whose callers
/// are known is theirs to choose.
std::optional<Supposition> supposeChoice(const FunctionContext &Context,
                                         const clang::FunctionDecl *Function,
                                         const Operation &Op);

} // namespace tdl

#endif // TDL_CHECKS_CALLERSUPPOSITION_H
