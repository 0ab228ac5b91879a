//===- MovedModules.cpp - Methods of modules that were moved -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "summary/MovedModules.h"
#include "flow/FunctionAnalysis.h"
#include "flow/Syntax.h"
#include "summary/MemberSurvey.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

const LeftBehind *MovedModuleCall::memberBehind(const Value *V) const {
  const auto *Tensor = dyn_cast<TensorValue>(V);
  for (const Event *E = Tensor ? Tensor->Story : nullptr; E; E = E->PlaceFrom)
    for (const LeftBehind &Left : Members)
      if (llvm::is_contained(Left.Made, E))
        return &Left;
  return nullptr;
}

namespace {
/// A class and those of its methods that have a body here, in source order.
struct ModuleClass {
  llvm::SmallVector<const FunctionDecl *, 2> Constructors;
  llvm::SmallVector<const FunctionDecl *, 8> Methods;
};

/// A module at one moment: one disjunct, and what its members were given.
struct Moment {
  Disjunct State;
  std::vector<LeftBehind> Members;
};

class ModuleMover {
public:
  ModuleMover(FunctionContext &C,
              llvm::ArrayRef<const FunctionDecl *> Functions)
      : C(C), Functions(Functions), Survey(Functions) {}
  MovedModules run();

private:
  void collect();
  void analyzeClass(const CXXRecordDecl *Class, const ModuleClass &Methods);
  std::vector<Moment> construct(const CXXRecordDecl *Class,
                                const ModuleClass &Methods);
  void constructBases(const CXXRecordDecl *Class, State &Now,
                      FunctionResult &Result);
  void moveAndCall(const CXXRecordDecl *Class, const Moment &Before,
                   Place Target, const FunctionDecl *Method);
  void useFirst(const CXXRecordDecl *Class, const Moment &Made,
                const FunctionDecl *Method);
  void remake(const CXXRecordDecl *Class, const Moment &Made,
              const FunctionDecl *Method);
  void callAll(const CXXRecordDecl *Class, const Moment &Before, Place Target);

  Disjunct moved(const CXXRecordDecl *Class, const Disjunct &Before,
                 Place Target);
  void addInputs(const FunctionDecl *Function, Place Where, Disjunct &D);
  const Value *inputOf(QualType Type, Place Where, const ValueDecl *Parameter);
  Disjunct membersOf(const Disjunct &D, const FunctionDecl *Function);
  std::vector<LeftBehind> givenIn(const FunctionResult &Result,
                                  const Disjunct &Exit, bool AtFirstUse);
  std::optional<LeftBehind> leftBehindBy(const MemberAssignment &Given,
                                         const FunctionDecl *By,
                                         const Disjunct &Exit, bool AtFirstUse);
  bool stillHolds(const MemberAssignment &Given, const Disjunct &Exit,
                  llvm::SmallVectorImpl<const Event *> &Held);
  bool isEntry(const FunctionDecl *Method) const;
  /// Whether \p Method reads what another method gives the member anew, and so
  /// counts on that one having been called before.
  bool readsOtherCall(const FunctionDecl *Method, const LeftBehind &Left) const;
  bool movesByOwnTo(const CXXRecordDecl *Class, const FieldDecl *Member) const;
  bool hasState(const CXXRecordDecl *Class) const;
  void findReplaced(const FunctionDecl *Function);
  void addLateChildren(const FunctionResult &Result);

  FunctionContext &C;
  llvm::ArrayRef<const FunctionDecl *> Functions;
  MemberSurvey Survey;
  llvm::MapVector<const CXXRecordDecl *, ModuleClass> Classes;
  llvm::DenseMap<const CXXRecordDecl *, const Event *> Births;
  const CXXRecordDecl *Current = nullptr;
  llvm::SmallVector<const FunctionDecl *, 8> Entries; ///< Of Current.
  MovedModules Found;
};
} // namespace

/// A constructor or method leaves more disjuncts than are worth their time.
static constexpr unsigned MaxMoments = 3;

static Place cpu() { return Place::known(DeviceType::CPU); }
static Place cuda() { return Place::known(DeviceType::CUDA); }

