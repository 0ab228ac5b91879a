//===- Plan.cpp - How a story will be executed ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "OpNames.h"

#include <algorithm>
#include <map>

namespace tdl {
namespace verify {

/// How each step's tensor is used by later steps; views and moves pass it on.
static std::vector<Role> findRoles(const Finding &F) {
  std::vector<Role> Roles(F.Steps.size(), Role::Data);
  for (auto S = F.Steps.rbegin(); S != F.Steps.rend(); ++S)
    for (const Argument &A : S->Arguments) {
      Role R = roleOf(A.Name);
      if (S->Op == "nn::EmbeddingBag" && A.Name == "input")
        R = Role::Index;
      bool PassesOn = S->Kind == StepKind::View || S->Kind == StepKind::Move;
      if (R == Role::Data && PassesOn &&
          (A.Name == "self" || A.Name == "module" || A.Name.empty()))
        R = Roles[S->Id];
      if (R == Role::Data || A.ArgKind == Argument::Kind::DeviceOf)
        continue;
      for (int Used : A.Steps)
        if (Used >= 0 && Roles[Used] == Role::Data)
          Roles[Used] = R;
    }
  return Roles;
}

namespace {

class Planner {
public:
  Planner(const Finding &F, int CudaDevices)
      : F(F), CudaDevices(CudaDevices), Roles(findRoles(F)),
        Needs(rankNeeds(F)), Pool(sizePool(F)), Modules(findModules(F)) {
    Result.F = &F;
  }
  Plan run();

private:
  StepPlan planStep(const Step &S);
  void planInput(StepPlan &P);
  void planCall(StepPlan &P);
  ArgumentSource planArgument(StepPlan &P, size_t Parameter);
  ArgumentSource planUnknownTensor(const StepPlan &P, const std::string &Name);
  void planDevice(StepPlan &P);
  void planModule(const StoryModulePlan &M);
  void planLayers(const StoryModulePlan &M, ModuleSource &Made);
  void planBuffer(const StoryModulePlan &M, ModuleSource &Made);
  void planModuleStep(StepPlan &P);
  ModuleSource::Part planLayer(const LayerKind &Kind, const Step *Made);
  const LayerKind &layerFor(const Step &Run) const;
  std::string parameterOf(const StoryModulePlan &M) const;
  void noteStandIn(const Step &Root, const ModuleSource &Made);
  DeviceSource requireDevice(const std::string &Place, bool IsAssumed);
  DeviceSource assumePlace(const Step &S, const std::string &What);
  std::string operandPlace(int Step) const;
  ArgumentSource addSlot(Slot Made);
  ArgumentSource slotForText(const std::string &Text, Slot Made);

