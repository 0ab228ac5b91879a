//===- Objects.cpp - Objects, copies of them, and what points to them -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object of one of the program's classes is kept member by member, each
// member a location. A copy of it is a RecordValue; a pointer, smart pointer or
// module holder is a PointerValue that names the object.
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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

std::optional<LocationId> Evaluator::pointee(const Expr *Pointer, Disjunct &D) {
  Pointer = skipNoise(Pointer);
  if (isa<CXXThisExpr>(Pointer))
    return C.Storage.ofThis();
  const auto *Known = dyn_cast<PointerValue>(evaluate(Pointer, D));
  if (!Known)
    return std::nullopt;
  // A pointer to a script module, which is a handle itself.
  const CXXRecordDecl *Class = pointedClassOf(Pointer);
  bool IsHandleBehind = Class && !isScriptModule(Pointer->getType()) &&
                        isScriptModule(C.AST.getCanonicalTagType(Class));
  if (IsHandleBehind)
    if (const auto *Inner = dyn_cast<PointerValue>(load(Known->Target, D)))
      return Inner->Target;
  return Known->Target;
}

std::optional<LocationId> Evaluator::objectOf(const CXXMemberCallExpr *Call,
                                              Disjunct &D) {
  const Expr *Object = Call->getImplicitObjectArgument();
  if (Object->getType()->isPointerType() ||
      isScriptModule(skipNoise(Object)->getType()))
    return pointee(Object, D);
  return locate(Object, D);
}

void Evaluator::addMembers(RecordValue &Record, LocationId Object,
                           const CXXRecordDecl *Class, unsigned Depth,
                           Disjunct &D) {
  /// What is nested deeper, and more members than this, are not copied.
  constexpr unsigned MaxDepth = 3;
  constexpr unsigned MaxMembers = 48;
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (isRecord(Base.getType()))
      addMembers(Record, Object, Base.getType()->getAsCXXRecordDecl(), Depth,
                 D);
  for (const FieldDecl *Field : Class->fields()) {
    if (Record.Fields.size() >= MaxMembers)
      return;
    LocationId Member = C.Storage.ofMember(Object, Field);
    bool IsNested = isRecord(Field->getType());
    if (Field->getType()->isReferenceType() || (IsNested && Depth == MaxDepth))
      continue;
    Record.Fields.push_back(
        {Field, IsNested ? copyOf(Member, Field->getType(), D, Depth + 1)
                         : load(Member, D)});
  }
}

const Value *Evaluator::copyOf(LocationId Object, QualType Type, Disjunct &D,
                               unsigned Depth) {
  if (isUntracked(Object))
    return C.Arena.unknown();
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  auto *Record = C.Arena.make<RecordValue>();
  addMembers(*Record, Object, Class, Depth, D);
  if (isModuleClass(Class))
    Record->Fields.push_back({nullptr, load(moduleState(Object), D)});
  return Record;
}

const Value *Evaluator::valueOf(const Expr *E, Disjunct &D) {
  const Value *V = evaluate(E, D);
  if (!isa<UnknownValue>(V) || !isRecord(E->getType()))
    return V;
  std::optional<LocationId> Object = locate(E, D);
  return Object ? copyOf(*Object, E->getType(), D) : V;
}

/// Whether \p V points to \p Object, itself or in one of its parts.
static bool pointsTo(const Value *V, LocationId Object) {
  return anyPart(V, [&](const Value *Part) {
    const auto *Pointer = dyn_cast<PointerValue>(Part);
    return Pointer && Pointer->Target == Object;
  });
}

/// In a loop one expression makes many objects; only the newest is followed.
LocationId Evaluator::renewObject(const Expr *Site, Disjunct &D) {
  LocationId Object = C.Storage.ofObject(Chain, Site);
  if (!MayRepeat)
    return Object;
  llvm::SmallVector<LocationId, 4> Stale;
  for (const auto &Entry : D.Env)
    if (pointsTo(Entry.second, Object))
      Stale.push_back(Entry.first);
  for (LocationId Location : Stale)
    D.Env = C.Factory.add(D.Env, Location, C.Arena.unknown());
  for (auto &Entry : Cached)
    if (pointsTo(Entry.second, Object))
      Entry.second = C.Arena.unknown();
  for (auto &Entry : D.Arms)
    if (pointsTo(Entry.second, Object))
      Entry.second = C.Arena.unknown();
  removeObject(Object, D);
  return Object;
}

