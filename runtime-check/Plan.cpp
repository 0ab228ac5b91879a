//===- Plan.cpp - How a story will be executed ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
      bool PassesOn = S->Kind == StepKind::View || S->Kind == StepKind::Move;
      if (R == Role::Data && PassesOn && (A.Name == "self" || A.Name.empty()))
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
        Needs(rankNeeds(F)), Pool(sizePool(F)) {
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
  Made.Tensors = tensorChoices(*P.S, P.UsedAs, Needs[P.S->Id], Pool);
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

/// Finds the argument that says where the step's result goes.
void Planner::planDevice(StepPlan &P) {
  const Step &S = *P.S;
  if (isFromOutside(S)) {
    P.Device = assumePlace(
        S, S.Kind == StepKind::Input ? "" : "the result of '" + S.Text + "'");
    return;
  }
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

StepPlan Planner::planStep(const Step &S) {
  StepPlan P;
  P.S = &S;
  P.UsedAs = Roles[S.Id];
  if (S.Kind == StepKind::Unknown)
    throw CannotRun(
        "a later version of the findings file has this kind of step");
  planDevice(P);
  if (isFromOutside(S) || isHostDataFactory(operatorFor(S.Op)))
    planInput(P);
  else
    planCall(P);
  return P;
}

Plan Planner::run() {
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
