//===- Value.cpp - What the analysis knows of a C++ value ------------------===//
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
         A.IsFrozen == B.IsFrozen;
}

static bool sameOptions(const OptionsValue &A, const OptionsValue &B) {
  return A.HasDevice == B.HasDevice && A.Where == B.Where &&
         A.HasElements == B.HasElements && A.Elements == B.Elements;
}

static bool sameList(const ListValue &A, const ListValue &B) {
  if (A.IsExact != B.IsExact || A.Elements.size() != B.Elements.size())
    return false;
  for (size_t I = 0; I < A.Elements.size(); ++I)
    if (!sameKnowledge(A.Elements[I], B.Elements[I]))
      return false;
  return true;
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
  case Value::Kind::Callable:
    return cast<CallableValue>(A)->Lambda == cast<CallableValue>(B)->Lambda;
  case Value::Kind::Pointer:
    return cast<PointerValue>(A)->Target == cast<PointerValue>(B)->Target;
  case Value::Kind::Record:
    return sameRecord(*cast<RecordValue>(A), *cast<RecordValue>(B));
  }
  return false;
}

const Value *tdl::listElement(const Value *V, std::optional<int64_t> Index,
                                ValueArena &Arena) {
  const auto *List = dyn_cast<ListValue>(V);
  if (!List || List->Elements.empty())
    return Arena.unknown();
  if (Index && List->IsExact) {
    int64_t Position = *Index < 0 ? *Index + int64_t(List->Elements.size())
                                  : *Index;
    return Position >= 0 && Position < int64_t(List->Elements.size())
               ? List->Elements[Position]
               : Arena.unknown();
  }
  const Value *All = List->Elements.front();
  for (const Value *Element : llvm::drop_begin(List->Elements))
    All = join(Arena, All, Element);
  return All;
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
  return Joined;
}

static const Value *joinLists(ValueArena &Arena, const ListValue &A,
                              const ListValue &B) {
  llvm::SmallVector<const Value *, 4> Elements;
  if (!A.IsExact || !B.IsExact || A.Elements.size() != B.Elements.size()) {
    // Of lists of different lengths, only what an element may be is known.
    for (const ListValue *List : {&A, &B})
      for (const Value *Element : List->Elements) {
        if (Elements.empty())
          Elements.push_back(Element);
        else
          Elements.front() = join(Arena, Elements.front(), Element);
      }
    auto *Joined = Arena.make<ListValue>(Elements);
    Joined->IsExact = false;
    return Joined;
  }
  for (size_t I = 0; I < A.Elements.size(); ++I)
    Elements.push_back(join(Arena, A.Elements[I], B.Elements[I]));
  return Arena.make<ListValue>(Elements);
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
  if (A->kind() != B->kind())
    return Arena.unknown();
  switch (A->kind()) {
  case Value::Kind::Tensor:
    return joinTensors(Arena, *cast<TensorValue>(A), *cast<TensorValue>(B));
  case Value::Kind::Options:
    return joinOptions(Arena, *cast<OptionsValue>(A), *cast<OptionsValue>(B));
  case Value::Kind::Sizes:
    return Arena.make<SizesValue>(join(cast<SizesValue>(A)->Dimensions,
                                       cast<SizesValue>(B)->Dimensions));
  case Value::Kind::List:
    return joinLists(Arena, *cast<ListValue>(A), *cast<ListValue>(B));
  case Value::Kind::Record:
    return joinRecords(Arena, *cast<RecordValue>(A), *cast<RecordValue>(B));
  default:
    return Arena.unknown();
  }
}

void tdl::addReachableObjects(const Value *V,
                              llvm::SmallVectorImpl<LocationId> &Objects) {
  if (const auto *Pointer = dyn_cast<PointerValue>(V)) {
    if (!llvm::is_contained(Objects, Pointer->Target))
      Objects.push_back(Pointer->Target);
  } else if (const auto *List = dyn_cast<ListValue>(V)) {
    for (const Value *Element : List->Elements)
      addReachableObjects(Element, Objects);
  } else if (const auto *Record = dyn_cast<RecordValue>(V)) {
    for (const auto &Field : Record->Fields)
      addReachableObjects(Field.second, Objects);
  }
}
