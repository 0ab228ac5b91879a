//===- State.h - What holds at one program point ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is a small set of disjuncts. Each disjunct holds under its own path
// condition: the conditions of the program that decide places (is there CUDA,
// the program's own booleans). Branches that no such condition tells apart are
// joined value by value.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_STATE_H
#define TDL_FLOW_STATE_H

#include "device/Condition.h"
#include "device/PlaceFacts.h"
#include "flow/Value.h"
#include "llvm/ADT/ImmutableMap.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Expr;
} // namespace clang

namespace tdl {

/// What is known of locations. A location without an entry has its initial
/// value (Locations::initialValue).
using Environment = llvm::ImmutableMap<LocationId, const Value *>;

struct Disjunct {
  PathCondition Path;
  PlaceFacts Facts;
  Environment Env;
  /// Values of the arms of conditional operators, from the block that evaluated
  /// the arm to the block that joins them.
  llvm::SmallVector<std::pair<const clang::Expr *, const Value *>, 2> Arms;

  explicit Disjunct(Environment Env) : Env(Env) {}
};

/// What a location holds before anything is assigned to it; asked during joins
/// for locations that only one side has an entry for.
class InitialValues {
public:
  virtual ~InitialValues() = default;
  virtual const Value *initialValue(LocationId Location) = 0;
  /// Whether \p Location is part of an object that was not made where nothing
  /// is stored there.
  virtual bool isStoredWhenMade(LocationId) const { return false; }
};

class State {
public:
  /// The bound on disjuncts; over it, the two with most in common are joined.
  static constexpr unsigned MaxDisjuncts = 8;

  /// No execution gets here.
  bool isUnreachable() const { return Disjuncts.empty(); }

  llvm::SmallVector<Disjunct, 2> Disjuncts;
};

/// Joins states; owns what joins need.
class StateJoiner {
public:
  StateJoiner(ValueArena &Arena, Environment::Factory &Factory,
              InitialValues &Initials)
      : Arena(Arena), Factory(Factory), Initials(Initials) {}

  /// Adds \p From to \p Into; returns whether \p Into changed.
  bool joinInto(State &Into, const State &From);

  /// Joins disjuncts whose path conditions became equal.
  void normalise(State &S);

private:
  bool addDisjunct(State &Into, const Disjunct &From);
  bool addOverlapping(State &Into, const Disjunct &From);
  bool joinDisjunct(Disjunct &Into, const Disjunct &From);
  void bound(State &S);
  bool sameState(const State &A, const State &B);
  bool sameKnowledgeIn(const Disjunct &A, const Disjunct &B);
  bool isWorthJoining(const Disjunct &A, const Disjunct &B);
  bool sameEnvironment(const Disjunct &A, const Disjunct &B);
  const Value *lookup(const Disjunct &D, LocationId Location);

  ValueArena &Arena;
  Environment::Factory &Factory;
  InitialValues &Initials;
};

} // namespace tdl

#endif // TDL_FLOW_STATE_H
