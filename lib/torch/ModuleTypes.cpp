//===- ModuleTypes.cpp - Recognises modules and what points to them -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

static bool isInNamespace(const Decl *D, llvm::StringRef Name) {
  const auto *Namespace = dyn_cast<NamespaceDecl>(D->getDeclContext());
  return Namespace && Namespace->getIdentifier() &&
         Namespace->getName() == Name;
}

/// \p Class or the first of its bases for which \p Holds; null without one.
template <typename Predicate>
static const CXXRecordDecl *findBase(const CXXRecordDecl *Class,
                                     Predicate Holds) {
  if (!Class || !Class->hasDefinition())
    return nullptr;
  if (Holds(Class))
    return Class;
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (const CXXRecordDecl *Found =
            findBase(Base.getType()->getAsCXXRecordDecl(), Holds))
      return Found;
  return nullptr;
}

bool tdl::isModuleClass(const CXXRecordDecl *Class) {
  return findBase(Class, [](const CXXRecordDecl *Base) {
    return Base->getIdentifier() && Base->getName() == "Module" &&
           isInNamespace(Base, "nn") && isTorchDecl(Base);
  });
}

bool tdl::isRegistrationFunction(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() && isTorchDecl(Callee) &&
         llvm::StringSwitch<bool>(Callee->getName())
             .Cases({"register_module", "register_parameter"}, true)
             .Cases({"register_buffer", "replace_module"}, true)
             .Default(false);
}

const CXXRecordDecl *tdl::heldModuleClass(QualType Type) {
  if (Type.isNull())
    return nullptr;
  const CXXRecordDecl *Holder =
      findBase(Type.getNonReferenceType()->getAsCXXRecordDecl(),
               [](const CXXRecordDecl *Base) {
                 return Base->getIdentifier() &&
                        Base->getName() == "ModuleHolder" && isTorchDecl(Base);
               });
  QualType Held = templateArgument(Holder);
  return Held.isNull() ? nullptr : Held->getAsCXXRecordDecl();
}

bool tdl::isScriptModule(QualType Type) {
  if (Type.isNull())
    return false;
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "Module" &&
         (isInNamespace(Class, "jit") || isInNamespace(Class, "mobile")) &&
         isTorchDecl(Class);
}

bool tdl::isScriptMethod(QualType Type) {
  if (className(Type) == "optional")
    Type = templateArgument(Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (className(Type) != "Method")
    return false;
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return (isInNamespace(Class, "jit") || isInNamespace(Class, "mobile")) &&
         isTorchDecl(Class);
}

bool tdl::isSmartPointer(QualType Type) {
  return llvm::StringSwitch<bool>(className(Type))
      .Cases({"shared_ptr", "unique_ptr"}, true)
      .Default(false);
}

bool tdl::isRecord(QualType Type) {
  if (Type.isNull())
    return false;
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || Class->isDependentType() ||
      Class->isUnion() || Class->isLambda())
    return false;
  // What a data loader hands out.
  if (className(Type) == "Example" && isTorchDecl(Class))
    return true;
  for (const DeclContext *Context = Class->getDeclContext(); Context;
       Context = Context->getParent())
    if (Context->isStdNamespace())
      return false;
  return !isTorchDecl(Class) && !heldModuleClass(Type) &&
         torchTypeOf(Type) == TorchType::None;
}

const CXXRecordDecl *tdl::pointedClass(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return nullptr;
  Type = Type.getNonReferenceType();
  if (const CXXRecordDecl *Held = heldModuleClass(Type))
    return Held;
  if (isScriptModule(Type))
    return Type->getAsCXXRecordDecl();
  QualType Pointee;
  if (Type->isPointerType())
    Pointee = Type->getPointeeType();
  else if (isSmartPointer(Type))
    Pointee = templateArgument(Type->getAsCXXRecordDecl());
  if (Pointee.isNull())
    return nullptr;
  const CXXRecordDecl *Class = Pointee->getAsCXXRecordDecl();
  return isRecord(Pointee) || isModuleClass(Class) || isScriptModule(Pointee)
             ? Class
             : nullptr;
}

const CXXRecordDecl *tdl::classBehind(QualType Type) {
  if (const CXXRecordDecl *Pointed = pointedClass(Type))
    return Pointed;
  return Type.getNonReferenceType()->getAsCXXRecordDecl();
}

bool tdl::isAnyModule(QualType Type) {
  if (className(Type) != "AnyModule")
    return false;
  return isTorchDecl(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

llvm::StringRef tdl::compiledFor(const CXXRecordDecl *Class) {
  if (!Class || !Class->getIdentifier() || !isTorchDecl(Class))
    return "";
  llvm::StringRef Name = Class->getName();
  return Name.consume_front("AOTIModelContainerRunner") ? Name : "";
}

std::string tdl::moduleOp(const CXXRecordDecl *Class) {
  if (!Class || !Class->getIdentifier() || !isTorchDecl(Class) ||
      !isModuleClass(Class))
    return "";
  llvm::StringRef Name = Class->getName();
  Name.consume_back("Impl");
  return ("nn::" + Name).str();
}
