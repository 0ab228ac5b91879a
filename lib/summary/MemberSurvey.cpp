//===- MemberSurvey.cpp - What the source does with members of modules ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "summary/MemberSurvey.h"
#include "flow/Syntax.h"
#include "torch/Callee.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

using FieldSet = llvm::DenseSet<const FieldDecl *>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool holdsAny(QualType Type, unsigned Depth);

static bool holdsInArguments(const CXXRecordDecl *Class, unsigned Depth) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Class);
  if (!Special)
    return false;
  for (const TemplateArgument &Argument :
       Special->getTemplateArgs().asArray()) {
    if (Argument.getKind() == TemplateArgument::Type &&
        holdsAny(Argument.getAsType(), Depth))
      return true;
    if (Argument.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Part : Argument.pack_elements())
        if (Part.getKind() == TemplateArgument::Type &&
            holdsAny(Part.getAsType(), Depth))
          return true;
  }
  return false;
}

static bool holdsAny(QualType Type, unsigned Depth) {
  /// Types that are nested deeper hold nothing that is followed.
  constexpr unsigned MaxDepth = 4;
  if (Type.isNull() || Type->isDependentType() || Depth > MaxDepth)
    return false;
  Type = Type.getNonReferenceType();
  if (torchTypeOf(Type) == TorchType::Tensor || heldModuleClass(Type))
    return true;
  if (const auto *Array = Type->getAsArrayTypeUnsafe())
    return holdsAny(Array->getElementType(), Depth + 1);
  if (Type->isPointerType())
    return isModuleClass(Type->getPointeeType()->getAsCXXRecordDecl());
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return false;
  if (isModuleClass(Class))
    return true;
  if (isStandardOrTorch(Class))
    return className(Type) != "function" && holdsInArguments(Class, Depth + 1);
  for (const FieldDecl *Field : Class->fields())
    if (holdsAny(Field->getType(), Depth + 1))
      return true;
  return false;
}

bool tdl::holdsTensorsOrModules(QualType Type) { return holdsAny(Type, 0); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static llvm::StringRef nameOf(const FunctionDecl *Function) {
  return Function && Function->getIdentifier() ? Function->getName()
                                               : llvm::StringRef();
}

/// A call that makes a module hold its arguments: ModuleList::push_back,
/// Sequential(...).
static bool isHolding(const FunctionDecl *Callee) {
  if (!Callee || !isTorchDecl(Callee))
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (!Method)
    return false;
  const CXXRecordDecl *Class = Method->getParent();
  bool Adds = isa<CXXConstructorDecl>(Method) ||
              llvm::StringSwitch<bool>(nameOf(Method))
                  .Cases({"push_back", "insert", "extend", "append"}, true)
                  .Cases({"update", "emplace_back"}, true)
                  .Default(false);
  if (!Adds)
    return false;
  return isModuleClass(Class) ||
         className(Class->getASTContext().getCanonicalTagType(Class)) ==
             "ModuleHolder" ||
         className(Class->getASTContext().getCanonicalTagType(Class)) ==
             "AnyModule";
}

/// The methods of the standard library that give a container or smart pointer
/// something.
static bool addsToContainer(llvm::StringRef Method) {
  return llvm::StringSwitch<bool>(Method)
      .Cases({"push_back", "emplace_back", "push_front"}, true)
      .Cases({"emplace_front", "emplace", "insert", "push"}, true)
      .Cases({"try_emplace", "insert_or_assign", "reset"}, true)
      .Cases({"assign", "resize"}, true)
      .Default(false);
}

/// Whether \p Call may move the tensor or module that it is called on to
/// another device: to(device), cuda(), set_data(...).
static bool isTransfer(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method)
    return false;
  llvm::StringRef Name = nameOf(Method);
  if (Name == "to") {
    // to(kFloat) keeps the device.
    for (const Expr *Argument : Call->arguments()) {
      TorchType Type = torchTypeOf(Argument->getType());
      if (!isa<CXXDefaultArgExpr>(Argument) && Type != TorchType::ScalarType &&
          Type != TorchType::TypeMeta && Type != TorchType::None)
        return true;
    }
    return !isTorchDecl(Method);
  }
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cuda", "cpu", "type_as", "set_data"}, true)
      .Cases({"hip", "xpu", "set_"}, true)
      .Default(false);
}

