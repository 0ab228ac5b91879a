//===- ModulePlan.cpp - Which steps are about which module ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModulePlan.h"

#include "Layers.h"

#include <algorithm>

namespace tdl {
namespace verify {

static bool isNnModule(const std::string &Op) {
  return Op.compare(0, 4, "nn::") == 0 && Op.find("functional") == Op.npos;
}

bool runsModule(const Step &S) {
  return S.Kind == StepKind::Operation &&
         (isNnModule(S.Op) || S.Op == "jit::Module");
}

/// The step that an argument names; -1 without such an argument, or one that
/// names none.
static int stepNamed(const Step &S, const char *Name) {
  for (const Argument &A : S.Arguments)
    if (A.Name == Name)
      return A.ArgKind == Argument::Kind::Tensor ? A.Steps.front() : -1;
  return -1;
}

static bool hasArgument(const Step &S, const char *Name) {
  return std::any_of(S.Arguments.begin(), S.Arguments.end(),
                     [&](const Argument &A) { return A.Name == Name; });
}

static bool movesModule(const Step &S) {
  return S.Kind == StepKind::Move && hasArgument(S, "module");
}

static bool freezesModule(const Step &S) {
  return S.Kind == StepKind::View && S.Op == "freeze" &&
         hasArgument(S, "module");
}

/// Per step, whether its result is a module.
static std::vector<bool> findStates(const Finding &F) {
  std::vector<bool> IsState(F.Steps.size());
  for (auto S = F.Steps.rbegin(); S != F.Steps.rend(); ++S) {
    bool Passes = movesModule(*S) || freezesModule(*S);
    if (S->Kind == StepKind::Module || Passes)
      IsState[S->Id] = true;
    int Used = runsModule(*S) ? stepNamed(*S, "state")
               : Passes       ? stepNamed(*S, "module")
                              : -1;
    if (Used >= 0)
      IsState[Used] = true;
  }
  return IsState;
}

namespace {

class ModuleFinder {
public:
  explicit ModuleFinder(const Finding &F) : F(F), IsState(findStates(F)) {
    Found.Steps.resize(F.Steps.size());
  }
  ModuleSteps run();

private:
  void addState(const Step &S);
  void addRun(const Step &S);
  void noteTensors(const Step &S);
  void noteCopies();
  int newModule(const Step &Root);

  const Finding &F;
  std::vector<bool> IsState;
  ModuleSteps Found;
};

} // namespace

int ModuleFinder::newModule(const Step &Root) {
  StoryModulePlan Made;
  Made.Root = Root.Id;
  Found.Modules.push_back(Made);
  return int(Found.Modules.size()) - 1;
}

void ModuleFinder::addState(const Step &S) {
  ModuleStep &M = Found.Steps[S.Id];
  M.What = freezesModule(S)  ? ModuleStep::Act::Freeze
           : !movesModule(S) ? ModuleStep::Act::Make
           : S.Op == "load"  ? ModuleStep::Act::Load
                             : ModuleStep::Act::Move;
  if (movesModule(S) || freezesModule(S))
    M.From = stepNamed(S, "module");
  M.Module = M.From >= 0 ? Found.Steps[M.From].Module : newModule(S);
}

void ModuleFinder::addRun(const Step &S) {
  ModuleStep &M = Found.Steps[S.Id];
  M.What = ModuleStep::Act::Run;
  M.From = stepNamed(S, "state");
  M.Module = M.From >= 0 ? Found.Steps[M.From].Module : newModule(S);
  StoryModulePlan &Plan = Found.Modules[M.Module];
  Plan.IsScript |= S.Op == "jit::Module";
  M.Layer = Plan.Runs.size();
  Plan.Runs.push_back(S.Id);
}

/// Arguments that are a parameter of a module, not the module.
void ModuleFinder::noteTensors(const Step &S) {
  for (const Argument &A : S.Arguments) {
    if (A.Name == "module" || (runsModule(S) && A.Name == "state") ||
        A.ArgKind == Argument::Kind::DeviceOf)
      continue;
    for (int Used : A.Steps)
      if (Used >= 0 && IsState[Used])
        Found.Modules[Found.Steps[Used].Module].IsTensor = true;
  }
}

/// The steps of a story stand before their users, and not always in the order
/// of the program.
void ModuleFinder::noteCopies() {
  for (ModuleStep &M : Found.Steps) {
    bool Moves = M.What == ModuleStep::Act::Move ||
                 M.What == ModuleStep::Act::Load ||
                 M.What == ModuleStep::Act::Freeze;
    if (!Moves || M.From < 0)
      continue;
    int Id = int(&M - Found.Steps.data());
    for (size_t Later = size_t(Id) + 1; Later < F.Steps.size(); ++Later)
      for (const Argument &A : F.Steps[Later].Arguments)
        M.Copies |= std::count(A.Steps.begin(), A.Steps.end(), M.From) != 0;
  }
}

ModuleSteps ModuleFinder::run() {
  for (const Step &S : F.Steps) {
    if (IsState[S.Id])
      addState(S);
    else if (runsModule(S))
      addRun(S);
    noteTensors(S);
  }
  for (StoryModulePlan &M : Found.Modules) {
    const Step &Root = F.Steps[M.Root];
    bool CanBeBuilt = !M.Runs.empty() || findLayer(Root.Op);
    M.IsLayer = isNnModule(Root.Op) && CanBeBuilt &&
                std::all_of(M.Runs.begin(), M.Runs.end(), [&](int Run) {
                  return F.Steps[Run].Op == Root.Op;
                });
    if (M.IsLayer)
      for (int Run : M.Runs)
        Found.Steps[Run].Layer = 0;
  }
  noteCopies();
  return std::move(Found);
}

ModuleSteps findModules(const Finding &F) { return ModuleFinder(F).run(); }

} // namespace verify
} // namespace tdl