void ModuleMover::collect() {
  for (const FunctionDecl *Function : Functions) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (!Method || Method->isStatic() || Method->getParent()->isLambda() ||
        !isModuleClass(Method->getParent()))
      continue;
    ModuleClass &Class = Classes[Method->getParent()];
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Method)) {
      if (!Constructor->isCopyOrMoveConstructor())
        Class.Constructors.push_back(Method);
    } else if (!isa<CXXDestructorDecl>(Method)) {
      Class.Methods.push_back(Method);
    }
  }
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// A tensor, list or tuple of tensors from outside at \p Where; null for other
/// types.
const Value *ModuleMover::inputOf(QualType Type, Place Where,
                                  const ValueDecl *Parameter) {
  if (torchTypeOf(Type) == TorchType::Tensor) {
    Event E;
    E.Kind = StepKind::Input;
    E.Declaration = Parameter;
    E.After = Where;
    // What a module gets is a batch, hardly ever a scalar.
    E.Dimensions = Rank::atLeastOne();
    const Event &Made = C.Stories.add(std::move(E));
    return C.Arena.make<TensorValue>(Where, Made.Dimensions,
                                     ElementType::Unknown, &Made);
  }
  if (isTensorList(Type)) {
    const Value *Element =
        inputOf(elementTypeOf(Type.getNonReferenceType()), Where, Parameter);
    if (!Element)
      return nullptr;
    auto *List = C.Arena.make<ListValue>(Element);
    List->IsExact = false;
    return List;
  }
  llvm::SmallVector<QualType, 4> Types = tupleTypes(Type);
  if (Types.empty())
    return nullptr;
  llvm::SmallVector<const Value *, 4> Parts;
  for (QualType Part : Types) {
    const Value *V = inputOf(Part, Where, Parameter);
    if (!V)
      return nullptr;
    Parts.push_back(V);
  }
  return C.Arena.make<ListValue>(Parts);
}

/// Whether \p Function places what it computes from \p Parameter itself, so
/// that nothing is known of where its caller has it.
static bool placesInput(const FunctionDecl *Function,
                        const ParmVarDecl *Parameter) {
  llvm::DenseSet<const ValueDecl *> Derived = {Parameter};
  auto Mentions = [&](const Expr *Whole) {
    llvm::SmallVector<const Stmt *, 16> Pending = {Whole};
    while (!Pending.empty()) {
      const Stmt *S = Pending.pop_back_val();
      if (!S)
        continue;
      if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
        if (Derived.contains(Reference->getDecl()))
          return true;
      // x.size(0), x.options(): no tensor.
      const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
      if (Call && torchTypeOf(Call->getType()) != TorchType::Tensor &&
          torchTypeOf(Call->getObjectType()) == TorchType::Tensor)
        continue;
      for (const Stmt *Child : S->children())
        Pending.push_back(Child);
    }
    return false;
  };
  llvm::SmallVector<const Stmt *, 64> All = {Function->getBody()};
  for (size_t I = 0; I < All.size(); ++I)
    for (const Stmt *Child : All[I]->children())
      if (Child)
        All.push_back(Child);
  /// Longer chains of variables are not followed.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round < MaxRounds; ++Round)
    for (const Stmt *S : All) {
      if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
        for (const Decl *Part : Declaration->decls())
          if (const auto *Variable = dyn_cast<VarDecl>(Part))
            if (Variable->getInit() && Mentions(Variable->getInit()))
              Derived.insert(Variable);
      } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S)) {
        if (Operator->getOperator() == OO_Equal &&
            Mentions(Operator->getArg(1)))
          if (const auto *Target =
                  dyn_cast<DeclRefExpr>(skipNoise(Operator->getArg(0))))
            Derived.insert(Target->getDecl());
      }
    }
  for (const Stmt *S : All) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(S);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    if (!Method || !Method->getIdentifier() ||
        torchTypeOf(Call->getObjectType()) != TorchType::Tensor)
      continue;
    bool IsMove = llvm::StringSwitch<bool>(Method->getName())
                      .Cases({"cuda", "cpu"}, true)
                      .Default(false);
    if (Method->getName() == "to")
      for (const Expr *Argument : Call->arguments()) {
        TorchType Type = torchTypeOf(Argument->getType());
        IsMove |= !isa<CXXDefaultArgExpr>(Argument) &&
                  (Type == TorchType::Device || Type == TorchType::DeviceType ||
                   Type == TorchType::Options || Type == TorchType::Tensor);
      }
    if (IsMove && Mentions(Call->getImplicitObjectArgument()))
      return true;
  }
  return false;
}

