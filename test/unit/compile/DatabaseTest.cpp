//===- DatabaseTest.cpp - Finding and reading a database ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a database is found, what is in it, and one clear line for each way in
// which it can be wrong.
//
//===----------------------------------------------------------------------===//

#include "compile/Database.h"
#include "TempProject.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace tdl;
using llvm::StringRef;
using testing::Test;

static std::string entry(StringRef Directory, StringRef File,
                         StringRef Command) {
  return ("{\"directory\": \"" + Directory + "\", \"file\": \"" + File +
          "\", \"command\": \"" + Command + "\"}")
      .str();
}

static std::string errorOf(llvm::Expected<Database> Result) {
  return Result ? "no error" : llvm::toString(Result.takeError());
}

namespace {
class DatabaseTest : public Test {
protected:
  /// The error for a database with this text, without the file's name.
  std::string errorFor(StringRef Text) {
    std::string Path = Project.write("compile_commands.json", Text);
    std::string Message = errorOf(Database::load(Path));
    EXPECT_EQ(Message.compare(0, Path.size(), Path), 0) << Message;
    EXPECT_EQ(Message.find('\n'), std::string::npos) << Message;
    return Message.substr(std::min(Message.size(), Path.size() + 2));
  }

  TempProject Project;
};
} // namespace

TEST_F(DatabaseTest, filesAreAbsoluteSortedAndOnce) {
  std::string Root = Project.path();
  Project.write("compile_commands.json",
                "[" + entry(Root, "src/b.cpp", "c++ -DB1 -c src/b.cpp") + "," +
                    entry(Root + "/src", "../src/./a.cpp", "c++ -c a.cpp") +
                    "," + entry(Root, "src/b.cpp", "c++ -DB2 -c src/b.cpp") +
                    "," + entry(Root, "src/start.S", "cc -c src/start.S") +
                    "]");
  auto Loaded = Database::load(Root);
  ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
  EXPECT_EQ(Loaded->path(), Root + "/compile_commands.json");
  EXPECT_EQ(
      Loaded->files().vec(),
      (std::vector<std::string>{Root + "/src/a.cpp", Root + "/src/b.cpp"}));

  auto Commands = Loaded->commandsFor(Root + "/src/b.cpp");
  ASSERT_TRUE(bool(Commands)) << llvm::toString(Commands.takeError());
  ASSERT_EQ(Commands->size(), 2u);
  EXPECT_EQ((*Commands)[0].CommandLine[1], "-DB1");
  EXPECT_EQ((*Commands)[1].CommandLine[1], "-DB2");
  EXPECT_EQ((*Commands)[0].Filename, Root + "/src/b.cpp");
}

TEST_F(DatabaseTest, argumentsQuotesAndResponseFiles) {
  std::string Root = Project.path();
  Project.write("flags.rsp", "-DFROM_RSP -I\"some dir\"");
  Project.write("compile_commands.json",
                "[{\"directory\": \"" + Root +
                    "\", \"file\": \"a.cpp\", \"arguments\": [\"c++\", "
                    "\"-DX=a b\", \"a.cpp\"]}, " +
                    entry(Root, "b.cpp", "ccache c++ @flags.rsp -c b.cpp") +
                    "]");
  auto Loaded = Database::load(Root);
  ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
  auto A = Loaded->commandsFor(Root + "/a.cpp");
  auto B = Loaded->commandsFor(Root + "/b.cpp");
  ASSERT_TRUE(A && B);
  EXPECT_EQ(llvm::join((*A)[0].CommandLine, "|"), "c++|-DX=a b|a.cpp");
  EXPECT_EQ(llvm::join((*B)[0].CommandLine, "|"),
            "c++|-DFROM_RSP|-Isome dir|-c|b.cpp");
}

TEST_F(DatabaseTest, isFoundAbove) {
  std::string Source = Project.write("src/deep/a.cpp", "");
  std::string Text =
      "[" + entry(Project.path("src/deep"), "a.cpp", "c++ a.cpp") + "]";
  EXPECT_NE(
      errorOf(Database::findAbove(Source)).find("no compile_commands.json"),
      std::string::npos);
  std::string InBuild = Project.write("build/compile_commands.json", Text);
  auto Found = Database::findAbove(Source);
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_EQ(Found->path(), InBuild);
  // The nearer one wins.
  std::string Nearer = Project.write("src/compile_commands.json", Text);
  Found = Database::findAbove(Source);
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_EQ(Found->path(), Nearer);
}

