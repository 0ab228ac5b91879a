//===- Containers.cpp - Lists, maps, and what names a part of one ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list, a map or a tuple is one value, in one location. What is written into
// it makes a new value of the whole. A reference to one of its parts keeps a
// copy, and both follow each other's changes.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Iterators.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

static llvm::StringRef nameOf(const FunctionDecl *Function) {
  return Function && Function->getIdentifier() ? Function->getName()
                                               : llvm::StringRef();
}

static bool isContainer(QualType Type) {
  return isSequence(Type) || isMap(Type);
}

/// The index N of std::get<N>; none for another call.
static std::optional<int64_t> tupleIndex(const FunctionDecl *Function) {
  const TemplateArgumentList *Arguments =
      Function->getTemplateSpecializationArgs();
  if (nameOf(Function) != "get" || !Arguments || Arguments->size() == 0 ||
      Arguments->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Arguments->get(0).getAsIntegral().tryExtValue();
}

/// Which part of a pair a member of an entry is: key() and value() of
/// OrderedDict and Dict.
static std::optional<int64_t> entryPart(const CXXMemberCallExpr *Call) {
  llvm::StringRef Class = className(Call->getObjectType());
  if (Call->getNumArgs() != 0 || !isTorchDecl(Call->getMethodDecl()) ||
      (Class != "Item" && Class != "DictEntryRef"))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<int64_t>>(
             nameOf(Call->getMethodDecl()))
      .Case("key", 0)
      .Case("value", 1)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::optional<int64_t> Evaluator::indexOf(const Expr *Index, bool IsLasting,
                                          Disjunct &D) {
  Expr::EvalResult Constant;
  if (!Index->isValueDependent() &&
      Index->EvaluateAsInt(Constant, C.AST, Expr::SE_NoSideEffects))
    return Constant.Val.getInt().tryExtValue();
  if (IsLasting)
    return std::nullopt;
  const auto *Number = dyn_cast<IntValue>(evaluate(Index, D));
  return Number ? std::optional<int64_t>(Number->Number) : std::nullopt;
}

const Value *Evaluator::keyOf(const Expr *Key, bool IsLasting, Disjunct &D) {
  Expr::EvalResult Constant;
  const Expr *Written = withoutCopies(Key);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Written);
      Construct && Construct->getNumArgs() == 2 &&
      isa<CXXDefaultArgExpr>(Construct->getArg(1)))
    Written = skipNoise(Construct->getArg(0)); // The allocator of a string.
  bool IsConstant =
      isa<clang::StringLiteral>(Written) ||
      (!Key->isValueDependent() &&
       Key->getType()->isIntegralOrEnumerationType() &&
       Key->EvaluateAsInt(Constant, C.AST, Expr::SE_NoSideEffects));
  return IsLasting && !IsConstant ? C.Arena.unknown() : evaluate(Key, D);
}

std::optional<PartPath> Evaluator::partInside(const Expr *Container,
                                              PartStep Step, bool IsLasting,
                                              Disjunct &D) {
  std::optional<PartPath> Path = partPath(Container, D, IsLasting);
  if (Path)
    Path->Steps.push_back(Step);
  return Path;
}

/// What an iterator points to.
std::optional<PartPath> Evaluator::iteratorPath(const Expr *Iterator,
                                                bool IsLasting, Disjunct &D) {
  IteratorSource Source = iteratorSource(Iterator);
  if (!Source.Container)
    return std::nullopt;
  // The range of a range-for is what it is initialised with.
  QualType Type = Source.Container->getType();
  if (isMap(Type)) {
    // The key may have changed since.
    const Value *Key =
        Source.Key ? keyOf(Source.Key, /*IsLasting=*/true, D) : nullptr;
    return partInside(Source.Container, PartStep::entry(Key), IsLasting, D);
  }
  return isSequence(Type)
             ? partInside(Source.Container, PartStep::element(std::nullopt),
                          IsLasting, D)
             : std::nullopt;
}

