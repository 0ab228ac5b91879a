//===- Modules.cpp - Modules: their state, moves and calls ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters and buffers of a module and of all it registers are one tensor
// to the analysis, the module's state: Module::to() moves them together.
// LibTorch makes them on the CPU. A call of one of LibTorch's modules is an
// operation of the contract table (nn::Linear); a module of the program is
// followed into its forward().
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

LocationId Evaluator::moduleState(LocationId Module) {
  // A registered child moves with the module around it, and so does what a
  // container holds.
  if (C.Storage.isElement(Module))
    return moduleState(*C.Storage.parent(Module));
  if (std::optional<LocationId> Pointer = C.Storage.pointerTo(Module))
    if (C.Modules.isRegistered(C.Storage.declaration(*Pointer)))
      if (std::optional<LocationId> Around = C.Storage.parent(*Pointer))
        return moduleState(*Around);
  return C.Storage.ofState(Module);
}

/// Whether \p Type is a vector or another template of modules.
static bool isSequenceOfModules(QualType Type) {
  return isModuleClass(pointedClass(
      templateArgument(Type.getNonReferenceType()->getAsCXXRecordDecl())));
}

/// The state of a module, in the shape of one of its tensors.
const Value *Evaluator::withShapeOf(const TensorValue &State,
                                    const TensorValue &One) {
  return C.Arena.make<TensorValue>(State.Where, One.Dimensions, One.Elements,
                                   State.Story);
}

const Value *Evaluator::assumedMember(LocationId Location, Disjunct &D) {
  const ValueDecl *Member = C.Storage.declaration(Location);
  if (!C.Assumed || !Member || C.Storage.memberOfThis(Location) != Member)
    return nullptr;
  auto It = C.Assumed->Members.find(Member);
  if (It == C.Assumed->Members.end())
    return nullptr;
  const Value *const *Held = D.Env.lookup(Location);
  if (Held && !isa<UnknownValue>(*Held))
    return *Held;
  return It->second ? It->second : C.Arena.unknown();
}

const Value *Evaluator::registeredMember(LocationId Location, Disjunct &D) {
  if (const Value *Assumed = assumedMember(Location, D))
    return Assumed;
  const ValueDecl *Member = C.Storage.declaration(Location);
  std::optional<LocationId> Module = C.Storage.parent(Location);
  if (!Member || !Module || !isa<FieldDecl>(Member))
    return nullptr;
  QualType Type = Member->getType();
  bool IsModule =
      isModuleClass(pointedClass(Type)) || isSequenceOfModules(Type);
  const auto *Around = dyn_cast<CXXRecordDecl>(Member->getDeclContext());
  if (!C.Modules.isRegistered(Member))
    // Who has another name for a module may have registered it.
    return C.Modules.isOpaque(Member) || (IsModule && isModuleClass(Around))
               ? C.Arena.unknown()
               : nullptr;
  if (torchTypeOf(Type) == TorchType::Tensor) {
    // A module without a bias has an undefined tensor there.
    if (const Value *Absent = absentMember(Location, D))
      return Absent;
    const auto *State = dyn_cast<TensorValue>(load(moduleState(*Module), D));
    if (!State || State->IsUndefined)
      return C.Arena.unknown();
    // What is registered keeps its shape.
    const Value *const *Held = D.Env.lookup(Location);
    const auto *Own = Held ? dyn_cast<TensorValue>(*Held) : nullptr;
    return Own && Own->Story && Own->Story->IsModuleState
               ? withShapeOf(*State, *Own)
               : State;
  }
  if (isModuleClass(pointedClass(Type)))
    return C.Arena.make<PointerValue>(C.Storage.ofPointee(Location));
  if (!isSequenceOfModules(Type))
    return nullptr;
  const Value *Child =
      C.Arena.make<PointerValue>(C.Storage.ofPointee(Location));
  auto *List = C.Arena.make<ListValue>(Child);
  List->IsExact = false;
  return List;
}

const Contract *Evaluator::moduleRow(const CXXRecordDecl *Class) {
  std::string Op = moduleOp(Class);
  return Op.empty() ? nullptr : C.Contracts.find(Op, {}, C.Version);
}

static bool hasState(const Contract &Row) {
  return Row.roleOf("state") != ArgRole::Any;
}

