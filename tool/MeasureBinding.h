//===- MeasureBinding.h - --measure-binding --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TOOL_MEASUREBINDING_H
#define TDL_TOOL_MEASUREBINDING_H

#include "compile/UnitParser.h"
#include "project/Run.h"
#include "llvm/ADT/ArrayRef.h"

namespace tdl {

/// Prints which functions of the LibTorch headers that the files include have
/// no contract, and how many have one; returns the exit status. A tool for
/// those who work on the contract table.
int measureBinding(llvm::ArrayRef<InputFile> Files, ParseOptions Options);

} // namespace tdl

#endif // TDL_TOOL_MEASUREBINDING_H
