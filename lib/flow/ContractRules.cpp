//===- ContractRules.cpp - Applies a contract to operands -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are those of docs/formats/contracts.md; what LibTorch does is in
// aten/src/ATen/TensorIterator.cpp (compute_types), torchgen's
// gen_device_check and ATen/native/TensorAdvancedIndexing.cpp.
//
//===----------------------------------------------------------------------===//

#include "flow/ContractRules.h"
#include "llvm/ADT/STLExtras.h"

using namespace tdl;

static bool isSurelyCPU(const Operand &O, const PlaceFacts &Facts) {
  return Facts.typeOf(O.place()) == DeviceType::CPU;
}

static bool isSurelyNotCPU(const Operand &O, const PlaceFacts &Facts) {
  return !O.place().isUnknown() && !Facts.mayBe(O.place(), DeviceType::CPU);
}

static bool toleratesScalar(const Operand &O) {
  return O.Role == ArgRole::Mix || O.Role == ArgRole::Scalars ||
         O.Role == ArgRole::Moved;
}

/// Where a 0-dim tensor may be to be excepted: beside an accelerator on the
/// CPU, or anywhere when the kernel moves it.
static bool isAtExemptPlace(const Operand &O, const PlaceFacts &Facts) {
  return O.Role == ArgRole::Moved || Facts.mayBe(O.place(), DeviceType::CPU);
}

bool tdl::takesPart(const Operand &O) {
  return O.Role == ArgRole::Same || O.Role == ArgRole::Out ||
         toleratesScalar(O);
}

/// A 0-dim CPU tensor may stand beside an accelerator in such a role. That Mix
/// allows one such operand in all is not checked: two of them are rare.
static bool mayBeExempt(const Operand &O, const PlaceFacts &Facts) {
  return toleratesScalar(O) && isAtExemptPlace(O, Facts) &&
         !(O.tensor() && O.tensor()->Dimensions.isPositive());
}

static bool isZeroDim(const Operand &O) {
  return O.tensor() && O.tensor()->Dimensions.isZero();
}

/// A 0-dim CPU tensor, which does not decide where the result is.
static bool isHostScalar(const Operand &O, const PlaceFacts &Facts) {
  return toleratesScalar(O) && isSurelyCPU(O, Facts) && isZeroDim(O);
}

static bool isSurelyExempt(const Operand &O, const PlaceFacts &Facts) {
  return isHostScalar(O, Facts) || (O.Role == ArgRole::Moved && isZeroDim(O));
}

/// The one that is reported second, as the one to move: the CPU tensor beside
/// an accelerator, else the later one. What is written stays where it is, and
/// so does what is indexed.
static void orderPair(const Contract &Row, ContractOutcome &Outcome,
                      llvm::ArrayRef<Operand> Operands,
                      const PlaceFacts &Facts) {
  const Operand &First = Operands[Outcome.First];
  const Operand &Second = Operands[Outcome.Second];
  if (Row.Family == CheckFamily::Index) {
    if (Second.Parameter == "self" || Second.Parameter == "weight")
      std::swap(Outcome.First, Outcome.Second);
    return;
  }
  if (Second.Role == ArgRole::Out ||
      (isSurelyCPU(First, Facts) && !isSurelyCPU(Second, Facts) &&
       First.Role != ArgRole::Out))
    std::swap(Outcome.First, Outcome.Second);
}

static ContractOutcome applyCommonDevice(const Contract &Row,
                                         llvm::ArrayRef<Operand> Operands,
                                         const PlaceFacts &Facts) {
  ContractOutcome Outcome;
  Outcome.Result = Compliance::Agrees;
  for (unsigned I = 0; I < Operands.size(); ++I) {
    if (!takesPart(Operands[I]) || Operands[I].isUndefined())
      continue;
    for (unsigned J = I + 1; J < Operands.size(); ++J) {
      const Operand &A = Operands[I], &B = Operands[J];
      if (!takesPart(B) || B.isUndefined())
        continue;
      Agreement Devices = Facts.compare(A.place(), B.place());
      if (Devices == Agreement::Same || isSurelyExempt(A, Facts) ||
          isSurelyExempt(B, Facts))
        continue;
      if (Devices == Agreement::Different && !mayBeExempt(A, Facts) &&
          !mayBeExempt(B, Facts)) {
        Outcome.Result = Compliance::Violates;
        Outcome.First = I;
        Outcome.Second = J;
        orderPair(Row, Outcome, Operands, Facts);
        return Outcome;
      }
      Outcome.Result = Compliance::Unknown;
    }
  }
  return Outcome;
}

