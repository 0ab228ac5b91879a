//===- ProjectFilesTest.cpp - Which files are the user's own ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/ProjectFiles.h"
#include "TempProject.h"
#include "compile/AbsolutePath.h"
#include "gtest/gtest.h"

using namespace tdl;

TEST(ProjectFilesTest, belowTheRootAndNotASystemFolder) {
  ProjectFiles Files("/p", {"/p/third", "/usr/include", "/"});
  EXPECT_TRUE(Files.contains("/p/src/a.cpp"));
  EXPECT_FALSE(Files.contains("/p/third/x.h"));
  EXPECT_TRUE(Files.contains("/p/thirdly/x.h"));
  EXPECT_FALSE(Files.contains("/usr/include/stdio.h"));
  EXPECT_FALSE(Files.contains("/project/a.cpp"));
  EXPECT_FALSE(ProjectFiles().contains("/p/a.cpp"));
}

TEST(ProjectFilesTest, libTorchInTheProject) {
  TempProject Project;
  Project.write("libtorch/include/ATen/ATen.h", "");
  Project.write("libtorch/include/c10/core/Device.h", "");
  ProjectFiles Files(Project.path(), {});
  EXPECT_FALSE(Files.contains(Project.path("libtorch/include/torch/torch.h")));
  EXPECT_TRUE(Files.contains(Project.path("src/torch/torch.h")));
}

TEST(ProjectFilesTest, root) {
  TempProject Project;
  Project.write("repo/.git/HEAD", "");
  EXPECT_EQ(findProjectRoot(Project.path("repo/src/a.cpp"),
                            {Project.path("repo/b.cpp"), "/elsewhere/c.cpp"}),
            Project.path("repo"));
  std::string Source = Project.path("plain/src/a.cpp");
  EXPECT_EQ(findProjectRoot(Source, {Project.path("plain/test/b.cpp")}),
            Project.path("plain"));
  EXPECT_EQ(findProjectRoot(Source, {"/elsewhere/b.cpp"}),
            Project.path("plain/src"));
  EXPECT_EQ(findProjectRoot(Source), Project.path("plain/src"));
  Project.write("laid-out/include/a.h", "");
  EXPECT_EQ(findProjectRoot(Project.path("laid-out/src/a.cpp")),
            Project.path("laid-out"));
  Project.write("built/CMakeLists.txt", "");
  Project.write("built/src/CMakeLists.txt", "");
  EXPECT_EQ(findProjectRoot(Project.path("built/src/deep/a.cpp")),
            Project.path("built"));
  EXPECT_EQ(findProjectRoot(Project.path("built/src/deep/a.cpp"),
                            {Project.path("other/b.cpp")}),
            Project.path());
}

TEST(ProjectFilesTest, absolutePaths) {
  TempProject Project;
  EXPECT_EQ(absolutePath("a/./b/../c.h", "/p"), "/p/a/c.h");
  EXPECT_EQ(absolutePath("/../a", "/p"), "/a");
  // Above a link is above what it leads to.
  Project.write("usr/lib/gcc/x.h", "");
  ASSERT_FALSE(
      llvm::sys::fs::create_link(Project.path("usr/lib"), Project.path("lib")));
  EXPECT_EQ(absolutePath("lib/../include/x.h", Project.path()),
            Project.path("usr/include/x.h"));
  EXPECT_EQ(absolutePath("lib/gcc/x.h", Project.path()),
            Project.path("lib/gcc/x.h"));
}
