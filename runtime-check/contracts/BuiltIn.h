//===- BuiltIn.h - Tables and samples that the program carries ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_BUILTIN_H
#define TDL_RUNTIME_CHECK_CONTRACTS_BUILTIN_H

#include <string>
#include <vector>

namespace tdl {
namespace verify {

struct BuiltInFile {
  std::string Name;
  std::string Text;
};

/// The linter's contract tables as they were when the program was built; an
/// earlier one goes before a later one.
std::vector<BuiltInFile> builtInTables();

std::vector<BuiltInFile> builtInSamples();

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_BUILTIN_H
