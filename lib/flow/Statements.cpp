//===- Statements.cpp - What statements do to variables -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations, assignments, and what a call may change behind its arguments.
// Whatever may have changed in a way that is not modelled becomes unknown.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Iterators.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

std::optional<LocationId> Evaluator::locate(const Expr *E, Disjunct &D) {
  E = skipNoise(E);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    if (isa<VarDecl>(Reference->getDecl()) ||
        isa<BindingDecl>(Reference->getDecl()))
      return C.Storage.ofVariable(Reference->getDecl());
    return std::nullopt;
  }
  if (isa<CXXThisExpr>(E))
    return C.Storage.ofThis();
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (!isa<FieldDecl>(Member->getMemberDecl()))
      return isa<VarDecl>(Member->getMemberDecl())
                 ? std::optional(C.Storage.ofVariable(Member->getMemberDecl()))
                 : std::nullopt;
    const Expr *Object = skipNoise(Member->getBase());
    std::optional<LocationId> Base =
        Member->isArrow() ? pointee(Object, D) : locate(Object, D);
    // A pair that is known as a whole has its parts in its value.
    bool IsPartOfPair =
        Base && isPair(Object->getType()) && isa<ListValue>(load(*Base, D));
    if (Base && !IsPartOfPair)
      return C.Storage.ofMember(*Base, Member->getMemberDecl());
    return std::nullopt;
  }
  if (const auto *Star = dyn_cast<UnaryOperator>(E);
      Star && Star->getOpcode() == UO_Deref)
    return pointee(Star->getSubExpr(), D);
  if (const auto *Assign = dyn_cast<BinaryOperator>(E);
      Assign && Assign->isAssignmentOp())
    return locate(Assign->getLHS(), D);
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call)
    return std::nullopt;
  const FunctionDecl *Function = Call->getDirectCallee();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Operator->getOperator() == OO_Star &&
        pointedClassOf(Operator->getArg(0)))
      return pointee(Operator->getArg(0), D);
    bool NamesLeftSide =
        Operator->isAssignmentOp() ||
        (Operator->getOperator() == OO_Star &&
         className(Operator->getArg(0)->getType()) == "optional");
    return NamesLeftSide ? locate(Operator->getArg(0), D) : std::nullopt;
  }
  llvm::StringRef Name = Function && Function->getIdentifier()
                             ? Function->getName()
                             : llvm::StringRef();
  // layers->at<Linear>(i)
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
      Member && Name == "at")
    if (const auto *Child = dyn_cast_or_null<PointerValue>(
            moduleChild(Member->getImplicitObjectArgument(), D)))
      return Child->Target;
  // In-place methods return the object itself.
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
      Member && Name.ends_with("_") && torchCalleeOf(Function).IsTensorMethod)
    return locate(Member->getImplicitObjectArgument(), D);
  if (Function && Function->isInStdNamespace() && Call->getNumArgs() == 1 &&
      (Name == "move" || Name == "forward" || Name == "as_const"))
    return locate(Call->getArg(0), D);
  if (const Expr *Options = optionsSetBy(Call))
    return locate(Options, D);
  return std::nullopt;
}

bool Evaluator::isUntracked(LocationId Location) const {
  for (std::optional<LocationId> Part = Location; Part;
       Part = C.Storage.parent(*Part))
    if (const ValueDecl *Declaration = C.Storage.declaration(*Part);
        Declaration && Untracked.contains(Declaration))
      return true;
    else if (MembersUntracked && Part != Location &&
             *Part == C.Storage.ofThis())
      return true;
  return false;
}

void Evaluator::forgetNamedIn(const Expr *Target, Disjunct &D) {
  for (const ValueDecl *Variable : variablesIn(Target)) {
    if (isa<FieldDecl>(Variable))
      forgetLocation(C.Storage.ofMember(C.Storage.ofThis(), Variable), D);
    else if (isa<VarDecl>(Variable) || isa<BindingDecl>(Variable))
      forgetLocation(C.Storage.ofVariable(Variable), D);
  }
}

const Value *Evaluator::load(LocationId Location, Disjunct &D) {
  if (const Value *Registered = registeredMember(Location, D))
    return Registered;
  if (isUntracked(Location))
    return C.Arena.unknown();
  if (const Value *const *Found = D.Env.lookup(Location))
    return *Found;
  return C.Storage.initialValue(Location);
}

void Evaluator::forgetConditionsOn(LocationId Location, Disjunct &D) {
  llvm::SmallVector<AtomId, 2> Stale;
  for (const PathCondition::Literal &L : D.Path.literals()) {
    auto It = C.AtomReads.find(L.first);
    if (It != C.AtomReads.end() && llvm::is_contained(It->second, Location))
      Stale.push_back(L.first);
  }
  for (AtomId Id : Stale)
    D.Path.remove(Id);
}

