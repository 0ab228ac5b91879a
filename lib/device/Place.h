//===- Place.h - Where a tensor is -----------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice of places: a known device, a symbol that stands for a device
// that comes from outside the function (a parameter, a member, an unmodelled
// call), or unknown. Facts about symbols are kept apart, in PlaceFacts.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_DEVICE_PLACE_H
#define TDL_DEVICE_PLACE_H

#include "device/DeviceType.h"
#include <cassert>
#include <string>

namespace tdl {

/// Names a device that is not known but is always the same one. Numbered from
/// 0 within one function.
using SymbolId = uint32_t;

/// A value of three pointer-free words, passed by value.
class Place {
public:
  enum class Kind : uint8_t { Unknown, Known, Symbol };

  /// The index of kCUDA without a number: the current device of the thread.
  static constexpr int CurrentIndex = -1;

  /// Unknown.
  Place() = default;
  static Place unknown() { return Place(); }
  /// \p Index is ignored for the CPU, which there is only one of.
  static Place known(DeviceType Type, int Index = CurrentIndex);
  static Place symbol(SymbolId Id);
  /// As c10::Device's constructor parses it: a type, then optionally a colon
  /// and an index ("cuda:1"). Unknown for anything else.
  static Place parse(llvm::StringRef Text);

  Kind kind() const { return K; }
  bool isUnknown() const { return K == Kind::Unknown; }
  bool isKnown() const { return K == Kind::Known; }
  bool isSymbol() const { return K == Kind::Symbol; }

  DeviceType type() const {
    assert(isKnown() && "only a known place has a type of its own");
    return Type;
  }
  int index() const {
    assert(isKnown() && "only a known place has an index of its own");
    return Index;
  }
  SymbolId symbolId() const {
    assert(isSymbol() && "no symbol");
    return Symbol;
  }

  bool isCPU() const { return isKnown() && Type == DeviceType::CPU; }

  friend bool operator==(const Place &A, const Place &B) {
    return A.K == B.K && A.Type == B.Type && A.Index == B.Index &&
           A.Symbol == B.Symbol;
  }
  friend bool operator!=(const Place &A, const Place &B) { return !(A == B); }

  /// "cpu", "cuda" (current), "cuda:1"; empty for a symbol or unknown.
  std::string str() const;

private:
  Kind K = Kind::Unknown;
  DeviceType Type = DeviceType::CPU;
  int16_t Index = CurrentIndex;
  SymbolId Symbol = 0;
};

/// The least place above both: the place itself where they are equal, else
/// unknown. Commutative, associative and idempotent.
Place join(Place A, Place B);

} // namespace tdl

#endif // TDL_DEVICE_PLACE_H
