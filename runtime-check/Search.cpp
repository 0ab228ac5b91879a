//===- Search.cpp - Finds values with which a story works -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "ErrorText.h"

#include <chrono>
#include <new>

namespace tdl {
namespace verify {

using Clock = std::chrono::steady_clock;

namespace {

class Search {
public:
  Search(const Plan &P, c10::Device Device, Control &Best)
      : P(P), Best(Best), Chosen(P.Slots.size(), 0),
        Deadline(Clock::now() + std::chrono::seconds(MaxSeconds)) {
    Where.Everywhere = Device;
  }
  /// True when a combination works; it is in Best then.
  bool run();

private:
  static constexpr int MaxTries = 3000;
  static constexpr int MaxSeconds = 10;

  bool tryAll(size_t Slot, size_t Cost);
  bool tryOnce();
  bool isOver() const { return Tries >= MaxTries || Clock::now() > Deadline; }
  void noteFailure(const Execution &Run, const std::string &Text);

  const Plan &P;
  Control &Best;
  Choice Chosen;
  Placement Where;
  Clock::time_point Deadline;
  int Tries = 0;
};

} // namespace

/// The try that came furthest tells best why there is none.
void Search::noteFailure(const Execution &Run, const std::string &Text) {
  if (isOutOfMemory(Text))
    throw OutOfMemory();
  if (int(Run.done()) <= Best.FailedStep)
    return;
  Best.FailedStep = int(Run.done());
  Best.FailedText = Text;
}

bool Search::tryOnce() {
  ++Tries;
  Execution Run(P, Chosen, Where);
  try {
    while (Run.done() < P.Steps.size())
      Run.step();
  } catch (const c10::Error &Error) {
    noteFailure(Run, errorText(Error));
    return false;
  } catch (const std::bad_alloc &) {
    throw OutOfMemory();
  } catch (const std::exception &Error) {
    noteFailure(Run, oneLine(Error.what()));
    return false;
  }
  Best.Works = true;
  Best.Chosen = Chosen;
  Best.Device = *Where.Everywhere;
  return true;
}

/// Every combination whose choices, counted from 0, add up to Cost.
bool Search::tryAll(size_t Slot, size_t Cost) {
  if (Slot == P.Slots.size())
    return Cost == 0 && tryOnce();
  for (size_t I = 0; I <= Cost && I < P.Slots[Slot].size() && !isOver(); ++I) {
    Chosen[Slot] = I;
    if (tryAll(Slot + 1, Cost - I))
      return true;
  }
  return false;
}

bool Search::run() {
  size_t MaxCost = 0;
  for (const Slot &S : P.Slots)
    MaxCost += S.size() - 1;
  for (size_t Cost = 0; Cost <= MaxCost && !isOver(); ++Cost)
    if (tryAll(0, Cost))
      return true;
  return false;
}

Control findControl(const Plan &P) {
  Control Found;
  // On the CPU only where it must be: 'lengths' of pack_padded_sequence,
  // pinning.
  for (c10::Device Device : {c10::Device(c10::DeviceType::CUDA, 0),
                             c10::Device(c10::DeviceType::CPU)})
    if (Search(P, Device, Found).run())
      break;
  return Found;
}

} // namespace verify
} // namespace tdl
