//===- MeasureBinding.cpp - --measure-binding ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasureBinding.h"
#include "ExitCode.h"
#include "torch/Binding.h"
#include "torch/HeaderVersion.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tdl;

namespace {
struct Share {
  unsigned Bound = 0;
  unsigned All = 0;
};
} // namespace

static void print(llvm::StringRef What, Share S) {
  llvm::outs() << What << ": " << S.Bound << " of " << S.All << " bound ("
               << llvm::format("%.1f", S.All ? 100.0 * S.Bound / S.All : 0.0)
               << " %)\n";
}

static void printBinding(llvm::ArrayRef<TensorFunction> Functions,
                         std::optional<LibTorchVersion> Version) {
  std::map<std::string, Share> Scopes;
  Share Total;
  for (const TensorFunction &F : Functions) {
    for (Share *S : {&Scopes[F.Scope], &Total}) {
      ++S->All;
      S->Bound += F.IsBound;
    }
    if (!F.IsBound)
      llvm::outs() << "unbound: " << F.Scope << "::" << F.Name << "  "
                   << F.Signature << "\n";
  }
  for (const auto &[Scope, S] : Scopes)
    print(Scope, S);
  std::string What = "LibTorch";
  if (Version)
    What += " " + std::to_string(Version->Major) + "." +
            std::to_string(Version->Minor);
  print(What, Total);
}

/// What is wrong with the file, empty when it was measured.
static std::vector<std::string> measureFile(const InputFile &File,
                                            UnitParser &Parser) {
  if (!File.Commands)
    return {File.Problem};
  auto Commands = File.Commands->commandsFor(File.Path);
  if (!Commands)
    return {llvm::toString(Commands.takeError())};
  // One of several commands is enough: the headers are the same.
  return Parser
      .parse(Commands->front(),
             [](ParsedUnit &Unit) {
               auto Version = libTorchVersionOf(Unit.PP);
               const ContractTable &Table = ContractTable::builtin();
               printBinding(tensorFunctionsOf(Unit.Context, Table, Version),
                            Version);
             })
      .Errors;
}

int tdl::measureBinding(llvm::ArrayRef<InputFile> Files, ParseOptions Options) {
  // A walk over all declarations would read a prelude whole.
  Options.UsePrelude = false;
  UnitParser Parser(std::move(Options));
  ExitCode Status = ExitCode::Clean;
  for (const InputFile &File : Files)
    for (const std::string &Problem : measureFile(File, Parser)) {
      llvm::errs() << Problem << "\n";
      Status = ExitCode::Incomplete;
    }
  return static_cast<int>(Status);
}
