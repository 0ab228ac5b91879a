//===- UnitParser.h - From a compile command to an AST ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses one translation unit as the build compiles it and hands the AST to a
// function. Bodies of functions in libraries are skipped (BodySkipper.h), and
// their declarations come from the shared prelude where there is one
// (Prelude.h); neither changes the user's own part of the AST.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_UNITPARSER_H
#define TDL_COMPILE_UNITPARSER_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Preprocessor;
namespace tooling {
struct CompileCommand;
} // namespace tooling
} // namespace clang

namespace tdl {

class PreludeStore;
class UnitFiles;

struct ParseOptions {
  /// Whether to use and build preludes.
  bool UsePrelude = true;
  /// Where preludes are kept; empty for the user's cache folder.
  std::string CacheDir;
  /// Clang's builtin headers (findResourceDir). A -resource-dir in the command
  /// goes first. Must not be empty.
  std::string ResourceDir;
  /// The project's folder, absolute; empty to take it from each file
  /// (findProjectRoot).
  std::string ProjectRoot;
  /// Where CUDA is, absolute; empty to look for it (cudaRoots). CUDA files need
  /// its headers, other files do without.
  std::string CudaPath;
};

/// A unit without errors, valid during UnitParser::parse.
struct ParsedUnit {
  clang::ASTContext &Context;
  clang::Preprocessor &PP;

  /// Declarations at file level in the user's own files, in source order: those
  /// of the main file and of the project's headers that it includes. To walk
  /// the unit, walk these: TranslationUnitDecl::decls() would read every
  /// declaration of LibTorch out of the prelude.
  llvm::ArrayRef<clang::Decl *> TopLevel;

  /// Functions that clang instantiated from templates and generic lambdas of
  /// the user's (findInstantiations).
  llvm::ArrayRef<clang::FunctionDecl *> Instantiations;

  const UnitFiles &Files;

  /// Is the place in the user's own code, companions included?
  bool isProject(clang::SourceLocation Loc) const;

  /// Is the place in a companion? Such code is there to be looked into.
  bool isCompanion(clang::SourceLocation Loc) const;
};

struct ParseOutcome {
  bool Ok = false;          ///< Parsed without errors, and consumed.
  bool UsedPrelude = false; ///< The AST consumed was made with a prelude.
  bool FellBack = false;    ///< Had errors with the prelude, none without it.
  /// "file:line:col: error: text", the first ten. Empty when Ok.
  std::vector<std::string> Errors;
  /// Arguments of the command that clang does not know and that were left out.
  std::vector<std::string> DroppedFlags;
  /// The companions that errors stand in. Empty when Ok.
  std::vector<std::string> BrokenCompanions;
};

class UnitParser {
public:
  explicit UnitParser(ParseOptions Options);
  ~UnitParser();

  /// Calls \p Consume once if the file parses without errors, else not at all.
  /// Prints nothing. Must not run in two threads at once; give each thread a
  /// parser of its own.
  ///
  /// \p Companions are further source files, absolute, that are read behind the
  /// end of the file, as if it included them: they define what the file calls.
  /// What stands in the file itself means the same with them. When there is an
  /// error anywhere the parse fails at once; then parse the file by itself.
  ParseOutcome parse(const clang::tooling::CompileCommand &Command,
                     llvm::function_ref<void(ParsedUnit &)> Consume,
                     llvm::ArrayRef<std::string> Companions = {});

private:
  ParseOptions Options;
  std::unique_ptr<PreludeStore> Preludes; ///< Null without preludes.
};

} // namespace tdl

#endif // TDL_COMPILE_UNITPARSER_H
