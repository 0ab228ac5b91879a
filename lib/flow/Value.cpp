//===- Value.cpp - What the analysis knows of a C++ value -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Value.h"

using namespace tdl;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

ValueArena::ValueArena() {
  Unknown = make<UnknownValue>();
  None = make<NoneValue>();
}

static bool sameFormula(const Formula *A, const Formula *B) {
  if (A == B)
    return true;
  if (!A || !B || A->K != B->K)
    return false;
  return A->Value == B->Value && A->Id == B->Id &&
         sameFormula(A->Left, B->Left) && sameFormula(A->Right, B->Right);
}

static bool sameTensor(const TensorValue &A, const TensorValue &B) {
  return A.Where == B.Where && A.Dimensions == B.Dimensions &&
         A.Elements == B.Elements && A.IsUndefined == B.IsUndefined &&
         A.IsFrozen == B.IsFrozen && A.MayBeUndefined == B.MayBeUndefined;
}

static bool sameOptions(const OptionsValue &A, const OptionsValue &B) {
  return A.HasDevice == B.HasDevice && A.Where == B.Where &&
         A.HasElements == B.HasElements && A.Elements == B.Elements;
}

const SettingsValue::Setting *SettingsValue::find(llvm::StringRef Name) const {
  const auto *It = llvm::find_if(
      Given, [&](const Setting &Known) { return Known.Name == Name; });
  return It == Given.end() ? nullptr : It;
}

void SettingsValue::put(Setting New) {
  auto *It = llvm::lower_bound(Given, New.Name,
                               [](const Setting &Known, llvm::StringRef Name) {
                                 return Known.Name < Name;
                               });
  if (It != Given.end() && It->Name == New.Name)
    *It = std::move(New);
  else
    Given.insert(It, std::move(New));
}

static bool sameSettings(const SettingsValue &A, const SettingsValue &B) {
  if (A.Given.size() != B.Given.size() || A.HasOthers != B.HasOthers)
    return false;
  for (size_t I = 0; I < A.Given.size(); ++I)
    if (A.Given[I].Name != B.Given[I].Name ||
        !sameKnowledge(A.Given[I].What, B.Given[I].What))
      return false;
  return true;
}

static bool sameList(const ListValue &A, const ListValue &B) {
  if (A.IsExact != B.IsExact || A.Elements.size() != B.Elements.size())
    return false;
  for (size_t I = 0; I < A.Elements.size(); ++I)
    if (!sameKnowledge(A.Elements[I], B.Elements[I]))
      return false;
  return true;
}

/// Like sameKnowledge, of pointers that may be null.
static bool sameOrNone(const Value *A, const Value *B) {
  return A && B ? sameKnowledge(A, B) : A == B;
}

static bool sameMap(const MapValue &A, const MapValue &B) {
  if (A.Entries.size() != B.Entries.size() || !sameOrNone(A.Others, B.Others))
    return false;
  for (size_t I = 0; I < A.Entries.size(); ++I)
    if (!sameKnowledge(A.Entries[I].first, B.Entries[I].first) ||
        !sameKnowledge(A.Entries[I].second, B.Entries[I].second))
      return false;
  return true;
}

static bool sameWalk(const WalkValue &A, const WalkValue &B) {
  return A.Loop == B.Loop && sameKnowledge(A.Before, B.Before) &&
         sameOrNone(A.Current, B.Current) && sameOrNone(A.Done, B.Done);
}

const Value *RecordValue::field(const clang::ValueDecl *Field) const {
  for (const auto &[Declaration, V] : Fields)
    if (Declaration == Field)
      return V;
  return nullptr;
}

static bool sameRecord(const RecordValue &A, const RecordValue &B) {
  if (A.Fields.size() != B.Fields.size())
    return false;
  for (size_t I = 0; I < A.Fields.size(); ++I)
    if (A.Fields[I].first != B.Fields[I].first ||
        !sameKnowledge(A.Fields[I].second, B.Fields[I].second))
      return false;
  return true;
}

