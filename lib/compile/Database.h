//===- Database.h - Which command compiles which file ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compile_commands.json as CMake, Bear and others write it, or one list of
// flags that stands for all files. Every error is one line that names the file,
// what is wrong with it and what to do.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_DATABASE_H
#define TDL_COMPILE_DATABASE_H

#include "compile/AbsolutePath.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tdl {

/// The commands of a project. Paths in it are absolute and without "." and
/// ".."; symbolic links are kept as they are spelled.
class Database {
public:
  /// The database that -p names: a folder that holds compile_commands.json, or
  /// that file itself.
  static llvm::Expected<Database> load(llvm::StringRef FolderOrFile);

  /// The nearest database above a source file: compile_commands.json in one of
  /// the folders above it, or in the folder "build" in one of those.
  static llvm::Expected<Database> findAbove(llvm::StringRef SourceFile);

  /// The flags after "--": every file has a command, which is made of these
  /// flags. \p Directory is what relative paths in the flags are relative to.
  static Database fromFlags(llvm::ArrayRef<std::string> Flags,
                            llvm::StringRef Directory);

  /// All files that can be analysed (C, C++, CUDA; not assembler), sorted,
  /// each once. Empty for a database made of flags.
  llvm::ArrayRef<std::string> files() const { return Files; }

  /// The commands of one file in the order of the database, at least one: a
  /// file compiled twice has two. An error when the file is not in it.
  llvm::Expected<std::vector<clang::tooling::CompileCommand>>
  commandsFor(llvm::StringRef File) const;

  /// The file that was read, absolute; empty for a database made of flags.
  llvm::StringRef path() const { return Path; }

private:
  void add(clang::tooling::CompileCommand Command);
  static llvm::Expected<Database> read(llvm::StringRef JsonFile);
  /// The file of the database that \p File is another name of (through a
  /// symbolic link); empty when there is none.
  std::string sameFile(llvm::StringRef File) const;

  std::string Path;
  std::string FlagsDirectory;
  std::vector<std::string> Flags; ///< Of all files; element 0 is the compiler.
  std::vector<std::string> Files;
  std::vector<clang::tooling::CompileCommand> Commands;
  llvm::StringMap<std::vector<unsigned>> ByFile; ///< Indices into Commands.
};

} // namespace tdl

#endif // TDL_COMPILE_DATABASE_H
