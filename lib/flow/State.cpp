//===- State.cpp - What holds at one program point -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/State.h"
#include "llvm/ADT/STLExtras.h"

using namespace tdl;

const Value *StateJoiner::lookup(const Disjunct &D, LocationId Location) {
  if (const Value *const *Found = D.Env.lookup(Location))
    return *Found;
  return Initials.initialValue(Location);
}

bool StateJoiner::sameEnvironment(const Disjunct &A, const Disjunct &B) {
  if (A.Env.getRootWithoutRetain() == B.Env.getRootWithoutRetain())
    return true;
  auto Covers = [&](const Disjunct &X, const Disjunct &Y) {
    return llvm::all_of(X.Env, [&](const auto &Entry) {
      return sameKnowledge(Entry.second, lookup(Y, Entry.first));
    });
  };
  return Covers(A, B) && Covers(B, A);
}

static const Value *armOf(const Disjunct &D, const clang::Expr *Arm) {
  const auto *It = llvm::find_if(
      D.Arms, [&](const auto &Entry) { return Entry.first == Arm; });
  return It == D.Arms.end() ? nullptr : It->second;
}

bool StateJoiner::joinDisjunct(Disjunct &Into, const Disjunct &From) {
  bool Changed = false;
  llvm::SmallVector<LocationId, 16> Locations;
  if (Into.Env.getRootWithoutRetain() != From.Env.getRootWithoutRetain()) {
    for (const auto &Entry : Into.Env)
      Locations.push_back(Entry.first);
    for (const auto &Entry : From.Env)
      if (!Into.Env.lookup(Entry.first))
        Locations.push_back(Entry.first);
  }
  for (LocationId Location : Locations) {
    const Value *Old = lookup(Into, Location);
    const Value *New = join(Arena, Old, lookup(From, Location));
    if (sameKnowledge(Old, New))
      continue;
    Into.Env = Factory.add(Into.Env, Location, New);
    Changed = true;
  }
  for (const auto &[Arm, Theirs] : From.Arms) {
    const Value *Ours = armOf(Into, Arm);
    if (!Ours) {
      Into.Arms.push_back({Arm, Theirs});
      Changed = true;
    } else if (const Value *New = join(Arena, Ours, Theirs);
               !sameKnowledge(New, Ours)) {
      for (auto &Entry : Into.Arms)
        if (Entry.first == Arm)
          Entry.second = New;
      Changed = true;
    }
  }
  PlaceFacts Facts = Into.Facts;
  Facts.meetWith(From.Facts);
  if (!(Facts == Into.Facts)) {
    Into.Facts = Facts;
    Changed = true;
  }
  return Changed;
}

bool StateJoiner::addDisjunct(State &Into, const Disjunct &From) {
  for (Disjunct &D : Into.Disjuncts)
    if (D.Path == From.Path)
      return joinDisjunct(D, From);
  // The same knowledge under two conditions holds under what they share.
  for (Disjunct &D : Into.Disjuncts) {
    bool SameArms =
        D.Arms.size() == From.Arms.size() &&
        llvm::all_of(D.Arms, [&](const auto &Entry) {
          const Value *Theirs = armOf(From, Entry.first);
          return Theirs && sameKnowledge(Entry.second, Theirs);
        });
    if (!SameArms || !sameEnvironment(D, From))
      continue;
    PathCondition Common = D.Path;
    Common.keepCommon(From.Path);
    PlaceFacts Facts = D.Facts;
    Facts.meetWith(From.Facts);
    bool Changed = !(Common == D.Path) || !(Facts == D.Facts);
    D.Path = Common;
    D.Facts = Facts;
    return Changed;
  }
  Into.Disjuncts.push_back(From);
  return true;
}

void StateJoiner::bound(State &S) {
  while (S.Disjuncts.size() > State::MaxDisjuncts) {
    size_t BestA = 0, BestB = 1, BestCommon = 0;
    for (size_t A = 0; A < S.Disjuncts.size(); ++A)
      for (size_t B = A + 1; B < S.Disjuncts.size(); ++B) {
        PathCondition Common = S.Disjuncts[A].Path;
        Common.keepCommon(S.Disjuncts[B].Path);
        if (Common.literals().size() > BestCommon) {
          BestCommon = Common.literals().size();
          BestA = A;
          BestB = B;
        }
      }
    Disjunct Other = S.Disjuncts[BestB];
    S.Disjuncts.erase(S.Disjuncts.begin() + BestB);
    S.Disjuncts[BestA].Path.keepCommon(Other.Path);
    joinDisjunct(S.Disjuncts[BestA], Other);
  }
}

bool StateJoiner::joinInto(State &Into, const State &From) {
  bool Changed = false;
  for (const Disjunct &D : From.Disjuncts)
    Changed |= addDisjunct(Into, D);
  if (Changed)
    normalise(Into);
  return Changed;
}

void StateJoiner::normalise(State &S) {
  State Result;
  for (const Disjunct &D : S.Disjuncts)
    addDisjunct(Result, D);
  bound(Result);
  llvm::sort(Result.Disjuncts, [](const Disjunct &A, const Disjunct &B) {
    return A.Path < B.Path;
  });
  S = std::move(Result);
}
