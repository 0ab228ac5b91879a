//===- AbsolutePath.cpp - One spelling for each path --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/AbsolutePath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tdl {

/// The folder above \p Folder as the kernel sees it.
static void goUp(SmallVectorImpl<char> &Folder) {
  StringRef Path(Folder.data(), Folder.size());
  SmallString<256> Real;
  if (sys::fs::is_symlink_file(Path) && !sys::fs::real_path(Path, Real))
    Folder.assign(Real.begin(), Real.end());
  if (sys::path::has_relative_path(StringRef(Folder.data(), Folder.size())))
    sys::path::remove_filename(Folder);
}

std::string absolutePath(StringRef Path, StringRef Directory) {
  SmallString<256> Absolute(Path);
  if (Directory.empty())
    sys::fs::make_absolute(Absolute);
  else
    sys::path::make_absolute(Directory, Absolute);
  SmallString<256> Result(sys::path::root_path(Absolute));
  StringRef Below = sys::path::relative_path(Absolute);
  for (StringRef Part :
       make_range(sys::path::begin(Below), sys::path::end(Below))) {
    if (Part == "..")
      goUp(Result);
    else if (Part != ".")
      sys::path::append(Result, Part);
  }
  return Result.str().str();
}

} // namespace tdl
