//===- Layers.cpp - LibTorch's modules by their names ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not here: Transformer and its parts, whose constructors take more than sizes,
// and FractionalMaxPool, Fold, MaxUnpool and padding, whose numbers are no
// sizes.
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

// In 1.13 the modules' own headers do not include the functions that they call.
#include <torch/nn.h>

namespace tdl {
namespace verify {

namespace nn = torch::nn;

using Numbers = std::vector<int64_t>;

/// A missing input is the undefined tensor, which forward() has as its default.
static at::Tensor tensorOf(const LayerInputs &Inputs, size_t Position) {
  if (Position >= Inputs.size() || Inputs[Position].Tensors.empty())
    return at::Tensor();
  return Inputs[Position].Tensors.front();
}

//===----------------------------------------------------------------------===//
// How forward() is called
//===----------------------------------------------------------------------===//

template <class Holder> static Layer unary(Holder Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return Module->forward(tensorOf(Inputs, 0));
          }};
}

template <class Holder> static Layer binary(Holder Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return Module->forward(tensorOf(Inputs, 0), tensorOf(Inputs, 1));
          }};
}

template <class Holder> static Layer ternary(Holder Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return Module->forward(tensorOf(Inputs, 0), tensorOf(Inputs, 1),
                                   tensorOf(Inputs, 2));
          }};
}

/// RNN and GRU: the output and the state.
template <class Holder> static Layer recurrent(Holder Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return std::get<0>(
                Module->forward(tensorOf(Inputs, 0), tensorOf(Inputs, 1)));
          }};
}

/// LSTM and LSTMCell: the state is a pair.
template <class Holder>
static auto callWithPair(Holder &Module, const LayerInputs &Inputs) {
  if (Inputs.size() > 1 && Inputs[1].Tensors.size() == 2)
    return Module->forward(
        tensorOf(Inputs, 0),
        std::make_tuple(Inputs[1].Tensors[0], Inputs[1].Tensors[1]));
  return Module->forward(tensorOf(Inputs, 0));
}

template <class Holder> static Layer withPair(Holder Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return std::get<0>(callWithPair(Module, Inputs));
          }};
}

static Layer attention(nn::MultiheadAttention Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return std::get<0>(Module->forward(
                tensorOf(Inputs, 0), tensorOf(Inputs, 1), tensorOf(Inputs, 2)));
          }};
}

