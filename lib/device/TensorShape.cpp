//===- TensorShape.cpp - Names of element types ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/TensorShape.h"
#include <cstring>

using namespace tdl;

namespace {
struct ElementTypeRow {
  ElementType Type;
  const char *Name, *Enumerator, *Constant;
};
/// Source: c10/core/ScalarType.h and torch/csrc/api/include/torch/types.h.
constexpr ElementTypeRow Rows[] = {
    {ElementType::Byte, "byte", "Byte", "kByte"},
    {ElementType::Byte, "byte", "Byte", "kUInt8"},
    {ElementType::Char, "char", "Char", "kChar"},
    {ElementType::Char, "char", "Char", "kInt8"},
    {ElementType::Short, "short", "Short", "kShort"},
    {ElementType::Short, "short", "Short", "kInt16"},
    {ElementType::Int, "int", "Int", "kInt"},
    {ElementType::Int, "int", "Int", "kInt32"},
    {ElementType::Long, "long", "Long", "kLong"},
    {ElementType::Long, "long", "Long", "kInt64"},
    {ElementType::Half, "half", "Half", "kHalf"},
    {ElementType::Half, "half", "Half", "kFloat16"},
    {ElementType::Float, "float", "Float", "kFloat"},
    {ElementType::Float, "float", "Float", "kFloat32"},
    {ElementType::Double, "double", "Double", "kDouble"},
    {ElementType::Double, "double", "Double", "kFloat64"},
    {ElementType::ComplexFloat, "complexfloat", "ComplexFloat", "kComplexFloat"},
    {ElementType::ComplexDouble, "complexdouble", "ComplexDouble", "kComplexDouble"},
    {ElementType::Bool, "bool", "Bool", "kBool"},
    {ElementType::BFloat16, "bfloat16", "BFloat16", "kBFloat16"},
};
} // namespace

const char *tdl::elementTypeName(ElementType Type) {
  for (const ElementTypeRow &Row : Rows)
    if (Row.Type == Type)
      return Row.Name;
  return "";
}

ElementType tdl::elementTypeOfConstant(const char *Name) {
  for (const ElementTypeRow &Row : Rows)
    if (!std::strcmp(Row.Enumerator, Name) || !std::strcmp(Row.Constant, Name))
      return Row.Type;
  return ElementType::Unknown;
}