bool tdl::sameKnowledge(const Value *A, const Value *B) {
  if (A == B)
    return true;
  if (A->kind() != B->kind())
    return false;
  switch (A->kind()) {
  case Value::Kind::Unknown:
  case Value::Kind::None:
    return true;
  case Value::Kind::Tensor:
    return sameTensor(*cast<TensorValue>(A), *cast<TensorValue>(B));
  case Value::Kind::Device:
    return cast<DeviceValue>(A)->Where == cast<DeviceValue>(B)->Where &&
           !cast<DeviceValue>(A)->OfTensor == !cast<DeviceValue>(B)->OfTensor;
  case Value::Kind::Options:
    return sameOptions(*cast<OptionsValue>(A), *cast<OptionsValue>(B));
  case Value::Kind::Settings:
    return sameSettings(*cast<SettingsValue>(A), *cast<SettingsValue>(B));
  case Value::Kind::ElementType:
    return cast<ElementTypeValue>(A)->Elements ==
           cast<ElementTypeValue>(B)->Elements;
  case Value::Kind::Bool:
    return sameFormula(cast<BoolValue>(A)->Condition,
                       cast<BoolValue>(B)->Condition);
  case Value::Kind::Int:
    return cast<IntValue>(A)->Number == cast<IntValue>(B)->Number;
  case Value::Kind::String:
    return cast<StringValue>(A)->Text == cast<StringValue>(B)->Text;
  case Value::Kind::Sizes:
    return cast<SizesValue>(A)->Dimensions == cast<SizesValue>(B)->Dimensions;
  case Value::Kind::List:
    return sameList(*cast<ListValue>(A), *cast<ListValue>(B));
  case Value::Kind::Map:
    return sameMap(*cast<MapValue>(A), *cast<MapValue>(B));
  case Value::Kind::Walk:
    return sameWalk(*cast<WalkValue>(A), *cast<WalkValue>(B));
  case Value::Kind::Callable:
    return cast<CallableValue>(A)->Lambda == cast<CallableValue>(B)->Lambda;
  case Value::Kind::Pointer:
    return cast<PointerValue>(A)->Target == cast<PointerValue>(B)->Target;
  case Value::Kind::Record:
    return sameRecord(*cast<RecordValue>(A), *cast<RecordValue>(B));
  }
  return false;
}

static const Value *joinTensors(ValueArena &Arena, const TensorValue &A,
                                const TensorValue &B) {
  // An undefined tensor on one side: using it there throws another error, so
  // the place is not the other side's for sure.
  if (A.IsUndefined != B.IsUndefined || A.IsFrozen != B.IsFrozen)
    return Arena.unknown();
  Place Where = join(A.Where, B.Where);
  auto *Joined =
      Arena.make<TensorValue>(Where, join(A.Dimensions, B.Dimensions),
                              join(A.Elements, B.Elements), A.Story);
  Joined->IsFrozen = A.IsFrozen;
  Joined->IsUndefined = A.IsUndefined;
  Joined->MayBeUndefined = A.MayBeUndefined || B.MayBeUndefined;
  return Joined;
}

const Value *tdl::joinElements(ValueArena &Arena, const Value *A,
                               const Value *B) {
  const auto *Left = dyn_cast<TensorValue>(A);
  const auto *Right = dyn_cast<TensorValue>(B);
  if (!Left || !Right)
    return join(Arena, A, B);
  if (Left->IsUndefined == Right->IsUndefined) {
    const Value *All = join(Arena, A, B);
    const auto *Joined = dyn_cast<TensorValue>(All);
    if (!Joined || !Joined->Where.isUnknown() || Joined->OneOf)
      return All;
    auto *Either = Arena.make<TensorValue>(*Joined);
    bool AreKnown = !Left->Where.isUnknown() && !Right->Where.isUnknown();
    const TensorValue *Mixed = Left->OneOf ? Left : Right;
    Either->OneOf = AreKnown ? Left : Mixed->OneOf;
    Either->OrElse = AreKnown ? Right : Mixed->OrElse;
    return Either;
  }
  auto *Filled = Arena.make<TensorValue>(Left->IsUndefined ? *Right : *Left);
  Filled->MayBeUndefined = true;
  return Filled;
}