std::optional<PartPath> Evaluator::partPath(const Expr *E, Disjunct &D,
                                            bool IsLasting) {
  E = skipNoise(E);
  if (std::optional<LocationId> Whole = locate(E, D))
    return PartPath{*Whole, {}};
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      return std::nullopt;
    bool IsOfPair = isPair(C.AST.getCanonicalTagType(Field->getParent()));
    return partInside(Member->getBase(),
                      IsOfPair ? PartStep::element(Field->getFieldIndex())
                               : PartStep::field(Field->getCanonicalDecl()),
                      IsLasting, D);
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
  if (!Function || !isStandardOrTorch(Function) ||
      Call->getNumArgs() > (isa<CXXOperatorCallExpr>(Call) ? 2u : 1u))
    return std::nullopt;
  if (const Expr *Iterator = dereferencedIterator(E)) {
    if (className(Iterator->getType()) == "optional")
      return partPath(Iterator, D, IsLasting);
    return iteratorPath(Iterator, IsLasting, D);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Operator->getOperator() != OO_Subscript)
      return std::nullopt;
    const Expr *Object = Operator->getArg(0);
    if (isMap(Object->getType()))
      return partInside(Object,
                        PartStep::key(keyOf(Operator->getArg(1), IsLasting, D)),
                        IsLasting, D);
    return isSequence(Object->getType())
               ? partInside(Object,
                            PartStep::element(
                                indexOf(Operator->getArg(1), IsLasting, D)),
                            IsLasting, D)
               : std::nullopt;
  }
  llvm::StringRef Name = nameOf(Function);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member) {
    if (Call->getNumArgs() != 1 || !Function->isInStdNamespace())
      return std::nullopt;
    if (std::optional<int64_t> Index = tupleIndex(Function))
      return partInside(Call->getArg(0), PartStep::element(Index), IsLasting,
                        D);
    return Name == "move" || Name == "forward" || Name == "as_const"
               ? partPath(Call->getArg(0), D, IsLasting)
               : std::nullopt;
  }
  const Expr *Object = Member->getImplicitObjectArgument();
  if (std::optional<int64_t> Part = entryPart(Member))
    return partInside(Object, PartStep::element(Part), IsLasting, D);
  if (className(Object->getType()) == "optional" && Name == "value")
    return partPath(Object, D, IsLasting);
  if (isMap(Object->getType()) && Name == "at")
    return partInside(Object,
                      PartStep::key(keyOf(Member->getArg(0), IsLasting, D)),
                      IsLasting, D);
  if (!isSequence(Object->getType()))
    return std::nullopt;
  std::optional<int64_t> Index;
  if (Name == "at" && Member->getNumArgs() == 1)
    Index = indexOf(Member->getArg(0), IsLasting, D);
  else if (Name == "front")
    Index = 0;
  else if (Name == "back" && !IsLasting)
    Index = -1; // What is last may be so no longer.
  else if (Name != "back" && Name != "emplace_back")
    return std::nullopt;
  return partInside(Object, PartStep::element(Index), IsLasting, D);
}

const Value *Evaluator::currentValue(LocationId Location, QualType Type,
                                     Disjunct &D) {
  const Value *V = load(Location, D);
  return isa<UnknownValue>(V) && isRecord(Type)
             ? copyOf(Location, Type.getNonReferenceType(), D)
             : V;
}

static QualType typeOf(const Locations &Storage, LocationId Location) {
  const ValueDecl *Declaration = Storage.declaration(Location);
  return Declaration ? Declaration->getType() : QualType();
}

const Value *Evaluator::loadPart(const PartPath &Path, Disjunct &D) {
  return tdl::partOf(currentValue(Path.Whole, typeOf(C.Storage, Path.Whole), D),
                     Path.Steps, C.Arena);
}

