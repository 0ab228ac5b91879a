//===- Execute.cpp - Executes steps on LibTorch ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "Absent.h"
#include "LibTorchOptional.h"
#include "OpNames.h"

#include <ATen/core/grad_mode.h>
#include <torch/serialize.h>

#include <sstream>

namespace tdl {
namespace verify {

using torch::jit::Stack;

c10::Device Placement::resolve(const std::string &Place) const {
  if (isSymbol(Place) && !Everywhere)
    return Symbols.at(Place);
  if (!Everywhere)
    return c10::Device(Place);
  // meta holds no data: a tensor that the program puts there stays there.
  return Place == "meta" ? c10::Device(c10::DeviceType::Meta) : *Everywhere;
}

/// The device that the step asks for; nothing where it asks for none.
std::optional<c10::Device> Execution::deviceFor(const StepPlan &S) const {
  switch (S.Device.From) {
  case DeviceSource::Kind::Place:
    return Where.resolve(S.Device.Place);
  case DeviceSource::Kind::Step:
    return Results[S.Device.Step].device();
  case DeviceSource::Kind::None:
    break;
  }
  // LibTorch would choose the CPU.
  bool Makes = S.S->Kind == StepKind::Factory ||
               S.S->Kind == StepKind::Undefined ||
               S.Module.What == ModuleStep::Act::Make ||
               S.Module.What == ModuleStep::Act::Load;
  if (Makes && Where.Everywhere)
    return Where.Everywhere;
  return std::nullopt;
}

/// Out of a file that was saved where the tensor is.
static at::Tensor reloaded(const at::Tensor &Saved) {
  std::stringstream File;
  torch::save(Saved, File);
  at::Tensor Loaded;
  torch::load(Loaded, File);
  return Loaded;
}

at::Tensor Execution::makeTensor(const StepPlan &S) const {
  // The control run has a tensor where there is none.
  if (S.S->Kind == StepKind::Undefined && !Where.Everywhere)
    return undefinedTensor(S.S->Op);
  const TensorSpec &Spec = P.Slots[S.TensorSlot].Tensors[Chosen[S.TensorSlot]];
  at::Tensor Host = makeSample(Spec, S.UsedAs);
  std::optional<c10::Device> Device = deviceFor(S);
  at::Tensor Made = Device ? Host.to(*Device) : Host;
  return isLoadedTensor(*S.S) ? reloaded(Made) : Made;
}

at::Tensor Execution::unknownTensor(const ArgumentSource &Source,
                                    const std::string &Name) const {
  const TensorSpec &Spec = P.Slots[Source.Index].Tensors[Chosen[Source.Index]];
  return makeSample(Spec, roleOf(Name)).to(Where.resolve(Source.Place));
}

static c10::IValue tensorList(const std::vector<at::Tensor> &Results,
                              const Argument &A, ParameterKind Kind) {
  if (Kind == ParameterKind::TensorList) {
    std::vector<at::Tensor> Tensors;
    for (int Step : A.Steps) {
      if (Step < 0)
        throw CannotRun("an element of '" + A.Name + "' is not known");
      Tensors.push_back(Results[Step]);
    }
    return Tensors;
  }
  c10::List<LibTorchOptional<at::Tensor>> Tensors;
  for (int Step : A.Steps)
    Tensors.push_back(Step < 0 ? LibTorchOptional<at::Tensor>()
                               : LibTorchOptional<at::Tensor>(Results[Step]));
  return Tensors;
}

static c10::IValue number(const Argument &A, const c10::Argument &Parameter) {
  ParameterKind Kind = parameterType(Parameter).Kind;
  int64_t Value = A.Ints.front();
  if (Kind == ParameterKind::Float)
    return double(Value);
  if (Kind == ParameterKind::IntList)
    return std::vector<int64_t>(size_t(Parameter.N().value_or(1)), Value);
  return Value;
}

c10::IValue Execution::given(const Argument &A,
                             const c10::Argument &Parameter) const {
  ParameterKind Kind = parameterType(Parameter).Kind;
  switch (A.ArgKind) {
  case Argument::Kind::Tensor:
  case Argument::Kind::DeviceOf: // to(other)
    return Results[A.Steps.front()];
  case Argument::Kind::TensorList:
    return tensorList(Results, A, Kind);
  case Argument::Kind::Int:
    return number(A, Parameter);
  case Argument::Kind::IntList:
    return A.Ints;
  case Argument::Kind::Float:
    if (Kind == ParameterKind::FloatList)
      return std::vector<double>{A.Number};
    return A.Number;
  case Argument::Kind::Bool:
    return A.Flag;
  case Argument::Kind::DType:
    if (auto Type = typeByName(A.Text))
      return int64_t(*Type);
    throw CannotRun("'" + A.Text + "' is no element type of this LibTorch");
  case Argument::Kind::Device:
  case Argument::Kind::Opaque:
    break; // The plan has another source for them.
  }
  return c10::IValue();
}

c10::IValue Execution::argument(const StepPlan &S, size_t Parameter) const {
  const c10::Argument &Taken = S.Call->Op.schema().arguments()[Parameter];
  const ArgumentSource &Source = S.Arguments[Parameter];
  switch (Source.From) {
  case ArgumentSource::Kind::Given:
    return given(S.S->Arguments[Source.Index], Taken);
  case ArgumentSource::Kind::Slot:
    return Source.Place.empty()
               ? P.Slots[Source.Index].Values[Chosen[Source.Index]]
               : unknownTensor(Source, Taken.name());
  case ArgumentSource::Kind::Device:
    if (auto Device = deviceFor(S))
      return *Device;
    break;
  case ArgumentSource::Kind::Default:
    break;
  }
  return Taken.default_value() ? *Taken.default_value() : c10::IValue();
}

//===----------------------------------------------------------------------===//
// Repairs
//===----------------------------------------------------------------------===//

/// An argument of a call, or an element of one that is a list.
namespace {
struct OperandPosition {
  size_t Argument = 0;
  int Element = -1;
};
} // namespace

/// Where "indices[0]" is among the arguments.
static std::optional<OperandPosition>
findOperand(const c10::FunctionSchema &Schema, const std::string &Name) {
  OperandPosition Position;
  size_t Bracket = Name.find('[');
  if (Bracket != std::string::npos)
    Position.Element = std::atoi(Name.c_str() + Bracket + 1);
  std::string Base = Name.substr(0, Bracket);
  for (const std::string &Wanted : {Base, schemaArgument(Base)})
    for (size_t I = 0; I < Schema.arguments().size(); ++I)
      if (Schema.arguments()[I].name() == Wanted) {
        Position.Argument = I;
        return Position;
      }
  return std::nullopt;
}

static at::Tensor tensorAt(const Stack &Arguments, OperandPosition Position) {
  const c10::IValue &Value = Arguments[Position.Argument];
  if (Position.Element < 0)
    return Value.isTensor() ? Value.toTensor() : at::Tensor();
  if (!Value.isList() || size_t(Position.Element) >= Value.toListRef().size())
    return at::Tensor();
  const c10::IValue &Element = Value.toListRef()[size_t(Position.Element)];
  return Element.isTensor() ? Element.toTensor() : at::Tensor();
}

static void replaceTensor(Stack &Arguments, OperandPosition Position,
                          const at::Tensor &With) {
  c10::IValue &Value = Arguments[Position.Argument];
  if (Position.Element < 0) {
    Value = With;
  } else if (Value.isTensorList()) {
    std::vector<at::Tensor> Tensors = Value.toTensorVector();
    Tensors[size_t(Position.Element)] = With;
    Value = Tensors;
  } else {
    // The list may be the caller's; a new one is not.
    c10::List<LibTorchOptional<at::Tensor>> Tensors;
    for (const auto &T : Value.toOptionalTensorVector())
      Tensors.push_back(T);
    Tensors.set(size_t(Position.Element), With);
    Value = Tensors;
  }
}

static void apply(const Move &Repair, const c10::FunctionSchema &Schema,
                  const Placement &Where, Stack &Arguments) {
  auto Operand = findOperand(Schema, Repair.Operand);
  at::Tensor Moved = Operand ? tensorAt(Arguments, *Operand) : at::Tensor();
  if (!Moved.defined())
    throw CannotRun("the repair moves '" + Repair.Operand +
                    "', which is no tensor of this step");
  auto Target = findOperand(Schema, Repair.Target);
  at::Tensor Beside = Target ? tensorAt(Arguments, *Target) : at::Tensor();
  c10::Device To =
      Beside.defined() ? Beside.device() : Where.resolve(Repair.Target);
  replaceTensor(Arguments, *Operand, Moved.to(To));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// x.index({Slice(), 0}) names no tensor, and aten::index wants one.
static bool hasNoIndex(const Stack &Arguments) {
  for (const c10::IValue &Value : Arguments) {
    if (!Value.isOptionalTensorList())
      continue;
    for (const auto &T : Value.toOptionalTensorVector())
      if (T && T->defined())
        return false;
    return true;
  }
  return false;
}

/// The tensor among several results that a step is about: the finding tells
/// them apart by element type alone. All of them are on one device.
static at::Tensor resultOf(const Step &S, const Stack &Results) {
  std::vector<at::Tensor> Tensors;
  for (const c10::IValue &Result : Results) {
    if (Result.isTensor())
      Tensors.push_back(Result.toTensor());
    else if (Result.isTensorList())
      for (const at::Tensor &T : Result.toTensorVector())
        Tensors.push_back(T);
  }
  auto Type = typeByName(S.DType);
  for (const at::Tensor &T : Tensors)
    if (Type && T.defined() && T.scalar_type() == *Type)
      return T;
  return Tensors.empty() ? at::Tensor() : Tensors.front();
}

at::Tensor Execution::call(const StepPlan &S, const Move *Repair) const {
  Stack Values;
  for (size_t I = 0; I < S.Arguments.size(); ++I)
    Values.push_back(argument(S, I));
  if (Repair)
    apply(*Repair, S.Call->Op.schema(), Where, Values);
  if (hasNoIndex(Values))
    return Values.front().toTensor().alias();
  callOperator(S.Call->Op, Values);
  return resultOf(*S.S, Values);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::shared_ptr<StoryModule> Execution::build(int Module) const {
  const ModuleSource &Source = P.Modules[Module];
  ModuleRecipe Recipe;
  Recipe.Made = Source.IsScript  ? ModuleRecipe::Kind::Script
                : Source.IsLayer ? ModuleRecipe::Kind::Layer
                                 : ModuleRecipe::Kind::StandIn;
  for (const ModuleSource::Part &Part : Source.Layers) {
    Recipe.Layers.push_back({Part.What, {}});
    for (const NumberSource &N : Part.Numbers)
      Recipe.Layers.back().Numbers.push_back(
          N.Slot < 0 ? N.Value
                     : P.Slots[N.Slot].Values[Chosen[N.Slot]].toInt());
  }
  if (Source.BufferSlot >= 0)
    Recipe.Buffer = makeSample(
        P.Slots[Source.BufferSlot].Tensors[Chosen[Source.BufferSlot]],
        Source.BufferRole);
  Recipe.ScriptInputs = Source.ScriptInputs;
  Recipe.Parameter = Source.Parameter;
  return makeModule(Recipe);
}

/// The module that the step is about, as the steps before left it.
std::shared_ptr<StoryModule> Execution::moduleFor(const StepPlan &S) const {
  if (S.Module.From >= 0 && !S.Module.Copies)
    return Modules[S.Module.From];
  std::shared_ptr<StoryModule> Made = build(S.Module.Module);
  if (S.Module.From >= 0 && Results[S.Module.From].defined())
    Made->to(Results[S.Module.From].device());
  return Made;
}

/// Operands of a repair are named as the arguments of forward() are; the module
/// itself is 'state'.
static void apply(const Move &Repair, const Placement &Where,
                  const at::Tensor &State, LayerInputs &Inputs) {
  auto Find = [&](const std::string &Operand) -> at::Tensor * {
    size_t Bracket = Operand.find('[');
    size_t Element = Bracket == Operand.npos
                         ? 0
                         : size_t(std::atoi(Operand.c_str() + Bracket + 1));
    for (LayerInput &Input : Inputs)
      if (Input.Name == Operand.substr(0, Bracket) &&
          Element < Input.Tensors.size())
        return &Input.Tensors[Element];
    return nullptr;
  };
  at::Tensor *Moved = Find(Repair.Operand);
  if (!Moved)
    throw CannotRun("the repair moves '" + Repair.Operand +
                    "', which is no input of this step");
  const at::Tensor *Beside =
      Repair.Target == "state" ? &State : Find(Repair.Target);
  *Moved = Moved->to(Beside ? Beside->device() : Where.resolve(Repair.Target));
}

at::Tensor Execution::runModule(const StepPlan &S, const Move *Repair) const {
  std::shared_ptr<StoryModule> Module = moduleFor(S);
  std::optional<c10::Device> Device = deviceFor(S);
  if (S.Module.From < 0 && Device)
    Module->to(*Device);
  LayerInputs Inputs;
  for (const Argument &A : S.S->Arguments) {
    if (A.Name == "state")
      continue;
    Inputs.push_back({A.Name, {}});
    for (int Step : A.Steps)
      Inputs.back().Tensors.push_back(Results[Step]);
  }
  if (Repair)
    apply(*Repair, Where, Module->tensor(), Inputs);
  return Module->run(S.Module.Layer, Inputs);
}

void Execution::moduleStep(const StepPlan &S, const Move *Repair) {
  if (S.Module.What == ModuleStep::Act::Run) {
    at::Tensor Result = runModule(S, Repair);
    Modules.push_back(nullptr);
    Results.push_back(Result);
    return;
  }
  std::shared_ptr<StoryModule> Module = moduleFor(S);
  if (S.Module.What == ModuleStep::Act::Freeze) {
    if (!Module->freeze())
      throw CannotRun("the module is no script");
  } else if (!S.Saved.empty() && !Where.Everywhere) {
    Module->loadSavedOn(Where.resolve(S.Saved));
  } else if (std::optional<c10::Device> Device = deviceFor(S)) {
    if (S.Module.What == ModuleStep::Act::Load)
      Module->load(*Device);
    else
      Module->to(*Device);
  }
  Results.push_back(Module->tensor());
  Modules.push_back(std::move(Module));
}

std::vector<at::Tensor> Execution::made(int Step) const {
  return Modules[Step] ? Modules[Step]->state()
                       : std::vector<at::Tensor>{Results[Step]};
}

void Execution::step(const Move *Repair) {
  at::NoGradGuard NoGrad; // Gradients don't change where anything is.
  const StepPlan &S = P.Steps[done()];
  if (S.Module.What != ModuleStep::Act::None) {
    moduleStep(S, Repair);
    return;
  }
  at::Tensor Result =
      S.Call         ? call(S, Repair)
      : S.AsksDevice ? askDevice(S.S->Op,
                                 Results[S.S->Arguments.front().Steps.front()])
                     : makeTensor(S);
  Modules.push_back(nullptr);
  Results.push_back(Result);
}

} // namespace verify
} // namespace tdl