void ModuleMover::addInputs(const FunctionDecl *Function, Place Where,
                            Disjunct &D) {
  for (const ParmVarDecl *Parameter : Function->parameters()) {
    const Value *V = inputOf(Parameter->getType(), Where, Parameter);
    if (!V)
      continue;
    if (!isa<CXXConstructorDecl>(Function) && placesInput(Function, Parameter))
      V = C.Arena.unknown();
    C.Storage.unbindReference(Parameter);
    D.Env = C.Factory.add(D.Env, C.Storage.ofVariable(Parameter), V);
  }
}

/// Whether a condition means the same in every method.
static bool isAboutProgram(const FunctionContext &C, AtomId Id) {
  auto Reads = C.AtomReads.find(Id);
  return Reads == C.AtomReads.end() || Reads->second.empty();
}

/// What of \p D outlives \p Function.
Disjunct ModuleMover::membersOf(const Disjunct &D,
                                const FunctionDecl *Function) {
  Disjunct Kept(C.Factory.getEmptyMap());
  Kept.Facts = D.Facts;
  for (const PathCondition::Literal &L : D.Path.literals())
    if (isAboutProgram(C, L.first))
      Kept.Path.add(L.first, L.second);
  for (const auto &Entry : D.Env)
    if (!Function || !C.Storage.belongsTo(Entry.first, Function))
      Kept.Env = C.Factory.add(Kept.Env, Entry.first, Entry.second);
  return Kept;
}

Disjunct ModuleMover::moved(const CXXRecordDecl *Class, const Disjunct &Before,
                            Place Target) {
  Disjunct After = Before;
  LocationId State = C.Storage.ofState(C.Storage.ofThis());
  Event E;
  E.Kind = StepKind::Move;
  E.Op = "to";
  E.IsModuleState = true;
  E.After = Target;
  EventArgument Module;
  Module.Name = "module";
  Module.Kind = StepArgument::Kind::Tensor;
  Module.Events = {Births.lookup(Class)};
  EventArgument Device;
  Device.Name = "device";
  Device.Kind = StepArgument::Kind::Device;
  Device.Text = Target.str();
  E.Arguments = {Module, Device};
  const Event &Made = C.Stories.add(std::move(E));
  After.Env =
      C.Factory.add(After.Env, State,
                    C.Arena.make<TensorValue>(Target, Rank::unknown(),
                                              ElementType::Unknown, &Made));
  return After;
}

//===----------------------------------------------------------------------===//
// What members were given
//===----------------------------------------------------------------------===//

static void addEvents(const Value *V,
                      llvm::SmallVectorImpl<const Event *> &To) {
  if (const auto *Tensor = dyn_cast<TensorValue>(V)) {
    if (Tensor->Story && !Tensor->IsUndefined && !Tensor->Where.isUnknown() &&
        !llvm::is_contained(To, Tensor->Story))
      To.push_back(Tensor->Story);
  } else if (const auto *List = dyn_cast<ListValue>(V)) {
    for (const Value *Element : List->Elements)
      addEvents(Element, To);
  } else if (const auto *Map = dyn_cast<MapValue>(V)) {
    for (const auto &[Key, Entry] : Map->Entries)
      addEvents(Entry, To);
    if (Map->Others)
      addEvents(Map->Others, To);
  } else if (const auto *Record = dyn_cast<RecordValue>(V)) {
    for (const auto &[Field, Part] : Record->Fields)
      addEvents(Part, To);
  }
}

/// Whether the two are one expression of the program, executed once more.
static bool isSameMaking(const Event *A, const Event *B) {
  return A == B || (A->Site && A->Site == B->Site && A->Op == B->Op);
}

/// Whether the member still has what it was given; then adds the events of what
/// it has to \p Held. Elements of containers are taken to stay.
bool ModuleMover::stillHolds(const MemberAssignment &Given,
                             const Disjunct &Exit,
                             llvm::SmallVectorImpl<const Event *> &Held) {
  llvm::SmallVector<const Event *, 2> Ours;
  addEvents(Given.What, Ours);
  bool Holds = Given.IsElement;
  LocationId Whole = C.Storage.ofMember(C.Storage.ofThis(), Given.Member);
  for (LocationId Part : C.Storage.subtree(Whole)) {
    const Value *const *Now = Exit.Env.lookup(Part);
    if (!Now)
      continue;
    llvm::SmallVector<const Event *, 2> Theirs;
    addEvents(*Now, Theirs);
    for (const Event *Their : Theirs)
      if (llvm::any_of(Ours, [&](const Event *Our) {
            return isSameMaking(Our, Their);
          })) {
        Holds = true;
        Held.push_back(Their);
      }
    const auto *Pointer = dyn_cast<PointerValue>(*Now);
    const auto *Was = dyn_cast<PointerValue>(Given.What);
    Holds |= Pointer && Was && Pointer->Target == Was->Target;
  }
  return Holds;
}