/// \p Whole is what \p Path.Whole holds now that one of its parts has changed;
/// the references to its parts, but for \p Except, follow.
void Evaluator::setWhole(const PartPath &Path, const Value *Whole,
                         std::optional<LocationId> Except, Disjunct &D) {
  storeAlone(Path.Whole, Whole, D);
  for (LocationId Name : C.Storage.namesOfPartsOf(Path.Whole)) {
    if (Except && Name == *Except)
      continue;
    forgetNames(Name, D);
    const Value *Now = nullptr;
    for (const PartPath &Part : C.Storage.partsNamedBy(Name)) {
      const Value *Known = loadPart(Part, D);
      Now = Now ? join(C.Arena, Now, Known) : Known;
    }
    storeAlone(Name, Now ? Now : C.Arena.unknown(), D);
  }
  writeThrough(Path.Whole, D);
}

void Evaluator::storePart(const PartPath &Path, const Value *V, Disjunct &D) {
  if (Path.Steps.empty())
    return store(Path.Whole, V, D);
  const Value *Old = currentValue(Path.Whole, typeOf(C.Storage, Path.Whole), D);
  const Value *New = withPart(Old, Path.Steps, V, C.Arena);
  if (isa<UnknownValue>(New)) {
    giveAwayReachable(V, D);
    forgetLocation(Path.Whole, D);
    return;
  }
  setWhole(Path, New, std::nullopt, D);
}

void Evaluator::forgetNames(LocationId Location, Disjunct &D) {
  for (LocationId Part : C.Storage.subtree(Location))
    for (LocationId Name : C.Storage.namesOfPartsOf(Part)) {
      storeAlone(Name, C.Arena.unknown(), D);
      forgetNames(Name, D);
    }
}

void Evaluator::writeThrough(LocationId Location, Disjunct &D) {
  for (std::optional<LocationId> Part = Location; Part;
       Part = C.Storage.parent(*Part)) {
    llvm::SmallVector<PartPath, 1> Named(C.Storage.partsNamedBy(*Part));
    if (Named.empty())
      continue;
    const Value *Now = currentValue(*Part, typeOf(C.Storage, *Part), D);
    for (const PartPath &Path : Named) {
      const Value *Old =
          currentValue(Path.Whole, typeOf(C.Storage, Path.Whole), D);
      const auto *Walk = dyn_cast<WalkValue>(Old);
      if (Walk && !Walk->Current)
        continue; // The loop collects what its rounds make.
      const Value *New = withPart(Old, Path.Steps, Now, C.Arena);
      if (Named.size() > 1)
        New = join(C.Arena, Old, New);
      if (isa<UnknownValue>(New))
        giveAwayReachable(Now, D);
      setWhole(Path, New, *Part, D);
    }
  }
}

void Evaluator::followNames(LocationId Location, Disjunct &D) {
  forgetNames(Location, D);
  writeThrough(Location, D);
}

