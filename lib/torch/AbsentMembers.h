//===- AbsentMembers.h - Parameters that a layer may be made without -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some members of LibTorch's modules are undefined tensors unless an option
// asks for them: `bias` of a Linear with bias(false), the running statistics of
// a norm with track_running_stats(false). Source:
// torch/csrc/api/src/nn/modules, executed by runtime-check/Absent.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_ABSENTMEMBERS_H
#define TDL_TORCH_ABSENTMEMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tdl {

/// An option of a layer, and the members that are undefined without it.
struct AbsentMembersRow {
  llvm::StringLiteral Layer;   ///< "nn::Linear"; "nn::Conv*d" for three.
  llvm::StringLiteral Option;  ///< "bias"
  bool IsThereByDefault;       ///< The option is true when it is not given.
  llvm::StringLiteral Members; ///< Names with blanks between.

  bool isFor(llvm::StringRef Op) const;
};

llvm::ArrayRef<AbsentMembersRow> absentMembersTable();

} // namespace tdl

#endif // TDL_TORCH_ABSENTMEMBERS_H