/// Whether \p V is a module that surely has no parameters.
bool Evaluator::isStateless(const Value *V, Disjunct &D) {
  const auto *Module = dyn_cast<PointerValue>(V);
  const auto *State =
      Module ? dyn_cast<TensorValue>(load(moduleState(Module->Target), D))
             : nullptr;
  return State && State->IsUndefined;
}

/// Whether a container of modules that \p Site makes surely holds none with
/// parameters: it is empty, or all its arguments are modules without.
bool Evaluator::holdsNoState(const Expr *Site, Disjunct &D) {
  const auto *Construct = dyn_cast<CXXConstructExpr>(Site);
  if (!Construct)
    return false;
  return llvm::all_of(Construct->arguments(), [&](const Expr *Argument) {
    const Contract *Row = moduleRow(pointedClass(Argument->getType()));
    return (Row && !hasState(*Row)) || isStateless(evaluate(Argument, D), D);
  });
}

/// What the constructor of one of LibTorch's modules gets, by position: numbers
/// that are constants, and the text of everything else.
static std::vector<EventArgument> constructorArguments(const Expr *Site,
                                                       const ASTContext &AST) {
  std::vector<EventArgument> Arguments;
  const auto *Construct = dyn_cast<CXXConstructExpr>(Site);
  if (!Construct)
    return Arguments;
  for (const Expr *Given : Construct->arguments()) {
    if (isa<CXXDefaultArgExpr>(Given))
      break;
    EventArgument Argument;
    Argument.Source = Given;
    Expr::EvalResult Number;
    if (Given->getType()->isIntegerType() && !Given->isValueDependent() &&
        Given->EvaluateAsInt(Number, AST)) {
      Argument.Kind = StepArgument::Kind::Int;
      Argument.Text = llvm::toString(Number.Val.getInt(), /*Radix=*/10);
    }
    Arguments.push_back(Argument);
  }
  return Arguments;
}

/// Whether the module has no other state than the weights that its options
/// give.
static bool isLoss(const Contract &Row) { return Row.Name.ends_with("Loss"); }

/// The options that a module is made with; null without any.
static const Expr *optionsOf(const Expr *Site) {
  const Expr *First = nullptr;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Site))
    First = Construct->getNumArgs() ? Construct->getArg(0) : nullptr;
  else if (const auto *Call = dyn_cast<CallExpr>(Site))
    First = Call->getNumArgs() ? Call->getArg(0) : nullptr;
  return First && isOptionsClass(skipNoise(First)->getType()) ? First : nullptr;
}

/// The tensor that options put into a module, null where they put none. False
/// where that is not known.
static bool findWeights(const SettingsValue &Settings,
                        const TensorValue *&Given) {
  for (const SettingsValue::Setting &Setting : Settings.Given) {
    const auto *Tensor = dyn_cast<TensorValue>(Setting.What);
    bool IsOther = Tensor && Given && Tensor->Where != Given->Where;
    if (!Tensor || IsOther || Tensor->MayBeUndefined)
      return false;
    if (!Tensor->IsUndefined)
      Given = Tensor;
  }
  return true;
}

/// The tensors in options, by their names.
static void addWeights(std::vector<EventArgument> &Arguments,
                       const SettingsValue &Settings) {
  for (const SettingsValue::Setting &Setting : Settings.Given) {
    const auto *Tensor = cast<TensorValue>(Setting.What);
    if (Tensor->IsUndefined)
      continue;
    EventArgument Argument;
    Argument.Name = Setting.Name;
    Argument.Kind = StepArgument::Kind::Tensor;
    Argument.Source = Setting.Source;
    Argument.Events = {Tensor->Story};
    Arguments.push_back(Argument);
  }
}

/// Whether \p State is that of a loss with weights, wherever it was moved.
static bool isOfLossWithWeights(const Value *State) {
  const auto *Tensor = dyn_cast<TensorValue>(State);
  const Event *E = Tensor && !Tensor->IsUndefined ? Tensor->Story : nullptr;
  while (E && E->Kind == StepKind::Move && !E->Arguments.empty() &&
         E->Arguments.front().Name == "module")
    E = E->Arguments.front().Events.front();
  return E && E->Kind == StepKind::Module &&
         llvm::StringRef(E->Op).ends_with("Loss");
}

