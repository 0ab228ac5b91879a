//===- ProjectFiles.cpp - Which files are the user's own ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/ProjectFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tdl {

bool isBelow(StringRef Path, StringRef Folder) {
  Folder = Folder.rtrim('/');
  return Path.starts_with(Folder) &&
         (Path.size() == Folder.size() || Path[Folder.size()] == '/');
}

ProjectFiles::ProjectFiles(StringRef Root, ArrayRef<std::string> Folders)
    : Root(Root.str()) {
  for (const std::string &Folder : Folders)
    if (isBelow(Folder, Root) && !isBelow(Root, Folder))
      SystemFolders.push_back(Folder);
}

bool ProjectFiles::contains(StringRef Path) const {
  if (Root.empty() || !isBelow(Path, Root))
    return false;
  for (const std::string &Folder : SystemFolders)
    if (isBelow(Path, Folder))
      return false;
  return !inLibTorch(Path);
}

/// LibTorch unpacked inside a project and found with -I. Its include folder is
/// known by two headers that every version has side by side; PyTorch's own
/// source tree keeps them apart.
bool ProjectFiles::inLibTorch(StringRef Path) const {
  StringRef Folder = sys::path::parent_path(Path);
  for (; Folder.size() > Root.size(); Folder = sys::path::parent_path(Folder)) {
    auto [Entry, New] = LibTorchFolders.try_emplace(Folder, false);
    if (New)
      Entry->second = sys::fs::exists(Folder + "/c10/core/Device.h") &&
                      sys::fs::exists(Folder + "/ATen/ATen.h");
    if (Entry->second)
      return true;
  }
  return false;
}

static StringRef commonFolder(StringRef Folder, StringRef File) {
  while (!Folder.empty() && !isBelow(File, Folder))
    Folder = sys::path::parent_path(Folder);
  return Folder;
}

/// Whether \p Folder has what a project's own folder has: a build description,
/// or headers beside the sources.
static bool looksLikeProject(StringRef Folder) {
  static constexpr StringLiteral Marks[] = {"CMakeLists.txt", "meson.build",
                                            "Makefile", "setup.py", "include"};
  bool IsSystem = Folder.size() <= 1 || isBelow(Folder, "/usr");
  return !IsSystem && any_of(Marks, [&](StringRef Mark) {
    return sys::fs::exists(Folder + "/" + Mark);
  });
}

/// The outermost folder near \p Start that looks like a project's; \p Start
/// where none does.
static StringRef nearbyProject(StringRef Start) {
  constexpr unsigned MaxLevels = 3;
  StringRef Outermost = Start;
  StringRef Folder = Start;
  for (unsigned Level = 0; Level <= MaxLevels && !Folder.empty(); ++Level) {
    if (looksLikeProject(Folder))
      Outermost = Folder;
    Folder = sys::path::parent_path(Folder);
  }
  return Outermost;
}

std::string findProjectRoot(StringRef SourceFile, ArrayRef<std::string> Files) {
  StringRef Start = sys::path::parent_path(SourceFile);
  for (StringRef Folder = Start; !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    if (sys::fs::exists(Folder + "/.git"))
      return Folder.str();
  StringRef Nearby = nearbyProject(Start);
  StringRef Common = Nearby;
  for (const std::string &File : Files)
    Common = commonFolder(Common, File);
  // Files from all over the disk have no common root but "/", which would make
  // every library the user's own.
  return (Common.size() > 1 ? Common : Nearby).str();
}

} // namespace tdl
