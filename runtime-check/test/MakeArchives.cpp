//===- MakeArchives.cpp - Archives for the tests of --archive -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tdl-make-archives FOLDER
//
// LibTorch itself writes them; tensors on CUDA are on the simulated device.
//
//===----------------------------------------------------------------------===//

#include "../Device.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/api/include/torch/serialize.h>
#include <torch/script.h>

#include <fstream>
#include <string>

using torch::jit::Module;

static const c10::Device Cuda(c10::DeviceType::CUDA, 0);
static const c10::Device Cuda1(c10::DeviceType::CUDA, 1);

/// Nothing in it is baked in.
static Module plain() {
  Module M("Plain");
  M.register_parameter("weight", torch::ones({4, 2}), false);
  M.register_buffer("mean", torch::zeros({2}));
  M.define(R"py(
    def forward(self, x):
      # torch.device("cuda:7") in a comment, and in a string:
      assert x.dim() > 0, "not torch.device(\"cuda:6\")"
      return torch.matmul(x, self.weight) - self.mean + torch.zeros_like(x)[0, 0]
  )py");
  return M;
}

static Module literals() {
  Module M("Literals");
  M.define(R"py(
    def forward(self, x):
      y = x.to(torch.device("cuda:0"))
      z = torch.arange(3, device=torch.device("cpu"))
      return y.cuda(), z
  )py");
  return M;
}

/// Parameters and buffers in a module within, some on another device.
static Module buffers() {
  Module Inner("Inner");
  Inner.register_parameter("weight", torch::ones({4, 2}), false);
  Inner.register_buffer("mask", torch::ones({3}, torch::kBool).to(Cuda));
  Module M("Buffers");
  M.register_module("inner", Inner);
  M.register_parameter("bias", torch::ones({2}), false);
  M.define("def forward(self, x):\n  return x + self.bias\n");
  return M;
}

/// What Module::to() does not move.
static Module attributes() {
  Module M("Attributes");
  M.register_parameter("weight", torch::ones({2}), false);
  M.register_attribute("table", c10::TensorType::get(),
                       torch::ones({5, 3}).to(Cuda));
  M.register_attribute("where", c10::DeviceObjType::get(), Cuda1);
  M.register_attribute("pieces", c10::ListType::ofTensors(),
                       c10::List<at::Tensor>({torch::ones({2, 2})}));
  M.register_attribute("scale", c10::TensorType::get(), torch::tensor(2.0));
  M.define("def forward(self, x):\n  return x + self.table.sum()\n");
  return M;
}

/// Freezing makes constants of everything.
static Module constants() {
  Module M("Constants");
  M.register_parameter("weight", torch::rand({4, 4}).to(Cuda), false);
  M.register_buffer("shift", torch::rand({4}));
  M.register_buffer("scale", torch::tensor(0.5));
  M.define(R"py(
    def forward(self, x):
      y = torch.matmul(x, self.weight)
      return (y + self.shift) * self.scale
  )py");
  M.eval();
  return torch::jit::freeze(M);
}

static void write(caffe2::serialize::PyTorchStreamWriter &Writer,
                  const std::string &Name, const std::string &Text) {
  Writer.writeRecord(Name, Text.data(), Text.size());
}

/// Like Python's torch.save() of a state dictionary.
static void saveDictionary(const std::string &Path) {
  c10::Dict<std::string, at::Tensor> Tensors;
  Tensors.insert("net.weight", torch::ones({2, 3}).to(Cuda));
  Tensors.insert("net.bias", torch::ones({2}).to(Cuda));
  Tensors.insert("net.steps", torch::ones({1}, torch::kLong));
  std::vector<char> Bytes = torch::pickle_save(Tensors);
  std::ofstream(Path, std::ios::binary)
      .write(Bytes.data(), std::streamsize(Bytes.size()));
}

/// As LibTorch 1.0 wrote it.
static void saveModelJson(const std::string &Path) {
  caffe2::serialize::PyTorchStreamWriter Writer(Path);
  write(Writer, "model.json", R"js({
    "protoVersion": "2",
    "mainModule": {
      "name": "Old",
      "torchscriptArena": {"key": "code/old.py"},
      "parameters": [{"name": "weight", "tensorId": "0"}],
      "submodules": [{"name": "norm", "parameters":
        [{"isBuffer": true, "tensorId": "1", "name": "mean"}]}]
    },
    "tensors": [
      {"dims": ["4", "2"], "device": "cpu", "data": {"key": "tensors/0"}},
      {"dims": ["2"], "device": "cuda:1", "data": {"key": "tensors/1"}}]
  })js");
  write(Writer, "code/old.py",
        "op_version_set = 0\ndef forward(self, x: Tensor) -> Tensor:\n"
        "  return torch.to(x, torch.device(\"cuda\", 1))\n");
  write(Writer, "tensors/0", std::string(32, '\0'));
  write(Writer, "tensors/1", std::string(8, '\0'));
  Writer.writeEndOfFile();
}

static void savePackage(const std::string &Path) {
  caffe2::serialize::PyTorchStreamWriter Writer(Path);
  write(Writer, "data/aotinductor/model/cmodel.wrapper.so", "not a library");
  write(Writer, "data/aotinductor/model/cmodel.wrapper_metadata.json",
        R"js({"AOTI_DEVICE_KEY": "cuda", "AOTI_PLATFORM": "linux"})js");
  write(Writer, "data/weights/model_weights_config.json", R"js({"config": {
    "fc.weight": {"path_name": "weight_0", "tensor_meta": {"dtype": 7,
      "sizes": [{"as_int": 4}, {"as_int": 2}],
      "device": {"type": "cuda", "index": 0}}},
    "fc.bias": {"path_name": "weight_1", "tensor_meta": {"dtype": 7,
      "sizes": [{"as_int": 4}], "device": {"type": "cpu", "index": null}}}}})js");
  Writer.writeEndOfFile();
}

/// What the report says of attributes and constants: a move leaves them where
/// they are, loading with a device does not.
static bool isToldRight(const std::string &Folder) {
  Module Moved = attributes();
  Moved.to(Cuda1);
  Module Loaded = torch::jit::load(Folder + "attributes.pt", c10::kCPU);
  Module Frozen = torch::jit::load(Folder + "constants.pt", Cuda1);
  at::Tensor Result =
      Frozen.forward({torch::ones({2, 4}).to(Cuda1)}).toTensor();
  return Moved.attr("weight").toTensor().device() == Cuda1 &&
         Moved.attr("table").toTensor().device() == Cuda &&
         Moved.attr("pieces").toTensorVector()[0].device().is_cpu() &&
         Loaded.attr("table").toTensor().device().is_cpu() &&
         Loaded.attr("where").toDevice() == Cuda1 && Result.device() == Cuda1;
}

int main(int Count, char **Words) {
  if (Count != 2)
    return 2;
  std::string Folder = std::string(Words[1]) + "/";
  tdl::verify::loadDevice(tdl::verify::DeviceKind::Simulated);
  plain().save(Folder + "plain.pt");
  literals().save(Folder + "literals.pt");
  buffers().save(Folder + "buffers.pt");
  attributes().save(Folder + "attributes.pt");
  constants().save(Folder + "constants.pt");
  saveDictionary(Folder + "dictionary.pt");
  saveModelJson(Folder + "old.pt");
  savePackage(Folder + "package.pt2");
  return isToldRight(Folder) ? 0 : 1;
}
