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
         A.Elements == B.Elements && A.IsUndefined == B.IsUndefined;
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
  }
  return false;
}

static const Value *joinTensors(ValueArena &Arena, const TensorValue &A,
                                const TensorValue &B) {
  // An undefined tensor on one side: using it there throws another error, so
  // the place is not the other side's for sure.
  if (A.IsUndefined != B.IsUndefined)
    return Arena.unknown();
  Place Where = join(A.Where, B.Where);
  return Arena.make<TensorValue>(Where, join(A.Dimensions, B.Dimensions),
                                 join(A.Elements, B.Elements), A.Story);
}

static const Value *joinLists(ValueArena &Arena, const ListValue &A,
                              const ListValue &B) {
  if (!A.IsExact || !B.IsExact || A.Elements.size() != B.Elements.size())
    return Arena.unknown();
  llvm::SmallVector<const Value *, 4> Elements;
  for (size_t I = 0; I < A.Elements.size(); ++I)
    Elements.push_back(join(Arena, A.Elements[I], B.Elements[I]));
  return Arena.make<ListValue>(Elements);
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

const Value *tdl::join(ValueArena &Arena, const Value *A, const Value *B) {
  if (sameKnowledge(A, B))
    return A;
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
  default:
    return Arena.unknown();
  }
}
