//===- TensorShape.h - What is known of a tensor's dimensions and elements ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much as the device rules need: a 0-dim CPU tensor may meet an accelerator
// in many operators, and index rules differ for masks.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_DEVICE_TENSORSHAPE_H
#define TDL_DEVICE_TENSORSHAPE_H

#include <algorithm>
#include <cstdint>

namespace tdl {

/// Number of dimensions: a number, at least one, or unknown. Reduced is unknown
/// too, but of a tensor that lost dimensions: it may well be 0-dim, which one
/// that nothing is known of hardly ever is.
class Rank {
public:
  static Rank unknown() { return Rank(UnknownRank); }
  static Rank reduced() { return Rank(ReducedRank); }
  static Rank atLeastOne() { return Rank(AtLeastOneRank); }
  static Rank exactly(unsigned N) { return Rank(static_cast<int>(N)); }

  bool isUnknown() const {
    return Value == UnknownRank || Value == ReducedRank;
  }
  bool isReduced() const { return Value == ReducedRank; }
  bool isExact() const { return Value >= 0; }
  bool isZero() const { return Value == 0; }
  /// Surely not 0-dim.
  bool isPositive() const { return Value > 0 || Value == AtLeastOneRank; }
  unsigned number() const { return static_cast<unsigned>(Value); }
  /// As Finding.h encodes it: -1 unknown, -2 at least one.
  int encoded() const { return isUnknown() ? UnknownRank : Value; }

  friend bool operator==(Rank A, Rank B) { return A.Value == B.Value; }
  friend bool operator!=(Rank A, Rank B) { return A.Value != B.Value; }

private:
  static constexpr int UnknownRank = -1, AtLeastOneRank = -2,
                       ReducedRank = -3;
  explicit Rank(int Value) : Value(Value) {}
  int Value;
};

/// The least rank above both.
inline Rank join(Rank A, Rank B) {
  if (A == B)
    return A;
  if (A.isPositive() && B.isPositive())
    return Rank::atLeastOne();
  bool MayBeZero = A.isReduced() || B.isReduced() || A.isZero() || B.isZero();
  return MayBeZero ? Rank::reduced() : Rank::unknown();
}

/// The rank of an elementwise result.
inline Rank broadcast(Rank A, Rank B) {
  if (A.isExact() && B.isExact())
    return Rank::exactly(std::max(A.number(), B.number()));
  if (A.isPositive() || B.isPositive())
    return Rank::atLeastOne();
  bool MayBeZero = A.isReduced() || B.isReduced();
  return MayBeZero ? Rank::reduced() : Rank::unknown();
}

/// Element type as far as it is known, by the names of c10::ScalarType.
enum class ElementType : uint8_t {
  Unknown,
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexFloat, ComplexDouble, Bool, BFloat16,
};

inline ElementType join(ElementType A, ElementType B) {
  return A == B ? A : ElementType::Unknown;
}

/// "float", "long", "bool"; empty for Unknown.
const char *elementTypeName(ElementType Type);

/// The type that a constant such as kFloat, or an enumerator such as Float,
/// stands for; Unknown for another name.
ElementType elementTypeOfConstant(const char *Name);

inline bool isMask(ElementType Type) {
  return Type == ElementType::Bool || Type == ElementType::Byte;
}

} // namespace tdl

#endif // TDL_DEVICE_TENSORSHAPE_H
