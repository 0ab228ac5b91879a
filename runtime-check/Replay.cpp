//===- Replay.cpp - Executes the witness of a finding ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include "ErrorText.h"
#include "Execute.h"
#include "Search.h"

#include <new>

namespace tdl {
namespace verify {

namespace {

/// What a dropped move would have changed.
struct Properties {
  c10::Device Device = c10::Device(c10::kCPU);
  c10::ScalarType Type = c10::ScalarType::Undefined;
  bool IsContiguous = false;
  bool IsPinned = false;

  explicit Properties(const at::Tensor &T)
      : Device(T.device()), Type(T.scalar_type()),
        IsContiguous(T.is_contiguous()),
        IsPinned(T.device().is_cpu() && T.is_pinned()) {}

  friend bool operator==(const Properties &A, const Properties &B) {
    return A.Device == B.Device && A.Type == B.Type &&
           A.IsContiguous == B.IsContiguous && A.IsPinned == B.IsPinned;
  }
};

/// What a run showed. Empty Reason: what was predicted.
struct Outcome {
  std::string Reason;
  int Step = -1;
  std::string ErrorText; ///< What the last step threw.
  bool IsReached = true; ///< The last step was executed.
  bool NeedsGpu = false; ///< Reason is why, and it is no contradiction.

  bool isAsPredicted() const { return Reason.empty(); }
};

/// A run that leads to no verdict about the program.
struct GiveUp {
  Verdict Result;
};

class Replayer {
public:
  Replayer(const Finding &F, DeviceKind Device, const Progress &Report)
      : F(F), Device(Device), Report(Report) {}
  Verdict run();

private:
  Verdict judge();
  Outcome runAsFound(const Placement &Where);
  Outcome runStory(Execution &Run, const Placement &Where);
  Outcome expectThrow(Execution &Run);
  Outcome expectStay(Execution &Run, const Placement &Where);
  Outcome runAsFixed(const Placement &Where, const Fix &Repair);
  Outcome overPlacements(std::vector<Placement> &Predicted);
  Outcome cure(const std::vector<Placement> &Predicted, const Fix &Repair);
  Verdict conclude(const Outcome &Last, const std::string &FoundText) const;
  Outcome comparePlace(const Execution &Run, const Placement &Where) const;
  Outcome needsGpu(int Step) const;
  void announce(const Execution &Run, const char *Which) const;

  int last() const { return int(F.Steps.size()) - 1; }

