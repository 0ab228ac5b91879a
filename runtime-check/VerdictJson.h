//===- VerdictJson.h - Verdicts as JSON -----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_VERDICTJSON_H
#define TDL_RUNTIME_CHECK_VERDICTJSON_H

#include "Verdict.h"

#include <nlohmann/json.hpp>

namespace tdl {
namespace verify {

/// The object "verdict" of docs/formats/findings.md: nothing that is empty.
nlohmann::ordered_json toJson(const Verdict &V);

/// The inverse, for what a witness process sent. Throws nlohmann's exceptions.
Verdict fromJson(const nlohmann::ordered_json &Json);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_VERDICTJSON_H