void Evaluator::store(LocationId Location, const Value *V, Disjunct &D) {
  storeAlone(Location, V, D);
  followNames(Location, D);
}

void Evaluator::storeAlone(LocationId Location, const Value *V, Disjunct &D) {
  const auto *Record = dyn_cast<RecordValue>(V);
  // The parts of a pair are in the value, and nowhere else.
  if (const ValueDecl *Pair = C.Storage.declaration(Location);
      Pair && isa<ListValue>(V) && isPair(Pair->getType()))
    for (const FieldDecl *Field :
         Pair->getType().getNonReferenceType()->getAsCXXRecordDecl()->fields())
      C.Storage.ofMember(Location, Field);
  for (LocationId Part : C.Storage.subtree(Location)) {
    forgetConditionsOn(Part, D);
    D.Env = C.Factory.add(D.Env, Part,
                          Part == Location && !Record ? V : C.Arena.unknown());
  }
  if (Record)
    for (const auto &[Field, Part] : Record->Fields)
      storeAlone(Field ? C.Storage.ofMember(Location, Field)
                       : C.Storage.ofState(Location),
                 Part, D);
  // What was known of the whole is no longer so.
  for (std::optional<LocationId> Whole = C.Storage.parent(Location); Whole;
       Whole = C.Storage.parent(*Whole))
    if (D.Env.lookup(*Whole) && C.Storage.declaration(*Whole))
      D.Env = C.Factory.add(D.Env, *Whole, C.Arena.unknown());
  forgetAliases(Location, D);
}

/// Two pointers from outside may point to one object: a member of one that is
/// assigned may be the other's.
void Evaluator::forgetAliases(LocationId Location, Disjunct &D) {
  const ValueDecl *Member = C.Storage.declaration(Location);
  std::optional<LocationId> Object = C.Storage.parent(Location);
  if (!Member || !Object || !C.Storage.pointerTo(*Object) ||
      !C.Storage.isFromOutside(*Object))
    return;
  llvm::SmallVector<LocationId, 2> Others;
  for (const auto &Entry : D.Env)
    if (Entry.first != Location && C.Storage.declaration(Entry.first) == Member)
      if (std::optional<LocationId> Other = C.Storage.parent(Entry.first);
          Other && C.Storage.pointerTo(*Other))
        Others.push_back(Entry.first);
  for (LocationId Other : Others)
    D.Env = C.Factory.add(D.Env, Other, C.Arena.unknown());
}

void Evaluator::forgetLocation(LocationId Location, Disjunct &D) {
  // What a forgotten pointer points to has a name that is not known.
  llvm::SmallVector<LocationId, 4> Objects;
  for (LocationId Part : C.Storage.subtree(Location))
    if (const Value *const *Held = D.Env.lookup(Part))
      addReachableObjects(*Held, Objects);
  store(Location, C.Arena.unknown(), D);
  for (LocationId Object : Objects)
    giveAway(Object, D);
}

/// Whether \p V says something of the device \p P.
static bool isAbout(const Value *V, Place P) {
  return anyPart(V, [&](const Value *Part) {
    if (const auto *Tensor = dyn_cast<TensorValue>(Part))
      return Tensor->Where == P;
    if (const auto *Device = dyn_cast<DeviceValue>(Part))
      return Device->Where == P;
    const auto *Options = dyn_cast<OptionsValue>(Part);
    return Options && Options->Where == P;
  });
}

void Evaluator::forgetSymbol(SymbolId Id, Disjunct &D) {
  Place P = Place::symbol(Id);
  llvm::SmallVector<LocationId, 4> Stale;
  for (const auto &Entry : D.Env)
    if (isAbout(Entry.second, P))
      Stale.push_back(Entry.first);
  for (LocationId Location : Stale)
    D.Env = C.Factory.add(D.Env, Location, C.Arena.unknown());
  D.Facts.forget(Id);
  llvm::SmallVector<AtomId, 2> Atoms;
  for (const PathCondition::Literal &L : D.Path.literals())
    if (C.Atoms[L.first].A == P || C.Atoms[L.first].B == P)
      Atoms.push_back(L.first);
  for (AtomId Id : Atoms)
    D.Path.remove(Id);
}

