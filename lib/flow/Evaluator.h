//===- Evaluator.h - Gives expressions values and statements effects ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer function, as one class in several files: Evaluator.cpp (which
// expression is what), Statements.cpp (declarations, assignments, what a call
// may change), Operations.cpp (rows of the contract table), Moves.cpp (to,
// cuda, cpu), Factories.cpp (devices, options, tensor, from_blob),
// Conditions.cpp (formulas and what a branch establishes), Objects.cpp
// (objects, copies, pointers), Containers.cpp (lists, maps and what names a
// part of one), Walks.cpp (loops that change a list element by element),
// Modules.cpp, ScriptModules.cpp and Loaders.cpp (LibTorch's modules and data
// loaders), Runners.cpp (what runs a module besides its forward), IValues.cpp
// (what scripts take and give), Loads.cpp (files),
// Optimizers.cpp, Undefined.cpp (tensors that are
// not there), Calls.cpp (calls that are followed). Knows no check.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_EVALUATOR_H
#define TDL_FLOW_EVALUATOR_H

#include "flow/ContractRules.h"
#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include "torch/Callee.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace clang {
class BinaryOperator;
class CallExpr;
class CXXConstructExpr;
class CXXConstructorDecl;
class CXXCtorInitializer;
class CXXMemberCallExpr;
class CXXNewExpr;
class CXXOperatorCallExpr;
class CXXRecordDecl;
class InitListExpr;
class LambdaCapture;
class LambdaExpr;
class MemberExpr;
class QualType;
class DecompositionDecl;
class DeclStmt;
class Expr;
class FieldDecl;
class ParmVarDecl;
class Stmt;
class SwitchCase;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace tdl {

/// One argument of a call, under its parameter's name.
struct BoundArgument {
  llvm::StringRef Name;
  const clang::Expr *Source = nullptr;
  const Value *What = nullptr; ///< Never null.
  bool IsDefault = false;      ///< Not written in the call.
};

/// A call of an operator by its name.
struct DispatchedCall {
  TorchCallee Callee; ///< Empty: none, or one without a row or names.
  llvm::SmallVector<llvm::StringRef, 6> Parameters;
};

/// What the elements of a list of any length may be, where one of them is put
/// in where a loop's counter is such and another where it is not: both are in
/// the list once the loop has met both cases.
struct MixedList {
  const TensorValue *First = nullptr, *Second = nullptr; ///< Null: no such.
  /// What tells the second case from the first.
  PathCondition::Literal Told = {};
};

/// The calls from the function under analysis down to the one that is being
/// followed, outermost first.
using CallChain = llvm::SmallVector<const clang::Expr *, 4>;

/// A call that is followed into its callee.
struct FollowedCall {
  const clang::Expr *Site = nullptr;           ///< The call or construction.
  const clang::FunctionDecl *Callee = nullptr; ///< Has a body.
  llvm::SmallVector<const clang::Expr *, 4> Arguments; ///< By parameter.
  /// Where the callee's *this is; none for a function without one, and for a
  /// lambda, whose *this is the one around it.
  std::optional<LocationId> This;
  /// What the caller gets: what the callee returns; for a constructor, a copy
  /// of the object that it made, also where that becomes an element of a list,
  /// a pointer to it, or nothing (a base's).
  enum class Outcome : uint8_t { Returned, Object, Element, Pointer, None };
  Outcome Result = Outcome::Returned;
  /// The part of a list or map that This stands for, to be written back; null
  /// where there is none.
  const clang::Expr *ObjectPart = nullptr;
  /// The lambda that is called; null for any other callee.
  const clang::LambdaExpr *Lambda = nullptr;
};

class Evaluator {
public:
  /// What the expressions of a block were found to be.
  using Cache = llvm::DenseMap<const clang::Expr *, const Value *>;

  explicit Evaluator(FunctionContext &Context) : C(Context) {}

  /// Starts a block: forgets what the last one evaluated.
  void beginBlock() { Cached.clear(); }
  const Cache &cache() const { return Cached; }
  void setCache(Cache Values) { Cached = std::move(Values); }