/// Whether \p E asks for a device, or names one.
static bool asksDevice(const Expr *E) {
  TorchType Type = torchTypeOf(E->getType());
  if (Type == TorchType::Device || Type == TorchType::DeviceType ||
      Type == TorchType::Options)
    return true;
  const auto *Call = dyn_cast<CallExpr>(E);
  return Call && llvm::StringSwitch<bool>(nameOf(Call->getDirectCallee()))
                     .Cases({"is_cuda", "is_cpu", "is_mps", "is_xpu"}, true)
                     .Cases({"get_device", "device", "options"}, true)
                     .Cases({"device_type", "key_set", "type"}, true)
                     .Default(false);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace tdl {
class SurveyBuilder {
public:
  SurveyBuilder(MemberSurvey &Into,
                llvm::ArrayRef<const FunctionDecl *> Functions)
      : S(Into), Functions(Functions) {}
  void run();

private:
  struct Node {
    const Stmt *What;
    int Parent;
  };
  using Tree = llvm::SmallVector<Node, 64>;
  struct Written {
    FieldSet Fields;
    const Expr *Source;
    const Expr *Condition; ///< Of an assignment that may keep the member; null.
    size_t Index;
  };

  static Tree treeOf(const FunctionDecl *Function);
  void walk(const FunctionDecl *Function, const Tree &Nodes);
  void visitCall(const CallExpr *Call, const FunctionDecl *Callee,
                 llvm::ArrayRef<const Expr *> Arguments, const Tree &Nodes,
                 size_t Index, const FunctionDecl *Around);
  void visitAssignment(const Expr *Target, const Expr *Source, size_t Index,
                       const FunctionDecl *Around);
  void noteGuards(const Written &W, const Tree &Nodes,
                  const FunctionDecl *Around);
  void noteLocals(const Tree &Nodes);
  void registerNames(const Expr *Named, const FunctionDecl *Around,
                     bool IsCertain);
  void registerAllIn(const Expr *E);
  void registerInitialized(const FieldDecl *Field, const Expr *Init);
  void follow(const FieldSet &Fields);
  void distrustThis(const FunctionDecl *Around);

  /// The members that \p E names, as an object and not as an operand.
  /// Adds the local variables on the way to \p Locals.
  FieldSet
  named(const Expr *E,
        llvm::SmallVectorImpl<const VarDecl *> *Locals = nullptr) const;
  FieldSet allIn(const Stmt *Part) const;
  bool mayRegister(const FunctionDecl *Callee);
  bool mayTransfer(const FunctionDecl *Callee);
  bool contains(const FunctionDecl *Callee, bool Registration,
                llvm::DenseMap<const FunctionDecl *, bool> &Known);
  void closeCalls();

  MemberSurvey &S;
  llvm::ArrayRef<const FunctionDecl *> Functions;
  /// What local variables get after their declaration.
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const Expr *, 2>>
      LocalSources;
  llvm::SmallVector<Written, 8> Writes; ///< Of the function that is walked.
  /// Local variables that a registration names, and the members that locals are
  /// given to.
  llvm::DenseSet<const VarDecl *> RegisteredLocals;
  llvm::SmallVector<std::pair<const VarDecl *, const FieldDecl *>, 8> GivenTo;
  llvm::DenseMap<const FunctionDecl *, bool> Registers, Transfers;
  llvm::DenseMap<const FunctionDecl *,
                 llvm::SmallVector<const FunctionDecl *, 4>>
      Calls; ///< Between methods of one object.
};
} // namespace tdl

static const FieldDecl *canonical(const ValueDecl *Field) {
  return cast<FieldDecl>(Field->getCanonicalDecl());
}

SurveyBuilder::Tree SurveyBuilder::treeOf(const FunctionDecl *Function) {
  Tree Nodes;
  auto Add = [&](const Stmt *Root) {
    if (Root)
      Nodes.push_back({Root, -1});
  };
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Initializer : Constructor->inits())
      Add(Initializer->getInit());
  Add(Function->getBody());
  for (size_t I = 0; I < Nodes.size(); ++I) {
    const Stmt *What = Nodes[I].What;
    // An initialiser from the class stands outside the function.
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(What))
      Nodes.push_back({Default->getExpr(), int(I)});
    for (const Stmt *Child : What->children())
      if (Child)
        Nodes.push_back({Child, int(I)});
  }
  return Nodes;
}