const Value *Evaluator::defaultValue(QualType Type) {
  llvm::StringRef Name = className(Type);
  bool IsEmptyHandle =
      isScriptModule(Type) || (isSmartPointer(Type) && pointedClass(Type));
  if (Name == "optional" || IsEmptyHandle)
    return C.Arena.none();
  if (isMap(Type))
    return C.Arena.make<MapValue>();
  if (isSequence(Type) && Name != "array")
    return C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>());
  llvm::SmallVector<const Value *, 4> Parts;
  for (QualType Part : tupleTypes(Type))
    Parts.push_back(torchTypeOf(Part) == TorchType::Tensor &&
                            className(Part) != "optional"
                        ? undefinedTensor()
                        : defaultValue(Part));
  return Parts.empty() ? C.Arena.unknown() : C.Arena.make<ListValue>(Parts);
}

void Evaluator::declareBindings(const DecompositionDecl *Variable,
                                Disjunct &D) {
  const Value *Whole =
      Variable->getInit() ? valueOf(Variable->getInit(), D) : C.Arena.unknown();
  const auto *List = dyn_cast<ListValue>(Whole);
  const auto *Record = dyn_cast<RecordValue>(Whole);
  std::optional<PartPath> Path;
  if (Variable->getType()->isReferenceType() && Variable->getInit() &&
      Variable->getInit()->isLValue())
    Path = partPath(Variable->getInit(), D, /*IsLasting=*/true);
  if (Record && Path && Path->Steps.empty())
    Path.reset(); // Members of an object are locations.
  unsigned Index = 0;
  for (const BindingDecl *Binding : Variable->bindings()) {
    const Value *Part = C.Arena.unknown();
    if (List && List->IsExact && Index < List->Elements.size())
      Part = List->Elements[Index];
    else if (Record && Index < Record->Fields.size())
      Part = Record->Fields[Index].second;
    LocationId Location = C.Storage.ofVariable(Binding);
    storeAlone(Location, Part, D);
    forgetNames(Location, D);
    if (Path) {
      PartPath Own = *Path;
      Own.Steps.push_back(Record && Index < Record->Fields.size()
                              ? PartStep::field(Record->Fields[Index].first)
                              : PartStep::element(Index));
      C.Storage.namePart(Location, std::move(Own));
    }
    ++Index;
    if (const auto *Tensor = dyn_cast<TensorValue>(Part))
      if (Tensor->Story)
        C.Stories.nameSubject(Tensor->Story, Binding);
  }
}

void Evaluator::declare(const VarDecl *Variable, Disjunct &D) {
  if (const auto *Decomposition = dyn_cast<DecompositionDecl>(Variable))
    return declareBindings(Decomposition, D);
  const Expr *Init = Variable->getInit();
  if (Variable->isStaticLocal())
    return; // Its initialiser ran once, some calls ago.
  if (Init && Variable->getType()->isReferenceType())
    if (std::optional<LocationId> Target = locate(Init, D)) {
      C.Storage.bindReference(Variable, *Target);
      return;
    }
  // `auto &t = list[i]`, `auto &t = c ? a : b`: they may change through t.
  const Value *V = Init ? valueOf(Init, D) : defaultValue(Variable->getType());
  if (Init && Variable->getType()->isReferenceType() && Init->isLValue() &&
      declarePartName(Variable, V, Init, D))
    return;
  // A reference to one of two variables follows neither's changes.
  if (Init && Variable->getType()->isReferenceType() &&
      isa<AbstractConditionalOperator>(skipNoise(Init)) &&
      skipNoise(Init)->isLValue())
    V = C.Arena.unknown();
  if (Init && Variable->getType()->isLValueReferenceType() &&
      !Variable->getType()->getPointeeType().isConstQualified())
    forgetNamedIn(Init, D);
  LocationId Location = C.Storage.ofVariable(Variable);
  store(Location, V, D);
  nameAfter(V, Variable, D);
  startOptimizer(Variable, Location, D);
  startWalk(Variable, D);
}

/// The first variable that holds a tensor, or a module, names it.
void Evaluator::nameAfter(const Value *V, const ValueDecl *Variable,
                          Disjunct &D) {
  bool IsHandle = false;
  if (const auto *Pointer = dyn_cast<PointerValue>(V)) {
    nameAbsent(Pointer->Target, Variable, D);
    V = load(moduleState(Pointer->Target), D);
    IsHandle = true;
  }
  if (const auto *Record = dyn_cast<RecordValue>(V)) {
    for (const auto &[Field, Part] : Record->Fields)
      if (const auto *Tensor = dyn_cast<TensorValue>(Part);
          Tensor && Tensor->Story &&
          (!Field || Tensor->Story->Kind == StepKind::Batch))
        C.Stories.nameSubject(Tensor->Story, Variable);
    return;
  }
  const auto *Tensor = dyn_cast<TensorValue>(V);
  // A module has its name from what points to it, not from its parameters.
  if (Tensor && Tensor->Story && (IsHandle || !Tensor->Story->IsModuleState))
    C.Stories.nameSubject(Tensor->Story, Variable);
}

