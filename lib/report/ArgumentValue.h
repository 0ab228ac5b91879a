//===- ArgumentValue.h - The value of a step's argument as JSON -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A StepArgument keeps its value as text; the findings file has numbers, lists
// and booleans. Both directions of that, for one argument.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_ARGUMENTVALUE_H
#define TDL_REPORT_ARGUMENTVALUE_H

#include "findings/Finding.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace tdl {

/// The kind under which \p A is written: its own, or Opaque when its text or
/// its steps are not of that kind's form (an Int "n + 1", a Tensor without a
/// step).
StepArgument::Kind kindAsWritten(const StepArgument &A);

/// The JSON text of \p A's value: `[2,3]`, `0.5`, `true`, `"cuda:0"`. For
/// arguments whose kindAsWritten() has a value.
std::string valueOfArgument(const StepArgument &A);

/// StepArgument::Text for a value that was read; none when the value is not of
/// the kind's form.
std::optional<std::string> textOfValue(StepArgument::Kind Kind,
                                       const llvm::json::Value &Value);

/// The form of a value of \p Kind in words, for an error: "an integer".
llvm::StringRef formOfValue(StepArgument::Kind Kind);

} // namespace tdl

#endif // TDL_REPORT_ARGUMENTVALUE_H
