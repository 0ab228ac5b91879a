//===- PreludeTest.cpp - Preludes are shared, current and harmless ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small library under LibTorch's folder names stands in for LibTorch, so that
// a prelude is made in milliseconds. Whether the real headers come out the same
// is RealHeadersTest's business.
//
//===----------------------------------------------------------------------===//

#include "TempProject.h"
#include "compile/ResourceDir.h"
#include "compile/UnitParser.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <thread>

using namespace tdl;
using clang::tooling::CompileCommand;
using llvm::StringRef;

static constexpr char TorchHeader[] = R"(#pragma once
#include <c10/util/part.h>
#ifdef CONSULTED
struct Consulted {};
#endif
namespace torch {
struct Tensor {};
inline Tensor rand() { return Tensor(); }
}
)";

namespace {

class PreludeTest : public testing::Test {
protected:
  PreludeTest() {
    Project.write("p/.git/HEAD", "");
    Project.write("lib/torch/torch.h", TorchHeader);
    Project.write("lib/c10/util/part.h", "#pragma once\nstruct Part {};\n");
    Project.write("lib/big/big.h", "#pragma once\nstruct Big {};\n");
  }

  CompileCommand command(StringRef Text, std::vector<std::string> Flags = {}) {
    std::string Source = Project.write("p/a.cpp", Text);
    std::vector<std::string> Line = {"/usr/bin/c++", "-std=c++17", "-isystem",
                                     Project.path("lib")};
    Line.insert(Line.end(), Flags.begin(), Flags.end());
    Line.push_back(Source);
    return CompileCommand(Project.path("p"), Source, Line, "");
  }

  /// Parses, and leaves the names of the file's own declarations in Names.
  ParseOutcome parse(const CompileCommand &Command, bool UsePrelude = true) {
    ParseOptions Options;
    Options.UsePrelude = UsePrelude;
    Options.CacheDir = Project.path("cache");
    Options.ResourceDir = llvm::cantFail(findResourceDir("", ""));
    UnitParser Parser(Options);
    Names.clear();
    return Parser.parse(Command, [&](ParsedUnit &Unit) {
      for (const clang::Decl *D : Unit.TopLevel)
        if (auto *Named = llvm::dyn_cast<clang::NamedDecl>(D))
          Names += (Names.empty() ? "" : " ") + Named->getNameAsString();
    });
  }

  /// Parses a file that must succeed with a prelude.
  void expectUsed(StringRef Text, std::vector<std::string> Flags = {}) {
    ParseOutcome Outcome = parse(command(Text, std::move(Flags)));
    EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
    EXPECT_TRUE(Outcome.UsedPrelude) << Text.str();
    EXPECT_FALSE(Outcome.FellBack);
  }

  /// The paths of the cache's files with this ending.
  std::vector<std::string> cached(StringRef Ending) {
    std::vector<std::string> Result;
    std::error_code Problem;
    for (llvm::sys::fs::recursive_directory_iterator
             I(Project.path("cache"), Problem),
         End;
         !Problem && I != End; I.increment(Problem))
      if (StringRef(I->path()).ends_with(Ending))
        Result.push_back(I->path());
    return Result;
  }
  unsigned preludes() { return cached(".pch").size(); }

  TempProject Project;
  std::string Names;
};

} // namespace

static constexpr char Small[] = "#include <torch/torch.h>\nint user;\n";

TEST_F(PreludeTest, isMadeOnceAndPrivate) {
  expectUsed(Small);
  EXPECT_EQ(Names, "user");
  expectUsed("#include <torch/torch.h>\nint other;\n");
  EXPECT_EQ(Names, "other");
  EXPECT_EQ(preludes(), 1u);
  auto Permissions = llvm::sys::fs::getPermissions(Project.path("cache"));
  ASSERT_TRUE(bool(Permissions));
  EXPECT_EQ(*Permissions, llvm::sys::fs::owner_all);
}

TEST_F(PreludeTest, codeGenerationDoesNotMatter) {
  expectUsed(Small);
  expectUsed(Small, {"-O3", "-g", "-fPIC", "-march=x86-64-v3", "-Wall",
                     "-fsanitize=address", "-flto", "-fno-gnu-unique"});
  EXPECT_EQ(preludes(), 1u);
  // The user's own code sees what its flags set all the same.
  std::string Text = std::string(Small) +
                     "#ifdef __AVX2__\nint avx;\n#endif\n"
                     "#ifdef __OPTIMIZE__\nint optimized;\n#endif\n";
  expectUsed(Text, {"-O2", "-mavx2"});
  EXPECT_EQ(Names, "user avx optimized");
  expectUsed(Text);
  EXPECT_EQ(Names, "user");
  EXPECT_EQ(preludes(), 1u);
}