FieldSet
SurveyBuilder::named(const Expr *Whole,
                     llvm::SmallVectorImpl<const VarDecl *> *Locals) const {
  FieldSet Fields;
  llvm::SmallVector<const Expr *, 4> Pending = {Whole};
  /// Longer chains of names for names are not followed.
  constexpr unsigned MaxSteps = 64;
  for (unsigned Step = 0; !Pending.empty() && Step < MaxSteps; ++Step) {
    const Expr *E = skipNoise(Pending.pop_back_val());
    if (!E)
      continue;
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (Field)
        Fields.insert(canonical(Field));
      Pending.push_back(Member->getBase());
    } else if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      // A copy of a handle names the same tensor or module.
      const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
      const auto *Binding = dyn_cast<BindingDecl>(Reference->getDecl());
      if (Binding)
        Variable = dyn_cast<VarDecl>(Binding->getDecomposedDecl());
      if (Variable && Locals && holdsAny(Variable->getType(), 0))
        Locals->push_back(Variable);
      if (Variable && Variable->hasInit() && !isa<ParmVarDecl>(Variable))
        Pending.push_back(Variable->getInit());
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      bool IsName = llvm::is_contained(
          {OO_Subscript, OO_Star, OO_Arrow, OO_Equal}, Operator->getOperator());
      if (IsName && Operator->getNumArgs() > 0)
        Pending.push_back(Operator->getArg(0));
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      // What a tensor computes is another tensor.
      if (!torchCalleeOf(Call->getMethodDecl()).IsTensorMethod ||
          nameOf(Call->getMethodDecl()).ends_with("_"))
        Pending.push_back(Call->getImplicitObjectArgument());
    } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
      if (Call->getDirectCallee() &&
          Call->getDirectCallee()->isInStdNamespace())
        Pending.append(Call->arg_begin(), Call->arg_end());
    } else if (const auto *Conditional =
                   dyn_cast<AbstractConditionalOperator>(E)) {
      Pending.push_back(Conditional->getTrueExpr());
      Pending.push_back(Conditional->getFalseExpr());
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      Pending.append(Construct->arg_begin(), Construct->arg_end());
    } else if (const auto *List = dyn_cast<InitListExpr>(E)) {
      Pending.append(List->inits().begin(), List->inits().end());
    } else if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E)) {
      Pending.push_back(List->getSubExpr());
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      Pending.push_back(Unary->getSubExpr());
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      Pending.push_back(Subscript->getBase());
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(E)) {
      Pending.push_back(Assign->getLHS());
    }
  }
  return Fields;
}

FieldSet SurveyBuilder::allIn(const Stmt *Part) const {
  FieldSet Fields;
  llvm::SmallVector<const Stmt *, 16> Pending = {Part};
  llvm::DenseSet<const VarDecl *> Seen;
  while (!Pending.empty()) {
    const Stmt *Now = Pending.pop_back_val();
    if (!Now)
      continue;
    if (const auto *Member = dyn_cast<MemberExpr>(Now))
      if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
        Fields.insert(canonical(Field));
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Now)) {
      const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
      if (const auto *Binding = dyn_cast<BindingDecl>(Reference->getDecl()))
        Variable = dyn_cast<VarDecl>(Binding->getDecomposedDecl());
      if (Variable && Seen.insert(Variable).second) {
        if (!isa<ParmVarDecl>(Variable) && Variable->hasInit())
          Pending.push_back(Variable->getInit());
        auto Later = LocalSources.find(Variable);
        if (Later != LocalSources.end())
          Pending.append(Later->second.begin(), Later->second.end());
      }
    }
    for (const Stmt *Child : Now->children())
      Pending.push_back(Child);
  }
  return Fields;
}

/// Whether the body of \p Callee, or of what it calls, holds a registration, or
/// else a transfer. Unknown for what has no body here; the caller decides.
bool SurveyBuilder::contains(
    const FunctionDecl *Callee, bool Registration,
    llvm::DenseMap<const FunctionDecl *, bool> &Known) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !Callee->hasBody(Definition) || isStandardOrTorch(Callee))
    return false;
  auto [It, Inserted] = Known.try_emplace(Definition, false);
  if (!Inserted)
    return It->second;
  bool Found = false;
  for (const Node &N : treeOf(Definition)) {
    const auto *Call = dyn_cast<CallExpr>(N.What);
    if (!Call)
      continue;
    const FunctionDecl *Inner = Call->getDirectCallee();
    if (Registration)
      Found |= isRegistrationFunction(Inner);
    else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
      Found |= isTransfer(Member);
    Found = Found || contains(Inner, Registration, Known);
  }
  Known[Definition] = Found;
  return Found;
}

bool SurveyBuilder::mayRegister(const FunctionDecl *Callee) {
  return isRegistrationFunction(Callee) ||
         contains(Callee, /*Registration=*/true, Registers);
}

bool SurveyBuilder::mayTransfer(const FunctionDecl *Callee) {
  return contains(Callee, /*Registration=*/false, Transfers);
}

void SurveyBuilder::registerNames(const Expr *Named, const FunctionDecl *Around,
                                  bool IsCertain) {
  llvm::SmallVector<const VarDecl *, 2> Locals;
  FieldSet Fields = named(Named, &Locals);
  RegisteredLocals.insert(Locals.begin(), Locals.end());
  for (const FieldDecl *Field : Fields) {
    MemberHabits &Habits = S.Habits[Field];
    Habits.MayBeRegistered = true;
    Habits.IsRegistered |= IsCertain;
    Habits.RegisteredIn.push_back(Around);
  }
}

