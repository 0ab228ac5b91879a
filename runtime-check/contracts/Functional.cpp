//===- Functional.cpp - Functions of torch::nn as operators ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of torch::nn::functional, torch::nn::init and torch::nn::utils are
// C++ with no operator of their own, so that the dispatcher cannot call
// them by name. Here each gets an operator that calls the function and nothing
// else: "F::linear" of a contract table is tdl_F::linear. Parameters have the
// names of the header; those in an options object, of its member. Options that
// are no tensors are fixed, mostly to the function's defaults. What the
// operators' own schema and place of registration add is nothing: they are
// composite for all devices.
//
//===----------------------------------------------------------------------===//

#include "../LibTorchOptional.h"

#include <torch/library.h>
#include <torch/nn/functional.h>
#include <torch/nn/init.h>
#include <torch/nn/utils/convert_parameters.h>
#include <torch/nn/utils/rnn.h>

namespace F = torch::nn::functional;

using T = at::Tensor;
/// An optional tensor; LibTorch's functions take an undefined one for none.
using Maybe = tdl::verify::LibTorchOptional<T>;
using Pair = std::tuple<T, T>;

static T orNone(const Maybe &Tensor) { return Tensor.value_or(T()); }

namespace {

/// Defines operators from functions without captures. One instantiation for
/// each signature, not for each function.
class Definer {
public:
  explicit Definer(torch::Library &Library) : Library(Library) {}