static bool isModuleContainer(const CXXRecordDecl *Class) {
  return llvm::StringSwitch<bool>(moduleOp(Class))
      .Cases({"nn::ModuleList", "nn::ModuleDict", "nn::Sequential"}, true)
      .Default(false);
}

/// fc = register_module(...), a copy of what such a call returns.
static bool isRegistration(const Expr *Source) {
  const auto *Call = dyn_cast<CallExpr>(withoutCopies(Source));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && isTorchDecl(Callee) &&
         Callee->getName().starts_with("register_");
}

/// Whether \p V is a tensor that the program made itself: a new one, which no
/// module has registered before.
static bool isNew(const TensorValue &V) {
  const Event *E = V.Story;
  while (E && E->Kind == StepKind::InPlace && E->PlaceFrom)
    E = E->PlaceFrom;
  if (!E || E->IsModuleState || E->Kind == StepKind::Input)
    return false;
  if (E->Kind == StepKind::Move) {
    // A tensor that is there already is not copied.
    const Event *Self = E->Arguments.empty() || E->Arguments[0].Events.empty()
                            ? nullptr
                            : E->Arguments[0].Events[0];
    return Self && !(Self->After == E->After);
  }
  return true;
}

std::optional<LeftBehind>
ModuleMover::leftBehindBy(const MemberAssignment &Given, const FunctionDecl *By,
                          const Disjunct &Exit, bool AtFirstUse) {
  const auto *Member = dyn_cast<FieldDecl>(Given.Member);
  LeftBehind Left;
  if (!Member || !Given.IsOwn || !Given.At.isValid() ||
      isRegistration(Given.Source) || !stillHolds(Given, Exit, Left.Made))
    return std::nullopt;
  MemberHabits Habits = Survey.habitsOf(Member);
  Left.Member = Member;
  Left.Given = Given;
  const CXXRecordDecl *Held = pointedClass(Member->getType());
  bool IsContainer = isModuleContainer(Held);
  if (IsContainer && Given.IsImplicit)
    return std::nullopt; // Nothing is in it yet.
  if (IsContainer && Given.IsElement) {
    // list->push_back(...): the container has what it was given.
    const Value *const *Now =
        Exit.Env.lookup(C.Storage.ofMember(C.Storage.ofThis(), Member));
    const auto *Container = Now ? dyn_cast<PointerValue>(*Now) : nullptr;
    if (!Container || !Given.State)
      return std::nullopt;
    Left.Given.What = Container;
    Left.Given.IsElement = false;
  }
  if (Given.State) {
    Left.IsModule = true;
    if (Given.State->Story && !Given.State->IsUndefined)
      Left.Made.push_back(Given.State->Story);
  } else {
    addEvents(Given.What, Left.Made);
  }
  Left.IsAssignedOnce = Habits.Givings == (Given.IsInitializer ? 0 : 1);
  if (Left.Made.empty() || Habits.FollowsItself)
    return std::nullopt;
  if (Habits.MayBeRegistered) {
    // What the same function registers by the member's name is the new one.
    bool NamedAgain =
        llvm::any_of(Habits.RegisteredIn, [&](const FunctionDecl *In) {
          return !In || !By || isa<CXXConstructorDecl>(By) || In == By ||
                 In->getSourceRange().fullyContains(
                     SourceRange(Given.At, Given.At));
        });
    const auto *Tensor = dyn_cast<TensorValue>(Given.What);
    bool IsReplaced =
        Habits.IsRegistered && !Given.IsElement &&
        ((Tensor && isNew(*Tensor)) || (Left.IsModule && !NamedAgain));
    if (!IsReplaced)
      return std::nullopt;
    Left.Reason = LeftBehindReason::Replaced;
    return Left;
  }
  if (Habits.IsReassignedMoved)
    return std::nullopt;
  if (AtFirstUse) {
    if (!Habits.IsKept || Habits.IsRenewed || Habits.IsCarried ||
        Habits.ComparesDevices)
      return std::nullopt;
    Left.Reason = LeftBehindReason::Kept;
  }
  return Left;
}