  /// The call that \p S is, if its callee's body is at hand.
  std::optional<FollowedCall> followable(const clang::Stmt *S, Disjunct &D);
  /// Gives the callee's parameters their values, in \p D.
  void bindParameters(const FollowedCall &Call, Disjunct &D);
  /// \p Variable may hold anything of its type.
  void forgetVariable(const clang::ValueDecl *Variable, Disjunct &D);
  /// The members of *this may hold anything of their types.
  void forgetMembers(Disjunct &D) { forgetShared(/*MembersToo=*/true, D); }
  /// A lambda that captured a copy keeps the value of then: what the function
  /// assigns again is not known in it.
  void hideCopies(const FollowedCall &Call, const BodyFacts &Caller,
                  Disjunct &D);
  /// Gives the captured variables the values back that they had before the
  /// call.
  void restoreCopies(const FollowedCall &Call, const BodyFacts &Caller,
                     Disjunct &Before, Disjunct &D);
  /// What the callee may have changed behind the analysis's back.
  void forgetUntracked(const FollowedCall &Call, const BodyFacts &Callee,
                       Disjunct &D);
  /// Takes the callee's variables, and conditions on them, out of \p D;
  /// returns the value that the callee returned.
  const Value *leaveCallee(const FollowedCall &Call, Disjunct &D);

  /// Where records go; null while the fixpoint is sought.
  void setSink(FunctionResult *Result) { Sink = Result; }
  /// The calls from the function under analysis to this one.
  void setChain(CallChain CallsAround) { Chain = std::move(CallsAround); }

  /// Variables that lambdas or pointers may change behind our back.
  void setUntracked(llvm::DenseSet<const clang::ValueDecl *> Variables,
                    bool MembersToo) {
    Untracked = std::move(Variables);
    MembersUntracked = MembersToo;
  }
  const llvm::DenseSet<const clang::ValueDecl *> &untracked() const {
    return Untracked;
  }
  /// What is known of the body that is executed; outlives the evaluator.
  void setBody(const BodyFacts &Facts) { Body = &Facts; }
  /// Whether what is executed from now on may have been executed before on the
  /// same path: it is in a loop, or the start is what a method left.
  void setMayRepeat(bool May) { MayRepeat = May; }
  bool mayRepeat() const { return MayRepeat; }
  /// The function whose body is executed.
  void setFunction(const clang::FunctionDecl *Executed) { Function = Executed; }

  /// The result of a call of which nothing is known: a tensor or device at a
  /// symbol of its own.
  const Value *opaqueResult(const clang::CallExpr *Call, Disjunct &D);

  /// Runs one statement or expression that is an element of a CFG block.
  void execute(const clang::Stmt *S, Disjunct &D);
  void execute(const clang::CXXCtorInitializer *Initializer, Disjunct &D);
  /// Gives the members of *this, of \p Class, what their initialisers in the
  /// class say.
  void initializeMembers(const clang::CXXRecordDecl *Class, Disjunct &D);
  /// Keeps the value of an arm of a conditional operator for the block that
  /// joins the arms.
  void keepArm(const clang::Expr *Arm, Disjunct &D);

  /// The value of \p E; never null. Does not change what variables hold.
  const Value *evaluate(const clang::Expr *E, Disjunct &D);

  /// The condition that \p E is.
  const Formula *formulaOf(const clang::Expr *E, Disjunct &D);

  /// \p D where \p F is \p Holds: none, one, or several where a disjunction
  /// splits it.
  llvm::SmallVector<Disjunct, 2> assume(const Formula *F, bool Holds,
                                        const Disjunct &D);

  /// Where a loop that changes a list element by element begins a round.
  void beginRound(const clang::Stmt *Loop, Disjunct &D);
  /// What \p Loop walked over is now what its rounds made of it. False where
  /// the loop cannot end yet: it has elements, and no round was executed.
  bool endWalk(const clang::Stmt *Loop, Disjunct &D);

  /// The condition under which a switch over \p Condition jumps to \p Label.
  const Formula *caseFormula(const clang::Expr *Condition,
                             const clang::SwitchCase *Label, Disjunct &D);

private:
  // Evaluator.cpp
  const Value *compute(const clang::Expr *E, Disjunct &D);
  void recordTensor(const clang::Expr *E, const Value *V, Disjunct &D);
  const Value *evaluateVariable(const clang::Expr *E, Disjunct &D);
  const Value *evaluateConstruct(const clang::CXXConstructExpr *E, Disjunct &D);
  const Value *evaluateExample(const clang::CXXConstructExpr *E, Disjunct &D);
  const Value *evaluateConditional(const clang::Expr *E,
                                   const clang::Expr *Then,
                                   const clang::Expr *Else, Disjunct &D);
  const Value *evaluateList(llvm::ArrayRef<const clang::Expr *> Elements,
                            Disjunct &D);
  const Value *evaluateCall(const clang::CallExpr *Call, Disjunct &D);
  const Value *evaluateStandardCall(const clang::CallExpr *Call, Disjunct &D,
                                    bool &IsModelled);

