//===- options.cpp - Tensors in options objects of torch::nn ----------------===//
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

namespace F = torch::nn::functional;

torch::Tensor labels() {
  return torch::zeros({4}, torch::dtype(torch::kLong).device(torch::kCUDA));
}

// Inline, one setter after the other.
void losses() {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto w = torch::ones({3});
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().ignore_index(-1).weight(w).reduction(torch::kSum));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::nll_loss(x.log(), labels(), F::NLLLossFuncOptions().weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::nll_loss' are on different devices: 'x.log()' is on cuda, 'w' is on cpu [torch-cross-device-op]
  auto y = torch::rand({4, 3}, torch::kCUDA);
  F::binary_cross_entropy(x, y, F::BinaryCrossEntropyFuncOptions().weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::binary_cross_entropy' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::binary_cross_entropy_with_logits(x, y, F::BinaryCrossEntropyWithLogitsFuncOptions().pos_weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::binary_cross_entropy_with_logits' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::binary_cross_entropy_with_logits(x, y, F::BinaryCrossEntropyWithLogitsFuncOptions().weight(w).pos_weight(w.cuda()));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::binary_cross_entropy_with_logits' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::multi_margin_loss(x, labels(), F::MultiMarginLossFuncOptions().weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::multi_margin_loss' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  F::multilabel_soft_margin_loss(x, y, F::MultilabelSoftMarginLossFuncOptions().weight(w));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::multilabel_soft_margin_loss' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
}

void normalisation() {
  auto x = torch::rand({2, 4, 3}, torch::kCUDA);
  auto mean = torch::zeros({4}, torch::kCUDA);
  auto var = torch::ones({4}, torch::kCUDA);
  auto bias = torch::zeros({4});
  F::batch_norm(x, mean, var, F::BatchNormFuncOptions().weight(torch::ones({4}, torch::kCUDA)).bias(bias));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::batch_norm' are on different devices: 'x' is on cuda, 'bias' is on cpu [torch-cross-device-op]
  F::instance_norm(x, F::InstanceNormFuncOptions().running_mean(mean).running_var(bias));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::instance_norm' are on different devices: 'x' is on cuda, 'bias' is on cpu [torch-cross-device-op]
  F::layer_norm(x, F::LayerNormFuncOptions({3}).weight(torch::ones({3})));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::layer_norm' are on different devices: 'x' is on cuda, 'torch::ones({3})' is on cpu [torch-cross-device-op]
  F::group_norm(x, F::GroupNormFuncOptions(2).weight(bias));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::group_norm' are on different devices: 'x' is on cuda, 'bias' is on cpu [torch-cross-device-op]
}

void others() {
  auto table = torch::rand({9, 3}, torch::kCUDA);
  auto each = torch::ones({4});
  F::embedding_bag(labels(), table, F::EmbeddingBagFuncOptions().mode(torch::kSum).per_sample_weights(each));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::embedding_bag' are on different devices: 'labels()' is on cuda, 'each' is on cpu [torch-cross-device-index]
  auto image = torch::rand({1, 2, 8, 8}, torch::kCUDA);
  auto kernel = torch::rand({2, 2, 3, 3}, torch::kCUDA);
  F::conv2d(image, kernel, F::Conv2dFuncOptions().bias(torch::zeros({2})));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::conv2d' are on different devices: 'image' is on cuda, 'torch::zeros({2})' is on cpu [torch-cross-device-op]
}

// Through the constructor.
void attention(const torch::Tensor &unknown) {
  auto q = torch::rand({5, 1, 4}, torch::kCUDA);
  auto in = torch::rand({12, 4}, torch::kCUDA);
  auto inBias = torch::zeros({12}, torch::kCUDA);
  auto out = torch::rand({4, 4});
  auto outBias = torch::zeros({4}, torch::kCUDA);
  F::multi_head_attention_forward(q, q, q, F::MultiheadAttentionForwardFuncOptions(4, 2, in, inBias, {}, {}, false, 0.0, out, outBias));
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::multi_head_attention_forward' are on different devices: 'q' is on cuda, 'out' is on cpu [torch-cross-device-op]
  F::multi_head_attention_forward(q, q, q, F::MultiheadAttentionForwardFuncOptions(4, 2, in, inBias, {}, {}, false, 0.0, out.cuda(), outBias));
  F::multi_head_attention_forward(q, q, q, F::MultiheadAttentionForwardFuncOptions(4, 2, in, inBias, {}, {}, false, 0.0, unknown, outBias));
}

// Through a variable, whose setters change it.
void variables() {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto w = torch::ones({3});
  F::CrossEntropyFuncOptions options;
  F::cross_entropy(x, labels(), options);
  options.weight(w);
  F::cross_entropy(x, labels(), options);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  auto copy = options;
  options.ignore_index(2).weight(w.cuda());
  F::cross_entropy(x, labels(), options);
  F::cross_entropy(x, labels(), copy);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'w' is on cpu [torch-cross-device-op]
  const auto fixed = F::CrossEntropyFuncOptions().weight(options.weight());
  F::cross_entropy(x, labels(), fixed);
  F::cross_entropy(x.cpu(), labels().cpu(), fixed);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'options.weight()' is on cuda, 'x.cpu()' is on cpu [torch-cross-device-op]
}

// On a path that the program decides.
void conditions(bool weighted, bool gpu) {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto options = F::CrossEntropyFuncOptions();
  if (weighted)
    options.weight(torch::ones({3}));
  F::cross_entropy(x, labels(), options);
  // CHECK: :[[@LINE-1]]:3: warning: operands of 'F::cross_entropy' are on different devices: 'x' is on cuda, 'torch::ones({3})' is on cpu when weighted [torch-cross-device-op]
  auto device = gpu ? torch::kCUDA : torch::kCPU;
  F::cross_entropy(x.to(device), labels().to(device), F::CrossEntropyFuncOptions().weight(torch::ones({3}, device)));
}

// Nothing is wrong, or not known to be.
void change(F::CrossEntropyFuncOptions &options);
struct Settings {
  F::CrossEntropyFuncOptions loss;
};

void safe(const F::CrossEntropyFuncOptions &given, Settings &settings) {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  auto w = torch::ones({3});
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().weight(w.cuda()));
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().weight({}));
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().weight(torch::Tensor()));
  F::cross_entropy(x, labels(), F::CrossEntropyFuncOptions().label_smoothing(0.1));
  F::cross_entropy(x.cpu(), labels().cpu(), F::CrossEntropyFuncOptions().weight(w));
  F::cross_entropy(x, labels(), given);
  F::cross_entropy(x, labels(), settings.loss);
  auto handed = F::CrossEntropyFuncOptions().weight(w);
  change(handed);
  F::cross_entropy(x, labels(), handed);
  auto pointed = F::CrossEntropyFuncOptions().weight(w);
  F::CrossEntropyFuncOptions *pointer = &pointed;
  pointer->weight(w.cuda());
  F::cross_entropy(x, labels(), pointed);
  auto assigned = F::CrossEntropyFuncOptions().weight(w);
  assigned.weight() = w.cuda();
  F::cross_entropy(x, labels(), assigned);
  auto bound = F::CrossEntropyFuncOptions().weight(w);
  auto &weight = bound.weight();
  weight = w.cuda();
  F::cross_entropy(x, labels(), bound);
  auto named = F::CrossEntropyFuncOptions().weight(w);
  auto &alias = named.ignore_index(1);
  alias.weight(w.cuda());
  F::cross_entropy(x, labels(), named);
  std::vector<F::CrossEntropyFuncOptions> many(2);
  many[0].weight(w);
  F::cross_entropy(x, labels(), many[0]);
  std::vector<F::CrossEntropyFuncOptions> listed = {F::CrossEntropyFuncOptions().weight(w)};
  listed[0].weight(w.cuda());
  F::cross_entropy(x, labels(), listed[0]);
  F::binary_cross_entropy(x, x, F::BinaryCrossEntropyFuncOptions().weight(torch::scalar_tensor(2.0)));
}

// A setter in a loop, and a lambda that sets.
void loops() {
  auto x = torch::rand({4, 3}, torch::kCUDA);
  F::CrossEntropyFuncOptions options;
  for (int i = 0; i < 3; ++i) {
    F::cross_entropy(x, labels(), options);
    options.weight(torch::ones({3}, torch::kCUDA));
  }
  F::CrossEntropyFuncOptions captured;
  captured.weight(torch::ones({3}));
  auto set = [&] { captured.weight(torch::ones({3}, torch::kCUDA)); };
  set();
  F::cross_entropy(x, labels(), captured);
}