std::vector<LeftBehind> ModuleMover::givenIn(const FunctionResult &Result,
                                             const Disjunct &Exit,
                                             bool AtFirstUse) {
  std::vector<LeftBehind> Members;
  for (const MemberAssignment &Given : Result.Assignments)
    if (std::optional<LeftBehind> Left =
            leftBehindBy(Given, Result.Function, Exit, AtFirstUse))
      Members.push_back(std::move(*Left));
  return Members;
}

//===----------------------------------------------------------------------===//
// The three stories
//===----------------------------------------------------------------------===//

/// Whether others call \p Method: what its own class alone calls is executed in
/// its callers.
bool ModuleMover::isEntry(const FunctionDecl *Method) const {
  const auto *Of = cast<CXXMethodDecl>(Method);
  if (Survey.isCalledByConstructor(Method) || isa<CXXConversionDecl>(Of))
    return false;
  return Of->getAccess() == AS_public || !Survey.isCalledByOwnClass(Method);
}

/// The class registers something: to() has an effect of its own.
bool ModuleMover::hasState(const CXXRecordDecl *Class) const {
  for (const FieldDecl *Field : Class->fields())
    if (Survey.habitsOf(Field).MayBeRegistered)
      return true;
  for (const CXXBaseSpecifier &Base : Class->bases()) {
    const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
    if (Of && !isStandardOrTorch(Of) && hasState(Of))
      return true;
  }
  return false;
}

/// What the default constructors of the bases of \p Class leave, whose own the
/// compiler makes. Adds to \p Now and \p Result.
void ModuleMover::constructBases(const CXXRecordDecl *Class, State &Now,
                                 FunctionResult &Result) {
  for (const CXXBaseSpecifier &Base : Class->bases()) {
    const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
    auto Known = Of ? Classes.find(Of) : Classes.end();
    if (Known == Classes.end())
      continue;
    if (Known->second.Constructors.empty()) {
      constructBases(Of, Now, Result);
      Now = analyzeInitializers(C, Of, Now, Result);
      continue;
    }
    for (const FunctionDecl *Constructor : Known->second.Constructors)
      if (Constructor->getMinRequiredArguments() == 0)
        if (std::optional<State> Exit =
                analyzeFrom(C, Constructor, Now, Result)) {
          Now = *Exit;
          break;
        }
  }
}

std::vector<Moment> ModuleMover::construct(const CXXRecordDecl *Class,
                                           const ModuleClass &Methods) {
  Event Born;
  Born.Kind = StepKind::Module;
  Born.Op = Class->getNameAsString();
  Born.IsModuleState = true;
  Born.After = cpu();
  const Event &Birth = C.Stories.add(std::move(Born));
  Births[Class] = &Birth;
  auto Start = [&](const FunctionDecl *Constructor) {
    State Begin = emptyState(C);
    Disjunct &D = Begin.Disjuncts.front();
    D.Env =
        C.Factory.add(D.Env, C.Storage.ofState(C.Storage.ofThis()),
                      C.Arena.make<TensorValue>(cpu(), Rank::unknown(),
                                                ElementType::Unknown, &Birth));
    if (Constructor && hasState(Class))
      addInputs(Constructor, cpu(), D);
    return Begin;
  };
  std::vector<Moment> Made;
  auto Add = [&](const FunctionResult &Result, const State &Exit,
                 const FunctionDecl *Constructor) {
    for (const Disjunct &D :
         llvm::ArrayRef(Exit.Disjuncts).take_front(MaxMoments))
      Made.push_back({membersOf(D, Constructor),
                      givenIn(Result, D, /*AtFirstUse=*/false)});
  };
  C.Storage.setThis(std::nullopt);
  if (Methods.Constructors.empty()) {
    FunctionResult Result;
    State Begin = Start(nullptr);
    constructBases(Class, Begin, Result);
    State Exit = analyzeInitializers(C, Class, Begin, Result);
    Result.Function = nullptr;
    Add(Result, Exit, nullptr);
  }
  for (const FunctionDecl *Constructor : Methods.Constructors) {
    FunctionResult Result;
    if (std::optional<State> Exit =
            analyzeFrom(C, Constructor, Start(Constructor), Result))
      Add(Result, *Exit, Constructor);
  }
  return Made;
}

