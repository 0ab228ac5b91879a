//===- FindingId.h - A finding's name that survives edits -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Baselines, verdicts and dashboards recognise a finding by its id. It must
// not change when lines are inserted above the finding, when the project lies
// in another folder, or when the line is reindented.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_FINDINGID_H
#define TDL_FINDINGS_FINDINGID_H

#include "findings/Finding.h"
#include "findings/SourceText.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

/// \p File below \p Root, with '/', or \p File itself when it is not below it
/// or when there is no root.
std::string pathBelow(llvm::StringRef File, llvm::StringRef Root);

/// Fills Finding::Id of all. \p Root is the project's folder, empty for none.
/// Call it when the list is complete and merged: equal findings are numbered.
///
/// An id is the first 16 hex digits of the SHA-1 of check, file, function, line
/// and ordinal, each followed by a NUL byte. "file" is the path below \p Root,
/// the base name for a file elsewhere; "line" is the source line without blanks
/// and tabs; "ordinal" is the decimal position, from 0, among findings that
/// agree in the other four, by line and column.
void assignIds(std::vector<Finding> &Findings, SourceText &Sources,
               llvm::StringRef Root);

} // namespace tdl

#endif // TDL_FINDINGS_FINDINGID_H
