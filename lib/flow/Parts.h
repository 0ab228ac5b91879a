//===- Parts.h - Parts of lists, maps and records --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `views[i].image` and `state.at("h").first` read and write: a way from a
// value to one of its parts.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_PARTS_H
#define TDL_FLOW_PARTS_H

#include "flow/Value.h"

namespace tdl {

/// One step from a value into it.
struct PartStep {
  enum class Kind : uint8_t {
    Element, ///< Of a list, tuple or pair.
    Key,     ///< What a map has at a key.
    Entry,   ///< The entry of a map at a key, as a pair.
    Field,   ///< Of a record.
  };
  Kind K = Kind::Element;
  /// Of an element, counted from the end where it is negative; none: any.
  std::optional<int64_t> Index;
  const Value *At = nullptr; ///< The key; null or unknown: any.
  const clang::ValueDecl *Member = nullptr;

  static PartStep element(std::optional<int64_t> Index);
  static PartStep key(const Value *At);
  static PartStep entry(const Value *At);
  static PartStep field(const clang::ValueDecl *Member);
};

/// Part of what a location holds.
struct PartPath {
  LocationId Whole = 0;
  llvm::SmallVector<PartStep, 2> Steps; ///< Empty: the whole.
};

/// Element \p Index of a list value, counted from the end where it is negative;
/// the join of all where it is not known, unknown for any other value.
const Value *listElement(const Value *V, std::optional<int64_t> Index,
                         ValueArena &Arena);

/// What the map \p V has at \p Key, if it has something there; what any key may
/// have where the key is not known. Unknown for any other value.
const Value *mapElement(const Value *V, const Value *Key, ValueArena &Arena);

/// Any element of a list, any entry of a map as a pair; unknown for any other
/// value.
const Value *anyElement(const Value *V, ValueArena &Arena);

/// What \p Steps lead to from \p V.
const Value *partOf(const Value *V, llvm::ArrayRef<PartStep> Steps,
                    ValueArena &Arena);

/// \p Whole once \p Part was stored where \p Steps lead to. Where they may lead
/// to several parts, each is \p Part or what it was. Unknown where \p Whole is.
const Value *withPart(const Value *Whole, llvm::ArrayRef<PartStep> Steps,
                      const Value *Part, ValueArena &Arena);

/// \p List with one more element, at its end or, with \p InFront, its begin.
const Value *withElement(const ListValue &List, const Value *Element,
                         bool InFront, ValueArena &Arena);

/// A list of any number of elements, each of which is one of those of \p List
/// or \p Element, which may be null.
const Value *ofAnyLength(const ListValue &List, const Value *Element,
                         ValueArena &Arena);

/// The list or map \p V, each of whose elements became \p Element; for a map a
/// pair. Unknown for any other value.
const Value *withAllElements(const Value *V, const Value *Element,
                             ValueArena &Arena);

/// \p Map with \p V at \p Key, or, with \p IsSure false, perhaps what it had.
const Value *withEntry(const MapValue &Map, const Value *Key, const Value *V,
                       bool IsSure, ValueArena &Arena);

} // namespace tdl

#endif // TDL_FLOW_PARTS_H
