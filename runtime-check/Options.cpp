//===- Options.cpp - The command line -------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tdl {
namespace verify {

const char *const HelpText =
    R"(usage: torch-device-verify [options] FINDINGS
       torch-device-verify [options] --replay-contracts[=TABLE]
       torch-device-verify [options] --archive MODEL

Executes the findings of torch-device-lint --export-findings=FINDINGS on
LibTorch and says of each: confirmed, refuted or not run. Or executes operators
on all arrangements of devices and compares what happens with contract tables.
Or lists the devices that are baked into a TorchScript archive, of which nothing
is executed.

  --device=auto|cuda|sim  where: a GPU, or a simulated one (auto: a GPU if there
                          is one)
  --json=FILE             write FINDINGS with a verdict in each finding to FILE,
                          which may be FINDINGS itself; with --archive the list
  --only=ID               only the finding whose id begins so; with
                          --replay-contracts the operator (add, add.Tensor); may
                          be repeated
  --timeout=SECONDS       for each finding, or batch of operators (60)
  --memory=MIB            likewise (4096)
  --quiet                 only findings that are not confirmed, or operators that
                          disagree or were not run, and the counts
  --replay-contracts=FILE this table instead of those that are built in; may be
                          repeated, an earlier table goes before a later one
  --samples=FILE          arguments for --replay-contracts instead of built-in ones
  --calls=FILE            each call of --replay-contracts to FILE: its arrangement,
                          what the row says of it and what LibTorch did
  --verbose               what LibTorch prints while it runs
  --version, --help

Exit status: 0 all confirmed, 1 some refuted, 2 usage or a file that cannot be
read or written, 3 none refuted but some not run. With --replay-contracts: 0 no
disagreement, 1 some, 2 likewise. With --archive: 0 no device to look at, 1 some,
2 likewise.
)";

static DeviceChoice readDevice(const std::string &Value) {
  if (Value == "auto")
    return DeviceChoice::Auto;
  if (Value == "cuda")
    return DeviceChoice::Cuda;
  if (Value == "sim")
    return DeviceChoice::Sim;
  throw UsageError("--device: expected auto, cuda or sim, got '" + Value + "'");
}

static unsigned readCount(const std::string &Flag, const std::string &Value) {
  constexpr size_t MaxDigits = 7;
  bool IsNumber = !Value.empty() && Value.size() <= MaxDigits &&
                  std::all_of(Value.begin(), Value.end(),
                              [](char C) { return C >= '0' && C <= '9'; });
  unsigned Number = IsNumber ? unsigned(std::stoul(Value)) : 0;
  if (Number == 0)
    throw UsageError(Flag + ": expected a number from 1 to 9999999, got '" +
                     Value + "'");
  return Number;
}

/// What everything in an archive should be on. Empty where any will do.
static std::string readExpectedDevice(const std::string &Value) {
  size_t Colon = std::min(Value.find(':'), Value.size());
  auto All = [](const std::string &Text, auto IsGood) {
    return !Text.empty() && std::all_of(Text.begin(), Text.end(), IsGood);
  };
  bool HasType =
      All(Value.substr(0, Colon), [](char C) { return C >= 'a' && C <= 'z'; });
  bool HasIndex =
      Colon == Value.size() ||
      All(Value.substr(Colon + 1), [](char C) { return C >= '0' && C <= '9'; });
  if (Value.empty() || Value == "auto")
    return "";
  if (!HasType || !HasIndex || Value == "sim")
    throw UsageError("--device: expected a device such as cpu or cuda:0 beside "
                     "--archive, got '" +
                     Value + "'");
  return Value;
}

using Setter = std::function<void(Options &, const std::string &)>;