/// Modules that are named anywhere in \p E become part of what it makes.
void SurveyBuilder::registerAllIn(const Expr *E) {
  llvm::SmallVector<const VarDecl *, 2> Locals;
  named(E, &Locals);
  RegisteredLocals.insert(Locals.begin(), Locals.end());
  for (const FieldDecl *Field : allIn(E))
    if (torchTypeOf(Field->getType()) != TorchType::Tensor)
      S.Habits[Field].MayBeRegistered = true;
}

void SurveyBuilder::follow(const FieldSet &Fields) {
  for (const FieldDecl *Field : Fields)
    S.Habits[Field].FollowsItself = true;
}

/// Code that is not here gets *this: what it does to the members is not known.
void SurveyBuilder::distrustThis(const FunctionDecl *Around) {
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Around))
    S.NotUnderstood.insert(Method->getParent()->getCanonicalDecl());
}

/// Whether an argument of \p Type lets the callee change what it names.
static bool handsOver(QualType Type) {
  if (Type.isNull())
    return true;
  if (pointedClass(Type))
    return true;
  bool IsHandle = Type->isReferenceType() || Type->isPointerType();
  return IsHandle &&
         (!Type->getPointeeType().isConstQualified() ||
          isModuleClass(Type->getPointeeType()->getAsCXXRecordDecl()));
}

static bool isThis(const Expr *E) {
  E = skipNoise(E);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_Deref)
    E = skipNoise(Unary->getSubExpr());
  return isa<CXXThisExpr>(E);
}

namespace {
/// The member or variable that a value ends up in.
struct Receiver {
  const Expr *Named = nullptr; ///< Null: in none.
  /// It is the very value, and not something that is made of it.
  bool IsSame = true;
};
} // namespace

/// \p Above are the nodes around the value, innermost first.
static Receiver receiverOf(llvm::ArrayRef<const Stmt *> Above) {
  Receiver Found;
  for (const Stmt *Parent : Above) {
    const auto *Construct = dyn_cast<CXXConstructExpr>(Parent);
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Parent);
        Operator && Operator->isAssignmentOp()) {
      Found.Named = Operator->getArg(0);
      return Found;
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(Parent);
               Assign && Assign->isAssignmentOp()) {
      Found.Named = Assign->getLHS();
      return Found;
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Parent);
               Call && Call->getNumArgs() >= 1) {
      // blocks.push_back(register_module(...))
      Found.Named = Call->getImplicitObjectArgument();
      return Found;
    } else if (isa<CompoundStmt>(Parent)) {
      return Receiver();
    }
    Found.IsSame &=
        !isa<CallExpr>(Parent) && (!Construct || Construct->getNumArgs() == 1);
  }
  return Receiver();
}

void SurveyBuilder::visitCall(const CallExpr *Call, const FunctionDecl *Callee,
                              llvm::ArrayRef<const Expr *> Arguments,
                              const Tree &Nodes, size_t Index,
                              const FunctionDecl *Around) {
  const FunctionDecl *Definition = nullptr;
  bool IsHere = Callee && Callee->hasBody(Definition);
  if (const auto *Own = dyn_cast_or_null<CXXMemberCallExpr>(Call))
    if (IsHere && isThis(Own->getImplicitObjectArgument()))
      Calls[Around].push_back(Definition);
  bool IsTorch = Callee && isTorchDecl(Callee);
  bool IsStd = Callee && !IsTorch && isStandardOrTorch(Callee);
  // A std::function may do anything with what it is given.
  bool IsUnknownCode =
      !Callee || (IsStd && Callee->getOverloadedOperator() == OO_Call);
  if (mayRegister(Callee))
    S.RegistersSomething.insert(Around);
  if (mayRegister(Callee) || IsUnknownCode) {
    for (const Expr *Argument : Arguments) {
      registerNames(Argument, Around, isRegistrationFunction(Callee));
      registerAllIn(Argument);
    }
    llvm::SmallVector<const Stmt *, 8> Above;
    for (int Up = Nodes[Index].Parent; Up >= 0; Up = Nodes[Up].Parent)
      Above.push_back(Nodes[Up].What);
    Receiver Into = receiverOf(Above);
    if (Into.Named)
      for (const FieldDecl *Field : named(Into.Named)) {
        S.Habits[Field].MayBeRegistered = true;
        S.Habits[Field].IsRegistered |=
            Into.IsSame && isRegistrationFunction(Callee);
      }
    return;
  }
  if (isHolding(Callee))
    for (const Expr *Argument : Arguments)
      registerAllIn(Argument);
  const auto *Member = dyn_cast_or_null<CXXMemberCallExpr>(Call);
  if (Member && isTransfer(Member)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    if (isModuleClass(pointedClass(skipNoise(Object)->getType())) ||
        isModuleClass(skipNoise(Object)->getType()->getAsCXXRecordDecl()) ||
        nameOf(Member->getMethodDecl()) == "set_data")
      follow(named(Object));
    const CXXRecordDecl *Moved = pointedClass(skipNoise(Object)->getType());
    if (!Moved)
      Moved = skipNoise(Object)->getType()->getAsCXXRecordDecl();
    if (isModuleClass(Moved)) {
      S.MovesAnyModule = true;
      S.MovedClasses.insert(Moved->getCanonicalDecl());
      S.ModuleMoves[Around].push_back(Member->getExprLoc());
    }
  }
  // torch::load(module, file, device)
  if (IsTorch && nameOf(Callee) == "load" && Arguments.size() >= 2)
    S.MovesAnyModule = true;
  if (IsTorch)
    return;
  bool RunsLambda = llvm::any_of(Arguments, [&](const Expr *Argument) {
    const Expr *E = withoutCopies(Argument);
    return isa<LambdaExpr>(E) ||
           (E->getType()->getAsCXXRecordDecl() &&
            E->getType()->getAsCXXRecordDecl()->isLambda());
  });
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    if (IsStd) {
      // std::for_each(blocks.begin(), blocks.end(), lambda)
      if (RunsLambda)
        follow(named(Arguments[I]));
      continue;
    }
    if (isThis(Arguments[I]) && (!IsHere || mayTransfer(Callee)) && !IsStd)
      distrustThis(Around);
    QualType Type = Callee && I < Callee->getNumParams()
                        ? Callee->getParamDecl(I)->getType()
                        : QualType();
    if (handsOver(Type) && (!IsHere || mayTransfer(Callee)))
      follow(named(Arguments[I]));
  }
}

