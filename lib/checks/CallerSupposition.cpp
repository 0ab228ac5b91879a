//===- CallerSupposition.cpp - What fails for some callers or choices -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CallerSupposition.h"
#include "flow/FunctionContext.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;
using namespace tdl;

/// The parameter of an entry point that \p O has its device from; null where
/// that is something else.
static const ParmVarDecl *callersParameter(const FunctionContext &C,
                                           const Operand &O) {
  const Event *E = O.tensor() ? O.tensor()->Story : nullptr;
  if (!E || !O.place().isSymbol())
    return nullptr;
  while (E->PlaceFrom)
    E = E->PlaceFrom;
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(E->Declaration);
  if (E->Kind != StepKind::Input || !Parameter)
    return nullptr;
  const auto *Function = dyn_cast<FunctionDecl>(Parameter->getDeclContext());
  return Function && C.EntryPoints.count(Function) ? Parameter : nullptr;
}

/// \p Visit for a caller who has \p Symbol at \p Where; none where the program
/// has made sure that nobody has.
static std::optional<OperationVisit> suppose(const Operation &Op,
                                             const OperationVisit &Visit,
                                             Place Symbol, Place Where) {
  OperationVisit Supposed = Visit;
  if (!Supposed.Facts.assumeSame(Symbol, Where))
    return std::nullopt;
  Supposed.Outcome = applyContract(*Op.Row, Supposed.Operands, Supposed.Facts);
  return Supposed;
}

/// Whether \p Visit fails between what is at \p Symbol and what is where the
/// program put it, going by what was known \p Before the supposition.
static bool meetsKnown(const OperationVisit &Visit, const PlaceFacts &Before,
                       Place Symbol) {
  if (Visit.Outcome.Result != Compliance::Violates)
    return false;
  Place First = Before.resolve(Visit.Operands[Visit.Outcome.First].place());
  Place Second = Before.resolve(Visit.Operands[Visit.Outcome.Second].place());
  Symbol = Before.resolve(Symbol);
  return (First == Symbol && Second.isKnown()) ||
         (Second == Symbol && First.isKnown());
}

/// \p Op where \p Symbol is \p Where; none where it does not fail then.
static std::optional<Supposition> supposeAt(const Operation &Op, Place Symbol,
                                            Place Where) {
  Supposition Supposed;
  Supposed.Op = Op;
  Supposed.Op.Visits.clear();
  bool Fails = false;
  for (const OperationVisit &Visit : Op.Visits) {
    auto Then = suppose(Op, Visit, Symbol, Where);
    if (!Then)
      continue;
    Fails |= meetsKnown(*Then, Visit.Facts, Symbol);
    Supposed.Op.Visits.push_back(std::move(*Then));
  }
  if (!Fails)
    return std::nullopt;
  return Supposed;
}

std::optional<Supposition> tdl::supposeCaller(const FunctionContext &C,
                                              const Operation &Op) {
  if (!C.WantsLatent || !Op.Row)
    return std::nullopt;
  for (const OperationVisit &Visit : Op.Visits) {
    for (const Operand &O : Visit.Operands) {
      const ParmVarDecl *Parameter = callersParameter(C, O);
      if (!Parameter)
        continue;
      for (Place Where :
           {Place::known(DeviceType::CUDA, 0), Place::known(DeviceType::CPU)}) {
        auto Found = supposeAt(Op, O.place(), Where);
        if (!Found)
          continue;
        Found->Words = "a caller passes '" + Parameter->getNameAsString() +
                       "' on " + Where.str();
        return Found;
      }
    }
  }
  return std::nullopt;
}

