//===- UnitScannerTest.cpp - Which library headers a file includes ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No library is read in these tests: its headers are empty files.
//
//===----------------------------------------------------------------------===//

#include "compile/UnitScanner.h"
#include "TempProject.h"
#include "compile/Adjust.h"
#include "compile/Frontend.h"
#include "compile/ProjectFiles.h"
#include "compile/ResourceDir.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringExtras.h"

using namespace tdl;

namespace {
class UnitScannerTest : public testing::Test {
protected:
  UnitScannerTest() {
    for (const char *Header :
         {"torch/torch.h", "torch/script.h", "c10/util/a.h",
          "opencv2/opencv.hpp", "std/vector"})
      Project.write(std::string("lib/") + Header, "");
    Project.write("p/.git/HEAD", "");
  }

  UnitScan scan(llvm::StringRef Text, Arguments Flags = {}) {
    std::string Source = Project.write("p/a.cpp", Text);
    Arguments Command = {"/usr/bin/clang++", "-isystem", Project.path("lib"),
                         "-I", Project.path("p")};
    Command.insert(Command.end(), Flags.begin(), Flags.end());
    Command.push_back(Source);
    return scanCommand(adjustForParse(Command));
  }

  UnitScan scanCommand(const Arguments &Command) {
    ErrorCollector Errors;
    auto FS = fileSystemAt(Project.path("p"));
    auto Invocation = makeInvocation(Command, FS, Errors);
    EXPECT_TRUE(Invocation) << llvm::join(Errors.take(), "\n");
    if (!Invocation)
      return {};
    ProjectFiles Files(Project.path("p"), {});
    return scanUnit(*Invocation, withStandIns(FS, *Invocation), Files);
  }

  /// The spellings of the headers, with a space between.
  std::string includes(llvm::StringRef Text, Arguments Flags = {}) {
    std::string Result;
    for (const HeavyInclude &Include : scan(Text, std::move(Flags)).Includes)
      Result += (Result.empty() ? "" : " ") + Include.Spelling;
    return Result;
  }

  std::string macros(llvm::StringRef Text, Arguments Flags = {}) {
    std::string Result;
    for (const MacroEvent &Event : scan(Text, std::move(Flags)).Macros)
      Result += std::to_string(Event.Position) + " " + Event.Directive + "\n";
    return Result;
  }

  TempProject Project;
};
} // namespace

TEST_F(UnitScannerTest, inOrderAndOnce) {
  Project.write("p/own.h", "#pragma once\n#include <torch/script.h>\n");
  EXPECT_EQ(includes("#include \"own.h\"\n#include <vector>\n"
                     "#include <torch/torch.h>\n#include <torch/script.h>\n"
                     "#include <opencv2/opencv.hpp>\n#include \"own.h\"\n"),
            "torch/script.h torch/torch.h opencv2/opencv.hpp");
  UnitScan Scan = scan("#include <torch/torch.h>\n");
  EXPECT_TRUE(Scan.usesLibTorch());
  EXPECT_EQ(Scan.Includes[0].Path, Project.path("lib/torch/torch.h"));
  EXPECT_FALSE(scan("#include <opencv2/opencv.hpp>\n").usesLibTorch());
}

TEST_F(UnitScannerTest, conditions) {
  EXPECT_EQ(includes("#ifdef A\n#include <torch/torch.h>\n#endif\n"), "");
  EXPECT_EQ(includes("#ifdef A\n#include <torch/torch.h>\n#endif\n", {"-DA"}),
            "torch/torch.h");
  EXPECT_EQ(includes("#if __cplusplus >= 201703L\n#include <torch/torch.h>\n"
                     "#endif\n",
                     {"-std=c++17"}),
            "torch/torch.h");
  // A header that was not read may define A.
  EXPECT_EQ(includes("#include <torch/torch.h>\n#ifndef A\n"
                     "#include <torch/script.h>\n#endif\n"
                     "#include <c10/util/a.h>\n"),
            "torch/torch.h c10/util/a.h");
  EXPECT_EQ(includes("#include <torch/torch.h>\n#if A > 1\n#else\n"
                     "#include <torch/script.h>\n#endif\n"),
            "torch/torch.h");
  // No library defines this.
  EXPECT_EQ(includes("#include <torch/torch.h>\n#ifndef _WIN32\n"
                     "#include <torch/script.h>\n#endif\n"),
            "torch/torch.h torch/script.h");
}

