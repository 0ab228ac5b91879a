//===- losses.cpp - Modules whose options hold tensors ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RUN: %check 'torch-cross-device-*' %s
//
//===----------------------------------------------------------------------===//

#include <torch/torch.h>

namespace nn = torch::nn;

torch::Tensor labels() {
  return torch::zeros({4}, torch::dtype(torch::kLong).device(torch::kCUDA));
}

void weights() {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto w = torch::ones({3});
  nn::CrossEntropyLoss criterion(nn::CrossEntropyLossOptions().weight(w));
  criterion(x, labels());
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cuda, but the module 'criterion' is on cpu [torch-cross-device-module]
  criterion->to(torch::kCUDA);
  criterion(x, labels());
  nn::NLLLoss likelihood(nn::NLLLossOptions().weight(torch::ones({3})).ignore_index(-1));
  likelihood(x.log(), labels());
  // CHECK: :[[@LINE-1]]:3: warning: input 'x.log()' is on cuda, but the module 'likelihood' is on cpu [torch-cross-device-module]
  nn::BCEWithLogitsLoss logits(nn::BCEWithLogitsLossOptions().pos_weight(torch::ones({3})));
  logits(x, torch::ones({4, 3}, torch::kCUDA));
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cuda, but the module 'logits' is on cpu [torch-cross-device-module]
  auto shared = std::make_shared<nn::MultiMarginLossImpl>(nn::MultiMarginLossOptions().weight(torch::ones({3})));
  shared->forward(x, labels());
  // CHECK: :[[@LINE-1]]:11: warning: input 'x' is on cuda, but the module 'shared' is on cpu [torch-cross-device-module]
  auto options = nn::CrossEntropyLossOptions();
  options.weight(torch::ones({3}));
  nn::CrossEntropyLoss late(options);
  late(x, labels());
  // CHECK: :[[@LINE-1]]:3: warning: input 'x' is on cuda, but the module 'late' is on cpu [torch-cross-device-module]
  // A table that is given to the layer is where it was.
  nn::Embedding table(nn::EmbeddingOptions(9, 3)._weight(torch::rand({9, 3}, torch::kCUDA)));
  table(labels());
  table(labels().cpu());
  // CHECK: :[[@LINE-1]]:3: warning: input 'labels().cpu()' is on cpu, but the module 'table' is on cuda [torch-cross-device-module]
}

// The weight is the module's buffer, and moves with it.
void handle() {
  auto w = torch::ones({3});
  nn::CrossEntropyLoss criterion(nn::CrossEntropyLossOptions().weight(w));
  criterion->to(torch::kCUDA);
  w + torch::ones({3}, torch::kCUDA);
  w + torch::ones({3});
}

void shared() {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto options = nn::CrossEntropyLossOptions().weight(torch::ones({3}));
  nn::CrossEntropyLoss first(options), second(options);
  first->to(torch::kCUDA);
  second(x, labels());
  nn::CrossEntropyLoss third(options);
  third(x, labels());
}

void safe(const nn::CrossEntropyLossOptions &given, nn::CrossEntropyLoss outside, const torch::Tensor &unknown) {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  nn::CrossEntropyLoss plain;
  plain(x, labels());
  plain(x.cpu(), labels().cpu());
  plain->to(torch::kCUDA);
  plain(x.cpu(), labels().cpu());
  nn::CrossEntropyLoss smooth(nn::CrossEntropyLossOptions().label_smoothing(0.1));
  smooth(x, labels());
  nn::CrossEntropyLoss maybe(given);
  maybe(x, labels());
  nn::CrossEntropyLoss there(nn::CrossEntropyLossOptions().weight(torch::ones({3}, torch::kCUDA)));
  there(x, labels());
  nn::CrossEntropyLoss somewhere(nn::CrossEntropyLossOptions().weight(unknown));
  somewhere(x, labels());
  outside(x, labels());
  outside->to(torch::kCUDA);
  outside(x.cpu(), labels().cpu());
  nn::BCELoss(nn::BCELossOptions().weight(torch::scalar_tensor(2.0)))(x, x);
  nn::Embedding table(nn::EmbeddingOptions(9, 3)._weight(unknown));
  table(labels());
}

// What a module registers is where the module is.
struct Net : nn::Module {
  Net() {
    register_module("fc", fc);
    register_module("criterion", criterion);
  }
  torch::Tensor loss(const torch::Tensor &x, const torch::Tensor &y) { return criterion(fc(x), y); }
  torch::Tensor alone(const torch::Tensor &x, const torch::Tensor &y) { return criterion(x, y); }
  nn::Linear fc{3, 3};
  nn::CrossEntropyLoss criterion{nn::CrossEntropyLossOptions().weight(torch::ones({3}))};
};

void registered() {
  auto net = std::make_shared<Net>();
  net->to(torch::kCUDA);
  auto x = torch::rand({4, 3}, torch::kCUDA);
  net->loss(x, labels());
  net->alone(x, labels());
}