/// fc = register_module(...): what is registered is accounted for already.
static bool isRegistration(const Expr *Source) {
  const Expr *E = skipNoise(Source);
  while (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0)
      return false;
    E = skipNoise(Construct->getArg(0));
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && isTorchDecl(Callee) &&
         Callee->getName().starts_with("register_");
}

void Evaluator::assign(const Expr *Target, const Expr *Source, Disjunct &D) {
  const Value *V = asType(valueOf(Source, D), Target->getType());
  Target = skipNoise(Target);
  recordAssignment(Target, Source, V, D);
  if (std::optional<LocationId> Location = locate(Target, D)) {
    if (C.Modules.isRegistered(C.Storage.declaration(*Location)) &&
        C.Storage.parent(*Location) && !isRegistration(Source) &&
        !assumedMember(*Location, D))
      joinState(*C.Storage.parent(*Location), V, D);
    store(*Location, V, D);
    if (isModuleClass(pointedClass(Target->getType())))
      adoptAbsent(*Location, Source, D);
    if (C.Storage.declaration(*Location))
      startOptimizer(C.Storage.declaration(*Location), *Location, D);
    if (const Expr *Moved = withoutCopies(Source); locate(Moved, D) != Location)
      leaveMovedFrom(Source, D);
    if (C.Storage.declaration(*Location))
      nameAfter(V, C.Storage.declaration(*Location), D);
    return;
  }
  assignValue(Target, V, Source, D);
}

/// Assigns \p V to what is no location: part of one, several in a tuple, or
/// something that is not known.
void Evaluator::assignValue(const Expr *Target, const Value *V,
                            const Expr *Source, Disjunct &D) {
  Target = skipNoise(Target);
  if (std::optional<PartPath> Path = partPath(Target, D)) {
    storePart(*Path, asType(V, Target->getType()), D);
    return;
  }
  const auto *Call = dyn_cast<CallExpr>(Target);
  const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
  if (isa<MemberExpr>(Target) || isa<UnaryOperator>(Target))
    forgetAliased(D); // Behind a pointer that is not known.
  giveAwayReachable(V, D);
  if (!Function) {
    forgetNamedIn(Target, D);
    return;
  }
  // std::tie(a, b) = f();
  if (Function->isInStdNamespace() && Function->getIdentifier() &&
      (Function->getName() == "tie" ||
       Function->getName() == "forward_as_tuple")) {
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      const Value *Part = listElement(V, I, C.Arena);
      if (Source)
        recordAssignment(skipNoise(Call->getArg(I)), Source, Part, D);
      assignValue(Call->getArg(I), Part, Source, D);
    }
    return;
  }
  // x[i] = y and x.index(...) = y write into a tensor where it is.
  if (torchCalleeOf(Function).IsTensorMethod)
    return;
  forgetNamedIn(Target, D);
}

void Evaluator::keepArm(const Expr *Arm, Disjunct &D) {
  const Value *V = evaluate(Arm, D);
  for (auto &[Kept, Old] : D.Arms)
    if (Kept == Arm) {
      Old = V;
      return;
    }
  D.Arms.push_back({Arm, V});
}

/// A conditional operator that is evaluated replaces its arms.
static void foldArms(const AbstractConditionalOperator *E, const Value *Whole,
                     Disjunct &D) {
  const Expr *Then = skipNoise(E->getTrueExpr());
  const Expr *Else = skipNoise(E->getFalseExpr());
  llvm::erase_if(D.Arms, [&](const auto &Entry) {
    return Entry.first == Then || Entry.first == Else || Entry.first == E;
  });
  D.Arms.push_back({E, Whole});
}

/// A lambda that holds a pointer may change what it points to when it runs.
void Evaluator::capture(const LambdaExpr &Lambda, const LambdaCapture &Capture,
                        Disjunct &D) {
  const auto *Variable = cast<VarDecl>(Capture.getCapturedVar());
  if (Lambda.isInitCapture(&Capture))
    declare(Variable, D);
  if (Capture.getCaptureKind() != LCK_ByCopy)
    return;
  giveAwayReachable(load(C.Storage.ofVariable(Variable), D), D);
}

