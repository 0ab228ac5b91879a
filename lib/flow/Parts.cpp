//===- Parts.cpp - Parts of lists, maps and records ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Parts.h"
#include "llvm/ADT/STLExtras.h"

using namespace tdl;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

PartStep PartStep::element(std::optional<int64_t> Index) {
  PartStep Step;
  Step.Index = Index;
  return Step;
}

PartStep PartStep::key(const Value *At) {
  PartStep Step;
  Step.K = Kind::Key;
  Step.At = At;
  return Step;
}

PartStep PartStep::entry(const Value *At) {
  PartStep Step;
  Step.K = Kind::Entry;
  Step.At = At;
  return Step;
}

PartStep PartStep::field(const clang::ValueDecl *Member) {
  PartStep Step;
  Step.K = Kind::Field;
  Step.Member = Member;
  return Step;
}

const Value *tdl::listElement(const Value *V, std::optional<int64_t> Index,
                              ValueArena &Arena) {
  const auto *List = dyn_cast<ListValue>(V);
  if (!List || List->Elements.empty())
    return Arena.unknown();
  if (Index && List->IsExact) {
    int64_t Position =
        *Index < 0 ? *Index + int64_t(List->Elements.size()) : *Index;
    return Position >= 0 && Position < int64_t(List->Elements.size())
               ? List->Elements[Position]
               : Arena.unknown();
  }
  const Value *All = List->Elements.front();
  for (const Value *Element : llvm::drop_begin(List->Elements))
    All = joinElements(Arena, All, Element);
  return All;
}

/// Whether two executions mean the same key by \p Key.
static bool isExactKey(const Value *Key) {
  if (const auto *Text = dyn_cast_or_null<StringValue>(Key))
    return !Text->Text.empty(); // Of wide strings nothing is kept.
  return Key && isa<IntValue>(Key);
}

static const Value *anyMapped(const MapValue &Map, ValueArena &Arena) {
  const Value *All = Map.Others;
  for (const auto &Entry : Map.Entries)
    All = All ? joinElements(Arena, All, Entry.second) : Entry.second;
  return All ? All : Arena.unknown();
}

const Value *tdl::mapElement(const Value *V, const Value *Key,
                             ValueArena &Arena) {
  const auto *Map = dyn_cast<MapValue>(V);
  if (!Map)
    return Arena.unknown();
  if (!isExactKey(Key))
    return anyMapped(*Map, Arena);
  for (const auto &[Known, Mapped] : Map->Entries)
    if (sameKnowledge(Known, Key))
      return Mapped;
  return Map->Others ? Map->Others : Arena.unknown();
}

const Value *tdl::anyElement(const Value *V, ValueArena &Arena) {
  if (const auto *Map = dyn_cast<MapValue>(V))
    return Arena.make<ListValue>(llvm::ArrayRef<const Value *>(
        {Arena.unknown(), anyMapped(*Map, Arena)}));
  return listElement(V, std::nullopt, Arena);
}

const Value *tdl::partOf(const Value *V, llvm::ArrayRef<PartStep> Steps,
                         ValueArena &Arena) {
  for (const PartStep &Step : Steps)
    switch (Step.K) {
    case PartStep::Kind::Element:
      if (const auto *Walk = dyn_cast<WalkValue>(V))
        V = Walk->Current ? Walk->Current : Arena.unknown();
      else
        V = listElement(V, Step.Index, Arena);
      break;
    case PartStep::Kind::Key:
      V = mapElement(V, Step.At, Arena);
      break;
    case PartStep::Kind::Entry:
      V = Arena.make<ListValue>(llvm::ArrayRef<const Value *>(
          {Arena.unknown(), mapElement(V, Step.At, Arena)}));
      break;
    case PartStep::Kind::Field: {
      const auto *Record = dyn_cast<RecordValue>(V);
      const Value *Field = Record ? Record->field(Step.Member) : nullptr;
      V = Field ? Field : Arena.unknown();
      break;
    }
    }
  return V;
}

const Value *tdl::withEntry(const MapValue &Map, const Value *Key,
                            const Value *V, bool IsSure, ValueArena &Arena) {
  auto *Changed = Arena.make<MapValue>(Map);
  if (!isExactKey(Key)) {
    // It may be any of the keys.
    for (auto &Entry : Changed->Entries)
      Entry.second = joinElements(Arena, Entry.second, V);
    Changed->Others =
        Changed->Others ? joinElements(Arena, Changed->Others, V) : V;
    return Changed;
  }
  for (auto &Entry : Changed->Entries)
    if (sameKnowledge(Entry.first, Key)) {
      Entry.second = IsSure ? V : joinElements(Arena, Entry.second, V);
      return Changed;
    }
  /// Larger maps are followed without telling keys apart.
  constexpr unsigned MaxEntries = 64;
  if (Changed->Entries.size() >= MaxEntries) {
    Changed->Entries.clear();
    Changed->Others = joinElements(Arena, anyMapped(Map, Arena), V);
    return Changed;
  }
  Changed->Entries.push_back(
      {Key, IsSure || !Map.Others ? V : joinElements(Arena, Map.Others, V)});
  return Changed;
}

