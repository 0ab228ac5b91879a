//===- AdjustTest.cpp - What becomes of a build's command line ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines before and after.
//
//===----------------------------------------------------------------------===//

#include "compile/Adjust.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace tdl;

static Arguments split(llvm::StringRef Line) {
  llvm::SmallVector<llvm::StringRef, 16> Parts;
  Line.split(Parts, ' ', -1, /*KeepEmpty=*/false);
  return Arguments(Parts.begin(), Parts.end());
}

static std::string forParse(llvm::StringRef Line) {
  return llvm::join(adjustForParse(split(Line)), " ");
}

static std::string forPrelude(llvm::StringRef Line) {
  return llvm::join(adjustForPrelude(adjustForParse(split(Line))), " ");
}

namespace {
struct Row {
  const char *Before, *After;
};
} // namespace

TEST(AdjustTest, linesForParse) {
  const Row Rows[] = {
      // Outputs and dependency files.
      {"/usr/bin/c++ -c a.cpp -o a.o",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      {"/usr/bin/c++ -oa.o -c a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      {"/usr/bin/g++ -MD -MT a.o -MF a.o.d -MP a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      {"/usr/bin/g++ -Wp,-MD,a.d -Wp,-DX=1 a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -Wp,-DX=1 a.cpp"},
      // Warnings.
      {"/usr/bin/g++ -Wall -Wextra -Werror -Werror=shadow -pedantic-errors "
       "-Wno-unknown a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      // What only GCC knows, listed and not listed.
      {"/usr/bin/g++ -fno-gnu-unique -fconcepts-diagnostics-depth=3 "
       "-fno-canonical-system-headers --param max-inline=3 a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      {"/usr/bin/g++ -fno-such-thing -mno-such-thing a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      // Code generation; what sets macros stays for the user's code.
      {"/usr/bin/g++ -g3 -ggdb -flto=auto -fprofile-generate -fstack-protector "
       "-fvisibility=hidden -fsanitize=address,undefined -mtune=native a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only a.cpp"},
      {"/usr/bin/g++ -O2 -fPIC -mavx2 -march=native -m32 a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -O2 -fPIC -mavx2 -march=native -m32 "
       "a.cpp"},
      // What the parse depends on stays in order, values that look like flags
      // included.
      {"/usr/bin/g++ -std=gnu++17 -DA -D B=-o -UC -I x -isystem y -iquote z "
       "-fopenmp -fno-exceptions a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -std=gnu++17 -DA -D B=-o -UC -I x "
       "-isystem y -iquote z -fopenmp -fno-exceptions a.cpp"},
      {"/usr/bin/g++ -D -c -I -o a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -D -c -I -o a.cpp"},
      {"/usr/bin/g++ -std=c++17 -c -- -c.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -std=c++17 -- -c.cpp"},
      // Precompiled headers: the header's text instead.
      {"/usr/bin/g++ -Winvalid-pch -include /b/cmake_pch.hxx a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -include /b/cmake_pch.hxx a.cpp"},
      {"/usr/bin/clang++ -Xclang -include-pch -Xclang /b/cmake_pch.hxx.pch "
       "-Xclang -include -Xclang /b/cmake_pch.hxx a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -include /b/cmake_pch.hxx a.cpp"},
      {"/usr/bin/g++ -include x.h.gch -fpch-preprocess a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -include x.h a.cpp"},
      {"/usr/bin/clang++ -Xclang -fno-pch-timestamp -Xclang -fsized a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only -Xclang -fsized a.cpp"},
      // Clang's own CUDA: the half of the GPU and where CUDA is.
      {"/usr/bin/clang++ -x cuda --cuda-gpu-arch=sm_80 --offload-arch=sm_90 "
       "--cuda-path=/opt/cuda --no-cuda-version-check -fgpu-rdc -Xcuda-ptxas "
       "-v -Xarch_device -O3 -nocudalib -fcuda-flush-denormals-to-zero "
       "-fgpu-default-stream=per-thread a.cu",
       "/usr/bin/clang++ -w -fsyntax-only -x cuda "
       "-fgpu-default-stream=per-thread a.cu"},
      // Compilers.
      {"clang++-19 a.cpp", "clang++ -w -fsyntax-only a.cpp"},
      {"/opt/llvm/bin/clang a.c", "/opt/llvm/bin/clang -w -fsyntax-only a.c"},
      {"/usr/bin/cc a.c", "/usr/bin/clang -w -fsyntax-only a.c"},
      {"/usr/bin/x86_64-linux-gnu-g++-12 a.cpp",
       "/usr/bin/clang++ -w -fsyntax-only --target=x86_64-linux-gnu a.cpp"},
      {"aarch64-linux-gnu-gcc a.c",
       "clang -w -fsyntax-only --target=aarch64-linux-gnu a.c"},
  };
  for (const Row &R : Rows)
    EXPECT_EQ(forParse(R.Before), R.After) << R.Before;
}

TEST(AdjustTest, linesForPrelude) {
  const char *Plain = "/usr/bin/clang++ -w -fsyntax-only -std=c++17 a.cpp";
  const char *Befores[] = {
      "/usr/bin/g++ -std=c++17 a.cpp",
      "/usr/bin/g++ -O3 -std=c++17 -g a.cpp",
      "/usr/bin/g++ -std=c++17 -fPIC -march=native -mavx512f -ffast-math a.cpp",
      "/usr/bin/g++ -Og -fPIE -std=c++17 -fsanitize=thread -flto a.cpp",
  };
  for (const char *Before : Befores)
    EXPECT_EQ(forPrelude(Before), Plain) << Before;
  // Types and the ABI depend on these.
  EXPECT_EQ(forPrelude("/usr/bin/g++ -m32 -std=c++20 -fopenmp a.cpp"),
            "/usr/bin/clang++ -w -fsyntax-only -m32 -std=c++20 -fopenmp a.cpp");
}

TEST(AdjustTest, unknownFlagsAreNamed) {
  Arguments Dropped;
  adjustForParse(split("/usr/bin/g++ -fno-such-thing -fno-gnu-unique a.cpp"),
                 &Dropped);
  EXPECT_EQ(Dropped, Arguments{"-fno-such-thing"});
}

TEST(AdjustTest, kinds) {
  EXPECT_EQ(compilerKind("/usr/bin/c++"), CompilerKind::Gcc);
  EXPECT_EQ(compilerKind("g++-12"), CompilerKind::Gcc);
  EXPECT_EQ(compilerKind("/usr/lib/llvm-22/bin/clang++"), CompilerKind::Clang);
  EXPECT_EQ(compilerKind("clang-19"), CompilerKind::Clang);
  EXPECT_EQ(compilerKind("tool-of-unknown-kind"), CompilerKind::Gcc);
  EXPECT_EQ(compilerKind("/usr/local/cuda/bin/nvcc"), CompilerKind::Nvcc);
  EXPECT_EQ(compilerKind("nvcc.exe"), CompilerKind::Nvcc);
}

TEST(AdjustTest, languages) {
  EXPECT_TRUE(isCuda(split("clang++ a.cu"), "/p/a.cu"));
  EXPECT_TRUE(isCuda(split("clang++ a.cuh"), "/p/a.cuh"));
  EXPECT_TRUE(isCuda(split("clang++ -x cuda a.cpp"), "/p/a.cpp"));
  EXPECT_TRUE(isCuda(split("clang++ -xcuda a.cpp"), "/p/a.cpp"));
  EXPECT_TRUE(isCuda(split("clang++ -x c++ -x none a.cu"), "/p/a.cu"));
  EXPECT_FALSE(isCuda(split("clang++ a.cpp"), "/p/a.cpp"));
  EXPECT_FALSE(isCuda(split("clang++ -x c++ a.cu"), "/p/a.cu"));
  EXPECT_FALSE(isCuda(split("clang++ -DX -I -x a.cpp"), "/p/a.cpp"));
  EXPECT_FALSE(isCuda(split("clang++ -- -xcuda"), "/p/-xcuda"));
}

TEST(AdjustTest, linesForCuda) {
  EXPECT_EQ(llvm::join(adjustForCuda(split("clang++ -w -I x -- a.cu"),
                                     {"/c/include", "/c/include/cccl"}),
                       " "),
            "clang++ -x cuda --cuda-host-only -nogpuinc -nogpulib -Xclang "
            "-target-sdk-version=12.8 -fuse-cuid=none -include "
            "__clang_cuda_runtime_wrapper.h -include nvcc_host_functions.h -w "
            "-I x -isystem /c/include -isystem /c/include/cccl -isystem "
            "/torch-device-lint/stand-ins -- a.cu");
}

TEST(AdjustTest, emptyCommand) { EXPECT_TRUE(adjustForParse({}).empty()); }
