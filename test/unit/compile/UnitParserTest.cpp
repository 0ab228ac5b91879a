//===- UnitParserTest.cpp - What a parse hands out ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/UnitParser.h"
#include "TempProject.h"
#include "compile/ResourceDir.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"

using namespace tdl;
using clang::tooling::CompileCommand;
using llvm::StringRef;

namespace {

class UnitParserTest : public testing::Test {
protected:
  UnitParserTest() { Project.write("p/.git/HEAD", ""); }

  ParseOutcome parse(std::vector<std::string> Line,
                     llvm::function_ref<void(ParsedUnit &)> Consume,
                     std::string Directory = {}) {
    ParseOptions Options;
    Options.UsePrelude = false;
    Options.ResourceDir = llvm::cantFail(findResourceDir("", ""));
    Options.CudaPath = CudaPath;
    if (Directory.empty())
      Directory = Project.path("p");
    std::string File = Line.empty() ? "a.cpp" : Line.back();
    UnitParser Parser(Options);
    return Parser.parse(CompileCommand(Directory, File, Line, ""), Consume);
  }

  /// The errors of a command that must fail.
  std::string errors(std::vector<std::string> Line,
                     std::string Directory = {}) {
    ParseOutcome Outcome =
        parse(std::move(Line), [](ParsedUnit &) { ADD_FAILURE(); }, Directory);
    EXPECT_FALSE(Outcome.Ok);
    return llvm::join(Outcome.Errors, "|");
  }

  TempProject Project;
  std::string CudaPath; ///< ParseOptions::CudaPath
};

} // namespace

TEST_F(UnitParserTest, ownDeclarationsAndBodies) {
  Project.write("lib/lib.h", "#pragma once\n"
                             "inline int library() { return 1; }\n"
                             "template <class F> void call(F f) { f(1); }\n"
                             "constexpr int needed() { return 2; }\n"
                             "inline auto deduced() { return 3; }\n");
  Project.write("p/own.h", "#pragma once\n#include <lib.h>\n"
                           "inline int header() { return 1; }\n");
  Project.write("p/a.cpp", "#include \"own.h\"\n"
                           "template <class T> T twice(T t) { return t + t; }\n"
                           "int user() { return twice(needed()); }\n");
  std::string Names, Instantiated, LibraryBodies;
  ParseOutcome Outcome =
      parse({"c++", "-isystem", "../lib", "a.cpp"}, [&](ParsedUnit &Unit) {
        for (clang::Decl *D : Unit.TopLevel) {
          auto *Named = llvm::cast<clang::NamedDecl>(D);
          Names += Named->getNameAsString() + " ";
          EXPECT_TRUE(Unit.isProject(D->getLocation()));
          if (auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D)) {
            EXPECT_TRUE(Function->hasBody());
          }
        }
        for (clang::FunctionDecl *F : Unit.Instantiations)
          Instantiated += F->getNameAsString() + " ";
        for (clang::Decl *D : Unit.Context.getTranslationUnitDecl()->decls()) {
          auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
          if (!Function || Unit.isProject(D->getLocation()))
            continue;
          LibraryBodies +=
              Function->getNameAsString() + (Function->hasBody() ? "+ " : "- ");
        }
      });
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_EQ(Names, "header twice user ");
  EXPECT_EQ(Instantiated, "twice ");
  EXPECT_EQ(LibraryBodies, "library- needed+ deduced+ ");
}

TEST_F(UnitParserTest, genericLambdasOfAlgorithmsAreInstantiated) {
  Project.write(
      "p/a.cpp",
      "#include <algorithm>\n#include <functional>\n#include <vector>\n"
      "void f(std::vector<int> &v) {\n"
      "  std::for_each(v.begin(), v.end(), [](auto &x) { x = 1; });\n"
      "  std::function<void(int)> g = [](auto) {};\n"
      "}\n");
  unsigned Lambdas = 0;
  ParseOutcome Outcome = parse({"c++", "a.cpp"}, [&](ParsedUnit &Unit) {
    for (clang::FunctionDecl *F : Unit.Instantiations)
      Lambdas += F->isOverloadedOperator() && F->hasBody();
  });
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_EQ(Lambdas, 2u);
}

TEST_F(UnitParserTest, errors) {
  Project.write("p/a.cpp", "int x = y;\nint z = w;\n");
  EXPECT_EQ(errors({"c++", Project.path("p/a.cpp")}),
            Project.path("p/a.cpp") +
                ":1:9: error: use of undeclared identifier 'y'|" +
                Project.path("p/a.cpp") +
                ":2:9: error: use of undeclared identifier 'w'");
  EXPECT_EQ(errors({"c++", "missing.cpp"}),
            "error: no such file: " + Project.path("p/missing.cpp"));
  EXPECT_EQ(errors({}), "error: the compile command is empty");
  EXPECT_EQ(errors({"c++", "a.cpp"}, Project.path("nowhere")),
            "error: the folder " + Project.path("nowhere") +
                " of the compile command does not exist");
}

TEST_F(UnitParserTest, unknownProcessorAndUnknownFlags) {
  Project.write("p/a.cpp", "int user;\n");
  ParseOutcome Outcome =
      parse({"c++", "-march=no-such-cpu", "-fno-such-flag", "a.cpp"},
            [](ParsedUnit &) {});
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
  EXPECT_EQ(Outcome.DroppedFlags, std::vector<std::string>{"-fno-such-flag"});
}

TEST_F(UnitParserTest, warningsAreNoErrors) {
  Project.write("p/a.cpp", "#warning words\nint f() { int unused; }\n");
  ParseOutcome Outcome =
      parse({"c++", "-Wall", "-Werror", "a.cpp"}, [](ParsedUnit &) {});
  EXPECT_TRUE(Outcome.Ok) << llvm::join(Outcome.Errors, "\n");
}

TEST_F(UnitParserTest, cudaWithoutHeaders) {
  Project.write("p/a.cu", "int user;\n");
  std::string Missing = ": error: no CUDA headers: cuda_runtime.h is not in " +
                        Project.path("none") +
                        "; name the toolkit's folder with --cuda-path=DIR";
  CudaPath = Project.path("none");
  EXPECT_EQ(errors({"clang++", "a.cu"}), Project.path("p/a.cu") + Missing);
  // nvcc compiles C++ too, which needs none.
  Project.write("p/a.cpp", "int user;\n");
  EXPECT_TRUE(parse({"nvcc", "a.cpp"}, [](ParsedUnit &) {}).Ok);
  EXPECT_EQ(errors({"nvcc", "-x", "cu", "a.cpp"}),
            Project.path("p/a.cpp") + Missing);
}
