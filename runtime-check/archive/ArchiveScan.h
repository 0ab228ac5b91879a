//===- ArchiveScan.h - Finds devices in an archive ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVESCAN_H
#define TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVESCAN_H

#include "ArchiveReport.h"
#include "Records.h"

namespace tdl {
namespace verify {

/// Reads code, pickles and JSON of an archive; executes nothing. In the order
/// of the archive's names, code first. Throws ArchiveError.
ArchiveContents scanArchive(Records &Files);

/// Devices of the tensors and objects that a pickle makes, with their paths
/// ("net.weight", "[0]"), each once.
std::vector<BakedDevice> devicesOfPickle(const std::string &Record,
                                         const std::string &Bytes,
                                         const ArchiveCode &Code);

/// Likewise of a file of JSON: of a model.json as LibTorch 1.0 wrote it, of the
/// metadata of AOTInductor and torch.export. Throws nlohmann's exceptions.
std::vector<BakedDevice> devicesOfJson(const std::string &Record,
                                       const std::string &Text);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVESCAN_H
