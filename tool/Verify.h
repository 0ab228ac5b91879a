//===- Verify.h - --verify: runs torch-device-verify on what was found -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_VERIFY_H
#define TDL_TOOL_VERIFY_H

#include "findings/Finding.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tdl {

/// The verifier's program: \p Asked when it is not empty, else the one beside
/// this program (\p Folder), else the one on PATH. The error says where it was
/// looked for.
llvm::Expected<std::string> findVerifier(llvm::StringRef Asked,
                                         llvm::StringRef Folder);

/// Executes the findings of \p File and writes their verdicts into it, then
/// tells each finding of \p Findings, by id, its verdict in a last note.
llvm::Error verifyFindings(llvm::StringRef Verifier, llvm::StringRef File,
                           std::vector<Finding> &Findings);

} // namespace tdl

#endif // TDL_TOOL_VERIFY_H
