//===- ClassInvariants.cpp - What always holds of an object's members -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "summary/ClassInvariants.h"
#include "flow/FunctionAnalysis.h"
#include "flow/Iterators.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace tdl;

namespace {
/// A class and those of its methods that have a body here, in source order.
struct ClassMethods {
  llvm::SmallVector<const FunctionDecl *, 2> Constructors;
  llvm::SmallVector<const FunctionDecl *, 8> Others;
};

class InvariantFinder {
public:
  InvariantFinder(FunctionContext &C,
                  llvm::ArrayRef<const FunctionDecl *> Functions)
      : C(C), Functions(Functions), Joiner(C.Arena, C.Factory, C.Storage) {}

  void run();

private:
  void collect();
  bool isClosed(const CXXRecordDecl *Class, const ClassMethods &Methods) const;
  void find(const CXXRecordDecl *Class, const ClassMethods &Methods);
  /// What of \p Exit is about members that only the class itself assigns.
  State membersOf(const CXXRecordDecl *Class, const State &Exit);
  /// The members as the constructors leave them; none where one was given up.
  std::optional<State> afterConstruction(const CXXRecordDecl *Class,
                                         const ClassMethods &Methods);
  /// The members after any number of calls of \p Methods, from \p Members on;
  /// none where they do not settle.
  std::optional<State> settle(const CXXRecordDecl *Class,
                              llvm::ArrayRef<const FunctionDecl *> Methods,
                              State Members);

  /// A method that a user calls first, and the members ever after.
  struct Beginning {
    const FunctionDecl *Method;
    State Members;
  };
  /// Where members are known better if it is known which of \p Methods was the
  /// first to be called.
  llvm::SmallVector<Beginning, 2>
  findBeginnings(const CXXRecordDecl *Class,
                 llvm::ArrayRef<const FunctionDecl *> Methods,
                 const State &Made, const State &Always);
  AtomId begunBy(const FunctionDecl *Method);
  /// \p Fresh, before any of the beginnings, and these, as disjuncts.
  State together(State Fresh, llvm::ArrayRef<Beginning> Beginnings);

  void collectOutsideWrites();
  void addWrites(const Expr *Target, const Stmt *S, bool InLambda);

  FunctionContext &C;
  llvm::ArrayRef<const FunctionDecl *> Functions;
  StateJoiner Joiner;
  llvm::MapVector<const CXXRecordDecl *, ClassMethods> Classes;
  /// Members that something else than a method's own statement assigns: code
  /// outside the class, or a lambda.
  llvm::DenseSet<const ValueDecl *> WrittenElsewhere;
};
} // namespace

void InvariantFinder::collect() {
  for (const FunctionDecl *Function : Functions) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (!Method || Method->isStatic() || Method->getParent()->isLambda())
      continue;
    ClassMethods &Methods = Classes[Method->getParent()];
    if (isa<CXXConstructorDecl>(Method))
      Methods.Constructors.push_back(Method);
    else if (!isa<CXXDestructorDecl>(Method))
      Methods.Others.push_back(Method);
  }
}

/// Whether who gets a \p Type can change what it refers to.
static bool handsOut(QualType Type) {
  if (pointedClass(Type) && !isScriptModule(Type))
    return true;
  if (!Type->isReferenceType() && !Type->isPointerType())
    return false;
  QualType Referred = Type->getPointeeType();
  bool Matters = torchTypeOf(Referred) != TorchType::None ||
                 isSequence(Referred) || isMap(Referred) ||
                 !tupleTypes(Referred).empty() || isRecord(Referred) ||
                 pointedClass(Referred);
  // A const handle still moves the module.
  return Matters && (!Referred.isConstQualified() || pointedClass(Referred));
}

