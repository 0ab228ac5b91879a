//===- MissingDefinitions.h - What a unit uses and does not define ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_PROJECT_MISSINGDEFINITIONS_H
#define TDL_PROJECT_MISSINGDEFINITIONS_H

#include <map>
#include <set>
#include <string>

namespace tdl {

struct ParsedUnit;

/// By the project's header (absolute path) that declares them: the names of the
/// functions that the bodies of the unit use and that have no body in it. Of a
/// class whose objects the bodies use, all methods count: module holders and
/// make_shared call constructors in LibTorch's code.
std::map<std::string, std::set<std::string>>
findMissingDefinitions(const ParsedUnit &Unit);

} // namespace tdl

#endif // TDL_PROJECT_MISSINGDEFINITIONS_H
