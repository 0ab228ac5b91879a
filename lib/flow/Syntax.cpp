//===- Syntax.cpp - Small questions about clang's syntax tree -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Syntax.h"
#include "flow/Iterators.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace tdl;

const Expr *tdl::skipNoise(const Expr *E) {
  while (E) {
    if (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(E)) // Clean-ups, constants.
      E = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CXXStaticCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Cast = dyn_cast<CStyleCastExpr>(E);
             Cast && !Cast->getType()->isVoidType())
      E = Cast->getSubExpr();
    else if (const auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Replaced->getReplacement();
    else
      return E;
  }
  return E;
}

std::string tdl::sourceText(const Expr *E, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  CharSourceRange Range = CharSourceRange::getTokenRange(E->getSourceRange());
  CharSourceRange FileRange =
      Lexer::makeFileCharRange(Range, SM, AST.getLangOpts());
  if (FileRange.isInvalid())
    FileRange = SM.getExpansionRange(E->getSourceRange());
  llvm::StringRef Text = Lexer::getSourceText(FileRange, SM, AST.getLangOpts());
  std::string OneLine;
  for (char Character : Text) {
    bool IsSpace = isspace(static_cast<unsigned char>(Character));
    if (!IsSpace)
      OneLine += Character;
    else if (!OneLine.empty() && OneLine.back() != ' ')
      OneLine += ' ';
  }
  return OneLine;
}

bool tdl::isStandardOrTorch(const Decl *D) {
  // Decl::isInStdNamespace() does not count members of classes.
  for (const DeclContext *Context = D->getDeclContext(); Context;
       Context = Context->getParent()) {
    // Where libstdc++ has its iterators.
    const auto *Namespace = dyn_cast<NamespaceDecl>(Context);
    if (Context->isStdNamespace() || (Namespace && Namespace->getIdentifier() &&
                                      Namespace->getName() == "__gnu_cxx"))
      return true;
  }
  return isTorchDecl(D);
}

const InitListExpr *tdl::listSyntax(const Expr *E) {
  while (E) {
    E = skipNoise(E);
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return List;
    if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
      E = List->getSubExpr();
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
             Construct && Construct->getNumArgs() >= 1)
      E = Construct->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

bool tdl::isText(QualType Type) {
  llvm::StringRef Name = className(Type);
  if (Name == "basic_string" || Name == "basic_string_view")
    return true;
  return Type->isPointerType() && Type->getPointeeType()->isCharType();
}

const CXXRecordDecl *tdl::pointedClassOf(const Expr *E) {
  return pointedClass(skipNoise(E)->getType());
}

const Expr *tdl::withoutCopies(const Expr *E) {
  E = skipNoise(E);
  while (const auto *Copy = dyn_cast<CXXConstructExpr>(E)) {
    if (Copy->getNumArgs() != 1)
      return E;
    E = skipNoise(Copy->getArg(0));
  }
  return E;
}

const Expr *tdl::deviceSyntax(const Expr *E) {
  while (E && !isa<CXXDefaultArgExpr>(E)) {
    E = skipNoise(E);
    const auto *Construct = dyn_cast<CXXConstructExpr>(E);
    bool Converts = Construct && Construct->getNumArgs() == 1;
    TorchType Type = torchTypeOf(E->getType());
    if (Type == TorchType::DeviceType ||
        (Type == TorchType::Device && !Converts))
      return E;
    if (!Converts || (Type != TorchType::Options && Type != TorchType::Device))
      return nullptr;
    // Device("cuda") is a device, Device(kCUDA) one that is written kCUDA.
    const Expr *From = skipNoise(Construct->getArg(0));
    TorchType FromType = torchTypeOf(From->getType());
    if (Type == TorchType::Device && FromType == TorchType::None)
      return E;
    E = From;
  }
  return nullptr;
}

llvm::SmallVector<QualType, 4> tdl::tupleTypes(QualType Type) {
  llvm::SmallVector<QualType, 4> Types;
  llvm::StringRef Name = className(Type);
  if (Name != "tuple" && Name != "pair")
    return Types;
  const auto *Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Record)
    return Types;
  llvm::SmallVector<TemplateArgument, 4> Parts;
  for (const TemplateArgument &Argument : Record->getTemplateArgs().asArray())
    if (Argument.getKind() == TemplateArgument::Pack)
      Parts.append(Argument.pack_begin(), Argument.pack_end());
    else
      Parts.push_back(Argument);
  for (const TemplateArgument &Part : Parts) {
    if (Part.getKind() != TemplateArgument::Type)
      return {};
    Types.push_back(Part.getAsType());
  }
  return Types;
}

