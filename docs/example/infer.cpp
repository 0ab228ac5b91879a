//===- infer.cpp - Classifies readings with the trained network -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "classifier.h"
#include <iostream>
#include <vector>

/// Mean and spread of each sensor, kept beside the network.
struct Calibration {
  torch::Tensor Mean, Spread;
};

/// Readings in the units of the calibration. The caller has moved both.
static torch::Tensor calibrate(const torch::Tensor &Readings,
                               const Calibration &By) {
  TORCH_CHECK(Readings.device() == By.Mean.device(),
              "readings and calibration are on different devices");
  return (Readings - By.Mean) / By.Spread;
}

/// The state of the machine in each window. \p Driver is host memory that the
/// sensors' driver filled, \p Device where the network is.
static torch::Tensor classify(Classifier &Network, std::vector<float> &Driver,
                              const Calibration &By, torch::Device Device) {
  int64_t Count = static_cast<int64_t>(Driver.size()) / Sensors;
  torch::Tensor Readings = torch::from_blob(Driver.data(), {Count, Sensors});
  Readings.to(Device);
  return Network->forward(calibrate(Readings, By)).argmax(/*dim=*/1);
}

int main() {
  const bool UseCuda = torch::cuda::is_available();
  torch::Device Device(UseCuda ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard NoGrad;

  Classifier Network;
  // With a device: else the parameters go where they were trained.
  torch::load(Network, "classifier.pt", Device);

  Calibration By;
  By.Mean = torch::zeros({Sensors}, Device);
  By.Spread = torch::ones({Sensors});
  if (UseCuda)
    By.Spread = By.Spread.cuda();

  std::vector<float> Driver(8 * Sensors, 0.25f);
  torch::Tensor Found = classify(Network, Driver, By, Device);

  // Counts on the host; only what is printed comes back from the device.
  torch::Tensor Counts = torch::zeros({States}, torch::kLong);
  Counts += torch::bincount(Found.cpu(), /*weights=*/{}, States);
  std::cout << "windows in each state:\n" << Counts << "\n";
}
