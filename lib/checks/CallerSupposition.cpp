//===- CallerSupposition.cpp - What fails only for some callers ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CallerSupposition.h"
#include "flow/FunctionContext.h"
#include "clang/AST/Decl.h"

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
/// program put it.
static bool meetsKnown(const OperationVisit &Visit, Place Symbol) {
  if (Visit.Outcome.Result != Compliance::Violates)
    return false;
  Place First = Visit.Operands[Visit.Outcome.First].place();
  Place Second = Visit.Operands[Visit.Outcome.Second].place();
  return (First == Symbol && Second.isKnown()) ||
         (Second == Symbol && First.isKnown());
}

static std::optional<CallerSupposition>
supposeAt(const Operation &Op, const ParmVarDecl *Parameter, Place Symbol,
          Place Where) {
  CallerSupposition Supposition{
      Op, "a caller passes '" + Parameter->getNameAsString() + "' on " +
              Where.str()};
  Supposition.Op.Visits.clear();
  bool Fails = false;
  for (const OperationVisit &Visit : Op.Visits) {
    auto Supposed = suppose(Op, Visit, Symbol, Where);
    if (!Supposed)
      continue;
    Fails |= meetsKnown(*Supposed, Symbol);
    Supposition.Op.Visits.push_back(std::move(*Supposed));
  }
  if (!Fails)
    return std::nullopt;
  return Supposition;
}

std::optional<CallerSupposition>
tdl::supposeCaller(const FunctionContext &C, const Operation &Op) {
  if (C.EntryPoints.empty() || !Op.Row)
    return std::nullopt;
  for (const OperationVisit &Visit : Op.Visits) {
    for (const Operand &O : Visit.Operands) {
      const ParmVarDecl *Parameter = callersParameter(C, O);
      if (!Parameter)
        continue;
      for (Place Where : {Place::known(DeviceType::CUDA, 0),
                          Place::known(DeviceType::CPU)})
        if (auto Found = supposeAt(Op, Parameter, O.place(), Where))
          return Found;
    }
  }
  return std::nullopt;
}