  const Finding &F;
  int CudaDevices;
  std::vector<Role> Roles;
  std::vector<RankNeed> Needs;
  std::vector<int64_t> Pool;
  ModuleSteps Modules;
  std::map<std::string, int> TextSlots; ///< By the text of an argument.
  Plan Result;
};

} // namespace

/// "step 2 ('idx')".
static std::string nameOf(const Step &S) {
  std::string Name = "step " + std::to_string(S.Id);
  return S.Subject.empty() ? Name : Name + " ('" + S.Subject + "')";
}

ArgumentSource Planner::addSlot(Slot Made) {
  Result.Slots.push_back(std::move(Made));
  return {ArgumentSource::Kind::Slot, int(Result.Slots.size()) - 1, ""};
}

/// Numbers that are written alike are taken to be one number.
ArgumentSource Planner::slotForText(const std::string &Text, Slot Made) {
  auto IsSame = [](const c10::IValue &A, const c10::IValue &B) {
    return A.isInt() && B.isInt() && A.toInt() == B.toInt();
  };
  auto Known = TextSlots.find(Text);
  if (Known != TextSlots.end()) {
    const auto &Values = Result.Slots[size_t(Known->second)].Values;
    if (std::equal(Values.begin(), Values.end(), Made.Values.begin(),
                   Made.Values.end(), IsSame))
      return {ArgumentSource::Kind::Slot, Known->second, ""};
  }
  ArgumentSource Source = addSlot(std::move(Made));
  if (!Text.empty())
    TextSlots[Text] = Source.Index;
  return Source;
}

/// Checks that the device exists here; a name is noted.
DeviceSource Planner::requireDevice(const std::string &Place, bool IsAssumed) {
  DeviceSource Source{DeviceSource::Kind::Place, Place, -1, IsAssumed};
  if (isSymbol(Place)) {
    auto &Names = Result.Symbols;
    if (std::find(Names.begin(), Names.end(), Place) == Names.end())
      Names.push_back(Place);
    return Source;
  }
  std::optional<c10::Device> Device;
  try {
    Device.emplace(Place);
  } catch (const c10::Error &) {
    throw CannotRun("'" + Place + "' is no device that this LibTorch knows");
  }
  if (!Device->is_cpu() && !Device->is_cuda() &&
      Device->type() != c10::DeviceType::Meta)
    throw CannotRun("only cpu, cuda and meta can be executed, not '" + Place +
                    "'");
  if (Device->is_cuda() && Device->index() >= CudaDevices)
    throw CannotRun("'" + Place + "' needs " +
                    std::to_string(Device->index() + 1) +
                    " CUDA devices; here are " + std::to_string(CudaDevices));
  return Source;
}

/// The place of the operand that a step is, if it is one and has one.
std::string Planner::operandPlace(int Step) const {
  for (const Operand &O : F.Operands)
    if (O.Step == Step && !isSymbol(O.Place))
      return O.Place;
  return "";
}

/// The device of a step that does not compute it, by the finding's word.
DeviceSource Planner::assumePlace(const Step &S, const std::string &What) {
  std::string Place = S.Place;
  if (Place.empty() || isSymbol(Place)) {
    // What the path condition made of a named place stands at the operand.
    std::string Narrowed = operandPlace(S.Id);
    if (!Narrowed.empty())
      Place = Narrowed;
    else if (Place.empty())
      Place = "<device of " + nameOf(S) + ">";
  }
  DeviceSource Source = requireDevice(Place, /*IsAssumed=*/true);
  if (!What.empty() && !isSymbol(Place))
    Result.Assumed.push_back(nameOf(S) + ": " + What + " is " + Place);
  return Source;
}

void Planner::planInput(StepPlan &P) {
  Slot Made;
  // A loader's labels are one for each example, as a loss wants them.
  bool AreLabels = P.S->Kind == StepKind::Batch && P.UsedAs == Role::Index;
  Made.Tensors = tensorChoices(*P.S, AreLabels ? Role::Target : P.UsedAs,
                               Needs[P.S->Id], Pool);
  // A dropped contiguous() shows only where there is something to do.
  if (F.Expect == Expectation::Stays && operatorFor(F.Op) == "contiguous")
    for (TensorSpec &Spec : Made.Tensors)
      Spec.IsContiguous = false;
  P.TensorSlot = addSlot(std::move(Made)).Index;
}

/// Made by code that is not LibTorch's: an input, or a call of the program's
/// own.
static bool isFromOutside(const Step &S) {
  return S.Kind == StepKind::Input || S.Op.empty();
}

/// Whether the step asks an undefined tensor for its device.
static bool asksUndefined(const Finding &F, const Step &S) {
  return S.Id + 1 == int(F.Steps.size()) && S.Arguments.size() == 1 &&
         S.Arguments.front().ArgKind == Argument::Kind::Tensor &&
         S.Arguments.front().Steps.front() >= 0 &&
         F.Steps[S.Arguments.front().Steps.front()].Kind ==
             StepKind::Undefined;
}

static bool isMadeOfHostData(const Step &S) {
  return isFromOutside(S) || S.Kind == StepKind::Batch || isLoadedTensor(S) ||
         S.Kind == StepKind::Undefined || isHostDataFactory(operatorFor(S.Op));
}

/// Finds the argument that says where the step's result goes.
void Planner::planDevice(StepPlan &P) {
  const Step &S = *P.S;
  if (S.Kind == StepKind::Undefined)
    return;
  if (isFromOutside(S)) {
    P.Device = assumePlace(
        S, S.Kind == StepKind::Input ? "" : "the result of '" + S.Text + "'");
    return;
  }
  if (S.Kind == StepKind::Batch)
    P.Device = requireDevice("cpu", false);
  size_t Colons = S.Op.rfind("::");
  std::string Op = Colons == std::string::npos ? S.Op : S.Op.substr(Colons + 2);
  if (Op == "cuda" || Op == "cpu" || Op == "meta")
    P.Device = requireDevice(Op, false);
  for (const Argument &A : S.Arguments) {
    bool IsDevice = S.Kind != StepKind::Operation &&
                    (A.Name == "device" || A.Name == "options");
    if (A.ArgKind == Argument::Kind::Device)
      P.Device = requireDevice(A.Text, false);
    else if (A.ArgKind == Argument::Kind::DeviceOf)
      P.Device = {DeviceSource::Kind::Step, "", A.Steps.front(), false};
    else if (A.ArgKind == Argument::Kind::Opaque && IsDevice)
      P.Device = assumePlace(S, "'" + A.Text + "'");
  }
}

/// TensorOptions of which nothing is known.
static bool hasOpaqueOptions(const Step &S) {
  for (const Argument &A : S.Arguments)
    if (A.ArgKind == Argument::Kind::Opaque && A.Name == "options")
      return true;
  return false;
}

/// A tensor argument that no step made: any tensor, at a place of its own.
ArgumentSource Planner::planUnknownTensor(const StepPlan &P,
                                          const std::string &Name) {
  Slot Made;
  Made.Tensors = tensorChoices(Step(), roleOf(Name), RankNeed(), Pool);
  ArgumentSource Source = addSlot(std::move(Made));
  Source.Place = "<device of '" + Name + "' in " + nameOf(*P.S) + ">";
  requireDevice(Source.Place, /*IsAssumed=*/true);
  return Source;
}

ArgumentSource Planner::planArgument(StepPlan &P, size_t Parameter) {
  const c10::Argument &Taken = P.Call->Op.schema().arguments()[Parameter];
  int Given = P.Call->Given[Parameter];
  ParameterKind Kind = parameterType(Taken).Kind;
  if (Kind == ParameterKind::Device)
    return {ArgumentSource::Kind::Device, -1, ""};
  bool IsKnown =
      Given >= 0 && P.S->Arguments[Given].ArgKind != Argument::Kind::Opaque;
  if (IsKnown)
    return {ArgumentSource::Kind::Given, Given, ""};
  if (Given >= 0 && Kind == ParameterKind::Tensor)
    return planUnknownTensor(P, Taken.name());
  // None is right for what was not given, and for what cannot be made up.
  bool IsAmongOptions = Kind == ParameterKind::DType && hasOpaqueOptions(*P.S);
  if (Given < 0 && !IsAmongOptions &&
      (Taken.default_value() || parameterType(Taken).MayBeAbsent))
    return {};
  Slot Made;
  Made.Values = valueChoices(*P.S, Taken, P.UsedAs, Pool);
  if (Made.Values.empty())
    throw CannotRun("the value of '" + Taken.name() + "' is not known");
  if (Given >= 0 && Kind == ParameterKind::Int)
    return slotForText(P.S->Arguments[Given].Text, std::move(Made));
  return addSlot(std::move(Made));
}

void Planner::planCall(StepPlan &P) {
  P.Call = chooseOverload(*P.S);
  for (size_t I = 0; I < P.Call->Given.size(); ++I)
    P.Arguments.push_back(planArgument(P, I));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The element type that the module's first input is known to have, or "".
static std::string inputType(const Finding &F, const Step &Run) {
  for (const Argument &A : Run.Arguments)
    if (A.Name != "state" && A.ArgKind == Argument::Kind::Tensor)
      return F.Steps[A.Steps.front()].DType;
  return "";
}

/// What runs in a step that calls a module.
const LayerKind &Planner::layerFor(const Step &Run) const {
  std::string Type = inputType(F, Run);
  // A Sequential that takes numbers of words begins with their table.
  bool TakesWords =
      Run.Op == "nn::Sequential" && (Type == "long" || Type == "int");
  const LayerKind *Kind = findLayer(TakesWords ? "nn::Embedding" : Run.Op);
  if (!Kind)
    throw CannotRunStep(Run.Id, "'" + Run.Op +
                                    "' is none of the modules that the "
                                    "verifier builds (docs/verify.md)");
  return *Kind;
}

/// Choices for a number that the story does not tell.
static std::vector<c10::IValue>
numberChoices(const std::string &Name, const std::vector<int64_t> &Pool) {
  static const std::map<std::string, std::vector<int64_t>> ByName = {
      {"dim", {0, 1, -1}},
      {"kernel_size", {1, 3}},
      {"num_embeddings", {64}},
      {"num_groups", {1}},
      {"num_heads", {1}}};
  auto Found = ByName.find(Name);
  std::vector<c10::IValue> Choices;
  for (int64_t Number : Found == ByName.end() ? Pool : Found->second)
    Choices.emplace_back(Number);
  return Choices;
}

/// \p Made is the step whose arguments the constructor gets; null: unknown
/// ones.
ModuleSource::Part Planner::planLayer(const LayerKind &Kind, const Step *Made) {
  ModuleSource::Part Part;
  Part.What = &Kind;
  for (size_t I = 0; I < Kind.Numbers.size(); ++I) {
    const Argument *Given =
        Made && I < Made->Arguments.size() ? &Made->Arguments[I] : nullptr;
    if (Given && Given->ArgKind == Argument::Kind::Int) {
      Part.Numbers.push_back({-1, Given->Ints.front()});
      continue;
    }
    Slot Choices;
    Choices.Values = numberChoices(Kind.Numbers[I], Pool);
    ArgumentSource Source =
        slotForText(Given ? Given->Text : "", std::move(Choices));
    Part.Numbers.push_back({Source.Index, 0});
  }
  return Part;
}

/// "nn::Linear", "nn::Embedding, nn::Linear and a buffer".
static std::string contentsOf(const ModuleSource &Made) {
  std::vector<std::string> Parts;
  for (const ModuleSource::Part &Part : Made.Layers)
    Parts.push_back(Part.What->Op == "nn::Sequential"
                        ? "nn::Sequential with one nn::Linear"
                        : Part.What->Op);
  if (Made.BufferSlot >= 0)
    Parts.push_back("a buffer");
  std::string Text;
  for (size_t I = 0; I < Parts.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == Parts.size() ? " and " : ", ") + Parts[I];
  return Text;
}

/// Says what takes the place of a module that the story does not describe.
void Planner::noteStandIn(const Step &Root, const ModuleSource &Made) {
  if (Made.IsLayer && Root.Op != "nn::Sequential")
    return;
  std::string Text = Made.IsScript
                         ? "a script that adds each input to its parameter"
                     : Made.IsLayer ? contentsOf(Made)
                                    : "a module of " + contentsOf(Made);
  std::string Replaced = Root.Kind == StepKind::Module ? Root.Op : Root.Text;
  Result.Assumed.push_back(nameOf(Root) + ": " + Text + " stands in for '" +
                           Replaced + "'");
}

/// How many tensors the script's forward() takes at most.
static int scriptInputs(const Finding &F, const StoryModulePlan &M) {
  size_t Most = 0;
  for (int Run : M.Runs)
    for (const Argument &A : F.Steps[Run].Arguments)
      if (A.Name != "state")
        Most = std::max(Most, A.Steps.size());
  return int(Most);
}

/// "weight" where an operand is written "fc->weight"; "" where none is.
std::string Planner::parameterOf(const StoryModulePlan &M) const {
  for (const Operand &O : F.Operands) {
    if (O.Step < 0 || O.Name == "state")
      continue;
    const ModuleStep &Used = Modules.Steps[O.Step];
    bool IsModule =
        Used.What != ModuleStep::Act::None && Used.What != ModuleStep::Act::Run;
    size_t Member = O.Text.find_last_of(".>");
    if (IsModule && &Modules.Modules[Used.Module] == &M &&
        Member != O.Text.npos)
      return O.Text.substr(Member + 1);
  }
  return "";
}

/// The layers of a module of torch::nn, or of a stand-in.
void Planner::planLayers(const StoryModulePlan &M, ModuleSource &Made) {
  const Step &Root = F.Steps[M.Root];
  if (!M.IsLayer) {
    for (int Run : M.Runs)
      Made.Layers.push_back(planLayer(layerFor(F.Steps[Run]), nullptr));
    return;
  }
  const Step &Named = M.Runs.empty() ? Root : F.Steps[M.Runs.front()];
  const Step *Constructor = Root.Kind == StepKind::Module ? &Root : nullptr;
  Made.Layers.push_back(planLayer(layerFor(Named), Constructor));
  Made.IsLayer = Made.Layers.front().What->Op == Root.Op;
}

/// What a stand-in registers beside what runs in it.
void Planner::planBuffer(const StoryModulePlan &M, ModuleSource &Made) {
  if (M.IsTensor) {
    Slot Choices;
    Made.BufferRole = Roles[M.Root];
    Choices.Tensors =
        tensorChoices(F.Steps[M.Root], Made.BufferRole, Needs[M.Root], Pool);
    Made.BufferSlot = addSlot(std::move(Choices)).Index;
  } else if (Made.Layers.empty()) {
    Made.Layers.push_back(planLayer(*findLayer("nn::Linear"), nullptr));
  }
}

void Planner::planModule(const StoryModulePlan &M) {
  ModuleSource Made;
  Made.IsScript = M.IsScript;
  Made.Parameter = parameterOf(M);
  if (M.IsScript) {
    Made.ScriptInputs = scriptInputs(F, M);
  } else {
    planLayers(M, Made);
    if (!Made.IsLayer)
      planBuffer(M, Made);
  }
  if (!runsModule(F.Steps[M.Root]))
    noteStandIn(F.Steps[M.Root], Made);
  Result.Modules.push_back(std::move(Made));
}

/// The device of a step that is about a module; planDevice() has looked at its
/// arguments.
void Planner::planModuleStep(StepPlan &P) {
  const Step &S = *P.S;
  bool IsRun = P.Module.What == ModuleStep::Act::Run;
  bool IsFreeze = P.Module.What == ModuleStep::Act::Freeze;
  bool HasDevice = std::any_of(
      S.Arguments.begin(), S.Arguments.end(),
      [](const Argument &A) { return A.Name == "device"; });
  // A file is loaded to where it was saved.
  if (IsFreeze || (P.Module.What == ModuleStep::Act::Load && !HasDevice)) {
    if (!IsFreeze)
      P.Saved = S.Place.empty() || isSymbol(S.Place) ? "cpu" : S.Place;
    return;
  }
  if (!IsRun && S.Kind == StepKind::Module) {
    for (const Argument &A : S.Arguments)
      if (A.ArgKind == Argument::Kind::Tensor)
        throw CannotRun("'" + A.Name + "' is put into the '" + S.Op +
                        "' by its options, which is not replayed");
    return;
  }
  if (!IsRun) {
    if (P.Device.From == DeviceSource::Kind::None)
      P.Device = assumePlace(S, "the device of '" + S.Text + "'");
    return;
  }
  for (const Argument &A : S.Arguments) {
    bool IsTensor = A.ArgKind == Argument::Kind::Tensor ||
                    A.ArgKind == Argument::Kind::TensorList;
    bool IsKnown = IsTensor && !std::count(A.Steps.begin(), A.Steps.end(), -1);
    if (A.Name == "state" && P.Module.From < 0)
      P.Device = assumePlace(S, "the module of '" + S.Text + "'");
    else if (!IsKnown)
      throw CannotRun("the value of '" + A.Name + "' is not known");
  }
}

StepPlan Planner::planStep(const Step &S) {
  StepPlan P;
  P.S = &S;
  P.UsedAs = Roles[S.Id];
  if (S.Kind == StepKind::Unknown)
    throw CannotRun(
        "a later version of the findings file has this kind of step");
  P.Module = Modules.Steps[S.Id];
  planDevice(P);
  if (P.Module.What != ModuleStep::Act::None)
    planModuleStep(P);
  else if (asksUndefined(F, S))
    P.AsksDevice = true;
  else if (isMadeOfHostData(S))
    planInput(P);
  else
    planCall(P);
  return P;
}

Plan Planner::run() {
  for (const StoryModulePlan &M : Modules.Modules)
    planModule(M);
  for (const Step &S : F.Steps) {
    try {
      Result.Steps.push_back(planStep(S));
    } catch (const CannotRun &Error) {
      throw CannotRunStep(S.Id, Error.what());
    }
  }
  return std::move(Result);
}

Plan makePlan(const Finding &F, int CudaDevices) {
  return Planner(F, CudaDevices).run();
}

} // namespace verify
} // namespace tdl
