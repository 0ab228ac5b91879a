//===- Condition.h - Path conditions and the formulas they come from -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions that decide places: which accelerators there are, the program's
// own booleans, and comparisons of places. An atom is one such condition, a
// formula combines atoms as the source does, a path condition is the
// conjunction of atoms under which a disjunct of the state holds.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_DEVICE_CONDITION_H
#define TDL_DEVICE_CONDITION_H

#include "device/Place.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <string>
#include <vector>

namespace tdl {

/// Index into an AtomTable.
using AtomId = uint32_t;

/// One condition that is either true or false all through a function.
struct Atom {
  enum class Kind : uint8_t {
    Program, ///< A condition of the program's own: Key names it.
    Equals,  ///< The program's value Key equals Constant; at most one constant holds for one key.
    TypeIs,  ///< Place A is of type Type.
    Same,    ///< Places A and B are one device.
    Called,  ///< Of the methods of *this that matter, Key was called first.
  };
  Kind K = Kind::Program;
  std::string Key;
  std::string Constant;
  Place A, B;
  DeviceType Type = DeviceType::CPU;
  /// As the source says it, for people: "torch::cuda::is_available()".
  std::string Text;
  /// Source words of the negation, empty for "!(Text)".
  std::string NegatedText;

  std::string str(bool Value) const;
};

/// Gives equal atoms equal numbers, in the order in which they are met.
class AtomTable {
public:
  AtomId intern(Atom A);
  const Atom &operator[](AtomId Id) const { return Atoms[Id]; }

private:
  std::vector<Atom> Atoms;
  llvm::StringMap<AtomId> ByIdentity;
};

/// A combination of atoms. Nodes live as long as their FormulaArena.
class Formula {
public:
  enum class Kind : uint8_t { Constant, Unknown, Atom, Not, And, Or };
  Kind K = Kind::Unknown;
  bool Value = false;            ///< For Constant.
  AtomId Id = 0;                 ///< For Atom.
  const Formula *Left = nullptr; ///< For Not, And, Or.
  const Formula *Right = nullptr;

  bool isConstant(bool V) const { return K == Kind::Constant && Value == V; }
};

/// Makes formulas, simplified where a constant decides them.
class FormulaArena {
public:
  const Formula *constant(bool Value);
  const Formula *unknown();
  const Formula *atom(AtomId Id);
  const Formula *negate(const Formula *F);
  const Formula *conjunction(const Formula *A, const Formula *B);
  const Formula *disjunction(const Formula *A, const Formula *B);

private:
  const Formula *make(Formula F);
  llvm::BumpPtrAllocator Allocator;
};

/// A conjunction of atoms and negated atoms, sorted by atom.
class PathCondition {
public:
  using Literal = std::pair<AtomId, bool>;

  /// What is assumed about \p Id; none when nothing is.
  std::optional<bool> valueOf(AtomId Id) const;
  /// \p Id must not have the opposite value.
  void add(AtomId Id, bool Value);
  void remove(AtomId Id);
  void keepCommon(const PathCondition &Other);

  bool empty() const { return Literals.empty(); }
  llvm::ArrayRef<Literal> literals() const { return Literals; }
  /// Whether \p Other assumes all that this does.
  bool isImpliedBy(const PathCondition &Other) const;

  /// Source words, joined by " and "; empty when there is no condition.
  std::string str(const AtomTable &Atoms) const;

  friend bool operator==(const PathCondition &A, const PathCondition &B) {
    return A.Literals == B.Literals;
  }
  friend bool operator<(const PathCondition &A, const PathCondition &B) {
    return A.Literals < B.Literals;
  }

private:
  llvm::SmallVector<Literal, 4> Literals;
};

} // namespace tdl

#endif // TDL_DEVICE_CONDITION_H
