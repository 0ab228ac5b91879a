//===- ProjectFiles.h - Which files are the user's own ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The user's own code is analysed, keeps all its function bodies and is never
// put in a prelude. Everything else is a library. The rule looks at paths only,
// so that it can be asked before a file is read.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_PROJECTFILES_H
#define TDL_COMPILE_PROJECTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

/// Says of each path whether it belongs to the project: it is below the
/// project's root, not below a folder that the command searches as a system
/// folder (-isystem), and not part of a LibTorch that lies in the project.
/// Not for several threads: it remembers what it found on disk.
class ProjectFiles {
public:
  ProjectFiles() = default;

  /// \p Root is absolute. \p SystemFolders are absolute; those that hold the
  /// root (a project below /usr/include) are ignored.
  ProjectFiles(llvm::StringRef Root, llvm::ArrayRef<std::string> SystemFolders);

  /// \p Path is absolute, without "." and "..".
  bool contains(llvm::StringRef Path) const;

  llvm::StringRef root() const { return Root; }

private:
  bool inLibTorch(llvm::StringRef Path) const;

  std::string Root;
  std::vector<std::string> SystemFolders;
  /// Folders below the root: is it an include folder of LibTorch?
  mutable llvm::StringMap<bool> LibTorchFolders;
};

/// The root of the project that a source file belongs to: the nearest folder
/// above it with a .git, else the outermost of the file's folder and the three
/// above it that has a build description or a folder "include", and the deepest
/// folder that holds that and all of \p Files (the database's). Paths are
/// absolute.
std::string findProjectRoot(llvm::StringRef SourceFile,
                            llvm::ArrayRef<std::string> Files = {});

/// Is \p Path \p Folder or below it? Both absolute and normalised.
bool isBelow(llvm::StringRef Path, llvm::StringRef Folder);

} // namespace tdl

#endif // TDL_COMPILE_PROJECTFILES_H
