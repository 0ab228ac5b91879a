//===- BodySkipper.h - Which function bodies are parsed -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies of the functions in LibTorch's and the system's headers are two
// thirds of a parse and tell the analysis nothing. With and without a prelude
// the same bodies are skipped, so that both see the same program.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_BODYSKIPPER_H
#define TDL_COMPILE_BODYSKIPPER_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class Decl;
class SourceManager;
} // namespace clang

namespace tdl {

class ProjectFiles;

/// Whether functions defined in the header keep their bodies though it is a
/// library's: KeptBodies.def.
bool keepsBodies(llvm::StringRef HeaderPath);

/// Does the function run on the GPU alone (CUDA's __global__ and __device__)?
/// What it does says nothing about where tensors are.
bool isDeviceCode(const clang::Decl *Function);

/// Sorts the places of one translation unit into the user's and the
/// libraries'. A place inside a macro counts as where the macro is used.
class UnitFiles {
public:
  /// All must outlive this object. \p Companions are absolute paths.
  UnitFiles(const clang::SourceManager &SM, const ProjectFiles &Project,
            llvm::ArrayRef<std::string> Companions = {})
      : SM(SM), Project(Project), Companions(Companions) {}

  /// In the main file, or in a file of the project. Built-in and command-line
  /// places are not.
  bool isProject(clang::SourceLocation Loc) const;

  /// In a companion (UnitParser::parse), or in a file that only companions
  /// include.
  bool isCompanion(clang::SourceLocation Loc) const;

  /// The answer for clang::ASTConsumer::shouldSkipFunctionBody.
  bool skipsBody(const clang::Decl *Function) const;

private:
  struct Answer {
    bool IsProject = false;
    bool IsCompanion = false;
    bool KeepsBodies = false;
  };
  Answer lookUp(clang::SourceLocation Loc) const;

  const clang::SourceManager &SM;
  const ProjectFiles &Project;
  llvm::ArrayRef<std::string> Companions;
  mutable llvm::DenseMap<clang::FileID, Answer> Known;
};

} // namespace tdl

#endif // TDL_COMPILE_BODYSKIPPER_H