bool Evaluator::declarePartName(const VarDecl *Variable, const Value *V,
                                const Expr *Named, Disjunct &D) {
  std::optional<PartPath> Path = partPath(Named, D, /*IsLasting=*/true);
  if (!Path || Path->Steps.empty())
    return false;
  LocationId Location = C.Storage.ofVariable(Variable);
  if (C.Storage.declaration(Location) != Variable->getCanonicalDecl())
    return false; // Bound to another variable, before.
  storeAlone(Location, V, D);
  forgetNames(Location, D);
  C.Storage.namePart(Location, std::move(*Path));
  nameAfter(V, Variable, D);
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The map that a list of pairs makes.
static const Value *mapOfPairs(const ListValue &Pairs, ValueArena &Arena) {
  const Value *Map = Arena.make<MapValue>();
  for (const Value *Pair : Pairs.Elements) {
    const auto *Parts = dyn_cast<ListValue>(Pair);
    if (!Parts || !Parts->IsExact || Parts->Elements.size() != 2)
      return Arena.unknown();
    // Of two entries with one key the first stays.
    Map = withEntry(*cast<MapValue>(Map), Parts->Elements[0],
                    Parts->Elements[1], /*IsSure=*/false, Arena);
  }
  return Map;
}

const Value *Evaluator::asType(const Value *V, QualType Type) {
  const auto *List = dyn_cast<ListValue>(V);
  return List && isMap(Type) ? mapOfPairs(*List, C.Arena) : V;
}

/// The elements between two iterators; null where they are not all of a list's.
const Value *Evaluator::rangeOf(const Expr *Begin, const Expr *End,
                                Disjunct &D) {
  IteratorSource First = iteratorSource(Begin);
  IteratorSource Last = iteratorSource(End);
  if (!First.Container || !Last.Container ||
      !isSequence(First.Container->getType()))
    return nullptr;
  const auto *List = dyn_cast<ListValue>(evaluate(First.Container, D));
  // Any part of it, in any order.
  return List ? ofAnyLength(*List, nullptr, C.Arena) : nullptr;
}

/// A list or map that is constructed.
const Value *Evaluator::evaluateContainer(const CXXConstructExpr *E,
                                          Disjunct &D) {
  llvm::SmallVector<const Expr *, 3> Written;
  for (const Expr *Argument : E->arguments())
    if (!isa<CXXDefaultArgExpr>(Argument))
      Written.push_back(Argument);
  if (Written.empty())
    return defaultValue(E->getType());
  const Expr *First = Written.front();
  QualType Given = First->getType().getNonReferenceType();
  if (isMap(E->getType()))
    return Written.size() == 1 ? asType(evaluate(First, D), E->getType())
                               : C.Arena.unknown();
  bool IsVector = llvm::StringSwitch<bool>(className(E->getType()))
                      .Cases({"vector", "deque", "list"}, true)
                      .Default(false);
  if (!Given->isIntegralOrEnumerationType()) {
    if (Written.size() == 1)
      return evaluate(First, D);
    const Value *Range = IsVector && Written.size() == 2
                             ? rangeOf(First, Written[1], D)
                             : nullptr;
    return Range ? Range : C.Arena.unknown();
  }
  if (!IsVector) // ArrayRef of one number.
    return Written.size() == 1 ? evaluateList({First}, D) : C.Arena.unknown();
  // vector(n), vector(n, x)
  QualType Element = elementTypeOf(E->getType());
  const Value *Slot = Written.size() == 2 ? valueOf(Written[1], D)
                      : torchTypeOf(Element) == TorchType::Tensor
                          ? undefinedTensor()
                          : defaultValue(Element);
  /// Longer lists are followed without telling elements apart.
  constexpr int64_t MaxElements = 32;
  const auto *Count = dyn_cast<IntValue>(evaluate(First, D));
  bool IsShort = Count && Count->Number >= 0 && Count->Number <= MaxElements;
  auto *List = C.Arena.make<ListValue>(llvm::SmallVector<const Value *, 4>(
      IsShort ? size_t(Count->Number) : 1, Slot));
  List->IsExact = IsShort;
  return List;
}

/// What a call on a list, a map, a tuple or an optional returns; null for any
/// other call.
const Value *Evaluator::evaluateContainerCall(const CallExpr *Call,
                                              Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  auto Element = [&](const Expr *List, const Expr *Index) {
    return tdl::partOf(
        evaluate(List, D),
        PartStep::element(indexOf(Index, /*IsLasting=*/false, D)), C.Arena);
  };
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    const Expr *Object = Operator->getArg(0);
    if (Operator->getOperator() == OO_Subscript &&
        isSequence(Object->getType()))
      return Element(Object, Operator->getArg(1));
    if (Operator->getOperator() == OO_Subscript && isMap(Object->getType()))
      return mapElement(evaluate(Object, D), evaluate(Operator->getArg(1), D),
                        C.Arena);
    bool IsOptional = className(Object->getType()) == "optional" &&
                      (Operator->getOperator() == OO_Star ||
                       Operator->getOperator() == OO_Arrow);
    return IsOptional ? evaluate(Object, D) : nullptr;
  }
  llvm::StringRef Name = nameOf(Function);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    if (std::optional<int64_t> Part = entryPart(Member))
      return listElement(evaluate(Object, D), Part, C.Arena);
    if (className(Object->getType()) == "optional" &&
        (Name == "value" || Name == "value_or"))
      return evaluate(Object, D);
    if (isMap(Object->getType()) && Name == "at" && Call->getNumArgs() == 1)
      return mapElement(evaluate(Object, D), evaluate(Call->getArg(0), D),
                        C.Arena);
    if (!isSequence(Object->getType()))
      return nullptr;
    if (Name == "front" || Name == "back")
      return listElement(evaluate(Object, D), Name == "front" ? 0 : -1,
                         C.Arena);
    if (Name == "at" || Name == "get") // List::get
      return Call->getNumArgs() == 1 ? Element(Object, Call->getArg(0))
                                     : nullptr;
    return Name == "vec" ? evaluate(Object, D) : nullptr;
  }
  if (Call->getNumArgs() == 1)
    if (std::optional<int64_t> Index = tupleIndex(Function))
      return listElement(evaluate(Call->getArg(0), D), Index, C.Arena);
  if (Name == "make_tuple" || Name == "make_pair" || Name == "tie" ||
      Name == "forward_as_tuple") {
    llvm::SmallVector<const Expr *, 4> Elements(Call->arguments());
    return evaluateList(Elements, D);
  }
  if (Name == "tuple_cat") {
    llvm::SmallVector<const Value *, 4> Elements;
    for (const Expr *Argument : Call->arguments()) {
      const auto *Tuple = dyn_cast<ListValue>(evaluate(Argument, D));
      if (!Tuple || !Tuple->IsExact)
        return C.Arena.unknown();
      Elements.append(Tuple->Elements);
    }
    return C.Arena.make<ListValue>(Elements);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// Whether an object of type \p Given becomes an element of type \p Element
/// without losing what is known of it.
static bool holdsAs(QualType Given, QualType Element, const ASTContext &AST) {
  if (className(Element) == "IValue")
    return true; // It is what it is made of.
  bool IsTensorSlot = torchTypeOf(Element) == TorchType::Tensor;
  return AST.hasSameUnqualifiedType(Element, Given.getNonReferenceType()) ||
         (IsTensorSlot && torchTypeOf(Given) == TorchType::Tensor) ||
         (pointedClass(Element) && pointedClass(Given));
}

/// push_back and its kin, of a list.
static bool isAppend(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"push_back", "emplace_back", "push_front"}, true)
      .Case("emplace_front", true)
      .Default(false);
}