/// Whether \p A, which is not modelled, may be about devices: it asks a text or
/// a device, or has a word for one.
static bool mayBeAboutDevices(const FunctionContext &C, AtomId Id) {
  auto Reads = C.AtomReads.find(Id);
  bool AsksOne = Reads != C.AtomReads.end() &&
                 llvm::any_of(Reads->second, [&](LocationId Read) {
                   const ValueDecl *Asked = C.Storage.declaration(Read);
                   TorchType Type =
                       Asked ? torchTypeOf(Asked->getType()) : TorchType::None;
                   return Asked && (isText(Asked->getType()) ||
                                    Type == TorchType::Device ||
                                    Type == TorchType::DeviceType);
                 });
  std::string Words = llvm::StringRef(C.Atoms[Id].Text).lower();
  return AsksOne ||
         llvm::any_of(llvm::ArrayRef<llvm::StringRef>(
                          {"cuda", "gpu", "cpu", "device", "host", "accel"}),
                      [&](llvm::StringRef Word) {
                        return llvm::StringRef(Words).contains(Word);
                      });
}

/// Whether the path to \p Visit has a condition that may be about devices.
static bool asksAboutDevices(const FunctionContext &C,
                             const OperationVisit &Visit) {
  return llvm::any_of(
      Visit.Path.literals(), [&](const PathCondition::Literal &L) {
        const Atom &A = C.Atoms[L.first];
        bool IsModelled = A.K == Atom::Kind::TypeIs ||
                          A.K == Atom::Kind::Same || A.K == Atom::Kind::Called;
        return !IsModelled && mayBeAboutDevices(C, L.first);
      });
}

/// Whether nobody who is seen says what \p Id, a device that the program
/// chooses, is when \p Function is called.
static bool isOpenChoice(const FunctionContext &C, SymbolId Id,
                         const FunctionDecl *Function) {
  // The result of a call may be where some tensor is.
  if (!C.Symbols.isChosen(Id) || !C.Symbols.isNamed(Id) ||
      C.CheckedDevices.contains(Id))
    return false;
  auto IsEntry = [&](const DeclContext *Context) {
    const auto *Called = dyn_cast<FunctionDecl>(Context);
    return Called && (Called->isMain() || C.EntryPoints.count(Called));
  };
  const ValueDecl *Root = C.Symbols.root(Id);
  if (!Root) // A member of *this.
    return IsEntry(Function);
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Root)) {
    const DeclContext *Owner = Parameter->getDeclContext();
    bool IsFromConstructor =
        Owner != Function && isa<CXXConstructorDecl>(Owner);
    return IsEntry(Owner) && (!IsFromConstructor || IsEntry(Function));
  }
  // A global may be what it is initialized with ever after.
  const auto *Variable = dyn_cast<VarDecl>(Root);
  return Variable && !Variable->hasGlobalStorage();
}

/// "device"; "device of 'Loss'" where that is a parameter of another function.
static std::string nameOfChoice(const FunctionContext &C, SymbolId Id,
                                const FunctionDecl *Function) {
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(C.Symbols.root(Id));
  const auto *Owner =
      Parameter ? dyn_cast<FunctionDecl>(Parameter->getDeclContext()) : nullptr;
  std::string Name = C.Symbols.name(Id);
  if (Owner && Owner != Function)
    Name += " of '" + Owner->getNameAsString() + "'";
  return Name;
}

std::optional<Supposition> tdl::supposeChoice(const FunctionContext &C,
                                              const FunctionDecl *Function,
                                              const Operation &Op) {
  if (!Op.Row)
    return std::nullopt;
  const Place GPU = Place::known(DeviceType::CUDA, 0);
  for (const OperationVisit &Visit : Op.Visits) {
    if (asksAboutDevices(C, Visit))
      continue;
    for (const Operand &O : Visit.Operands) {
      for (SymbolId Chosen : Visit.Facts.symbolsEqualTo(O.place())) {
        if (!isOpenChoice(C, Chosen, Function) ||
            Visit.Facts.typeOf(Place::symbol(Chosen)))
          continue;
        auto Found = supposeAt(Op, Place::symbol(Chosen), GPU);
        if (!Found)
          continue;
        Found->Words = nameOfChoice(C, Chosen, Function) + " is " + GPU.str();
        Found->Level = Certainty::Conditional;
        return Found;
      }
    }
  }
  return std::nullopt;
}
