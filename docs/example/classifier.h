//===- classifier.h - The network that both programs share ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of readings from one machine's sensors, and a network that says
// which state the machine was in.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLE_CLASSIFIER_H
#define EXAMPLE_CLASSIFIER_H

#include <torch/torch.h>

constexpr int64_t Sensors = 16;
constexpr int64_t States = 4;

class ClassifierImpl : public torch::nn::Module {
public:
  ClassifierImpl()
      : Hidden(register_module("hidden", torch::nn::Linear(Sensors, 64))),
        Output(register_module("output", torch::nn::Linear(64, States))) {}

  torch::Tensor forward(const torch::Tensor &Windows) {
    return Output->forward(torch::relu(Hidden->forward(Windows)));
  }

private:
  torch::nn::Linear Hidden, Output;
};
TORCH_MODULE(Classifier);

#endif // EXAMPLE_CLASSIFIER_H
