//===- ModuleMembers.h - What a module moves with itself ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module::to() moves the parameters, buffers and children that register_module
// and its kin were told of, and no other member.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_MODULEMEMBERS_H
#define TDL_FLOW_MODULEMEMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace tdl {

class ModuleMembers {
public:
  /// Reads what the classes of \p Functions, which have bodies, register.
  void collect(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

  /// Whether \p Member moves with its module: a member that the program
  /// registers, or any of LibTorch's own modules.
  bool isRegistered(const clang::ValueDecl *Member) const;

  /// Whether nothing is known of the unregistered members of \p Member's class,
  /// a module: it registers something under another name, or moves them itself.
  bool isOpaque(const clang::ValueDecl *Member) const;

  /// Whether some code moves what may be a part of a module without the rest:
  /// then two layers of one module may be on two devices.
  bool movesParts() const { return MovesParts; }

private:
  bool MovesParts = false;
  llvm::DenseSet<const clang::ValueDecl *> Registered;
  llvm::DenseSet<const clang::CXXRecordDecl *> Opaque;

  void collectFrom(const clang::CXXRecordDecl *Class);
};

} // namespace tdl

#endif // TDL_FLOW_MODULEMEMBERS_H