void Evaluator::removeObject(LocationId Object, Disjunct &D) {
  for (LocationId Part : C.Storage.subtree(Object)) {
    forgetConditionsOn(Part, D);
    D.Env = C.Factory.remove(D.Env, Part);
  }
}

void Evaluator::forgetObjects(llvm::SmallVectorImpl<LocationId> &Objects,
                              Disjunct &D) {
  for (size_t I = 0; I < Objects.size(); ++I)
    for (LocationId Part : C.Storage.subtree(Objects[I])) {
      if (const Value *const *Held = D.Env.lookup(Part))
        addReachableObjects(*Held, Objects);
      forgetLocation(Part, D);
    }
}

void Evaluator::forgetReachable(const Value *V, Disjunct &D) {
  llvm::SmallVector<LocationId, 4> Objects;
  addReachableObjects(V, Objects);
  forgetObjects(Objects, D);
  for (LocationId Object : Objects)
    giveAway(Object, D);
}

void Evaluator::giveAwayReachable(const Value *V, Disjunct &D) {
  llvm::SmallVector<LocationId, 4> Objects;
  addReachableObjects(V, Objects);
  for (LocationId Object : Objects)
    giveAway(Object, D);
}

bool Evaluator::carries(const Expr *Whole, const Value *Part, Disjunct &D) {
  llvm::SmallVector<LocationId, 4> Given, Carried;
  addReachableObjects(Part, Given);
  if (Given.empty())
    return true;
  addReachableObjects(evaluate(Whole, D), Carried);
  return llvm::all_of(Given, [&](LocationId Object) {
    return llvm::is_contained(Carried, Object);
  });
}

void Evaluator::forgetAliased(Disjunct &D) {
  // An object that one variable alone points to is none but itself.
  llvm::DenseMap<LocationId, unsigned> Names;
  for (const auto &Entry : D.Env) {
    llvm::SmallVector<LocationId, 4> Objects;
    addReachableObjects(Entry.second, Objects);
    for (LocationId Object : Objects)
      Names[Object] +=
          isa<PointerValue>(Entry.second) && !C.Storage.parent(Entry.first) ? 1
                                                                            : 2;
  }
  forgetWhere(
      [&](LocationId Location, LocationId Root) {
        bool IsGivenAway = D.Env.lookup(Root) && !C.Storage.declaration(Root);
        bool IsOutside =
            C.Storage.isFromOutside(Root) &&
            (C.Storage.isState(Location) || C.Storage.pointerTo(Root));
        return IsGivenAway || IsOutside || Names.lookup(Root) > 1;
      },
      D);
}

/// Whoever got a pointer to the object may keep it, and change the object in
/// later calls.
void Evaluator::giveAway(LocationId Object, Disjunct &D) {
  while (std::optional<LocationId> Around = C.Storage.parent(Object))
    Object = *Around;
  if (!C.Storage.declaration(Object))
    D.Env = C.Factory.add(D.Env, Object, C.Arena.none());
}

const Value *Evaluator::evaluateRecordList(const InitListExpr *List,
                                           Disjunct &D) {
  const CXXRecordDecl *Class = List->getType()->getAsCXXRecordDecl();
  if (!Class->isAggregate() || Class->getNumBases() != 0)
    return C.Arena.unknown();
  auto *Record = C.Arena.make<RecordValue>();
  unsigned I = 0;
  for (const FieldDecl *Field : Class->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (I >= List->getNumInits())
      break;
    Record->Fields.push_back({Field, valueOf(List->getInit(I++), D)});
  }
  return Record;
}