  // Calls.cpp
  const clang::FunctionDecl *calleeBody(const clang::CallExpr *Call,
                                        Disjunct &D);
  std::optional<FollowedCall>
  followableConstruct(const clang::CXXConstructExpr *E, Disjunct &D);
  std::optional<FollowedCall> followableAllocation(const clang::Expr *E,
                                                   Disjunct &D);
  std::optional<FollowedCall> followableBatch(const clang::Expr *E,
                                              Disjunct &D);
  void assumeInvariants(const FollowedCall &Call, Disjunct &D);
  bool readsLocals(const Formula *F, const clang::FunctionDecl *Callee) const;
  const Value *resultOf(const FollowedCall &Call, LocationId Returned,
                        Disjunct &D);
  std::optional<LocationId> objectOfCall(const clang::CallExpr *Call,
                                         const clang::Expr *Object,
                                         FollowedCall &Followed, Disjunct &D);
  std::optional<FollowedCall>
  followableElement(const clang::CXXMemberCallExpr *Call, Disjunct &D);

  // Objects.cpp
  /// The object that \p Pointer, a pointer, holder or script module, points to.
  std::optional<LocationId> pointee(const clang::Expr *Pointer, Disjunct &D);
  std::optional<LocationId> objectOf(const clang::CXXMemberCallExpr *Call,
                                     Disjunct &D);
  void addMembers(RecordValue &Record, LocationId Object,
                  const clang::CXXRecordDecl *Class, unsigned Depth,
                  Disjunct &D);
  const Value *copyOf(LocationId Object, clang::QualType Type, Disjunct &D,
                      unsigned Depth = 0);
  /// Like evaluate, but of an object of the program's classes a copy.
  const Value *valueOf(const clang::Expr *E, Disjunct &D);
  LocationId renewObject(const clang::Expr *Site, Disjunct &D);
  void removeObject(LocationId Object, Disjunct &D);
  /// \p Objects, and what pointers in them reach, may have changed; adds the
  /// latter to \p Objects.
  void forgetObjects(llvm::SmallVectorImpl<LocationId> &Objects, Disjunct &D);
  /// Everything that pointers in \p V reach may have changed.
  void forgetReachable(const Value *V, Disjunct &D);
  void giveAway(LocationId Object, Disjunct &D);
  void giveAwayReachable(const Value *V, Disjunct &D);
  /// An object that is not known has changed: every object that it may be is
  /// forgotten.
  void forgetAliased(Disjunct &D);
  /// Whether the value of \p Whole holds all pointers of \p Part.
  bool carries(const clang::Expr *Whole, const Value *Part, Disjunct &D);
  const Value *evaluateRecordList(const clang::InitListExpr *List, Disjunct &D);
  /// The class of the object that \p E, make_shared or a holder's constructor,
  /// allocates; null for any other expression.
  static const clang::CXXRecordDecl *allocatedClass(const clang::Expr *E);
  const clang::CXXConstructorDecl *
  chooseConstructor(const clang::CXXRecordDecl *Class,
                    llvm::ArrayRef<const clang::Expr *> Arguments);
  const Value *evaluateAllocation(const clang::Expr *Site,
                                  const clang::CXXRecordDecl *Class,
                                  Disjunct &D);
  void initializeByDefault(LocationId Object, const clang::CXXRecordDecl *Class,
                           const clang::Expr *Site, Disjunct &D);
  const Value *evaluateNew(const clang::CXXNewExpr *New, Disjunct &D);
  const Value *evaluatePointerCall(const clang::CallExpr *Call, Disjunct &D);
  /// The list that \p Dereference, *it, goes through: what begin() was called
  /// on where the iterator was made; null for any other expression.
  static const clang::Expr *iteratedList(const clang::Expr *Dereference);
  const Value *evaluateIterator(const clang::Expr *Dereference, Disjunct &D);