/// Whether everything that may assign the class's private members is here.
bool InvariantFinder::isClosed(const CXXRecordDecl *Class,
                               const ClassMethods &Methods) const {
  bool IsMadeElsewhere =
      Methods.Constructors.empty() && Class->hasDefinition() &&
      (Class->hasUserDeclaredConstructor() || isModuleClass(Class));
  if (!Class->hasDefinition() || IsMadeElsewhere || Class->hasFriends())
    return false;
  for (const CXXMethodDecl *Method : Class->methods()) {
    bool Matters = !Method->isImplicit() && !Method->isDefaulted() &&
                   !Method->isDeleted() && !Method->isStatic() &&
                   !Method->isConst() && !Method->isPureVirtual();
    if (Matters && !Method->hasBody())
      return false;
    // Who gets a reference or a pointer to a member may change it.
    QualType Returned = Method->getReturnType();
    bool IsSelf = Returned.getNonReferenceType()->getAsCXXRecordDecl() == Class;
    if (!Method->isImplicit() && !IsSelf && handsOut(Returned))
      return false;
  }
  for (const FieldDecl *Field : Class->fields()) {
    bool IsReference = Field->getType()->isReferenceType() ||
                       className(Field->getType()) == "reference_wrapper";
    bool IsTensorPointer =
        Field->getType()->isPointerType() && handsOut(Field->getType());
    if (IsReference || IsTensorPointer)
      return false;
  }
  // A member template may be instantiated elsewhere, a nested class may be
  // defined there.
  for (const Decl *Member : Class->decls()) {
    const auto *Nested = dyn_cast<CXXRecordDecl>(Member);
    bool IsOpen = isa<FunctionTemplateDecl>(Member) ||
                  (Nested && !Nested->isImplicit() && !Nested->getDefinition());
    if (IsOpen)
      return false;
  }
  return true;
}

/// Whether \p E is this->member, *this->member and so on.
static bool isRootedInThis(const Expr *E) {
  while (E) {
    E = skipNoise(E);
    if (isa<CXXThisExpr>(E))
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
      E = Operator->getArg(0);
    else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      E = Call->getImplicitObjectArgument();
    else
      return false;
  }
  return false;
}

/// The declaration of what a range-for walks over.
static bool isRangeOfLoop(const Stmt *S) {
  const auto *Declaration = dyn_cast<DeclStmt>(S);
  const auto *Variable = Declaration && Declaration->isSingleDecl()
                             ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                             : nullptr;
  return Variable && Variable->isImplicit();
}

/// A plain assignment to a member of *this is seen where its method is
/// executed; every other way to change a member is taken to change it anyhow.
void InvariantFinder::addWrites(const Expr *Target, const Stmt *S,
                                bool InLambda) {
  const Expr *Changed = skipNoise(Target);
  // net_.forward(x).toTensor() changes a temporary.
  if (Changed->isPRValue() && !Changed->getType()->isPointerType() &&
      !pointedClass(Changed->getType()))
    return;
  const auto *Plain = dyn_cast<MemberExpr>(Changed);
  bool IsAssignment = isa<BinaryOperator>(S) || isa<CXXOperatorCallExpr>(S);
  bool IsPlain = Plain && IsAssignment && !InLambda &&
                 isa<CXXThisExpr>(skipNoise(Plain->getBase()));
  // So is a call of a method on a member of *this, an assignment to a part of a
  // list, and a loop over one.
  bool IsOwn = !InLambda && isRootedInThis(Changed);
  bool IsOwnCall = IsOwn && isa<CXXMemberCallExpr>(S);
  bool IsOwnPart = IsOwn && IsAssignment && isNamedContainer(Changed);
  if (IsPlain || IsOwnCall || IsOwnPart ||
      (IsOwn && isRangeOfLoop(S) && isNamedContainer(Changed)))
    return;
  llvm::SmallVector<const Stmt *, 8> Pending = {Changed};
  while (!Pending.empty()) {
    const Stmt *Part = Pending.pop_back_val();
    if (!Part)
      continue;
    if (const auto *Member = dyn_cast<MemberExpr>(Part))
      WrittenElsewhere.insert(Member->getMemberDecl());
    for (const Stmt *Child : Part->children())
      Pending.push_back(Child);
  }
}

void InvariantFinder::collectOutsideWrites() {
  for (const FunctionDecl *Function : Functions) {
    for (const ValueDecl *Changed : C.graphOf(Function).Facts.Untracked)
      if (isa<FieldDecl>(Changed))
        WrittenElsewhere.insert(Changed);
    // The second says whether the statement stands in a lambda.
    llvm::SmallVector<std::pair<const Stmt *, bool>, 64> Pending = {
        {Function->getBody(), false}};
    while (!Pending.empty()) {
      auto [S, InLambda] = Pending.pop_back_val();
      if (!S)
        continue;
      for (const Expr *Target : changedBy(S))
        addWrites(Target, S, InLambda);
      bool ChildInLambda = InLambda || isa<LambdaExpr>(S);
      for (const Stmt *Child : S->children())
        Pending.push_back({Child, ChildInLambda});
    }
  }
}

