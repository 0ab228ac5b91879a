//===- ClassInvariants.h - What always holds of an object's members --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private member that only the class's own methods assign has, whenever a method
// begins, a value that some constructor or method left in it. Where they all
// leave the same, it is known. Where one leaves what the others do not (a class
// that Initialize(gpu) completes), "that was called first" is a case of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_SUMMARY_CLASSINVARIANTS_H
#define TDL_SUMMARY_CLASSINVARIANTS_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace tdl {

struct FunctionContext;

/// Fills Context.ClassInvariants for the classes whose constructors and methods
/// are among \p Functions, all functions that the unit's own files define. A
/// class of which some method is defined elsewhere has none.
void findClassInvariants(FunctionContext &Context,
                         llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace tdl

#endif // TDL_SUMMARY_CLASSINVARIANTS_H