const Value *Evaluator::freshState(const Expr *Site, const CXXRecordDecl *Class,
                                   Disjunct &D) {
  const Contract *Row = moduleRow(Class);
  const TensorValue *Given = nullptr;
  const SettingsValue *Settings = nullptr;
  if (const Expr *Options = optionsOf(Site)) {
    Settings = dyn_cast<SettingsValue>(evaluate(Options, D));
    // Other modules than losses are seldom given tensors.
    if (Settings ? !findWeights(*Settings, Given) : Row && isLoss(*Row))
      return C.Arena.unknown();
  }
  if (Row && isLoss(*Row) && !Given)
    return undefinedTensor();
  bool IsContainer = Row && Row->Name == "nn::Sequential";
  if ((Row && !hasState(*Row)) || (IsContainer && holdsNoState(Site, D)) ||
      (Row && isMadeEmpty(Site, Class, Row->Name, D)))
    return undefinedTensor();
  if (!moduleOp(Class).empty() && !Row)
    return C.Arena.unknown();
  Event E;
  E.Kind = StepKind::Module;
  E.Op = Row ? Row->Name.str() : Class->getNameAsString();
  E.Site = Site;
  E.IsModuleState = true;
  E.After = Given ? Given->Where : Place::known(DeviceType::CPU);
  if (Given) {
    E.PlaceFrom = Given->Story;
    E.Dimensions = Given->Dimensions;
  }
  E.Path = D.Path;
  if (Row && !IsContainer)
    E.Arguments = constructorArguments(Site, C.AST);
  if (Given)
    addWeights(E.Arguments, *Settings);
  return makeTensor(std::move(E));
}

std::optional<LocationId> Evaluator::moduleAt(const Expr *Named, Disjunct &D) {
  Named = skipNoise(Named);
  const CXXRecordDecl *Pointed = pointedClass(Named->getType());
  if (isModuleClass(Pointed) || isAnyModule(Named->getType()) ||
      isScriptMethod(Named->getType()) ||
      (Pointed && isScriptModule(C.AST.getCanonicalTagType(Pointed))) ||
      isa<CXXThisExpr>(Named))
    return pointee(Named, D);
  if (isModuleClass(Named->getType()->getAsCXXRecordDecl()))
    return locate(Named, D);
  return std::nullopt;
}

/// One of a ModuleList's or Sequential's modules. They move together, so one
/// object stands for all of them.
const Value *Evaluator::moduleChild(const Expr *Container, Disjunct &D) {
  const CXXRecordDecl *Class = classBehind(skipNoise(Container)->getType());
  bool IsContainer = llvm::StringSwitch<bool>(moduleOp(Class))
                         .Cases({"nn::ModuleList", "nn::Sequential"}, true)
                         .Default(false);
  if (!IsContainer)
    return nullptr;
  std::optional<LocationId> Module = moduleAt(Container, D);
  return Module ? C.Arena.make<PointerValue>(C.Storage.ofElement(*Module))
                : nullptr;
}

namespace {
/// The module that a call runs, and its arguments.
struct ModuleCall {
  const Expr *Module = nullptr; ///< Null: no call of a module's forward.
  const CXXRecordDecl *Class = nullptr;
  bool IsScript = false;
  bool IsCompiled = false;               ///< By AOTInductor.
  const FunctionDecl *Forward = nullptr; ///< Names the parameters.
  llvm::SmallVector<const Expr *, 4> Arguments;
};
} // namespace

/// Whose method \p Method is: `net` for net.get_method("encode") and
/// *net.find_method("encode"); itself where it is a variable.
static const Expr *moduleOfMethod(const Expr *Method) {
  Method = skipNoise(Method);
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Method);
  if (Operator && Operator->getOperator() == OO_Star)
    Method = skipNoise(Operator->getArg(0));
  const auto *Found = dyn_cast<CXXMemberCallExpr>(Method);
  if (Found && isScriptMethod(Found->getObjectType())) // find_method().value()
    return moduleOfMethod(Found->getImplicitObjectArgument());
  return Found ? skipNoise(Found->getImplicitObjectArgument()) : Method;
}

/// The class of \p Runner, one of AOTInductor's, if it says for which device
/// its model is compiled and the method \p Name runs that; null otherwise.
static const CXXRecordDecl *classOfRunner(const Expr *Runner,
                                          llvm::StringRef Name) {
  bool Runs = llvm::StringSwitch<bool>(Name)
                  .Cases({"run", "boxed_run", "run_with_cuda_stream"}, true)
                  .Case("run_with_xpu_stream", true)
                  .Default(false);
  QualType Type = Runner->getType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  const CXXRecordDecl *Class = Runs ? Type->getAsCXXRecordDecl() : nullptr;
  return compiledFor(Class).empty() ? nullptr : Class;
}