  void operator()(const char *Schema, T (*Function)(const T &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema, T (*Function)(const T &, const T &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  T (*Function)(const T &, const T &, const T &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  T (*Function)(const T &, const Maybe &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema, T (*Function)(const T &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  T (*Function)(const T &, const T &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema, T (*Function)(const T &, const T &,
                                                    const T &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  T (*Function)(const T &, const T &, const Maybe &,
                                const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  T (*Function)(const T &, const Maybe &, const Maybe &,
                                const Maybe &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema, Pair (*Function)(const T &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema,
                  Pair (*Function)(const T &, const Maybe &)) {
    Library.def(Schema, Function);
  }
  void operator()(const char *Schema, T (*Function)(std::vector<T>)) {
    Library.def(Schema, Function);
  }

private:
  torch::Library &Library;
};

} // namespace

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

static void defineActivations(Definer Define) {
  Define("alpha_dropout(Tensor input) -> Tensor",
         [](const T &X) { return F::alpha_dropout(X); });
  Define("celu(Tensor input) -> Tensor", [](const T &X) { return F::celu(X); });
  Define("dropout(Tensor input) -> Tensor",
         [](const T &X) { return F::dropout(X); });
  Define("dropout2d(Tensor input) -> Tensor",
         [](const T &X) { return F::dropout2d(X); });
  Define("dropout3d(Tensor input) -> Tensor",
         [](const T &X) { return F::dropout3d(X); });
  Define("elu(Tensor input) -> Tensor", [](const T &X) { return F::elu(X); });
  Define("feature_alpha_dropout(Tensor input) -> Tensor",
         [](const T &X) { return F::feature_alpha_dropout(X); });
  Define("gelu(Tensor input) -> Tensor", [](const T &X) { return F::gelu(X); });
  Define("glu(Tensor input) -> Tensor", [](const T &X) { return F::glu(X); });
  Define("gumbel_softmax(Tensor logits) -> Tensor",
         [](const T &X) { return F::gumbel_softmax(X); });
  Define("hardshrink(Tensor input) -> Tensor",
         [](const T &X) { return F::hardshrink(X); });
  Define("hardtanh(Tensor input) -> Tensor",
         [](const T &X) { return F::hardtanh(X); });
  Define("leaky_relu(Tensor input) -> Tensor",
         [](const T &X) { return F::leaky_relu(X); });
  Define("log_softmax(Tensor input) -> Tensor",
         [](const T &X) { return F::log_softmax(X, 0); });
  Define("logsigmoid(Tensor input) -> Tensor",
         [](const T &X) { return F::logsigmoid(X); });
  Define("mish(Tensor input) -> Tensor", [](const T &X) { return F::mish(X); });
  Define("relu(Tensor input) -> Tensor", [](const T &X) { return F::relu(X); });
  Define("relu6(Tensor input) -> Tensor",
         [](const T &X) { return F::relu6(X); });
  Define("rrelu(Tensor input) -> Tensor",
         [](const T &X) { return F::rrelu(X); });
  Define("selu(Tensor input) -> Tensor", [](const T &X) { return F::selu(X); });
  Define("silu(Tensor input) -> Tensor", [](const T &X) { return F::silu(X); });
  Define("softmax(Tensor input) -> Tensor",
         [](const T &X) { return F::softmax(X, 0); });
  Define("softmin(Tensor input) -> Tensor",
         [](const T &X) { return F::softmin(X, 0); });
  Define("softplus(Tensor input) -> Tensor",
         [](const T &X) { return F::softplus(X); });
  Define("softshrink(Tensor input) -> Tensor",
         [](const T &X) { return F::softshrink(X); });
  Define("softsign(Tensor input) -> Tensor",
         [](const T &X) { return F::softsign(X); });
  Define("tanhshrink(Tensor input) -> Tensor",
         [](const T &X) { return F::tanhshrink(X); });
  Define("threshold(Tensor input) -> Tensor", [](const T &X) {
    return F::threshold(X, F::ThresholdFuncOptions(0.5, 0.0));
  });
}

static void defineRearrangements(Definer Define) {
  Define("affine_grid(Tensor theta) -> Tensor",
         [](const T &X) { return F::affine_grid(X, {2, 3, 4, 4}); });
  Define("fold(Tensor input) -> Tensor", [](const T &X) {
    return F::fold(X, F::FoldFuncOptions({4, 4}, {2, 2}));
  });
  Define("interpolate(Tensor input) -> Tensor", [](const T &X) {
    return F::interpolate(
        X, F::InterpolateFuncOptions().size(std::vector<int64_t>{6, 6}));
  });
  Define("local_response_norm(Tensor input) -> Tensor", [](const T &X) {
    return F::local_response_norm(X, F::LocalResponseNormFuncOptions(2));
  });
  Define("one_hot(Tensor tensor) -> Tensor",
         [](const T &X) { return F::one_hot(X, 5); });
  Define("pad(Tensor input) -> Tensor",
         [](const T &X) { return F::pad(X, F::PadFuncOptions({1, 1})); });
  Define("pdist(Tensor input) -> Tensor",
         [](const T &X) { return F::pdist(X); });
  Define("pixel_shuffle(Tensor input) -> Tensor", [](const T &X) {
    return F::pixel_shuffle(X, F::PixelShuffleFuncOptions(2));
  });
  Define("pixel_unshuffle(Tensor input) -> Tensor", [](const T &X) {
    return F::pixel_unshuffle(X, F::PixelUnshuffleFuncOptions(2));
  });
  Define("unfold(Tensor input) -> Tensor",
         [](const T &X) { return F::unfold(X, F::UnfoldFuncOptions({2, 2})); });
}

static void defineAveragePools(Definer Define) {
  Define("adaptive_avg_pool1d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_avg_pool1d(X, F::AdaptiveAvgPool1dFuncOptions(2));
  });
  Define("adaptive_avg_pool2d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_avg_pool2d(X, F::AdaptiveAvgPool2dFuncOptions({2, 2}));
  });
  Define("adaptive_avg_pool3d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_avg_pool3d(X,
                                  F::AdaptiveAvgPool3dFuncOptions({2, 2, 2}));
  });
  Define("avg_pool1d(Tensor input) -> Tensor", [](const T &X) {
    return F::avg_pool1d(X, F::AvgPool1dFuncOptions(2));
  });
  Define("avg_pool2d(Tensor input) -> Tensor", [](const T &X) {
    return F::avg_pool2d(X, F::AvgPool2dFuncOptions(2));
  });
  Define("avg_pool3d(Tensor input) -> Tensor", [](const T &X) {
    return F::avg_pool3d(X, F::AvgPool3dFuncOptions(2));
  });
  Define("lp_pool1d(Tensor input) -> Tensor", [](const T &X) {
    return F::lp_pool1d(X, F::LPPool1dFuncOptions(2, 2));
  });
  Define("lp_pool2d(Tensor input) -> Tensor", [](const T &X) {
    return F::lp_pool2d(X, F::LPPool2dFuncOptions(2, 2));
  });
#if TORCH_VERSION_MAJOR >= 2 && TORCH_VERSION_MINOR >= 2
  Define("lp_pool3d(Tensor input) -> Tensor", [](const T &X) {
    return F::lp_pool3d(X, F::LPPool3dFuncOptions(2, 2));
  });
#endif
}

static void defineMaximumPools(Definer Define) {
  Define("adaptive_max_pool1d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_max_pool1d(X, F::AdaptiveMaxPool1dFuncOptions(2));
  });
  Define("adaptive_max_pool2d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_max_pool2d(X, F::AdaptiveMaxPool2dFuncOptions({2, 2}));
  });
  Define("adaptive_max_pool3d(Tensor input) -> Tensor", [](const T &X) {
    return F::adaptive_max_pool3d(X,
                                  F::AdaptiveMaxPool3dFuncOptions({2, 2, 2}));
  });
  Define("adaptive_max_pool1d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::adaptive_max_pool1d_with_indices(
               X, F::AdaptiveMaxPool1dFuncOptions(2));
         });
  Define("adaptive_max_pool2d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::adaptive_max_pool2d_with_indices(
               X, F::AdaptiveMaxPool2dFuncOptions({2, 2}));
         });
  Define("adaptive_max_pool3d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::adaptive_max_pool3d_with_indices(
               X, F::AdaptiveMaxPool3dFuncOptions({2, 2, 2}));
         });
  Define("max_pool1d(Tensor input) -> Tensor", [](const T &X) {
    return F::max_pool1d(X, F::MaxPool1dFuncOptions(2));
  });
  Define("max_pool2d(Tensor input) -> Tensor", [](const T &X) {
    return F::max_pool2d(X, F::MaxPool2dFuncOptions(2));
  });
  Define("max_pool3d(Tensor input) -> Tensor", [](const T &X) {
    return F::max_pool3d(X, F::MaxPool3dFuncOptions(2));
  });
  Define("max_pool1d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::max_pool1d_with_indices(X, F::MaxPool1dFuncOptions(2));
         });
  Define("max_pool2d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::max_pool2d_with_indices(X, F::MaxPool2dFuncOptions(2));
         });
  Define("max_pool3d_with_indices(Tensor input) -> (Tensor, Tensor)",
         [](const T &X) -> Pair {
           return F::max_pool3d_with_indices(X, F::MaxPool3dFuncOptions(2));
         });
}