  const Finding &F;
  DeviceKind Device;
  const Progress &Report;
  Plan Story;
  Control Sound;
};

} // namespace

void Replayer::announce(const Execution &Run, const char *Which) const {
  Report("step " + std::to_string(Run.done()) + " of the run " + Which);
}

static Outcome differs(int Step, std::string Reason, std::string Text = "") {
  Outcome Result;
  Result.Step = Step;
  Result.Reason = std::move(Reason);
  Result.ErrorText = std::move(Text);
  return Result;
}

static Outcome unreached(int Step, const std::string &Text) {
  Outcome Result = differs(Step, "fails before the operation: " + Text, Text);
  Result.IsReached = false;
  return Result;
}

Outcome Replayer::needsGpu(int Step) const {
  Outcome Result = differs(
      Step, "needs a GPU: what '" + undecidedOperator() +
                "' does with these tensors is decided by its CUDA kernel");
  Result.NeedsGpu = true;
  return Result;
}

//===----------------------------------------------------------------------===//
// As found
//===----------------------------------------------------------------------===//

/// "cuda" without a number is the current device, which is 0 here: nothing in
/// a story changes it, so the type is what can be compared.
static bool isAt(c10::Device Real, c10::Device Told) {
  return Real.type() == Told.type() &&
         (!Told.has_index() || Told.is_cpu() || Real.index() == Told.index());
}

Outcome Replayer::comparePlace(const Execution &Run,
                               const Placement &Where) const {
  int Id = int(Run.done()) - 1;
  const Step &S = F.Steps[Id];
  if (S.Place.empty() || (isSymbol(S.Place) && !Where.Symbols.count(S.Place)))
    return {};
  c10::Device Told = Where.resolve(S.Place);
  for (const at::Tensor &Made : Run.made(Id))
    if (Made.defined() && !isAt(Made.device(), Told))
      return differs(Id, "'" + (S.Text.empty() ? S.Op : S.Text) + "' is on " +
                             Made.device().str() + ", not on " + Told.str() +
                             " as the finding says");
  return {};
}

/// Every step but the last.
Outcome Replayer::runStory(Execution &Run, const Placement &Where) {
  while (int(Run.done()) < last()) {
    announce(Run, "as found");
    int Id = int(Run.done());
    try {
      Run.step();
    } catch (const c10::Error &Error) {
      if (!undecidedOperator().empty())
        return needsGpu(Id);
      return unreached(Id, errorText(Error));
    }
    if (!undecidedOperator().empty())
      return needsGpu(Id);
    Outcome Compared = comparePlace(Run, Where);
    if (!Compared.isAsPredicted())
      return Compared;
  }
  return {};
}

Outcome Replayer::expectThrow(Execution &Run) {
  announce(Run, "as found");
  try {
    Run.step();
  } catch (const c10::Error &Error) {
    std::string Text = errorText(Error);
    if (isOutOfMemory(Text))
      throw OutOfMemory();
    if (!undecidedOperator().empty())
      return needsGpu(last());
    if (Text.find(F.ErrorText) == std::string::npos)
      return differs(last(),
                     "another failure: expected '" + F.ErrorText + "', got '" +
                         Text + "'",
                     Text);
    Outcome Result;
    Result.ErrorText = Text;
    return Result;
  }
  if (!undecidedOperator().empty())
    return needsGpu(last());
  return differs(last(), "does not fail");
}

/// The first tensor among a step's arguments.
static const at::Tensor &firstInput(const Execution &Run, const Step &S) {
  for (const Argument &A : S.Arguments)
    if (A.ArgKind == Argument::Kind::Tensor)
      return Run.result(A.Steps.front());
  throw CannotRunStep(S.Id, "the step has no tensor whose move is dropped");
}

Outcome Replayer::expectStay(Execution &Run, const Placement &Where) {
  announce(Run, "as found");
  at::Tensor Input = firstInput(Run, F.Steps.back());
  Properties Before(Input);
  try {
    Run.step();
  } catch (const c10::Error &Error) {
    return differs(last(), "the move itself fails: " + errorText(Error),
                   errorText(Error));
  }
  if (!(Properties(Input) == Before))
    return differs(last(), "the tensor did not stay as it was: it is on " +
                               Input.device().str() + " now");
  // With the result assigned, the program would go on with it.
  const at::Tensor &Result = Run.result(last());
  if (!Result.defined())
    return differs(last(), "the step makes no tensor");
  if (Properties(Result) == Before)
    return differs(last(), "the dropped result is what the tensor was already "
                           "(on " +
                               Before.Device.str() + ")");
  return comparePlace(Run, Where);
}

Outcome Replayer::runAsFound(const Placement &Where) {
  resetUndecided();
  Execution Run(Story, Sound.Chosen, Where);
  Outcome Before = runStory(Run, Where);
  if (!Before.isAsPredicted())
    return Before;
  return F.Expect == Expectation::Throws ? expectThrow(Run)
                                         : expectStay(Run, Where);
}

//===----------------------------------------------------------------------===//
// Places that have only a name
//===----------------------------------------------------------------------===//

static std::string describe(const Placement &Where) {
  std::string Text;
  for (const auto &Symbol : Where.Symbols)
    Text += (Text.empty() ? "" : ", ") + Symbol.first + " is " +
            Symbol.second.str();
  return Text;
}

/// Every way to put the plan's symbols on devices that are here.
static std::vector<Placement> allPlacements(const Plan &P) {
  // Beyond this many names every way would be too many; the first ones vary.
  constexpr size_t MaxVaried = 4;
  std::vector<c10::Device> Devices = {c10::Device(c10::kCPU)};
  for (int I = 0; I < cudaDeviceCount() && I < 2; ++I)
    Devices.emplace_back(c10::DeviceType::CUDA, I);
  std::vector<Placement> All(1);
  for (size_t I = 0; I < P.Symbols.size(); ++I) {
    std::vector<Placement> Longer;
    for (const Placement &Shorter : All)
      for (c10::Device D : Devices) {
        Longer.push_back(Shorter);
        Longer.back().Symbols.emplace(P.Symbols[I], D);
        if (I >= MaxVaried)
          break;
      }
    All = std::move(Longer);
  }
  return All;
}

/// Which placements must show what is predicted: some for a latent finding or a
/// dropped move, all for any other.
/// \p Predicted gets those that did.
Outcome Replayer::overPlacements(std::vector<Placement> &Predicted) {
  Outcome Good, Bad;
  std::vector<Placement> Others;
  for (const Placement &Tried : allPlacements(Story)) {
    Outcome Result = runAsFound(Tried);
    if (Result.isAsPredicted()) {
      Good = Predicted.empty() ? Result : Good;
      Predicted.push_back(Tried);
      continue;
    }
    // What a GPU might still show must not count as a contradiction.
    if (Bad.isAsPredicted() || Result.NeedsGpu)
      Bad = Result;
    // A finding speaks of the executions that reach its line.
    if (Result.IsReached)
      Others.push_back(Tried);
  }
  if (Predicted.empty())
    return Bad;
  if (Others.empty())
    return Good;
  // A dropped move is a fault if there is a device to which it would move.
  if (F.Level != Certainty::Latent && F.Expect != Expectation::Stays)
    throw GiveUp{notRun("fails as predicted where " +
                            describe(Predicted.front()) + ", but not where " +
                            describe(Others.front()) +
                            "; the finding does not say which it is",
                        last())};
  Story.Assumed.push_back(describe(Predicted.front()));
  return Good;
}

//===----------------------------------------------------------------------===//
// As fixed
//===----------------------------------------------------------------------===//

Outcome Replayer::runAsFixed(const Placement &Where, const Fix &Repair) {
  resetUndecided();
  Execution Run(Story, Sound.Chosen, Where);
  Move Moved{Repair.Operand, Repair.Target};
  try {
    while (int(Run.done()) <= last()) {
      announce(Run, "as fixed");
      Run.step(int(Run.done()) == last() ? &Moved : nullptr);
    }
  } catch (const c10::Error &Error) {
    return differs(last(),
                   "still fails with the repair '" + Repair.Description +
                       "': " + errorText(Error),
                   errorText(Error));
  }
  return undecidedOperator().empty() ? Outcome() : needsGpu(last());
}

/// A place that nothing decides may be a second fault, which is none of the
/// repair's business: one placement that it cures is enough.
Outcome Replayer::cure(const std::vector<Placement> &Predicted,
                       const Fix &Repair) {
  Outcome Result;
  for (const Placement &Where : Predicted) {
    Result = runAsFixed(Where, Repair);
    if (Result.isAsPredicted())
      break;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// The verdict
//===----------------------------------------------------------------------===//

Verdict Replayer::conclude(const Outcome &Last,
                           const std::string &FoundText) const {
  if (Last.NeedsGpu)
    return notRun(Last.Reason, Last.Step);
  Verdict V;
  V.State = Last.isAsPredicted() ? Verdict::Status::Confirmed
                                 : Verdict::Status::Refuted;
  V.Reason = Last.Reason;
  V.Step = Last.Step;
  V.ErrorText = Last.ErrorText.empty() ? FoundText : Last.ErrorText;
  V.Device = deviceName(Device);
  V.LibTorch = libTorchVersion();
  V.Assumed = Story.Assumed;
  return V;
}

Verdict Replayer::judge() {
  if (F.Expect == Expectation::None)
    return notRun("nothing at run time shows it");
  if (F.Steps.empty())
    return notRun("the finding has no steps");
  Story = makePlan(F, cudaDeviceCount());
  Report("the control run");
  Sound = findControl(Story);
  if (!Sound.Works)
    return notRun("no sizes were found with which the story works on one "
                  "device; the best try ended with: " +
                      Sound.FailedText,
                  Sound.FailedStep);
  std::vector<Placement> Predicted;
  Outcome Last = overPlacements(Predicted);
  std::string FoundText = Last.ErrorText;
  for (const Fix &Repair : F.Fixes)
    // Assigning a dropped result is what expectStay() looked at.
    if (Last.isAsPredicted() && !Repair.Operand.empty())
      Last = cure(Predicted, Repair);
  return conclude(Last, FoundText);
}

Verdict Replayer::run() {
  try {
    return judge();
  } catch (const GiveUp &Given) {
    return Given.Result;
  } catch (const OutOfMemory &) {
    return notRun("the witness ran out of memory; --memory=MIB gives it more");
  } catch (const std::bad_alloc &) {
    return notRun("the witness ran out of memory; --memory=MIB gives it more");
  } catch (const CannotRunStep &Error) {
    return notRun(Error.what(), Error.Step);
  } catch (const std::exception &Error) {
    return notRun(oneLine(Error.what()));
  }
}

Verdict replay(const Finding &F, DeviceKind Device, const Progress &Report) {
  return Replayer(F, Device, Report).run();
}

} // namespace verify
} // namespace tdl