static ModuleCall moduleCallOf(const CallExpr *Call, const ASTContext &AST) {
  ModuleCall Found;
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !isTorchDecl(Callee))
    return Found;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Operator->getOperator() != OO_Call)
      return Found;
    Found.Module = skipNoise(Operator->getArg(0));
    Found.IsScript = isScriptMethod(Found.Module->getType());
    if (Found.IsScript)
      Found.Module = moduleOfMethod(Found.Module);
    Found.Arguments.assign(Operator->arg_begin() + 1, Operator->arg_end());
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    llvm::StringRef Name =
        Callee->getIdentifier() ? Callee->getName() : llvm::StringRef();
    const Expr *Object = skipNoise(Member->getImplicitObjectArgument());
    const CXXRecordDecl *Runner = classOfRunner(Object, Name);
    Found.IsCompiled = Runner != nullptr;
    if (Name != "forward" && Name != "run_method" && !Found.IsCompiled)
      return Found;
    Found.Module = Object;
    Found.Class = Runner;
    Found.Arguments.assign(Member->arg_begin() + (Name == "run_method"),
                           Member->arg_end());
    if (Found.IsCompiled)
      Found.Arguments.truncate(1); // After it comes the stream.
  }
  if (!Found.Module)
    return Found;
  if (!Found.Class)
    Found.Class = classBehind(Found.Module->getType());
  Found.IsScript |=
      Found.Class && isScriptModule(AST.getCanonicalTagType(Found.Class));
  Found.Forward = Callee;
  return Found;
}

/// The module in the words of the source: `net` for `net->`.
static const Expr *withoutArrow(const Expr *Module) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Module);
  return Operator && Operator->getOperator() == OO_Arrow
             ? skipNoise(Operator->getArg(0))
             : Module;
}

/// The names of the tensors of a module's call, by the forward of its class.
static std::string parameterName(const ModuleCall &Call, unsigned Index) {
  if (Call.IsScript || Call.IsCompiled)
    return "inputs";
  if (isAnyModule(Call.Module->getType()))
    return Index == 0 ? "input" : "";
  const FunctionDecl *Forward = Call.Forward;
  if (Call.Class && Forward->isOverloadedOperator())
    for (const CXXMethodDecl *Method : Call.Class->methods())
      if (Method->getIdentifier() && Method->getName() == "forward")
        Forward = Method;
  if (Index < Forward->getNumParams())
    return Forward->getParamDecl(Index)->getName().str();
  return Forward->getNumParams() == 0
             ? "input"
             : Forward->getParamDecl(Forward->getNumParams() - 1)
                   ->getName()
                   .str();
}

/// The row of the layer of LibTorch whose parameters \p State are, by the event
/// that made it; null where that is not known.
const Contract *Evaluator::rowOfState(const Value *State) {
  const auto *Tensor = dyn_cast<TensorValue>(State);
  const Event *E = Tensor ? Tensor->Story : nullptr;
  while (E && E->Kind == StepKind::Move && !E->Arguments.empty() &&
         E->Arguments.front().Name == "module" &&
         E->Arguments.front().Events.size() == 1)
    E = E->Arguments.front().Events.front();
  return E && E->Kind == StepKind::Module
             ? C.Contracts.find(E->Op, {}, C.Version)
             : nullptr;
}

/// Inputs of a script that may well be meant to stay on the CPU: 0-dim tensors,
/// and what may be lengths beside what they are the lengths of, which
/// pack_padded_sequence() wants there.
static void exceptHostInputs(std::vector<Operand> &Operands) {
  bool IsFirst = true;
  for (Operand &O : Operands) {
    if (O.Parameter != "inputs")
      continue;
    const TensorValue *Tensor = O.tensor();
    bool IsScalar = Tensor && Tensor->Dimensions.isZero();
    bool MayBeVector = Tensor && (!Tensor->Dimensions.isExact() ||
                                  Tensor->Dimensions.number() == 1);
    bool MayBeNumbers = Tensor && (Tensor->Elements == ElementType::Unknown ||
                                   Tensor->Elements == ElementType::Long ||
                                   Tensor->Elements == ElementType::Int);
    if (IsScalar || (MayBeVector && MayBeNumbers && !IsFirst))
      O.Role = ArgRole::Any;
    IsFirst = false;
  }
}

