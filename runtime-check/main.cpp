//===- main.cpp - torch-device-verify -------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings in, verdicts out. LibTorch executes nothing in this process: each
// witness has one of its own.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "Device.h"
#include "ExitCode.h"
#include "FindingsReader.h"
#include "Options.h"
#include "Replay.h"
#include "VerdictJson.h"
#include "archive/CheckArchive.h"
#include "contracts/ContractReplay.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tdl::verify;

using nlohmann::ordered_json;

/// Strings from LibTorch and from programs may hold any byte.
static std::string dump(const ordered_json &Json, int Indent) {
  return Json.dump(Indent, ' ', false, ordered_json::error_handler_t::replace);
}

/// Empty when this machine can run CUDA; else why not. Asked in a child: the
/// answer is a driver's, and it may take the process along.
static std::string whyNoCuda(const Limits &Bounds) {
  ChildEnd End = runInChild(Bounds, [](const ChildPipe &Pipe) {
    try {
      loadDevice(DeviceKind::Cuda);
      Pipe.result("");
    } catch (const std::exception &Error) {
      Pipe.result(Error.what());
    }
  });
  std::string Why = describe(End, Bounds);
  return Why.empty() ? End.Result : Why;
}

static DeviceKind chooseDevice(const Options &O) {
  if (O.Device == DeviceChoice::Sim)
    return DeviceKind::Simulated;
  std::string Why = whyNoCuda(O.Bounds);
  if (Why.empty())
    return DeviceKind::Cuda;
  if (O.Device == DeviceChoice::Cuda)
    throw UsageError("--device=cuda: " + Why);
  return DeviceKind::Simulated;
}

static Verdict runWitness(const Finding &F, DeviceKind Device,
                          const Limits &Bounds) {
  ChildEnd End = runInChild(Bounds, [&](const ChildPipe &Pipe) {
    Verdict V;
    try {
      dropStackTraces();
      loadDevice(Device);
      V = replay(F, Device,
                 [&](const std::string &What) { Pipe.progress(What); });
    } catch (const std::exception &Error) {
      V = notRun(Error.what());
    }
    Pipe.result(dump(toJson(V), -1));
  });
  std::string Why = describe(End, Bounds);
  return Why.empty() ? fromJson(ordered_json::parse(End.Result)) : notRun(Why);
}

static bool isSelected(const Options &O, const Finding &F) {
  for (const std::string &Prefix : O.Only)
    if (F.Id.compare(0, Prefix.size(), Prefix) == 0)
      return true;
  return O.Only.empty();
}

static void print(const Finding &F, const Verdict &V) {
  std::cout << F.Where << ": " << statusName(V.State);
  if (!V.Device.empty())
    std::cout << " on " << V.Device << " with LibTorch " << V.LibTorch;
  if (V.State == Verdict::Status::NotRun)
    std::cout << ", the finding stands";
  std::cout << " [" << F.Check << "]";
  if (V.State != Verdict::Status::Confirmed) {
    std::cout << "\n  ";
    if (V.Step >= 0)
      std::cout << "step " << V.Step << ": ";
    std::cout << V.Reason;
  }
  if (!V.ErrorText.empty())
    std::cout << "\n  LibTorch: " << V.ErrorText;
  for (const std::string &Assumption : V.Assumed)
    std::cout << "\n  assumed: " << Assumption;
  std::cout << "\n" << std::flush;
}

/// Written beside the target and renamed: nobody sees half a file.
static void writeWhole(const std::string &Path, const std::string &Text) {
  std::string Temporary = Path + ".tmp" + std::to_string(getpid());
  std::ofstream Out(Temporary, std::ios::binary);
  Out << Text;
  Out.close();
  if (!Out || std::rename(Temporary.c_str(), Path.c_str()) != 0) {
    std::remove(Temporary.c_str());
    throw FindingsError(Path + ": cannot be written");
  }
}

/// Counts per verdict, and their exit code.
struct Tally {
  int Confirmed = 0, Refuted = 0, NotRun = 0;

  void add(Verdict::Status State) {
    ++(State == Verdict::Status::Confirmed ? Confirmed
       : State == Verdict::Status::Refuted ? Refuted
                                           : NotRun);
  }
  ExitCode exitCode() const {
    return Refuted ? ExitRefuted : NotRun ? ExitNotRun : ExitConfirmed;
  }
};

static ExitCode verify(const Options &O) {
  FindingsFile File = readFindings(O.Findings);
  DeviceKind Device = chooseDevice(O);
  Tally Count;
  for (size_t I = 0; I < File.Findings.size(); ++I) {
    const Finding &F = File.Findings[I];
    if (!isSelected(O, F))
      continue;
    Verdict V = runWitness(F, Device, O.Bounds);
    Count.add(V.State);
    File.Json["findings"][I]["verdict"] = toJson(V);
    if (!O.Quiet || V.State != Verdict::Status::Confirmed)
      print(F, V);
  }
  if (!O.Json.empty())
    writeWhole(O.Json, dump(File.Json, 2) + "\n");
  std::cout << Count.Confirmed << " confirmed, " << Count.Refuted
            << " refuted, " << Count.NotRun << " not run ("
            << deviceName(Device) << ", LibTorch " << libTorchVersion()
            << ")\n";
  return Count.exitCode();
}

static ExitCode listArchive(const Options &O) {
  ordered_json Report;
  ExitCode Code = checkArchive(O, std::cout, Report);
  if (!O.Json.empty())
    writeWhole(O.Json, dump(Report, 2) + "\n");
  return Code;
}

static ExitCode replayTables(const Options &O) {
  std::ostringstream Calls;
  ExitCode Code = replayContracts(O, chooseDevice(O), std::cout, Calls);
  if (!O.Calls.empty())
    writeWhole(O.Calls, Calls.str());
  return Code;
}

int main(int Count, char **Words) {
  try {
    Options O = parseOptions({Words + 1, Words + Count});
    if (O.ShowHelp)
      std::cout << HelpText;
    else if (O.ShowVersion)
      std::cout << "torch-device-verify for LibTorch " << libTorchVersion()
                << "\n";
    else if (!O.Archive.empty())
      return listArchive(O);
    else if (O.ReplaysContracts)
      return replayTables(O);
    else
      return verify(O);
    return ExitConfirmed;
  } catch (const std::exception &Error) {
    std::cerr << "torch-device-verify: " << Error.what() << "\n";
    return ExitBadInput;
  }
}
