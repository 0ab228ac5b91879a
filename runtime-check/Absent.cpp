//===- Absent.cpp - Tensors that are not there --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Absent.h"

#include "Overloads.h"

// In 1.13 the modules' own headers do not include the functions that they call.
#include <torch/nn.h>
#include <torch/types.h>

#include <functional>
#include <map>

namespace tdl {
namespace verify {

using namespace torch::nn;

/// The members of lib/torch/AbsentMembers.cpp, of layers that are made as it
/// says.
static const std::map<std::string, std::function<at::Tensor()>> &table() {
  static const std::map<std::string, std::function<at::Tensor()>> Members = {
      {"nn::BCEWithLogitsLoss.pos_weight",
       [] { return BCEWithLogitsLoss()->pos_weight; }},
      {"nn::BCEWithLogitsLoss.weight",
       [] { return BCEWithLogitsLoss()->weight; }},
      {"nn::Bilinear.bias",
       [] { return Bilinear(BilinearOptions(1, 1, 1).bias(false))->bias; }},
      {"nn::Conv1d.bias",
       [] { return Conv1d(Conv1dOptions(1, 1, 1).bias(false))->bias; }},
      {"nn::Conv2d.bias",
       [] { return Conv2d(Conv2dOptions(1, 1, 1).bias(false))->bias; }},
      {"nn::Conv3d.bias",
       [] { return Conv3d(Conv3dOptions(1, 1, 1).bias(false))->bias; }},
      {"nn::ConvTranspose1d.bias",
       [] {
         return ConvTranspose1d(ConvTranspose1dOptions(1, 1, 1).bias(false))
             ->bias;
       }},
      {"nn::ConvTranspose2d.bias",
       [] {
         return ConvTranspose2d(ConvTranspose2dOptions(1, 1, 1).bias(false))
             ->bias;
       }},
      {"nn::ConvTranspose3d.bias",
       [] {
         return ConvTranspose3d(ConvTranspose3dOptions(1, 1, 1).bias(false))
             ->bias;
       }},
      {"nn::CrossEntropyLoss.weight",
       [] { return CrossEntropyLoss()->weight; }},
      {"nn::GRUCell.bias_hh",
       [] { return GRUCell(GRUCellOptions(1, 1).bias(false))->bias_hh; }},
      {"nn::GRUCell.bias_ih",
       [] { return GRUCell(GRUCellOptions(1, 1).bias(false))->bias_ih; }},
      {"nn::GroupNorm.bias",
       [] { return GroupNorm(GroupNormOptions(1, 1).affine(false))->bias; }},
      {"nn::GroupNorm.weight",
       [] { return GroupNorm(GroupNormOptions(1, 1).affine(false))->weight; }},
      {"nn::LSTMCell.bias_hh",
       [] { return LSTMCell(LSTMCellOptions(1, 1).bias(false))->bias_hh; }},
      {"nn::LSTMCell.bias_ih",
       [] { return LSTMCell(LSTMCellOptions(1, 1).bias(false))->bias_ih; }},
      {"nn::LayerNorm.bias",
       [] {
         return LayerNorm(LayerNormOptions({1}).elementwise_affine(false))
             ->bias;
       }},
      {"nn::LayerNorm.weight",
       [] {
         return LayerNorm(LayerNormOptions({1}).elementwise_affine(false))
             ->weight;
       }},
      {"nn::Linear.bias",
       [] { return Linear(LinearOptions(1, 1).bias(false))->bias; }},
      {"nn::MultiheadAttention.bias_k",
       [] { return MultiheadAttention(1, 1)->bias_k; }},
      {"nn::MultiheadAttention.bias_v",
       [] { return MultiheadAttention(1, 1)->bias_v; }},
      {"nn::MultiheadAttention.in_proj_bias",
       [] {
         return MultiheadAttention(MultiheadAttentionOptions(1, 1).bias(false))
             ->in_proj_bias;
       }},
      {"nn::NLLLoss.weight", [] { return NLLLoss()->weight; }},
      {"nn::RNNCell.bias_hh",
       [] { return RNNCell(RNNCellOptions(1, 1).bias(false))->bias_hh; }},
      {"nn::RNNCell.bias_ih",
       [] { return RNNCell(RNNCellOptions(1, 1).bias(false))->bias_ih; }},
  };
  return Members;
}

/// Norms have the same members in one, two and three dimensions.
template <class Norm>
static at::Tensor memberOf(const Norm &Made, const std::string &Member) {
  if (Member == "weight")
    return Made->weight;
  if (Member == "bias")
    return Made->bias;
  if (Member == "running_mean")
    return Made->running_mean;
  if (Member == "running_var")
    return Made->running_var;
  return Made->num_batches_tracked;
}

static at::Tensor normMember(const std::string &Layer,
                             const std::string &Member) {
  auto Batch = BatchNormOptions(1).affine(false).track_running_stats(false);
  if (Layer == "nn::BatchNorm1d")
    return memberOf(BatchNorm1d(Batch), Member);
  if (Layer == "nn::BatchNorm2d")
    return memberOf(BatchNorm2d(Batch), Member);
  if (Layer == "nn::BatchNorm3d")
    return memberOf(BatchNorm3d(Batch), Member);
  if (Layer == "nn::InstanceNorm1d")
    return memberOf(InstanceNorm1d(1), Member);
  if (Layer == "nn::InstanceNorm2d")
    return memberOf(InstanceNorm2d(1), Member);
  if (Layer == "nn::InstanceNorm3d")
    return memberOf(InstanceNorm3d(1), Member);
  throw CannotRun("'" + Layer + "' is not made without '" + Member +
                  "' by the verifier");
}

at::Tensor undefinedTensor(const std::string &Why) {
  if (Why == "move") {
    at::Tensor Source = at::ones({1});
    at::Tensor Taken = std::move(Source);
    return Source;
  }
  if (Why == "reset") {
    at::Tensor Reset = at::ones({1});
    Reset.reset();
    return Reset;
  }
  if (Why == "Tensor")
    return at::Tensor();
  auto Found = table().find(Why);
  if (Found != table().end())
    return Found->second();
  size_t Dot = Why.find('.');
  if (Dot == Why.npos)
    throw CannotRun("'" + Why + "' is no known way to have no tensor");
  return normMember(Why.substr(0, Dot), Why.substr(Dot + 1));
}

at::Tensor askDevice(const std::string &Op, const at::Tensor &Asked) {
  if (Op == "device")
    Asked.device();
  else if (Op == "options" || Op == "type_as")
    Asked.options(); // x.type_as(t) asks t for its options.
  else if (Op == "get_device")
    Asked.get_device();
  else if (Op == "to" || Op == "cpu" || Op == "cuda")
    Asked.to(at::kCPU);
  else
    torch::zeros_like(Asked); // at::zeros_like says something else.
  return Asked;
}

} // namespace verify
} // namespace tdl