/// Whether \p E holds a transfer of one of \p Fields.
static bool transfers(const Stmt *Whole) {
  llvm::SmallVector<const Stmt *, 16> Pending = {Whole};
  while (!Pending.empty()) {
    const Stmt *Now = Pending.pop_back_val();
    if (!Now)
      continue;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Now))
      if (isTransfer(Member))
        return true;
    for (const Stmt *Child : Now->children())
      Pending.push_back(Child);
  }
  return false;
}

void SurveyBuilder::visitAssignment(const Expr *Target, const Expr *Source,
                                    size_t Index, const FunctionDecl *Around) {
  FieldSet Fields = named(Target);
  if (Fields.empty())
    return;
  for (const FieldDecl *Field : Fields)
    S.Assigned[Around].insert(Field);
  if (const auto *Member = dyn_cast<MemberExpr>(skipNoise(Target)))
    if (!isa<CXXThisExpr>(skipNoise(Member->getBase())))
      S.AssignsForeign.insert(Around);
  llvm::SmallVector<const VarDecl *, 2> Locals;
  named(Source, &Locals);
  for (const VarDecl *Local : Locals)
    for (const FieldDecl *Field : Fields)
      GivenTo.push_back({Local, Field});
  // m = m.defined() ? m : ... keeps it on one side.
  const Expr *Condition = nullptr;
  if (const auto *Choice =
          dyn_cast<AbstractConditionalOperator>(withoutCopies(Source)))
    for (bool KeepsThen : {true, false}) {
      const Expr *Kept =
          KeepsThen ? Choice->getTrueExpr() : Choice->getFalseExpr();
      if (!isa<MemberExpr>(withoutCopies(Kept)) || named(Kept) != Fields)
        continue;
      Condition = Choice->getCond();
      Source = KeepsThen ? Choice->getFalseExpr() : Choice->getTrueExpr();
      break;
    }
  FieldSet Read = allIn(Source);
  bool IsConstructor = isa<CXXConstructorDecl>(Around);
  for (const FieldDecl *Field : Fields) {
    ++S.Habits[Field].Givings;
    if (!Read.contains(Field))
      continue;
    S.Habits[Field].IsCarried = true;
    if (!IsConstructor && transfers(Source))
      S.Habits[Field].IsReassignedMoved = true;
  }
  if (!IsConstructor)
    Writes.push_back({std::move(Fields), Source, Condition, Index});
}

