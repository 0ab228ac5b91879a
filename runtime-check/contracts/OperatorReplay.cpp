//===- OperatorReplay.cpp - A row of the contract table against LibTorch --===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorReplay.h"

#include "../Device.h"
#include "CallList.h"
#include "SampleCall.h"

#include <torch/version.h>

#include <algorithm>
#include <set>

namespace tdl {
namespace verify {

using Status = OperatorReport::Status;

const char *statusName(Status State) {
  switch (State) {
  case Status::Agree:
    return "agree";
  case Status::Disagree:
    return "disagree";
  case Status::NeedsGpu:
    return "needs-gpu";
  case Status::NotRun:
    return "not-run";
  case Status::Silent:
    return "silent";
  case Status::NoRow:
    return "no-row";
  case Status::NoSample:
    return "no-sample";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Which row
//===----------------------------------------------------------------------===//

/// "aten::add" for "add", "tdl_F::linear" for "F::linear" (Functional.cpp).
static auto findOperator(const std::string &Operator) {
  size_t Dot = Operator.find('.');
  std::string Name = Operator.substr(0, Dot);
  bool IsOperator = Name.find("::") == std::string::npos;
  return c10::Dispatcher::singleton().findSchema(
      {(IsOperator ? "aten::" : "tdl_") + Name,
       Dot == std::string::npos ? "" : Operator.substr(Dot + 1)});
}

Release libTorchRelease() { return {TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR}; }

ContractRow *rowFor(ContractRows &Table, const std::string &Operator) {
  auto Op = findOperator(Operator);
  if (!Op)
    return nullptr;
  std::vector<std::string> Parameters;
  bool IsOutForm = false;
  for (const c10::Argument &Parameter : Op->schema().arguments()) {
    Parameters.push_back(Parameter.name());
    IsOutForm |= Parameter.is_out();
  }
  std::string Name = Operator.substr(0, Operator.find('.'));
  return Table.find(IsOutForm ? Name + "_out" : Name, Parameters,
                    libTorchRelease());
}

//===----------------------------------------------------------------------===//
// Arrangements
//===----------------------------------------------------------------------===//

static const c10::Device Cpu(c10::kCPU);

static c10::Device cuda(int Index) {
  return c10::Device(c10::DeviceType::CUDA, c10::DeviceIndex(Index));
}

namespace {

/// An arrangement, and the one-device arrangement that must work for it to show
/// anything about devices.
struct Trial {
  Arrangement Where;
  Arrangement Control;
};

/// Everything that a sample can show.
class Trials {
public:
  Trials(const SampleCall &Call, bool Reshapes)
      : Call(Call), Reshapes(Reshapes) {}
  std::vector<Trial> onOneDevice() const;
  std::vector<Trial> mixed() const;

private:
  using Slots = std::vector<size_t>;
  void addMoved(const Slots &Moved, c10::Device To, c10::Device Rest, Shape As,
                std::vector<Trial> &Into) const;
  void addOptions(c10::Device Tensors, std::vector<Trial> &Into) const;

  const SampleCall &Call;
  bool Reshapes;
};

} // namespace

/// \p Moved elsewhere than the rest, and in another shape. The control has all
/// of it where the rest is.
void Trials::addMoved(const Slots &Moved, c10::Device To, c10::Device Rest,
                      Shape As, std::vector<Trial> &Into) const {
  Trial T{Call.allOn(Rest), Call.allOn(Rest)};
  for (size_t Slot : Moved) {
    T.Where.Devices[Slot] = To;
    T.Where.Shapes[Slot] = T.Control.Shapes[Slot] = As;
  }
  Into.push_back(T);
}

/// The argument 'device', with the tensors in one place.
void Trials::addOptions(c10::Device Tensors, std::vector<Trial> &Into) const {
  if (!Call.takesDevice())
    return;
  for (c10::Device Option : {Cpu, cuda(0), cuda(1)}) {
    Trial T{Call.allOn(Tensors), Call.allOn(Tensors)};
    T.Where.Option = T.Control.Option = Option;
    Into.push_back(T);
  }
}

std::vector<Trial> Trials::onOneDevice() const {
  std::vector<Trial> All;
  for (c10::Device Device : {Cpu, cuda(0), cuda(1)}) {
    All.push_back({Call.allOn(Device), Call.allOn(Device)});
    if (Device != cuda(1))
      addOptions(Device, All);
  }
  return All;
}

std::vector<Trial> Trials::mixed() const {
  // A long list shows nothing new after its first elements.
  constexpr size_t MaxVaried = 8;
  std::vector<Trial> All;
  size_t Count = std::min(Call.slots(), MaxVaried);
  if (Call.slots() < 2)
    return All;
  for (size_t I = 0; I < Count; ++I) {
    for (Shape As : {Shape::AsSampled, Shape::ZeroDim, Shape::OneElement}) {
      if (As != Shape::AsSampled && (!Reshapes || Call.isZeroDim(I)))
        continue;
      addMoved({I}, Cpu, cuda(0), As, All);
      addMoved({I}, cuda(0), Cpu, As, All);
      addMoved({I}, cuda(1), cuda(0), As, All);
    }
    for (size_t J = I + 1; Reshapes && J < Count && Call.slots() > 2; ++J)
      addMoved({I, J}, Cpu, cuda(0), Shape::ZeroDim, All);
  }
  return All;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {

/// What a row can tell of a call's tensors, one entry per slot.
struct Layout {
  std::vector<c10::Device> Devices;
  std::vector<bool> ZeroDim;
  std::optional<c10::Device> Option;

  Layout(const SampleCall &Call, const Arrangement &Where)
      : Devices(Where.Devices), Option(Where.Option) {
    for (size_t I = 0; I < Devices.size(); ++I)
      ZeroDim.push_back(
          Where.Shapes[I] == Shape::ZeroDim ||
          (Where.Shapes[I] == Shape::AsSampled && Call.isZeroDim(I)));
  }
  /// Whether a row that allows this one because of what is 0-dim in it must
  /// allow the other.
  bool isAllowedWith(const Layout &Other) const {
    if (Devices != Other.Devices || Option != Other.Option)
      return false;
    for (size_t I = 0; I < ZeroDim.size(); ++I)
      if (ZeroDim[I] && !Other.ZeroDim[I])
        return false;
    return true;
  }
};

class Comparison {
public:
  Comparison(const std::string &Operator, const ContractRow *Row,
             ReplayMode Mode,
             const std::function<void(const std::string &)> &Progress)
      : Row(Row), Mode(Mode), Progress(Progress) {
    Report.Operator = Operator;
    if (Row)
      Report.Row = Row->Where;
  }

  void addSample(const c10::OperatorHandle &Op, const Sample &Given,
                 size_t Number);
  OperatorReport conclude(const c10::OperatorHandle &Op);

private:
  bool addSample(const SampleCall &Call);
  Outcome run(const SampleCall &Call, const Arrangement &Where);
  bool works(const SampleCall &Call, const Arrangement &Control);
  void compare(const SampleCall &Call, const Arrangement &Where,
               const Outcome &Real);
  void comparePlaces(const SampleCall &Call, const Arrangement &Where,
                     const Outcome &Real);
  void compareShapes(const SampleCall &Call, const Arrangement &Where,
                     const Outcome &Real);
  void compareFailure(const SampleCall &Call, const Arrangement &Where,
                      const Outcome &Real, const Judgement &Told);
  void addMissed();
  void disagree(const SampleCall &Call, const Arrangement &Where,
                const std::string &How) {
    disagree(Call.describe(Where), How);
  }
  void disagree(const std::string &Where, const std::string &How);
  void noteSilent(const SampleCall &Call, const Arrangement &Where,
                  const Outcome &Real);

  const ContractRow *Row;
  ReplayMode Mode;
  const std::function<void(const std::string &)> &Progress;
  OperatorReport Report;
  size_t SampleNumber = 0;  ///< Of the operator's, counted from 0.
  std::string FirstFailure; ///< Of a sample that does not work anywhere.
  std::string UndecidedBy, PlacedBy;
  int Disagreements = 0;
  int Decided = 0; ///< Comparisons in which LibTorch's own code had its say.
  bool HasRun = false;
  /// Calls of which the row says that they work, and that fail.
  struct MissedCall {
    Layout Is;
    std::string Where, ErrorText;
  };
  std::vector<MissedCall> Missed;
  std::vector<Layout> Working; ///< Calls that do work.
  std::string
      Lenient; ///< A call that works with some sizes and not with others.
  std::set<std::string> GivenParameters;
  std::map<std::string, bool> KnownControls; ///< Of the current sample.
};

} // namespace

Outcome Comparison::run(const SampleCall &Call, const Arrangement &Where) {
  Progress(Report.Operator + " with " + Call.describe(Where));
  return Call.run(Where);
}

bool Comparison::works(const SampleCall &Call, const Arrangement &Control) {
  auto Entry = KnownControls.emplace(Call.describe(Control), false);
  if (Entry.second)
    Entry.first->second = !run(Call, Control).HasThrown;
  return Entry.first->second;
}

void Comparison::disagree(const std::string &Where, const std::string &How) {
  constexpr int MaxTold = 3;
  if (++Disagreements <= MaxTold)
    Report.Detail += (Report.Detail.empty() ? "" : "; ") + Where + ": " + How;
}

void Comparison::compareFailure(const SampleCall &Call,
                                const Arrangement &Where, const Outcome &Real,
                                const Judgement &Told) {
  auto Says = [&](const std::string &Text) {
    return Real.ErrorText.find(Text) != std::string::npos;
  };
  // TensorIterator words it otherwise where numbers and 0-dim tensors add up.
  bool IsByScalars = Says("Trying to pass too many CPU scalars");
  bool IsByInner = Row->FormOf >= 0 && Says(Row->InnerText);
  if (!Real.HasThrown)
    disagree(Call, Where,
             "works, the row says that " + Told.Culprit + " fails");
  else if (!Says(Row->ErrorText) && !IsByScalars && !IsByInner)
    disagree(Call, Where,
             "fails as the row says, but with '" + Real.ErrorText +
                 "', which lacks '" + Row->ErrorText + "'");
  else
    ++Decided;
}

void Comparison::comparePlaces(const SampleCall &Call, const Arrangement &Where,
                               const Outcome &Real) {
  bool IsOnCpu = true;
  tdl::verify::Call Seen = Call.seen(Where);
  for (const Passed &T : Seen.Tensors)
    IsOnCpu &= T.Device.is_cpu();
  for (size_t I = 0; I < Real.Results.size(); ++I) {
    if (Row->resultAt(I).Where == PlaceRule::Kind::None &&
        !Real.Results[I].empty())
      return disagree(Call, Where, "gives a tensor, the row says none");
    std::optional<c10::Device> Told;
    for (size_t E = 0; E < Real.Results[I].size(); ++E) {
      c10::Device Is = Real.Results[I][E].Device;
      Told = placeOfResult(*Row, Seen, I, E);
      if (Told && Is != *Told)
        return disagree(Call, Where,
                        "the result is on " + Is.str() + ", the row says on " +
                            Told->str());
    }
    if ((Told && !Real.Results[I].empty()) ||
        Row->resultAt(I).Where == PlaceRule::Kind::None) {
      // What the CPU does with CPU tensors says little about devices.
      if (Real.Placed.empty() && (!IsOnCpu || Where.Option))
        ++Decided;
      else if (!Real.Placed.empty())
        PlacedBy = Real.Placed;
    }
  }
  if (Real.Results.empty() && Real.Placed.empty() && !IsOnCpu)
    ++Decided;
}

/// Rank and element type, which are the same on all devices: that a kernel for
/// the CPU computed them is no reason for a doubt.
void Comparison::compareShapes(const SampleCall &Call, const Arrangement &Where,
                               const Outcome &Real) {
  if (!Row || Real.HasThrown)
    return;
  tdl::verify::Call Seen = Call.seen(Where);
  auto Rank = rankOfResult(*Row, Seen);
  // LibTorch leaves the shape of an out that has the right number of elements.
  for (size_t I = 0; I < Call.slots(); ++I)
    if (isOutName(Call.parameterOf(I)) && Where.Shapes[I] != Shape::AsSampled)
      Rank.reset();
  for (size_t I = 0; I < Real.Results.size(); ++I) {
    auto Type = typeOfResult(*Row, Seen, I);
    for (const MadeTensor &Made : Real.Results[I]) {
      if (Rank && !Rank->allows(Made.Rank))
        return disagree(Call, Where,
                        "the result has rank " + std::to_string(Made.Rank) +
                            ", the row says " + Rank->inWords());
      if (Type && Made.Type != *Type)
        return disagree(Call, Where,
                        std::string("the result's type is ") +
                            c10::toString(Made.Type) + ", the row says " +
                            c10::toString(*Type));
    }
  }
}

/// A row without claims: the first arrangement that fails is worth telling.
void Comparison::noteSilent(const SampleCall &Call, const Arrangement &Where,
                            const Outcome &Real) {
  if (Real.HasThrown && Real.Undecided.empty() && Report.Detail.empty())
    Report.Detail = Call.describe(Where) + " fails: " + Real.ErrorText;
}

void Comparison::compare(const SampleCall &Call, const Arrangement &Where,
                         const Outcome &Real) {
  ++Report.Calls;
  if (Mode.ListsCalls)
    Report.CallLines.back() += '\t' + callText(Row, Call, Where, Real);
  compareShapes(Call, Where, Real);
  if (!Row || !Row->claimsSomething())
    return noteSilent(Call, Where, Real);
  if (!Real.Undecided.empty()) {
    ++Report.Undecided;
    UndecidedBy = Real.Undecided;
    return;
  }
  Judgement Told = judge(*Row, Call.seen(Where));
  if (Told.Is == Judgement::Kind::Open) {
    --Report.Calls;
    return;
  }
  if (Told.Is != Judgement::Kind::Works)
    return compareFailure(Call, Where, Real, Told);
  if (Real.HasThrown) {
    Missed.push_back(
        {Layout(Call, Where), Call.describe(Where), Real.ErrorText});
    return;
  }
  Working.emplace_back(Call, Where);
  comparePlaces(Call, Where, Real);
}

/// False when the sample does not work on any device, so that it shows nothing.
bool Comparison::addSample(const SampleCall &Call) {
  KnownControls.clear();
  Outcome OnCpu = run(Call, Call.allOn(Cpu));
  Outcome OnCuda = run(Call, Call.allOn(cuda(0)));
  if (OnCpu.HasThrown && OnCuda.HasThrown) {
    FirstFailure = FirstFailure.empty() ? OnCpu.ErrorText : FirstFailure;
    return false;
  }
  HasRun = true;
  if (Mode.ListsCalls)
    Report.CallLines.push_back(
        callLineStart(Report.Operator, SampleNumber, Call));
  for (size_t I = 0; I < Call.slots(); ++I)
    GivenParameters.insert(Call.parameterOf(I));
  Trials All(Call, Mode.Reshapes);
  int Before = Disagreements;
  size_t MissedBefore = Missed.size();
  for (const Trial &T : All.onOneDevice())
    if (!OnCpu.HasThrown || T.Where.Devices.empty() ||
        !T.Where.Devices[0].is_cpu())
      compare(Call, T.Where, run(Call, T.Where));
  // What fails on one device already says nothing about two.
  if (Disagreements != Before || Missed.size() != MissedBefore)
    return true;
  for (const Trial &T : All.mixed()) {
    bool IsHostOnly = OnCuda.HasThrown;
    Arrangement Control = T.Control;
    if (IsHostOnly)
      Control.Devices.assign(Control.Devices.size(), Cpu);
    if (works(Call, Control))
      compare(Call, T.Where, run(Call, T.Where));
  }
  return true;
}

void Comparison::addSample(const c10::OperatorHandle &Op, const Sample &Given,
                           size_t Number) {
  SampleNumber = Number;
  for (Filling How : {Filling::Fractions, Filling::Dominant})
    try {
      if (addSample(SampleCall(Op, Given, How)))
        return;
    } catch (const SampleError &Error) {
      FirstFailure = Error.what();
      return;
    }
}

/// Parameters with a role that the operator has and no sample gave.
static std::string untested(const c10::OperatorHandle &Op,
                            const ContractRow &Row,
                            const std::set<std::string> &Given) {
  std::string Text;
  for (const c10::Argument &Parameter : Op.schema().arguments())
    if (Row.roleOf(Parameter.name()) != DeviceRole::Any &&
        !Given.count(Parameter.name()))
      Text += (Text.empty() ? "" : ",") + Parameter.name();
  return Text;
}

/// Where sizes decide, a row can only be right for the lenient case.
void Comparison::addMissed() {
  for (const MissedCall &Failed : Missed) {
    bool Works =
        std::any_of(Working.begin(), Working.end(), [&](const Layout &Good) {
          return Failed.Is.isAllowedWith(Good);
        });
    if (Works)
      Lenient = Failed.Where;
    else
      disagree(Failed.Where,
               "fails, the row says that it works: " + Failed.ErrorText);
  }
}

OperatorReport Comparison::conclude(const c10::OperatorHandle &Op) {
  if (!HasRun) {
    Report.Detail = FirstFailure;
    return Report;
  }
  addMissed();
  if (Row)
    Report.Untested = untested(Op, *Row, GivenParameters);
  if (!Row)
    Report.State = Status::NoRow;
  else if (Disagreements > 0)
    Report.State = Status::Disagree;
  else if (!Row->claimsSomething())
    Report.State = Status::Silent;
  else if (Report.Undecided > 0 || Decided == 0)
    Report.State = Status::NeedsGpu;
  else
    Report.State = Status::Agree;
  if (Report.State == Status::Agree && !Lenient.empty())
    Report.Detail = "works or fails by size: " + Lenient;
  if (Report.State == Status::NeedsGpu && Report.Undecided > 0)
    Report.Detail = "the CUDA kernel of '" + UndecidedBy + "' decides";
  else if (Report.State == Status::NeedsGpu)
    Report.Detail = PlacedBy.empty()
                        ? "no call with a tensor on CUDA was decided"
                        : "where its result is, the CUDA kernel of '" +
                              PlacedBy + "' decides";
  if (Disagreements > 3)
    Report.Detail += "; " + std::to_string(Disagreements - 3) + " more";
  return Report;
}

OperatorReport
replayOperator(const std::string &Operator, const std::vector<Sample> &Given,
               const ContractRow *Row, ReplayMode Mode,
               const std::function<void(const std::string &)> &Progress) {
  auto Op = findOperator(Operator);
  Comparison Result(Operator, Row, Mode, Progress);
  if (!Op) {
    OperatorReport Report;
    Report.Operator = Operator;
    Report.Detail = "this LibTorch has no such operator";
    return Report;
  }
  for (size_t I = 0; I < Given.size(); ++I)
    Result.addSample(*Op, Given[I], I);
  return Result.conclude(*Op);
}

} // namespace verify
} // namespace tdl
