//===- Options.h - The command line ---------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_OPTIONS_H
#define TDL_RUNTIME_CHECK_OPTIONS_H

#include "Child.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class DeviceChoice { Auto, Cuda, Sim };

struct Options {
  std::string Findings;       ///< Empty with ReplaysContracts and with Archive.
  std::string Archive;        ///< Empty: none is read.
  std::string ExpectedDevice; ///< Of an archive: "cuda:0"; empty: any.
  bool ReplaysContracts = false;
  std::vector<std::string> Tables; ///< Of contracts; empty: built in.
  std::string Samples;             ///< Empty: built in.
  std::string Calls;               ///< Of a replay; empty: not listed.
  DeviceChoice Device = DeviceChoice::Auto;
  std::string Json;              ///< Empty: none is written.
  std::vector<std::string> Only; ///< Ids or beginnings of ids, or
                                 ///< operators; empty: all.
  Limits Bounds;                 ///< Of each witness.
  bool Quiet = false;
  bool ShowHelp = false;
  bool ShowVersion = false;
};

/// Throws UsageError, one line that names the flag.
Options parseOptions(const std::vector<std::string> &Words);

extern const char *const HelpText;

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_OPTIONS_H