const CXXRecordDecl *Evaluator::allocatedClass(const Expr *E) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXRecordDecl *Held = heldModuleClass(Construct->getType());
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    if (!Held || Constructor->isCopyOrMoveConstructor())
      return nullptr;
    // From nullptr or from a pointer to the module: nothing is made.
    bool IsGiven = Construct->getNumArgs() == 1 &&
                   (Construct->getArg(0)->getType()->isNullPtrType() ||
                    pointedClass(Construct->getArg(0)->getType()) == Held);
    return IsGiven ? nullptr : Held;
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
  if (!Function || !Function->isInStdNamespace() ||
      !Function->getIdentifier() ||
      (Function->getName() != "make_shared" &&
       Function->getName() != "make_unique"))
    return nullptr;
  return pointedClass(Call->getType());
}

/// How many arguments have the very type of their parameter.
static unsigned matches(const CXXConstructorDecl *Constructor,
                        llvm::ArrayRef<const Expr *> Arguments,
                        const ASTContext &AST) {
  unsigned Count = 0;
  for (unsigned I = 0; I < Arguments.size(); ++I)
    Count += AST.hasSameUnqualifiedType(
        Constructor->getParamDecl(I)->getType().getNonReferenceType(),
        Arguments[I]->getType().getNonReferenceType());
  return Count;
}

/// The constructor of \p Class that std::make_shared would call; null where
/// types do not decide it.
const CXXConstructorDecl *
Evaluator::chooseConstructor(const CXXRecordDecl *Class,
                             llvm::ArrayRef<const Expr *> Arguments) {
  const CXXConstructorDecl *Best = nullptr;
  unsigned BestMatches = 0;
  bool IsTie = false;
  for (const CXXConstructorDecl *Constructor : Class->ctors()) {
    if (Constructor->isCopyOrMoveConstructor() || Constructor->isDeleted() ||
        Arguments.size() < Constructor->getMinRequiredArguments() ||
        Arguments.size() > Constructor->getNumParams())
      continue;
    unsigned Matches = matches(Constructor, Arguments, C.AST);
    if (Best && Matches == BestMatches)
      IsTie = true;
    if (!Best || Matches > BestMatches) {
      Best = Constructor;
      BestMatches = Matches;
      IsTie = false;
    }
  }
  return IsTie ? nullptr : Best;
}

/// The first argument of make_shared(); null without one.
static const Expr *firstArgument(const Expr *Site) {
  const auto *Call = dyn_cast<CallExpr>(Site);
  return Call && Call->getNumArgs() > 0 ? Call->getArg(0) : nullptr;
}

const Value *Evaluator::evaluateAllocation(const Expr *Site,
                                           const CXXRecordDecl *Class,
                                           Disjunct &D) {
  if (isScriptModule(C.AST.getCanonicalTagType(Class)))
    return handleOfScript(firstArgument(Site), D);
  LocationId Object = renewObject(Site, D);
  std::string Op = moduleOp(Class);
  if (!Op.empty()) {
    store(C.Storage.ofState(Object), freshState(Site, Class, D), D);
    leaveOutAbsent(Object, Site, Class, D);
    // A Sequential of modules that are somewhere already.
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Site))
      for (const Expr *Argument : Construct->arguments())
        if (const Value *V = evaluate(Argument, D); isa<PointerValue>(V))
          joinState(Object, V, D);
  } else if (Class->hasDefinition() && !Class->hasUserDeclaredConstructor())
    initializeByDefault(Object, Class, Site, D);
  return C.Arena.make<PointerValue>(Object);
}

/// What a constructor that the compiler makes does. Its body is not there when
/// only code without a body, make_shared, needs it.
void Evaluator::initializeByDefault(LocationId Object,
                                    const CXXRecordDecl *Class,
                                    const Expr *Site, Disjunct &D) {
  if (isModuleClass(Class))
    store(C.Storage.ofState(Object), freshState(Site, Class, D), D);
  for (const FieldDecl *Field : Class->fields()) {
    const Value *V = C.Arena.unknown();
    if (const Expr *Init = Field->getInClassInitializer())
      V = evaluate(Init, D);
    else if (torchTypeOf(Field->getType()) == TorchType::Tensor)
      V = undefinedTensor("Tensor", nullptr, D, Field);
    else
      V = defaultValue(Field->getType());
    store(C.Storage.ofMember(Object, Field), V, D);
  }
}