const Value *Evaluator::evaluateModuleCall(const CallExpr *Call, Disjunct &D) {
  ModuleCall Module = moduleCallOf(Call, C.AST);
  if (!Module.Module)
    return nullptr;
  // An object that nobody names, torch::nn::MSELoss()(x, y), has its own state.
  std::optional<LocationId> Object = moduleAt(Module.Module, D);
  const Value *Held = Module.IsCompiled
                          ? compiledState(Module.Module, Module.Class, D)
                      : Object ? load(moduleState(*Object), D)
                               : C.Arena.unknown();
  const Contract *Row =
      Module.IsScript     ? C.Contracts.find("jit::Module", {}, C.Version)
      : Module.IsCompiled ? C.Contracts.find("aoti::Runner", {}, C.Version)
      : isAnyModule(Module.Module->getType()) ? rowOfState(Held)
                                              : moduleRow(Module.Class);
  if (!Row)
    return nullptr;
  llvm::SmallVector<std::string, 4> Names;
  for (unsigned I = 0; I < Module.Arguments.size(); ++I)
    Names.push_back(parameterName(Module, I));
  llvm::SmallVector<BoundArgument, 6> Arguments;
  if (hasState(*Row)) {
    BoundArgument State;
    State.Name = "state";
    State.Source = withoutArrow(Module.Module);
    State.What = Held;
    // A loss that is a part of a module may have no weights.
    if (!isLoss(*Row) || isOfLossWithWeights(State.What))
      Arguments.push_back(State);
  }
  for (unsigned I = 0; I < Module.Arguments.size(); ++I) {
    BoundArgument Argument;
    Argument.Name = Names[I];
    Argument.Source = Module.Arguments[I];
    Argument.IsDefault = isa<CXXDefaultArgExpr>(Argument.Source);
    Argument.What = evaluate(Argument.Source, D);
    Arguments.push_back(Argument);
  }
  TorchCallee Callee;
  Callee.Op = Row->Name.str();
  std::vector<Operand> Operands = operandsOf(Arguments, Row);
  if (Module.IsScript || Module.IsCompiled)
    exceptHostInputs(Operands);
  const Event *Made = nullptr;
  const Value *Result =
      operationResult(Call, Callee, *Row, Arguments, Operands, D, Made);
  if (isa<UnknownValue>(Result))
    Result = opaqueResult(Call, D);
  // A script may move what it is given.
  if (!Module.IsScript && !Module.IsCompiled)
    noteAgreement(Call, *Row, Operands, D);
  if (Made)
    record(Call, Callee, Row, std::move(Operands), Made, D);
  return Result;
}

/// The argument that names a device; null without one.
static const Expr *deviceArgument(const CallExpr *Call) {
  for (const Expr *Argument : Call->arguments()) {
    TorchType Type = torchTypeOf(Argument->getType());
    if (!isa<CXXDefaultArgExpr>(Argument) &&
        (Type == TorchType::Device || Type == TorchType::DeviceType))
      return Argument;
  }
  return nullptr;
}

/// Where a call that moves a module moves it, by its arguments or its name;
/// null when it names no device.
const DeviceValue *Evaluator::moduleTarget(const CallExpr *Call,
                                           llvm::StringRef Name, Disjunct &D) {
  if (Name == "cpu" || Name == "cuda")
    return C.Arena.make<DeviceValue>(
        Place::known(Name == "cpu" ? DeviceType::CPU : DeviceType::CUDA));
  const Expr *Argument = deviceArgument(Call);
  const Value *V = Argument ? evaluate(Argument, D) : nullptr;
  if (!V || isa<NoneValue>(V))
    return nullptr;
  const auto *Device = dyn_cast<DeviceValue>(V);
  return Device ? Device : C.Arena.make<DeviceValue>(Place::unknown());
}

