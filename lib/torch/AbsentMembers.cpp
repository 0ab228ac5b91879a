//===- AbsentMembers.cpp - Parameters that a layer may be made without -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/AbsentMembers.h"

using namespace tdl;

static constexpr AbsentMembersRow Rows[] = {
    {"nn::BCEWithLogitsLoss", "pos_weight", false, "pos_weight"},
    {"nn::BCEWithLogitsLoss", "weight", false, "weight"},
    {"nn::BatchNorm*d", "affine", true, "weight bias"},
    {"nn::BatchNorm*d", "track_running_stats", true,
     "running_mean running_var num_batches_tracked"},
    {"nn::Bilinear", "bias", true, "bias"},
    {"nn::Conv*d", "bias", true, "bias"},
    {"nn::ConvTranspose*d", "bias", true, "bias"},
    {"nn::CrossEntropyLoss", "weight", false, "weight"},
    {"nn::GRUCell", "bias", true, "bias_ih bias_hh"},
    {"nn::GroupNorm", "affine", true, "weight bias"},
    {"nn::InstanceNorm*d", "affine", false, "weight bias"},
    {"nn::InstanceNorm*d", "track_running_stats", false,
     "running_mean running_var num_batches_tracked"},
    {"nn::LSTMCell", "bias", true, "bias_ih bias_hh"},
    {"nn::LayerNorm", "elementwise_affine", true, "weight bias"},
    {"nn::Linear", "bias", true, "bias"},
    {"nn::MultiheadAttention", "add_bias_kv", false, "bias_k bias_v"},
    {"nn::MultiheadAttention", "bias", true, "in_proj_bias"},
    {"nn::NLLLoss", "weight", false, "weight"},
    {"nn::RNNCell", "bias", true, "bias_ih bias_hh"},
};

bool AbsentMembersRow::isFor(llvm::StringRef Op) const {
  auto [Head, Tail] = Layer.split('*');
  if (Head.size() == Layer.size())
    return Op == Layer;
  return Op.consume_front(Head) && Op.size() == 2 && Op.ends_with(Tail);
}

llvm::ArrayRef<AbsentMembersRow> tdl::absentMembersTable() { return Rows; }