  // Containers.cpp
  /// The location that \p E names, or the part of one. With \p IsLasting, for a
  /// reference that keeps naming it, whatever variables in indices become.
  std::optional<PartPath> partPath(const clang::Expr *E, Disjunct &D,
                                   bool IsLasting = false);
  std::optional<PartPath> partInside(const clang::Expr *Container,
                                     PartStep Step, bool IsLasting,
                                     Disjunct &D);
  std::optional<PartPath> iteratorPath(const clang::Expr *Iterator,
                                       bool IsLasting, Disjunct &D);
  const Value *keyOf(const clang::Expr *Key, bool IsLasting, Disjunct &D);
  std::optional<int64_t> indexOf(const clang::Expr *Index, bool IsLasting,
                                 Disjunct &D);
  const Value *loadPart(const PartPath &Path, Disjunct &D);
  void storePart(const PartPath &Path, const Value *V, Disjunct &D);
  void setWhole(const PartPath &Path, const Value *Whole,
                std::optional<LocationId> Except, Disjunct &D);
  /// References that name a part of \p Location hold what is not known, and
  /// what
  /// \p Location names a part of has changed.
  void followNames(LocationId Location, Disjunct &D);
  void forgetNames(LocationId Location, Disjunct &D);
  void writeThrough(LocationId Location, Disjunct &D);
  /// What \p Location, a variable or parameter, holds.
  const Value *currentValue(LocationId Location, clang::QualType Type,
                            Disjunct &D);
  /// Declares \p Variable, a reference to a part of what a location holds;
  /// false for any other reference.
  bool declarePartName(const clang::VarDecl *Variable, const Value *V,
                       const clang::Expr *Named, Disjunct &D);
  const Value *evaluateContainerCall(const clang::CallExpr *Call, Disjunct &D);
  const Value *evaluateContainer(const clang::CXXConstructExpr *E, Disjunct &D);
  bool applyContainerEffects(const clang::CallExpr *Call, Disjunct &D);
  const Value *listAfter(const clang::CXXMemberCallExpr *Call,
                         llvm::StringRef Name, const ListValue &List,
                         Disjunct &D);
  const Value *mapAfter(const clang::CXXMemberCallExpr *Call,
                        llvm::StringRef Name, const MapValue &Map, Disjunct &D);
  /// The type of the element that \p Call, push_back() and its kin, adds; null
  /// for any other call.
  static clang::QualType appendedElement(const clang::CXXMemberCallExpr *Call);
  void appendElement(const clang::CXXMemberCallExpr *Call, const Value *Element,
                     Disjunct &D);
  const Value *newElement(const clang::CXXMemberCallExpr *Call,
                          clang::QualType Element, Disjunct &D);
  const Value *rangeOf(const clang::Expr *Begin, const clang::Expr *End,
                       Disjunct &D);
  void reorder(const clang::Expr *List, Disjunct &D);
  void swapParts(const clang::Expr *A, const clang::Expr *B, Disjunct &D);
  /// \p V as an object of \p Type: braces make a list, also where a map is
  /// meant.
  const Value *asType(const Value *V, clang::QualType Type);

  // Walks.cpp
  void startWalk(const clang::VarDecl *Begin, Disjunct &D);
  void startWalk(const clang::Stmt *Loop, LocationId Walked, Disjunct &D);
  bool stepWalk(const clang::Expr *Step, Disjunct &D);
  /// What \p Loop walks over; none where it does not change that.
  std::optional<LocationId> walkedBy(const clang::Stmt *Loop, Disjunct &D);
  const Value *walkedElement(const clang::CXXForRangeStmt *Loop,
                             const WalkValue &Walk, Disjunct &D);

  // Modules.cpp
  LocationId moduleState(LocationId Module);
  /// The value of a member that moves with its module; null for any other.
  const Value *registeredMember(LocationId Location, Disjunct &D);
  const Value *withShapeOf(const TensorValue &State, const TensorValue &One);
  /// The value of a member of a module that is assumed to have moved; null for
  /// one of which nothing is assumed.
  const Value *assumedMember(LocationId Location, Disjunct &D);
  const Contract *moduleRow(const clang::CXXRecordDecl *Class);
  bool holdsNoState(const clang::Expr *Site, Disjunct &D);
  bool isStateless(const Value *V, Disjunct &D);
  /// The state of a module of \p Class that \p Site has just made.
  bool isMadeEmpty(const clang::Expr *Site, const clang::CXXRecordDecl *Class,
                   llvm::StringRef Op, Disjunct &D);
  const Value *freshState(const clang::Expr *Site,
                          const clang::CXXRecordDecl *Class, Disjunct &D);
  std::optional<LocationId> moduleAt(const clang::Expr *Named, Disjunct &D);
  const Value *moduleChild(const clang::Expr *Container, Disjunct &D);
  const Contract *rowOfState(const Value *State);
  const Value *evaluateModuleCall(const clang::CallExpr *Call, Disjunct &D);
  const DeviceValue *moduleTarget(const clang::CallExpr *Call,
                                  llvm::StringRef Name, Disjunct &D);
  void moveModule(LocationId Module, const clang::CallExpr *Call,
                  const DeviceValue &Target, llvm::StringRef Op, Disjunct &D);
  void forgetHandles(const TensorValue *State, Disjunct &D);
  void forgetModulesLike(LocationId Module, Disjunct &D);
  void addToContainer(LocationId Container, const clang::CallExpr *Call,
                      Disjunct &D);
  void joinState(LocationId Around, const Value *Added, Disjunct &D);
  void registerInModule(LocationId Module, const clang::CallExpr *Call,
                        Disjunct &D);
  /// What a call of Module::to and its kin does; false for any other call.
  bool applyModuleEffects(const clang::CallExpr *Call, Disjunct &D);
  const Value *evaluateParameters(const clang::CallExpr *Call, Disjunct &D);
  const Value *evaluateRegistration(const clang::CallExpr *Call, Disjunct &D);

