//===- Records.h - The files in an archive --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LibTorch's own reader of its archives, so that what is seen is what LibTorch
// would load, with bounds. It reads bytes; nothing is written anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_RECORDS_H
#define TDL_RUNTIME_CHECK_ARCHIVE_RECORDS_H

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// Why an archive cannot be read, in one line that begins with its name.
class ArchiveError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Records {
public:
  /// Throws ArchiveError, also for a name that leaves the archive's folder.
  explicit Records(const std::string &Path);
  ~Records();

  /// Without the folder that holds them all, sorted: "code/__torch__/net.py".
  const std::vector<std::string> &names() const { return Names; }
  bool has(const std::string &Name) const;
  /// Throws ArchiveError for damage, and for a size beyond the bound, which the
  /// archive declares: before anything is read of it.
  std::string read(const std::string &Name);

  [[noreturn]] void fail(const std::string &What) const;

private:
  struct Reader;
  void checkName(const std::string &Name) const;

  std::string Path;
  std::unique_ptr<Reader> In;
  std::vector<std::string> Names;
  size_t BytesLeft; ///< That may be read in all.
};

/// Names and texts of an archive may hold anything: bytes that a terminal would
/// take for commands become '?'.
std::string printable(std::string Text);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_RECORDS_H
