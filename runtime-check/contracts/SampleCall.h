//===- SampleCall.h - A call of an operator, with its tensors anywhere ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_SAMPLECALL_H
#define TDL_RUNTIME_CHECK_CONTRACTS_SAMPLECALL_H

#include "Prediction.h"
#include "SampleFile.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace tdl {
namespace verify {

/// What becomes of a sample's tensor.
enum class Shape {
  AsSampled,
  ZeroDim,    ///< No dimensions, the same element type.
  OneElement, ///< Shape {1}, which no rule for 0-dim tensors covers.
};

/// Where the tensors of a call are, one entry per slot of the sample.
struct Arrangement {
  std::vector<c10::Device> Devices;
  std::vector<Shape> Shapes;
  std::optional<c10::Device> Option; ///< The argument 'device'.
};

/// A tensor that a call gave back.
struct MadeTensor {
  c10::Device Device = c10::Device(c10::kCPU);
  int64_t Rank = 0;
  c10::ScalarType Type = c10::ScalarType::Undefined;
};

/// What a call did.
struct Outcome {
  bool HasThrown = false;
  std::string ErrorText; ///< On one line.
  /// The operator of which only a CUDA kernel knows what it would have done.
  std::string Undecided;
  /// The operator that made a result where the simulation thinks best.
  std::string Placed;
  /// Per result; for a list, of each element that is a tensor.
  std::vector<std::vector<MadeTensor>> Results;
};

/// A sample of an operator. A slot is a tensor argument or an element of a list
/// of them; of a long list, the first ones.
class SampleCall {
public:
  /// Throws SampleError when the sample does not fit the operator.
  SampleCall(const c10::OperatorHandle &Op, const Sample &Arguments,
             Filling How);

  size_t slots() const { return Slots.size(); }
  /// How many values the operator gives back.
  size_t results() const { return Op.schema().returns().size(); }
  bool takesDevice() const { return DeviceParameter >= 0; }
  /// Whether the slot's tensor has no dimensions already.
  bool isZeroDim(size_t Slot) const { return Slots[Slot].Host.dim() == 0; }
  const std::string &parameterOf(size_t Slot) const;
  /// Whether the parameter has a tensor in this sample.
  bool gives(const std::string &Parameter) const;

  /// Everything in one place.
  Arrangement allOn(c10::Device Device) const;
  /// The call as contracts see it.
  Call seen(const Arrangement &Where) const;
  /// "self on cpu (0-dim), other on cuda:0".
  std::string describe(const Arrangement &Where) const;
  /// Executes it on fresh copies.
  Outcome run(const Arrangement &Where) const;

private:
  struct Slot {
    size_t Parameter;
    int Element; ///< -1: the argument is no list.
    at::Tensor Host;
  };
  void readArgument(size_t Parameter, const Sample &Value, Filling How);
  void readList(size_t Parameter, const Sample &Value, Filling How);
  at::Tensor tensorFor(size_t Slot, const Arrangement &Where) const;
  std::vector<c10::IValue> stack(const Arrangement &Where) const;

  c10::OperatorHandle Op;
  std::vector<Slot> Slots;
  std::vector<c10::IValue> Values; ///< Those without tensors; per parameter.
  /// Lengths of lists of tensors, per parameter; -1: no list.
  std::vector<int> Lengths;
  int DeviceParameter = -1;
};

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_SAMPLECALL_H
