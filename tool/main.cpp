//===- main.cpp - torch-device-lint ---------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the command line, gathers the files, runs the analysis and reports.
//
//===----------------------------------------------------------------------===//

#include "ExitCode.h"
#include "Explain.h"
#include "Flags.h"
#include "MeasureBinding.h"
#include "Places.h"
#include "Verify.h"
#include "checks/Check.h"
#include "compile/ResourceDir.h"
#include "project/Run.h"
#include "report/FindingsFile.h"
#include "report/TextReport.h"
#include "support/Version.h"
#include "torch/ContractTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace tdl;

static int usageError(llvm::StringRef Line) {
  llvm::errs() << "torch-device-lint: " << Line << "\n";
  return static_cast<int>(ExitCode::Usage);
}

namespace {
/// The files of the command line with their databases.
struct Gathered {
  std::deque<Database> Databases; ///< Files point into it.
  std::vector<InputFile> Files;
};
} // namespace

/// One database for all files: -p, or the flags after "--".
static llvm::Error gatherFrom(Database Source, const Flags &Asked,
                              Gathered &Into) {
  Into.Databases.push_back(std::move(Source));
  const Database &Commands = Into.Databases.back();
  for (const std::string &File : Asked.Files)
    Into.Files.push_back({absolutePath(File), &Commands, ""});
  if (Asked.Files.empty())
    for (const std::string &File : Commands.files())
      Into.Files.push_back({File, &Commands, ""});
  return llvm::Error::success();
}

static llvm::Error gather(const Flags &Asked, Gathered &Into) {
  if (Asked.CompilerFlags) {
    if (Asked.Files.empty())
      return llvm::createStringError("no files: name at least one before '--'");
    return gatherFrom(
        Database::fromFlags(*Asked.CompilerFlags, absolutePath(".")), Asked,
        Into);
  }
  if (!Asked.BuildPath.empty() || Asked.Files.empty()) {
    auto Source = Asked.BuildPath.empty()
                      ? Database::findAbove(absolutePath(".") + "/")
                      : Database::load(Asked.BuildPath);
    if (!Source)
      return Source.takeError();
    return gatherFrom(std::move(*Source), Asked, Into);
  }
  for (const std::string &File : Asked.Files) {
    InputFile Input;
    Input.Path = absolutePath(File);
    auto Source = Database::findAbove(Input.Path);
    if (Source) {
      Into.Databases.push_back(std::move(*Source));
      Input.Commands = &Into.Databases.back();
    } else {
      Input.Problem = llvm::toString(Source.takeError());
    }
    Into.Files.push_back(std::move(Input));
  }
  return llvm::Error::success();
}

/// Whether \p Path may be written: it does not exist, is empty, or begins as a
/// findings file does. `--export-findings train.cpp` must not cost the source.
static bool mayReplace(llvm::StringRef Path) {
  auto Old = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!Old)
    return true;
  llvm::StringRef Text = (*Old)->getBuffer().ltrim();
  return Text.empty() || Text.starts_with("{");
}

static llvm::Error exportFindings(llvm::StringRef Path,
                                  const RunResult &Result) {
  if (!mayReplace(Path))
    return llvm::createStringError("--export-findings=" + Path +
                                   ": there is a file that is no findings "
                                   "file; name another one, or remove it");
  RunInfo Info;
  Info.Version = Version;
  Info.LibTorch.assign(Result.LibTorchVersions.begin(),
                       Result.LibTorchVersions.end());
  Info.Root = Result.Root;
  return writeFindingsFile(Path, Result.Findings, Result.Counts, Info);
}

/// Writes the findings where the user wants them, and executes them.
static llvm::Error exportAndVerify(const Flags &Asked, llvm::StringRef Folder,
                                   RunResult &Result) {
  std::string Path = Asked.ExportFindings;
  if (!Asked.Verify)
    return Path.empty() ? llvm::Error::success() : exportFindings(Path, Result);
  auto Verifier = findVerifier(Asked.Verifier, Folder);
  if (!Verifier)
    return Verifier.takeError();
  llvm::SmallString<128> Temporary;
  if (Path.empty()) {
    if (std::error_code Code = llvm::sys::fs::createTemporaryFile(
            "torch-device-lint", "json", Temporary))
      return llvm::createStringError(Code, "no temporary file can be made");
    Path = std::string(Temporary);
  }
  llvm::Error Error = exportFindings(Path, Result);
  if (!Error)
    Error = verifyFindings(*Verifier, Path, Result.Findings);
  if (!Temporary.empty())
    llvm::sys::fs::remove(Temporary);
  return Error;
}

static void report(const Flags &Asked, const RunResult &Result,
                   TextReport &Text) {
  for (const Finding &F : Result.Findings)
    Text.finding(F);
  for (const NoLintProblem &Problem : Result.NoLintProblems)
    Text.problem(Problem);
  Text.coverage(Result.Findings.size(), Result.Counts);
  llvm::outs().flush();
  for (const std::string &Problem : Result.Problems)
    llvm::errs() << Problem << "\n";
  if (!Asked.Verbose)
    return;
  for (const std::string &Line : Result.Companions)
    llvm::errs() << Line << "\n";
  for (const std::string &Function : Result.GivenUp)
    llvm::errs() << "given up: " << Function << "\n";
}