/// What is assigned to local variables, for the members behind it.
void SurveyBuilder::noteLocals(const Tree &Nodes) {
  auto Add = [&](const Expr *Target, const Expr *Source) {
    llvm::SmallVector<const Expr *, 2> Targets = {Target};
    if (const auto *Tie = dyn_cast<CallExpr>(skipNoise(Target));
        Tie && nameOf(Tie->getDirectCallee()) == "tie")
      Targets.assign(Tie->arg_begin(), Tie->arg_end());
    for (const Expr *One : Targets)
      if (const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(One)))
        if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
          LocalSources[Variable].push_back(Source);
  };
  for (const Node &N : Nodes) {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(N.What)) {
      if (Operator->getOperator() == OO_Equal)
        Add(Operator->getArg(0), Operator->getArg(1));
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(N.What)) {
      if (Assign->isAssignmentOp())
        Add(Assign->getLHS(), Assign->getRHS());
    }
  }
}

/// A default-constructed tensor or pointer: what was there is dropped.
static bool isNothing(const Expr *Source) {
  const Expr *E = skipNoise(Source);
  while (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0)
      return true;
    E = skipNoise(Construct->getArg(0));
  }
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 0;
  return isa<CXXNullPtrLiteralExpr>(E) ||
         className(E->getType()) == "nullopt_t";
}

/// The conditions that decide whether node \p Index is executed: of statements
/// around it, and of those before it that may leave the function.
static llvm::SmallVector<const Stmt *, 4>
guardsOf(llvm::ArrayRef<std::pair<const Stmt *, int>> Nodes, size_t Index) {
  llvm::SmallVector<const Stmt *, 4> Guards;
  const Stmt *Below = Nodes[Index].first;
  for (int Up = Nodes[Index].second; Up >= 0; Up = Nodes[Up].second) {
    const Stmt *Parent = Nodes[Up].first;
    if (const auto *If = dyn_cast<IfStmt>(Parent)) {
      if (Below != If->getCond())
        Guards.push_back(If->getCond());
    } else if (const auto *Conditional =
                   dyn_cast<AbstractConditionalOperator>(Parent)) {
      if (Below != Conditional->getCond())
        Guards.push_back(Conditional->getCond());
    } else if (const auto *While = dyn_cast<WhileStmt>(Parent)) {
      Guards.push_back(While->getCond());
    } else if (const auto *Compound = dyn_cast<CompoundStmt>(Parent)) {
      for (const Stmt *Before : Compound->body()) {
        if (Before == Below)
          break;
        if (const auto *If = dyn_cast<IfStmt>(Before))
          Guards.push_back(If->getCond());
      }
    }
    Below = Parent;
  }
  return Guards;
}

void SurveyBuilder::noteGuards(const Written &W, const Tree &Nodes,
                               const FunctionDecl *Around) {
  FieldSet Kept;
  llvm::SmallVector<std::pair<const Stmt *, int>, 64> Pairs;
  for (const Node &N : Nodes)
    Pairs.push_back({N.What, N.Parent});
  llvm::SmallVector<const Stmt *, 4> Guards = guardsOf(Pairs, W.Index);
  if (W.Condition)
    Guards.push_back(W.Condition);
  for (const Stmt *Guard : Guards) {
    FieldSet Read = allIn(Guard);
    bool Asks = false;
    llvm::SmallVector<const Stmt *, 8> Pending = {Guard};
    llvm::DenseSet<const FunctionDecl *> Opened;
    while (!Pending.empty()) {
      const Stmt *Now = Pending.pop_back_val();
      if (!Now)
        continue;
      if (const auto *E = dyn_cast<Expr>(Now)) {
        Asks |= asksDevice(E);
        // A variable or function that stands for the condition.
        if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
          if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
              Variable && Variable->hasInit() && !isa<ParmVarDecl>(Variable))
            Pending.push_back(Variable->getInit());
        const auto *Call = dyn_cast<CallExpr>(E);
        const FunctionDecl *Definition = nullptr;
        if (Call && Call->getDirectCallee() &&
            Call->getDirectCallee()->hasBody(Definition) &&
            !isStandardOrTorch(Definition) &&
            Opened.insert(Definition).second) {
          Pending.push_back(Definition->getBody());
          for (const FieldDecl *Field : allIn(Definition->getBody()))
            Read.insert(Field);
        }
      }
      for (const Stmt *Child : Now->children())
        Pending.push_back(Child);
    }
    for (const FieldDecl *Field : W.Fields) {
      MemberHabits &Habits = S.Habits[Field];
      Habits.ComparesDevices |= Asks;
      bool IsKept = Read.contains(Field);
      for (const FieldDecl *Other : Read)
        IsKept |= S.Assigned[Around].contains(Other);
      if (IsKept)
        Kept.insert(Field);
    }
  }
  for (const FieldDecl *Field : W.Fields) {
    MemberHabits &Habits = S.Habits[Field];
    Habits.IsKept |= Kept.contains(Field);
    Habits.IsRenewed |= !Kept.contains(Field) && !isNothing(W.Source);
  }
}