QualType Evaluator::appendedElement(const CXXMemberCallExpr *Call) {
  return isAppend(nameOf(Call->getMethodDecl()))
             ? elementTypeOf(Call->getObjectType())
             : QualType();
}

/// The element that push_back(x) or emplace_back(...) makes.
const Value *Evaluator::newElement(const CXXMemberCallExpr *Call,
                                   QualType Element, Disjunct &D) {
  if (Call->getNumArgs() == 1) {
    const Expr *Given = Call->getArg(0);
    if (holdsAs(Given->getType(), Element, C.AST))
      return asType(valueOf(Given, D), Element);
    bool IsSameKind = className(Element) == className(Given->getType()) &&
                      !tupleTypes(Element).empty();
    return IsSameKind ? evaluate(Given, D) : C.Arena.unknown();
  }
  if (Call->getNumArgs() == 0)
    return torchTypeOf(Element) == TorchType::Tensor ? undefinedTensor()
                                                     : defaultValue(Element);
  llvm::SmallVector<QualType, 4> Parts = tupleTypes(Element);
  if (Parts.size() != Call->getNumArgs())
    return C.Arena.unknown();
  llvm::SmallVector<const Expr *, 4> Arguments(Call->arguments());
  for (unsigned I = 0; I < Parts.size(); ++I)
    if (!holdsAs(Arguments[I]->getType(), Parts[I], C.AST) &&
        torchTypeOf(Parts[I]) != TorchType::None)
      return C.Arena.unknown();
  return evaluateList(Arguments, D);
}