static TextReport textReport(const Flags &Asked, SourceText &Sources) {
  llvm::SmallString<128> Here;
  llvm::sys::fs::current_path(Here);
  TextReportOptions Options;
  Options.Colors = Asked.Color.value_or(llvm::outs().has_colors());
  Options.Quiet = Asked.Quiet;
  Options.Base = std::string(Here);
  return TextReport(llvm::outs(), Sources, Options);
}

/// The built-in contracts, with the user's own.
static llvm::Expected<ContractTable>
readContracts(llvm::ArrayRef<std::string> Paths) {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Texts;
  std::vector<ContractFile> Files;
  for (const std::string &Path : Paths) {
    auto Text = llvm::MemoryBuffer::getFile(Path);
    if (!Text)
      return llvm::createStringError(Text.getError(), "--contracts=%s: %s",
                                     Path.c_str(),
                                     Text.getError().message().c_str());
    Files.push_back({(*Text)->getBuffer(), Path, /*IsOwn=*/true});
    Texts.push_back(std::move(*Text));
  }
  return ContractTable::builtinWith(Files);
}

static int lint(const Flags &Asked, const char *Argv0,
                const ContractTable &Contracts) {
  std::string Executable = llvm::sys::fs::getMainExecutable(
      Argv0, reinterpret_cast<void *>(&usageError));
  RunOptions Options;
  Options.Analysis.Contracts = &Contracts;
  Options.Parse.UsePrelude = Asked.UsePrelude;
  Options.Parse.CacheDir = Asked.CacheDir;
  if (!Asked.ProjectRoot.empty())
    Options.Parse.ProjectRoot = absolutePath(Asked.ProjectRoot);
  if (!Asked.CudaPath.empty())
    Options.Parse.CudaPath = absolutePath(Asked.CudaPath);
  Options.Analysis.Checks = CheckList(Asked.Checks);
  auto ResourceDir = findResourceDir(Asked.ResourceDir,
                                     llvm::sys::path::parent_path(Executable));
  if (!ResourceDir)
    return usageError(llvm::toString(ResourceDir.takeError()));
  Options.Parse.ResourceDir = *ResourceDir;
  bool AnyCheck = llvm::any_of(allChecks(), [&](const CheckInfo &Check) {
    return Options.Analysis.Checks.contains(Check.Name);
  });
  if (!AnyCheck)
    return usageError("--checks=" + Asked.Checks +
                      " names no check; --list-checks lists them");
  Gathered Inputs;
  if (llvm::Error Error = gather(Asked, Inputs))
    return usageError(llvm::toString(std::move(Error)));
  auto Wanted = askedLine(Asked.Why);
  if (!Wanted)
    return usageError(llvm::toString(Wanted.takeError()));
  Options.UseCompanions = Asked.UseCompanions;
  Options.Analysis.WithLatent = Asked.Latent;
  Options.Analysis.WithPlaces = Asked.DumpPlaces || !Asked.Why.empty();
  if (Asked.MeasureBinding)
    return measureBinding(Inputs.Files, Options.Parse);
  SourceText Sources;
  RunResult Result = runOnFiles(Inputs.Files, Options, Sources);
  TextReport Text = textReport(Asked, Sources);
  if (Options.Analysis.WithPlaces)
    return reportPlaces(Result, *Wanted, Text);
  llvm::Error Failure =
      exportAndVerify(Asked, llvm::sys::path::parent_path(Executable), Result);
  report(Asked, Result, Text);
  int Status = static_cast<int>(ExitCode::Clean);
  if (Failure)
    Status = usageError(llvm::toString(std::move(Failure)));
  if (Result.Counts.FilesFailed)
    return static_cast<int>(ExitCode::Incomplete);
  if (Status != static_cast<int>(ExitCode::Clean))
    return Status;
  bool IsClean = llvm::all_of(Result.Findings, [](const Finding &F) {
    return F.Level == Certainty::Latent;
  });
  return static_cast<int>(IsClean ? ExitCode::Clean : ExitCode::Findings);
}

int main(int Argc, const char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  std::optional<Flags> Asked = parseFlags(Argc, Argv);
  if (!Asked)
    return static_cast<int>(ExitCode::Usage);
  if (Asked->ListChecks)
    return listChecks();
  if (!Asked->Explain.empty())
    return explainCheck(Asked->Explain);
  std::optional<ContractTable> Own;
  if (llvm::is_contained(Asked->Contracts, ""))
    return usageError("--contracts: expected a file");
  if (!Asked->Contracts.empty()) {
    auto Read = readContracts(Asked->Contracts);
    if (!Read)
      return usageError(llvm::toString(Read.takeError()));
    Own.emplace(std::move(*Read));
  }
  const ContractTable &Contracts = Own ? *Own : ContractTable::builtin();
  if (!Asked->ExplainOp.empty())
    return explainOp(Asked->ExplainOp, Contracts);
  return lint(*Asked, Argv[0], Contracts);
}
