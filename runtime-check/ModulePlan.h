//===- ModulePlan.h - Which steps are about which module ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A story has one step for where a module is made or comes from, one for each
// time it is moved, and names the latest of them as the 'state' of a call. Here
// they are put together.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_MODULEPLAN_H
#define TDL_RUNTIME_CHECK_MODULEPLAN_H

#include "Finding.h"

#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// What a step does with a module.
struct ModuleStep {
  enum class Act {
    None, ///< The step is about tensors alone.
    Make,
    Move,
    Load, ///< torch::load, torch::jit::load
    Freeze, ///< torch::jit::freeze
    Run,
  };
  Act What = Act::None;
  int Module = -1; ///< Index into ModuleSteps::Modules.
  int From = -1;   ///< The step that left the module as it is; -1: a new one.
  /// A later step needs the module as it was before this move.
  bool Copies = false;
  /// What runs: index into StoryModulePlan::Runs; 0 where the module is a
  /// layer.
  size_t Layer = 0;
};

/// A module of the story.
struct StoryModulePlan {
  int Root = 0; ///< The first step that is about it.
  bool IsScript = false;
  /// Root makes just the module of torch::nn that runs.
  bool IsLayer = false;
  std::vector<int> Runs; ///< Steps that call it or a module in it.
  bool IsTensor = false; ///< Some step takes a parameter or buffer of it.
};

struct ModuleSteps {
  std::vector<ModuleStep> Steps; ///< One per step of the finding.
  std::vector<StoryModulePlan> Modules;
};

ModuleSteps findModules(const Finding &F);

/// Whether the step calls a module's forward().
bool runsModule(const Step &S);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_MODULEPLAN_H
