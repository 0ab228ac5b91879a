//===- MovedModules.h - Methods of modules that were moved ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Anyone may move a module: that is its contract. So each module of the program
// is made, moved to another device, and its methods are executed with inputs on
// that device. What a member got before and what to() does not move is still
// where it was. docs/design/modules.md.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_SUMMARY_MOVEDMODULES_H
#define TDL_SUMMARY_MOVEDMODULES_H

#include "flow/FunctionContext.h"
#include "flow/Operations.h"
#include <list>
#include <vector>

namespace clang {
class FieldDecl;
} // namespace clang

namespace tdl {

/// Why a member does not follow its module.
enum class LeftBehindReason : uint8_t {
  Unregistered, ///< Nothing registers the member.
  Replaced,     ///< What was registered is not what the member holds.
  Kept,         ///< Filled at its first use, and kept.
};

/// What a member holds while its module is elsewhere.
struct LeftBehind {
  const clang::FieldDecl *Member = nullptr;
  LeftBehindReason Reason = LeftBehindReason::Unregistered;
  MemberAssignment Given; ///< The line that gave it.
  /// The events that made the tensors, or the submodule's state; not empty.
  llvm::SmallVector<const Event *, 2> Made;
  bool IsModule = false;
  /// No other line of the program assigns the member.
  bool IsAssignedOnce = false;
};

/// One method of one class, executed after such a move.
struct MovedModuleCall {
  const clang::CXXRecordDecl *Class = nullptr;
  std::vector<LeftBehind> Members; ///< Not empty.
  Place Target;                    ///< Where the module was moved.
  FunctionResult Result;

  /// The member that \p V comes from; null for any other value.
  const LeftBehind *memberBehind(const Value *V) const;
};

/// A tensor or child that is registered after the move.
struct LateChild {
  const clang::FunctionDecl *Function = nullptr; ///< The one around.
  LateRegistration Registration;
};

/// An assignment to a member that is registered, from outside of its class.
struct ReplacedMember {
  const clang::FunctionDecl *Function = nullptr; ///< The one around.
  LeftBehind Left;
};

struct MovedModules {
  std::list<MovedModuleCall> Calls; ///< In the order of the source.
  std::vector<LateChild> LateChildren;
  std::vector<ReplacedMember> Replaced;
};

/// \p Functions are all that the unit's own files define. Empty for a whole
/// program that moves no module.
MovedModules
findMovedModules(FunctionContext &Context,
                 llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace tdl

#endif // TDL_SUMMARY_MOVEDMODULES_H
