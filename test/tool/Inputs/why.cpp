#include <torch/torch.h>

torch::Tensor choose(std::istream &in, bool gpu) {
  auto x = torch::ones({2}).to(gpu ? torch::kCUDA : torch::kCPU);
  int n = 0;
  if (in >> n)
    x = x.to(torch::Device("cuda:1"));
  auto y = x.abs();
  return y.neg();
}