void Evaluator::moveModule(LocationId Module, const CallExpr *Call,
                           const DeviceValue &Target, llvm::StringRef Op,
                           Disjunct &D) {
  LocationId State = moduleState(Module);
  const auto *Before = dyn_cast<TensorValue>(load(State, D));
  if (Before && Before->IsUndefined)
    return; // Without parameters there is nothing to move.
  if (moveFrozen(State, Call, Target, D))
    return;
  forgetHandles(Before, D);
  // A child that moves by itself leaves the module around it on two devices.
  bool IsPart = State != C.Storage.ofState(Module);
  if (IsPart) {
    if (!Before || Before->Where.isUnknown() || Before->Where != Target.Where)
      forgetLocation(State, D);
    return;
  }
  Event E;
  E.Kind = StepKind::Move;
  E.Op = Op.str();
  E.Site = Call;
  E.IsModuleState = true;
  E.After = Target.Where;
  E.PlaceFrom = Target.OfTensor;
  E.Path = D.Path;
  EventArgument Self;
  Self.Name = "module";
  Self.Kind = StepArgument::Kind::Tensor;
  Self.Events = {Before ? Before->Story : nullptr};
  E.Arguments.push_back(Self);
  if (const Expr *Source = deviceArgument(Call)) {
    BoundArgument Device;
    Device.Name = "device";
    Device.Source = Source;
    Device.What = &Target;
    llvm::append_range(E.Arguments, eventArguments(Device));
  }
  TensorValue *Moved = makeTensor(std::move(E));
  if (Before && Before->Story && Before->Story->Subject)
    C.Stories.nameSubject(Moved->Story, Before->Story->Subject);
  store(State, Moved, D);
}

/// A parameter that the program holds moves with its module, and so does a
/// tensor that the module was given.
void Evaluator::forgetHandles(const TensorValue *State, Disjunct &D) {
  if (!State || !State->Story)
    return;
  const Event *Given = State->Story->Kind == StepKind::Module
                           ? State->Story->PlaceFrom
                           : nullptr;
  auto IsHandle = [&](const Value *V) {
    const auto *Tensor = dyn_cast<TensorValue>(V);
    const Event *E = Tensor ? Tensor->Story : nullptr;
    while (E && E != State->Story && E != Given &&
           (E->Kind == StepKind::View || E->Kind == StepKind::Module))
      E = E->PlaceFrom;
    return E && (E == State->Story || E == Given);
  };
  llvm::SmallVector<LocationId, 4> Stale;
  for (const auto &Entry : D.Env)
    if (anyPart(Entry.second, IsHandle))
      Stale.push_back(Entry.first);
  for (LocationId Location : Stale)
    D.Env = C.Factory.add(D.Env, Location, C.Arena.unknown());
}

static bool isModuleContainer(const CXXRecordDecl *Class) {
  return llvm::StringSwitch<bool>(moduleOp(Class))
      .Cases({"nn::ModuleList", "nn::ModuleDict", "nn::Sequential"}, true)
      .Default(false);
}

static bool isQualifiedCall(const CXXMemberCallExpr *Call) {
  const auto *Callee = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
  return Callee && Callee->hasQualifier();
}

/// Another name from outside may stand for the module at \p Module.
void Evaluator::forgetModulesLike(LocationId Module, Disjunct &D) {
  std::optional<LocationId> Pointer = C.Storage.pointerTo(Module);
  const ValueDecl *Handle = Pointer ? C.Storage.declaration(*Pointer) : nullptr;
  if (!Handle || !C.Storage.isFromOutside(Module))
    return;
  const CXXRecordDecl *Class = pointedClass(Handle->getType());
  llvm::SmallVector<LocationId, 2> Others;
  for (const auto &Entry : D.Env) {
    std::optional<LocationId> Other = C.Storage.isState(Entry.first)
                                          ? C.Storage.parent(Entry.first)
                                          : std::nullopt;
    std::optional<LocationId> Theirs =
        Other && *Other != Module ? C.Storage.pointerTo(*Other) : std::nullopt;
    const ValueDecl *Name = Theirs ? C.Storage.declaration(*Theirs) : nullptr;
    const CXXRecordDecl *OtherClass =
        Name ? pointedClass(Name->getType()) : nullptr;
    if (OtherClass && Class &&
        (OtherClass == Class || OtherClass->isDerivedFrom(Class) ||
         Class->isDerivedFrom(OtherClass)))
      Others.push_back(Entry.first);
  }
  for (LocationId State : Others)
    D.Env = C.Factory.add(D.Env, State, C.Arena.unknown());
}

/// A module that has a name of its own moves by that name too.
void Evaluator::addToContainer(LocationId Container, const CallExpr *Call,
                               Disjunct &D) {
  for (const Expr *Argument : Call->arguments()) {
    const Value *Added = evaluate(Argument, D);
    // push_back("name", module)
    bool IsName = Call->getNumArgs() == 2 && Argument == Call->getArg(0);
    if (!IsName)
      joinState(Container, Added, D);
  }
}