static bool isIndexAllowed(const Operand &Index, const Operand &Base,
                           const PlaceFacts &Facts) {
  return isSurelyCPU(Index, Facts) || Index.isUndefined() ||
         Facts.compare(Index.place(), Base.place()) == Agreement::Same ||
         (Index.tensor() && Index.tensor()->Dimensions.isZero());
}

/// A 0-dim integral index may be anywhere. An index of which nothing is known
/// is taken to be none, one that lost dimensions may be.
static Compliance applyIndex(const Operand &Index, const Operand &Base,
                             const PlaceFacts &Facts) {
  if (isIndexAllowed(Index, Base, Facts))
    return Compliance::Agrees;
  bool MayBeScalar = Index.tensor() && Index.tensor()->Dimensions.isReduced();
  if (MayBeScalar)
    return Compliance::Unknown;
  if (isSurelyNotCPU(Index, Facts) &&
      Facts.compare(Index.place(), Base.place()) == Agreement::Different)
    return Compliance::Violates;
  return Compliance::Unknown;
}

/// A value that index_put_ writes: beside the base or 0-dim; anywhere when no
/// index is a tensor; a CPU value under a mask may have one element, whatever
/// its rank.
static Compliance applyPut(const Operand &Put, const Operand &Base,
                           llvm::ArrayRef<Operand> Operands,
                           const PlaceFacts &Facts) {
  bool HasTensorIndex = false, MayHaveMask = false, HasUnknownIndex = false;
  for (const Operand &O : Operands) {
    if (O.Parameter != "indices")
      continue;
    HasTensorIndex |= O.tensor() != nullptr;
    HasUnknownIndex |= O.tensor() == nullptr;
    MayHaveMask |= O.tensor() && (isMask(O.tensor()->Elements) ||
                                  O.tensor()->Elements == ElementType::Unknown);
  }
  if (!HasTensorIndex)
    return HasUnknownIndex ? Compliance::Unknown : Compliance::Agrees;
  if (Put.isUndefined() ||
      Facts.compare(Put.place(), Base.place()) == Agreement::Same ||
      (Put.tensor() && Put.tensor()->Dimensions.isZero()))
    return Compliance::Agrees;
  bool IsPositive = Put.tensor() && Put.tensor()->Dimensions.isPositive();
  if (IsPositive && !MayHaveMask &&
      Facts.compare(Put.place(), Base.place()) == Agreement::Different)
    return Compliance::Violates;
  return Compliance::Unknown;
}

static ContractOutcome applyIndexed(llvm::ArrayRef<Operand> Operands,
                                    unsigned BaseIndex,
                                    const PlaceFacts &Facts) {
  ContractOutcome Outcome;
  Outcome.Result = Compliance::Agrees;
  const Operand &Base = Operands[BaseIndex];
  for (unsigned I = 0; I < Operands.size(); ++I) {
    const Operand &O = Operands[I];
    Compliance Verdict = Compliance::Agrees;
    if (O.Role == ArgRole::Index)
      Verdict = applyIndex(O, Base, Facts);
    else if (O.Role == ArgRole::Put)
      Verdict = applyPut(O, Base, Operands, Facts);
    if (Verdict == Compliance::Violates) {
      Outcome.Result = Compliance::Violates;
      Outcome.First = BaseIndex;
      Outcome.Second = I;
      return Outcome;
    }
    if (Verdict == Compliance::Unknown)
      Outcome.Result = Compliance::Unknown;
  }
  return Outcome;
}