//===----------------------------------------------------------------------===//
// Several tensors
//===----------------------------------------------------------------------===//

static void defineUnpools(Definer Define) {
  Define("max_unpool1d(Tensor input, Tensor indices) -> Tensor",
         [](const T &X, const T &Indices) {
           return F::max_unpool1d(X, Indices, F::MaxUnpool1dFuncOptions(2));
         });
  Define("max_unpool2d(Tensor input, Tensor indices) -> Tensor",
         [](const T &X, const T &Indices) {
           return F::max_unpool2d(X, Indices, F::MaxUnpool2dFuncOptions(2));
         });
  Define("max_unpool3d(Tensor input, Tensor indices) -> Tensor",
         [](const T &X, const T &Indices) {
           return F::max_unpool3d(X, Indices, F::MaxUnpool3dFuncOptions(2));
         });
}

/// Options of both pools; samples that are not given are made by the function.
template <class Options> static Options fractional(const Maybe &Samples) {
  Options Made = Options(2).output_size(2);
  return Samples ? Made._random_samples(*Samples) : Made;
}

static void defineFractionalPools(Definer Define) {
  using Options2d = F::FractionalMaxPool2dFuncOptions;
  using Options3d = F::FractionalMaxPool3dFuncOptions;
  Define("fractional_max_pool2d(Tensor input, Tensor? _random_samples) -> "
         "Tensor",
         [](const T &X, const Maybe &Samples) {
           return F::fractional_max_pool2d(X, fractional<Options2d>(Samples));
         });
  Define("fractional_max_pool3d(Tensor input, Tensor? _random_samples) -> "
         "Tensor",
         [](const T &X, const Maybe &Samples) {
           return F::fractional_max_pool3d(X, fractional<Options3d>(Samples));
         });
  Define("fractional_max_pool2d_with_indices(Tensor input, Tensor? "
         "_random_samples) -> (Tensor, Tensor)",
         [](const T &X, const Maybe &Samples) -> Pair {
           return F::fractional_max_pool2d_with_indices(
               X, fractional<Options2d>(Samples));
         });
  Define("fractional_max_pool3d_with_indices(Tensor input, Tensor? "
         "_random_samples) -> (Tensor, Tensor)",
         [](const T &X, const Maybe &Samples) -> Pair {
           return F::fractional_max_pool3d_with_indices(
               X, fractional<Options3d>(Samples));
         });
}

