//===- Instantiations.h - What became of the user's templates -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_INSTANTIATIONS_H
#define TDL_COMPILE_INSTANTIATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
} // namespace clang

namespace tdl {

/// Every function with a body that was instantiated from a template, a member
/// of a class template or a generic lambda below \p Roots, each once, in source
/// order of the templates. Clang's own notifications leave some lambdas out.
std::vector<clang::FunctionDecl *>
findInstantiations(llvm::ArrayRef<clang::Decl *> Roots);

} // namespace tdl

#endif // TDL_COMPILE_INSTANTIATIONS_H
