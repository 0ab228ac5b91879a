//===- kernel-launch.cu - torch-cross-device-op: around kernels --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel writes where its pointers lead to. It moves no tensor: what is known
// before a launch is known after it.
//
// REQUIRES: cuda-sources
// RUN: %check torch-cross-device-op %s --cuda-path=%cuda_path
//
//===----------------------------------------------------------------------===//

#include <c10/cuda/CUDAStream.h>
#include <torch/torch.h>

__device__ constexpr int square(int a) { return a * a; }

__global__ void scale(float *x, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (i < n)
    x[i] *= square(2);
}

template <typename T> __global__ void fill(T *x, T v, int64_t n) {
  __shared__ T shared[32];
  shared[threadIdx.x % 32] = v;
  __syncthreads();
  if (threadIdx.x < n)
    atomicAdd(&x[threadIdx.x], shared[0]);
}

// Never compiled for the host, so what clang does not know is no error.
__device__ int newer() { return an_intrinsic_of_a_later_toolkit(); }

struct Work {
  at::Tensor in;
  float *out;
};
__global__ void on_struct(Work *work) {}

static at::Tensor table;

at::Tensor knownAfterLaunches(int64_t n) {
  auto x = torch::rand({16}, torch::kCUDA);
  auto w = torch::rand({16});
  table = torch::ones({16});
  const dim3 block(128);
  scale<<<1, block, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), n);
  fill<float><<<dim3(1), 32>>>(x.mutable_data_ptr<float>(), 1.f, n);
  void (*chosen)(float *, int64_t) = scale;
  chosen<<<1, 1>>>(x.data_ptr<float>(), n);
  // CHECK: [[#@LINE+1]]:14: warning: {{.*}} 'x' is on cuda, 'w' is on cpu
  auto y = x + w;
  // CHECK: [[#@LINE+1]]:16: warning: {{.*}} 'x' is on cuda, 'table' is on cpu
  return y + x * table;
}

void objectsThatAKernelGets(Work *shared) {
  auto x = torch::rand({16}, torch::kCUDA);
  Work work{torch::rand({16}, torch::kCUDA), x.data_ptr<float>()};
  on_struct<<<1, 1>>>(&work);
  on_struct<<<1, 1>>>(shared);
  work.in + x;
  shared->in + x;
}

at::Tensor checkedBeforeALaunch(at::Tensor x) {
  TORCH_CHECK(x.is_cuda());
  scale<<<1, 32>>>(x.data_ptr<float>(), x.numel());
  // CHECK: [[#@LINE+1]]:12: warning: {{.*}} 'x' is on cuda, 'torch::rand({4})' is on cpu
  return x + torch::rand({4});
}

void lambdas(float *p, int n) {
  auto x = torch::rand({4}, torch::kCUDA);
  auto device = [=] __device__(int i) { p[i] = square(i); };
  // CHECK: [[#@LINE+1]]:57: warning: {{.*}} 'x' is on cuda
  auto both = [=] __host__ __device__(int i) { return x + torch::rand({4}); };
}