void Evaluator::appendElement(const CXXMemberCallExpr *Call,
                              const Value *Element, Disjunct &D) {
  const Expr *Object = Call->getImplicitObjectArgument();
  // What is made of them may share them: an AnyModule of a layer.
  if (isa<UnknownValue>(Element))
    for (const Expr *Argument : Call->arguments())
      giveAwayReachable(evaluate(Argument, D), D);
  std::optional<PartPath> Path = partPath(Object, D);
  if (!Path) {
    forgetReachable(Element, D);
    forgetNamedIn(Object, D);
    return;
  }
  const auto *List = dyn_cast<ListValue>(loadPart(*Path, D));
  if (!List) {
    giveAwayReachable(Element, D);
    forgetLocation(Path->Whole, D);
    return;
  }
  bool InFront = nameOf(Call->getMethodDecl()).ends_with("front");
  forgetNames(Path->Whole, D);
  storePart(*Path, withElement(*List, Element, InFront, C.Arena), D);
}

/// What \p List is after the call of a method called \p Name; null where that
/// is not known.
const Value *Evaluator::listAfter(const CXXMemberCallExpr *Call,
                                  llvm::StringRef Name, const ListValue &List,
                                  Disjunct &D) {
  unsigned NumArgs = Call->getNumArgs();
  QualType Element = elementTypeOf(Call->getObjectType());
  if (Name == "clear")
    return C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>());
  if (Name == "pop_back" || Name == "pop_front") {
    if (!List.IsExact || List.Elements.empty())
      return &List;
    llvm::ArrayRef<const Value *> All = List.Elements;
    return C.Arena.make<ListValue>(Name == "pop_back" ? All.drop_back()
                                                      : All.drop_front());
  }
  if (Name == "erase" || Name == "remove_if" || Name == "unique" ||
      Name == "sort" || Name == "reverse")
    return ofAnyLength(List, nullptr, C.Arena);
  if (Name == "resize") {
    const Value *Slot = NumArgs == 2 ? valueOf(Call->getArg(1), D)
                        : torchTypeOf(Element) == TorchType::Tensor
                            ? undefinedTensor()
                            : defaultValue(Element);
    return ofAnyLength(List, Slot, C.Arena);
  }
  if (Name == "insert" && NumArgs == 3) {
    const Value *Added = rangeOf(Call->getArg(1), Call->getArg(2), D);
    return Added ? joinLists(
                       C.Arena,
                       *cast<ListValue>(ofAnyLength(List, nullptr, C.Arena)),
                       *cast<ListValue>(Added))
                 : nullptr;
  }
  if (Name == "insert" && NumArgs == 2 &&
      holdsAs(Call->getArg(1)->getType(), Element, C.AST))
    return ofAnyLength(List, valueOf(Call->getArg(1), D), C.Arena);
  if (Name == "assign" && NumArgs == 2)
    return rangeOf(Call->getArg(0), Call->getArg(1), D);
  return nullptr;
}

const Value *Evaluator::mapAfter(const CXXMemberCallExpr *Call,
                                 llvm::StringRef Name, const MapValue &Map,
                                 Disjunct &D) {
  if (Name == "clear")
    return C.Arena.make<MapValue>();
  if (Name == "erase" && Call->getNumArgs() == 1) {
    const Value *Key = evaluate(Call->getArg(0), D);
    auto *Left = C.Arena.make<MapValue>(Map);
    llvm::erase_if(Left->Entries, [&](const auto &Entry) {
      return sameKnowledge(Entry.first, Key);
    });
    return Left;
  }
  bool Replaces =
      Name == "insert_or_assign" ||
      (Name == "insert" && className(Call->getObjectType()) == "OrderedDict");
  if (!Replaces && Name != "insert" && Name != "emplace" &&
      Name != "try_emplace")
    return nullptr;
  if (Call->getNumArgs() == 2)
    return withEntry(Map, evaluate(Call->getArg(0), D),
                     valueOf(Call->getArg(1), D), Replaces, C.Arena);
  const auto *Pair = Call->getNumArgs() == 1
                         ? dyn_cast<ListValue>(evaluate(Call->getArg(0), D))
                         : nullptr;
  return Pair && Pair->IsExact && Pair->Elements.size() == 2
             ? withEntry(Map, Pair->Elements[0], Pair->Elements[1], Replaces,
                         C.Arena)
             : nullptr;
}

