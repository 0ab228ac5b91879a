//===- ResourceDir.cpp - Where clang's builtin headers are --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The build gives TDL_RESOURCE_DIR and TDL_INSTALLED_RESOURCE_DIR, the latter
// relative to the folder that the installation's bin/ is in.
//
//===----------------------------------------------------------------------===//

#include "compile/ResourceDir.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tdl {

static bool holdsHeaders(StringRef Folder) {
  SmallString<256> Header(Folder);
  sys::path::append(Header, "include", "stddef.h");
  return sys::fs::exists(Header);
}

static std::string besideExecutable(StringRef Executable, StringRef Below) {
  SmallString<256> Folder(
      sys::path::parent_path(sys::path::parent_path(Executable)));
  sys::path::append(Folder, Below);
  return Folder.str().str();
}

Expected<std::string> findResourceDir(StringRef Override,
                                      StringRef Executable) {
  SmallVector<std::string, 4> Candidates;
  if (!Override.empty()) {
    Candidates.push_back(Override.str());
  } else {
    if (!Executable.empty()) {
      Candidates.push_back(
          besideExecutable(Executable, TDL_INSTALLED_RESOURCE_DIR));
      Candidates.push_back(besideExecutable(
          Executable, "lib/clang/" CLANG_VERSION_MAJOR_STRING));
    }
    Candidates.push_back(TDL_RESOURCE_DIR);
    Candidates.push_back("/usr/lib/llvm-" CLANG_VERSION_MAJOR_STRING
                         "/lib/clang/" CLANG_VERSION_MAJOR_STRING);
  }
  for (const std::string &Candidate : Candidates)
    if (holdsHeaders(Candidate))
      return Candidate;
  return createStringError(
      inconvertibleErrorCode(),
      "clang's builtin headers (include/stddef.h) are not in " +
          join(Candidates, ", ") + "; name their folder with --resource-dir");
}

} // namespace tdl
