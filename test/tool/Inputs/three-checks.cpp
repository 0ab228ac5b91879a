#include <torch/torch.h>

// One finding of each check.
void three() {
  auto host = torch::rand({3});
  auto gpu = torch::rand({3}, torch::kCUDA);
  host.index({gpu > 0});
  host + gpu;
  host.cuda();
}
