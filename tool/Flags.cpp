//===- Flags.cpp - The command line ---------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"
#include "support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tdl;

static cl::OptionCategory Inputs("What is analysed");
static cl::OptionCategory Checking("What is reported");
static cl::OptionCategory Output("Output");
static cl::OptionCategory Preludes("Shared preludes of heavy headers");

static cl::list<std::string> Files(cl::Positional, cl::desc("[files...]"),
                                   cl::cat(Inputs));
static cl::opt<std::string>
    BuildPath("p", cl::value_desc("DIR"), cl::cat(Inputs),
              cl::desc("folder of compile_commands.json, or that file; "
                       "without it, it is looked for above each file"));
static cl::opt<std::string>
    ProjectRoot("project-root", cl::value_desc("DIR"), cl::cat(Inputs),
                cl::desc("findings in headers below DIR are reported; "
                         "default: the nearest folder with .git"));
static cl::opt<std::string>
    ResourceDir("resource-dir", cl::value_desc("DIR"), cl::cat(Inputs),
                cl::desc("where clang's builtin headers are"));
static cl::opt<std::string>
    CudaPath("cuda-path", cl::value_desc("DIR"), cl::cat(Inputs),
             cl::desc("the CUDA toolkit whose headers .cu files use; default: "
                      "looked for (docs/usage.md)"));
static cl::opt<std::string>
    Checks("checks", cl::value_desc("GLOBS"), cl::init("*"), cl::cat(Checking),
           cl::desc("comma-separated globs of check names; a leading '-' takes "
                    "away; default: *"));
static cl::opt<bool>
    Latent("latent", cl::cat(Checking),
           cl::desc("also remark on what fails only for callers that pass "
                    "tensors on some device; does not count for the exit "
                    "status"));
static cl::opt<bool>
    NoCompanions("no-companions", cl::cat(Inputs),
                 cl::desc("judge each file by itself: do not look into the "
                          "files that define what it calls"));
static cl::opt<bool> ListChecks("list-checks", cl::cat(Checking),
                                cl::desc("list the checks and end"));
static cl::opt<std::string>
    Explain("explain", cl::value_desc("CHECK"), cl::cat(Checking),
            cl::desc("print the page of a check and end"));
static cl::list<std::string>
    Contracts("contracts", cl::value_desc("FILE"), cl::cat(Checking),
              cl::desc("what functions of your own demand of devices, and "
                       "where their results are (docs/contracts.md); may be "
                       "given several times"));
static cl::opt<std::string>
    ExplainOp("explain-op", cl::value_desc("NAME"), cl::cat(Checking),
              cl::desc("print what an operator of LibTorch demands of devices "
                       "and end"));
// Not for users, so --help does not show it.
static cl::opt<bool>
    MeasureBinding("measure-binding", cl::Hidden, cl::cat(Checking),
                   cl::desc("count the functions of LibTorch's headers that "
                            "have a contract and end"));
static cl::opt<std::string>
    Verify("verify", cl::ValueOptional, cl::value_desc("PATH"), cl::cat(Output),
           cl::desc("execute the findings with torch-device-verify and tell "
                    "the verdicts"));
static cl::opt<std::string>
    Why("why", cl::value_desc("FILE:LINE"), cl::cat(Output),
        cl::desc("instead of findings: what is known of each tensor on that "
                 "line, and why not more"));
static cl::opt<bool>
    DumpPlaces("dump-places", cl::cat(Output),
               cl::desc("instead of findings: what is known of every tensor "
                        "expression"));
static cl::opt<bool> Quiet("quiet", cl::cat(Output),
                           cl::desc("no last line with counts"));
static cl::opt<bool>
    Verbose("verbose", cl::cat(Output),
            cl::desc("also list the functions that were given up, and the "
                     "other files that were looked into"));
static cl::opt<cl::boolOrDefault>
    Color("use-color", cl::cat(Output),
          cl::desc("colours; default: where the output is a terminal"));
static cl::opt<std::string>
    ExportFindings("export-findings", cl::value_desc("FILE"), cl::cat(Output),
                   cl::desc("write the findings as JSON "
                            "(docs/formats/findings.md)"));
static cl::opt<bool>
    NoPrelude("no-prelude", cl::cat(Preludes),
              cl::desc("parse every header anew in every file"));
static cl::opt<std::string>
    CacheDir("cache-dir", cl::value_desc("DIR"), cl::cat(Preludes),
             cl::desc("where preludes are kept; default: "
                      "$XDG_CACHE_HOME/torch-device-lint"));

static constexpr llvm::StringLiteral Overview =
    "torch-device-lint: finds device-placement bugs in LibTorch (PyTorch C++) "
    "code.\n\n"
    "  torch-device-lint [-p DIR] [files...]      files of a project\n"
    "  torch-device-lint files... -- FLAGS...     files with compiler flags\n\n"
    "Without files: every file of the database. @FILE on the command line "
    "stands for\nthe arguments in FILE.\n\n"
    "Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 some file "
    "could "
    "not be\nanalysed (findings are printed all the same).\n";

static void printVersion(raw_ostream &OS) {
  OS << "torch-device-lint " << Version << "\n";
}

std::optional<Flags> tdl::parseFlags(int Argc, const char **Argv) {
  Flags Read;
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 32> Words(Argv, Argv + Argc);
  if (!cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Words)) {
    errs() << "torch-device-lint: a response file could not be read\n";
    return std::nullopt;
  }
  auto *Dashes = llvm::find_if(
      Words, [](const char *Word) { return StringRef(Word) == "--"; });
  if (Dashes != Words.end())
    Read.CompilerFlags.emplace(Dashes + 1, Words.end());
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions({&Inputs, &Checking, &Output, &Preludes});
  if (!cl::ParseCommandLineOptions(Dashes - Words.begin(), Words.data(),
                                   Overview, &errs()))
    return std::nullopt;
  Read.BuildPath = BuildPath;
  Read.ProjectRoot = ProjectRoot;
  Read.ResourceDir = ResourceDir;
  Read.CudaPath = CudaPath;
  Read.Checks = Checks;
  Read.Verify = Verify.getNumOccurrences() > 0;
  Read.Verifier = Verify;
  Read.ListChecks = ListChecks;
  Read.DumpPlaces = DumpPlaces;
  Read.Why = Why;
  Read.Explain = Explain;
  Read.Contracts.assign(Contracts.begin(), Contracts.end());
  Read.ExplainOp = ExplainOp;
  Read.MeasureBinding = MeasureBinding;
  Read.Latent = Latent;
  Read.UseCompanions = !NoCompanions;
  Read.Quiet = Quiet;
  Read.Verbose = Verbose;
  if (Color != cl::BOU_UNSET)
    Read.Color = Color == cl::BOU_TRUE;
  Read.ExportFindings = ExportFindings;
  Read.UsePrelude = !NoPrelude;
  Read.CacheDir = CacheDir;
  Read.Files.assign(Files.begin(), Files.end());
  return Read;
}
