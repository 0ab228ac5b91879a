//===- CheckArchive.h - --archive -----------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_CHECKARCHIVE_H
#define TDL_RUNTIME_CHECK_ARCHIVE_CHECKARCHIVE_H

#include "../ExitCode.h"
#include "../Options.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace tdl {
namespace verify {

/// Reads O.Archive in a process of its own and writes what is listed to \p Out;
/// \p Json gets the report. Throws ArchiveError, which is one line.
ExitCode checkArchive(const Options &O, std::ostream &Out,
                      nlohmann::ordered_json &Json);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_CHECKARCHIVE_H