  // Loads.cpp
  Place placeOfFile(const clang::CallExpr *Load, Disjunct &D);
  void loadModule(LocationId Module, const clang::CallExpr *Call, Place Where,
                  const Event *Archive, Disjunct &D);
  void loadFromArchive(LocationId Module, const clang::CallExpr *Call,
                       const clang::Expr *Archive, Disjunct &D);
  /// A tensor that \p Load makes, without a device where \p Target is null.
  const Value *loadedTensor(const clang::CallExpr *Load,
                            const DeviceValue *Target, Disjunct &D);
  /// What is read out of \p Whole, an archive or a script module.
  const Value *partOf(const clang::CallExpr *Read, const TensorValue &Whole,
                      Disjunct &D);
  void replaceTensor(const clang::Expr *Target, const Value *New, Disjunct &D);
  bool loadInto(const clang::CallExpr *Call, Disjunct &D);
  bool applyArchive(const clang::CXXMemberCallExpr *Call, llvm::StringRef Name,
                    Disjunct &D);
  bool readFromArchive(const clang::CallExpr *Call, Disjunct &D);
  const Value *evaluateUnpickled(const clang::CallExpr *Call, Disjunct &D);

  // Optimizers.cpp
  struct KnownOptimizer;
  std::optional<KnownOptimizer> optimizerAt(const clang::Expr *Named);
  bool loadOptimizer(const clang::Expr *Named, const clang::CallExpr *Call,
                     const DeviceValue *Target, const TensorValue *Archive,
                     Disjunct &D);
  void recordOptimizer(const KnownOptimizer &Optimizer,
                       const clang::CallExpr *Call, const TensorValue &State,
                       const TensorValue &Parameters, Disjunct &D);
  bool applyOptimizer(const clang::CallExpr *Call, Disjunct &D);
  void startOptimizer(const clang::ValueDecl *Named, LocationId Location,
                      Disjunct &D);

  // Runners.cpp
  /// What data_parallel() returns; null for any other call.
  const Value *evaluateParallel(const clang::CallExpr *Call, Disjunct &D);
  /// What data_parallel() does to its module; false for any other call.
  bool applyParallel(const clang::CallExpr *Call, Disjunct &D);
  /// Where the inputs of \p Runner, of \p Class, must be, as a tensor there.
  const Value *compiledState(const clang::Expr *Runner,
                             const clang::CXXRecordDecl *Class, Disjunct &D);

  // IValues.cpp
  /// What is taken out of an IValue, or put into a tuple of them; null for any
  /// other call.
  const Value *evaluateIValue(const clang::CallExpr *Call, Disjunct &D);
  const Value *tuplePart(const clang::CXXMemberCallExpr *Call,
                         const clang::Expr *Object, Disjunct &D);