/// The module at \p Around gets what \p Added is: a tensor or a module. Where
/// it is not on the same device, the whole is on an unknown one.
void Evaluator::joinState(LocationId Around, const Value *Added, Disjunct &D) {
  LocationId State = moduleState(Around);
  const auto *Before = dyn_cast<TensorValue>(load(State, D));
  if (const auto *Child = dyn_cast<PointerValue>(Added)) {
    LocationId ChildState = moduleState(Child->Target);
    if (ChildState == State)
      return;
    Added = load(ChildState, D);
    // From now on it moves with the module around it as well.
    forgetLocation(ChildState, D);
    giveAway(Child->Target, D);
  }
  const auto *Tensor = dyn_cast<TensorValue>(Added);
  if (Tensor && Tensor->IsUndefined)
    return;
  if (Tensor && Before && Before->IsUndefined) { // It was empty.
    store(State, Tensor, D);
    return;
  }
  bool Agrees = Tensor && Before && !Tensor->Where.isUnknown() &&
                Tensor->Where == Before->Where;
  if (!Agrees)
    forgetLocation(State, D);
}

/// What is registered later is on its own device; a module that is on two
/// devices is on an unknown one.
void Evaluator::registerInModule(LocationId Module, const CallExpr *Call,
                                 Disjunct &D) {
  if (Call->getNumArgs() < 2)
    return;
  const Value *Added = evaluate(Call->getArg(1), D);
  // A member that is registered here has a value of its own till now.
  std::optional<LocationId> Named = locate(withoutCopies(Call->getArg(1)), D);
  if (Named)
    if (const Value *const *Held = D.Env.lookup(*Named))
      Added = *Held;
  if (Sink) {
    LateRegistration Late;
    Late.Call = Call;
    Late.Chain = Chain;
    Late.Added = Added;
    Late.State = dyn_cast<TensorValue>(load(moduleState(Module), D));
    const auto *Child = dyn_cast<PointerValue>(Added);
    Late.Tensor = dyn_cast<TensorValue>(
        Child ? load(moduleState(Child->Target), D) : Added);
    Late.Path = D.Path;
    Late.Facts = D.Facts;
    if (Late.State && Late.Tensor && Late.Tensor != Late.State &&
        D.Facts.compare(Late.State->Where, Late.Tensor->Where) ==
            Agreement::Different)
      Sink->LateRegistrations.push_back(std::move(Late));
  }
  joinState(Module, Added, D);
  // Every name for the tensor moves with the module from now on.
  if (!isa<TensorValue>(Added))
    return;
  const Value *State = load(moduleState(Module), D);
  if (const auto *Known = dyn_cast<TensorValue>(State))
    State = withShapeOf(*Known, *cast<TensorValue>(Added));
  llvm::SmallVector<LocationId, 2> Names;
  for (const auto &Entry : D.Env)
    if (Entry.second == Added && !C.Storage.isState(Entry.first))
      Names.push_back(Entry.first);
  for (LocationId Name : Names)
    D.Env = C.Factory.add(D.Env, Name, State);
}