/// An algorithm has reordered, or dropped, elements of \p List.
void Evaluator::reorder(const Expr *List, Disjunct &D) {
  std::optional<PartPath> Path = List ? partPath(List, D) : std::nullopt;
  if (!Path) {
    if (List)
      forgetNamedIn(List, D);
    return;
  }
  const auto *Old = dyn_cast<ListValue>(loadPart(*Path, D));
  storePart(*Path,
            Old ? ofAnyLength(*Old, nullptr, C.Arena) : C.Arena.unknown(), D);
}

void Evaluator::swapParts(const Expr *A, const Expr *B, Disjunct &D) {
  const Value *First = valueOf(A, D);
  const Value *Second = valueOf(B, D);
  assignValue(A, Second, nullptr, D);
  assignValue(B, First, nullptr, D);
}

/// Methods that change nothing, but may hand out a reference.
static bool onlyReads(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"reserve", "front", "back", "at", "get"}, true)
      .Cases({"shrink_to_fit", "rehash", "size", "empty", "count"}, true)
      .Default(false);
}

/// The range of a range-for.
static bool isRangeOfLoop(const Expr *Object) {
  const auto *Named = dyn_cast<DeclRefExpr>(skipNoise(Object));
  return Named && Named->getDecl()->isImplicit();
}

/// Calls that make tuples, take them apart, or look into an optional.
static bool onlyRefers(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  llvm::StringRef Name = nameOf(Function);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return Operator->getNumArgs() == 1 &&
           (Operator->getOperator() == OO_Star ||
            Operator->getOperator() == OO_Arrow) &&
           className(Operator->getArg(0)->getType()) == "optional";
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    return entryPart(Member) ||
           (Name == "value" &&
            className(Member->getObjectType()) == "optional");
  return Function->isInStdNamespace() &&
         (tupleIndex(Function) || Name == "tie" || Name == "forward_as_tuple" ||
          Name == "make_tuple" || Name == "make_pair");
}

bool Evaluator::applyContainerEffects(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isStandardOrTorch(Function))
    return false;
  if (onlyRefers(Call))
    return true;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (stepWalk(Operator, D))
      return true;
    return Operator->getOperator() == OO_Subscript &&
           isContainer(Operator->getArg(0)->getType());
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member && rangeUseOf(Call) == RangeUse::Reorder) {
    reorder(iteratorSource(Call->getArg(0)).Container, D);
    return false; // It may run code of the program.
  }
  if (!Member || !isContainer(Member->getObjectType()) ||
      Member->getMethodDecl()->isConst())
    return false;
  llvm::StringRef Name = nameOf(Function);
  // Who gets an iterator or a pointer may write through it.
  const Expr *Object = skipNoise(Member->getImplicitObjectArgument());
  if (onlyReads(Name) || isRangeOfLoop(Object))
    return true;
  if (Body && Body->HarmlessIterators.contains(Call) && Name != "erase" &&
      Name != "insert" && Name != "emplace")
    return true;
  if (Name == "swap" && Call->getNumArgs() == 1) {
    swapParts(Object, Call->getArg(0), D);
    return true;
  }
  if (QualType Element = appendedElement(Member); !Element.isNull()) {
    appendElement(Member, newElement(Member, Element, D), D);
    if (Name == "push_back" && Call->getNumArgs() == 1)
      leaveMovedFrom(Call->getArg(0), D);
  } else if (std::optional<PartPath> Path = partPath(Object, D)) {
    const Value *Old = loadPart(*Path, D);
    const Value *New = nullptr;
    if (const auto *List = dyn_cast<ListValue>(Old))
      New = listAfter(Member, Name, *List, D);
    else if (const auto *Map = dyn_cast<MapValue>(Old))
      New = mapAfter(Member, Name, *Map, D);
    forgetNames(Path->Whole, D);
    if (New)
      storePart(*Path, New, D);
    else
      forgetLocation(Path->Whole, D);
  } else {
    for (const Expr *Argument : Call->arguments())
      forgetReachable(evaluate(Argument, D), D);
    forgetNamedIn(Object, D);
  }
  for (const Expr *Target : changedBy(Call))
    if (skipNoise(Target) != Object)
      forgetNamedIn(Target, D);
  return true;
}
