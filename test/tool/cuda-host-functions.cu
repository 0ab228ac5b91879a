//===- cuda-host-functions.cu - What nvcc gives host code unasked ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc's front end accepts this file, so the linter must. The static_asserts
// hold under both.
//
// REQUIRES: cuda-sources
// RUN: %check '*' %s --cuda-path=%cuda_path
// RUN: %check '*' %s --cuda-path=%cuda_path -- -std=c++20
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cuda_fp16.h>
#include <math.h>
#include <torch/torch.h>

using namespace std;

__global__ void k(float *) {}

#define TYPE_IS(Type, Call) static_assert(is_same<decltype(Call), Type>::value, "")

void numbers(int a, unsigned b, long c, unsigned long d, long long e,
             unsigned long long g, float h, double i, int64_t l) {
  TYPE_IS(unsigned, ::max(a, b));
  TYPE_IS(long, ::min(c, c));
  TYPE_IS(unsigned long, ::min(d, c));
  TYPE_IS(long long, ::max(e, e));
  TYPE_IS(unsigned long long, ::max(g, e));
  TYPE_IS(double, ::min(h, i));
  // Those of std may be meant as well.
  min(a, 1024), max(max(c, l), 1L), std::min(a, ::max(32, a));
  umin(b, b), llmax(e, e), ullmin(g, g), abs(a), abs(e);
  isnan(h), isinf(i), signbit(h), isfinite(i), round(h);
  rsqrt(h), rsqrt(i), rsqrtf(h), sinpi(i), cospif(h), rcbrt(i), erfinv(h), exp10f(h);
}

void launches(int n, at::Tensor x) {
  dim3 grid = {unsigned(max(min(n, 1024), 1)), 2, 3};
  const float4 v = make_float4(1, 2, 3, 4);
  k<<<grid, min(n, 256), n * sizeof(float)>>>(x.data_ptr<float>());
  float *p;
  cudaMalloc(&p, sizeof(float) * ushort(v.x) * uint(1));
  int block, most;
  cudaOccupancyMaxPotentialBlockSize(&most, &block, k, 0, 0);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16);
  cudaLaunchConfig_t config{};
  cudaLaunchKernelEx(&config, k, p);
  __half2float(__float2half(v.y) + __float2half(v.z));
}