static Layer sequence(nn::Sequential Module) {
  return {Module.ptr(), [Module](const LayerInputs &Inputs) mutable {
            return Module->forward(tensorOf(Inputs, 0));
          }};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <class Holder> static Layer plain(const Numbers &) {
  return unary(Holder());
}
template <class Holder> static Layer ofOne(const Numbers &N) {
  return unary(Holder(N[0]));
}
template <class Holder> static Layer ofTwo(const Numbers &N) {
  return unary(Holder(N[0], N[1]));
}
template <class Holder> static Layer ofThree(const Numbers &N) {
  return unary(Holder(N[0], N[1], N[2]));
}
template <class Holder> static Layer loss(const Numbers &) {
  return binary(Holder());
}

static const std::vector<std::string> Features = {"in_features",
                                                  "out_features"};
static const std::vector<std::string> Channels = {"in_channels", "out_channels",
                                                  "kernel_size"};
static const std::vector<std::string> Recurrent = {"input_size", "hidden_size"};

static const std::vector<LayerKind> Kinds = {
    {"nn::Linear", Features, 0, ofTwo<nn::Linear>},
    {"nn::Bilinear",
     {"in1_features", "in2_features", "out_features"},
     0,
     [](const Numbers &N) { return binary(nn::Bilinear(N[0], N[1], N[2])); }},
    {"nn::Conv1d", Channels, 3, ofThree<nn::Conv1d>},
    {"nn::Conv2d", Channels, 4, ofThree<nn::Conv2d>},
    {"nn::Conv3d", Channels, 5, ofThree<nn::Conv3d>},
    {"nn::ConvTranspose1d", Channels, 3, ofThree<nn::ConvTranspose1d>},
    {"nn::ConvTranspose2d", Channels, 4, ofThree<nn::ConvTranspose2d>},
    {"nn::ConvTranspose3d", Channels, 5, ofThree<nn::ConvTranspose3d>},
    {"nn::BatchNorm1d", {"num_features"}, 2, ofOne<nn::BatchNorm1d>},
    {"nn::BatchNorm2d", {"num_features"}, 4, ofOne<nn::BatchNorm2d>},
    {"nn::BatchNorm3d", {"num_features"}, 5, ofOne<nn::BatchNorm3d>},
    {"nn::LayerNorm",
     {"normalized_shape"},
     0,
     [](const Numbers &N) {
       return unary(nn::LayerNorm(nn::LayerNormOptions({N[0]})));
     }},
    {"nn::GroupNorm", {"num_groups", "num_channels"}, 0, ofTwo<nn::GroupNorm>},
    {"nn::Embedding",
     {"num_embeddings", "embedding_dim"},
     0,
     ofTwo<nn::Embedding>},
    {"nn::EmbeddingBag",
     {"num_embeddings", "embedding_dim"},
     0,
     [](const Numbers &N) { return binary(nn::EmbeddingBag(N[0], N[1])); }},
    {"nn::PReLU", {}, 0, plain<nn::PReLU>},
    {"nn::RNN", Recurrent, 3,
     [](const Numbers &N) { return recurrent(nn::RNN(N[0], N[1])); }},
    {"nn::GRU", Recurrent, 3,
     [](const Numbers &N) { return recurrent(nn::GRU(N[0], N[1])); }},
    {"nn::LSTM", Recurrent, 3,
     [](const Numbers &N) { return withPair(nn::LSTM(N[0], N[1])); }},
    {"nn::RNNCell", Recurrent, 2,
     [](const Numbers &N) { return binary(nn::RNNCell(N[0], N[1])); }},
    {"nn::GRUCell", Recurrent, 2,
     [](const Numbers &N) { return binary(nn::GRUCell(N[0], N[1])); }},
    {"nn::LSTMCell", Recurrent, 2,
     [](const Numbers &N) { return withPair(nn::LSTMCell(N[0], N[1])); }},
    {"nn::MultiheadAttention",
     {"embed_dim", "num_heads"},
     3,
     [](const Numbers &N) {
       return attention(nn::MultiheadAttention(N[0], N[1]));
     }},
    // What the program's Sequential holds is not told: one layer stands for it.
    {"nn::Sequential", Features, 0,
     [](const Numbers &N) {
       return sequence(nn::Sequential(nn::Linear(N[0], N[1])));
     }},

    {"nn::Dropout", {}, 0, plain<nn::Dropout>},
    {"nn::ELU", {}, 0, plain<nn::ELU>},
    {"nn::Flatten", {}, 0, plain<nn::Flatten>},
    {"nn::GELU", {}, 0, plain<nn::GELU>},
    {"nn::Identity", {}, 0, plain<nn::Identity>},
    {"nn::LeakyReLU", {}, 0, plain<nn::LeakyReLU>},
    {"nn::LogSigmoid", {}, 0, plain<nn::LogSigmoid>},
    {"nn::LogSoftmax", {"dim"}, 0, ofOne<nn::LogSoftmax>},
    {"nn::ReLU", {}, 0, plain<nn::ReLU>},
    {"nn::SELU", {}, 0, plain<nn::SELU>},
    {"nn::SiLU", {}, 0, plain<nn::SiLU>},
    {"nn::Sigmoid", {}, 0, plain<nn::Sigmoid>},
    {"nn::Softmax", {"dim"}, 0, ofOne<nn::Softmax>},
    {"nn::Softplus", {}, 0, plain<nn::Softplus>},
    {"nn::Tanh", {}, 0, plain<nn::Tanh>},

    {"nn::BCELoss", {}, 0, loss<nn::BCELoss>},
    {"nn::BCEWithLogitsLoss", {}, 0, loss<nn::BCEWithLogitsLoss>},
    {"nn::CosineEmbeddingLoss",
     {},
     0,
     [](const Numbers &) { return ternary(nn::CosineEmbeddingLoss()); }},
    {"nn::CosineSimilarity", {}, 0, loss<nn::CosineSimilarity>},
    {"nn::CrossEntropyLoss", {}, 0, loss<nn::CrossEntropyLoss>},
    {"nn::HuberLoss", {}, 0, loss<nn::HuberLoss>},
    {"nn::KLDivLoss", {}, 0, loss<nn::KLDivLoss>},
    {"nn::L1Loss", {}, 0, loss<nn::L1Loss>},
    {"nn::MSELoss", {}, 0, loss<nn::MSELoss>},
    {"nn::MarginRankingLoss",
     {},
     0,
     [](const Numbers &) { return ternary(nn::MarginRankingLoss()); }},
    {"nn::MultiLabelMarginLoss", {}, 0, loss<nn::MultiLabelMarginLoss>},
    {"nn::MultiMarginLoss", {}, 0, loss<nn::MultiMarginLoss>},
    {"nn::NLLLoss", {}, 0, loss<nn::NLLLoss>},
    {"nn::PairwiseDistance", {}, 0, loss<nn::PairwiseDistance>},
    {"nn::PoissonNLLLoss", {}, 0, loss<nn::PoissonNLLLoss>},
    {"nn::SmoothL1Loss", {}, 0, loss<nn::SmoothL1Loss>},
    {"nn::SoftMarginLoss", {}, 0, loss<nn::SoftMarginLoss>},
    {"nn::TripletMarginLoss",
     {},
     0,
     [](const Numbers &) { return ternary(nn::TripletMarginLoss()); }},
};

const LayerKind *findLayer(const std::string &Op) {
  for (const LayerKind &Kind : Kinds)
    if (Kind.Op == Op)
      return &Kind;
  return nullptr;
}

} // namespace verify
} // namespace tdl
