//===- IValues.cpp - What scripts take and give ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An IValue is what it was made of: a tensor, a list, a map. What a script
// returns is one tensor that stands for all in it, until it is asked for as a
// tuple, list or dictionary: then for each of their parts.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Parts.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

namespace {
/// As what an IValue is asked for.
enum class Taken : uint8_t { Nothing, Whole, List, Map };
} // namespace

/// The kind of \p Call, a method of an IValue.
static Taken takenBy(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (isa<CXXConversionDecl>(Method) || !Method->getIdentifier())
    return Taken::Nothing;
  QualType Result = Call->getType();
  if (Method->getName() == "to" || Method->getName() == "toOptional")
    return torchTypeOf(Result) == TorchType::Tensor ? Taken::Whole
           : isSequence(Result)                     ? Taken::List
           : isMap(Result)                          ? Taken::Map
                                                    : Taken::Nothing;
  return llvm::StringSwitch<Taken>(Method->getName())
      .Cases({"toTensor", "toIValue"}, Taken::Whole)
      .Cases({"toTuple", "toTupleRef", "toList", "toListRef"}, Taken::List)
      .Cases({"toTensorList", "toTensorVector"}, Taken::List)
      .Case("toGenericDict", Taken::Map)
      .Default(Taken::Nothing);
}

/// \p Whole, one tensor for all in an IValue, as what \p How asks for.
static const Value *unfold(const Value *Part, Taken How, ValueArena &Arena) {
  if (How == Taken::List) {
    auto *List = Arena.make<ListValue>(Part);
    List->IsExact = false;
    return List;
  }
  auto *Map = Arena.make<MapValue>();
  Map->Others = Part;
  return Map;
}

/// Tuple::create(...): a list of what it gets.
static bool makesTuple(const CallExpr *Call) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Call->getDirectCallee());
  return Method && Method->isStatic() && Method->getIdentifier() &&
         Method->getName() == "create" &&
         Method->getParent()->getIdentifier() &&
         Method->getParent()->getName() == "Tuple";
}

const Value *Evaluator::evaluateIValue(const CallExpr *Call, Disjunct &D) {
  if (!isTorchDecl(Call->getDirectCallee()))
    return nullptr;
  if (makesTuple(Call)) {
    llvm::SmallVector<const Expr *, 4> Parts(Call->arguments());
    const Value *Only = Parts.size() == 1 ? evaluate(Parts[0], D) : nullptr;
    bool IsWhole = Only && className(Parts[0]->getType()) != "IValue";
    return IsWhole ? Only : evaluateList(Parts, D);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    const Expr *Object = Operator->getArg(0);
    llvm::StringRef Class = className(Object->getType());
    if (Class == "TupleElements" && Operator->getOperator() == OO_Subscript)
      return listElement(evaluate(Object, D),
                         indexOf(Operator->getArg(1), /*IsLasting=*/false, D),
                         C.Arena);
    bool LooksBehind =
        Class == "intrusive_ptr" && (Operator->getOperator() == OO_Star ||
                                     Operator->getOperator() == OO_Arrow);
    const Value *Tuple = LooksBehind ? evaluate(Object, D) : nullptr;
    return Tuple && isa<ListValue>(Tuple) ? Tuple : nullptr;
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member)
    return nullptr;
  const Expr *Object = Member->getImplicitObjectArgument();
  llvm::StringRef Class = className(Member->getObjectType());
  if (Class == "Tuple" || Class == "TupleElements")
    return tuplePart(Member, Object, D);
  Taken How = Class == "IValue" ? takenBy(Member) : Taken::Nothing;
  if (How == Taken::Nothing)
    return nullptr;
  const Value *Held = evaluate(Object, D);
  const auto *Tensor = dyn_cast<TensorValue>(Held);
  if (How == Taken::Whole)
    return Tensor || torchTypeOf(Call->getType()) == TorchType::None ? Held
                                                                     : nullptr;
  if (Tensor)
    return unfold(partOf(Call, *Tensor, D), How, C.Arena);
  bool IsSuch = How == Taken::List ? isa<ListValue>(Held) : isa<MapValue>(Held);
  return IsSuch ? Held : nullptr;
}

/// What a method of a tuple, or of its elements, gives.
const Value *Evaluator::tuplePart(const CXXMemberCallExpr *Call,
                                  const Expr *Object, Disjunct &D) {
  const Value *List = evaluate(Object, D);
  if (!isa<ListValue>(List))
    return nullptr;
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (isa<CXXConversionDecl>(Method))
    return List; // To a vector.
  llvm::StringRef Name =
      Method->getIdentifier() ? Method->getName() : llvm::StringRef();
  if (Name == "elements" || Name == "vec")
    return List;
  if (Name == "at" && Call->getNumArgs() == 1)
    return listElement(List, indexOf(Call->getArg(0), /*IsLasting=*/false, D),
                       C.Arena);
  if (Name == "front" || Name == "back")
    return listElement(List, Name == "front" ? 0 : -1, C.Arena);
  return nullptr;
}
