//===- FusedKernels.cpp - Operators that exist for CUDA alone -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedKernels.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include <unordered_map>

namespace tdl {
namespace sim {

using Values = std::vector<c10::IValue>;

static at::Tensor tensorAt(const Values &Arguments, size_t Index) {
  return Arguments[Index].isTensor() ? Arguments[Index].toTensor()
                                     : at::Tensor();
}

/// gates = igates + hgates (+ both biases, which come together or not at all).
static at::Tensor addBias(at::Tensor Gates, const at::Tensor &Bias) {
  return Bias.defined() ? Gates + Bias : Gates;
}

static at::Tensor catenate(const std::vector<at::Tensor> &Parts) {
  return at::cat(Parts, 1);
}

// _thnn_fused_lstm_cell(input_gates, hidden_gates, cx, input_bias, hidden_bias)
//   -> (hy, cy, workspace)
static Values lstmCell(const Values &A) {
  at::Tensor Gates = tensorAt(A, 0) + tensorAt(A, 1);
  Gates = addBias(addBias(Gates, tensorAt(A, 3)), tensorAt(A, 4));
  std::vector<at::Tensor> G = Gates.chunk(4, 1);
  at::Tensor In = G[0].sigmoid(), Forget = G[1].sigmoid();
  at::Tensor Cell = G[2].tanh(), Out = G[3].sigmoid();
  at::Tensor CellState = Forget * tensorAt(A, 2) + In * Cell;
  return {Out * CellState.tanh(), CellState, catenate({In, Forget, Cell, Out})};
}

// _thnn_fused_gru_cell(input_gates, hidden_gates, hx, input_bias, hidden_bias)
//   -> (hy, workspace)
static Values gruCell(const Values &A) {
  at::Tensor State = tensorAt(A, 2);
  std::vector<at::Tensor> I =
      addBias(tensorAt(A, 0), tensorAt(A, 3)).chunk(3, 1);
  std::vector<at::Tensor> H =
      addBias(tensorAt(A, 1), tensorAt(A, 4)).chunk(3, 1);
  at::Tensor Reset = (I[0] + H[0]).sigmoid(), Update = (I[1] + H[1]).sigmoid();
  at::Tensor New = (I[2] + Reset * H[2]).tanh();
  return {New + Update * (State - New),
          catenate({Reset, Update, New, State, H[2]})};
}

/// "Is there a faster library for this?"
static Values no(const Values &) { return {false}; }

FusedKernel findFusedKernel(const std::string &Operator) {
  static const std::unordered_map<std::string, FusedKernel> Kernels = {
      {"_thnn_fused_lstm_cell", lstmCell}, {"_thnn_fused_gru_cell", gruCell},
      {"_use_cudnn_ctc_loss", no},         {"_use_cudnn_ctc_loss.Tensor", no},
      {"_use_miopen_ctc_loss", no},        {"_use_miopen_ctc_loss.Tensor", no},
  };
  auto Found = Kernels.find(Operator);
  return Found == Kernels.end() ? nullptr : Found->second;
}

} // namespace sim
} // namespace tdl