bool Evaluator::applyModuleEffects(const CallExpr *Call, Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || !isTorchDecl(Function))
    return false;
  if (Function->getOverloadedOperator() == OO_GreaterGreater)
    return readFromArchive(Call, D);
  if (!Function->getIdentifier())
    return false;
  llvm::StringRef Name = Function->getName();
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member)
    return (Name == "load" && loadInto(Call, D)) || freezeInPlace(Call, D) ||
           applyParallel(Call, D);
  const CXXRecordDecl *Class = Member->getMethodDecl()->getParent();
  if (applyArchive(Member, Name, D))
    return true;
  bool IsScript = isScriptModule(C.AST.getCanonicalTagType(Class)) ||
                  (Class->getIdentifier() && Class->getName() == "Object");
  if (!isModuleClass(Class) && !IsScript)
    return false;
  std::optional<LocationId> Module = objectOf(Member, D);
  bool OnlyReads = llvm::StringSwitch<bool>(Name)
                       .Cases({"forward", "eval", "train", "zero_grad"}, true)
                       .Cases({"parameters", "buffers", "is_training"}, true)
                       .Cases({"save", "name", "pretty_print", "size"}, true)
                       .Cases({"as", "ptr", "at", "is_empty"}, true)
                       .Cases({"begin", "end", "is_serializable"}, true)
                       .Cases({"clone", "copy", "deepcopy"}, IsScript)
                       .Cases({"attr", "hasattr", "dump"}, IsScript)
                       .Cases({"get_method", "find_method"}, IsScript)
                       .Case("run_method", IsScript && givesTensor(Member, D))
                       .Default(false);
  if (OnlyReads)
    return true;
  if (!Module) {
    // register_module() and its kin: what it gets may move with it.
    for (const Expr *Argument : Call->arguments())
      forgetReachable(evaluate(Argument, D), D);
    forgetAliased(D);
    return true;
  }
  bool Moves = llvm::StringSwitch<bool>(Name)
                   .Cases({"to", "cuda", "cpu"}, true)
                   .Default(false);
  if (Moves) {
    forgetModulesLike(*Module, D);
    // An object of a derived class may have a to() of its own.
    const CXXRecordDecl *Static =
        classBehind(skipNoise(Member->getImplicitObjectArgument())->getType());
    bool IsAnyClass = Static && !IsScript && isTorchDecl(Static) &&
                      moduleOp(Static) == "nn::Module" &&
                      !rowOfState(load(moduleState(*Module), D));
    // What a container got from elsewhere moves with it.
    if (Static && isModuleContainer(Static))
      forgetAliased(D);
    if (IsAnyClass && !isQualifiedCall(Member))
      forgetReachable(C.Arena.make<PointerValue>(*Module), D);
    else if (const DeviceValue *Target = moduleTarget(Call, Name, D))
      moveModule(*Module, Call, *Target, Name, D);
  } else if (Name == "register_module" || Name == "register_parameter" ||
             Name == "register_buffer") {
    registerInModule(*Module, Call, D);
  } else if (Name == "push_back" || Name == "insert" || Name == "extend") {
    addToContainer(*Module, Call, D);
  } else if (Name == "children" || Name == "modules" ||
             Name == "named_children" || Name == "named_modules" ||
             Name == "named_parameters" || Name == "named_buffers") {
    giveAway(*Module, D);
  } else if (Name == "load" && Call->getNumArgs() == 1) {
    loadFromArchive(*Module, Call, Call->getArg(0), D);
  } else {
    // apply, replace_module, update, attributes of script modules.
    for (const Expr *Argument : Call->arguments())
      giveAwayReachable(evaluate(Argument, D), D);
    forgetLocation(moduleState(*Module), D);
    forgetAbsent(*Module, D); // reset() with other options.
  }
  return true;
}

/// register_parameter and register_buffer return the tensor that they register,
/// which is the module's from now on; null for any other call.
const Value *Evaluator::evaluateRegistration(const CallExpr *Call,
                                             Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || !isTorchDecl(Method) ||
      (Method->getName() != "register_parameter" &&
       Method->getName() != "register_buffer") ||
      !isModuleClass(Method->getParent()) || Call->getNumArgs() < 2)
    return nullptr;
  std::optional<LocationId> Module = objectOf(Member, D);
  const auto *Tensor = dyn_cast<TensorValue>(evaluate(Call->getArg(1), D));
  const auto *State =
      Module ? dyn_cast<TensorValue>(load(moduleState(*Module), D)) : nullptr;
  bool IsBeside = Tensor && State && !State->IsUndefined &&
                  !State->Where.isUnknown() && State->Where == Tensor->Where;
  return IsBeside ? withShapeOf(*State, *Tensor) : nullptr;
}

/// The parameters or buffers of a module, as a list; null for any other call.
const Value *Evaluator::evaluateParameters(const CallExpr *Call, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || !isTorchDecl(Method) ||
      (Method->getName() != "parameters" && Method->getName() != "buffers") ||
      !isModuleClass(Method->getParent()))
    return nullptr;
  std::optional<LocationId> Module = objectOf(Member, D);
  if (!Module)
    return nullptr;
  const Value *State = load(moduleState(*Module), D);
  const auto *Tensor = dyn_cast<TensorValue>(State);
  if (Tensor && (Tensor->IsUndefined || Tensor->IsFrozen))
    return nullptr; // There are none.
  auto *List = C.Arena.make<ListValue>(State);
  List->IsExact = false;
  return List;
}
