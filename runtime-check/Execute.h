//===- Execute.h - Executes steps on LibTorch -----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_EXECUTE_H
#define TDL_RUNTIME_CHECK_EXECUTE_H

#include "Modules.h"
#include "Plan.h"

#include <map>

namespace tdl {
namespace verify {

/// Where a run puts tensors.
struct Placement {
  /// Every device of the story is this one. Absent: they are as told.
  std::optional<c10::Device> Everywhere;
  std::map<std::string, c10::Device> Symbols; ///< What the names stand for.

  c10::Device resolve(const std::string &Place) const;
};

/// One choice per slot of the plan.
using Choice = std::vector<size_t>;

/// An operand of the last step that goes elsewhere before it runs.
struct Move {
  std::string Operand; ///< "self", "indices[0]".
  std::string Target;  ///< Another operand, or a device string.
};

/// One execution of a story. LibTorch's exceptions pass through.
class Execution {
public:
  Execution(const Plan &P, const Choice &Chosen, const Placement &Where)
      : P(P), Chosen(Chosen), Where(Where) {}

  /// Executes the next step. \p Repair is applied to its operands.
  void step(const Move *Repair = nullptr);
  size_t done() const { return Results.size(); }
  /// The tensor that a step made, a parameter of the module that it made or
  /// moved; undefined when it made something else.
  const at::Tensor &result(int Step) const { return Results[Step]; }
  /// That tensor, or all parameters and buffers.
  std::vector<at::Tensor> made(int Step) const;

private:
  at::Tensor makeTensor(const StepPlan &S) const;
  at::Tensor unknownTensor(const ArgumentSource &Source,
                           const std::string &Name) const;
  at::Tensor call(const StepPlan &S, const Move *Repair) const;
  std::shared_ptr<StoryModule> build(int Module) const;
  std::shared_ptr<StoryModule> moduleFor(const StepPlan &S) const;
  at::Tensor runModule(const StepPlan &S, const Move *Repair) const;
  void moduleStep(const StepPlan &S, const Move *Repair);
  std::optional<c10::Device> deviceFor(const StepPlan &S) const;
  c10::IValue argument(const StepPlan &S, size_t Parameter) const;
  c10::IValue given(const Argument &A, const c10::Argument &Parameter) const;

  const Plan &P;
  const Choice &Chosen;
  const Placement &Where;
  std::vector<at::Tensor> Results; ///< Per step.
  /// Per step; null where it is about tensors alone.
  std::vector<std::shared_ptr<StoryModule>> Modules;
};

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_EXECUTE_H