void Evaluator::execute(const Stmt *S, Disjunct &D) {
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (Return->getRetValue() && Function)
      store(C.Storage.ofVariable(Function), valueOf(Return->getRetValue(), D),
            D);
    D.Arms.clear();
    return;
  }
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Part : Declaration->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Part))
        declare(Variable, D);
    D.Arms.clear();
    return;
  }
  const auto *E = dyn_cast<Expr>(S);
  if (!E || E != skipNoise(E))
    return;
  const Value *V = evaluate(E, D);
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    foldArms(Conditional, V, D);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Assign)
      assign(Binary->getLHS(), Binary->getRHS(), D);
    else if (Binary->isCompoundAssignmentOp())
      if (std::optional<LocationId> Target = locate(Binary->getLHS(), D))
        forgetLocation(*Target, D);
  } else if (const auto *Step = dyn_cast<UnaryOperator>(E)) {
    if (Step->isIncrementDecrementOp() && Body)
      stepWalk(Step, D);
    if (Step->isIncrementDecrementOp())
      if (std::optional<LocationId> Target = locate(Step->getSubExpr(), D))
        forgetLocation(*Target, D);
  } else if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable())
        capture(*Lambda, Capture, D);
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    assumeAgreement(Call, D);
    applyEffects(Call, D);
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    applyConstructEffects(Construct, D);
  }
  if (Body->Discarded.contains(E))
    D.Arms.clear();
}

void Evaluator::execute(const CXXCtorInitializer *Initializer, Disjunct &D) {
  if (!Initializer->isAnyMemberInitializer())
    return;
  LocationId Member =
      C.Storage.ofMember(C.Storage.ofThis(), Initializer->getAnyMember());
  const Value *V = valueOf(Initializer->getInit(), D);
  // A tensor without an initialiser is told of where it is declared.
  if (const auto *Tensor = dyn_cast<TensorValue>(V);
      Tensor && Tensor->IsUndefined && !Initializer->isWritten() &&
      !Initializer->isInClassMemberInitializer())
    V = undefinedTensor("Tensor", nullptr, D, Initializer->getAnyMember());
  recordInitializer(Initializer, V, D);
  store(Member, V, D);
  if (isModuleClass(pointedClass(Initializer->getAnyMember()->getType())))
    adoptAbsent(Member, Initializer->getInit(), D);
  startOptimizer(Initializer->getAnyMember(), Member, D);
  nameAfter(V, Initializer->getAnyMember(), D);
}

/// Whether a call may change what an argument for \p Type refers to.
static bool mayChange(QualType Type) {
  if (Type->isReferenceType() || Type->isPointerType())
    return !Type->getPointeeType().isConstQualified();
  return false;
}

/// Objects that pointers from outside point to or whose pointer was given away.
/// With \p ModulesToo, also the states of modules from outside.
void Evaluator::forgetGivenAway(bool ModulesToo, Disjunct &D) {
  forgetWhere(
      [&](LocationId Location, LocationId Root) {
        bool IsGivenAway = D.Env.lookup(Root) && !C.Storage.declaration(Root);
        bool IsBehindPointer =
            C.Storage.pointerTo(Root) &&
            (ModulesToo || (!C.Storage.memberOfThis(Location) &&
                            !C.Storage.isState(Location)));
        return IsGivenAway || IsBehindPointer;
      },
      D);
}

/// The variable behind the initial pointers to \p Root; null for *this.
static const VarDecl *variableBehind(const Locations &Storage,
                                     LocationId Root) {
  while (true) {
    if (std::optional<LocationId> Parent = Storage.parent(Root))
      Root = *Parent;
    else if (std::optional<LocationId> Pointer = Storage.pointerTo(Root))
      Root = *Pointer;
    else
      return dyn_cast_or_null<VarDecl>(Storage.declaration(Root));
  }
}

/// What any code may change: globals and what they point to, what was given
/// away, and what a call of a function object may reach through captures.
void Evaluator::forgetShared(bool MembersToo, Disjunct &D) {
  forgetGivenAway(/*ModulesToo=*/false, D);
  forgetWhere(
      [&](LocationId Location, LocationId Root) {
        const VarDecl *Variable = variableBehind(C.Storage, Root);
        return (Variable && Variable->hasGlobalStorage()) ||
               (MembersToo && C.Storage.memberOfThis(Location));
      },
      D);
}

/// Forgets the locations for which \p IsMeant holds, of the location and the
/// object around it, and what pointers in them reach.
void Evaluator::forgetWhere(
    llvm::function_ref<bool(LocationId, LocationId)> IsMeant, Disjunct &D) {
  llvm::SmallVector<LocationId, 4> Shared;
  llvm::SmallVector<LocationId, 4> Objects;
  for (const auto &Entry : D.Env) {
    LocationId Root = Entry.first;
    while (std::optional<LocationId> Parent = C.Storage.parent(Root))
      Root = *Parent;
    if (IsMeant(Entry.first, Root)) {
      Shared.push_back(Entry.first);
      addReachableObjects(Entry.second, Objects);
    }
  }
  for (LocationId Location : Shared)
    forgetLocation(Location, D);
  forgetObjects(Objects, D);
}