static const Value *withListPart(const ListValue &List, const PartStep &Step,
                                 llvm::ArrayRef<PartStep> Rest,
                                 const Value *Part, ValueArena &Arena) {
  auto *Changed = Arena.make<ListValue>(List);
  auto &Elements = Changed->Elements;
  if (Step.Index && List.IsExact) {
    int64_t Position =
        *Step.Index < 0 ? *Step.Index + int64_t(Elements.size()) : *Step.Index;
    if (Position < 0 || Position >= int64_t(Elements.size()))
      return Arena.unknown();
    Elements[Position] = withPart(Elements[Position], Rest, Part, Arena);
    return Changed;
  }
  if (List.IsExact) {
    for (const Value *&Element : Elements)
      Element =
          joinElements(Arena, Element, withPart(Element, Rest, Part, Arena));
    return Changed;
  }
  llvm::SmallVector<const Value *, 4> Added;
  for (const Value *Element : List.Elements)
    Added.push_back(withPart(Element, Rest, Part, Arena));
  const Value *Longer = Changed;
  for (const Value *Element : Added)
    Longer = ofAnyLength(*llvm::cast<ListValue>(Longer), Element, Arena);
  return Longer;
}

const Value *tdl::withPart(const Value *Whole, llvm::ArrayRef<PartStep> Steps,
                           const Value *Part, ValueArena &Arena) {
  if (Steps.empty())
    return Part;
  const PartStep &Step = Steps.front();
  llvm::ArrayRef<PartStep> Rest = Steps.drop_front();
  const auto *List = dyn_cast<ListValue>(Whole);
  const auto *Map = dyn_cast<MapValue>(Whole);
  const auto *Record = dyn_cast<RecordValue>(Whole);
  if (const auto *Walk = dyn_cast<WalkValue>(Whole)) {
    if (!Walk->Current || Step.K != PartStep::Kind::Element)
      return Arena.unknown();
    auto *Changed = Arena.make<WalkValue>(*Walk);
    Changed->Current = withPart(Walk->Current, Rest, Part, Arena);
    return Changed;
  }
  switch (Step.K) {
  case PartStep::Kind::Element:
    return List ? withListPart(*List, Step, Rest, Part, Arena)
                : Arena.unknown();
  case PartStep::Kind::Key: {
    if (!Map)
      return Arena.unknown();
    const Value *Inner = Part;
    if (!Rest.empty())
      Inner = withPart(mapElement(Map, Step.At, Arena), Rest, Part, Arena);
    return withEntry(*Map, Step.At, Inner, /*IsSure=*/true, Arena);
  }
  case PartStep::Kind::Entry: {
    // Only what an entry maps to changes: entry.second = x.
    bool IsSecond = Map && !Rest.empty() &&
                    Rest.front().K == PartStep::Kind::Element &&
                    Rest.front().Index == std::optional<int64_t>(1);
    if (!IsSecond)
      return Arena.unknown();
    const Value *Inner = withPart(mapElement(Map, Step.At, Arena),
                                  Rest.drop_front(), Part, Arena);
    return withEntry(*Map, Step.At, Inner, /*IsSure=*/true, Arena);
  }
  case PartStep::Kind::Field: {
    if (!Record)
      return Arena.unknown();
    auto *Changed = Arena.make<RecordValue>(*Record);
    for (auto &[Field, V] : Changed->Fields)
      if (Field == Step.Member)
        V = withPart(V, Rest, Part, Arena);
    return Changed;
  }
  }
  return Arena.unknown();
}

const Value *tdl::withElement(const ListValue &List, const Value *Element,
                              bool InFront, ValueArena &Arena) {
  /// Longer lists are followed without telling elements apart.
  constexpr unsigned MaxElements = 32;
  if (!List.IsExact || List.Elements.size() >= MaxElements)
    return ofAnyLength(List, Element, Arena);
  auto *Longer = Arena.make<ListValue>(List);
  Longer->Elements.insert(
      InFront ? Longer->Elements.begin() : Longer->Elements.end(), Element);
  return Longer;
}

const Value *tdl::ofAnyLength(const ListValue &List, const Value *Element,
                              ValueArena &Arena) {
  ListValue None{llvm::ArrayRef<const Value *>()};
  None.IsExact = false;
  const Value *All = joinLists(Arena, None, List);
  if (!Element)
    return All;
  ListValue Added{llvm::ArrayRef<const Value *>(Element)};
  Added.IsExact = false;
  return joinLists(Arena, *llvm::cast<ListValue>(All), Added);
}

const Value *tdl::withAllElements(const Value *V, const Value *Element,
                                  ValueArena &Arena) {
  if (const auto *List = dyn_cast<ListValue>(V)) {
    auto *Changed =
        Arena.make<ListValue>(List->IsExact ? llvm::ArrayRef(List->Elements)
                                            : llvm::ArrayRef(Element));
    Changed->IsExact = List->IsExact;
    for (const Value *&Slot : Changed->Elements)
      Slot = Element;
    return Changed;
  }
  const auto *Map = dyn_cast<MapValue>(V);
  if (!Map)
    return Arena.unknown();
  const Value *Mapped = listElement(Element, 1, Arena);
  auto *Changed = Arena.make<MapValue>(*Map);
  for (auto &Entry : Changed->Entries)
    Entry.second = Mapped;
  if (Changed->Others)
    Changed->Others = Mapped;
  return Changed;
}
