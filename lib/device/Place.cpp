//===- Place.cpp - Where a tensor is --------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/Place.h"
#include <limits>

using namespace tdl;

Place Place::known(DeviceType Type, int Index) {
  Place P;
  P.K = Kind::Known;
  P.Type = Type;
  P.Index = Type == DeviceType::CPU ? CurrentIndex : Index;
  return P;
}

Place Place::symbol(SymbolId Id) {
  Place P;
  P.K = Kind::Symbol;
  P.Symbol = Id;
  return P;
}

Place Place::parse(llvm::StringRef Text) {
  auto [Name, IndexText] = Text.split(':');
  std::optional<DeviceType> Type = parseDeviceType(Name);
  if (Type && Name.size() == Text.size())
    return known(*Type);
  unsigned Index = 0; // "cuda:" and "cuda:-1" throw.
  if (!Type || IndexText.getAsInteger(10, Index) ||
      Index > unsigned(std::numeric_limits<int8_t>::max()))
    return unknown();
  return known(*Type, int(Index));
}

std::string Place::str() const {
  if (!isKnown())
    return "";
  std::string Text = deviceTypeName(Type).str();
  if (Index != CurrentIndex)
    Text += ":" + std::to_string(Index);
  return Text;
}

Place tdl::join(Place A, Place B) { return A == B ? A : Place::unknown(); }
