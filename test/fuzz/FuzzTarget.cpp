//===- FuzzTarget.cpp - Mutated LibTorch programs for the linter ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target as libFuzzer calls it. Each input chooses one of the seeds, makes a
// batch of mutants of it (Mutator.h), analyses the batch and writes the report
// and the findings file to nowhere. Mutants that do not compile are left out.
//
//   tdl-fuzz FUZZER-OPTION... CORPUS -ignore_remaining_args=1 TARGET-OPTION...
//
// The batch at hand is in a temporary folder that is named at the start, and
// is still there after a crash. At the end it says how many mutants were made
// and how many of them were analysed.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "compile/Database.h"
#include "compile/ResourceDir.h"
#include "compile/UnitParser.h"
#include "findings/FindingId.h"
#include "findings/FindingSet.h"
#include "findings/SourceText.h"
#include "project/AnalyzeUnit.h"
#include "report/FindingsFile.h"
#include "report/TextReport.h"
#include "llvm/FuzzMutate/FuzzerCLI.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace tdl;
using namespace tdl::fuzz;

static llvm::cl::list<std::string>
    SeedFiles("seeds", llvm::cl::desc("A source file, or a folder of them"));
static llvm::cl::opt<std::string>
    CacheDir("cache-dir", llvm::cl::desc("Where preludes are kept"));
static llvm::cl::opt<std::string>
    CompilerFlags("flags", llvm::cl::desc("What a compiler needs to know"));

namespace {
class Fuzzer {
public:
  /// Reads the seeds. Says why, and ends the program, if there is none.
  Fuzzer();
  ~Fuzzer();

  void run(Decisions Choices);

private:
  void readSeeds(llvm::StringRef FileOrFolder);
  void readSeed(const std::string &Path);
  clang::tooling::CompileCommand commandFor(const std::string &File);
  void write(const std::string &Text);
  /// Analyses \p Mutants as one file, those of \p Without and those that do not
  /// compile left out.
  void analyse(const SeedProgram &Seed, const std::vector<Mutant> &Mutants,
               std::set<unsigned> Without);
  ParseOutcome analyse(const Batch &Text);
  void report(UnitResult Result);

  std::string Folder, ProgramPath, EmptyPath;
  std::vector<std::string> Flags;
  std::unique_ptr<UnitParser> Parser;
  std::vector<SeedProgram> Seeds;
  unsigned long Made = 0, Analysed = 0, Functions = 0, Findings = 0;
};
} // namespace

[[noreturn]] static void fail(const llvm::Twine &Line) {
  llvm::errs() << "tdl-fuzz: " << Line << "\n";
  std::exit(2);
}

Fuzzer::Fuzzer() {
  llvm::SmallString<128> Path;
  if (llvm::sys::fs::createUniqueDirectory("tdl-fuzz", Path))
    fail("no temporary folder can be made");
  Folder = std::string(Path);
  ProgramPath = Folder + "/program.cpp";
  EmptyPath = Folder + "/empty.cpp";
  llvm::errs() << "tdl-fuzz: the program at hand is " << ProgramPath << "\n";
  llvm::Expected<std::string> ResourceDir = findResourceDir("", "");
  if (!ResourceDir)
    fail(llvm::toString(ResourceDir.takeError()));
  ParseOptions Options;
  Options.CacheDir = CacheDir;
  Options.ResourceDir = *ResourceDir;
  Options.ProjectRoot = Folder;
  Parser = std::make_unique<UnitParser>(Options);
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 16> Words;
  llvm::cl::TokenizeGNUCommandLine(CompilerFlags, Saver, Words);
  Flags.assign(Words.begin(), Words.end());
  std::error_code Error;
  llvm::raw_fd_ostream(EmptyPath, Error);
  for (const std::string &Name : SeedFiles)
    readSeeds(Name);
  if (Seeds.empty())
    fail("no seed: name files that compile with the flags, --seeds=FOLDER");
  llvm::errs() << "tdl-fuzz: " << Seeds.size() << " seeds\n";
}

Fuzzer::~Fuzzer() {
  llvm::errs() << "tdl-fuzz: " << Made << " mutants made, " << Analysed
               << " compiled and analysed: " << Functions << " functions, "
               << Findings << " findings\n";
  llvm::sys::fs::remove_directories(Folder);
}

void Fuzzer::readSeeds(llvm::StringRef FileOrFolder) {
  if (!llvm::sys::fs::is_directory(FileOrFolder))
    return readSeed(FileOrFolder.str());
  std::error_code Error;
  std::vector<std::string> Paths;
  for (llvm::sys::fs::recursive_directory_iterator I(FileOrFolder, Error), End;
       I != End && !Error; I.increment(Error))
    if (llvm::sys::path::extension(I->path()) == ".cpp")
      Paths.push_back(I->path());
  llvm::sort(Paths);
  for (const std::string &Path : Paths)
    readSeed(Path);
}

