//===- Verify.cpp - --verify: runs torch-device-verify on what was found ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "findings/Wording.h"
#include "report/FindingsFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace tdl;

static constexpr llvm::StringLiteral ProgramName = "torch-device-verify";

llvm::Expected<std::string> tdl::findVerifier(llvm::StringRef Asked,
                                              llvm::StringRef Folder) {
  if (!Asked.empty()) {
    if (llvm::sys::fs::can_execute(Asked))
      return Asked.str();
    return llvm::createStringError("--verify=" + Asked +
                                   ": not a program that can be run; expected "
                                   "the path of " +
                                   ProgramName);
  }
  // Installed beside the linter, or built in build/verifier for build/dev/bin.
  for (llvm::StringRef Place : {"", "../../verifier"}) {
    llvm::SmallString<128> Candidate(Folder);
    llvm::sys::path::append(Candidate, Place, ProgramName);
    llvm::sys::path::remove_dots(Candidate, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::can_execute(Candidate))
      return std::string(Candidate);
  }
  if (auto OnPath = llvm::sys::findProgramByName(ProgramName))
    return *OnPath;
  return llvm::createStringError(
      "--verify: no " + ProgramName + " in " + Folder +
      " nor on PATH; build runtime-check/ or name it: --verify=PATH");
}

llvm::Error tdl::verifyFindings(llvm::StringRef Verifier, llvm::StringRef File,
                                std::vector<Finding> &Findings) {
  std::string Json = ("--json=" + File).str();
  std::string Message;
  // Its own report goes nowhere: the verdicts come back in the file.
  std::optional<llvm::StringRef> Redirects[] = {
      llvm::StringRef(""), llvm::StringRef(""), std::nullopt};
  int Status =
      llvm::sys::ExecuteAndWait(Verifier, {Verifier, Json, File}, std::nullopt,
                                Redirects, 0, 0, &Message);
  /// Of runtime-check/ExitCode.h: the findings file was not understood.
  constexpr int VerifierUsage = 2;
  if (Status < 0 || Status == VerifierUsage)
    return llvm::createStringError(
        Verifier + (Message.empty()
                        ? ": ended with status " + std::to_string(Status)
                        : ": " + Message));
  auto Judged = readFindingsFile(File);
  if (!Judged)
    return Judged.takeError();
  llvm::StringMap<const Verdict *> ById;
  for (const FindingRecord &Record : Judged->Records)
    if (Record.Seen)
      ById[Record.What.Id] = &*Record.Seen;
  for (Finding &F : Findings)
    if (const Verdict *Seen = ById.lookup(F.Id))
      F.Notes.push_back({F.At, verdictNote(*Seen)});
  return llvm::Error::success();
}
