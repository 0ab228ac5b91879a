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
#include "project/Companions.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace tdl;

namespace {
/// The run of one file: all its commands.
class FileRun {
public:
  FileRun(UnitParser &Parser, CompanionFinder &Finder,
          const RunOptions &Options, RunResult &Into)
      : Parser(Parser), Finder(Finder), Options(Options), Into(Into) {}

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
      Failed |= !parse(*File.Commands, Command);
    return Failed;
  }

  /// The unit with what it takes to follow its calls: parsed again with the
  /// companions of what is missing, a few times. One that does not parse beside
  /// the others is left out.
  ParseOutcome parseWithCompanions(
      const Database &Commands, const clang::tooling::CompileCommand &Command,
      llvm::function_ref<void(ParsedUnit &)> Consume) {
    constexpr unsigned MaxRounds = 3;
    std::vector<std::string> Companions, Tried;
    for (unsigned Round = 0;; ++Round) {
      std::vector<std::string> More;
      ParseOutcome Outcome = Parser.parse(
          Command,
          [&](ParsedUnit &Parsed) {
            if (Options.UseCompanions && Round < MaxRounds)
              More = Finder.find(Parsed, Commands, Command, Tried);
            if (More.empty())
              Consume(Parsed);
          },
          Companions);
      if (Outcome.Ok && More.empty()) {
        for (const std::string &Path : Companions)
          Into.Companions.push_back(Command.Filename + ": also read " + Path);
        return Outcome;
      }
      if (!Outcome.Ok) {
        if (Companions.empty())
          return Outcome;
        const auto &Broken = Outcome.BrokenCompanions;
        llvm::erase_if(Companions, [&](const std::string &Path) {
          return Broken.empty() || llvm::is_contained(Broken, Path);
        });
      }
      llvm::append_range(Companions, More);
      llvm::append_range(Tried, More);
    }
  }

  bool parse(const Database &Commands,
             const clang::tooling::CompileCommand &Command) {
    UnitResult Unit;
    ParseOutcome Outcome =
        parseWithCompanions(Commands, Command, [&](ParsedUnit &Parsed) {
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
  CompanionFinder &Finder;
  const RunOptions &Options;
  RunResult &Into;
};
} // namespace

/// An expression that is on one device on all paths is so without a condition.
static void dropConditionsThatDoNotMatter(std::vector<PlaceLine> &Places) {
  std::map<std::pair<SourcePoint, std::string>, std::set<std::string>> Seen;
  for (const PlaceLine &Line : Places)
    Seen[{Line.At, Line.Text}].insert(Line.Place);
  for (PlaceLine &Line : Places)
    if (Seen[{Line.At, Line.Text}].size() == 1)
      Line.Condition.clear();
}

/// The folder of the project that the files are part of: that of their
/// database, so that a file has the same one whichever others are named beside
/// it.
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
  std::vector<std::string> Paths;
  for (const InputFile &File : Files)
    Paths.push_back(File.Path);
  CompanionFinder Finder(std::move(Paths));
  FileRun Run(Parser, Finder, Options, Result);
  for (const InputFile &File : Files)
    Run.run(File);
  dropRepetitions(Result.Findings);
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
