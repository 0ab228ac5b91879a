//===- cuda-aten.cu - ATen's own headers for CUDA ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They include those of cuBLAS, cuSPARSE and cuSOLVER, which a toolkit has.
//
// REQUIRES: cuda-sources, cuda-headers
// RUN: %check '*' %s --cuda-path=%cuda_path
//
//===----------------------------------------------------------------------===//

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Atomic.cuh>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAMathCompat.h>

__global__ void add(const float *x, float *y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < n)
    gpuAtomicAdd(&y[i], x[i]);
}

at::Tensor add(const at::Tensor &x) {
  TORCH_CHECK(x.is_cuda());
  const c10::cuda::CUDAGuard guard(x.device());
  auto y = at::zeros_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "add", [&] {
    add<<<1, at::cuda::getCurrentDeviceProperties()->maxThreadsPerBlock, 0,
          at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                              y.mutable_data_ptr<float>(), x.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  // CHECK: [[#@LINE+1]]:12: warning: {{.*}} 'y' is on cuda
  return y + at::ones({4});
}
