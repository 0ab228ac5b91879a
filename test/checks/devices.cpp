//===- devices.cpp - Every way to say a device -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each expression meets a tensor of the host; the report says where it was
// taken to be.
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

void deviceTypes() {
  auto host = torch::ones({2});
  host + torch::zeros({2}, torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, at::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, at::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, c10::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, c10::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::DeviceType::CUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::DeviceType::CUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, c10::DeviceType::CUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, c10::DeviceType::CUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, at::DeviceType::CUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, at::DeviceType::CUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kMPS);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kMPS)' is on mps, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kXPU);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kXPU)' is on xpu, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kHIP);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kHIP)' is on hip, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kXLA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kXLA)' is on xla, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kPrivateUse1);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::kPrivateUse1)' is on privateuseone, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::kCPU);
  host + torch::zeros({2}, at::kCPU);
  host + torch::zeros({2}, torch::DeviceType::CPU);
}

void devices() {
  auto host = torch::ones({2});
  host + torch::zeros({2}, torch::Device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::Device(torch::kCUDA))' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::Device(torch::kCUDA, 1));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::Device(torch::kCUDA,...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::Device{torch::kCUDA, 2});
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::Device{torch::kCUDA,...' is on cuda:2, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::Device("cuda"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::Device("cuda"))' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::Device("cuda:3"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::Device("cuda:3"))' is on cuda:3, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, c10::Device("mps:0"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, c10::Device("mps:0"))' is on mps:0, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, at::Device(at::kXPU, 1));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, at::Device(at::kXPU, 1))' is on xpu:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions().device(std::optional<torch::Device>("cuda:1")));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions().devi...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::Device("cpu"));
  host + torch::zeros({2}, torch::Device(torch::kCPU));
  host + torch::zeros({2}, torch::Device(torch::kCPU, 0));
}

void strings() {
  auto host = torch::ones({2});
  host + torch::zeros({2}, "cuda:1");
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, "cuda:1")' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, std::string("cuda:1"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, std::string("cuda:1"))' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + host.to("cuda:1");
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to("cuda:1")' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  std::string name = "cuda:2";
  host + host.to(torch::Device(name));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.to(torch::Device(name))' is on cuda:2, 'host' is on cpu [torch-cross-device-op]
  const char *other = "cpu";
  host + host.to(torch::Device(other));
}

void chains(torch::Tensor anywhere) {
  auto host = torch::ones({2});
  auto gpu = torch::ones({2}, torch::kCUDA);
  host + torch::zeros({2}, torch::TensorOptions(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions(torch:...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions("cuda:1"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions("cuda:...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions().device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions().devi...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions().device(torch::kCUDA, 1));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions().devi...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions().dtype(torch::kLong).device("cuda:1"));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions().dtyp...' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::TensorOptions{}.device(torch::kCUDA).dtype(torch::kLong));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::TensorOptions{}.devi...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::dtype(torch::kFloat).device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::dtype(torch::kFloat)...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::requires_grad().device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::requires_grad().devi...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, torch::layout(torch::kStrided).device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, torch::layout(torch::kStrid...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, gpu.options());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, gpu.options())' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, gpu.options().dtype(torch::kLong));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, gpu.options().dtype(torch::...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, gpu.options().requires_grad(true));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, gpu.options().requires_grad...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, gpu.device());
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, gpu.device())' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, host.options().device(torch::kCUDA));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, host.options().device(torch...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, host.options().device(gpu.device()));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, host.options().device(gpu.d...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, host.options().device(gpu.options().device()));
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, host.options().device(gpu.o...' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, gpu.options().device(torch::kCPU));
  host + torch::zeros({2}, torch::kLong);
  host + torch::zeros({2}, torch::dtype(torch::kLong));
  host + torch::zeros({2}, gpu.dtype());
  host + torch::zeros({2}, gpu.scalar_type());
  host + torch::zeros({2}, torch::requires_grad());
  host + torch::zeros({2}, anywhere.options());
  host + torch::zeros({2}, anywhere.device());
}

constexpr torch::DeviceType Chosen = torch::kCUDA;
const torch::Device Second(torch::kCUDA, 1);

void variables() {
  auto host = torch::ones({2});
  auto type = torch::kCUDA;
  torch::Device first = torch::kCUDA;
  torch::Device second(torch::kCUDA, 1);
  const torch::Device third{"cuda:2"};
  const auto &same = third;
  torch::TensorOptions options = torch::TensorOptions(second);
  torch::TensorOptions later;
  later = torch::TensorOptions(first);
  auto longs = options.dtype(torch::kLong);
  host + torch::zeros({2}, type);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, type)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, first);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, first)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, second);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, second)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, third);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, third)' is on cuda:2, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, same);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, same)' is on cuda:2, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, options);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, options)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, later);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, later)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, longs);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, longs)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, Chosen);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, Chosen)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2}, Second);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2}, Second)' is on cuda:1, 'host' is on cpu [torch-cross-device-op]
  first = torch::kCPU;
  host + torch::zeros({2}, first);
  options = torch::TensorOptions();
  host + torch::zeros({2}, options);
}