  // ScriptModules.cpp
  /// The torch::jit::Module that is made of \p Given, another handle; null:
  /// of nothing.
  const Value *handleOfScript(const clang::Expr *Given, Disjunct &D);
  /// The torch::jit::Module that \p Pointer points to; null for a pointer to
  /// anything else.
  const Value *handleBehind(const clang::Expr *Pointer, Disjunct &D);
  /// The module of the method that \p Call, get_method() or find_method(),
  /// finds; null for any other call.
  const Value *evaluateMethodOf(const clang::CXXMemberCallExpr *Call,
                                Disjunct &D);
  /// Whether \p Call, run_method(), gives the script a tensor to compute with.
  bool givesTensor(const clang::CXXMemberCallExpr *Call, Disjunct &D);
  const Value *copiedScript(const clang::CXXMemberCallExpr *Call, LocationId Of,
                            Disjunct &D);
  const Value *evaluateScriptLoad(const clang::CallExpr *Call, Disjunct &D);
  /// Freezing and copying of script modules; null for any other call.
  const Value *evaluateScriptCopy(const clang::CallExpr *Call, Disjunct &D);
  const Value *frozenCopy(const clang::Expr *Site, llvm::StringRef Op,
                          std::optional<LocationId> Of, LocationId Into,
                          Disjunct &D);
  bool freezeInPlace(const clang::CallExpr *Call, Disjunct &D);
  void recordScriptMove(const clang::CallExpr *Call,
                        const TensorValue *Constants, Place Target,
                        const Event *Moved, Disjunct &D);
  bool moveFrozen(LocationId State, const clang::CallExpr *Call,
                  const DeviceValue &Target, Disjunct &D);

  // Undefined.cpp
  /// The state of a module that has none.
  const Value *undefinedTensor();
  /// A tensor that is not there, and why: StepKind::Undefined's Op.
  const Value *undefinedTensor(llvm::StringRef Why, const clang::Expr *Site,
                               Disjunct &D,
                               const clang::ValueDecl *Declaration = nullptr);
  void recordQuestion(const clang::CallExpr *Call, Disjunct &D);
  void leaveMovedFrom(const clang::Expr *Argument, Disjunct &D);
  llvm::SmallVector<std::pair<const clang::FieldDecl *, llvm::StringRef>, 4>
  absentFields(const clang::Expr *Site, const clang::CXXRecordDecl *Class,
               Disjunct &D);
  void leaveOutAbsent(LocationId Module, const clang::Expr *Site,
                      const clang::CXXRecordDecl *Class, Disjunct &D);
  const Value *absentMember(LocationId Location, Disjunct &D);
  /// Whether \p Call asks a layer for an option, layer->options.bias(), that it
  /// is surely made without.
  bool lacksOption(const clang::CXXMemberCallExpr *Call, Disjunct &D);
  void adoptAbsent(LocationId Member, const clang::Expr *Source, Disjunct &D);
  void nameAbsent(LocationId Module, const clang::ValueDecl *Variable,
                  Disjunct &D);
  void forgetAbsent(LocationId Module, Disjunct &D);

  // Loaders.cpp
  const Value *batchTensor(const clang::Expr *Loader, Disjunct &D);
  /// What the loader of LibTorch's own datasets hands out; null for others.
  const Value *evaluateBatch(const clang::Expr *Loader, clang::QualType Batch,
                             Disjunct &D);
  /// The method of the program's dataset that makes what \p Loader hands out;
  /// null where there is none.
  static const clang::FunctionDecl *datasetGet(const clang::Expr *Loader);

  // Statements.cpp
  std::optional<LocationId> locate(const clang::Expr *E, Disjunct &D);
  const Value *load(LocationId Location, Disjunct &D);
  void store(LocationId Location, const Value *V, Disjunct &D);
  /// Like store, but what names a part of \p Location, or what it names a part
  /// of, stays as it is.
  void storeAlone(LocationId Location, const Value *V, Disjunct &D);
  void forgetAliases(LocationId Location, Disjunct &D);
  void nameAfter(const Value *V, const clang::ValueDecl *Variable, Disjunct &D);
  void forgetConditionsOn(LocationId Location, Disjunct &D);
  void forgetLocation(LocationId Location, Disjunct &D);
  /// Every variable that \p Target may name may have changed.
  void forgetNamedIn(const clang::Expr *Target, Disjunct &D);
  void forgetShared(bool MembersToo, Disjunct &D);
  void forgetGivenAway(bool ModulesToo, Disjunct &D);
  void forgetWhere(llvm::function_ref<bool(LocationId, LocationId)> IsMeant,
                   Disjunct &D);
  void forgetObject(const clang::CXXMemberCallExpr *Call, Disjunct &D);
  bool runsUnknownCode(const clang::CallExpr *Call, Disjunct &D);
  void capture(const clang::LambdaExpr &Lambda,
               const clang::LambdaCapture &Capture, Disjunct &D);
  void forgetRegistered(const clang::CallExpr *Call, Disjunct &D);
  void replaceData(const clang::CXXMemberCallExpr *Call, Disjunct &D);
  bool isUntracked(LocationId Location) const;
  void declare(const clang::VarDecl *Variable, Disjunct &D);
  void declareBindings(const clang::DecompositionDecl *Variable, Disjunct &D);
  const Value *defaultValue(clang::QualType Type);
  void assign(const clang::Expr *Target, const clang::Expr *Source,
              Disjunct &D);
  /// Assigns \p V, what \p Source is or a part of it; null: nothing to record.
  void assignValue(const clang::Expr *Target, const Value *V,
                   const clang::Expr *Source, Disjunct &D);
  bool resetPointer(const clang::CallExpr *Call, Disjunct &D);
  void applyEffects(const clang::CallExpr *Call, Disjunct &D);
  void applyConstructEffects(const clang::CXXConstructExpr *E, Disjunct &D);
  void forgetSymbol(SymbolId Id, Disjunct &D);
  void forgetUndefined(const clang::Expr *Argument, Disjunct &D);
  void forgetArguments(const clang::CallExpr *Call, Disjunct &D);
  void recordDiscarded(const clang::CallExpr *Call, Disjunct &D);

