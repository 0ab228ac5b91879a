//===- ClassInvariants.cpp - What always holds of an object's members ------===//
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

/// Whether a condition means the same in every method.
static bool isAboutProgram(const FunctionContext &C, AtomId Id) {
  auto Reads = C.AtomReads.find(Id);
  return Reads == C.AtomReads.end() || Reads->second.empty();
}

State InvariantFinder::membersOf(const CXXRecordDecl *Class,
                                 const State &Exit) {
  State Members;
  for (const Disjunct &D : Exit.Disjuncts) {
    Disjunct Kept(C.Factory.getEmptyMap());
    Kept.Facts = D.Facts;
    for (const PathCondition::Literal &L : D.Path.literals())
      if (isAboutProgram(C, L.first))
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

void InvariantFinder::find(const CXXRecordDecl *Class,
                           const ClassMethods &Methods) {
  State Invariant;
  if (Methods.Constructors.empty()) { // The compiler makes one.
    FunctionResult Unused;
    State Made = analyzeInitializers(C, Class, emptyState(C), Unused);
    Joiner.joinInto(Invariant, membersOf(Class, Made));
  }
  for (const FunctionDecl *Constructor : Methods.Constructors) {
    std::optional<State> Exit = executeFunction(C, Constructor, emptyState(C));
    if (!Exit)
      return;
    Joiner.joinInto(Invariant, membersOf(Class, *Exit));
  }
  // A const method may change what a member points to.
  bool MayChangeConst =
      llvm::any_of(Class->fields(), [](const FieldDecl *Field) {
        return Field->isMutable() || pointedClass(Field->getType());
      });
  /// More rounds than this mean that the members do not settle.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (Invariant.isUnreachable())
      return;
    bool Changed = false;
    for (const FunctionDecl *Method : Methods.Others) {
      if (cast<CXXMethodDecl>(Method)->isConst() && !MayChangeConst)
        continue;
      std::optional<State> Exit = executeFunction(C, Method, Invariant);
      if (!Exit)
        return;
      Changed |= Joiner.joinInto(Invariant, membersOf(Class, *Exit));
    }
    if (!Changed) {
      C.ClassInvariants[Class] = Invariant;
      return;
    }
  }
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
