//===- PreludeBuilder.h - Making a prelude ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the headers of a request to a PCH without function bodies
// (BodySkipper.h) and notes what it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_PRELUDEBUILDER_H
#define TDL_COMPILE_PRELUDEBUILDER_H

#include "compile/PreludeManifest.h"

namespace tdl {

/// Writes STEM.pch, .hpp, .ids and .manifest, each whole or not at all, the
/// manifest last. Headers that do not compile give a manifest with Failed set.
/// Empty when the files cannot be written.
std::optional<PreludeManifest> buildPrelude(const PreludeRequest &Request,
                                            llvm::StringRef Stem);

} // namespace tdl

#endif // TDL_COMPILE_PRELUDEBUILDER_H