void factories(float *numbers) {
  auto host = torch::ones({2, 2});
  auto gpu = torch::TensorOptions().device(torch::kCUDA);
  host + torch::empty({2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::empty({2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros({2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros({2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::ones({2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::ones({2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::full({2, 2}, 3.0, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::full({2, 2}, 3.0, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::eye(2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::eye(2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::rand({2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::rand({2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randn({2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randn({2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randint(9, {2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randint(9, {2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randint(1, 9, {2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randint(1, 9, {2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randperm(2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randperm(2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::arange(2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::arange(2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::arange(0, 2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::arange(0, 2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::arange(0, 4, 2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::arange(0, 4, 2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::linspace(0, 1, 2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::linspace(0, 1, 2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::logspace(0, 1, 2, 10, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::logspace(0, 1, 2, 10, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::tensor({1.0, 2.0}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::tensor({1.0, 2.0}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::tensor({1, 2}, torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::tensor({1, 2}, torch::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::hann_window(2, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::hann_window(2, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::empty_strided({2, 2}, {2, 1}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::empty_strided({2, 2}, {2, 1}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::tril_indices(2, 2, 0, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::tril_indices(2, 2, 0, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::from_blob(numbers, {2, 2}, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::from_blob(numbers, {2, 2}, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::from_blob(numbers, {2, 2});
  host + torch::from_blob(numbers, {2, 2}, torch::kFloat);
  host + torch::arange(2);
  host + torch::tensor({1.0, 2.0});
  host + torch::tensor(1.0, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::tensor(1.0, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::scalar_tensor(1.0, gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::scalar_tensor(1.0, gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
}

void likeFactories(torch::Tensor anywhere) {
  auto host = torch::ones({2, 2});
  auto gpu = torch::ones({2, 2}, torch::kCUDA);
  host + torch::empty_like(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::empty_like(gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros_like(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros_like(gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::ones_like(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::ones_like(gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::full_like(gpu, 2.0);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::full_like(gpu, 2.0)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::rand_like(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::rand_like(gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randn_like(gpu);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randn_like(gpu)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::randint_like(gpu, 9);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::randint_like(gpu, 9)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros_like(gpu, torch::kDouble);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros_like(gpu, torch::kDouble)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros_like(host, torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'torch::zeros_like(host, torch::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.new_empty({2, 2});
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.new_empty({2, 2})' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.new_zeros({2, 2});
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.new_zeros({2, 2})' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.new_ones({2, 2}, torch::kLong);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.new_ones({2, 2}, torch::kLong)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + gpu.new_full({2, 2}, 7);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'gpu.new_full({2, 2}, 7)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + host.new_zeros({2, 2}, torch::kCUDA);
  // CHECK: :[[@LINE-1]]:8: warning: operands of 'add' are on different devices: 'host.new_zeros({2, 2}, torch::kCUDA)' is on cuda, 'host' is on cpu [torch-cross-device-op]
  host + torch::zeros_like(gpu, torch::kCPU);
  host + gpu.new_zeros({2, 2}, torch::kCPU);
  host + torch::zeros_like(host);
  host + host.new_ones({2, 2});
  host + torch::zeros_like(anywhere);
}
