//===- Plan.h - How a story will be executed ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about executing a finding's steps that does not depend on where
// its tensors are: the operators, where each argument comes from, and which
// values must be made up (slots).
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_PLAN_H
#define TDL_RUNTIME_CHECK_PLAN_H

#include "Layers.h"
#include "ModulePlan.h"
#include "Overloads.h"
#include "Samples.h"

#include <optional>

namespace tdl {
namespace verify {

/// A value that the finding does not say. One of the lists is filled.
struct Slot {
  std::vector<TensorSpec> Tensors;
  std::vector<c10::IValue> Values;

  size_t size() const {
    return Tensors.empty() ? Values.size() : Tensors.size();
  }
};

/// Where an argument of a call comes from.
struct ArgumentSource {
  enum class Kind {
    Given,   ///< Index into Step::Arguments.
    Default, ///< The schema's default, or None.
    Slot,    ///< Index into Plan::Slots; a tensor is put at Place.
    Device,  ///< StepPlan says.
  };
  Kind From = Kind::Default;
  int Index = -1;
  /// Of a tensor that the source gives and no step made.
  std::string Place;
};

/// The device that a step asks for.
struct DeviceSource {
  enum class Kind {
    None,  ///< It asks for none: LibTorch's rule for the operator holds.
    Place, ///< A device string or a name.
    Step,  ///< The device of that step's tensor.
  };
  Kind From = Kind::None;
  std::string Place;
  int Step = -1;
  /// The program's device is not known: Place is the finding's word for it.
  bool IsAssumed = false;
};

/// A number of a module's constructor.
struct NumberSource {
  int Slot = -1; ///< -1: Value is known.
  int64_t Value = 0;
};

/// A module that is built, and what of it is made up.
struct ModuleSource {
  struct Part {
    const LayerKind *What = nullptr;
    std::vector<NumberSource> Numbers;
  };
  bool IsScript = false;
  bool IsLayer = false; ///< Layers.front() itself, not a stand-in around it.
  std::vector<Part> Layers;
  int BufferSlot = -1;
  Role BufferRole = Role::Data;
  int ScriptInputs = 0;
  std::string Parameter; ///< The one that a step takes; empty: the first.
};

struct StepPlan {
  const Step *S = nullptr;
  ModuleStep Module;
  /// Absent: the tensor is made of host data, as TensorSlot says, or the step
  /// is about a module.
  std::optional<Overload> Call;
  std::vector<ArgumentSource> Arguments; ///< One per parameter of Call.
  int TensorSlot = -1;
  /// A call that needs the device of a tensor that is undefined.
  bool AsksDevice = false;
  /// Where a file was saved that is loaded without a device; empty: none is.
  std::string Saved;
  DeviceSource Device;
  Role UsedAs = Role::Data;
};

struct Plan {
  const Finding *F = nullptr;
  std::vector<StepPlan> Steps;
  std::vector<Slot> Slots;
  std::vector<ModuleSource> Modules;
  /// Names of places that the steps need and that nothing decides, in order.
  std::vector<std::string> Symbols;
  /// What is taken from the finding without being executed.
  std::vector<std::string> Assumed;
};

/// CannotRun with the step at which it occurred.
class CannotRunStep : public CannotRun {
public:
  CannotRunStep(int Step, const std::string &Why)
      : CannotRun(Why), Step(Step) {}
  int Step;
};

/// Throws CannotRunStep. \p F must outlive the plan.
Plan makePlan(const Finding &F, int CudaDevices);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_PLAN_H