TEST_F(PreludeTest, standardMatters) {
  expectUsed(Small);
  expectUsed(Small, {"-std=c++20"});
  EXPECT_EQ(preludes(), 2u);
}

TEST_F(PreludeTest, macrosMatterWhenConsulted) {
  std::string Text =
      std::string(Small) + "struct Consulted;\nint size = sizeof(Part);\n";
  expectUsed(Text);
  expectUsed(Text, {"-DNEVER_HEARD_OF=1"});
  expectUsed("#define SOMETHING 1\n" + Text);
  EXPECT_EQ(preludes(), 1u);

  std::string Needs = std::string(Small) + "Consulted c;\n";
  expectUsed(Needs, {"-DCONSULTED"});
  EXPECT_EQ(preludes(), 2u);
  // A #define before the first include is the same as -D.
  expectUsed("#define CONSULTED 1\n" + Needs);
  EXPECT_EQ(preludes(), 2u);
  // And does not leak to a file without it.
  ParseOutcome Outcome = parse(command(Needs));
  EXPECT_FALSE(Outcome.Ok);
  expectUsed("#include <torch/torch.h>\n#define CONSULTED\nint user;\n");
  EXPECT_EQ(preludes(), 2u);
}

TEST_F(PreludeTest, userMacrosComeBack) {
  expectUsed("#define CONSULTED 7\n#include <torch/torch.h>\n"
             "int seven[CONSULTED - 6];\nint flag[FLAG - 1];\n",
             {"-DFLAG=2"});
}

TEST_F(PreludeTest, headersThatOthersReachAreShared) {
  expectUsed("#include <c10/util/part.h>\n#include <torch/torch.h>\n");
  expectUsed(Small);
  expectUsed("#include <torch/torch.h>\n#include <c10/util/part.h>\n");
  EXPECT_EQ(preludes(), 1u);
  // The other way round the prelude would hold more than the file reaches.
  std::string Part = "#include <c10/util/part.h>\nint Tensor;\nint torch;\n";
  expectUsed(Part);
  EXPECT_EQ(Names, "Tensor torch");
  EXPECT_EQ(preludes(), 2u);
}

TEST_F(PreludeTest, otherLibrariesOnceTheyCostEnough) {
  std::string Both =
      "#include <torch/torch.h>\n#include <big/big.h>\nBig big;\n";
  expectUsed(Small);
  expectUsed(Both);
  expectUsed(Both);
  EXPECT_EQ(preludes(), 1u);
  std::vector<std::string> Accounts = cached(".wanted");
  ASSERT_EQ(Accounts.size(), 1u);
  {
    std::error_code Problem;
    llvm::raw_fd_ostream OS(Accounts[0], Problem);
    OS << "100.5";
  }
  expectUsed(Both);
  EXPECT_EQ(preludes(), 2u);
  expectUsed(Both);
  EXPECT_EQ(preludes(), 2u);
}

TEST_F(PreludeTest, isMadeAgainWhenAHeaderChanges) {
  expectUsed(Small);
  Project.write("lib/c10/util/part.h",
                "#pragma once\nstruct Part {};\nstruct NewPart {};\n");
  expectUsed("#include <torch/torch.h>\nNewPart user;\n");
  EXPECT_EQ(preludes(), 1u);
}

TEST_F(PreludeTest, brokenFilesAreMadeAgain) {
  expectUsed(Small);
  for (StringRef Ending : {".pch", ".manifest", ".ids"}) {
    std::vector<std::string> Paths = cached(Ending);
    ASSERT_EQ(Paths.size(), 1u);
    auto Text = llvm::MemoryBuffer::getFile(Paths[0]);
    ASSERT_TRUE(bool(Text));
    std::string Half =
        (*Text)->getBuffer().take_front((*Text)->getBufferSize() / 2).str();
    {
      std::error_code Problem;
      llvm::raw_fd_ostream OS(Paths[0], Problem);
      OS << Half;
    }
    expectUsed(Small, {"-DNEVER_HEARD_OF"});
  }
}

TEST_F(PreludeTest, brokenPchOfTheRightSizeIsNoCrash) {
  expectUsed(Small);
  std::string Path = cached(".pch")[0];
  auto Text = llvm::MemoryBuffer::getFile(Path, false, false);
  ASSERT_TRUE(bool(Text));
  llvm::sys::fs::file_status Before;
  ASSERT_FALSE(llvm::sys::fs::status(Path, Before));
  std::string Zeros((*Text)->getBufferSize(), '\0');
  int File;
  ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(
      Path, File, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_None));
  {
    llvm::raw_fd_ostream OS(File, /*shouldClose=*/false);
    OS << Zeros;
  }
  ASSERT_FALSE(llvm::sys::fs::setLastAccessAndModificationTime(
      File, Before.getLastModificationTime()));
  ASSERT_FALSE(llvm::sys::Process::SafelyCloseFileDescriptor(File));

  ParseOutcome Outcome = parse(command(Small));
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_TRUE(Outcome.FellBack);
  expectUsed(Small);
}

