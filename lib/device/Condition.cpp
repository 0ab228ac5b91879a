//===- Condition.cpp - Path conditions and the formulas they come from -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/Condition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace tdl;

std::string Atom::str(bool Value) const {
  if (Value)
    return Text;
  if (!NegatedText.empty())
    return NegatedText;
  bool IsSimple = Text.find(' ') == std::string::npos;
  return IsSimple ? "!" + Text : "!(" + Text + ")";
}

static std::string placeKey(Place P) {
  return P.isSymbol() ? "#" + std::to_string(P.symbolId()) : P.str();
}

AtomId AtomTable::intern(Atom A) {
  if (A.K == Atom::Kind::Same && placeKey(A.B) < placeKey(A.A))
    std::swap(A.A, A.B);
  std::string Identity = std::to_string(static_cast<unsigned>(A.K)) + '\x1f' +
                         A.Key + '\x1f' + A.Constant + '\x1f' + placeKey(A.A) +
                         '\x1f' + placeKey(A.B) + '\x1f' +
                         deviceTypeName(A.Type).str();
  auto [It, Inserted] = ByIdentity.try_emplace(Identity, Atoms.size());
  if (Inserted)
    Atoms.push_back(std::move(A));
  return It->second;
}

const Formula *FormulaArena::make(Formula F) {
  return new (Allocator.Allocate<Formula>()) Formula(F);
}

const Formula *FormulaArena::constant(bool Value) {
  Formula F;
  F.K = Formula::Kind::Constant;
  F.Value = Value;
  return make(F);
}

const Formula *FormulaArena::unknown() { return make(Formula()); }

const Formula *FormulaArena::atom(AtomId Id) {
  Formula F;
  F.K = Formula::Kind::Atom;
  F.Id = Id;
  return make(F);
}

const Formula *FormulaArena::negate(const Formula *F) {
  switch (F->K) {
  case Formula::Kind::Constant:
    return constant(!F->Value);
  case Formula::Kind::Unknown:
    return F;
  case Formula::Kind::Not:
    return F->Left;
  default:
    break;
  }
  Formula Negation;
  Negation.K = Formula::Kind::Not;
  Negation.Left = F;
  return make(Negation);
}

const Formula *FormulaArena::conjunction(const Formula *A, const Formula *B) {
  if (A->isConstant(false) || B->isConstant(true))
    return A;
  if (B->isConstant(false) || A->isConstant(true))
    return B;
  Formula F;
  F.K = Formula::Kind::And;
  F.Left = A;
  F.Right = B;
  return make(F);
}

const Formula *FormulaArena::disjunction(const Formula *A, const Formula *B) {
  if (A->isConstant(true) || B->isConstant(false))
    return A;
  if (B->isConstant(true) || A->isConstant(false))
    return B;
  Formula F;
  F.K = Formula::Kind::Or;
  F.Left = A;
  F.Right = B;
  return make(F);
}

static const PathCondition::Literal *
position(llvm::ArrayRef<PathCondition::Literal> Literals, AtomId Id) {
  return llvm::lower_bound(
      Literals, Id,
      [](const PathCondition::Literal &L, AtomId I) { return L.first < I; });
}

std::optional<bool> PathCondition::valueOf(AtomId Id) const {
  const Literal *It = position(Literals, Id);
  if (It == Literals.end() || It->first != Id)
    return std::nullopt;
  return It->second;
}

void PathCondition::add(AtomId Id, bool Value) {
  const Literal *It = position(Literals, Id);
  if (It != Literals.end() && It->first == Id) {
    assert(It->second == Value && "contradiction");
    return;
  }
  Literals.insert(Literals.begin() + (It - Literals.begin()), {Id, Value});
}

void PathCondition::remove(AtomId Id) {
  llvm::erase_if(Literals, [&](const Literal &L) { return L.first == Id; });
}

void PathCondition::keepCommon(const PathCondition &Other) {
  llvm::erase_if(Literals, [&](const Literal &L) {
    return Other.valueOf(L.first) != std::optional<bool>(L.second);
  });
}

bool PathCondition::isImpliedBy(const PathCondition &Other) const {
  return llvm::all_of(Literals, [&](const Literal &L) {
    return Other.valueOf(L.first) == std::optional<bool>(L.second);
  });
}

std::string PathCondition::str(const AtomTable &Atoms) const {
  std::string Text;
  for (const Literal &L : Literals) {
    if (!Text.empty())
      Text += " and ";
    Text += Atoms[L.first].str(L.second);
  }
  return Text;
}