static void defineLayers(Definer Define) {
  Define("linear(Tensor input, Tensor weight, Tensor? bias) -> Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::linear(X, Weight, orNone(Bias));
         });
  Define("bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias) "
         "-> Tensor",
         [](const T &A, const T &B, const T &Weight, const Maybe &Bias) {
           return F::bilinear(A, B, Weight, orNone(Bias));
         });
  Define("embedding(Tensor input, Tensor weight) -> Tensor",
         [](const T &X, const T &Weight) { return F::embedding(X, Weight); });
  Define("embedding_bag(Tensor input, Tensor weight, Tensor? offsets, Tensor? "
         "per_sample_weights) -> Tensor",
         [](const T &X, const T &Weight, const Maybe &Offsets,
            const Maybe &PerSample) {
           auto Options = F::EmbeddingBagFuncOptions()
                              .offsets(orNone(Offsets))
                              .per_sample_weights(orNone(PerSample))
                              .mode(torch::kSum);
           return F::embedding_bag(X, Weight, Options);
         });
  Define("prelu(Tensor input, Tensor weight) -> Tensor",
         [](const T &X, const T &Weight) { return F::prelu(X, Weight); });
  Define("grid_sample(Tensor input, Tensor grid) -> Tensor",
         [](const T &X, const T &Grid) {
           return F::grid_sample(
               X, Grid, F::GridSampleFuncOptions().align_corners(true));
         });
}

static void defineConvolutions(Definer Define) {
  Define("conv1d(Tensor input, Tensor weight, Tensor? bias) -> Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv1d(X, Weight,
                            F::Conv1dFuncOptions().bias(orNone(Bias)));
         });
  Define("conv2d(Tensor input, Tensor weight, Tensor? bias) -> Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv2d(X, Weight,
                            F::Conv2dFuncOptions().bias(orNone(Bias)));
         });
  Define("conv3d(Tensor input, Tensor weight, Tensor? bias) -> Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv3d(X, Weight,
                            F::Conv3dFuncOptions().bias(orNone(Bias)));
         });
  Define("conv_transpose1d(Tensor input, Tensor weight, Tensor? bias) -> "
         "Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv_transpose1d(
               X, Weight, F::ConvTranspose1dFuncOptions().bias(orNone(Bias)));
         });
  Define("conv_transpose2d(Tensor input, Tensor weight, Tensor? bias) -> "
         "Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv_transpose2d(
               X, Weight, F::ConvTranspose2dFuncOptions().bias(orNone(Bias)));
         });
  Define("conv_transpose3d(Tensor input, Tensor weight, Tensor? bias) -> "
         "Tensor",
         [](const T &X, const T &Weight, const Maybe &Bias) {
           return F::conv_transpose3d(
               X, Weight, F::ConvTranspose3dFuncOptions().bias(orNone(Bias)));
         });
}

