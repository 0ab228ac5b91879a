//===- Dispatch.h - Operators that are called by their name ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c10::Dispatcher::singleton().findSchemaOrThrow("my_ops::fused_add", "")
//     .typed<...>().call(x, y)
//
// names an operator by a text. Which parameters it has is said by its schema:
// LibTorch's own have them in their headers, the program's in TORCH_LIBRARY.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_DISPATCH_H
#define TDL_TORCH_DISPATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class CXXMemberCallExpr;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace tdl {

/// An operator by its names in the dispatcher.
struct DispatchedOp {
  std::string Name;     ///< "aten::add"; empty: no operator is called.
  std::string Overload; ///< "Tensor"; mostly empty for a program's own.

  explicit operator bool() const { return !Name.empty(); }
};

/// The operator that \p Call of a typed handle runs. A variable that holds the
/// handle is followed to its initialiser where \p IsConstant says that it never
/// changes.
DispatchedOp
dispatchedOpOf(const clang::CallExpr *Call,
               llvm::function_ref<bool(const clang::VarDecl *)> IsConstant);

/// The names of the parameters of one of LibTorch's operators; empty where its
/// headers, those that the file includes, do not declare it.
llvm::SmallVector<llvm::StringRef, 6> atenParameters(clang::ASTContext &AST,
                                                     const DispatchedOp &Op);

/// What the TORCH_LIBRARY blocks of a translation unit register.
class LibrarySchemas {
public:
  /// Reads those of \p Functions, which have bodies, that are such a block.
  void collect(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

  /// The names of the parameters of \p Op, one of the program's own; empty
  /// where no block says them.
  llvm::ArrayRef<std::string> parametersOf(const DispatchedOp &Op) const;

private:
  void add(llvm::StringRef Namespace, const clang::CXXMemberCallExpr *Def);

  /// By "my_ops::fused_add.out".
  llvm::StringMap<std::vector<std::string>> Parameters;
};

} // namespace tdl

#endif // TDL_TORCH_DISPATCH_H
