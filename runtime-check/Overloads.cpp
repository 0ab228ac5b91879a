//===- Overloads.cpp - Which operator a step calls ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overloads.h"

#include "OpNames.h"

#include <ATen/core/jit_type.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tdl {
namespace verify {

static ParameterKind listKind(const c10::TypePtr &Element) {
  switch (Element->kind()) {
  case c10::TypeKind::TensorType:
    return ParameterKind::TensorList;
  case c10::TypeKind::OptionalType:
    return ParameterKind::OptionalTensorList;
  case c10::TypeKind::IntType:
  case c10::TypeKind::SymIntType:
    return ParameterKind::IntList;
  case c10::TypeKind::FloatType:
    return ParameterKind::FloatList;
  case c10::TypeKind::BoolType:
    return ParameterKind::BoolList;
  default:
    return ParameterKind::Other;
  }
}

static ParameterKind parameterKind(const c10::TypePtr &Type,
                                   const std::string &Name) {
  switch (Type->kind()) {
  case c10::TypeKind::TensorType:
    return ParameterKind::Tensor;
  case c10::TypeKind::ListType:
    return listKind(Type->castRaw<c10::ListType>()->getElementType());
  case c10::TypeKind::DeviceObjType:
    return ParameterKind::Device;
  case c10::TypeKind::IntType:
  case c10::TypeKind::SymIntType:
    // Enumerations are integers in a schema.
    return Name == "dtype" ? ParameterKind::DType : ParameterKind::Int;
  case c10::TypeKind::FloatType:
    return ParameterKind::Float;
  case c10::TypeKind::NumberType:
    return ParameterKind::Scalar;
  case c10::TypeKind::BoolType:
    return ParameterKind::Bool;
  default:
    return ParameterKind::Other;
  }
}

ParameterType parameterType(const c10::Argument &Parameter) {
  ParameterType Result;
  c10::TypePtr Type = Parameter.type();
  if (Type->kind() == c10::TypeKind::OptionalType) {
    Result.MayBeAbsent = true;
    Type = Type->castRaw<c10::OptionalType>()->getElementType();
  }
  Result.Kind = parameterKind(Type, Parameter.name());
  return Result;
}

/// Whether a value of \p Given can be passed for a parameter of \p Taken.
static bool accepts(ParameterKind Taken, Argument::Kind Given) {
  using P = ParameterKind;
  bool IsTensor = Taken == P::Tensor || Taken == P::TensorList ||
                  Taken == P::OptionalTensorList;
  switch (Given) {
  case Argument::Kind::Tensor:
    return Taken == P::Tensor;
  case Argument::Kind::TensorList:
    return Taken == P::TensorList || Taken == P::OptionalTensorList;
  case Argument::Kind::Device:
    return Taken == P::Device;
  case Argument::Kind::DeviceOf:
    return Taken == P::Device || Taken == P::Tensor;
  case Argument::Kind::Int:
    return Taken == P::Int || Taken == P::IntList || Taken == P::Scalar ||
           Taken == P::Float;
  case Argument::Kind::IntList:
    return Taken == P::IntList;
  case Argument::Kind::Float:
    return Taken == P::Float || Taken == P::Scalar || Taken == P::FloatList;
  case Argument::Kind::Bool:
    return Taken == P::Bool || Taken == P::Scalar;
  case Argument::Kind::DType:
    return Taken == P::DType;
  case Argument::Kind::Opaque:
    return Taken == P::Tensor || !IsTensor;
  }
  return false;
}

/// The parameter that \p A is for; -1 when there is none.
static int findParameter(const c10::FunctionSchema &Schema, const Argument &A,
                         size_t Position) {
  const auto &Parameters = Schema.arguments();
  auto Named = [&](const std::string &Name) {
    for (size_t I = 0; I < Parameters.size(); ++I)
      if (Parameters[I].name() == Name)
        return int(I);
    return -1;
  };
  if (A.Name.empty())
    return Position < Parameters.size() ? int(Position) : -1;
  int Found = Named(A.Name);
  if (Found < 0)
    Found = Named(schemaArgument(A.Name));
  // TensorOptions are one argument in C++ and several in a schema.
  if (Found < 0 && A.ArgKind == Argument::Kind::DType)
    Found = Named("dtype");
  if (Found < 0 &&
      (A.ArgKind == Argument::Kind::Device ||
       A.ArgKind == Argument::Kind::DeviceOf || A.Name == "options"))
    Found = Named("device");
  return Found;
}

/// Weights of the penalty; a parameter more costs 1.
static constexpr int MadeUp = 100;
static constexpr int NotTaken = 10000;

/// Nothing when the step's arguments do not fit the schema. The penalty counts
/// what has to be made up.
static std::optional<std::pair<int, std::vector<int>>>
fit(const c10::FunctionSchema &Schema, const Step &S) {
  const auto &Parameters = Schema.arguments();
  std::vector<int> Given(Parameters.size(), -1);
  int Penalty = 0;
  for (size_t I = 0; I < S.Arguments.size(); ++I) {
    const Argument &A = S.Arguments[I];
    int Parameter = findParameter(Schema, A, I);
    // The options of nn::functional are several parameters in a schema, whose
    // values are not known then.
    if (Parameter < 0 && A.ArgKind == Argument::Kind::Opaque) {
      Penalty += NotTaken;
      continue;
    }
    if (Parameter < 0 || Given[Parameter] >= 0)
      return std::nullopt;
    ParameterKind Taken = parameterType(Parameters[Parameter]).Kind;
    if (!accepts(Taken, A.ArgKind))
      return std::nullopt;
    if (A.ArgKind == Argument::Kind::Opaque && Taken == ParameterKind::Tensor)
      Penalty += MadeUp;
    Given[Parameter] = int(I);
  }
  for (size_t I = 0; I < Parameters.size(); ++I) {
    ++Penalty;
    if (Given[I] >= 0 || Parameters[I].default_value())
      continue;
    ParameterType Type = parameterType(Parameters[I]);
    bool CanMakeUp =
        Type.MayBeAbsent || (Type.Kind != ParameterKind::Tensor &&
                             Type.Kind != ParameterKind::TensorList &&
                             Type.Kind != ParameterKind::Other);
    if (!CanMakeUp || Parameters[I].is_out())
      return std::nullopt;
    Penalty += MadeUp;
  }
  return std::make_pair(Penalty, Given);
}

/// Overload names of each operator; LibTorch has no index by base name.
static const std::vector<std::string> &overloadsOf(const std::string &Name) {
  static const auto *Index = [] {
    auto *Names = new std::map<std::string, std::vector<std::string>>;
    for (const c10::OperatorName &Op :
         c10::Dispatcher::singleton().getAllOpNames())
      (*Names)[Op.name].push_back(Op.overload_name);
    for (auto &Entry : *Names)
      std::sort(Entry.second.begin(), Entry.second.end());
    return Names;
  }();
  static const std::vector<std::string> None;
  auto Found = Index->find(Name);
  return Found == Index->end() ? None : Found->second;
}

Overload chooseOverload(const Step &S) {
  std::string Operator = operatorFor(S.Op);
  if (isFunctionWithoutOperator(S.Op))
    throw CannotRun("this LibTorch has no operator for '" + S.Op + "'");
  if (Operator.empty())
    throw CannotRun("'" + S.Op +
                    "' is no operator of LibTorch, so the verifier cannot call "
                    "it; the finding rests on its contract (torch-device-lint "
                    "--explain-op=" +
                    S.Op + "): check that, or run the program on a GPU");
  std::string Name = "aten::" + Operator;
  const std::vector<std::string> &Overloads = overloadsOf(Name);
  if (Overloads.empty())
    throw CannotRun("this LibTorch has no operator '" + Name + "'");
  std::optional<Overload> Best;
  int LowestPenalty = 0;
  for (const std::string &OverloadName : Overloads) {
    auto Op = c10::Dispatcher::singleton().findSchema({Name, OverloadName});
    if (!Op)
      continue;
    auto Fit = fit(Op->schema(), S);
    if (!Fit || (Best && Fit->first >= LowestPenalty))
      continue;
    LowestPenalty = Fit->first;
    Best = Overload{*Op, Fit->second};
  }
  if (!Best)
    throw CannotRun("no overload of '" + Name + "' takes these arguments");
  return *Best;
}

void callOperator(const c10::OperatorHandle &Op, torch::jit::Stack &Values) {
  // LibTorch drops the arguments before it copies results that are references
  // to several of them (out= forms); a copy keeps their tensors alive.
  torch::jit::Stack Kept = Values;
  Op.callBoxed(&Values);
}

} // namespace verify
} // namespace tdl