/// Whether a condition means the same in every method: it is about the program,
/// or about what a method of \p Class was given when it was called.
static bool keepsMeaning(const FunctionContext &C, AtomId Id,
                         const CXXRecordDecl *Class) {
  auto Reads = C.AtomReads.find(Id);
  return Reads == C.AtomReads.end() ||
         llvm::all_of(Reads->second, [&](LocationId Read) {
           const auto *Parameter =
               dyn_cast_or_null<ParmVarDecl>(C.Storage.declaration(Read));
           return Parameter && !Parameter->getType()->isReferenceType() &&
                  Parameter->getDeclContext()->getParent() == Class;
         });
}

State InvariantFinder::membersOf(const CXXRecordDecl *Class,
                                 const State &Exit) {
  State Members;
  for (const Disjunct &D : Exit.Disjuncts) {
    Disjunct Kept(C.Factory.getEmptyMap());
    Kept.Facts = D.Facts;
    for (const PathCondition::Literal &L : D.Path.literals())
      if (keepsMeaning(C, L.first, Class))
        Kept.Path.add(L.first, L.second);
    llvm::SmallVector<LocationId, 4> Objects;
    for (const auto &Entry : D.Env) {
      const auto *Field =
          dyn_cast_or_null<FieldDecl>(C.Storage.memberOfThis(Entry.first));
      bool IsOwn = Field && Field->getParent() == Class &&
                   Field->getAccess() == AS_private &&
                   !WrittenElsewhere.contains(Field);
      if (!IsOwn)
        continue;
      Kept.Env = C.Factory.add(Kept.Env, Entry.first, Entry.second);
      addReachableObjects(Entry.second, Objects);
    }
    // What the members point to, and what that points to.
    // Whoever else knows them may change them at any time.
    llvm::erase_if(Objects, [&](LocationId Object) {
      return D.Env.lookup(Object) != nullptr;
    });
    for (size_t I = 0; I < Objects.size(); ++I)
      for (LocationId Part : C.Storage.subtree(Objects[I]))
        if (const Value *const *Held = D.Env.lookup(Part)) {
          Kept.Env = C.Factory.add(Kept.Env, Part, *Held);
          addReachableObjects(*Held, Objects);
        }
    Members.Disjuncts.push_back(std::move(Kept));
  }
  Joiner.normalise(Members);
  return Members;
}

std::optional<State>
InvariantFinder::afterConstruction(const CXXRecordDecl *Class,
                                   const ClassMethods &Methods) {
  State Made;
  if (Methods.Constructors.empty()) { // The compiler makes one.
    FunctionResult Unused;
    State Exit = analyzeInitializers(C, Class, emptyState(C), Unused);
    Joiner.joinInto(Made, membersOf(Class, Exit));
  }
  for (const FunctionDecl *Constructor : Methods.Constructors) {
    std::optional<State> Exit = executeFunction(C, Constructor, emptyState(C));
    if (!Exit)
      return std::nullopt;
    Joiner.joinInto(Made, membersOf(Class, *Exit));
  }
  return Made;
}

/// The methods that may change members, or what members point to.
static llvm::SmallVector<const FunctionDecl *, 8>
changingMethods(const CXXRecordDecl *Class, const ClassMethods &Methods) {
  bool MayChangeConst =
      llvm::any_of(Class->fields(), [](const FieldDecl *Field) {
        return Field->isMutable() || pointedClass(Field->getType());
      });
  llvm::SmallVector<const FunctionDecl *, 8> Changing;
  for (const FunctionDecl *Method : Methods.Others)
    if (!cast<CXXMethodDecl>(Method)->isConst() || MayChangeConst)
      Changing.push_back(Method);
  return Changing;
}

std::optional<State>
InvariantFinder::settle(const CXXRecordDecl *Class,
                        llvm::ArrayRef<const FunctionDecl *> Methods,
                        State Members) {
  /// More rounds than this mean that the members do not settle.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (Members.isUnreachable())
      return std::nullopt;
    bool Changed = false;
    for (const FunctionDecl *Method : Methods) {
      std::optional<State> Exit = executeFunction(C, Method, Members);
      if (!Exit)
        return std::nullopt;
      Changed |= Joiner.joinInto(Members, membersOf(Class, *Exit));
    }
    if (!Changed)
      return Members;
  }
  return std::nullopt;
}

/// Whether \p V says where something is.
static bool saysPlace(const Value *V) {
  if (const auto *Tensor = dyn_cast_or_null<TensorValue>(V))
    return !Tensor->IsUndefined && !Tensor->Where.isUnknown();
  if (const auto *Device = dyn_cast_or_null<DeviceValue>(V))
    return !Device->Where.isUnknown();
  return isa_and_nonnull<PointerValue>(V);
}

