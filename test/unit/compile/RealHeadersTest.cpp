//===- RealHeadersTest.cpp - The real LibTorch, with and without prelude ===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The user's part of the AST must be the same. Needs LibTorch's headers in
// $LIBTORCH; takes as long as parsing them twice.
//
//===----------------------------------------------------------------------===//

#include "TempProject.h"
#include "compile/ResourceDir.h"
#include "compile/UnitParser.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace tdl;
using clang::tooling::CompileCommand;
using llvm::StringRef;

static constexpr char Source[] = R"(#include <torch/torch.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#ifdef __AVX2__
int wide;
#endif

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(4, 2))) {
    mask = register_buffer("mask", torch::ones({2}));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(x) * mask; }
  torch::nn::Linear fc{nullptr};
  torch::Tensor mask;
};
TORCH_MODULE(Net);

template <typename T> T doubled(T t) { return t + t; }

torch::Tensor run(std::vector<torch::Tensor> batch, bool gpu) {
  Net net;
  auto device = gpu ? torch::kCUDA : torch::kCPU;
  net->to(device);
  std::for_each(batch.begin(), batch.end(), [&](auto &t) { t = t.to(device); });
  std::transform(batch.begin(), batch.end(), batch.begin(),
                 [](const auto &t) { return doubled(t); });
  at::parallel_for(0, 8, 1, [&](auto begin, auto end) { batch[begin] += end; });
  std::function<torch::Tensor(torch::Tensor)> f = [](auto t) { return t.cpu(); };
  std::thread worker([&](auto t) { t.zero_(); }, batch[0]);
  worker.join();
  return net->forward(torch::stack(batch)).index({torch::indexing::Slice()});
}
)";

/// \p Text less what begins with \p Start, and the characters of the class
/// after it.
static std::string without(StringRef Text, StringRef Start,
                           bool (*Class)(char)) {
  std::string Result;
  while (!Text.empty()) {
    auto [Before, After] = Text.split(Start);
    Result += Before;
    Text = After.drop_while(Class);
  }
  return Result;
}

/// A dump without what says nothing about the program: addresses, whether a
/// declaration was read from a PCH, and where macros paste their tokens.
static std::string comparable(StringRef Dump) {
  auto IsNumber = [](char C) { return llvm::isHexDigit(C) || C == ':'; };
  std::string Result = without(Dump, "0x", IsNumber);
  Result = without(Result, " imported", [](char) { return false; });
  return without(Result, "<scratch space>:", IsNumber);
}

/// The first line in which two texts differ, from both; empty when they agree.
static std::string firstDifference(StringRef A, StringRef B) {
  while (!A.empty() || !B.empty()) {
    auto [LineA, RestA] = A.split('\n');
    auto [LineB, RestB] = B.split('\n');
    if (LineA != LineB)
      return ("'" + LineA + "' and '" + LineB + "'").str();
    A = RestA;
    B = RestB;
  }
  return {};
}

namespace {

struct UserPart {
  ParseOutcome Outcome;
  std::string Dump;
  unsigned Declarations = 0, Instantiations = 0;
};

class RealHeadersTest : public testing::Test {
protected:
  void SetUp() override {
    const char *Root = std::getenv("LIBTORCH");
    if (!Root)
      GTEST_SKIP()
          << "set LIBTORCH to the folder that holds LibTorch's include/";
    Include = std::string(Root) + "/include";
  }

  UserPart parse(bool UsePrelude, std::vector<std::string> Flags) {
    std::string File = Project.write("p/a.cpp", Source);
    std::vector<std::string> Line = {
        "/usr/bin/c++", "-std=c++17", "-isystem",
        Include,        "-isystem",   Include + "/torch/csrc/api/include"};
    Line.insert(Line.end(), Flags.begin(), Flags.end());
    Line.push_back(File);
    ParseOptions Options;
    Options.UsePrelude = UsePrelude;
    Options.CacheDir = Project.path("cache");
    Options.ResourceDir = llvm::cantFail(findResourceDir("", ""));
    UserPart Result;
    Result.Outcome = UnitParser(Options).parse(
        CompileCommand(Project.path("p"), File, Line, ""),
        [&](ParsedUnit &Unit) {
          llvm::raw_string_ostream OS(Result.Dump);
          for (clang::Decl *D : Unit.TopLevel)
            D->dump(OS);
          for (clang::FunctionDecl *F : Unit.Instantiations)
            F->dump(OS);
          Result.Declarations = Unit.TopLevel.size();
          Result.Instantiations = Unit.Instantiations.size();
        });
    EXPECT_TRUE(Result.Outcome.Ok) << llvm::join(Result.Outcome.Errors, "\n");
    Result.Dump = comparable(Result.Dump);
    return Result;
  }

  TempProject Project;
  std::string Include;
};

} // namespace

TEST_F(RealHeadersTest, sameWithAndWithoutPrelude) {
  UserPart With = parse(/*UsePrelude=*/true, {"-O2", "-mavx2", "-DWORDS=1"});
  UserPart Without =
      parse(/*UsePrelude=*/false, {"-O2", "-mavx2", "-DWORDS=1"});
  EXPECT_TRUE(With.Outcome.UsedPrelude);
  EXPECT_FALSE(Without.Outcome.UsedPrelude);
  // wide, NetImpl, Net, doubled, run, each once; five lambdas and doubled.
  EXPECT_EQ(With.Declarations, 5u);
  EXPECT_EQ(With.Instantiations, 6u);
  EXPECT_EQ(firstDifference(With.Dump, Without.Dump), "");

  // Another target's flags find the same prelude.
  UserPart Plain = parse(/*UsePrelude=*/true, {"-fPIC", "-g"});
  EXPECT_TRUE(Plain.Outcome.UsedPrelude);
  EXPECT_EQ(Plain.Declarations, 4u);
  std::error_code Problem;
  unsigned Preludes = 0;
  for (llvm::sys::fs::recursive_directory_iterator
           I(Project.path("cache"), Problem),
       End;
       !Problem && I != End; I.increment(Problem))
    Preludes += StringRef(I->path()).ends_with(".pch");
  EXPECT_EQ(Preludes, 1u);
}