bool tdl::isForwarding(const FunctionDecl *Function, unsigned Index) {
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  if (!Pattern || Pattern->getNumParams() == 0)
    return false;
  // A pack is one parameter of the pattern, the last.
  unsigned Last = Pattern->getNumParams() - 1;
  QualType Type = Pattern->getParamDecl(std::min(Index, Last))->getType();
  if (const auto *Pack = Type->getAs<PackExpansionType>())
    Type = Pack->getPattern();
  return Type->isRValueReferenceType() &&
         Type->getPointeeType()->isTemplateTypeParmType();
}

llvm::SmallVector<const ValueDecl *, 2> tdl::variablesIn(const Expr *Target) {
  llvm::SmallVector<const ValueDecl *, 2> Variables;
  llvm::SmallVector<const Expr *, 4> Pending = {Target};
  while (!Pending.empty()) {
    const Expr *E = skipNoise(Pending.pop_back_val());
    if (const Expr *Iterator = dereferencedIterator(E))
      if (const Expr *Container = iteratorSource(Iterator).Container)
        Pending.push_back(Container);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      Variables.push_back(Reference->getDecl());
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      // A member of *this stands for itself.
      if (isa<CXXThisExpr>(skipNoise(Member->getBase())))
        Variables.push_back(Member->getMemberDecl());
      else
        Pending.push_back(Member->getBase());
    } else if (const auto *Conditional =
                   dyn_cast<AbstractConditionalOperator>(E)) {
      Pending.push_back(Conditional->getTrueExpr());
      Pending.push_back(Conditional->getFalseExpr());
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      Pending.push_back(Call->getImplicitObjectArgument());
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->getNumArgs() > 0)
        Pending.push_back(Operator->getArg(0));
    } else if (const auto *Copy = dyn_cast<CXXConstructExpr>(E)) {
      if (Copy->getNumArgs() == 1)
        Pending.push_back(Copy->getArg(0));
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      Pending.push_back(Unary->getSubExpr());
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      Pending.push_back(Subscript->getBase());
    } else if (const auto *Assign = dyn_cast<BinaryOperator>(E)) {
      Pending.push_back(Assign->getLHS());
    }
  }
  return Variables;
}

static bool isMutableReference(QualType Type) {
  return Type->isLValueReferenceType() &&
         !Type->getPointeeType().isConstQualified();
}

/// Arguments that a call may change through its parameters.
static void addChangedArguments(const CallExpr *Call,
                                llvm::SmallVectorImpl<const Expr *> &Changed) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function)
    return;
  unsigned Skipped =
      isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Function);
  for (unsigned I = Skipped; I < Call->getNumArgs(); ++I) {
    unsigned Parameter = I - Skipped;
    if (Parameter < Function->getNumParams() &&
        isMutableReference(Function->getParamDecl(Parameter)->getType()) &&
        !isForwarding(Function, Parameter))
      Changed.push_back(Call->getArg(I));
  }
}

llvm::SmallVector<const Expr *, 2> tdl::changedBy(const Stmt *S) {
  llvm::SmallVector<const Expr *, 2> Changed;
  if (const auto *Assign = dyn_cast<BinaryOperator>(S)) {
    if (Assign->isAssignmentOp())
      Changed.push_back(Assign->getLHS());
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(S)) {
    if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)
      Changed.push_back(Unary->getSubExpr());
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Part : Declaration->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Part);
          Variable && Variable->getInit() &&
          isMutableReference(Variable->getType()))
        Changed.push_back(Variable->getInit());
  } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
    addChangedArguments(Call, Changed);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    if (Operator && Operator->isAssignmentOp())
      Changed.push_back(Operator->getArg(0));
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    // Tensors' own methods leave the variable alone; set_data does not.
    if (Member && Member->getMethodDecl() &&
        !Member->getMethodDecl()->isConst() &&
        torchTypeOf(Member->getObjectType()) != TorchType::Tensor)
      Changed.push_back(Member->getImplicitObjectArgument());
  }
  return Changed;
}

bool tdl::runsOnDevice(const FunctionDecl *Function) {
  return Function->hasAttr<CUDAGlobalAttr>() ||
         (Function->hasAttr<CUDADeviceAttr>() &&
          !Function->hasAttr<CUDAHostAttr>());
}

