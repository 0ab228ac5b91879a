//===- CudaHeadersTest.cpp - Where CUDA's headers are found -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/CudaHeaders.h"
#include "TempProject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tdl;

namespace {
class CudaHeadersTest : public testing::Test {
protected:
  /// Makes \p Folder one with all of CUDA's headers that are needed, but those
  /// that \p Without names.
  void writeCuda(llvm::StringRef Folder, llvm::StringRef Without = "") {
    for (llvm::StringRef Header :
         {"cuda.h", "cuda_runtime.h", "crt/host_config.h"})
      if (Header != Without)
        Project.write((Folder + "/" + Header).str(), "");
  }

  /// The folders found below one root, relative and joined; else the error.
  std::string found(llvm::ArrayRef<std::string> Roots) {
    auto Headers = findCudaHeaders(Roots);
    if (!Headers)
      return relative(llvm::toString(Headers.takeError()));
    return relative(llvm::join(*Headers, " "));
  }

  std::string relative(std::string Text) {
    std::string Root = Project.path() + "/";
    for (size_t At; (At = Text.find(Root)) != std::string::npos;)
      Text.erase(At, Root.size());
    return Text;
  }

  TempProject Project;
};
} // namespace

TEST_F(CudaHeadersTest, layouts) {
  writeCuda("toolkit/include");
  writeCuda("new/include");
  Project.write("new/include/cccl/cuda/std/version", "");
  writeCuda("conda/targets/x86_64-linux/include");
  EXPECT_EQ(found(Project.path("toolkit")), "toolkit/include");
  EXPECT_EQ(found(Project.path("new")), "new/include new/include/cccl");
  EXPECT_EQ(found(Project.path("conda")),
            "conda/targets/x86_64-linux/include");
  // The folder of the headers itself.
  EXPECT_EQ(found(Project.path("toolkit/include")), "toolkit/include");
}

TEST_F(CudaHeadersTest, wheels) {
  // Since CUDA 13 all wheels fill one folder, before each had its own.
  writeCuda("new/nvidia/cu13/include");
  Project.write("new/nvidia/nccl/include/nccl.h", "");
  EXPECT_EQ(found(Project.path("new/nvidia")), "new/nvidia/cu13/include");
  EXPECT_EQ(found(Project.path("new/nvidia/cu13")), "new/nvidia/cu13/include");

  writeCuda("old/nvidia/cuda_runtime/include", "crt/host_config.h");
  Project.write("old/nvidia/cuda_nvcc/include/crt/host_config.h", "");
  Project.write("old/nvidia/cuda_cccl/include/thrust/version.h", "");
  std::string All = "old/nvidia/cuda_cccl/include "
                    "old/nvidia/cuda_nvcc/include "
                    "old/nvidia/cuda_runtime/include";
  EXPECT_EQ(found(Project.path("old/nvidia")), All);
  EXPECT_EQ(found(Project.path("old/nvidia/cuda_runtime")), All);

  // The newest of several, by number.
  writeCuda("two/nvidia/cu9/include");
  writeCuda("two/nvidia/cu13/include");
  EXPECT_EQ(found(Project.path("two/nvidia")), "two/nvidia/cu13/include");
}

TEST_F(CudaHeadersTest, whatIsMissingIsSaid) {
  EXPECT_EQ(found({Project.path("a"), Project.path("b")}),
            "no CUDA headers: cuda_runtime.h is not in a, b; name the "
            "toolkit's folder with --cuda-path=DIR");
  writeCuda("part/include", "crt/host_config.h");
  EXPECT_EQ(found({Project.path("a"), Project.path("part")}),
            "the CUDA headers in part/include lack crt/host_config.h (of the "
            "compiler, nvidia-cuda-crt as a wheel); install it, or name a "
            "toolkit with --cuda-path=DIR");
  // A whole one further on is taken.
  writeCuda("whole/include");
  EXPECT_EQ(found({Project.path("part"), Project.path("whole")}),
            "whole/include");
}

TEST_F(CudaHeadersTest, rootsOfTheCommandComeFirst) {
  writeCuda("named/include");
  writeCuda("included");
  Project.write("site/torch/include/ATen/ATen.h", "");
  std::string Site = Project.path("site/torch/include");
  std::vector<std::string> Roots = cudaRoots(
      {"/opt/cuda-12/bin/nvcc", "--cuda-path=named", "-I", "included",
       "-isystem" + Site, "-Iempty", "a.cu"},
      Project.path());
  std::vector<std::string> First = {Project.path("named"), "/opt/cuda-12",
                                    Project.path("included")};
  ASSERT_GT(Roots.size(), First.size());
  EXPECT_EQ(std::vector<std::string>(Roots.begin(), Roots.begin() + 3), First);
  EXPECT_TRUE(llvm::is_contained(Roots, Project.path("site/nvidia")));
  EXPECT_TRUE(llvm::is_contained(Roots, "/usr/local/cuda"));
  EXPECT_FALSE(llvm::is_contained(Roots, Project.path("empty")));
  // A link to nvcc is in no toolkit.
  Project.write("real/bin/nvcc", "");
  Project.write("links/bin/x", "");
  ASSERT_FALSE(llvm::sys::fs::create_link(Project.path("real/bin/nvcc"),
                                          Project.path("links/bin/nvcc")));
  Roots = cudaRoots({Project.path("links/bin/nvcc"), "a.cu"}, Project.path());
  EXPECT_EQ(Roots[0], Project.path("links"));
  EXPECT_EQ(Roots[1], Project.path("real"));
}
