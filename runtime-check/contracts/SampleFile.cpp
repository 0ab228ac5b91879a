//===- SampleFile.cpp - Arguments with which operators can be called ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleFile.h"

#include "../Overloads.h"

#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <limits>
#include <sstream>

namespace tdl {
namespace verify {

using Ints = std::vector<int64_t>;

Samples readSamples(const std::string &FileName, const std::string &Text) {
  Samples Result;
  std::istringstream In(Text);
  std::string Line;
  for (int Number = 1; std::getline(In, Line); ++Number) {
    if (Line.empty() || Line[0] == '#')
      continue;
    size_t Tab = Line.find('\t');
    Sample Arguments =
        Tab == std::string::npos
            ? Sample()
            : Sample::parse(Line.begin() + long(Tab) + 1, Line.end(), nullptr,
                            /*allow_exceptions=*/false);
    if (!Arguments.is_array())
      throw SampleError(FileName + ":" + std::to_string(Number) +
                        ": expected an operator, a tab and a JSON list of its "
                        "arguments (docs/formats/operator-samples.md)");
    Result[Line.substr(0, Tab)].push_back(std::move(Arguments));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool isTensor(const Sample &Value) { return Value.is_string(); }

static c10::ScalarType typeNamed(const std::string &Name) {
  for (int I = 0; I < int(c10::ScalarType::NumOptions); ++I)
    if (Name == c10::toString(c10::ScalarType(I)))
      return c10::ScalarType(I);
  throw SampleError("'" + Name + "' is no element type of this LibTorch");
}

static Ints readInts(const std::string &Text) {
  Ints Result;
  std::istringstream In(Text);
  for (std::string Word; std::getline(In, Word, ',');)
    try {
      Result.push_back(std::stoll(Word));
    } catch (const std::logic_error &) {
      throw SampleError("expected integers, got '" + Text + "'");
    }
  return Result;
}

/// "Long[2,3]/1,2=0,1,2,3,4,5": strides and values may be left out.
SampleTensor readTensor(const Sample &Value) {
  const std::string Text = Value.get<std::string>();
  size_t Open = Text.find('['), Close = Text.find(']');
  if (Open == std::string::npos || Close == std::string::npos || Close < Open)
    throw SampleError("expected a tensor such as Float[2,3], got '" + Text +
                      "'");
  SampleTensor T;
  T.Type = typeNamed(Text.substr(0, Open));
  T.Sizes = readInts(Text.substr(Open + 1, Close - Open - 1));
  size_t Equals = Text.find('=', Close);
  std::string Middle = Text.substr(
      Close + 1, Equals == std::string::npos ? Equals : Equals - Close - 1);
  if (!Middle.empty())
    T.Strides = readInts(Middle.substr(1));
  if (Equals != std::string::npos)
    T.Values = readInts(Text.substr(Equals + 1));
  int64_t Count = 1;
  for (int64_t Size : T.Sizes)
    Count *= Size;
  if ((!T.Values.empty() && int64_t(T.Values.size()) != Count) ||
      (!T.Strides.empty() && T.Strides.size() != T.Sizes.size()))
    throw SampleError("sizes do not fit strides or values in '" + Text + "'");
  return T;
}

/// Different numbers between 0.05 and 0.95, the same in every run.
static at::Tensor fractions(int64_t Count) {
  at::Tensor T = at::empty({Count}, at::kDouble);
  auto *Data = T.data_ptr<double>();
  uint32_t State = 12345;
  for (int64_t I = 0; I < Count; ++I) {
    State = State * 1664525u + 1013904223u;
    Data[I] = 0.05 + 0.9 * (State >> 8) / double(1 << 24);
  }
  return T;
}

static at::Tensor dominant(at::Tensor T) {
  int64_t Rank = T.dim();
  if (Rank >= 2 && T.size(-1) == T.size(-2))
    T = at::add(T, at::eye(T.size(-1), T.options()), 2 * T.size(-1));
  return T;
}

/// With the sample's strides, unless elements share memory: then nothing could
/// be copied into it.
static at::Tensor withStrides(const at::Tensor &T, const Ints &Strides) {
  if (Strides.empty())
    return T;
  for (size_t I = 0; I < Strides.size(); ++I)
    if (Strides[I] == 0 && T.size(int64_t(I)) > 1)
      return T;
  return at::empty_strided(T.sizes(), Strides, T.options()).copy_(T);
}

at::Tensor makeTensor(const SampleTensor &T, Filling How) {
  int64_t Count = 1;
  for (int64_t Size : T.Sizes)
    Count *= Size;
  at::Tensor Made;
  if (!T.Values.empty())
    Made = at::tensor(T.Values, at::kLong).reshape(T.Sizes).to(T.Type);
  else if (c10::isIntegralType(T.Type, /*includeBool=*/true))
    Made = at::zeros(T.Sizes, T.Type);
  else
    Made = fractions(Count).reshape(T.Sizes);
  if (How == Filling::Dominant && T.Values.empty())
    Made = dominant(Made);
  return withStrides(Made.to(T.Type), T.Strides);
}

//===----------------------------------------------------------------------===//
// Other values
//===----------------------------------------------------------------------===//

static double specialNumber(const std::string &Name) {
  if (Name == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  double Infinity = std::numeric_limits<double>::infinity();
  if (Name == "inf")
    return Infinity;
  if (Name == "-inf")
    return -Infinity;
  throw SampleError("expected nan, inf or -inf, got '" + Name + "'");
}

static double number(const Sample &Value) {
  return Value.is_object() ? specialNumber(Value.at("float").get<std::string>())
                           : Value.get<double>();
}

static c10::IValue plainValue(const Sample &Value) {
  if (Value.is_null())
    return {};
  if (Value.is_boolean())
    return Value.get<bool>();
  if (Value.is_number_integer())
    return Value.get<int64_t>();
  if (Value.is_number_float())
    return Value.get<double>();
  if (Value.is_object() && Value.contains("float"))
    return number(Value);
  if (Value.is_object() && Value.contains("string"))
    return Value["string"].get<std::string>();
  if (Value.is_object() && Value.contains("device"))
    return c10::Device(Value["device"].get<std::string>());
  if (Value.is_object() && Value.contains("complex"))
    return c10::complex<double>(number(Value["complex"].at(0)),
                                number(Value["complex"].at(1)));
  throw SampleError("'" + Value.dump() +
                    "' is no value that a sample can have");
}

static at::Scalar scalar(const Sample &Value) {
  c10::IValue V = plainValue(Value);
  return V.toScalar();
}

/// A list whose elements the schema calls numbers.
static bool takesScalars(const c10::Argument &Parameter) {
  c10::TypePtr Type = Parameter.type();
  if (Type->kind() == c10::TypeKind::OptionalType)
    Type = Type->castRaw<c10::OptionalType>()->getElementType();
  return Type->kind() == c10::TypeKind::ListType &&
         Type->castRaw<c10::ListType>()->getElementType()->kind() ==
             c10::TypeKind::NumberType;
}

static c10::IValue listValue(const Sample &Value,
                             const c10::Argument &Parameter) {
  switch (parameterType(Parameter).Kind) {
  case ParameterKind::IntList:
    return Value.get<Ints>();
  case ParameterKind::FloatList:
    return Value.get<std::vector<double>>();
  case ParameterKind::BoolList: {
    c10::List<bool> List;
    for (const Sample &Element : Value)
      List.push_back(Element.get<bool>());
    return List;
  }
  case ParameterKind::TensorList:
    return std::vector<at::Tensor>();
  default:
    break;
  }
  if (!takesScalars(Parameter))
    throw SampleError("a list for '" + Parameter.name() + "'");
  c10::List<at::Scalar> List;
  for (const Sample &Element : Value)
    List.push_back(scalar(Element));
  return List;
}

c10::IValue makeValue(const Sample &Value, const c10::Argument &Parameter) {
  try {
    return Value.is_array() ? listValue(Value, Parameter) : plainValue(Value);
  } catch (const nlohmann::json::exception &) {
    throw SampleError("'" + Value.dump() + "' is no value for '" +
                      Parameter.name() + "'");
  }
}

} // namespace verify
} // namespace tdl