/// What a member holds where an analysis loses track of its elements.
static const Value *contentOf(ValueArena &Arena, const LeftBehind &Left) {
  const Value *One = Left.Given.What;
  if (!Left.Given.IsElement)
    return isa<ListValue, MapValue, PointerValue>(One) ? One : nullptr;
  if (isMap(Left.Member->getType())) {
    auto *Map = Arena.make<MapValue>();
    Map->Others = One;
    return Map;
  }
  auto *List = Arena.make<ListValue>(One);
  List->IsExact = false;
  return List;
}

bool ModuleMover::readsOtherCall(const FunctionDecl *Method,
                                 const LeftBehind &Left) const {
  MemberHabits Habits = Survey.habitsOf(Left.Member);
  auto Of = Classes.find(cast<CXXRecordDecl>(Left.Member->getParent()));
  if (Left.Reason != LeftBehindReason::Unregistered || !Habits.IsRenewed ||
      Habits.IsCarried || Of == Classes.end() ||
      Survey.assignedIn(Method).contains(Left.Member))
    return false;
  return llvm::any_of(Of->second.Methods, [&](const FunctionDecl *Other) {
    return !Survey.isCalledByConstructor(Other) &&
           Survey.assignedIn(Other).contains(Left.Member);
  });
}

/// Whether \p Class has a to() of its own that assigns \p Member: whoever moves
/// the module moves that too.
bool ModuleMover::movesByOwnTo(const CXXRecordDecl *Class,
                               const FieldDecl *Member) const {
  return llvm::any_of(Class->methods(), [&](const CXXMethodDecl *Method) {
    const FunctionDecl *Body = nullptr;
    return Method->getIdentifier() && Method->getName() == "to" &&
           Method->hasBody(Body) && Survey.assignedIn(Body).contains(Member);
  });
}

void ModuleMover::moveAndCall(const CXXRecordDecl *Class, const Moment &Before,
                              Place Target, const FunctionDecl *Method) {
  const llvm::DenseSet<const FieldDecl *> &Named = Survey.namedIn(Method);
  if (llvm::none_of(Before.Members, [&](const LeftBehind &Left) {
        return Named.contains(Left.Member);
      }))
    return;
  MovedModule Assumed;
  llvm::DenseSet<const Event *> Lasting;
  State Start;
  Start.Disjuncts.push_back(moved(Class, Before.State, Target));
  Disjunct &D = Start.Disjuncts.front();
  for (const LeftBehind &Left : Before.Members) {
    const Value *&Content = Assumed.Members[Left.Member];
    if (!Content)
      Content = contentOf(C.Arena, Left);
    for (const Event *E : Left.Made)
      Lasting.insert(E);
    // The state of a submodule is an object of its own.
    if (const auto *Pointer = dyn_cast<PointerValue>(Left.Given.What);
        Pointer && Left.Given.State)
      D.Env = C.Factory.add(D.Env, C.Storage.ofState(Pointer->Target),
                            Left.Given.State);
    LocationId Location = C.Storage.ofMember(C.Storage.ofThis(), Left.Member);
    if (Left.Given.IsElement)
      D.Env = C.Factory.remove(D.Env, Location);
    // A device that only has a name may be any; what replaced a registered
    // tensor is not moved by whoever moves the module next.
    for (const Event *E : Left.Made)
      if (Left.Reason == LeftBehindReason::Replaced && E->After.isSymbol())
        D.Facts.assumeDifferent(E->After, Target);
  }
  addInputs(Method, Target, D);
  MovedModuleCall Call;
  Call.Class = Class;
  Call.Target = Target;
  llvm::copy_if(Before.Members, std::back_inserter(Call.Members),
                [&](const LeftBehind &Left) {
                  return !readsOtherCall(Method, Left) &&
                         !movesByOwnTo(Class, Left.Member);
                });
  if (Call.Members.empty())
    return;
  C.Assumed = &Assumed;
  C.Arena.setLasting(&Lasting);
  std::optional<State> Exit = analyzeFrom(C, Method, Start, Call.Result);
  C.Arena.setLasting(nullptr);
  C.Assumed = nullptr;
  if (!Exit)
    return;
  Found.Calls.push_back(std::move(Call));
}