void Fuzzer::readSeed(const std::string &Path) {
  // Copied to where batches are, so that one that needs headers beside it is
  // no seed.
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (!Text)
    fail(Path + ": " + Text.getError().message());
  write((*Text)->getBuffer().str());
  auto Read = [&](ParsedUnit &Unit) {
    SeedProgram Seed = fuzz::readSeed(Path, Unit);
    if (!Seed.Parts.empty())
      Seeds.push_back(std::move(Seed));
  };
  Parser->parse(commandFor(ProgramPath), Read, {EmptyPath});
}

clang::tooling::CompileCommand Fuzzer::commandFor(const std::string &File) {
  Database Commands = Database::fromFlags(Flags, Folder);
  return llvm::cantFail(Commands.commandsFor(File)).front();
}

void Fuzzer::write(const std::string &Text) {
  std::error_code Error;
  llvm::raw_fd_ostream OS(ProgramPath, Error);
  OS << Text;
  OS.close();
  if (Error || OS.has_error())
    fail(ProgramPath + " cannot be written");
}

/// The line that "file:line:col: error: text" names; 0 if none.
static unsigned lineOf(llvm::StringRef Error, llvm::StringRef File) {
  unsigned Line = 0;
  if (!Error.consume_front(File) || !Error.consume_front(":"))
    return 0;
  Error.consumeInteger(10, Line);
  return Line;
}

void Fuzzer::report(UnitResult Result) {
  Functions += Result.Counts.Functions;
  Findings += Result.Findings.size();
  SourceText Sources;
  dropRepetitions(Result.Findings);
  sortAndMerge(Result.Findings);
  assignIds(Result.Findings, Sources, Folder);
  TextReport Text(llvm::nulls(), Sources, TextReportOptions());
  for (const Finding &F : Result.Findings)
    Text.finding(F);
  Text.coverage(Result.Findings.size(), Result.Counts);
  FindingsFile File;
  File.Counts = Result.Counts;
  for (Finding &F : Result.Findings)
    File.Records.push_back({std::move(F), std::nullopt});
  writeFindings(llvm::nulls(), File);
}

ParseOutcome Fuzzer::analyse(const Batch &Text) {
  write(Text.Text);
  AnalysisOptions Options;
  Options.WithLatent = Options.WithPlaces = true;
  // With a companion a parse that fails is not tried without a prelude.
  return Parser->parse(
      commandFor(ProgramPath),
      [&](ParsedUnit &Unit) { report(analyzeUnit(Unit, Options)); },
      {EmptyPath});
}

/// The mutants that errors stand in.
static std::set<unsigned> brokenMutants(const Batch &Text,
                                        const ParseOutcome &Outcome,
                                        llvm::StringRef File) {
  std::set<unsigned> Broken;
  for (const std::string &Error : Outcome.Errors)
    for (const Batch::Lines &Where : Text.Where) {
      unsigned Line = lineOf(Error, File);
      if (Where.First <= Line && Line <= Where.Last)
        Broken.insert(Where.Mutant);
    }
  return Broken;
}

void Fuzzer::analyse(const SeedProgram &Seed,
                     const std::vector<Mutant> &Mutants,
                     std::set<unsigned> Without) {
  Batch Text = makeBatch(Seed, Mutants, Without);
  if (Text.Where.empty())
    return;
  ParseOutcome Outcome = analyse(Text);
  if (Outcome.Ok) {
    Analysed += Text.Where.size();
    return;
  }
  std::set<unsigned> Broken = brokenMutants(Text, Outcome, ProgramPath);
  if (Broken.empty() && Text.Where.size() == 1)
    return;
  if (!Broken.empty()) {
    Without.insert(Broken.begin(), Broken.end());
    return analyse(Seed, Mutants, std::move(Without));
  }
  // The errors stand in a template of a header that a mutant uses: look for it
  // in either half.
  std::set<unsigned> WithoutOthers = Without;
  for (size_t I = 0; I != Text.Where.size(); ++I)
    (I < Text.Where.size() / 2 ? Without : WithoutOthers)
        .insert(Text.Where[I].Mutant);
  analyse(Seed, Mutants, std::move(Without));
  analyse(Seed, Mutants, std::move(WithoutOthers));
}

void Fuzzer::run(Decisions Choices) {
  constexpr unsigned MostMutants = 128;
  const SeedProgram &Seed = Seeds[Choices.below(Seeds.size())];
  std::vector<Mutant> Mutants = makeMutants(Seed, Choices, MostMutants);
  Made += Mutants.size();
  analyse(Seed, Mutants, {});
}

static Fuzzer &theFuzzer() {
  static Fuzzer Instance;
  return Instance;
}

extern "C" int LLVMFuzzerInitialize(int *ArgC, char ***ArgV) {
  llvm::parseFuzzerCLOpts(*ArgC, *ArgV);
  theFuzzer();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  theFuzzer().run(Decisions(llvm::ArrayRef<uint8_t>(Data, Size)));
  return 0;
}
