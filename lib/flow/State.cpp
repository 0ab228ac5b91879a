//===- State.cpp - What holds at one program point -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace tdl;

const Value *StateJoiner::lookup(const Disjunct &D, LocationId Location) {
  if (const Value *const *Found = D.Env.lookup(Location))
    return *Found;
  return Initials.initialValue(Location);
}

/// Calls \p Differs for each location that the two do not have one entry for,
/// with their entries, null for none; ends when it returns false. Trees that
/// the two share are not looked at, so that the cost follows the differences.
static bool forEachDifference(
    const Environment &A, const Environment &B,
    llvm::function_ref<bool(LocationId, const Value *, const Value *)>
        Differs) {
  using Tree = Environment::TreeTy;
  const Tree *Left = A.getRootWithoutRetain();
  const Tree *Right = B.getRootWithoutRetain();
  Tree::iterator L = Left ? Left->begin() : Tree::iterator();
  Tree::iterator R = Right ? Right->begin() : Tree::iterator();
  Tree::iterator LEnd, REnd;
  while (L != LEnd || R != REnd) {
    if (L != LEnd && R != REnd && &*L == &*R) {
      L.skipSubTree();
      R.skipSubTree();
      continue;
    }
    const auto *Ours = L != LEnd ? &L->getValue() : nullptr;
    const auto *Theirs = R != REnd ? &R->getValue() : nullptr;
    bool OursFirst = Ours && (!Theirs || Ours->first <= Theirs->first);
    bool TheirsFirst = Theirs && (!Ours || Theirs->first <= Ours->first);
    LocationId Location = OursFirst ? Ours->first : Theirs->first;
    const Value *InA = OursFirst ? Ours->second : nullptr;
    const Value *InB = TheirsFirst ? Theirs->second : nullptr;
    if (InA != InB && !Differs(Location, InA, InB))
      return false;
    if (OursFirst)
      ++L;
    if (TheirsFirst)
      ++R;
  }
  return true;
}

bool StateJoiner::sameEnvironment(const Disjunct &A, const Disjunct &B) {
  return forEachDifference(
      A.Env, B.Env,
      [&](LocationId Location, const Value *InA, const Value *InB) {
        return sameKnowledge(InA ? InA : Initials.initialValue(Location),
                             InB ? InB : Initials.initialValue(Location));
      });
}

static const Value *armOf(const Disjunct &D, const clang::Expr *Arm) {
  const auto *It = llvm::find_if(
      D.Arms, [&](const auto &Entry) { return Entry.first == Arm; });
  return It == D.Arms.end() ? nullptr : It->second;
}

