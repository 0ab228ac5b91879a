//===- Companions.h - The files that define what a file calls --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file calls model->forward(x), and model.cpp has its body. The linter reads
// model.cpp behind the file (UnitParser::parse), and can follow the call as if
// the body stood in the header. Nothing is reported in companions: they are
// analysed when their own turn comes.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_PROJECT_COMPANIONS_H
#define TDL_PROJECT_COMPANIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang::tooling {
struct CompileCommand;
} // namespace clang::tooling

namespace tdl {

class Database;
struct ParsedUnit;

/// Remembers the text of files, so one object serves a run.
class CompanionFinder {
public:
  /// \p RunFiles are the files of the run, absolute.
  explicit CompanionFinder(std::vector<std::string> RunFiles);

  /// The source files that seem to define functions which \p Unit, made with
  /// \p Command of \p Commands, uses and does not define; sorted, absolute,
  /// without \p Tried. A file that is compiled otherwise (macros, standard,
  /// CUDA or not) is none.
  ///
  /// The files that are looked at: the database's; without a database, those of
  /// the run and those beside the header, in the file's own folder, and in src
  /// beside include. A file fits that has the header's name, else the only one
  /// that includes the header and whose text seems to define the function.
  std::vector<std::string> find(const ParsedUnit &Unit,
                                const Database &Commands,
                                const clang::tooling::CompileCommand &Command,
                                llvm::ArrayRef<std::string> Tried);

private:
  struct Search;

  /// The text of a source file; empty for one that cannot be read, is large, or
  /// does not speak of LibTorch.
  llvm::StringRef textOf(llvm::StringRef Path);

  std::vector<std::string> RunFiles;
  llvm::StringMap<std::string> Texts;
};

} // namespace tdl

#endif // TDL_PROJECT_COMPANIONS_H