bool tdl::isKernelLaunch(const CallExpr *Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return true;
  // Clang's own call between <<< and >>>.
  const FunctionDecl *Function = Call->getDirectCallee();
  return Function && Function->getIdentifier() &&
         Function->getName() == "__cudaPushCallConfiguration";
}

namespace {
/// An explicit stack instead of recursion: generated code nests deeply.
class BodyWalker {
public:
  explicit BodyWalker(BodyFacts &Facts) : Facts(Facts) {}

  void walk(const Stmt *Body) {
    Pending.push_back(Body);
    while (!Pending.empty()) {
      const Stmt *S = Pending.pop_back_val();
      if (!S)
        continue;
      visit(S);
      Iterators.visit(S);
      for (const Stmt *Child : S->children())
        Pending.push_back(Child);
    }
  }

  /// After the last walk.
  void finish() {
    Facts.HarmlessIterators = Iterators.harmless();
    for (const Expr *Container : Iterators.escaping())
      untrack(Container);
    // What may change a reference behind our back changes what it names a part
    // of.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const auto &[Reference, Named] : References)
        if (Facts.Untracked.contains(Reference))
          for (const ValueDecl *Variable : variablesIn(Named))
            Changed |= Facts.Untracked.insert(canonical(Variable)).second;
    }
  }

private:
  void discard(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    // A cast to void says that the value is meant to be dropped.
    const Expr *Outer = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(Outer))
      Outer = Full->getSubExpr()->IgnoreParens();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(Outer);
        Cast && Cast->getCastKind() == CK_ToVoid)
      return;
    E = skipNoise(E);
    Facts.Discarded.insert(E);
    if (const auto *Comma = dyn_cast<BinaryOperator>(E);
        Comma && Comma->getOpcode() == BO_Comma)
      discard(Comma->getRHS());
  }

  void visit(const Stmt *S) {
    if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
      for (const Stmt *Child : Compound->body())
        discard(Child);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      discard(If->getThen());
      discard(If->getElse());
    } else if (const auto *For = dyn_cast<ForStmt>(S)) {
      discard(For->getInit());
      discard(For->getInc());
      discard(For->getBody());
      addCounter(For->getInc());
      if (std::optional<IndexWalk> Walk = indexWalkOf(For))
        Facts.IndexWalks[Walk->Counter] = *Walk;
    } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
      discard(Range->getBody());
      visitRange(Range);
    } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
      discard(While->getBody());
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      discard(Do->getBody());
    } else if (const auto *Case = dyn_cast<SwitchCase>(S)) {
      discard(Case->getSubStmt());
    } else if (const auto *Label = dyn_cast<LabelStmt>(S)) {
      discard(Label->getSubStmt());
    } else if (const auto *Comma = dyn_cast<BinaryOperator>(S);
               Comma && Comma->getOpcode() == BO_Comma) {
      discard(Comma->getLHS());
    } else if (const auto *Conditional =
                   dyn_cast<AbstractConditionalOperator>(S)) {
      Facts.Arms.insert(skipNoise(Conditional->getTrueExpr()));
      Facts.Arms.insert(skipNoise(Conditional->getFalseExpr()));
    } else if (const auto *Address = dyn_cast<UnaryOperator>(S);
               Address && Address->getOpcode() == UO_AddrOf) {
      if (Looked.contains(Address))
        return;
      for (const ValueDecl *Variable : variablesIn(Address->getSubExpr()))
        Facts.Untracked.insert(canonical(Variable));
    } else if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      visitLambda(Lambda);
    } else {
      visitStoredReferences(S);
    }
    visitLooks(S);
    for (const Expr *Target : changedBy(S)) {
      for (const ValueDecl *Variable : variablesIn(Target))
        Facts.Reassigned.insert(canonical(Variable));
      visitChangedCall(Target);
    }
  }

  /// Addresses that are compared or printed, and tuples of references that are
  /// assigned to or compared, are not kept.
  void visitLooks(const Stmt *S) {
    auto Look = [&](const Expr *E) { Looked.insert(skipNoise(E)); };
    if (const auto *Binary = dyn_cast<BinaryOperator>(S);
        Binary && Binary->isComparisonOp()) {
      Look(Binary->getLHS());
      Look(Binary->getRHS());
    }
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee)
      return;
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
      bool Prints =
          Operator->getOperator() == OO_LessLess && isStandardOrTorch(Callee);
      if (Prints || Operator->getOperator() == OO_Equal ||
          Operator->isComparisonOp())
        for (const Expr *Argument : Operator->arguments())
          Look(Argument);
      // LibTorch's own lists and dictionaries are handles.
      llvm::StringRef Class = className(Operator->getArg(0)->getType());
      if (Operator->getOperator() == OO_Equal && isTorchDecl(Callee) &&
          (Class == "List" || Class == "Dict"))
        for (const Expr *Argument : Operator->arguments())
          untrack(Argument);
      return;
    }
    if (isTupleOfReferences(Callee)) {
      bool IsLooked = Looked.contains(Call);
      for (const Expr *Argument : Call->arguments())
        IsLooked ? Look(Argument) : untrack(Argument);
    } else if (Callee->isVariadic() && Callee->getIdentifier() &&
               Callee->getName().contains("printf")) {
      for (const Expr *Argument : Call->arguments())
        Look(Argument);
    }
  }

  /// std::tie and std::forward_as_tuple.
  static bool isTupleOfReferences(const FunctionDecl *Function) {
    return Function->isInStdNamespace() && Function->getIdentifier() &&
           (Function->getName() == "tie" ||
            Function->getName() == "forward_as_tuple");
  }

  /// `member() = x`, `self().member = x`: a call of the program's says what
  /// changes.
  void visitChangedCall(const Expr *Target) {
    const Expr *E = skipNoise(Target);
    while (const auto *Member = dyn_cast<MemberExpr>(E))
      E = skipNoise(Member->getBase());
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || isStandardOrTorch(Callee) || isa<CXXOperatorCallExpr>(Call))
      return;
    QualType Returned = Callee->getReturnType();
    if (!Returned->isReferenceType() && !Returned->isPointerType())
      return;
    untrack(E);
    for (const Expr *Argument : Call->arguments())
      untrack(Argument);
    if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Call);
        Method &&
        isa<CXXThisExpr>(skipNoise(Method->getImplicitObjectArgument())))
      Facts.MayChangeMembers = true;
  }

  static const ValueDecl *canonical(const ValueDecl *Declaration) {
    return cast<ValueDecl>(Declaration->getCanonicalDecl());
  }

  void untrack(const Expr *Target) {
    for (const ValueDecl *Variable : variablesIn(Target))
      Facts.Untracked.insert(canonical(Variable));
  }

  /// Whether a constructor of \p Module takes its argument number \p Index by a
  /// reference through which it may change it.
  static bool takesMutableReference(const CXXRecordDecl *Module,
                                    unsigned Index) {
    return llvm::any_of(Module->ctors(), [&](const CXXConstructorDecl *C) {
      return Index < C->getNumParams() && !C->isCopyOrMoveConstructor() &&
             isMutableReference(C->getParamDecl(Index)->getType());
    });
  }

  /// Objects that may keep a reference to a variable: by a constructor's
  /// argument, a member of an aggregate, a structured binding.
  void visitStoredReferences(const Stmt *S) {
    if (const auto *Call = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *Function = Call->getDirectCallee();
      if (Function && Function->isInStdNamespace() &&
          Function->getIdentifier() && Function->getName() == "ref" &&
          Call->getNumArgs() == 1)
        untrack(Call->getArg(0));
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
      const CXXConstructorDecl *Constructor = Construct->getConstructor();
      if (className(Construct->getType()) == "reference_wrapper" &&
          Construct->getNumArgs() >= 1)
        untrack(Construct->getArg(0));
      // Copies of LibTorch's own lists and dictionaries share what they hold.
      bool IsHandle = isTorchDecl(Constructor) &&
                      (className(Construct->getType()) == "List" ||
                       className(Construct->getType()) == "Dict");
      if (IsHandle)
        for (const Expr *Argument : Construct->arguments())
          untrack(Argument);
      if (isStandardOrTorch(Constructor) ||
          Constructor->isCopyOrMoveConstructor())
        return;
      // A destructor that the program writes may change what it was given.
      bool MayChangeLate = hasCodeInDestructor(Constructor->getParent());
      for (unsigned I = 0;
           I < Construct->getNumArgs() && I < Constructor->getNumParams();
           ++I) {
        QualType Type = Constructor->getParamDecl(I)->getType();
        // A copy of a tensor is no way to change a variable.
        bool IsCopy =
            !Type->isReferenceType() && torchTypeOf(Type) != TorchType::None;
        // A holder hands its arguments on to the module's constructor.
        const CXXRecordDecl *Held = heldModuleClass(Construct->getType());
        bool MayKeep =
            Held ? takesMutableReference(Held, I) : isMutableReference(Type);
        if (MayKeep || (MayChangeLate && !IsCopy))
          untrack(Construct->getArg(I));
      }
    } else if (const auto *List = dyn_cast<InitListExpr>(S)) {
      const RecordDecl *Record = List->getType()->getAsRecordDecl();
      if (!Record)
        return;
      unsigned I = 0;
      for (const FieldDecl *Field : Record->fields()) {
        if (I >= List->getNumInits())
          break;
        if (isMutableReference(Field->getType()))
          untrack(List->getInit(I));
        ++I;
      }
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Part : Declaration->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Part))
          visitVariable(Variable);
    }
  }

  /// Whether the program writes a destructor of \p Class that does something.
  static bool hasCodeInDestructor(const CXXRecordDecl *Class) {
    const CXXDestructorDecl *Destructor = Class->getDestructor();
    if (!Destructor || !Destructor->isUserProvided())
      return false;
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Destructor->getBody());
    return !Body || !Body->body_empty();
  }

  void visitVariable(const VarDecl *Variable) {
    // What is copied from one of LibTorch's lists or dictionaries is one too.
    llvm::StringRef Class = className(Variable->getType());
    const auto *Init =
        Variable->getInit()
            ? dyn_cast<CXXConstructExpr>(skipNoise(Variable->getInit()))
            : nullptr;
    bool IsCopy = Init && Init->getNumArgs() >= 1 &&
                  isTorchDecl(Init->getConstructor()) &&
                  (Class == "List" || Class == "Dict");
    if (IsCopy)
      Facts.Untracked.insert(canonical(Variable));
    visitReference(Variable);
  }

  /// A reference or pointer that follows another variable's storage in a way
  /// that is not modelled: `auto &r = object.member();`, `auto &r = c ? a :
  /// b;`.
  void visitReference(const VarDecl *Variable) {
    const Expr *Init =
        Variable->getInit() ? skipNoise(Variable->getInit()) : nullptr;
    QualType Type = Variable->getType();
    bool IsHandle =
        isMutableReference(Type) ||
        (Type->isPointerType() && !Type->getPointeeType().isConstQualified());
    if (!Init || !IsHandle)
      return;
    if (Type->isReferenceType())
      addReference(Variable, Init);
    // The parts of a tuple or list are followed by name, and a loop's range is.
    bool IsFollowed = !tupleTypes(Init->getType()).empty() ||
                      isSequence(Init->getType()) || dereferencedIterator(Init);
    if ((isa<DecompositionDecl>(Variable) && !IsFollowed) ||
        isa<AbstractConditionalOperator>(Init))
      return untrack(Init);
    const auto *Call = dyn_cast<CallExpr>(Init);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || isStandardOrTorch(Callee) || isa<CXXOperatorCallExpr>(Call))
      return;
    Facts.Untracked.insert(canonical(Variable));
    untrack(Init);
    for (const Expr *Argument : Call->arguments())
      untrack(Argument);
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
        Member &&
        isa<CXXThisExpr>(skipNoise(Member->getImplicitObjectArgument())))
      Facts.MayChangeMembers = true;
  }

  /// Whether \p Body may change what \p Variable, a reference, names. Methods
  /// of what it points to leave it as it is.
  static bool mayChange(const ValueDecl *Variable, const Stmt *Body) {
    bool IsPointer = pointedClass(Variable->getType()) != nullptr;
    llvm::SmallVector<const Stmt *, 32> Inner = {Body};
    while (!Inner.empty()) {
      const Stmt *S = Inner.pop_back_val();
      if (!S)
        continue;
      bool IsMethodBehind = IsPointer && isa<CXXMemberCallExpr>(S);
      for (const Expr *Target : changedBy(S))
        if (!IsMethodBehind &&
            llvm::is_contained(variablesIn(Target), Variable))
          return true;
      for (const Stmt *Child : S->children())
        Inner.push_back(Child);
    }
    return false;
  }

  /// Remembers that \p Variable, a reference, or the bindings that it declares,
  /// name \p Init or a part of it.
  void addReference(const VarDecl *Variable, const Expr *Init) {
    References.push_back({canonical(Variable), Init});
    if (const auto *Decomposition = dyn_cast<DecompositionDecl>(Variable))
      for (const BindingDecl *Binding : Decomposition->bindings())
        References.push_back({canonical(Binding), Init});
  }

  /// What \p Step, the end of a for's head, moves on.
  void addCounter(const Expr *Step) {
    llvm::SmallVector<const Expr *, 2> Pending = {Step};
    while (!Pending.empty()) {
      const Expr *E = Pending.pop_back_val();
      E = E ? skipNoise(E) : nullptr;
      const auto *Unary = dyn_cast_or_null<UnaryOperator>(E);
      const auto *Binary = dyn_cast_or_null<BinaryOperator>(E);
      const Expr *Target = nullptr;
      if (Unary && Unary->isIncrementDecrementOp())
        Target = Unary->getSubExpr();
      else if (Binary && Binary->isCompoundAssignmentOp())
        Target = Binary->getLHS();
      else if (Binary && Binary->getOpcode() == BO_Comma)
        Pending.append({Binary->getLHS(), Binary->getRHS()});
      const auto *Reference =
          dyn_cast_or_null<DeclRefExpr>(Target ? skipNoise(Target) : nullptr);
      if (const auto *Counter =
              Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr)
        Facts.Counters.insert(Counter);
    }
  }

  /// `for (auto &t : list) t = ...` changes the list without naming it.
  void visitRange(const CXXForRangeStmt *Range) {
    const VarDecl *Variable = Range->getLoopVariable();
    // A list that a call returns is nobody else's.
    if (!isMutableReference(Variable->getType()) ||
        Range->getRangeInit()->isPRValue())
      return;
    addReference(Variable, Range->getRangeInit());
    bool MayChange = mayChange(Variable, Range->getBody());
    if (const auto *Decomposition = dyn_cast<DecompositionDecl>(Variable))
      for (const BindingDecl *Binding : Decomposition->bindings())
        MayChange |= mayChange(Binding, Range->getBody());
    if (!MayChange)
      return;
    const auto *Begin =
        dyn_cast_or_null<VarDecl>(Range->getBeginStmt()->getSingleDecl());
    QualType Walked = Range->getRangeInit()->getType();
    bool IsFollowed = Begin && (isSequence(Walked) || isMap(Walked)) &&
                      isNamedContainer(Range->getRangeInit());
    if (IsFollowed)
      Facts.Walks[Begin] = Range;
    else
      untrack(Range->getRangeInit());
  }

  /// Variables that the lambda's body may change.
  void visitLambda(const LambdaExpr *Lambda) {
    // Who gets a reference from it may change what it captured.
    if (isMutableReference(Lambda->getCallOperator()->getReturnType()))
      for (const LambdaCapture &Capture : Lambda->captures())
        if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
          Facts.Untracked.insert(canonical(Capture.getCapturedVar()));
    llvm::SmallVector<const Stmt *, 32> Inner = {Lambda->getBody()};
    while (!Inner.empty()) {
      const Stmt *S = Inner.pop_back_val();
      if (!S)
        continue;
      for (const Expr *Target : changedBy(S))
        for (const ValueDecl *Variable : variablesIn(Target))
          Facts.Untracked.insert(canonical(Variable));
      for (const Stmt *Child : S->children())
        Inner.push_back(Child);
    }
  }

  BodyFacts &Facts;
  IteratorUses Iterators;
  /// Expressions whose value is looked at where it is made, and not kept.
  llvm::DenseSet<const Expr *> Looked;
  /// References and what they name, or name a part of.
  llvm::SmallVector<std::pair<const ValueDecl *, const Expr *>, 8> References;
  llvm::SmallVector<const Stmt *, 64> Pending;
};
} // namespace

BodyFacts tdl::collectBodyFacts(const FunctionDecl *Function) {
  BodyFacts Facts;
  BodyWalker Walker(Facts);
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Initializer : Constructor->inits()) {
      const Expr *Init = Initializer->getInit();
      // An initialiser from the class stands outside the function.
      if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(Init))
        Init = Default->getExpr();
      Walker.walk(Init);
    }
  Walker.walk(Function->getBody());
  Walker.finish();
  return Facts;
}

const Expr *tdl::optionsSetBy(const CallExpr *Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || !isTorchDecl(Method) ||
      Call->getNumArgs() != 1 || !isOptionsClass(Member->getObjectType()) ||
      !Call->isLValue() || !isOptionsClass(Call->getType()))
    return nullptr;
  return Member->getImplicitObjectArgument();
}
