//===- SchemaText.h - Reads the schema of an operator ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "my_ops::fused_add(Tensor x, Tensor(a!) out, *, float scale=1.0) -> Tensor",
// as programs register operators with: its name and its parameters. What is
// returned is of no interest here.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_SCHEMATEXT_H
#define TDL_TORCH_SCHEMATEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tdl {

/// Strings point into the text that was read.
struct SchemaText {
  struct Parameter {
    llvm::StringRef Name;
    bool IsTensor = false; ///< Or a list of tensors, or one that may be absent.
  };

  llvm::StringRef Name;     ///< "my_ops::fused_add"
  llvm::StringRef Overload; ///< What stands behind a dot; mostly empty.
  llvm::SmallVector<Parameter, 6> Parameters;
  size_t NumReturns = 0;
  llvm::StringRef
      Rest; ///< From the colon on that ends the schema; mostly empty.

  /// The parameter of that name; null for none.
  const Parameter *find(llvm::StringRef Name) const;
};

struct SchemaProblem {
  llvm::StringRef At; ///< A piece of the text.
  std::string Message;
};

/// Reads the schema that \p Text begins with. False where it is none; then
/// \p Problem says why.
bool parseSchema(llvm::StringRef Text, SchemaText &Schema,
                 SchemaProblem &Problem);

} // namespace tdl

#endif // TDL_TORCH_SCHEMATEXT_H