static const std::map<std::string, Setter> &flagsWithValue() {
  static const std::map<std::string, Setter> Flags = {
      {"--device",
       [](Options &O, const std::string &V) { O.ExpectedDevice = V; }},
      {"--json", [](Options &O, const std::string &V) { O.Json = V; }},
      {"--only", [](Options &O, const std::string &V) { O.Only.push_back(V); }},
      {"--samples", [](Options &O, const std::string &V) { O.Samples = V; }},
      {"--calls", [](Options &O, const std::string &V) { O.Calls = V; }},
      {"--timeout",
       [](Options &O, const std::string &V) {
         O.Bounds.Seconds = readCount("--timeout", V);
       }},
      {"--memory",
       [](Options &O, const std::string &V) {
         O.Bounds.MemoryBytes = size_t(readCount("--memory", V)) << 20;
       }},
  };
  return Flags;
}

static const std::map<std::string, Setter> &plainFlags() {
  static const std::map<std::string, Setter> Flags = {
      {"--quiet", [](Options &O, const std::string &) { O.Quiet = true; }},
      {"--verbose",
       [](Options &O, const std::string &) { O.Bounds.ShowOutput = true; }},
      {"--replay-contracts",
       [](Options &O, const std::string &) { O.ReplaysContracts = true; }},
      {"--version",
       [](Options &O, const std::string &) { O.ShowVersion = true; }},
      {"--help", [](Options &O, const std::string &) { O.ShowHelp = true; }},
  };
  return Flags;
}

static void readFlag(Options &O, const std::string &Word) {
  size_t Equals = Word.find('=');
  std::string Name = Word.substr(0, Equals);
  if (Name == "--archive" && Name != Word) {
    if (Equals + 1 == Word.size())
      throw UsageError(Name + ": expected " + Name + "=MODEL");
    O.Archive = Word.substr(Equals + 1);
    return;
  }
  if (Name == "--replay-contracts" && Name != Word) {
    if (Equals + 1 == Word.size())
      throw UsageError(Name + ": expected " + Name + " or " + Name + "=TABLE");
    O.ReplaysContracts = true;
    O.Tables.push_back(Word.substr(Equals + 1));
    return;
  }
  auto Valued = flagsWithValue().find(Name);
  if (Valued != flagsWithValue().end()) {
    if (Equals == std::string::npos || Equals + 1 == Word.size())
      throw UsageError(Name + ": expected " + Name + "=VALUE");
    return Valued->second(O, Word.substr(Equals + 1));
  }
  auto Plain = plainFlags().find(Word);
  if (Plain == plainFlags().end())
    throw UsageError("unknown flag '" + Word + "'; --help lists them");
  Plain->second(O, "");
}

Options parseOptions(const std::vector<std::string> &Words) {
  Options O;
  bool NamesArchive = false; // --archive MODEL
  for (const std::string &Word : Words) {
    if (Word == "--archive") {
      NamesArchive = true;
    } else if (Word.size() > 1 && Word[0] == '-') {
      readFlag(O, Word);
    } else if (NamesArchive && O.Archive.empty()) {
      O.Archive = Word;
    } else if (O.Findings.empty()) {
      O.Findings = Word;
    } else {
      throw UsageError("one findings file at a time, got '" + O.Findings +
                       "' and '" + Word + "'");
    }
  }
  if (NamesArchive && O.Archive.empty())
    throw UsageError("--archive: expected --archive MODEL");
  if (!O.Archive.empty()) {
    if (!O.Findings.empty() || O.ReplaysContracts || !O.Only.empty())
      throw UsageError("--archive takes no findings file, no --only and no "
                       "--replay-contracts");
    O.ExpectedDevice = readExpectedDevice(O.ExpectedDevice);
    return O;
  }
  if (!O.ExpectedDevice.empty())
    O.Device = readDevice(O.ExpectedDevice);
  if (O.ReplaysContracts) {
    if (!O.Findings.empty() || !O.Json.empty())
      throw UsageError("--replay-contracts takes no findings file and no "
                       "--json; its report goes to the standard output");
    return O;
  }
  if (O.Findings.empty() && !O.ShowHelp && !O.ShowVersion)
    throw UsageError("expected a findings file; --help says more");
  return O;
}

} // namespace verify
} // namespace tdl
