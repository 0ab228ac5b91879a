//===- Code.h - The code in a TorchScript archive -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TorchScript is stored as Python text, "code/__torch__/net.py". It is read for
// a few things that a lexer can see, not parsed.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_CODE_H
#define TDL_RUNTIME_CHECK_ARCHIVE_CODE_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// A place in a file of the archive; Line 0: the file as a whole.
struct CodePoint {
  std::string Record; ///< "code/__torch__/net.py".
  int Line = 0;
  int Column = 0;     ///< In bytes, from 1.
  std::string Source; ///< The line, without blanks around it.
};

/// A device that the code names: torch.device("cuda:0"), or a call of
/// torch.cuda(x) or torch.cpu(x), which are Tensor::cuda and Tensor::cpu.
struct DeviceLiteral {
  CodePoint Where;
  std::string Device;
};

/// What a class of the archive says of its attributes.
struct ArchiveClass {
  std::set<std::string> Parameters, Buffers;
  std::map<std::string, CodePoint> Attributes; ///< Where they are declared.
};

struct ArchiveCode {
  std::vector<DeviceLiteral> Literals;
  std::map<std::string, CodePoint> ConstantUses; ///< First use, by "c0".
  std::map<std::string, ArchiveClass> Classes;   ///< By "__torch__.net.Net".
};

/// Adds what stands in a file.
void readCode(const std::string &Record, const std::string &Text,
              ArchiveCode &Into);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_CODE_H
