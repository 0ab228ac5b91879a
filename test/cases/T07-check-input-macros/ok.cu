#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>
#include <torch/library.h>

#define CHECK_CUDA(x) TORCH_CHECK((x).is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK((x).is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) \
  CHECK_CUDA(x);       \
  CHECK_CONTIGUOUS(x)
#define CHECK_SAME_DEVICE(x, y) \
  TORCH_CHECK((x).device() == (y).device(), #x " and " #y " must share a device")

namespace {

__global__ void add_kernel(const float* x, const float* y, float* z, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

}  // namespace

at::Tensor add(const at::Tensor& x, const at::Tensor& y) {
  CHECK_INPUT(x);
  CHECK_INPUT(y);
  CHECK_SAME_DEVICE(x, y);
  const c10::cuda::CUDAGuard guard(x.device());
  auto z = at::empty_like(x);
  const int64_t n = x.numel();
  add_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(  // OK
      x.data_ptr<float>(), y.data_ptr<float>(), z.data_ptr<float>(), n);
  return z;
}

TORCH_LIBRARY(checked_add, m) { m.def("add", &add); }