/// Whether a call of the standard library may run code of the program: of a
/// function object, or with one among its arguments.
bool Evaluator::runsUnknownCode(const CallExpr *Call, Disjunct &D) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  if (Operator && Operator->getOperator() == OO_Call &&
      !isTorchDecl(Call->getDirectCallee()))
    return true;
  return llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
    return isa<CallableValue>(evaluate(Argument, D)) ||
           className(Argument->getType()) == "function";
  });
}

/// Who gets a variable by T && may give it a value, which is taken to keep a
/// place and to end that there is no tensor.
void Evaluator::forgetUndefined(const Expr *Argument, Disjunct &D) {
  const auto *Tensor = dyn_cast<TensorValue>(evaluate(Argument, D));
  if (Tensor && Tensor->IsUndefined && Argument->isLValue())
    forgetNamedIn(Argument, D);
}

void Evaluator::forgetArguments(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  bool IsMemberOperator = isa<CXXOperatorCallExpr>(Call) &&
                          isa_and_nonnull<CXXMethodDecl>(Function);
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const Expr *Argument = skipNoise(Call->getArg(I));
    QualType Type;
    if (const Value *V = evaluate(Argument, D); !carries(Call, V, D)) {
      if (!Function || !isTorchDecl(Function))
        forgetReachable(V, D);
      else if (isa<CXXMemberCallExpr>(Call))
        giveAwayReachable(V, D); // A container, a dictionary.
    }
    if (IsMemberOperator && I == 0) {
      if (cast<CXXMethodDecl>(Function)->isConst())
        continue;
      Type = C.AST.getLValueReferenceType(Argument->getType());
    } else {
      unsigned Parameter = I - IsMemberOperator;
      if (!Function || Parameter >= Function->getNumParams())
        Type = Call->getArg(I)->isLValue() && !Function
                   ? C.AST.getLValueReferenceType(Argument->getType())
                   : QualType();
      else if (isForwarding(Function, Parameter)) {
        forgetUndefined(Argument, D);
        continue;
      } else
        Type = Function->getParamDecl(Parameter)->getType();
    }
    if (Type.isNull() || !mayChange(Type) || Type->isRValueReferenceType())
      continue;
    forgetNamedIn(Argument, D);
  }
  if (!Function || !isStandardOrTorch(Function))
    forgetShared(/*MembersToo=*/!Function, D);
  else if (runsUnknownCode(Call, D))
    forgetShared(/*MembersToo=*/true, D);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    forgetObject(Member, D);
}

/// A method that is not followed may change its object, a const one what the
/// object points to.
void Evaluator::forgetObject(const CXXMemberCallExpr *Call, Disjunct &D) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  std::optional<LocationId> Object = objectOf(Call, D);
  if (!Object && Method && !isStandardOrTorch(Method))
    forgetAliased(D);
  if (!Method || !Object)
    return;
  for (LocationId Part : C.Storage.subtree(*Object)) {
    const Value *const *Held = D.Env.lookup(Part);
    if (Held && !isStandardOrTorch(Method))
      forgetReachable(*Held, D);
    if (!Method->isConst())
      forgetLocation(Part, D);
  }
}

void Evaluator::applyConstructEffects(const CXXConstructExpr *E, Disjunct &D) {
  const CXXConstructorDecl *Constructor = E->getConstructor();
  if (Constructor->isMoveConstructor() && E->getNumArgs() == 1 &&
      torchTypeOf(E->getType()) == TorchType::Tensor)
    leaveMovedFrom(E->getArg(0), D);
  if (Constructor->isCopyOrMoveConstructor())
    return;
  if (isTorchDecl(Constructor)) {
    // AnyModule and its kin share what they are made of.
    for (const Expr *Argument : E->arguments())
      if (const Value *V = evaluate(Argument, D); !carries(E, V, D))
        giveAwayReachable(V, D);
    return;
  }
  // A vector or tuple that is followed carries its pointers itself.
  for (const Expr *Argument : E->arguments())
    if (const Value *V = evaluate(Argument, D); !carries(E, V, D))
      forgetReachable(V, D);
  if (isStandardOrTorch(Constructor))
    return;
  for (unsigned I = 0; I < E->getNumArgs() && I < Constructor->getNumParams();
       ++I) {
    QualType Type = Constructor->getParamDecl(I)->getType();
    if (!mayChange(Type) || Type->isRValueReferenceType())
      continue;
    if (std::optional<LocationId> Location = locate(E->getArg(I), D))
      forgetLocation(*Location, D);
  }
}

