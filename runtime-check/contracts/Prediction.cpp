//===- Prediction.cpp - What a row says of tensors in given places --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prediction.h"

#include "../Samples.h"

#include <ATen/Context.h>

#include <algorithm>

namespace tdl {
namespace verify {

/// Roles that are compared with the common device.
static bool isCompared(DeviceRole Role) {
  return Role == DeviceRole::Same || Role == DeviceRole::Mix ||
         Role == DeviceRole::Scalars || Role == DeviceRole::Moved ||
         Role == DeviceRole::Out;
}

/// Of the first compared argument that is not on the CPU; what may be moved
/// counts only when there is no other.
static std::optional<c10::Device> commonDevice(const ContractRow &Row,
                                               const Call &C) {
  for (bool Moved : {false, true})
    for (const Passed &T : C.Tensors) {
      DeviceRole Role = Row.roleOf(T.Parameter);
      if (isCompared(Role) && !T.Device.is_cpu() &&
          (Role == DeviceRole::Moved) == Moved)
        return T.Device;
    }
  return std::nullopt;
}

static const Passed *baseOf(const ContractRow &Row, const Call &C) {
  for (const Passed &T : C.Tensors)
    if (Row.roleOf(T.Parameter) == DeviceRole::Base)
      return &T;
  return nullptr;
}

static bool isCpuScalar(const Passed &T) {
  return T.Device.is_cpu() && T.Rank == 0;
}

/// A value without an index is copied; one of one element fills a mask.
static bool isCopiedOrFilled(const Call &C, const Passed &Value) {
  bool HasIndex = false, HasMask = false;
  for (const Passed &T : C.Tensors)
    if (T.Parameter == "indices") {
      HasIndex = true;
      HasMask |= T.IsMask;
    }
  return !HasIndex || (HasMask && Value.Elements == 1 && !C.Accumulates);
}

namespace {

/// Goes through the arguments and remembers what was excepted.
class Checker {
public:
  Checker(const ContractRow &Row, const Call &C)
      : Row(Row), C(C), Common(commonDevice(Row, C)), Base(baseOf(Row, C)) {}

  Judgement::Kind check(const Passed &T);

private:
  using Kind = Judgement::Kind;
  bool isCommon(const Passed &T) const {
    return !Common || T.Device == *Common;
  }
  bool isWithBase(const Passed &T) const {
    return !Base || T.Device == Base->Device;
  }
  Kind checkMixed(const Passed &T);
  Kind checkIndex(const Passed &T) const;