const Value *Evaluator::evaluateNew(const CXXNewExpr *New, Disjunct &D) {
  const CXXRecordDecl *Class = pointedClass(New->getType());
  if (!Class || New->isArray())
    return C.Arena.unknown();
  if (isScriptModule(C.AST.getCanonicalTagType(Class))) {
    const Expr *Init = New->getInitializer();
    return Init ? evaluate(Init, D) : C.Arena.none();
  }
  const Value *Made = New->getConstructExpr()
                          ? evaluate(New->getConstructExpr(), D)
                          : C.Arena.unknown();
  LocationId Object = renewObject(New, D);
  store(Object, Made, D);
  return C.Arena.make<PointerValue>(Object);
}

/// A pointer or holder that is asked for what it points to: p.get(), p.ptr(),
/// std::static_pointer_cast<T>(p), p->as<T>(); null for any other call.
const Value *Evaluator::evaluatePointerCall(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isStandardOrTorch(Function))
    return nullptr;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    const Expr *Object = Operator->getArg(0);
    if (Operator->getOperator() == OO_Subscript)
      return moduleChild(Object, D);
    const CXXRecordDecl *Pointed = pointedClassOf(Object);
    if (Pointed && Operator->getOperator() == OO_Arrow)
      return evaluate(Object, D);
    return Operator->getOperator() == OO_Star ? handleBehind(Object, D)
                                              : nullptr;
  }
  llvm::StringRef Name =
      Function->getIdentifier() ? Function->getName() : llvm::StringRef();
  if (Name.ends_with("_pointer_cast") && Call->getNumArgs() == 1)
    return evaluate(Call->getArg(0), D);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member)
    return nullptr;
  const Expr *Object = Member->getImplicitObjectArgument();
  bool KeepsObject = llvm::StringSwitch<bool>(Name)
                         .Cases({"get", "ptr"}, true)
                         .Default(false) &&
                     Call->getNumArgs() == 0;
  if (KeepsObject &&
      (pointedClassOf(Object) || isAnyModule(Member->getObjectType())))
    return evaluate(Object, D);
  if (const Value *Owner = evaluateMethodOf(Member, D))
    return Owner;
  if (Name == "ptr")
    if (const Value *Child = moduleChild(Object, D))
      return Child;
  bool NamesModule = (Name == "as" || Name == "shared_from_this") &&
                     isModuleClass(Member->getMethodDecl()->getParent());
  if (NamesModule)
    if (std::optional<LocationId> Module = objectOf(Member, D))
      return C.Arena.make<PointerValue>(*Module);
  return nullptr;
}

const Expr *Evaluator::iteratedList(const Expr *Dereference) {
  const Expr *Iterator = dereferencedIterator(Dereference);
  return Iterator ? iteratorSource(Iterator).Container : nullptr;
}

const Value *Evaluator::evaluateIterator(const Expr *Dereference, Disjunct &D) {
  const Expr *Iterator = dereferencedIterator(Dereference);
  IteratorSource Source =
      Iterator ? iteratorSource(Iterator) : IteratorSource();
  if (!Source.Container)
    return nullptr;
  if (const Value *Batch =
          evaluateBatch(Source.Container, Dereference->getType(), D))
    return Batch;
  // it-> is a pointer to the element; the pointers in a list are elements.
  bool IsArrow = Dereference->isPRValue();
  if (const Value *Child = moduleChild(Source.Container, D))
    return IsArrow ? nullptr : Child;
  // As it is now, not as it was when the iterator was made.
  std::optional<PartPath> Path = partPath(Source.Container, D);
  const Value *Container =
      Path ? loadPart(*Path, D) : evaluate(Source.Container, D);
  if (const auto *Walk = dyn_cast<WalkValue>(Container))
    Container = Walk->Before;
  if (!isa<ListValue, MapValue>(Container))
    return nullptr;
  const Value *Element = anyElement(Container, C.Arena);
  if (isa<MapValue>(Container) && Source.Key)
    Element = C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>(
        {C.Arena.unknown(),
         mapElement(Container, keyOf(Source.Key, /*IsLasting=*/true, D),
                    C.Arena)}));
  return IsArrow && isa<PointerValue>(Element) ? nullptr : Element;
}
