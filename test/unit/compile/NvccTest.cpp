//===- NvccTest.cpp - What becomes of nvcc's command line ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines before and after. What nvcc hands to its host compiler was seen with
// `nvcc --dryrun` of CUDA 13.0.
//
//===----------------------------------------------------------------------===//

#include "compile/Nvcc.h"
#include "TempProject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace tdl;

/// The words of a line as a shell hands them over.
static Arguments split(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 16> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  return Arguments(Words.begin(), Words.end());
}

static std::string forParse(llvm::StringRef Line) {
  return llvm::join(adjustForParse(split(Line)), " ");
}

namespace {
struct Row {
  const char *Before, *After; ///< Without the compiler and what is always there.
};
} // namespace

TEST(NvccTest, flags) {
  const Row Rows[] = {
      // What CMake writes.
      {"-forward-unknown-to-host-compiler -DA -I/x -isystem /y -O3 -DNDEBUG "
       "-std=c++17 --generate-code=arch=compute_80,code=[compute_80,sm_80] "
       "-Xcompiler=-fPIC -MD -MT a.o -MF a.o.d -x cu -rdc=true -c a.cu -o a.o",
       "-DA -I/x -isystem /y -O3 -DNDEBUG -std=c++17 -fPIC -x cuda a.cu"},
      // What PyTorch's extension builder writes.
      {"--generate-dependencies-with-compile --dependency-output a.o.d "
       "-DTORCH_EXTENSION_NAME=e -isystem /t/include "
       "-D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr "
       "-gencode=arch=compute_80,code=sm_80 -gencode "
       "arch=compute_90,code=sm_90 --compiler-options '-fPIC' -std=c++17 "
       "-c a.cu -o a.o",
       "-DTORCH_EXTENSION_NAME=e -isystem /t/include "
       "-D__CUDA_NO_HALF_OPERATORS__ -fPIC -std=c++17 a.cu"},
      // Both names of a flag, and all ways to give it a value.
      {"--define-macro A --define-macro=B -D C -D=D -DE a.cu",
       "-DA -DB -DC -DD -DE a.cu"},
      {"--include-path i,j -I=k -Il --system-include s -isystem=t,u a.cu",
       "-Ii -Ij -Ik -Il -isystem s -isystem t -isystem u a.cu"},
      {"--std c++17 a.cu", "-std=c++17 a.cu"},
      {"--std=c++20 a.cu", "-std=c++20 a.cu"},
      {"-U X --undefine-macro=Y -include a.h,b.h --pre-include=c.h a.cu",
       "-UX -UY -include a.h -include b.h -include c.h a.cu"},
      // A macro's commas need a backslash.
      {R"(-DX=a\\,b -DY=a,Z a.cu)", "-DX=a,b -DY=a -DZ a.cu"},
      // The language.
      {"-x cu a.cpp", "-x cuda a.cpp"},
      {"-x=cu a.cpp", "-x cuda a.cpp"},
      {"--x c++ a.cu", "-x c++ a.cu"},
      // Flags of the host compiler go through its own table.
      {"-Xcompiler -Wall,-fPIC,-fno-gnu-unique,-DQ a.cu", "-fPIC -DQ a.cu"},
      {"-Xcompiler '-fopenmp -g' -Xcompiler=-march=native a.cu",
       "-fopenmp -march=native a.cu"},
      {R"(-Xcompiler ',"-fPIC","-DA=1"' a.cu)", "-fPIC -DA=1 a.cu"},
      {R"(-Xcompiler -Wl\\,-rpath\\,/x a.cu)", "a.cu"},
      {R"(-Xcompiler -DS=\\\\\\\"s\\\\\\\" a.cu)", R"(-DS="s" a.cu)"},
      {"-forward-unknown-to-host-compiler -march=native -fopenmp -Wextra a.cu",
       "-march=native -fopenmp a.cu"},
      // What clang names otherwise.
      {"-noeh -ftemplate-depth=99 --default-stream per-thread a.cu",
       "-fno-exceptions -ftemplate-depth=99 "
       "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 a.cu"},
      {"--default-stream=legacy -m=64 -O 2 a.cu", "-m64 -O2 a.cu"},
      // The half of the GPU, output, links, warnings, nvcc's own work.
      {"-arch=sm_80 -code sm_80,compute_80 -gencode arch=compute_90,code=sm_90 "
       "-maxrregcount=32 -Xptxas -v,-O3 -Xptxas=-dlcm=ca -Xcudafe "
       "--diag_suppress=20012 -use_fast_math --ftz=true -G -lineinfo -dlto "
       "--fmad false -restrict -res-usage a.cu",
       "a.cu"},
      {"-dc -odir d -MMD -MP -keep --keep-dir k -t 4 -t8 --threads=0 -time t.csv "
       "--split-compile=0 -dryrun -v a.cu",
       "a.cu"},
      {"-Lx -L y -lz -lcudart -cudart shared -Xlinker -rpath -Xnvlink -v "
       "-shared -nodlink a.cu",
       "a.cu"},
      {"-w -Werror all-warnings -Wno-deprecated-gpu-targets -diag-suppress "
       "177,550 -err-no a.cu",
       "a.cu"},
      {"-extended-lambda --expt-extended-lambda -pg -g a.cu", "a.cu"},
      // What a later nvcc may know.
      {"--no-such-flag --no-such-flag=3 a.cu", "a.cu"},
      // A flag whose value is missing.
      {"a.cu -I", "a.cu"},
  };
  for (const Row &R : Rows)
    EXPECT_EQ(forParse(std::string("nvcc ") + R.Before),
              std::string("clang++ -w -fsyntax-only ") + R.After)
        << R.Before;
}