/// Adds \p New to what an element of a list may be.
static void addAlternative(ValueArena &Arena,
                           llvm::SmallVectorImpl<const Value *> &Elements,
                           const Value *New) {
  /// More are joined: a list of many kinds of elements is of one unknown kind.
  constexpr unsigned MaxAlternatives = 4;
  if (llvm::any_of(Elements, [&](const Value *Known) {
        return sameKnowledge(join(Arena, Known, New), Known);
      }))
    return;
  Elements.push_back(New);
  if (Elements.size() <= MaxAlternatives)
    return;
  const Value *All = Elements.front();
  for (const Value *Element : llvm::drop_begin(Elements))
    All = joinElements(Arena, All, Element);
  Elements.assign({All});
}

const Value *tdl::joinLists(ValueArena &Arena, const ListValue &A,
                            const ListValue &B) {
  llvm::SmallVector<const Value *, 4> Elements;
  if (!A.IsExact || !B.IsExact || A.Elements.size() != B.Elements.size()) {
    for (const ListValue *List : {&A, &B})
      for (const Value *Element : List->Elements)
        addAlternative(Arena, Elements, Element);
    auto *Joined = Arena.make<ListValue>(Elements);
    Joined->IsExact = false;
    return Joined;
  }
  for (size_t I = 0; I < A.Elements.size(); ++I)
    Elements.push_back(joinElements(Arena, A.Elements[I], B.Elements[I]));
  return Arena.make<ListValue>(Elements);
}

static const Value *joinOrEither(ValueArena &Arena, const Value *A,
                                 const Value *B) {
  return A && B ? joinElements(Arena, A, B) : A ? A : B;
}

static const Value *joinMaps(ValueArena &Arena, const MapValue &A,
                             const MapValue &B) {
  auto *Joined = Arena.make<MapValue>();
  Joined->Others = joinOrEither(Arena, A.Others, B.Others);
  auto Find = [](const MapValue &Map, const Value *Key) -> const Value * {
    for (const auto &[Known, V] : Map.Entries)
      if (sameKnowledge(Known, Key))
        return V;
    return Map.Others;
  };
  for (const auto &[Key, V] : A.Entries)
    Joined->Entries.push_back({Key, joinOrEither(Arena, V, Find(B, Key))});
  for (const auto &Added : B.Entries)
    if (llvm::none_of(A.Entries, [&](const auto &Entry) {
          return sameKnowledge(Entry.first, Added.first);
        }))
      Joined->Entries.push_back(
          {Added.first, joinOrEither(Arena, Added.second, A.Others)});
  return Joined;
}

static const Value *joinWalks(ValueArena &Arena, const WalkValue &A,
                              const WalkValue &B) {
  if (A.Loop != B.Loop)
    return Arena.unknown();
  auto *Joined = Arena.make<WalkValue>(A.Loop);
  Joined->Before = join(Arena, A.Before, B.Before);
  if (A.Current && B.Current)
    Joined->Current = join(Arena, A.Current, B.Current);
  Joined->Done = joinOrEither(Arena, A.Done, B.Done);
  return Joined;
}

static const Value *joinRecords(ValueArena &Arena, const RecordValue &A,
                                const RecordValue &B) {
  auto *Joined = Arena.make<RecordValue>();
  for (const auto &[Field, V] : A.Fields)
    if (const Value *Other = B.field(Field))
      Joined->Fields.push_back({Field, join(Arena, V, Other)});
  return Joined;
}

static const Value *joinOptions(ValueArena &Arena, const OptionsValue &A,
                                const OptionsValue &B) {
  if (A.HasDevice != B.HasDevice)
    return Arena.unknown();
  auto *Joined = Arena.make<OptionsValue>(A);
  Joined->Where = join(A.Where, B.Where);
  if (A.HasElements != B.HasElements || A.Elements != B.Elements) {
    Joined->HasElements = true;
    Joined->Elements = ElementType::Unknown;
  }
  return Joined;
}

/// What only one of them has may be missing: it is not known.
static const Value *joinSettings(ValueArena &Arena, const SettingsValue &A,
                                 const SettingsValue &B) {
  auto *Joined = Arena.make<SettingsValue>(A);
  Joined->HasOthers = A.HasOthers || B.HasOthers;
  for (SettingsValue::Setting &Known : Joined->Given) {
    const SettingsValue::Setting *Other = B.find(Known.Name);
    Known.What = Other ? join(Arena, Known.What, Other->What) : Arena.unknown();
  }
  for (const SettingsValue::Setting &Added : B.Given)
    if (!A.find(Added.Name))
      Joined->put({Added.Name, Arena.unknown(), Added.Source});
  return Joined;
}

