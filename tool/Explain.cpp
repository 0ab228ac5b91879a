//===- Explain.cpp - --list-checks, --explain and --explain-op -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "ExitCode.h"
#include "checks/Check.h"
#include "torch/ContractTable.h"
#include "torch/ContractWording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tdl;

int tdl::listChecks() {
  for (const CheckInfo &Check : allChecks())
    llvm::outs() << Check.Name << "\n    " << Check.Summary << "\n";
  return static_cast<int>(ExitCode::Clean);
}

int tdl::explainCheck(llvm::StringRef Name) {
  const CheckInfo *Nearest = nullptr;
  unsigned Distance = Name.size();
  for (const CheckInfo &Check : allChecks()) {
    if (Check.Name == Name) {
      llvm::outs() << checkPage(Name);
      return static_cast<int>(ExitCode::Clean);
    }
    unsigned Edits = Name.edit_distance(Check.Name);
    if (Edits < Distance) {
      Distance = Edits;
      Nearest = &Check;
    }
  }
  llvm::errs() << "torch-device-lint: --explain=" << Name
               << ": there is no such check";
  if (Nearest)
    llvm::errs() << "; did you mean " << Nearest->Name << "?";
  llvm::errs() << (Nearest ? " " : "; ") << "--list-checks lists them\n";
  return static_cast<int>(ExitCode::Usage);
}

int tdl::explainOp(llvm::StringRef Spelling, const ContractTable &Table) {
  std::string Name = Table.rowsOf(Spelling).empty() ? contractNameOf(Spelling)
                                                    : Spelling.str();
  std::string Words = contractInWords(Table, Name);
  if (!Words.empty()) {
    llvm::outs() << Words;
    return static_cast<int>(ExitCode::Clean);
  }
  llvm::errs() << "torch-device-lint: --explain-op=" << Spelling
               << ": the contract table has no such operator";
  llvm::SmallVector<llvm::StringRef, 3> Near =
      Table.namesNear(llvm::StringRef(Name).split('.').first);
  if (!Near.empty())
    llvm::errs() << "; did you mean " << llvm::join(Near, " or ") << "?";
  llvm::errs() << "\n";
  return static_cast<int>(ExitCode::Usage);
}