static bool saysPlace(const State &S, LocationId Location) {
  return llvm::any_of(S.Disjuncts, [&](const Disjunct &D) {
    const Value *const *Held = D.Env.lookup(Location);
    return Held && saysPlace(*Held);
  });
}

/// Whether \p Begun knows a place that \p Always does not.
static bool knowsMore(const State &Begun, const State &Always) {
  for (const Disjunct &D : Begun.Disjuncts)
    for (const auto &Entry : D.Env)
      if (saysPlace(Entry.second) && !saysPlace(Always, Entry.first))
        return true;
  return false;
}

llvm::SmallVector<InvariantFinder::Beginning, 2>
InvariantFinder::findBeginnings(const CXXRecordDecl *Class,
                                llvm::ArrayRef<const FunctionDecl *> Methods,
                                const State &Made, const State &Always) {
  /// Each has disjuncts of its own, of which a state has few.
  constexpr size_t MaxBeginnings = 2;
  /// Each try executes all methods some times: without these bounds a large
  /// class would cost the square of its size.
  constexpr size_t MaxTries = 4, MaxMethods = 24;
  llvm::SmallVector<Beginning, 2> Beginnings;
  if (Methods.size() > MaxMethods)
    return Beginnings;
  size_t Tries = 0;
  for (const FunctionDecl *Method : Methods) {
    if (!Method->getIdentifier() || Method->getAccess() != AS_public ||
        Beginnings.size() == MaxBeginnings)
      continue;
    std::optional<State> Exit = executeFunction(C, Method, Made);
    if (!Exit)
      continue;
    State Left = membersOf(Class, *Exit);
    // Most methods leave nothing that is worth the rounds.
    if (!knowsMore(Left, Always) || ++Tries > MaxTries)
      continue;
    std::optional<State> Begun = settle(Class, Methods, std::move(Left));
    if (Begun && knowsMore(*Begun, Always))
      Beginnings.push_back({Method, std::move(*Begun)});
  }
  return Beginnings;
}

/// The condition that an object's life began with \p Method.
AtomId InvariantFinder::begunBy(const FunctionDecl *Method) {
  std::string Name = "'" + Method->getNameAsString() + "' was called";
  Atom Begun;
  Begun.K = Atom::Kind::Called;
  Begun.Key = "begun by " + Method->getQualifiedNameAsString() + " " +
              Method->getType().getAsString();
  Begun.Text = Name;
  Begun.NegatedText = "not yet " + Name;
  AtomId Id = C.Atoms.intern(Begun);
  C.CalledFirst[Id] = Method;
  return Id;
}

State InvariantFinder::together(State Fresh,
                                llvm::ArrayRef<Beginning> Beginnings) {
  llvm::SmallVector<AtomId, 2> Atoms;
  for (const Beginning &B : Beginnings)
    Atoms.push_back(begunBy(B.Method));
  State All;
  auto Add = [&](const State &Part, size_t Which) {
    for (Disjunct D : Part.Disjuncts) {
      for (size_t I = 0; I < Atoms.size(); ++I)
        D.Path.add(Atoms[I], I == Which);
      All.Disjuncts.push_back(std::move(D));
    }
  };
  Add(Fresh, Beginnings.size());
  for (size_t I = 0; I < Beginnings.size(); ++I)
    Add(Beginnings[I].Members, I);
  Joiner.normalise(All);
  return All;
}

void InvariantFinder::find(const CXXRecordDecl *Class,
                           const ClassMethods &Methods) {
  std::optional<State> Made = afterConstruction(Class, Methods);
  if (!Made)
    return;
  auto Changing = changingMethods(Class, Methods);
  std::optional<State> Always = settle(Class, Changing, *Made);
  if (!Always)
    return;
  auto Beginnings = findBeginnings(Class, Changing, *Made, *Always);
  llvm::erase_if(Changing, [&](const FunctionDecl *Method) {
    return llvm::any_of(Beginnings,
                        [&](const Beginning &B) { return B.Method == Method; });
  });
  std::optional<State> Fresh =
      Beginnings.empty() ? std::nullopt : settle(Class, Changing, *Made);
  C.ClassInvariants[Class] =
      Fresh ? together(std::move(*Fresh), Beginnings) : *Always;
}

void InvariantFinder::run() {
  collect();
  collectOutsideWrites();
  for (const auto &[Class, Methods] : Classes)
    if (isClosed(Class, Methods))
      find(Class, Methods);
}

void tdl::findClassInvariants(FunctionContext &Context,
                              llvm::ArrayRef<const FunctionDecl *> Functions) {
  InvariantFinder(Context, Functions).run();
}