static ContractOutcome applyHost(llvm::ArrayRef<Operand> Operands,
                                 const PlaceFacts &Facts) {
  ContractOutcome Outcome;
  Outcome.Result = Compliance::Agrees;
  for (unsigned I = 0; I < Operands.size(); ++I) {
    const Operand &O = Operands[I];
    if (O.Role != ArgRole::Host || O.isUndefined() || isSurelyCPU(O, Facts))
      continue;
    if (isSurelyNotCPU(O, Facts)) {
      Outcome.Result = Compliance::Violates;
      Outcome.First = Outcome.Second = I;
      return Outcome;
    }
    Outcome.Result = Compliance::Unknown;
  }
  return Outcome;
}

ContractOutcome tdl::applyContract(const Contract &Row,
                                   llvm::ArrayRef<Operand> Operands,
                                   const PlaceFacts &Facts) {
  ContractOutcome Worst;
  Worst.Result = Compliance::Agrees;
  if (Row.Family == CheckFamily::None)
    return Worst;
  auto Consider = [&](const ContractOutcome &Outcome) {
    if (Outcome.Result == Compliance::Violates &&
        Worst.Result != Compliance::Violates)
      Worst = Outcome;
    else if (Outcome.Result == Compliance::Unknown &&
             Worst.Result == Compliance::Agrees)
      Worst = Outcome;
  };
  Consider(applyCommonDevice(Row, Operands, Facts));
  const Operand *Base = llvm::find_if(
      Operands, [](const Operand &O) { return O.Role == ArgRole::Base; });
  if (Base != Operands.end() && !Base->isUndefined())
    Consider(applyIndexed(Operands, Base - Operands.begin(), Facts));
  Consider(applyHost(Operands, Facts));
  return Worst;
}

/// Whether \p O is a tensor that its rule surely holds for.
static bool isSurelyHeld(const Operand &O, const PlaceFacts &Facts) {
  return takesPart(O) && O.tensor() && !O.isUndefined() &&
         !O.tensor()->MayBeUndefined && !mayBeExempt(O, Facts);
}

llvm::SmallVector<std::pair<const Operand *, const Operand *>, 1>
tdl::operandsThatAgree(const Contract &Row, llvm::ArrayRef<Operand> Operands,
                       const PlaceFacts &Facts) {
  llvm::SmallVector<std::pair<const Operand *, const Operand *>, 1> Pairs;
  if (Row.Family == CheckFamily::None ||
      applyContract(Row, Operands, Facts).Result != Compliance::Unknown)
    return Pairs;
  const Operand *First = nullptr;
  for (const Operand &O : Operands) {
    if (!isSurelyHeld(O, Facts))
      continue;
    if (First && Facts.compare(First->place(), O.place()) != Agreement::Same)
      Pairs.push_back({First, &O});
    else if (!First)
      First = &O;
  }
  return Pairs;
}

const Operand *tdl::commonOperand(llvm::ArrayRef<Operand> Operands,
                                  const PlaceFacts &Facts) {
  const Operand *First = nullptr;
  bool AllSame = true;
  for (const Operand &O : Operands) {
    if (!takesPart(O) || O.isUndefined())
      continue;
    if (isSurelyNotCPU(O, Facts))
      return &O; // An accelerator wins over any exempt CPU scalar.
    if (isHostScalar(O, Facts) && First)
      continue;
    if (First && isHostScalar(*First, Facts)) {
      First = &O;
      continue;
    }
    if (!First)
      First = &O;
    else if (Facts.compare(First->place(), O.place()) != Agreement::Same)
      AllSame = AllSame && !First->place().isUnknown() &&
                !O.place().isUnknown() && First->place().isSymbol();
  }
  if (!First)
    return nullptr;
  // A symbol beside a CPU tensor: the call succeeds only where both agree, and
  // then the result is where the symbol is.
  return AllSame ? First : nullptr;
}
