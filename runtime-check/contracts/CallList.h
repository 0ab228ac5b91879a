//===- CallList.h - What was predicted of each call, and what came --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of --calls=FILE, which others than LibTorch are held against. The
// letters are explained in docs/formats/replay-calls.md.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_CALLLIST_H
#define TDL_RUNTIME_CHECK_CONTRACTS_CALLLIST_H

#include "ContractRows.h"
#include "SampleCall.h"

#include <string>

namespace tdl {
namespace verify {

/// What goes before the calls of a sample: operator, number of the sample,
/// parameters of its tensors.
std::string callLineStart(const std::string &Operator, size_t SampleNumber,
                          const SampleCall &Call);

/// "c.0=x/x": arrangement, what the row says, what LibTorch did. \p Row may be
/// null.
std::string callText(const ContractRow *Row, const SampleCall &Call,
                     const Arrangement &Where, const Outcome &Real);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_CALLLIST_H