void ModuleMover::callAll(const CXXRecordDecl *Class, const Moment &Before,
                          Place Target) {
  for (const FunctionDecl *Method : Entries)
    moveAndCall(Class, Before, Target, Method);
}

/// Whether some of \p Members is not beside a CPU or CUDA module at \p Target.
static bool isElsewhere(const LeftBehind &Left, Place Target) {
  PlaceFacts NoFacts;
  return llvm::any_of(Left.Made, [&](const Event *E) {
    return NoFacts.compare(E->After, Target) == Agreement::Different ||
           (Left.Reason == LeftBehindReason::Replaced && E->After.isSymbol());
  });
}

static std::vector<LeftBehind> elsewhere(const std::vector<LeftBehind> &Members,
                                         Place Target) {
  std::vector<LeftBehind> Left;
  for (const LeftBehind &One : Members)
    if (isElsewhere(One, Target))
      Left.push_back(One);
  return Left;
}

/// The method is called while the module is on the CPU; then the module moves.
void ModuleMover::useFirst(const CXXRecordDecl *Class, const Moment &Made,
                           const FunctionDecl *Method) {
  State Start;
  Start.Disjuncts.push_back(Made.State);
  addInputs(Method, cpu(), Start.Disjuncts.front());
  FunctionResult Result;
  C.Arena.setDefinedLasts(true);
  std::optional<State> Exit = analyzeFrom(C, Method, Start, Result);
  C.Arena.setDefinedLasts(false);
  if (!Exit)
    return;
  for (const Disjunct &D :
       llvm::ArrayRef(Exit->Disjuncts).take_front(MaxMoments)) {
    Moment Used{membersOf(D, Method), givenIn(Result, D, /*AtFirstUse=*/true)};
    for (Place Target : {cuda(), cpu()}) {
      Moment Left{Used.State, elsewhere(Used.Members, Target)};
      // Back on the CPU only what replaced a registered tensor is a fault of
      // its own: a device that is written out is meant for one machine.
      if (Target.isCPU())
        llvm::erase_if(Left.Members, [](const LeftBehind &One) {
          return One.Reason != LeftBehindReason::Replaced;
        });
      callAll(Class, Left, Target);
    }
  }
}

/// Whether \p Method takes and returns tensors.
static bool computes(const FunctionDecl *Method) {
  auto IsTensors = [](QualType Type) {
    return torchTypeOf(Type) == TorchType::Tensor || isTensorList(Type) ||
           !tupleTypes(Type).empty();
  };
  return IsTensors(Method->getReturnType()) &&
         llvm::any_of(Method->parameters(), [&](const ParmVarDecl *Parameter) {
           return IsTensors(Parameter->getType());
         });
}

/// The method is called after the move; what it makes on the CPU all the same
/// meets the module in another method.
void ModuleMover::remake(const CXXRecordDecl *Class, const Moment &Made,
                         const FunctionDecl *Method) {
  State Start;
  Start.Disjuncts.push_back(moved(Class, Made.State, cuda()));
  addInputs(Method, cuda(), Start.Disjuncts.front());
  FunctionResult Result;
  std::optional<State> Exit = analyzeFrom(C, Method, Start, Result);
  if (!Exit)
    return;
  // A method that computes something makes children when they are first needed;
  // others are called while the module is built.
  if (computes(Method))
    addLateChildren(Result);
  for (const Disjunct &D :
       llvm::ArrayRef(Exit->Disjuncts).take_front(MaxMoments)) {
    Moment Used{membersOf(D, Method), givenIn(Result, D, /*AtFirstUse=*/false)};
    Used.Members = elsewhere(Used.Members, cuda());
    for (const FunctionDecl *Other : Entries)
      if (Other != Method)
        moveAndCall(Class, Used, cuda(), Other);
  }
}

