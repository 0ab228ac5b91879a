//===- Places.h - --why and --dump-places ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_PLACES_H
#define TDL_TOOL_PLACES_H

#include "project/Run.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tdl {

class TextReport;

/// A line of a file, as --why names it.
struct AskedLine {
  std::string File; ///< Absolute; empty: every line.
  unsigned Line = 0;
};

/// Reads FILE:LINE; every line for an empty text.
llvm::Expected<AskedLine> askedLine(llvm::StringRef Text);

/// Prints what is known of the tensors on the lines that are asked for, instead
/// of findings. Returns the exit status.
int reportPlaces(const RunResult &Result, const AskedLine &Asked,
                 TextReport &Text);

} // namespace tdl

#endif // TDL_TOOL_PLACES_H
