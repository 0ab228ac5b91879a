//===- TempProject.h - A folder of files for one test -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TEST_UNIT_COMPILE_TEMPPROJECT_H
#define TDL_TEST_UNIT_COMPILE_TEMPPROJECT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <string>

namespace tdl {

/// A new folder that goes away with the object. Paths are relative to it.
class TempProject {
public:
  TempProject() {
    llvm::SmallString<128> Path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tdl-compile", Path));
    // The temporary folder may be behind a symbolic link.
    llvm::SmallString<128> Real;
    EXPECT_FALSE(llvm::sys::fs::real_path(Path, Real));
    Root = Real.str().str();
  }
  ~TempProject() { llvm::sys::fs::remove_directories(Root); }
  TempProject(const TempProject &) = delete;
  TempProject &operator=(const TempProject &) = delete;

  std::string path(llvm::StringRef Name = {}) const {
    llvm::SmallString<128> Path(Root);
    if (!Name.empty())
      llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }

  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string Path = path(Name);
    EXPECT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path)));
    std::error_code Problem;
    llvm::raw_fd_ostream OS(Path, Problem);
    EXPECT_FALSE(Problem);
    OS << Text;
    return Path;
  }

private:
  std::string Root;
};

} // namespace tdl

#endif // TDL_TEST_UNIT_COMPILE_TEMPPROJECT_H
