//===- OutputFile.h - A file that is there whole or not at all ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports are read by other programs, some of them while we run again. They
// are written to a temporary file beside the target and renamed.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_OUTPUTFILE_H
#define TDL_REPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tdl {

/// Makes \p Path a file with this content; "-" is the standard output. What
/// exists and is no ordinary file (a pipe, /dev/stderr) is written to, never
/// replaced. The error names the path; a file that was there before is then
/// still there.
llvm::Error writeOutputFile(llvm::StringRef Path, llvm::StringRef Content);

} // namespace tdl

#endif // TDL_REPORT_OUTPUTFILE_H
