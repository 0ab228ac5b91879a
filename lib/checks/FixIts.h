//===- FixIts.h - Repairs that are certain ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_FIXITS_H
#define TDL_CHECKS_FIXITS_H

#include "findings/Finding.h"

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace tdl {

struct FunctionContext;
struct Operand;
struct Operation;
struct OperationVisit;
struct DeviceQuestion;
struct DiscardedTransfer;
struct LeftBehind;

/// Moves the second of the operands that disagree beside the first, where its
/// source can be wrapped and the first has a name to ask for its device.
void addMoveFix(const FunctionContext &Context, const Operation &Op,
                const OperationVisit &Visit, Finding &F);

/// Registers the member as a buffer where it is initialised, where that is
/// certain to be the same tensor that moves.
void addRegisterFix(const FunctionContext &Context, const LeftBehind &Left,
                    const FindingOperand &Behind, const FindingOperand &Moved,
                    Finding &F);

/// Assigns a dropped result to its receiver, where that is a variable that may
/// be assigned to.
void addAssignFix(const FunctionContext &Context,
                  const DiscardedTransfer &Transfer, Finding &F);

/// Asks the weight of a layer that is made without a bias, where the layer has
/// one.
void addDefinedMemberFix(const FunctionContext &Context,
                         const DeviceQuestion &Question, Finding &F);

/// Passes the device that \p Partner was put on to \p Load, where that has a
/// name that means the same there. They meet in \p Function.
void addLoadDeviceFix(const FunctionContext &Context,
                      const clang::FunctionDecl &Function,
                      const Operand &Partner, const clang::CallExpr &Load,
                      Finding &F);

} // namespace tdl

#endif // TDL_CHECKS_FIXITS_H
