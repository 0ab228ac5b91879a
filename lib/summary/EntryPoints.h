//===- EntryPoints.h - Functions whose callers are not known ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_SUMMARY_ENTRYPOINTS_H
#define TDL_SUMMARY_ENTRYPOINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace tdl {

/// The entry points among \p Functions, which are all functions of the
/// translation unit that have a body: those that TORCH_LIBRARY, pybind11 or
/// extern "C" export, and public ones that nothing here refers to. An operator
/// that is registered for the CPU alone is none: the dispatcher keeps other
/// tensors away from it.
llvm::DenseSet<const clang::FunctionDecl *>
findEntryPoints(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace tdl

#endif // TDL_SUMMARY_ENTRYPOINTS_H
