//===- TorchTypes.cpp - Recognises LibTorch's types ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

bool tdl::isTorchDecl(const Decl *D) {
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *Context = D->getDeclContext(); Context;
       Context = Context->getParent())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(Context))
      Outermost = Namespace;
  return Outermost && Outermost->getIdentifier() &&
         llvm::StringSwitch<bool>(Outermost->getName())
             .Cases({"at", "c10", "caffe2", "torch"}, true)
             .Default(false);
}

llvm::StringRef tdl::className(QualType Type) {
  if (Type.isNull())
    return "";
  Type = Type.getNonReferenceType();
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() ? Record->getName() : "";
}

QualType tdl::templateArgument(const CXXRecordDecl *Class, unsigned Index) {
  const auto *Specialization =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class);
  if (!Specialization || Specialization->getTemplateArgs().size() <= Index)
    return QualType();
  const TemplateArgument &Argument = Specialization->getTemplateArgs()[Index];
  return Argument.getKind() == TemplateArgument::Type ? Argument.getAsType()
                                                      : QualType();
}

/// The first template argument of a class, null when it has none.
static QualType elementType(QualType Type) {
  return templateArgument(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

static bool isDerivedFromTensorBase(const CXXRecordDecl *Record) {
  if (!Record->hasDefinition())
    return false;
  for (const CXXBaseSpecifier &Base : Record->bases()) {
    const CXXRecordDecl *Parent = Base.getType()->getAsCXXRecordDecl();
    if (!Parent)
      continue;
    if ((Parent->getIdentifier() && isTorchDecl(Parent) &&
         (Parent->getName() == "TensorBase" ||
          Parent->getName() == "Tensor")) ||
        isDerivedFromTensorBase(Parent))
      return true;
  }
  return false;
}

TorchType tdl::torchTypeOf(QualType Type) {
  if (Type.isNull())
    return TorchType::None;
  Type = Type.getNonReferenceType().getUnqualifiedType();
  if (className(Type) == "optional")
    Type = elementType(Type);
  if (Type.isNull() || Type->isDependentType())
    return TorchType::None;
  const TagDecl *Tag = Type->getAsTagDecl();
  if (!Tag || !Tag->getIdentifier())
    return TorchType::None;
  if (!isTorchDecl(Tag)) {
    const auto *Record = dyn_cast<CXXRecordDecl>(Tag);
    return Record && isDerivedFromTensorBase(Record) ? TorchType::Tensor
                                                     : TorchType::None;
  }
  if (isa<EnumDecl>(Tag))
    return llvm::StringSwitch<TorchType>(Tag->getName())
        .Case("DeviceType", TorchType::DeviceType)
        .Case("ScalarType", TorchType::ScalarType)
        .Default(TorchType::None);
  return llvm::StringSwitch<TorchType>(Tag->getName())
      .Cases({"Tensor", "TensorBase"}, TorchType::Tensor)
      .Case("Device", TorchType::Device)
      .Case("TensorOptions", TorchType::Options)
      .Case("TypeMeta", TorchType::TypeMeta)
      .Case("TensorIndex", TorchType::TensorIndex)
      .Default(isDerivedFromTensorBase(cast<CXXRecordDecl>(Tag))
                   ? TorchType::Tensor
                   : TorchType::None);
}

bool tdl::isSequence(QualType Type) {
  return llvm::StringSwitch<bool>(className(Type))
      .Cases({"vector", "array", "initializer_list", "ArrayRef"}, true)
      .Cases({"OptionalArrayRef", "IListRef", "List", "SmallVector"}, true)
      .Cases({"deque", "list"}, true)
      .Default(false);
}

QualType tdl::elementTypeOf(QualType Type) {
  return isSequence(Type) ? elementType(Type) : QualType();
}

/// Whether the class \p Type is declared in namespace std or in LibTorch.
static bool isLibraryClass(QualType Type) {
  const CXXRecordDecl *Class =
      Type.isNull() ? nullptr
                    : Type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class)
    return false;
  for (const DeclContext *Context = Class->getDeclContext(); Context;
       Context = Context->getParent())
    if (Context->isStdNamespace())
      return true;
  return isTorchDecl(Class);
}

bool tdl::isMap(QualType Type) {
  return llvm::StringSwitch<bool>(className(Type))
             .Cases({"map", "unordered_map", "OrderedDict", "Dict"}, true)
             .Default(false) &&
         isLibraryClass(Type);
}

bool tdl::isPair(QualType Type) {
  return className(Type) == "pair" && isLibraryClass(Type);
}

bool tdl::isOptionsClass(QualType Type) {
  llvm::StringRef Name = className(Type);
  return Name.ends_with("Options") && Name != "TensorOptions" &&
         isTorchDecl(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

bool tdl::isTensorList(QualType Type) {
  bool IsList =
      llvm::StringSwitch<bool>(className(Type))
          .Cases({"vector", "array", "initializer_list", "ArrayRef"}, true)
          .Cases({"IListRef", "List", "OptionalArrayRef"}, true)
          .Default(false);
  return IsList && torchTypeOf(elementType(Type)) == TorchType::Tensor;
}
