#include <map>
#include <torch/torch.h>
torch::Tensor read(const std::string &path) {
  if (path.size() > 3)
    return torch::ones({2});
  else
    throw std::runtime_error("no such file");
}
void known(std::tuple<torch::Tensor, torch::Tensor> state,
           const torch::Tensor *before) {
  auto data = read("a");
  bool same = &data == before;
  data;
  std::get<1>(state);
  auto list = torch::broadcast_tensors({data, data.cuda()});
  list[1];
  std::vector<torch::Tensor> slots(2);
  for (size_t i = 0; i < slots.size(); ++i)
    slots[i] = data;
  slots[1];
  std::map<std::string, torch::Tensor> m;
  m["a"] = data;
  auto &entry = m["a"];
  entry = entry.cuda();
  m["a"];
  for (auto &t : slots) {
    if (same)
      break;
    t = t.cuda();
  }
  slots[0];
}