static void defineNormalisations(Definer Define) {
  Define(
      "batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, "
      "Tensor? weight, Tensor? bias) -> Tensor",
      [](const T &X, const Maybe &Mean, const Maybe &Variance,
         const Maybe &Weight, const Maybe &Bias) {
        auto Options =
            F::BatchNormFuncOptions().weight(orNone(Weight)).bias(orNone(Bias));
        return F::batch_norm(X, orNone(Mean), orNone(Variance), Options);
      });
  Define("instance_norm(Tensor input, Tensor? running_mean, Tensor? "
         "running_var, Tensor? weight, Tensor? bias) -> Tensor",
         [](const T &X, const Maybe &Mean, const Maybe &Variance,
            const Maybe &Weight, const Maybe &Bias) {
           return F::instance_norm(X, F::InstanceNormFuncOptions()
                                          .running_mean(orNone(Mean))
                                          .running_var(orNone(Variance))
                                          .weight(orNone(Weight))
                                          .bias(orNone(Bias)));
         });
  Define("group_norm(Tensor input, Tensor? weight, Tensor? bias) -> Tensor",
         [](const T &X, const Maybe &Weight, const Maybe &Bias) {
           return F::group_norm(X, F::GroupNormFuncOptions(2)
                                       .weight(orNone(Weight))
                                       .bias(orNone(Bias)));
         });
  Define("layer_norm(Tensor input, Tensor? weight, Tensor? bias) -> Tensor",
         [](const T &X, const Maybe &Weight, const Maybe &Bias) {
           return F::layer_norm(X, F::LayerNormFuncOptions({4})
                                       .weight(orNone(Weight))
                                       .bias(orNone(Bias)));
         });
  Define("normalize(Tensor input, Tensor? out) -> Tensor",
         [](const T &X, const Maybe &Out) {
           auto Options = F::NormalizeFuncOptions();
           return F::normalize(X, Out ? Options.out(*Out) : Options);
         });
}

static void defineDistances(Definer Define) {
  Define("cosine_similarity(Tensor x1, Tensor x2) -> Tensor",
         [](const T &A, const T &B) { return F::cosine_similarity(A, B); });
  Define("pairwise_distance(Tensor x1, Tensor x2) -> Tensor",
         [](const T &A, const T &B) { return F::pairwise_distance(A, B); });
}

