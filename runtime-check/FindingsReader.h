//===- FindingsReader.h - Reads the findings file -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_FINDINGSREADER_H
#define TDL_RUNTIME_CHECK_FINDINGSREADER_H

#include "Finding.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace tdl {
namespace verify {

/// What is wrong with a file, in one line that names the file and the key.
class FindingsError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct FindingsFile {
  nlohmann::ordered_json Json;   ///< As it was, for writing it back.
  std::vector<Finding> Findings; ///< In the order of Json["findings"].
};

/// Throws FindingsError for a file that is damaged, too large, of another
/// version, or not as docs/formats/findings.md says.
FindingsFile readFindings(const std::string &Path);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_FINDINGSREADER_H