/// Whether \p Move surely gives back its own tensor: it is there and of that
/// type already.
static bool movesNothing(llvm::StringRef Op, const Value *Receiver,
                         const Value *Result) {
  const auto *Before = dyn_cast<TensorValue>(Receiver);
  const auto *After = dyn_cast<TensorValue>(Result);
  if (Op == "contiguous" || Op == "pin_memory" || !Before || !After ||
      !After->Story)
    return false;
  bool StaysPut = Before->Where == After->Where &&
                  (!After->Where.isUnknown() || After->Story->PlaceFrom);
  bool AsksForType =
      llvm::any_of(After->Story->Arguments,
                   [](const EventArgument &A) { return A.Name == "dtype"; });
  return StaysPut && Before->Elements == After->Elements &&
         (!AsksForType || After->Elements != ElementType::Unknown);
}

void Evaluator::recordDiscarded(const CallExpr *Call, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Sink || !Chain.empty() || !Member || !Body->Discarded.contains(Call))
    return;
  TorchCallee Callee = torchCalleeOf(Call->getDirectCallee());
  bool IsTransfer = Callee.IsTensorMethod &&
                    llvm::StringSwitch<bool>(Callee.Op)
                        .Cases({"to", "cpu", "cuda", "hip", "vulkan"}, true)
                        .Cases({"pin_memory", "contiguous"}, true)
                        .Default(false);
  // A warm-up, torch::empty({1}).cuda(), is meant for what it does besides.
  const Expr *Receiver = skipNoise(Member->getImplicitObjectArgument());
  bool IsWarmUp = isa<CallExpr>(Receiver) && Receiver->isPRValue() &&
                  !isa<CXXMemberCallExpr>(Receiver);
  if (!IsTransfer || IsWarmUp)
    return;
  const Value *Before = evaluate(Member->getImplicitObjectArgument(), D);
  const Value *After = evaluate(Call, D);
  if (movesNothing(Callee.Op, Before, After))
    return;
  for (const DiscardedTransfer &Known : Sink->Discarded)
    if (Known.Call == Call)
      return;
  DiscardedTransfer Transfer;
  Transfer.Call = Call;
  Transfer.Op = Callee.Op;
  Transfer.Receiver = Before;
  if (const auto *Result = dyn_cast<TensorValue>(After))
    Transfer.Made = Result->Story;
  Sink->Discarded.push_back(Transfer);
}

static bool holdsTensor(const Value *V) {
  return anyPart(V, [](const Value *Part) { return isa<TensorValue>(Part); });
}

/// x.set_data(y): every handle of the same tensor moves with x. Which are
/// handles of one tensor is not followed.
void Evaluator::replaceData(const CXXMemberCallExpr *Call, Disjunct &D) {
  llvm::SmallVector<LocationId, 8> Handles;
  for (const auto &Entry : D.Env)
    if (holdsTensor(Entry.second))
      Handles.push_back(Entry.first);
  for (LocationId Handle : Handles)
    D.Env = C.Factory.add(D.Env, Handle, C.Arena.unknown());
  if (auto Object = locate(Call->getImplicitObjectArgument(), D))
    store(*Object, evaluate(Call->getArg(0), D), D);
}

/// A tensor that a module registers moves with the module.
void Evaluator::forgetRegistered(const CallExpr *Call, Disjunct &D) {
  for (const Expr *Argument : Call->arguments())
    if (torchTypeOf(Argument->getType()) == TorchType::Tensor)
      if (std::optional<LocationId> Location =
              locate(withoutCopies(Argument), D))
        forgetLocation(*Location, D);
}

/// *p, p->, p.get(), module(x): the pointer or holder stays as it is.
static bool asksPointer(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isStandardOrTorch(Function))
    return false;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return pointedClassOf(Operator->getArg(0)) &&
           llvm::is_contained({OO_Star, OO_Arrow, OO_Call, OO_Subscript},
                              Operator->getOperator());
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  return Member && Function->getIdentifier() &&
         pointedClassOf(Member->getImplicitObjectArgument()) &&
         (Function->getName() == "get" || Function->getName() == "ptr");
}

/// *o, o->, o.value(): the optional stays as it is.
static bool asksOptional(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isStandardOrTorch(Function))
    return false;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return className(Operator->getArg(0)->getType()) == "optional" &&
           llvm::is_contained({OO_Star, OO_Arrow}, Operator->getOperator());
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  return Member && Function->getIdentifier() &&
         className(Member->getObjectType()) == "optional" &&
         Function->getName() == "value";
}