  const ContractRow &Row;
  const Call &C;
  std::optional<c10::Device> Common;
  const Passed *Base;
  bool HasException = false; ///< The one of all mix operands.
};

} // namespace

Judgement::Kind Checker::checkMixed(const Passed &T) {
  if (isCommon(T))
    return Kind::Works;
  if (!isCpuScalar(T))
    return Kind::Fails;
  if (HasException)
    return Kind::FailsByScalars;
  HasException = true;
  // Some kernels make a tensor of the number, which is an exception too.
  for (const std::string &Number : C.Numbers)
    if (Row.roleOf(Number) == DeviceRole::Mix)
      return Kind::Open;
  return Kind::Works;
}

Judgement::Kind Checker::checkIndex(const Passed &T) const {
  if (T.Device.is_cpu() || isWithBase(T))
    return Kind::Works;
  if (T.Rank != 0 || !T.IsIntegral)
    return Kind::Fails;
  return C.ReadsScalars ? Kind::Works : Kind::Open;
}

Judgement::Kind Checker::check(const Passed &T) {
  auto FailsUnless = [](bool IsGood) {
    return IsGood ? Kind::Works : Kind::Fails;
  };
  switch (Row.roleOf(T.Parameter)) {
  case DeviceRole::Any:
  case DeviceRole::Base:
    return Kind::Works;
  case DeviceRole::Same:
    return FailsUnless(isCommon(T));
  case DeviceRole::Out:
    return FailsUnless(isCommon(T) && isWithBase(T));
  case DeviceRole::Mix:
    return checkMixed(T);
  case DeviceRole::Scalars:
    return FailsUnless(isCommon(T) || isCpuScalar(T));
  case DeviceRole::Moved:
    return FailsUnless(isCommon(T) || T.Rank == 0);
  case DeviceRole::Index:
    return checkIndex(T);
  case DeviceRole::Put:
    return FailsUnless(isWithBase(T) || T.Rank == 0 || isCopiedOrFilled(C, T));
  case DeviceRole::Host:
    return FailsUnless(T.Device.is_cpu());
  }
  return Kind::Works;
}

/// Whether what is written is not where everything else is.
static bool isOutElsewhere(const Call &C) {
  for (const Passed &Out : C.Tensors)
    for (const Passed &T : C.Tensors)
      if (isOutName(Out.Parameter) && T.Device != Out.Device)
        return true;
  return false;
}

/// A failure for sure comes before one by scalars, and both before a doubt.
Judgement judge(const ContractRow &Row, const Call &C) {
  using Kind = Judgement::Kind;
  Checker Check(Row, C);
  Judgement Worst;
  auto Weight = [](Kind K) {
    return K == Kind::Fails            ? 3
           : K == Kind::FailsByScalars ? 2
           : K == Kind::Open           ? 1
                                       : 0;
  };
  if (Row.IsOutOpen && isOutElsewhere(C))
    return {Kind::Open, ""};
  for (const Passed &T : C.Tensors) {
    Kind Found = Check.check(T);
    if (Weight(Found) > Weight(Worst.Is))
      Worst = {Found, "'" + T.Parameter + "' on " + T.Device.str()};
  }
  return Worst;
}

/// Of a list: that element's, or where there are not so many, the first one's.
static std::optional<c10::Device>
deviceOf(const Call &C, const std::string &Parameter, size_t Element = 0) {
  std::optional<c10::Device> First;
  size_t Count = 0;
  for (const Passed &T : C.Tensors) {
    if (T.Parameter != Parameter)
      continue;
    if (Count++ == Element)
      return T.Device;
    First = First ? First : T.Device;
  }
  return First;
}

static std::optional<c10::Device> commonPlace(const ContractRow &Row,
                                              const Call &C) {
  if (auto Common = commonDevice(Row, C))
    return Common;
  for (const Passed &T : C.Tensors)
    if (isCompared(Row.roleOf(T.Parameter)))
      return c10::Device(c10::kCPU);
  return std::nullopt;
}

std::optional<c10::Device> placeOfResult(const ContractRow &Row, const Call &C,
                                         size_t Position, size_t Element) {
  const PlaceRule &Rule = Row.resultAt(Position);
  switch (Rule.Where) {
  case PlaceRule::Kind::Common:
    return commonPlace(Row, C);
  case PlaceRule::Kind::Argument:
    return deviceOf(C, Rule.Argument, Element);
  case PlaceRule::Kind::Options:
    return C.Device ? C.Device : c10::Device(c10::kCPU);
  case PlaceRule::Kind::Like:
    return C.Device ? C.Device : deviceOf(C, Rule.Argument);
  case PlaceRule::Kind::Cpu:
    return c10::Device(c10::kCPU);
  case PlaceRule::Kind::None:
  case PlaceRule::Kind::Unknown:
    break;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rank
//===----------------------------------------------------------------------===//

std::string RankClaim::inWords() const {
  if (Exactly)
    return std::to_string(*Exactly) +
           (*Exactly < AtLeast ? ", at least 1" : "");
  return "at least " + std::to_string(AtLeast);
}

/// Of a list: its first element.
static const Passed *tensorAt(const Call &C, const std::string &Parameter) {
  for (const Passed &T : C.Tensors)
    if (T.Parameter == Parameter)
      return &T;
  return nullptr;
}

static const c10::IValue *valueAt(const Call &C, const std::string &Parameter) {
  auto Found = C.Values.find(Parameter);
  return Found == C.Values.end() ? nullptr : &Found->second;
}

static std::optional<RankClaim> exactly(int64_t Rank) {
  if (Rank < 0)
    return std::nullopt;
  return RankClaim{Rank, 0};
}

/// As many dimensions less as 'dim' names, unless 'keepdim' keeps them.
static std::optional<RankClaim> reducedRank(int64_t Before, const Call &C) {
  const c10::IValue *Dim = valueAt(C, "dim"), *Keep = valueAt(C, "keepdim");
  bool Keeps = Keep && Keep->isBool() && Keep->toBool();
  if (!Dim)
    return Keeps ? std::nullopt : exactly(0);
  if (Keeps)
    return exactly(Before);
  if (Dim->isInt())
    return exactly(Before - 1);
  // An empty list stands for all in some operators and for none in others.
  if (!Dim->isIntList() || Dim->toIntVector().empty())
    return std::nullopt;
  return exactly(Before - int64_t(Dim->toIntVector().size()));
}

static std::optional<RankClaim> matmulRank(int64_t A, int64_t B) {
  if (A == 0 || B == 0)
    return std::nullopt;
  return exactly(std::max(A, B) - (A == 1 && B == 1 ? 1 : 0) -
                 (A == 1 && B > 1) - (B == 1 && A > 1));
}

static std::optional<RankClaim> widestRank(const ContractRow &Row,
                                           const Call &C) {
  int64_t Widest = -1;
  for (const Passed &T : C.Tensors)
    if (Row.roleOf(T.Parameter) != DeviceRole::Any && !isOutName(T.Parameter))
      Widest = std::max(Widest, T.Rank);
  return exactly(Widest);
}

std::optional<RankClaim> rankOfResult(const ContractRow &Row, const Call &C) {
  using Kind = RankRule::Kind;
  const RankRule &Rule = Row.Rank;
  const Passed *Argument = tensorAt(C, Rule.Argument);
  auto OfArgument = [&](int64_t More) {
    return Argument ? exactly(Argument->Rank + More) : std::nullopt;
  };
  switch (Rule.Says) {
  case Kind::Unknown:
    break;
  case Kind::Number:
    return exactly(Rule.Number);
  case Kind::AtLeastOne:
    return RankClaim{std::nullopt, 1};
  case Kind::Same:
    return OfArgument(0);
  case Kind::SamePlus:
    if (Argument)
      return RankClaim{Argument->Rank, 1};
    break;
  case Kind::Plus:
    return OfArgument(1);
  case Kind::Minus:
    return OfArgument(-1);
  case Kind::Sizes: {
    const c10::IValue *List = valueAt(C, Rule.Argument);
    if (List && List->isIntList())
      return exactly(int64_t(List->toIntVector().size()));
    break;
  }
  case Kind::Broadcast:
    return widestRank(Row, C);
  case Kind::Reduce:
    return Argument ? reducedRank(Argument->Rank, C) : std::nullopt;
  case Kind::MatMul: {
    const Passed *Second = tensorAt(C, Rule.Second);
    if (Argument && Second)
      return matmulRank(Argument->Rank, Second->Rank);
    break;
  }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Element type
//===----------------------------------------------------------------------===//

/// The argument 'dtype', which goes before every rule.
static std::optional<c10::ScalarType> givenType(const Call &C) {
  const c10::IValue *Type = valueAt(C, "dtype");
  if (!Type || !Type->isInt())
    return std::nullopt;
  return c10::ScalarType(Type->toInt());
}

static bool givesOptions(const Call &C) {
  for (const char *Name : {"dtype", "layout", "pin_memory"})
    if (valueAt(C, Name))
      return true;
  return C.Device.has_value();
}

/// Known when all tensors have one type and no number is of a higher kind.
static std::optional<c10::ScalarType> commonType(const Call &C) {
  if (C.Tensors.empty())
    return std::nullopt;
  c10::ScalarType Type = C.Tensors.front().Type;
  for (const Passed &T : C.Tensors)
    if (T.Type != Type)
      return std::nullopt;
  for (const std::string &Number : C.Numbers) {
    const c10::IValue &Value = C.Values.at(Number);
    bool Raises = Value.isComplexDouble() ? !c10::isComplexType(Type)
                  : Value.isDouble()      ? c10::isIntegralType(Type, true)
                  : Value.isInt()         ? Type == c10::kBool
                                          : false;
    if (Raises)
      return std::nullopt;
  }
  return Type;
}

static std::optional<c10::ScalarType> typeOf(const Call &C,
                                             const std::string &Parameter) {
  if (const Passed *T = tensorAt(C, Parameter))
    return T->Type;
  return std::nullopt;
}

std::optional<c10::ScalarType> typeOfResult(const ContractRow &Row,
                                            const Call &C, size_t Position) {
  using Kind = TypeRule::Kind;
  const TypeRule &Rule = Row.typeAt(Position);
  if (Rule.Says == Kind::Unknown)
    return std::nullopt;
  if (auto Given = givenType(C))
    return Given;
  switch (Rule.Says) {
  case Kind::Unknown:
    break;
  case Kind::Named:
    return typeByName(Rule.Name);
  case Kind::Same:
  case Kind::Like:
    return typeOf(C, Rule.Name);
  case Kind::Options:
    // torch::randint(9, {2}) is long, with options without a type it is float.
    if (Rule.Name == "long" && givesOptions(C))
      break;
    return typeByName(Rule.Name);
  case Kind::Promote:
    return commonType(C);
  }
  return std::nullopt;
}

} // namespace verify
} // namespace tdl