void ModuleMover::analyzeClass(const CXXRecordDecl *Class,
                               const ModuleClass &Methods) {
  if (!Survey.isUnderstood(Class) ||
      (Survey.isWholeProgram() && !Survey.isMoved(Class)))
    return;
  Current = Class;
  Entries.clear();
  for (const FunctionDecl *Method : Methods.Methods)
    if (isEntry(Method))
      Entries.push_back(Method);
  for (const Moment &Made : construct(Class, Methods)) {
    for (Place Target : {cuda(), cpu()}) {
      Moment Left{Made.State, elsewhere(Made.Members, Target)};
      if (Target.isCPU())
        llvm::erase_if(Left.Members, [](const LeftBehind &One) {
          return One.Reason != LeftBehindReason::Replaced;
        });
      callAll(Class, Left, Target);
    }
    for (const FunctionDecl *Method : Entries) {
      bool Assigns =
          llvm::any_of(Survey.assignedIn(Method), [](const FieldDecl *Field) {
            return holdsTensorsOrModules(Field->getType());
          });
      if (!Assigns && !Survey.registers(Method))
        continue;
      useFirst(Class, Made, Method);
      remake(Class, Made, Method);
    }
  }
}

//===----------------------------------------------------------------------===//
// From outside the class
//===----------------------------------------------------------------------===//

/// net->fc = Linear(...), layer->weight = tensor: what is registered stays what
/// it was.
void ModuleMover::findReplaced(const FunctionDecl *Function) {
  FunctionResult Result = analyzeFunction(C, Function);
  if (Result.GivenUp)
    return;
  for (const MemberAssignment &Given : Result.Assignments) {
    const auto *Member = dyn_cast<FieldDecl>(Given.Member);
    bool IsHere = Function->getSourceRange().fullyContains(
        SourceRange(Given.At, Given.At));
    if (!Member || !Given.IsForeign || Given.IsElement || !IsHere ||
        isRegistration(Given.Source))
      continue;
    const auto *Class = cast<CXXRecordDecl>(Member->getParent());
    MemberHabits Habits = Survey.habitsOf(Member);
    bool IsRegistered = isTorchDecl(Class) ||
                        (Habits.IsRegistered && Survey.isUnderstood(Class));
    bool IsMovable = !Survey.isWholeProgram() || isTorchDecl(Class)
                         ? Survey.movesAnyModule() || !Survey.isWholeProgram()
                         : Survey.isMoved(Class);
    if (!IsRegistered || !IsMovable ||
        llvm::is_contained(Habits.RegisteredIn, Function))
      continue;
    LeftBehind Left;
    Left.Member = Member;
    Left.Given = Given;
    Left.Reason = LeftBehindReason::Replaced;
    const auto *Tensor = dyn_cast<TensorValue>(Given.What);
    if (Given.State && !Given.State->IsUndefined && Given.State->Story &&
        Given.State->Where == cpu()) {
      Left.IsModule = true;
      Left.Made.push_back(Given.State->Story);
    } else if (Tensor && !Tensor->IsUndefined && isNew(*Tensor)) {
      // On a device that is written out it may be where it is meant to be, but
      // a parameter that is replaced by its own copy no longer is one.
      bool IsOwnCopy = Tensor->Story->Kind == StepKind::Move;
      if (!(Tensor->Where == cpu()) && !IsOwnCopy)
        continue;
      Left.Made.push_back(Tensor->Story);
    } else {
      continue;
    }
    Found.Replaced.push_back({Function, std::move(Left)});
  }
}

/// A child or tensor that is registered after the move, and not moved later in
/// the same function.
void ModuleMover::addLateChildren(const FunctionResult &Result) {
  for (const LateRegistration &Late : Result.LateRegistrations) {
    const Expr *Site = Late.Chain.empty() ? Late.Call : Late.Chain.front();
    bool IsOnHost = Late.Tensor->Where == cpu();
    if (!IsOnHost ||
        Survey.movesModuleAfter(Result.Function, Site->getExprLoc()) ||
        (isa<TensorValue>(Late.Added) && !isNew(*Late.Tensor)))
      continue;
    Found.LateChildren.push_back({Result.Function, Late});
  }
}

MovedModules ModuleMover::run() {
  collect();
  for (const auto &[Class, Methods] : Classes)
    analyzeClass(Class, Methods);
  for (const FunctionDecl *Function : Functions) {
    if (Survey.assignsForeign().contains(Function))
      findReplaced(Function);
    if (Survey.registersAndMoves(Function))
      addLateChildren(analyzeFunction(C, Function));
  }
  return std::move(Found);
}

MovedModules
tdl::findMovedModules(FunctionContext &Context,
                      llvm::ArrayRef<const FunctionDecl *> Functions) {
  return ModuleMover(Context, Functions).run();
}