TEST_F(DatabaseTest, fileThroughALink) {
  std::string Root = Project.path();
  Project.write("real/a.cpp", "");
  ASSERT_FALSE(llvm::sys::fs::create_link(Root + "/real", Root + "/link"));
  Project.write("compile_commands.json",
                "[" + entry(Root, "real/a.cpp", "c++ real/a.cpp") + "]");
  auto Loaded = Database::load(Root);
  ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
  auto Commands = Loaded->commandsFor(Root + "/link/a.cpp");
  ASSERT_TRUE(bool(Commands)) << llvm::toString(Commands.takeError());
  EXPECT_EQ((*Commands)[0].Filename, Root + "/real/a.cpp");
}

TEST_F(DatabaseTest, errors) {
  EXPECT_EQ(errorFor("[]").substr(0, 25), "holds no compile commands");
  EXPECT_EQ(errorFor("").substr(0, 15), "not valid JSON:");
  EXPECT_EQ(errorFor("[{\"directory\": \"/\",").substr(0, 15),
            "not valid JSON:");
  EXPECT_EQ(errorFor("{}"), "expected an array of compile commands");
  EXPECT_EQ(errorFor("[1]"), "entry 1 is not an object");
  EXPECT_EQ(errorFor("[" + entry("/", "a.cpp", "c++") + ", {\"file\": \"b\"}]"),
            "entry 2 has no string \"directory\"");
  EXPECT_EQ(errorFor("[{\"directory\": \"/\", \"file\": 3}]"),
            "entry 1 has no string \"file\"");
  EXPECT_EQ(errorFor("[{\"directory\": \"/\", \"file\": \"a\"}]"),
            "entry 1 has neither \"arguments\" nor \"command\"");
  EXPECT_EQ(errorFor("[{\"directory\": \"/\", \"file\": \"a\", "
                     "\"arguments\": [\"c++\", 1]}]"),
            "entry 1 has an element of \"arguments\" that is not a string");
  EXPECT_EQ(errorFor("[" + entry("/", "a.cpp", " ") + "]"),
            "entry 1 has an empty command");
}

TEST_F(DatabaseTest, missing) {
  std::string Nowhere = Project.path("nowhere");
  EXPECT_EQ(errorOf(Database::load(Nowhere)).substr(0, Nowhere.size() + 24),
            Nowhere + ": no such file or folder");
  EXPECT_NE(errorOf(Database::load(Project.path()))
                .find("holds no compile_commands.json"),
            std::string::npos);
  std::string Root = Project.path();
  Project.write("compile_commands.json",
                "[" + entry(Root, "a.cpp", "c++ a.cpp") + "]");
  auto Loaded = Database::load(Root);
  ASSERT_TRUE(bool(Loaded)) << llvm::toString(Loaded.takeError());
  auto Commands = Loaded->commandsFor(Root + "/other.cpp");
  ASSERT_FALSE(bool(Commands));
  EXPECT_EQ(llvm::toString(Commands.takeError()),
            Root + "/other.cpp: not in " + Root +
                "/compile_commands.json, which names 1 file; add it to the "
                "build, or give its flags after --");
}

TEST_F(DatabaseTest, flagsStandForEveryFile) {
  Database Flags =
      Database::fromFlags({"-std=c++17", "-Iinclude"}, Project.path());
  EXPECT_TRUE(Flags.files().empty());
  EXPECT_EQ(Flags.path(), "");
  auto Commands = Flags.commandsFor("/p/a.cpp");
  ASSERT_TRUE(bool(Commands));
  EXPECT_EQ(llvm::join((*Commands)[0].CommandLine, "|"),
            "clang++|-std=c++17|-Iinclude|/p/a.cpp");
  EXPECT_EQ((*Commands)[0].Directory, Project.path());

  // "-- g++ -DX": the compiler's name is no file.
  Database Named = Database::fromFlags({"g++", "-DX"}, Project.path());
  Commands = Named.commandsFor("/p/a.cpp");
  ASSERT_TRUE(bool(Commands));
  EXPECT_EQ(llvm::join((*Commands)[0].CommandLine, "|"),
            "clang++|-DX|/p/a.cpp");
}