  // Assignments.cpp
  void recordAssignment(const clang::Expr *Target, const clang::Expr *Source,
                        const Value *V, Disjunct &D);
  void recordInitializer(const clang::CXXCtorInitializer *Initializer,
                         const Value *V, Disjunct &D);
  void recordAdded(const clang::CXXMemberCallExpr *Call, Disjunct &D);
  void addAssignment(MemberAssignment A, Disjunct &D);

  // Operations.cpp
  llvm::SmallVector<BoundArgument, 6> bindArguments(const clang::CallExpr *Call,
                                                    const TorchCallee &Callee,
                                                    Disjunct &D);
  std::vector<Operand> operandsOf(llvm::ArrayRef<BoundArgument> Arguments,
                                  const Contract *Row);
  const Value *evaluateOperation(const clang::CallExpr *Call,
                                 const TorchCallee &Callee, Disjunct &D);
  const Value *evaluateBound(const clang::CallExpr *Call,
                             const TorchCallee &Callee,
                             llvm::SmallVector<BoundArgument, 6> Arguments,
                             Disjunct &D);
  const Contract *findRow(const clang::CallExpr *Call,
                          const TorchCallee &Callee,
                          llvm::ArrayRef<BoundArgument> Arguments);
  const Value *operationResult(const clang::CallExpr *Call,
                               const TorchCallee &Callee, const Contract &Row,
                               llvm::ArrayRef<BoundArgument> Arguments,
                               llvm::ArrayRef<Operand> Operands, Disjunct &D,
                               const Event *&Made);
  const Value *repairedResult(const clang::CallExpr *Call,
                              llvm::ArrayRef<Operand> Operands,
                              const TensorValue &Result, Disjunct &D);
  template <typename Maker>
  const Value *nestedTuple(clang::QualType Type, Maker MakeOne);
  void noteAgreement(const clang::CallExpr *Call, const Contract &Row,
                     llvm::ArrayRef<Operand> Operands, Disjunct &D);
  void noteDeviceCheck(const clang::CallExpr *Call, Disjunct &D);
  void assumeAgreement(const clang::CallExpr *Call, Disjunct &D);
  void record(const clang::CallExpr *Call, const TorchCallee &Callee,
              const Contract *Row, std::vector<Operand> Operands,
              const Event *Made, Disjunct &D);
  MixedList mixtureOf(const ListValue &List, Disjunct &D);
  void recordMixture(const clang::CallExpr *Call, const TorchCallee &Callee,
                     const Contract &Row,
                     llvm::ArrayRef<BoundArgument> Arguments, const Event *Made,
                     Disjunct &D);
  Rank resultRank(const Contract &Row, llvm::ArrayRef<BoundArgument> Arguments,
                  llvm::ArrayRef<Operand> Operands);
  ElementType resultElements(const Contract &Row,
                             llvm::ArrayRef<BoundArgument> Arguments);
  std::vector<EventArgument> eventArguments(llvm::ArrayRef<BoundArgument> Args);
  Rank rankOfSizes(const BoundArgument &Sizes);

  // Moves.cpp
  const Value *evaluateMove(const clang::CallExpr *Call,
                            const TorchCallee &Callee, Disjunct &D);
  const Value *evaluateTensorQuery(const clang::CallExpr *Call,
                                   const TorchCallee &Callee, Disjunct &D);
  const Value *evaluateSubscript(const clang::CallExpr *Call, Disjunct &D);