static void defineLosses(Definer Define) {
  Define("binary_cross_entropy(Tensor input, Tensor target, Tensor? weight) -> "
         "Tensor",
         [](const T &X, const T &Y, const Maybe &Weight) {
           return F::binary_cross_entropy(
               X, Y, F::BinaryCrossEntropyFuncOptions().weight(orNone(Weight)));
         });
  Define(
      "binary_cross_entropy_with_logits(Tensor input, Tensor target, "
      "Tensor? weight, Tensor? pos_weight) -> Tensor",
      [](const T &X, const T &Y, const Maybe &Weight, const Maybe &Positive) {
        return F::binary_cross_entropy_with_logits(
            X, Y,
            F::BinaryCrossEntropyWithLogitsFuncOptions()
                .weight(orNone(Weight))
                .pos_weight(orNone(Positive)));
      });
  Define("cross_entropy(Tensor input, Tensor target, Tensor? weight) -> Tensor",
         [](const T &X, const T &Y, const Maybe &Weight) {
           return F::cross_entropy(
               X, Y, F::CrossEntropyFuncOptions().weight(orNone(Weight)));
         });
  Define("nll_loss(Tensor input, Tensor target, Tensor? weight) -> Tensor",
         [](const T &X, const T &Y, const Maybe &Weight) {
           return F::nll_loss(X, Y,
                              F::NLLLossFuncOptions().weight(orNone(Weight)));
         });
  Define("multi_margin_loss(Tensor input, Tensor target, Tensor? weight) -> "
         "Tensor",
         [](const T &X, const T &Y, const Maybe &Weight) {
           return F::multi_margin_loss(
               X, Y, F::MultiMarginLossFuncOptions().weight(orNone(Weight)));
         });
  Define("multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? "
         "weight) -> Tensor",
         [](const T &X, const T &Y, const Maybe &Weight) {
           return F::multilabel_soft_margin_loss(
               X, Y,
               F::MultilabelSoftMarginLossFuncOptions().weight(orNone(Weight)));
         });
  Define("hinge_embedding_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::hinge_embedding_loss(X, Y); });
  Define("huber_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::huber_loss(X, Y); });
  Define("kl_div(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::kl_div(X, Y); });
  Define("l1_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::l1_loss(X, Y); });
  Define("mse_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::mse_loss(X, Y); });
  Define(
      "multilabel_margin_loss(Tensor input, Tensor target) -> Tensor",
      [](const T &X, const T &Y) { return F::multilabel_margin_loss(X, Y); });
  Define("poisson_nll_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::poisson_nll_loss(X, Y); });
  Define("smooth_l1_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::smooth_l1_loss(X, Y); });
  Define("soft_margin_loss(Tensor input, Tensor target) -> Tensor",
         [](const T &X, const T &Y) { return F::soft_margin_loss(X, Y); });
}

static void defineLossesOfThree(Definer Define) {
  Define("cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target) "
         "-> Tensor",
         [](const T &A, const T &B, const T &Y) {
           return F::cosine_embedding_loss(A, B, Y);
         });
  Define("margin_ranking_loss(Tensor input1, Tensor input2, Tensor target) -> "
         "Tensor",
         [](const T &A, const T &B, const T &Y) {
           return F::margin_ranking_loss(A, B, Y);
         });
  Define("triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative) "
         "-> Tensor",
         [](const T &A, const T &P, const T &N) {
           return F::triplet_margin_loss(A, P, N);
         });
  Define("triplet_margin_with_distance_loss(Tensor anchor, Tensor positive, "
         "Tensor negative) -> Tensor",
         [](const T &A, const T &P, const T &N) {
           return F::triplet_margin_with_distance_loss(A, P, N);
         });
}

/// The one function of so many tensors.
static Pair attention(const T &Query, const T &Key, const T &Value,
                      const T &InWeight, const T &InBias, const Maybe &BiasK,
                      const Maybe &BiasV, const T &OutWeight, const T &OutBias,
                      const Maybe &PaddingMask, const Maybe &Mask) {
  return F::multi_head_attention_forward(
      Query, Key, Value,
      F::MultiheadAttentionForwardFuncOptions(
          Query.size(-1), /*num_heads=*/2, InWeight, InBias, orNone(BiasK),
          orNone(BiasV), /*add_zero_attn=*/false, /*dropout_p=*/0.0, OutWeight,
          OutBias)
          .training(false)
          .key_padding_mask(orNone(PaddingMask))
          .attn_mask(orNone(Mask)));
}

static T ctcLoss(const T &LogProbs, const T &Targets, const T &InputLengths,
                 const T &TargetLengths) {
  return F::ctc_loss(LogProbs, Targets, InputLengths, TargetLengths);
}

TORCH_LIBRARY(tdl_F, Library) {
  Definer Define(Library);
  defineActivations(Define);
  defineRearrangements(Define);
  defineAveragePools(Define);
  defineMaximumPools(Define);
  defineUnpools(Define);
  defineFractionalPools(Define);
  defineLayers(Define);
  defineConvolutions(Define);
  defineNormalisations(Define);
  defineDistances(Define);
  defineLosses(Define);
  defineLossesOfThree(Define);
  Library.def("multi_head_attention_forward(Tensor query, Tensor key, Tensor "
              "value, Tensor in_proj_weight, Tensor in_proj_bias, Tensor? "
              "bias_k, Tensor? bias_v, Tensor out_proj_weight, Tensor "
              "out_proj_bias, Tensor? key_padding_mask, Tensor? attn_mask) -> "
              "(Tensor, Tensor)",
              attention);
  Library.def("ctc_loss(Tensor log_probs, Tensor targets, Tensor "
              "input_lengths, Tensor target_lengths) -> Tensor",
              ctcLoss);
}

//===----------------------------------------------------------------------===//
// torch::nn::init, torch::nn::utils, torch::nn::utils::rnn
//===----------------------------------------------------------------------===//

/// They return what they changed, which the schemas leave unsaid.
TORCH_LIBRARY(tdl_init, Library) {
  using namespace torch::nn::init;
  Definer Define(Library);
  Define("constant_(Tensor tensor) -> Tensor",
         [](const T &X) { return constant_(X, 1); });
  Define("dirac_(Tensor tensor) -> Tensor",
         [](const T &X) { return dirac_(X); });
  Define("eye_(Tensor matrix) -> Tensor", [](const T &X) { return eye_(X); });
  Define("kaiming_normal_(Tensor tensor) -> Tensor",
         [](const T &X) { return kaiming_normal_(X); });
  Define("kaiming_uniform_(Tensor tensor) -> Tensor",
         [](const T &X) { return kaiming_uniform_(X); });
  Define("normal_(Tensor tensor) -> Tensor",
         [](const T &X) { return normal_(X); });
  Define("ones_(Tensor tensor) -> Tensor", [](const T &X) { return ones_(X); });
  Define("orthogonal_(Tensor tensor) -> Tensor",
         [](const T &X) { return orthogonal_(X); });
  Define("sparse_(Tensor tensor) -> Tensor",
         [](const T &X) { return sparse_(X, 0.5); });
  Define("uniform_(Tensor tensor) -> Tensor",
         [](const T &X) { return uniform_(X); });
  Define("xavier_normal_(Tensor tensor) -> Tensor",
         [](const T &X) { return xavier_normal_(X); });
  Define("xavier_uniform_(Tensor tensor) -> Tensor",
         [](const T &X) { return xavier_uniform_(X); });
  Define("zeros_(Tensor tensor) -> Tensor",
         [](const T &X) { return zeros_(X); });
}

TORCH_LIBRARY(tdl_utils, Library) {
  Definer Define(Library);
  Define("parameters_to_vector(Tensor[] parameters) -> Tensor",
         [](std::vector<T> All) {
           return torch::nn::utils::parameters_to_vector(All);
         });
}

TORCH_LIBRARY(tdl_rnn, Library) {
  Definer Define(Library);
  Define("invert_permutation(Tensor permutation) -> Tensor", [](const T &X) {
    return torch::nn::utils::rnn::invert_permutation(X);
  });
  Define(
      "pack_padded_sequence(Tensor input, Tensor lengths) -> Tensor",
      [](const T &X, const T &Lengths) {
        return torch::nn::utils::rnn::pack_padded_sequence(X, Lengths).data();
      });
  Define("pack_sequence(Tensor[] sequences) -> Tensor", [](std::vector<T> All) {
    return torch::nn::utils::rnn::pack_sequence(All).data();
  });
  Define("pad_sequence(Tensor[] sequences) -> Tensor", [](std::vector<T> All) {
    return torch::nn::utils::rnn::pad_sequence(All);
  });
}
