//===- ExpectedThrow.h - Code that is meant to fail ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_EXPECTEDTHROW_H
#define TDL_CHECKS_EXPECTEDTHROW_H

namespace clang {
class Expr;
} // namespace clang

namespace tdl {

struct FunctionContext;

/// Whether \p E stands in a test that expects it to throw: an argument of a
/// macro whose name says so (EXPECT_THROW).
bool isExpectedToThrow(const FunctionContext &Context, const clang::Expr *E);

} // namespace tdl

#endif // TDL_CHECKS_EXPECTEDTHROW_H