TEST(NvccTest, hostCompilers) {
  const Row Rows[] = {
      {"/opt/cuda/bin/nvcc a.cu", "clang++ -w -fsyntax-only a.cu"},
      {"nvcc -ccbin /usr/bin/g++-12 a.cu",
       "/usr/bin/clang++ -w -fsyntax-only a.cu"},
      {"nvcc -ccbin=/usr/bin a.cu", "/usr/bin/clang++ -w -fsyntax-only a.cu"},
      {"nvcc --compiler-bindir gcc a.cu", "clang -w -fsyntax-only a.cu"},
      {"nvcc -ccbin=/usr/bin/clang++-14 a.cu",
       "/usr/bin/clang++ -w -fsyntax-only a.cu"},
      {"nvcc -ccbin=aarch64-linux-gnu-g++ a.cu",
       "clang++ -w -fsyntax-only --target=aarch64-linux-gnu a.cu"},
  };
  for (const Row &R : Rows)
    EXPECT_EQ(forParse(R.Before), R.After) << R.Before;
}

TEST(NvccTest, optionFiles) {
  TempProject Project;
  Project.write("b/includes.rsp", "-I/x -isystem=/y\n-DS='a b'");
  Project.write("b/more.rsp", "--options-file includes.rsp -DM");
  auto Expanded = expandOptionFiles(
      split("nvcc -DA --options-file more.rsp,includes.rsp -optf=more.rsp a.cu"),
      Project.path("b"));
  ASSERT_TRUE(bool(Expanded));
  EXPECT_EQ(llvm::join(*Expanded, "|"),
            "nvcc|-DA|-I/x|-isystem=/y|-DS=a b|-DM|-I/x|-isystem=/y|-DS=a b|"
            "-I/x|-isystem=/y|-DS=a b|-DM|a.cu");
}

TEST(NvccTest, missingOptionFileIsNamed) {
  TempProject Project;
  auto Expanded =
      expandOptionFiles(split("nvcc -optf none.rsp a.cu"), Project.path());
  ASSERT_FALSE(bool(Expanded));
  std::string Text = llvm::toString(Expanded.takeError());
  EXPECT_NE(Text.find("option file " + Project.path("none.rsp") +
                      " cannot be read"),
            std::string::npos)
      << Text;
}

TEST(NvccTest, optionFileThatNamesItself) {
  TempProject Project;
  Project.write("self.rsp", "-DA -optf self.rsp");
  auto Expanded =
      expandOptionFiles(split("nvcc -optf self.rsp a.cu"), Project.path());
  ASSERT_TRUE(bool(Expanded));
  EXPECT_EQ(llvm::join(hostCommand(*Expanded), " ").find("optf"),
            std::string::npos);
}
