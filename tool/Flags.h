//===- Flags.h - The command line ------------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_FLAGS_H
#define TDL_TOOL_FLAGS_H

#include <optional>
#include <string>
#include <vector>

namespace tdl {

/// What the user asked for; each field is a flag of the same name.
struct Flags {
  std::string BuildPath;       ///< -p; empty: found above each file.
  std::string Checks;          ///< --checks
  std::string CacheDir;        ///< --cache-dir; empty: the user's.
  std::string ResourceDir;     ///< --resource-dir; empty: found.
  std::string ProjectRoot;     ///< --project-root; empty: found.
  std::string CudaPath;        ///< --cuda-path; empty: found.
  std::string ExportFindings;  ///< --export-findings; empty: none.
  std::string Explain;         ///< --explain; empty: none.
  std::vector<std::string> Contracts; ///< --contracts; empty: none.
  std::string ExplainOp;       ///< --explain-op; empty: none.
  bool Verify = false;         ///< --verify
  std::string Verifier;        ///< --verify=PATH; empty: found.
  bool ListChecks = false;     ///< --list-checks
  bool DumpPlaces = false;     ///< --dump-places
  std::string Why;             ///< --why, FILE:LINE; empty: not asked.
  bool MeasureBinding = false; ///< --measure-binding
  bool Latent = false;         ///< --latent
  bool UseCompanions = true;   ///< --no-companions clears it.
  bool Quiet = false;          ///< --quiet
  bool Verbose = false;        ///< --verbose
  bool UsePrelude = true;      ///< --no-prelude clears it.
  std::optional<bool> Color;   ///< --use-color; none: on terminals.
  std::vector<std::string> Files;
  /// The flags after "--"; none when the command line has no "--".
  std::optional<std::vector<std::string>> CompilerFlags;
};

/// Reads the command line. --help and --version print and end the program; what
/// is wrong is said on stderr, and nothing is returned.
std::optional<Flags> parseFlags(int Argc, const char **Argv);

} // namespace tdl

#endif // TDL_TOOL_FLAGS_H
