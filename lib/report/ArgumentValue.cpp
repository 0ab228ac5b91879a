//===- ArgumentValue.cpp - The value of a step's argument as JSON ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text to JSON and JSON to text.
//
//===----------------------------------------------------------------------===//

#include "report/ArgumentValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace tdl;

using Kind = StepArgument::Kind;

static std::optional<int64_t> parseInt(StringRef Text) {
  int64_t Number;
  if (Text.trim().getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

static std::optional<SmallVector<int64_t>> parseIntList(StringRef Text) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return std::nullopt;
  SmallVector<int64_t> Numbers;
  if (Text.trim().empty())
    return Numbers;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts) {
    std::optional<int64_t> Number = parseInt(Part);
    if (!Number)
      return std::nullopt;
    Numbers.push_back(*Number);
  }
  return Numbers;
}

static std::optional<double> parseFloat(StringRef Text) {
  double Number;
  if (!to_float(Text.trim(), Number))
    return std::nullopt;
  return Number;
}

/// The shortest decimal text that is this number again.
static std::string textOfFloat(double Number) {
  if (std::isnan(Number))
    return "nan";
  if (std::isinf(Number))
    return Number > 0 ? "inf" : "-inf";
  std::string Text;
  double Again = 0;
  for (int Digits = std::numeric_limits<double>::digits10;
       Digits <= std::numeric_limits<double>::max_digits10; ++Digits) {
    Text.clear();
    raw_string_ostream(Text) << format("%.*g", Digits, Number);
    if (to_float(Text, Again) && Again == Number)
      break;
  }
  return Text;
}

template <typename Range> static std::string textOfIntList(const Range &List) {
  return "[" + join(map_range(List, [](int64_t N) { return itostr(N); }), ",") +
         "]";
}

static std::string quoted(StringRef Text) {
  std::string Result;
  raw_string_ostream(Result)
      << json::Value(json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text));
  return Result;
}

Kind tdl::kindAsWritten(const StepArgument &A) {
  const auto Checked = [&](bool HasForm) {
    return HasForm ? A.ArgKind : Kind::Opaque;
  };
  switch (A.ArgKind) {
  case Kind::Tensor:
  case Kind::DeviceOf:
    return Checked(A.Steps.size() == 1 && A.Steps.front() >= 0);
  case Kind::Int:
    return Checked(parseInt(A.Text).has_value());
  case Kind::IntList:
    return Checked(parseIntList(A.Text).has_value());
  case Kind::Float:
    return Checked(parseFloat(A.Text).has_value());
  case Kind::Bool:
    return Checked(A.Text == "true" || A.Text == "false");
  case Kind::Device:
  case Kind::DType:
    return Checked(!A.Text.empty());
  case Kind::TensorList:
  case Kind::Opaque:
    return A.ArgKind;
  }
  llvm_unreachable("unknown kind of argument");
}

std::string tdl::valueOfArgument(const StepArgument &A) {
  switch (A.ArgKind) {
  case Kind::Int:
    return itostr(*parseInt(A.Text));
  case Kind::IntList:
    return textOfIntList(*parseIntList(A.Text));
  case Kind::Float: {
    const double Number = *parseFloat(A.Text);
    const std::string Text = textOfFloat(Number);
    return std::isfinite(Number) ? Text : quoted(Text); // JSON has no infinity.
  }
  case Kind::Bool:
    return A.Text;
  case Kind::Device:
  case Kind::DType:
    return quoted(A.Text);
  default:
    llvm_unreachable("an argument of this kind has no value");
  }
}

static std::optional<std::string> textOfIntArray(const json::Value &Value) {
  const json::Array *List = Value.getAsArray();
  if (!List)
    return std::nullopt;
  SmallVector<int64_t> Numbers;
  for (const json::Value &Element : *List) {
    std::optional<int64_t> Number = Element.getAsInteger();
    if (!Number)
      return std::nullopt;
    Numbers.push_back(*Number);
  }
  return textOfIntList(Numbers);
}

static std::optional<std::string> textOfFloatValue(const json::Value &Value) {
  if (std::optional<double> Number = Value.getAsNumber())
    return textOfFloat(*Number);
  if (std::optional<StringRef> Word = Value.getAsString())
    if (*Word == "inf" || *Word == "-inf" || *Word == "nan")
      return Word->str();
  return std::nullopt;
}

std::optional<std::string> tdl::textOfValue(Kind ArgKind,
                                            const json::Value &Value) {
  switch (ArgKind) {
  case Kind::Int:
    if (std::optional<int64_t> Number = Value.getAsInteger())
      return itostr(*Number);
    return std::nullopt;
  case Kind::IntList:
    return textOfIntArray(Value);
  case Kind::Float:
    return textOfFloatValue(Value);
  case Kind::Bool:
    if (std::optional<bool> Flag = Value.getAsBoolean())
      return std::string(*Flag ? "true" : "false");
    return std::nullopt;
  case Kind::Device:
  case Kind::DType:
    if (std::optional<StringRef> Text = Value.getAsString();
        Text && !Text->empty())
      return Text->str();
    return std::nullopt;
  default:
    llvm_unreachable("an argument of this kind has no value");
  }
}

StringRef tdl::formOfValue(Kind ArgKind) {
  switch (ArgKind) {
  case Kind::Int:
    return "an integer";
  case Kind::IntList:
    return "a list of integers";
  case Kind::Float:
    return "a number, \"inf\", \"-inf\" or \"nan\"";
  case Kind::Bool:
    return "true or false";
  case Kind::Device:
    return "a device string";
  case Kind::DType:
    return "the name of a dtype";
  default:
    llvm_unreachable("an argument of this kind has no value");
  }
}
