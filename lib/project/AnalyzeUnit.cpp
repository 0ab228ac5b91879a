//===- AnalyzeUnit.cpp - From one translation unit to findings -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "project/AnalyzeUnit.h"
#include "checks/Check.h"
#include "checks/KnownPlaces.h"
#include "compile/BodySkipper.h"
#include "compile/UnitParser.h"
#include "flow/FunctionAnalysis.h"
#include "summary/ClassInvariants.h"
#include "summary/EntryPoints.h"
#include "summary/MovedModules.h"
#include "torch/HeaderVersion.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace tdl;

namespace {
/// Collects the functions of the user's own files, instantiations and the call
/// operators of lambdas among them, in source order.
class FunctionCollector : public RecursiveASTVisitor<FunctionCollector> {
public:
  FunctionCollector(const ParsedUnit &Unit,
                    std::vector<const FunctionDecl *> &Functions)
      : Unit(Unit), Functions(Functions) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    add(Function);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    if (FunctionTemplateDecl *Generic =
            Lambda->getCallOperator()->getDescribedFunctionTemplate()) {
      for (FunctionDecl *Instance : Generic->specializations())
        add(Instance);
      return true;
    }
    // Others are analysed where they are made, with what they capture.
    if (!Lambda->getCallOperator()->getParentFunctionOrMethod())
      add(Lambda->getCallOperator());
    return true;
  }

  void add(const FunctionDecl *Function) {
    if (!Function->doesThisDeclarationHaveABody() ||
        Function->isDependentContext() || Function->isDefaulted() ||
        isDeviceCode(Function) || !Unit.isProject(Function->getLocation()))
      return;
    if (Seen.insert(Function).second)
      Functions.push_back(Function);
  }

private:
  const ParsedUnit &Unit;
  std::vector<const FunctionDecl *> &Functions;
  llvm::DenseSet<const FunctionDecl *> Seen;
};
} // namespace

static std::vector<const FunctionDecl *> collectFunctions(ParsedUnit &Unit) {
  std::vector<const FunctionDecl *> Functions;
  FunctionCollector Collector(Unit, Functions);
  for (Decl *TopLevel : Unit.TopLevel)
    Collector.TraverseDecl(TopLevel);
  for (FunctionDecl *Instance : Unit.Instantiations)
    Collector.add(Instance);
  return Functions;
}

static void count(const FunctionResult &Result, UnitResult &Into) {
  ++Into.Counts.Functions;
  if (Result.GivenUp) {
    ++Into.Counts.FunctionsGivenUp;
    Into.GivenUp.push_back(Result.Function->getQualifiedNameAsString());
  }
  for (const Operation &Op : Result.Operations) {
    if (!Op.Chain.empty())
      continue; // Counted where the callee itself is analysed.
    ++Into.Counts.Operations;
    if (!Op.Row)
      ++Into.Counts.OperationsUnmodelled;
    Into.Counts.OperationsKnown +=
        llvm::all_of(Op.Visits, [](const OperationVisit &Visit) {
          return Visit.AllPlacesKnown;
        });
  }
}

/// Leaves what is reported where its own file is analysed.
static void dropCompanions(const ParsedUnit &Unit, MovedModules &Modules) {
  for (MovedModuleCall &Call : Modules.Calls)
    llvm::erase_if(Call.Members, [&](const LeftBehind &Left) {
      return Unit.isCompanion(Left.Given.At);
    });
  llvm::erase_if(Modules.LateChildren, [&](const LateChild &Late) {
    return Unit.isCompanion(Late.Function->getLocation());
  });
  llvm::erase_if(Modules.Replaced, [&](const ReplacedMember &Replaced) {
    return Unit.isCompanion(Replaced.Left.Given.At);
  });
}

static void runModuleChecks(const ParsedUnit &Unit, FunctionContext &Context,
                            llvm::ArrayRef<const FunctionDecl *> Functions,
                            const CheckList &Checks,
                            std::vector<Finding> &Findings) {
  auto IsWanted = [&](const CheckInfo &Check) {
    return Check.RunOnModules && Checks.contains(Check.Name);
  };
  if (llvm::none_of(allChecks(), IsWanted))
    return;
  MovedModules Modules = findMovedModules(Context, Functions);
  dropCompanions(Unit, Modules);
  for (const CheckInfo &Check : allChecks())
    if (IsWanted(Check))
      Check.RunOnModules(Context, Modules, Findings);
}

UnitResult tdl::analyzeUnit(ParsedUnit &Unit, const AnalysisOptions &Options) {
  UnitResult Into;
  std::optional<LibTorchVersion> Version = libTorchVersionOf(Unit.PP);
  if (Version)
    Into.LibTorchVersion =
        std::to_string(Version->Major) + "." + std::to_string(Version->Minor);
  FunctionContext Context(Unit.Context, *Options.Contracts, Version);
  Context.RecordsTensors = Options.WithPlaces;
  std::vector<const FunctionDecl *> Functions = collectFunctions(Unit);
  Context.Modules.collect(Functions);
  Context.Layers.collect(Functions);
  Context.Libraries.collect(Functions);
  Context.Optimizers.collect(Functions);
  Context.EntryPoints = findEntryPoints(Functions);
  Context.WantsLatent = Options.WithLatent;
  findClassInvariants(Context, Functions);
  for (const FunctionDecl *Function : Functions) {
    if (Unit.isCompanion(Function->getLocation()))
      continue;
    FunctionResult Result = analyzeFunction(Context, Function);
    count(Result, Into);
    addKnownPlaces(Context, Result, Into.Places);
    if (Result.GivenUp)
      continue;
    for (const CheckInfo &Check : allChecks())
      if (Check.Run && Options.Checks.contains(Check.Name))
        Check.Run(Context, Result, Into.Findings);
  }
  runModuleChecks(Unit, Context, Functions, Options.Checks, Into.Findings);
  return Into;
}