  // Factories.cpp
  const Value *deviceOf(const clang::Expr *Whole, const clang::Expr *TypeOrText,
                        const clang::Expr *Index, Disjunct &D);
  const Value *chosenDevice(const clang::Expr *Whole, const clang::Expr *Text,
                            Disjunct &D);
  Place placeMadeBy(const clang::Expr *Whole, std::string Name, bool IsNamed,
                    const clang::ValueDecl *Root, Disjunct &D);
  const Value *evaluateDeviceConstruct(const clang::CXXConstructExpr *E,
                                       Disjunct &D);
  const Value *evaluateOptionsConstruct(const clang::CXXConstructExpr *E,
                                        Disjunct &D);
  const Value *evaluateOptionsMethod(const clang::CXXMemberCallExpr *Call,
                                     Disjunct &D);
  const Value *evaluateDeviceMethod(const clang::CXXMemberCallExpr *Call,
                                    Disjunct &D);
  const Value *evaluateOptionsFunction(const clang::CallExpr *Call,
                                       Disjunct &D);
  const Value *evaluateDataFactory(const clang::CallExpr *Call,
                                   const TorchCallee &Callee, Disjunct &D);
  Place parseDevice(llvm::StringRef Text);
  const OptionsValue *asOptions(const Value *V);

  // Dispatch.cpp
  DispatchedCall dispatchedCall(const clang::CallExpr *Call);
  const Value *evaluateDispatched(const clang::CallExpr *Call, Disjunct &D);

  // Settings.cpp
  const Value *evaluateSettingsConstruct(const clang::CXXConstructExpr *E,
                                         Disjunct &D);
  const Value *evaluateSettingsCall(const clang::CallExpr *Call, Disjunct &D);
  bool applySettings(const clang::CallExpr *Call, Disjunct &D);

  // Conditions.cpp
  const Formula *computeFormula(const clang::Expr *E, Disjunct &D);
  const Formula *callFormula(const clang::CallExpr *Call, Disjunct &D);
  const Formula *comparisonFormula(const clang::Expr *Left,
                                   const clang::Expr *Right, bool IsEqual,
                                   const clang::Expr *Whole, Disjunct &D);
  const Formula *deviceComparison(const clang::Expr *Left,
                                  const DeviceValue &LeftDevice,
                                  const clang::Expr *Right,
                                  const DeviceValue &RightDevice, bool IsEqual,
                                  const clang::Expr *Whole);
  const Formula *deviceIndexComparison(const clang::Expr *Left,
                                       const clang::Expr *Right, bool IsEqual,
                                       const clang::Expr *Whole, Disjunct &D);
  const Formula *followedAnswer(const clang::CallExpr *Call,
                                const Disjunct &D) const;
  const Formula *nonZeroFormula(const clang::Expr *E, Disjunct &D);
  std::optional<DeviceType> zeroCountTest(const clang::Expr *Left,
                                          const clang::Expr *Right);
  const Formula *typeFormula(Place P, DeviceType Type, const clang::Expr *E);
  const Formula *sameFormula(Place A, Place B, const clang::Expr *E,
                             bool IsEqual);
  const Formula *programFormula(const clang::Expr *E, Disjunct &D);
  const Formula *availabilityFormula(llvm::StringRef Device);
  const Formula *deviceCountFormula(const clang::BinaryOperator *E,
                                    Disjunct &D);
  /// A text that two expressions share only where they have the same value in
  /// the same execution; none for one that may change by itself. Adds the
  /// locations that it reads to \p Reads.
  std::optional<std::string>
  stableKey(const clang::Expr *E, Disjunct &D,
            llvm::SmallVectorImpl<LocationId> &Reads);
  bool refine(Disjunct &D, AtomId Id, bool Holds);

  std::string sourceText(const clang::Expr *E) const;
  TensorValue *makeTensor(Event E);

  FunctionContext &C;
  const clang::FunctionDecl *Function = nullptr;
  FunctionResult *Sink = nullptr;
  CallChain Chain;
  /// The call of LibTorch that was evaluated last, and the places that are one
  /// where it succeeds.
  struct {
    const clang::CallExpr *Call = nullptr;
    llvm::SmallVector<std::pair<Place, Place>, 1> Places;
  } Agreed;
  Cache Cached;
  llvm::DenseSet<const clang::ValueDecl *> Untracked;
  bool MembersUntracked = false; ///< Those of *this.
  const BodyFacts *Body = nullptr;
  bool MayRepeat = true;
  /// Constants whose initialiser is being evaluated, against recursion.
  llvm::DenseSet<const clang::ValueDecl *> ConstantsUnderWay;
};

} // namespace tdl

#endif // TDL_FLOW_EVALUATOR_H
