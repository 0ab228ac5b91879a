//===- PlaceFacts.cpp - What guards established about symbols -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/PlaceFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace tdl;

static uint32_t bit(DeviceType Type) {
  return uint32_t(1) << static_cast<unsigned>(Type);
}

const PlaceFacts::SymbolFact *PlaceFacts::find(SymbolId Id) const {
  const auto *It = llvm::lower_bound(
      Symbols, Id, [](const SymbolFact &F, SymbolId I) { return F.Id < I; });
  return It != Symbols.end() && It->Id == Id ? It : nullptr;
}

PlaceFacts::SymbolFact &PlaceFacts::get(SymbolId Id) {
  auto *It = llvm::lower_bound(
      Symbols, Id, [](const SymbolFact &F, SymbolId I) { return F.Id < I; });
  if (It == Symbols.end() || It->Id != Id) {
    SymbolFact Fact;
    Fact.Id = Id;
    It = Symbols.insert(It, Fact);
  }
  return *It;
}

Place PlaceFacts::resolve(Place P) const {
  while (P.isSymbol()) {
    const SymbolFact *Fact = find(P.symbolId());
    if (!Fact || Fact->Equal.isUnknown())
      return P;
    P = Fact->Equal;
  }
  return P;
}

std::optional<DeviceType> PlaceFacts::typeOf(Place P) const {
  P = resolve(P);
  if (P.isKnown())
    return P.type();
  if (P.isSymbol())
    if (const SymbolFact *Fact = find(P.symbolId()))
      return Fact->Type;
  return std::nullopt;
}

bool PlaceFacts::mayBe(Place P, DeviceType Type) const {
  P = resolve(P);
  if (P.isKnown())
    return P.type() == Type;
  if (P.isSymbol())
    if (const SymbolFact *Fact = find(P.symbolId()))
      return Fact->Type ? *Fact->Type == Type
                        : !(Fact->ExcludedTypes & bit(Type));
  return true;
}

llvm::SmallVector<SymbolId, 2> PlaceFacts::symbolsEqualTo(Place P) const {
  llvm::SmallVector<SymbolId, 2> Equal;
  P = resolve(P);
  if (!P.isSymbol())
    return Equal;
  Equal.push_back(P.symbolId());
  for (const SymbolFact &Fact : Symbols)
    if (Fact.Id != P.symbolId() && resolve(Place::symbol(Fact.Id)) == P)
      Equal.push_back(Fact.Id);
  return Equal;
}

bool PlaceFacts::assumeType(Place P, DeviceType Type) {
  P = resolve(P);
  if (P.isUnknown())
    return true;
  if (!mayBe(P, Type))
    return false;
  if (P.isSymbol())
    get(P.symbolId()).Type = Type;
  return true;
}

bool PlaceFacts::assumeNotType(Place P, DeviceType Type) {
  P = resolve(P);
  if (P.isUnknown())
    return true;
  if (typeOf(P) == Type)
    return false;
  if (P.isSymbol())
    get(P.symbolId()).ExcludedTypes |= bit(Type);
  return true;
}

bool PlaceFacts::assumeSame(Place A, Place B) {
  A = resolve(A);
  B = resolve(B);
  if (A.isUnknown() || B.isUnknown() || A == B)
    return true;
  if (compare(A, B) == Agreement::Different)
    return false;
  if (A.isKnown() && B.isKnown())
    return true; // "cuda" and "cuda:1": may be one device, nothing to record.
  // The younger symbol points to the older one or to the known place.
  if (!A.isSymbol() || (B.isSymbol() && A.symbolId() < B.symbolId()))
    std::swap(A, B);
  if (B.isSymbol())
    if (const SymbolFact *Fact = find(A.symbolId())) {
      SymbolFact Copy = *Fact;
      SymbolFact &Older = get(B.symbolId());
      if (!Older.Type)
        Older.Type = Copy.Type;
      Older.ExcludedTypes |= Copy.ExcludedTypes;
    }
  get(A.symbolId()).Equal = B;
  return true;
}

bool PlaceFacts::knownDistinct(Place A, Place B) const {
  return llvm::any_of(Distinct, [&](const std::pair<Place, Place> &Pair) {
    Place First = resolve(Pair.first), Second = resolve(Pair.second);
    return (First == A && Second == B) || (First == B && Second == A);
  });
}

bool PlaceFacts::assumeDifferent(Place A, Place B) {
  A = resolve(A);
  B = resolve(B);
  if (A.isUnknown() || B.isUnknown())
    return true;
  if (compare(A, B) == Agreement::Same)
    return false;
  if (!knownDistinct(A, B))
    Distinct.push_back({A, B});
  return true;
}

Agreement PlaceFacts::compare(Place A, Place B) const {
  A = resolve(A);
  B = resolve(B);
  if (A.isUnknown() || B.isUnknown())
    return Agreement::Unknown;
  if (A == B)
    return Agreement::Same;
  if (knownDistinct(A, B))
    return Agreement::Different;
  std::optional<DeviceType> TypeA = typeOf(A), TypeB = typeOf(B);
  if (TypeA && TypeB && *TypeA != *TypeB)
    return Agreement::Different;
  if ((TypeA && !mayBe(B, *TypeA)) || (TypeB && !mayBe(A, *TypeB)))
    return Agreement::Different;
  if (TypeA && TypeA == TypeB && *TypeA == DeviceType::CPU)
    return Agreement::Same;
  if (A.isKnown() && B.isKnown() && A.index() != Place::CurrentIndex &&
      B.index() != Place::CurrentIndex)
    return Agreement::Different; // Equal ones were handled above.
  return Agreement::Unknown;
}

void PlaceFacts::forget(SymbolId Id) {
  // Symbols that point to this one fall back to what is known without it.
  for (SymbolFact &Fact : Symbols)
    if (Fact.Equal.isSymbol() && Fact.Equal.symbolId() == Id) {
      Fact.Type = typeOf(Fact.Equal);
      Fact.Equal = Place::unknown();
    }
  llvm::erase_if(Symbols, [&](const SymbolFact &F) { return F.Id == Id; });
  Place P = Place::symbol(Id);
  llvm::erase_if(Distinct, [&](const std::pair<Place, Place> &Pair) {
    return Pair.first == P || Pair.second == P;
  });
}

void PlaceFacts::meetWith(const PlaceFacts &Other) {
  const PlaceFacts Before = *this;
  for (SymbolFact &Fact : Symbols) {
    Place P = Place::symbol(Fact.Id);
    std::optional<DeviceType> Type = Before.typeOf(P);
    Fact.Type = Type == Other.typeOf(P) ? Type : std::nullopt;
    const SymbolFact *Theirs = Other.find(Fact.Id);
    Fact.ExcludedTypes &= Theirs ? Theirs->ExcludedTypes : 0;
    if (!Theirs || Fact.Equal != Theirs->Equal)
      Fact.Equal = Place::unknown();
  }
  llvm::erase_if(Symbols, [](const SymbolFact &F) { return F.isTrivial(); });
  llvm::erase_if(Distinct, [&](const std::pair<Place, Place> &Pair) {
    return !Other.knownDistinct(Other.resolve(Pair.first),
                                Other.resolve(Pair.second));
  });
}
