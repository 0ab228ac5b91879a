//===- ExitCode.h - The numbers that the program ends with -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Documented in README.md and docs/usage.md.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_EXITCODE_H
#define TDL_TOOL_EXITCODE_H

namespace tdl {

/// The largest that applies is the program's.
enum class ExitCode : int {
  Clean = 0,      ///< Nothing found, or latent findings alone.
  Findings = 1,   ///< Something found.
  Usage = 2,      ///< A flag or setting is wrong; nothing was analysed.
  Incomplete = 3, ///< Some file could not be analysed.
};

} // namespace tdl

#endif // TDL_TOOL_EXITCODE_H