void SurveyBuilder::walk(const FunctionDecl *Function, const Tree &Nodes) {
  for (size_t I = 0; I < Nodes.size(); ++I) {
    const Stmt *Now = Nodes[I].What;
    if (const auto *Member = dyn_cast<MemberExpr>(Now))
      if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
        S.Named[Function].insert(canonical(Field));
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Now);
        Operator && Operator->getOperator() == OO_Equal)
      visitAssignment(Operator->getArg(0), Operator->getArg(1), I, Function);
    else if (const auto *Assign = dyn_cast<BinaryOperator>(Now);
             Assign && Assign->isAssignmentOp())
      visitAssignment(Assign->getLHS(), Assign->getRHS(), I, Function);
    if (const auto *Call = dyn_cast<CallExpr>(Now)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(),
                                             Call->getNumArgs());
      if (isa<CXXOperatorCallExpr>(Call) &&
          isa_and_nonnull<CXXMethodDecl>(Callee) && !Arguments.empty())
        Arguments = Arguments.drop_front();
      visitCall(Call, Callee, Arguments, Nodes, I, Function);
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
          Member && Call->getNumArgs() > 0 && Callee &&
          isStandardOrTorch(Callee) && addsToContainer(nameOf(Callee)))
        visitAssignment(Member->getImplicitObjectArgument(),
                        Call->getArg(Call->getNumArgs() - 1), I, Function);
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Now)) {
      llvm::ArrayRef<const Expr *> Arguments(Construct->getArgs(),
                                             Construct->getNumArgs());
      if (!Construct->getConstructor()->isCopyOrMoveConstructor())
        visitCall(nullptr, Construct->getConstructor(), Arguments, Nodes, I,
                  Function);
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(Now);
               Unary && Unary->getOpcode() == UO_AddrOf) {
      follow(named(Unary->getSubExpr()));
    }
  }
  for (const Written &W : Writes)
    noteGuards(W, Nodes, Function);
  Writes.clear();
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
  if (!Constructor)
    return;
  for (const CXXCtorInitializer *Initializer : Constructor->inits()) {
    if (!Initializer->isAnyMemberInitializer())
      continue;
    const FieldDecl *Field = canonical(Initializer->getAnyMember());
    S.Named[Function].insert(Field);
    llvm::SmallVector<const VarDecl *, 2> Locals;
    named(Initializer->getInit(), &Locals);
    for (const VarDecl *Local : Locals)
      GivenTo.push_back({Local, Field});
    registerInitialized(Field, Initializer->getInit());
  }
}

/// A member whose initialiser registers something may be what is registered.
void SurveyBuilder::registerInitialized(const FieldDecl *Field,
                                        const Expr *Init) {
  // A template's initialiser that nothing needed yet is not there.
  if (!Init)
    return;
  const Expr *Whole = withoutCopies(Init);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Whole))
    Whole = withoutCopies(Default->getExpr());
  llvm::SmallVector<const Stmt *, 8> Pending = {Whole};
  while (!Pending.empty()) {
    const Stmt *Now = Pending.pop_back_val();
    if (!Now)
      continue;
    const auto *Call = dyn_cast<CallExpr>(Now);
    if (Call && mayRegister(Call->getDirectCallee())) {
      bool IsCertain = isRegistrationFunction(Call->getDirectCallee());
      S.Habits[Field].MayBeRegistered = true;
      S.Habits[Field].IsRegistered |= IsCertain && Now == Whole;
      for (const Expr *Argument : Call->arguments())
        registerNames(Argument, nullptr, IsCertain);
    }
    for (const Stmt *Child : Now->children())
      Pending.push_back(Child);
  }
}

/// What is named, assigned and called by the methods that a method calls.
void SurveyBuilder::closeCalls() {
  /// Longer chains of calls do not add to it.
  constexpr unsigned MaxRounds = 6;
  for (unsigned Round = 0; Round < MaxRounds; ++Round)
    for (const FunctionDecl *Function : Functions) {
      bool FromConstructor = isa<CXXConstructorDecl>(Function) ||
                             S.CalledByConstructor.contains(Function);
      for (const FunctionDecl *Callee : Calls[Function]) {
        if (Callee == Function)
          continue;
        FieldSet Named = S.Named[Callee], Assigned = S.Assigned[Callee];
        S.Named[Function].insert(Named.begin(), Named.end());
        S.Assigned[Function].insert(Assigned.begin(), Assigned.end());
        S.CalledByOwnClass.insert(Callee);
        if (FromConstructor)
          S.CalledByConstructor.insert(Callee);
      }
    }
}

