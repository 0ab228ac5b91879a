//===- Run.cpp - Many files, one report ------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "project/Run.h"
#include "compile/ProjectFiles.h"
#include "findings/FindingId.h"
#include "findings/FindingSet.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace tdl;

namespace {
/// The run of one file: all its commands.
class FileRun {
public:
  FileRun(UnitParser &Parser, const RunOptions &Options, RunResult &Into)
      : Parser(Parser), Options(Options), Into(Into) {}

  void run(const InputFile &File) {
    if (!fail(File))
      ++Into.Counts.Files;
    else
      ++Into.Counts.FilesFailed;
  }

private:
  /// Analyses the file; returns whether it failed, after saying why.
  bool fail(const InputFile &File) {
    if (!llvm::sys::fs::exists(File.Path))
      return problem("no such file: " + File.Path);
    if (!File.Commands)
      return problem(File.Problem);
    auto Commands = File.Commands->commandsFor(File.Path);
    if (!Commands)
      return problem(llvm::toString(Commands.takeError()));
    bool Failed = false;
    for (const auto &Command : *Commands)
      Failed |= !parse(Command);
    return Failed;
  }

  bool parse(const clang::tooling::CompileCommand &Command) {
    UnitResult Unit;
    ParseOutcome Outcome = Parser.parse(Command, [&](ParsedUnit &Parsed) {
      Unit = analyzeUnit(Parsed, Options.Analysis);
    });
    if (!Outcome.Ok) {
      for (const std::string &Error : Outcome.Errors)
        Into.Problems.push_back(Error);
      return false;
    }
    Into.Counts.PreludeFallbacks += Outcome.FellBack;
    Into.Counts += Unit.Counts;
    llvm::append_range(Into.Findings, Unit.Findings);
    llvm::append_range(Into.GivenUp, Unit.GivenUp);
    llvm::append_range(Into.Places, Unit.Places);
    if (!Unit.LibTorchVersion.empty())
      Into.LibTorchVersions.insert(Unit.LibTorchVersion);
    return true;
  }

  bool problem(std::string Line) {
    Into.Problems.push_back(std::move(Line));
    return true;
  }

  UnitParser &Parser;
  const RunOptions &Options;
  RunResult &Into;
};
} // namespace

/// The folder of the project that the files are part of: that of their
/// database, so that a file has the same one whichever others are named beside
/// it. An expression that is on one device on all paths is so without a
/// condition.
static void dropConditionsThatDoNotMatter(std::vector<PlaceLine> &Places) {
  std::map<std::pair<SourcePoint, std::string>, std::set<std::string>> Seen;
  for (const PlaceLine &Line : Places)
    Seen[{Line.At, Line.Text}].insert(Line.Place);
  for (PlaceLine &Line : Places)
    if (Seen[{Line.At, Line.Text}].size() == 1)
      Line.Condition.clear();
}

static std::string rootOf(llvm::ArrayRef<InputFile> Files) {
  std::vector<std::string> Paths;
  for (const InputFile &File : Files) {
    Paths.push_back(File.Path);
    if (File.Commands)
      llvm::append_range(Paths, File.Commands->files());
  }
  return findProjectRoot(Files.front().Path, Paths);
}

RunResult tdl::runOnFiles(llvm::ArrayRef<InputFile> Files,
                          const RunOptions &Options, SourceText &Sources) {
  RunResult Result;
  ParseOptions Parse = Options.Parse;
  if (Parse.ProjectRoot.empty() && !Files.empty())
    Parse.ProjectRoot = rootOf(Files);
  Result.Root = Parse.ProjectRoot;
  UnitParser Parser(Parse);
  FileRun Run(Parser, Options, Result);
  for (const InputFile &File : Files)
    Run.run(File);
  sortAndMerge(Result.Findings);
  dropConditionsThatDoNotMatter(Result.Places);
  llvm::sort(Result.Places);
  Result.Places.erase(std::unique(Result.Places.begin(), Result.Places.end(),
                                  [](const PlaceLine &A, const PlaceLine &B) {
                                    return !(A < B) && !(B < A);
                                  }),
                      Result.Places.end());
  NoLint Comments(Sources);
  Result.Counts.Suppressed = Comments.filter(Result.Findings);
  Result.NoLintProblems = Comments.problems();
  assignIds(Result.Findings, Sources, Result.Root);
  return Result;
}
