//===- Layers.h - LibTorch's modules by their names -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of the modules of torch::nn that can be built: which numbers the
// constructor takes, and how forward() is called.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_LAYERS_H
#define TDL_RUNTIME_CHECK_LAYERS_H

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace torch {
namespace nn {
class Module;
} // namespace nn
} // namespace torch

namespace tdl {
namespace verify {

/// An argument of forward(): one tensor, or those of a list or tuple.
struct LayerInput {
  std::string Name;
  std::vector<at::Tensor> Tensors;
};
using LayerInputs = std::vector<LayerInput>;

/// A module of torch::nn, ready to run.
struct Layer {
  std::shared_ptr<torch::nn::Module> Module;
  /// The module's own forward(), or the first tensor of what it returns.
  std::function<at::Tensor(const LayerInputs &)> Forward;
};

struct LayerKind {
  std::string Op; ///< "nn::Linear".
  /// What the constructor takes, in order: "in_features".
  std::vector<std::string> Numbers;
  int InputRank; ///< Dimensions of the first input; 0 where any do.
  Layer (*Make)(const std::vector<int64_t> &Numbers);
};

/// Null for a module that is not in the table.
const LayerKind *findLayer(const std::string &Op);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_LAYERS_H