void SurveyBuilder::run() {
  llvm::SmallVector<const CXXRecordDecl *, 8> Classes;
  for (const FunctionDecl *Function : Functions) {
    S.Bodies.insert(Function);
    S.HasMain |= Function->isMain();
    Tree Nodes = treeOf(Function);
    noteLocals(Nodes);
    walk(Function, Nodes);
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (!Method)
      continue;
    const CXXRecordDecl *Class = Method->getParent();
    if (!llvm::is_contained(Classes, Class))
      Classes.push_back(Class);
  }
  // Initialisers in classes whose constructors the compiler makes.
  for (const CXXRecordDecl *Class : Classes)
    for (const FieldDecl *Field : Class->fields()) {
      if (!Field->hasInClassInitializer())
        continue;
      registerInitialized(canonical(Field), Field->getInClassInitializer());
    }
  for (const auto &[Local, Field] : GivenTo)
    if (RegisteredLocals.contains(Local))
      S.Habits[Field].MayBeRegistered = true;
  closeCalls();
}

MemberSurvey::MemberSurvey(llvm::ArrayRef<const FunctionDecl *> Functions) {
  SurveyBuilder(*this, Functions).run();
}

MemberSurvey::~MemberSurvey() = default;

MemberHabits MemberSurvey::habitsOf(const FieldDecl *Member) const {
  return Habits.lookup(cast<FieldDecl>(Member->getCanonicalDecl()));
}

const FieldSet &MemberSurvey::namedIn(const FunctionDecl *Function) const {
  auto It = Named.find(Function);
  return It == Named.end() ? NoFields : It->second;
}

const FieldSet &MemberSurvey::assignedIn(const FunctionDecl *Function) const {
  auto It = Assigned.find(Function);
  return It == Assigned.end() ? NoFields : It->second;
}

bool MemberSurvey::movesModuleAfter(const FunctionDecl *Function,
                                    SourceLocation From) const {
  auto It = ModuleMoves.find(Function);
  return It != ModuleMoves.end() &&
         llvm::any_of(It->second,
                      [&](SourceLocation Move) { return From < Move; });
}

bool MemberSurvey::isUnderstood(const CXXRecordDecl *Class) const {
  if (!Class->hasDefinition() || Class->isDependentType() ||
      NotUnderstood.contains(Class->getCanonicalDecl()))
    return false;
  for (const CXXMethodDecl *Method : Class->methods()) {
    const FunctionDecl *Definition = nullptr;
    bool Matters = !Method->isImplicit() && !Method->isDefaulted() &&
                   !Method->isDeleted() && !Method->isPureVirtual() &&
                   !isa<CXXDestructorDecl>(Method);
    if (Matters &&
        (!Method->hasBody(Definition) || !Bodies.contains(Definition)))
      return false;
  }
  for (const CXXBaseSpecifier &Base : Class->bases()) {
    const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
    if (Of && !isStandardOrTorch(Of) && !isUnderstood(Of))
      return false;
  }
  return true;
}

/// Whether a member of \p Around, or what one holds, is of \p Class.
static bool mayHold(const CXXRecordDecl *Around, const CXXRecordDecl *Class,
                    unsigned Depth) {
  /// Modules that are nested deeper are taken to be held.
  constexpr unsigned MaxDepth = 6;
  if (Depth > MaxDepth || Around == Class)
    return true;
  if (!Around->hasDefinition())
    return true;
  for (const CXXBaseSpecifier &Base : Around->bases())
    if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl())
      if (!isStandardOrTorch(Of) && mayHold(Of, Class, Depth + 1))
        return true;
  if (isStandardOrTorch(Around))
    return false;
  for (const FieldDecl *Field : Around->fields()) {
    QualType Type = Field->getType();
    const CXXRecordDecl *Held = pointedClass(Type);
    if (!Held && isSequence(Type))
      Held = pointedClass(elementTypeOf(Type));
    if (!Held)
      continue;
    bool HoldsAnything = isTorchDecl(Held) &&
                         llvm::StringSwitch<bool>(moduleOp(Held))
                             .Cases({"nn::Sequential", "nn::ModuleList"}, true)
                             .Cases({"nn::ModuleDict", "nn::Module"}, true)
                             .Default(false);
    if (HoldsAnything || mayHold(Held, Class, Depth + 1))
      return true;
  }
  return false;
}

bool MemberSurvey::isMoved(const CXXRecordDecl *Class) const {
  for (const CXXRecordDecl *Moved : MovedClasses) {
    if (isTorchDecl(Moved)) {
      std::string Op = moduleOp(Moved);
      if (Op == "nn::Module" || Op == "nn::Sequential" ||
          Op == "nn::ModuleList" || Op == "nn::ModuleDict")
        return true;
      continue;
    }
    if (Moved == Class->getCanonicalDecl() || Class->isDerivedFrom(Moved) ||
        mayHold(Moved, Class->getCanonicalDecl(), 0))
      return true;
  }
  return MovedClasses.empty() && MovesAnyModule;
}
