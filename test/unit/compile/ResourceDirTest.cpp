//===- ResourceDirTest.cpp - Where builtin headers are looked for -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/ResourceDir.h"
#include "TempProject.h"
#include "gtest/gtest.h"

using namespace tdl;

TEST(ResourceDirTest, besideTheExecutable) {
  TempProject Prefix;
  Prefix.write("lib/torch-device-lint/clang/22/include/stddef.h", "");
  auto Found = findResourceDir("", Prefix.path("bin/torch-device-lint"));
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_EQ(*Found, Prefix.path("lib/torch-device-lint/clang/22"));
}

TEST(ResourceDirTest, ofTheBuildElsewhere) {
  TempProject Prefix;
  auto Found = findResourceDir("", Prefix.path("bin/torch-device-lint"));
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_TRUE(llvm::sys::fs::exists(*Found + "/include/stddef.h"));
}

TEST(ResourceDirTest, overrideStandsAlone) {
  TempProject Prefix;
  Prefix.write("mine/include/stddef.h", "");
  auto Found = findResourceDir(Prefix.path("mine"), "/usr/bin/x");
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_EQ(*Found, Prefix.path("mine"));

  Found = findResourceDir(Prefix.path("wrong"), "/usr/bin/x");
  ASSERT_FALSE(bool(Found));
  EXPECT_EQ(llvm::toString(Found.takeError()),
            "clang's builtin headers (include/stddef.h) are not in " +
                Prefix.path("wrong") +
                "; name their folder with --resource-dir");
}
