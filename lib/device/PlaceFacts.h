//===- PlaceFacts.h - What guards established about symbols ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conjunction of facts about the places that symbols stand for: type known,
// types excluded, equal to another place, different from another. Branches,
// checks and early returns add facts; a join keeps what both sides have.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_DEVICE_PLACEFACTS_H
#define TDL_DEVICE_PLACEFACTS_H

#include "device/Place.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tdl {

/// The answer to "are these two on one device?".
enum class Agreement : uint8_t { Same, Different, Unknown };

class PlaceFacts {
public:
  /// Each assume function adds the fact and returns false when it contradicts
  /// what is known: then no execution gets here. On unknown places they do
  /// nothing and return true.
  bool assumeType(Place P, DeviceType Type);
  bool assumeNotType(Place P, DeviceType Type);
  bool assumeSame(Place A, Place B);
  bool assumeDifferent(Place A, Place B);

  /// What is known about the type of \p P; none when nothing is.
  std::optional<DeviceType> typeOf(Place P) const;
  /// Whether \p P may be of \p Type; true when nothing is known.
  bool mayBe(Place P, DeviceType Type) const;
  /// Agreement of whole devices, index included. "cuda" (current) against
  /// "cuda:1" is Unknown.
  Agreement compare(Place A, Place B) const;
  /// \p P, or the known place or older symbol that it equals.
  Place resolve(Place P) const;
  /// The symbols that are known to equal \p P, itself included; none for a known
  /// or unknown place.
  llvm::SmallVector<SymbolId, 2> symbolsEqualTo(Place P) const;

  /// Forgets everything about \p Id: it is about to name another device.
  void forget(SymbolId Id);

  /// Keeps the facts that both have.
  void meetWith(const PlaceFacts &Other);

  friend bool operator==(const PlaceFacts &A, const PlaceFacts &B) {
    return A.Symbols == B.Symbols && A.Distinct == B.Distinct;
  }

private:
  struct SymbolFact {
    SymbolId Id = 0;
    std::optional<DeviceType> Type;
    uint32_t ExcludedTypes = 0; ///< Bit n: not DeviceType n.
    Place Equal;                ///< Known, or an older symbol; unknown: none.

    bool isTrivial() const {
      return !Type && !ExcludedTypes && Equal.isUnknown();
    }
    friend bool operator==(const SymbolFact &A, const SymbolFact &B) {
      return A.Id == B.Id && A.Type == B.Type &&
             A.ExcludedTypes == B.ExcludedTypes && A.Equal == B.Equal;
    }
  };

  const SymbolFact *find(SymbolId Id) const;
  SymbolFact &get(SymbolId Id);
  bool knownDistinct(Place A, Place B) const;

  llvm::SmallVector<SymbolFact, 4> Symbols; ///< Sorted by Id.
  llvm::SmallVector<std::pair<Place, Place>, 1> Distinct;
};

} // namespace tdl

#endif // TDL_DEVICE_PLACEFACTS_H
