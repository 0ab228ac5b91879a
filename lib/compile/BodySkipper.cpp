//===- BodySkipper.cpp - Which function bodies are parsed ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/BodySkipper.h"
#include "compile/AbsolutePath.h"
#include "compile/ProjectFiles.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;
using namespace llvm;

namespace tdl {

bool keepsBodies(StringRef HeaderPath) {
  static constexpr llvm::StringLiteral Endings[] = {
#define KEPT_BODIES(Ending) Ending,
#include "compile/KeptBodies.def"
  };
  for (StringRef Ending : Endings)
    if (HeaderPath.ends_with(Ending))
      return true;
  return false;
}

bool isDeviceCode(const Decl *Function) {
  if (const FunctionDecl *Templated = Function->getAsFunction())
    Function = Templated;
  return Function->hasAttr<CUDAGlobalAttr>() ||
         (Function->hasAttr<CUDADeviceAttr>() &&
          !Function->hasAttr<CUDAHostAttr>());
}

UnitFiles::Answer UnitFiles::lookUp(SourceLocation Loc) const {
  FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
  auto Found = Known.find(File);
  if (Found != Known.end())
    return Found->second;
  Answer Result;
  SourceLocation Includer = SM.getIncludeLoc(File);
  if (Includer.isValid())
    Result.IsCompanion = lookUp(Includer).IsCompanion;
  if (OptionalFileEntryRef Ref = SM.getFileEntryRefForID(File)) {
    SmallString<256> Name = Ref->getName();
    SM.getFileManager().makeAbsolutePath(Name);
    std::string Path = absolutePath(Name);
    bool IsNamed = is_contained(Companions, Path);
    Result.IsCompanion |= IsNamed;
    Result.IsProject =
        IsNamed || File == SM.getMainFileID() || Project.contains(Path);
    Result.KeepsBodies = Result.IsProject || keepsBodies(Path);
  }
  return Known[File] = Result;
}

bool UnitFiles::isProject(SourceLocation Loc) const {
  return Loc.isValid() && lookUp(Loc).IsProject;
}

bool UnitFiles::isCompanion(SourceLocation Loc) const {
  return Loc.isValid() && lookUp(Loc).IsCompanion;
}

bool UnitFiles::skipsBody(const Decl *Function) const {
  return isDeviceCode(Function) || !lookUp(Function->getLocation()).KeepsBodies;
}

} // namespace tdl
