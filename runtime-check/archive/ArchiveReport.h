//===- ArchiveReport.h - Devices that are baked into an archive -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What docs/formats/archive.md describes.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVEREPORT_H
#define TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVEREPORT_H

#include "Code.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// How a device is written into the archive.
enum class BakedKind {
  Literal,   ///< In code.
  Constant,  ///< A tensor that code uses by number.
  Attribute, ///< A tensor or device in an object that is neither of the next.
  Parameter,
  Buffer,
  Tensor,  ///< In an archive without classes.
  Package, ///< What a package was compiled for.
};

/// "literal", "constant", as in the report.
const char *kindName(BakedKind Kind);

/// A tensor, or a device that stands for itself.
struct BakedDevice {
  BakedKind Kind = BakedKind::Literal;
  CodePoint Where;    ///< Line 0: Record is all that is known.
  std::string Name;   ///< "net.weight", "c0"; of a literal as it is written.
  std::string Device; ///< "cuda:0".
  bool IsTensor = false;
  std::string DType;          ///< "float"; empty: not known, or no tensor.
  std::vector<int64_t> Sizes; ///< Of a tensor.
};

struct ArchiveContents {
  /// "torchscript", "model.json", "pickle", "aotinductor" or "export".
  std::string Format;
  std::vector<BakedDevice> Devices;
  /// Files that may hold devices and cannot be read: libraries, kernels.
  std::vector<std::string> NotRead;
};

/// What is told of an archive.
struct ArchiveReport {
  std::string Path;
  std::string Device; ///< That everything should be on; empty: any.
  ArchiveContents Contents;

  /// Those that stay where they are whatever the program does, or differ.
  std::vector<BakedDevice> listed() const;
  /// Where most of the parameters, buffers and tensors are; of as many, the
  /// first's. Empty where there is none.
  std::string usualDevice() const;
};

/// At most so many are told one by one; the others are counted.
constexpr size_t MaxListed = 10000;

nlohmann::ordered_json toJson(const ArchiveReport &Report);
/// For people. \p Quiet: only the last line, which counts.
void print(const ArchiveReport &Report, bool Quiet, std::ostream &Out);

/// Whether both may name one device: "cuda" is any CUDA device.
bool mayBeSame(const std::string &A, const std::string &B);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_ARCHIVEREPORT_H
