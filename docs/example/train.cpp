//===- train.cpp - Trains a network, and a baseline that it must beat -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs to its end on a machine without a GPU, and stops on one that has a GPU:
// torch-device-lint says where. Everything else that may look suspicious here
// is right, and nothing is reported for it.
//
//===----------------------------------------------------------------------===//

#include "classifier.h"
#include <iostream>

namespace F = torch::nn::functional;

constexpr int64_t Windows = 4096;
constexpr int64_t BatchSize = 128;

/// Trains the network. All data moves to the device once.
static void trainNetwork(Classifier &Network, torch::Tensor Readings,
                         torch::Tensor Labels, torch::Device Device) {
  Readings = Readings.to(Device);
  Labels = Labels.to(Device);
  // A module's to() moves its parameters: nothing is dropped here.
  Network->to(Device);
  torch::optim::Adam Optimizer(Network->parameters(), /*lr=*/1e-2);

  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    torch::Tensor Total = torch::zeros({}, Device);
    torch::Tensor Order = torch::randperm(Windows, torch::kLong);
    for (const torch::Tensor &Batch : Order.split(BatchSize)) {
      // Indices on the host may index a tensor on the device.
      torch::Tensor Logits = Network->forward(Readings.index({Batch}));
      torch::Tensor Loss = F::cross_entropy(Logits, Labels.index({Batch}));
      Optimizer.zero_grad();
      Loss.backward();
      Optimizer.step();
      Total += Loss.detach();
    }
    std::cout << "epoch " << Epoch << ": loss "
              << Total.item<float>() * BatchSize / Windows << "\n";
  }
}

int main() {
  torch::manual_seed(7);
  torch::Device Device(torch::cuda::is_available() ? torch::kCUDA
                                                   : torch::kCPU);

  // The data is on the host, as a file reader would deliver it.
  torch::Tensor Readings = torch::randn({Windows, Sensors});
  torch::Tensor Truth = torch::randn({Sensors, States});
  torch::Tensor Labels = torch::mm(Readings, Truth).argmax(/*dim=*/1);

  // The baseline: softmax regression.
  torch::Tensor Weights =
      torch::zeros({Sensors, States},
                   torch::TensorOptions().device(Device).requires_grad(true));
  torch::optim::SGD Optimizer({Weights}, /*lr=*/0.5);
  for (int64_t First = 0; First < Windows; First += BatchSize) {
    torch::Tensor Batch = Readings.narrow(0, First, BatchSize).to(Device);
    torch::Tensor Target = Labels.narrow(0, First, BatchSize);
    torch::Tensor Loss = F::cross_entropy(torch::mm(Batch, Weights), Target);
    Optimizer.zero_grad();
    Loss.backward();
    Optimizer.step();
  }

  // The windows that the baseline finds hardest.
  torch::Tensor Logits = torch::mm(Readings.to(Device), Weights.detach());
  // A temperature: a 0-dim tensor on the host may join an operation elsewhere.
  torch::Tensor Sharpened = Logits / torch::tensor(0.5);
  torch::Tensor Confidence = torch::softmax(Sharpened, /*dim=*/1).amax(1);
  torch::Tensor Hardest = Confidence.argsort().narrow(0, 0, 100);
  torch::Tensor Examples = Readings.index({Hardest});
  std::cout << "the hardest windows have norm "
            << Examples.norm(2, /*dim=*/1).mean().item<float>() << ", all have "
            << Readings.norm(2, /*dim=*/1).mean().item<float>() << "\n";

  Classifier Network;
  trainNetwork(Network, Readings, Labels, Device);
  torch::save(Network, "classifier.pt");
}