/// value.toTensor(), tuple->elements(): what they are asked stays as it is.
static bool asksIValue(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isTorchDecl(Function))
    return false;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return className(Operator->getArg(0)->getType()) == "intrusive_ptr" &&
           llvm::is_contained({OO_Star, OO_Arrow}, Operator->getOperator());
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  return Member && llvm::StringSwitch<bool>(className(Member->getObjectType()))
                       .Cases({"IValue", "Tuple", "TupleElements"}, true)
                       .Default(false);
}

/// p.reset(), p.reset(new T(...)); false for any other call.
bool Evaluator::resetPointer(const CallExpr *Call, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || Method->getName() != "reset" ||
      !isSmartPointer(Member->getObjectType()) || Call->getNumArgs() > 1 ||
      !pointedClass(Member->getObjectType()))
    return false;
  const Expr *Pointer = skipNoise(Member->getImplicitObjectArgument());
  bool IsGiven =
      Call->getNumArgs() == 1 && !isa<CXXDefaultArgExpr>(Call->getArg(0));
  std::optional<LocationId> Location = locate(Pointer, D);
  if (IsGiven)
    assign(Pointer, Call->getArg(0), D);
  else if (Location)
    store(*Location, C.Arena.none(), D);
  else
    forgetNamedIn(Pointer, D);
  return true;
}

/// require_host(device): what returns nothing and gets a device is there to
/// refuse some.
void Evaluator::noteDeviceCheck(const CallExpr *Call, Disjunct &D) {
  if (!Call->getType()->isVoidType())
    return;
  for (const Expr *Argument : Call->arguments())
    if (const auto *Device = dyn_cast<DeviceValue>(evaluate(Argument, D));
        Device && Device->Where.isSymbol())
      C.CheckedDevices.insert(Device->Where.symbolId());
}

void Evaluator::applyEffects(const CallExpr *Call, Disjunct &D) {
  recordDiscarded(Call, D);
  recordQuestion(Call, D);
  const FunctionDecl *Function = Call->getDirectCallee();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() == OO_Equal) {
    assign(Operator->getArg(0), Operator->getArg(1), D);
    return;
  }
  if (isKernelLaunch(Call)) {
    // A kernel gets copies. It writes where pointers lead to, and never moves a
    // tensor.
    for (const Expr *Argument : Call->arguments())
      forgetReachable(evaluate(Argument, D), D);
    return;
  }
  if (const auto *Added = dyn_cast<CXXMemberCallExpr>(Call))
    recordAdded(Added, D);
  if (asksPointer(Call) || asksOptional(Call) || asksIValue(Call) ||
      resetPointer(Call, D) || applySettings(Call, D) ||
      applyModuleEffects(Call, D) || applyOptimizer(Call, D))
    return;
  TorchCallee Callee = torchCalleeOf(Function);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (Callee.IsTensorMethod) {
    if (Member && Callee.Op == "reset") {
      const Expr *Object = Member->getImplicitObjectArgument();
      std::optional<LocationId> Location = locate(Object, D);
      if (Location && C.Storage.declaration(*Location)) {
        const Value *Left = undefinedTensor("reset", Call, D);
        store(*Location, Left, D);
        nameAfter(Left, C.Storage.declaration(*Location), D);
      } else {
        forgetNamedIn(Object, D);
      }
    }
    // In-place methods keep the place; set_data takes the argument's.
    if (!Member || Callee.Op != "set_data" || Call->getNumArgs() != 1)
      return;
    replaceData(Member, D);
    return;
  }
  // Operators write into out tensors, in place; other functions of LibTorch
  // (torch::load) may do anything.
  if ((Callee && C.Contracts.find(Callee.Op)) || dispatchedCall(Call).Callee)
    return;
  if (applyContainerEffects(Call, D))
    return;
  llvm::StringRef Name = Function && Function->getIdentifier()
                             ? Function->getName()
                             : llvm::StringRef();
  if (Name.starts_with("register_"))
    forgetRegistered(Call, D);
  // A tensor that was moved from is undefined; its value is in the call.
  if (Function && Function->isInStdNamespace() && Name == "move" &&
      Call->getNumArgs() == 1) {
    if (std::optional<LocationId> Source = locate(Call->getArg(0), D))
      forgetLocation(*Source, D);
    return;
  }
  if (Function && Function->isInStdNamespace() && Name == "swap" &&
      Call->getNumArgs() == 2) {
    swapParts(Call->getArg(0), Call->getArg(1), D);
    return;
  }
  noteDeviceCheck(Call, D);
  forgetArguments(Call, D);
}