bool ValueArena::isLasting(const Value *V) const {
  const auto *Tensor = dyn_cast<TensorValue>(V);
  if (!Lasting || !Tensor)
    return false;
  for (const Event *E = Tensor->Story; E; E = E->PlaceFrom)
    if (Lasting->contains(E))
      return true;
  return false;
}

const Value *tdl::join(ValueArena &Arena, const Value *A, const Value *B) {
  if (sameKnowledge(A, B))
    return A;
  if (bool IsALasting = Arena.isLasting(A); IsALasting != Arena.isLasting(B))
    return IsALasting ? A : B;
  if (Arena.definedLasts()) {
    auto IsNothing = [](const Value *V) {
      const auto *Tensor = dyn_cast<TensorValue>(V);
      return isa<NoneValue>(V) || (Tensor && Tensor->IsUndefined);
    };
    if (IsNothing(A) != IsNothing(B))
      return IsNothing(A) ? B : A;
  }
  // Who follows a pointer to nothing gets another error.
  if (isa<NoneValue>(A) && isa<PointerValue>(B))
    return B;
  if (isa<PointerValue>(A) && isa<NoneValue>(B))
    return A;
  if (A->kind() != B->kind())
    return Arena.unknown();
  switch (A->kind()) {
  case Value::Kind::Tensor:
    return joinTensors(Arena, *cast<TensorValue>(A), *cast<TensorValue>(B));
  case Value::Kind::Options:
    return joinOptions(Arena, *cast<OptionsValue>(A), *cast<OptionsValue>(B));
  case Value::Kind::Settings:
    return joinSettings(Arena, *cast<SettingsValue>(A),
                        *cast<SettingsValue>(B));
  case Value::Kind::Sizes:
    return Arena.make<SizesValue>(
        join(cast<SizesValue>(A)->Dimensions, cast<SizesValue>(B)->Dimensions));
  case Value::Kind::List:
    return joinLists(Arena, *cast<ListValue>(A), *cast<ListValue>(B));
  case Value::Kind::Map:
    return joinMaps(Arena, *cast<MapValue>(A), *cast<MapValue>(B));
  case Value::Kind::Walk:
    return joinWalks(Arena, *cast<WalkValue>(A), *cast<WalkValue>(B));
  case Value::Kind::Record:
    return joinRecords(Arena, *cast<RecordValue>(A), *cast<RecordValue>(B));
  default:
    return Arena.unknown();
  }
}

bool tdl::anyPart(const Value *V,
                  llvm::function_ref<bool(const Value *)> Holds) {
  if (!V)
    return false;
  if (Holds(V))
    return true;
  if (const auto *List = dyn_cast<ListValue>(V))
    return llvm::any_of(List->Elements, [&](const Value *Element) {
      return anyPart(Element, Holds);
    });
  if (const auto *Settings = dyn_cast<SettingsValue>(V))
    return llvm::any_of(Settings->Given, [&](const auto &Known) {
      return anyPart(Known.What, Holds);
    });
  if (const auto *Record = dyn_cast<RecordValue>(V))
    return llvm::any_of(Record->Fields, [&](const auto &Field) {
      return anyPart(Field.second, Holds);
    });
  if (const auto *Map = dyn_cast<MapValue>(V))
    return anyPart(Map->Others, Holds) ||
           llvm::any_of(Map->Entries, [&](const auto &Entry) {
             return anyPart(Entry.second, Holds);
           });
  if (const auto *Walk = dyn_cast<WalkValue>(V))
    return anyPart(Walk->Before, Holds) || anyPart(Walk->Current, Holds) ||
           anyPart(Walk->Done, Holds);
  return false;
}

void tdl::addReachableObjects(const Value *V,
                              llvm::SmallVectorImpl<LocationId> &Objects) {
  anyPart(V, [&](const Value *Part) {
    const auto *Pointer = dyn_cast<PointerValue>(Part);
    if (Pointer && !llvm::is_contained(Objects, Pointer->Target))
      Objects.push_back(Pointer->Target);
    return false;
  });
}