bool StateJoiner::joinDisjunct(Disjunct &Into, const Disjunct &From) {
  bool Changed = false;
  llvm::SmallVector<LocationId, 16> Locations, Made;
  forEachDifference(
      Into.Env, From.Env,
      [&](LocationId Location, const Value *InInto, const Value *InFrom) {
        bool IsMadeInOne =
            (!InInto || !InFrom) && Initials.isStoredWhenMade(Location);
        if (!IsMadeInOne)
          Locations.push_back(Location);
        else if (InFrom)
          Made.push_back(Location);
        return true;
      });
  for (LocationId Location : Made) {
    Into.Env = Factory.add(Into.Env, Location, lookup(From, Location));
    Changed = true;
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

/// The condition that holds exactly where one of the two does; none where no
/// conjunction says so.
static std::optional<PathCondition> exactUnion(const PathCondition &A,
                                               const PathCondition &B) {
  if (A.isImpliedBy(B))
    return A;
  if (B.isImpliedBy(A))
    return B;
  // p and q, p and not q: p.
  if (A.literals().size() != B.literals().size())
    return std::nullopt;
  PathCondition Common = A;
  Common.keepCommon(B);
  if (Common.literals().size() + 1 != A.literals().size())
    return std::nullopt;
  for (const PathCondition::Literal &L : A.literals())
    if (B.valueOf(L.first) == std::optional<bool>(!L.second))
      return Common;
  return std::nullopt;
}

static bool sameArms(const Disjunct &A, const Disjunct &B) {
  return A.Arms.size() == B.Arms.size() &&
         llvm::all_of(A.Arms, [&](const auto &Entry) {
           const Value *Theirs = armOf(B, Entry.first);
           return Theirs && sameKnowledge(Entry.second, Theirs);
         });
}

bool StateJoiner::sameKnowledgeIn(const Disjunct &A, const Disjunct &B) {
  return sameArms(A, B) && sameEnvironment(A, B);
}

/// Numbers and texts that name no device hardly ever decide a place.
static bool isDetail(const Value *V) {
  if (const auto *Text = llvm::dyn_cast<StringValue>(V))
    return Place::parse(Text->Text).isUnknown();
  return llvm::isa<IntValue, SizesValue>(V);
}

/// Whether \p A and \p B know the same but for details that one of them does
/// not know: `if (argc > 1) epochs = atoi(argv[1])` tells no two places apart.
bool StateJoiner::isWorthJoining(const Disjunct &A, const Disjunct &B) {
  if (sameKnowledgeIn(A, B))
    return true;
  if (!sameArms(A, B))
    return false;
  return forEachDifference(
      A.Env, B.Env,
      [&](LocationId Location, const Value *InA, const Value *InB) {
        const Value *Ours = InA ? InA : Initials.initialValue(Location);
        const Value *Theirs = InB ? InB : Initials.initialValue(Location);
        return sameKnowledge(Ours, Theirs) ||
               (llvm::isa<UnknownValue>(Ours) && isDetail(Theirs)) ||
               (llvm::isa<UnknownValue>(Theirs) && isDetail(Ours));
      });
}

bool StateJoiner::addDisjunct(State &Into, const Disjunct &From) {
  for (Disjunct &D : Into.Disjuncts)
    if (D.Path == From.Path)
      return joinDisjunct(D, From);
  // The same knowledge under two conditions is one disjunct where a condition
  // says so exactly. A weaker one would also hold where another disjunct does.
  for (Disjunct &D : Into.Disjuncts) {
    std::optional<PathCondition> Union = exactUnion(D.Path, From.Path);
    if (!Union || !isWorthJoining(D, From))
      continue;
    bool Changed = !(*Union == D.Path);
    D.Path = *Union;
    return joinDisjunct(D, From) || Changed;
  }
  return addOverlapping(Into, From);
}

/// Whether both conditions may hold at once.
static bool overlap(const PathCondition &A, const PathCondition &B) {
  return llvm::none_of(A.literals(), [&](const PathCondition::Literal &L) {
    return B.valueOf(L.first) == std::optional<bool>(!L.second);
  });
}

/// Two conditions that may hold at once are told apart by a branch that has no
/// name: which of the two disjuncts is so is not known, and where both may be,
/// only what they share is.
bool StateJoiner::addOverlapping(State &Into, const Disjunct &From) {
  Disjunct Rest = From;
  bool Changed = false, IsCovered = false;
  llvm::SmallVector<size_t, 4> Overlapping;
  for (size_t I = 0; I < Into.Disjuncts.size(); ++I) {
    Disjunct &D = Into.Disjuncts[I];
    if (!overlap(D.Path, From.Path))
      continue;
    for (size_t Other : Overlapping) {
      std::optional<PathCondition> Union =
          exactUnion(Into.Disjuncts[Other].Path, D.Path);
      IsCovered |= Union && Union->isImpliedBy(From.Path);
    }
    Overlapping.push_back(I);
    IsCovered |= D.Path.isImpliedBy(From.Path);
    Disjunct Before = D;
    Changed |= joinDisjunct(D, From);
    joinDisjunct(Rest, Before);
  }
  if (IsCovered)
    return Changed;
  Into.Disjuncts.push_back(std::move(Rest));
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
  State Before = Into;
  for (const Disjunct &D : From.Disjuncts)
    Changed |= addDisjunct(Into, D);
  if (!Changed)
    return false;
  normalise(Into);
  // What was added may have been joined into what was there.
  return !sameState(Before, Into);
}

bool StateJoiner::sameState(const State &A, const State &B) {
  if (A.Disjuncts.size() != B.Disjuncts.size())
    return false;
  for (size_t I = 0; I < A.Disjuncts.size(); ++I)
    if (!(A.Disjuncts[I].Path == B.Disjuncts[I].Path) ||
        !(A.Disjuncts[I].Facts == B.Disjuncts[I].Facts) ||
        !sameKnowledgeIn(A.Disjuncts[I], B.Disjuncts[I]))
      return false;
  return true;
}

void StateJoiner::normalise(State &S) {
  // A disjunct that grew may be one with others.
  for (size_t Before = S.Disjuncts.size() + 1; S.Disjuncts.size() < Before;) {
    Before = S.Disjuncts.size();
    State Result;
    for (const Disjunct &D : S.Disjuncts)
      addDisjunct(Result, D);
    S = std::move(Result);
  }
  bound(S);
  llvm::sort(S.Disjuncts, [](const Disjunct &A, const Disjunct &B) {
    return A.Path < B.Path;
  });
}
