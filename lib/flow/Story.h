//===- Story.h - How a tensor came to be where it is -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tensor value points to the event that made it; an event points to the
// events of its inputs. Tails are shared, so a story costs one node a call.
// Positions stay clang's until a finding is made of them.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_STORY_H
#define TDL_FLOW_STORY_H

#include "device/Condition.h"
#include "device/Place.h"
#include "device/TensorShape.h"
#include "findings/Finding.h"
#include <deque>
#include <string>
#include <vector>

namespace clang {
class Expr;
class ValueDecl;
} // namespace clang

namespace tdl {

struct Event;

/// One argument of an event, as Finding.h's StepArgument before it is resolved.
struct EventArgument {
  std::string Name;
  StepArgument::Kind Kind = StepArgument::Kind::Opaque;
  /// For Tensor, TensorList and DeviceOf; null elements are no tensors.
  std::vector<const Event *> Events;
  std::string Text;
  /// For Opaque: the argument in the source.
  const clang::Expr *Source = nullptr;
};

/// What one expression made of a tensor.
struct Event {
  StepKind Kind = StepKind::Operation;
  std::string Op;
  /// The expression; null for an Input.
  const clang::Expr *Site = nullptr;
  /// For an Input: the parameter, variable or member; null for a call's result.
  const clang::ValueDecl *Declaration = nullptr;
  Place After;
  Rank Dimensions = Rank::unknown();
  ElementType Elements = ElementType::Unknown;
  /// The input whose place the result has; null where the place is new.
  const Event *PlaceFrom = nullptr;
  std::vector<EventArgument> Arguments;
  /// The path under which it happens.
  PathCondition Path;
  /// The tensor stands for the parameters and buffers of a module.
  bool IsModuleState = false;
  /// It is loaded without a device: After is where the file says.
  bool IsFromFile = false;
  /// What is wrong with it, or with an event that its place comes from, is
  /// reported where it happens; what follows from it is not told again.
  bool HasFailed = false;
  /// The load without a device that put the tensor where it is; null without
  /// one. StoryBook::add sets it.
  const Event *Load = nullptr;
  /// The variable that first holds the result; null for a temporary.
  const clang::ValueDecl *Subject = nullptr;
};

/// The load without a device that put the tensor of \p E where it is; null
/// without one, and for null.
inline const Event *loadOf(const Event *E) { return E ? E->Load : nullptr; }

/// Whether the tensor of \p E is where it is by a fault that is reported; not
/// for null.
inline bool hasFailed(const Event *E) { return E && E->HasFailed; }

/// Owns the events of one function.
class StoryBook {
public:
  Event &add(Event E) {
    Events.push_back(std::move(E));
    Event &Made = Events.back();
    // Derived once: a chain of places may be as long as the function.
    const Event *From = Made.PlaceFrom;
    Made.HasFailed |= From && From->HasFailed;
    Made.Load = Made.IsFromFile ? &Made : From ? From->Load : nullptr;
    return Made;
  }
  /// The first variable that holds the result names it.
  void nameSubject(const Event *E, const clang::ValueDecl *Variable) {
    auto *Mutable = const_cast<Event *>(E);
    if (!Mutable->Subject && Mutable->Kind != StepKind::Input)
      Mutable->Subject = Variable;
  }

private:
  std::deque<Event> Events;
};

} // namespace tdl

#endif // TDL_FLOW_STORY_H
