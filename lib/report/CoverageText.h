//===- CoverageText.h - The last line of a report -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that found nothing and a run that looked at nothing must not look the
// same: the last line of every report counts both.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_COVERAGETEXT_H
#define TDL_REPORT_COVERAGETEXT_H

#include "findings/Coverage.h"
#include <string>

namespace tdl {

/// "2 findings in 3 files: 41 functions, 230 tensor operations, 188 (81 %) with
/// every operand's place known, 3 without a contract; 1 file could not be
/// analysed". The share is rounded down, so that 100 % is all. Counts of what
/// went wrong or was hidden are there when they are not 0. No line end.
std::string coverageText(unsigned Findings, const Coverage &Counts);

} // namespace tdl

#endif // TDL_REPORT_COVERAGETEXT_H