TEST_F(PreludeTest, neverHoldsTheProjectsHeaders) {
  Project.write("p/torch/own.h",
                "#pragma once\n#include <torch/torch.h>\nint own;\n");
  expectUsed("#include <torch/own.h>\nint user;\n", {"-I", Project.path("p")});
  EXPECT_EQ(Names, "own user");
}

TEST_F(PreludeTest, projectFolderThatShadowsALibrary) {
  expectUsed(Small);
  // "big" is nothing that torch.h looks for; c10 is.
  Project.write("p/inc/big/x.h", "");
  expectUsed(Small, {"-I", Project.path("p/inc")});
  EXPECT_EQ(preludes(), 1u);
  Project.write("p/inc/c10/util/part.h", "#pragma once\nstruct Mine {};\n");
  ParseOutcome Outcome = parse(command("#include <torch/torch.h>\nMine user;\n",
                                       {"-I", Project.path("p/inc")}));
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
}

TEST_F(PreludeTest, headerThatNeedsTheFilesHelp) {
  Project.write("lib/big/big.h", "#pragma once\nneeded_first big;\n");
  std::string Text = "typedef int needed_first;\n#include <torch/torch.h>\n"
                     "#include <big/big.h>\nint user;\n";
  expectUsed(Text); // With LibTorch alone.
  expectUsed(Text);
  EXPECT_EQ(Names, "needed_first user");
  EXPECT_EQ(preludes(), 1u);
}

TEST_F(PreludeTest, headerThatChangesTheFilesMacro) {
  Project.write("lib/torch/torch.h",
                "#pragma once\n#undef MINE\n#define MINE 2\n");
  std::string Text = "#define MINE 1\n#include <torch/torch.h>\n"
                     "int two[MINE == 2 ? 1 : -1];\n";
  for (bool UsePrelude : {true, false, true}) {
    ParseOutcome Outcome = parse(command(Text), UsePrelude);
    EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
    EXPECT_FALSE(Outcome.UsedPrelude);
  }
}

TEST_F(PreludeTest, fallsBackWhenOnlyThePreludeIsInTheWay) {
  // A light header that changes a heavy one: the prelude has the latter alone.
  Project.write("lib/torch/torch.h",
                "#pragma once\n#ifndef TAKEN\nint taken();\n#endif\n");
  Project.write("lib/sys/light.h", "#define TAKEN\n");
  ParseOutcome Outcome =
      parse(command("#include <sys/light.h>\n#include <torch/torch.h>\n"
                    "double taken();\n"));
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_FALSE(Outcome.UsedPrelude);
  EXPECT_TRUE(Outcome.FellBack);
  EXPECT_TRUE(Outcome.Errors.empty());
}

TEST_F(PreludeTest, withoutLibTorchThereIsNone) {
  ParseOutcome Outcome = parse(command("#include <big/big.h>\nBig b;\n"));
  EXPECT_TRUE(Outcome.Ok);
  EXPECT_FALSE(Outcome.UsedPrelude);
  EXPECT_FALSE(llvm::sys::fs::exists(Project.path("cache")));
}

TEST_F(PreludeTest, unwritableCacheIsNoError) {
  Project.write("cache", "a file where a folder should be");
  ParseOutcome Outcome = parse(command(Small));
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_FALSE(Outcome.UsedPrelude);
}

TEST_F(PreludeTest, severalAtOnceMakeOne) {
  CompileCommand Command = command(Small);
  std::string Resources = llvm::cantFail(findResourceDir("", ""));
  std::vector<std::thread> Threads;
  std::vector<int> Used(4, 0);
  for (int &Result : Used)
    Threads.emplace_back([&, Target = &Result] {
      ParseOptions Options;
      Options.CacheDir = Project.path("cache");
      Options.ResourceDir = Resources;
      *Target =
          UnitParser(Options).parse(Command, [](ParsedUnit &) {}).UsedPrelude;
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  EXPECT_EQ(Used, std::vector<int>(4, 1));
  EXPECT_EQ(preludes(), 1u);
}

TEST_F(PreludeTest, errorsOfTheFile) {
  ParseOutcome Outcome =
      parse(command("#include <torch/torch.h>\nint x = undeclared;\n"));
  EXPECT_FALSE(Outcome.Ok);
  EXPECT_FALSE(Outcome.UsedPrelude);
  EXPECT_FALSE(Outcome.FellBack);
  EXPECT_EQ(Outcome.Errors,
            std::vector<std::string>{
                Project.path("p/a.cpp") +
                ":2:9: error: use of undeclared identifier 'undeclared'"});
}