TEST_F(UnitScannerTest, uncertainMacrosEndTheScan) {
  EXPECT_EQ(includes("#include <torch/torch.h>\n#ifndef A\n#define A\n#endif\n"
                     "#include <torch/script.h>\n"),
            "torch/torch.h");
  // Skipped for want of A, which the header may define.
  EXPECT_EQ(includes("#include <torch/torch.h>\n#ifdef A\n#define B\n#endif\n"
                     "#include <torch/script.h>\n"),
            "torch/torch.h");
  EXPECT_EQ(includes("#include <torch/torch.h>\n#pragma pack(push, 1)\n"
                     "#include <torch/script.h>\n"),
            "torch/torch.h");
  // A file's own guard is no question to a library.
  Project.write("p/own.h", "// Words.\n#ifndef OWN_H\n#define OWN_H\n"
                           "#include <torch/script.h>\n#endif\n");
  EXPECT_EQ(includes("#include <torch/torch.h>\n#include \"own.h\"\n"),
            "torch/torch.h torch/script.h");
}

TEST_F(UnitScannerTest, onlyAtFileLevel) {
  EXPECT_EQ(includes("extern \"C\" {\n#include <torch/torch.h>\n}\n"
                     "#include <torch/script.h>\n"),
            "torch/script.h");
}

TEST_F(UnitScannerTest, macrosBeforeHeaders) {
  EXPECT_EQ(macros("#define A(x) \\\n  x\n#include <torch/torch.h>\n"
                   "#define B 2\n#define B 3\n#include <torch/script.h>\n"
                   "#undef A\n#define C\n",
                   {"-DFLAG=1"}),
            "0 #define FLAG 1\n0 #define A(x)     x\n1 #define B 3\n");
  EXPECT_EQ(macros("#define A\n#undef A\n#include <torch/torch.h>\n"),
            "0 #undef A\n");
}

TEST_F(UnitScannerTest, forcedIncludes) {
  std::string Forced =
      Project.write("build/cmake_pch.hxx", "#include <torch/torch.h>\n");
  EXPECT_EQ(includes("", {"-include", Forced}), "torch/torch.h");
}

TEST_F(UnitScannerTest, brokenFiles) {
  EXPECT_EQ(includes("#include \"missing.h\"\n#include <torch/torch.h>\n"), "");
  EXPECT_EQ(includes("#if (\n#include <torch/torch.h>\n"), "");
  EXPECT_EQ(includes("}}}}\n#include <torch/torch.h>\n"), "torch/torch.h");
}

TEST_F(UnitScannerTest, cuda) {
  // What clang includes first comes first; the macro that it defines is there.
  Project.write("lib/__clang_cuda_runtime_wrapper.h", "");
  std::string Source = Project.write(
      "p/a.cu", "#include <torch/torch.h>\n#ifdef __CUDACC__\n"
                "#include <torch/script.h>\n#endif\n");
  UnitScan Scan = scanCommand(
      adjustForCuda({"/usr/bin/clang++", Source}, {Project.path("lib")}));
  ASSERT_EQ(Scan.Includes.size(), 4u);
  EXPECT_TRUE(Scan.Includes[0].isCudaWrapper());
  EXPECT_EQ(Scan.Includes[1].Spelling, "nvcc_host_functions.h");
  EXPECT_EQ(Scan.Includes[2].Spelling, "torch/torch.h");
  EXPECT_EQ(Scan.Includes[3].Spelling, "torch/script.h");
  for (const MacroEvent &Event : Scan.Macros)
    EXPECT_NE(Event.Name, "__CUDACC__");
  // C++ has none of it.
  EXPECT_EQ(includes("#include <torch/torch.h>\n#ifdef __CUDACC__\n"
                     "#include <torch/script.h>\n#endif\n"),
            "torch/torch.h");
}
