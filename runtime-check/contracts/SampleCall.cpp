//===- SampleCall.cpp - A call of an operator, with its tensors anywhere --===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleCall.h"

#include "../Device.h"
#include "../ErrorText.h"
#include "../LibTorchOptional.h"
#include "../Overloads.h"

#include <ATen/TensorIndexing.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>

namespace tdl {
namespace verify {

using torch::jit::Stack;

SampleCall::SampleCall(const c10::OperatorHandle &Op, const Sample &Arguments,
                       Filling How)
    : Op(Op) {
  const auto &Parameters = Op.schema().arguments();
  if (Arguments.size() != Parameters.size())
    throw SampleError("the sample has " + std::to_string(Arguments.size()) +
                      " arguments, the operator of this LibTorch " +
                      std::to_string(Parameters.size()));
  Values.resize(Parameters.size());
  Lengths.assign(Parameters.size(), -1);
  for (size_t I = 0; I < Parameters.size(); ++I)
    readArgument(I, Arguments[I], How);
}

void SampleCall::readArgument(size_t Parameter, const Sample &Value,
                              Filling How) {
  const c10::Argument &Taken = Op.schema().arguments()[Parameter];
  ParameterType Type = parameterType(Taken);
  if (Type.Kind == ParameterKind::Device) {
    // Absent unless an arrangement says otherwise.
    DeviceParameter = int(Parameter);
    if (!Type.MayBeAbsent)
      Values[Parameter] = c10::Device(c10::kCPU);
    return;
  }
  if (isTensor(Value))
    Slots.push_back({Parameter, -1, makeTensor(readTensor(Value), How)});
  else if (Value.is_array() && (Type.Kind == ParameterKind::TensorList ||
                                Type.Kind == ParameterKind::OptionalTensorList))
    readList(Parameter, Value, How);
  else
    Values[Parameter] = makeValue(Value, Taken);
}

void SampleCall::readList(size_t Parameter, const Sample &Value, Filling How) {
  Lengths[Parameter] = int(Value.size());
  for (size_t I = 0; I < Value.size(); ++I)
    if (isTensor(Value[I]))
      Slots.push_back(
          {Parameter, int(I), makeTensor(readTensor(Value[I]), How)});
}

const std::string &SampleCall::parameterOf(size_t Slot) const {
  return Op.schema().arguments()[Slots[Slot].Parameter].name();
}

bool SampleCall::gives(const std::string &Parameter) const {
  for (size_t I = 0; I < Slots.size(); ++I)
    if (parameterOf(I) == Parameter)
      return true;
  return false;
}

Arrangement SampleCall::allOn(c10::Device Device) const {
  Arrangement Where;
  Where.Devices.assign(Slots.size(), Device);
  Where.Shapes.assign(Slots.size(), Shape::AsSampled);
  return Where;
}

/// Programs index through Tensor::index() and Tensor::index_put_(), which read
/// 0-dim indices before the operator sees them.
static bool isIndexing(const c10::OperatorHandle &Op) {
  const c10::OperatorName &Name = Op.operator_name();
  return (Name.name == "aten::index" && Name.overload_name == "Tensor") ||
         Name.name == "aten::index_put_";
}

Call SampleCall::seen(const Arrangement &Where) const {
  Call C;
  C.Device = Where.Option;
  C.ReadsScalars = isIndexing(Op);
  const auto &Parameters = Op.schema().arguments();
  for (size_t P = 0; P < Parameters.size(); ++P) {
    if (!Values[P].isNone())
      C.Values[Parameters[P].name()] = Values[P];
    if (Values[P].isScalar())
      C.Numbers.push_back(Parameters[P].name());
    if (Parameters[P].name() == "accumulate" && Values[P].isBool())
      C.Accumulates = Values[P].toBool();
  }
  for (size_t I = 0; I < Slots.size(); ++I) {
    const at::Tensor &Host = Slots[I].Host;
    bool IsSampled = Where.Shapes[I] == Shape::AsSampled;
    c10::ScalarType Type = Host.scalar_type();
    Passed T;
    T.Parameter = parameterOf(I);
    T.Device = Where.Devices[I];
    T.Rank = IsSampled ? Host.dim() : Where.Shapes[I] == Shape::ZeroDim ? 0 : 1;
    T.Elements = IsSampled ? Host.numel() : 1;
    T.IsIntegral = c10::isIntegralType(Type, /*includeBool=*/true);
    T.IsMask = Type == c10::kBool || Type == c10::kByte;
    T.Type = Type;
    C.Tensors.push_back(T);
  }
  return C;
}

std::string SampleCall::describe(const Arrangement &Where) const {
  std::string Text;
  for (size_t I = 0; I < Slots.size(); ++I) {
    Text += (Text.empty() ? "" : ", ") + parameterOf(I);
    if (Slots[I].Element >= 0)
      Text += "[" + std::to_string(Slots[I].Element) + "]";
    Text += " on " + Where.Devices[I].str();
    if (Where.Shapes[I] != Shape::AsSampled)
      Text += Where.Shapes[I] == Shape::ZeroDim ? " (0-dim)" : " (shape {1})";
  }
  if (Where.Option)
    Text += (Text.empty() ? "" : ", ") + ("device=" + Where.Option->str());
  return Text.empty() ? "no tensors" : Text;
}

at::Tensor SampleCall::tensorFor(size_t Slot, const Arrangement &Where) const {
  at::Tensor Host = Slots[Slot].Host;
  if (Where.Shapes[Slot] != Shape::AsSampled) {
    Host =
        Host.numel() ? Host.reshape({-1}).slice(0, 0, 1) : Host.new_ones({1});
    if (Where.Shapes[Slot] == Shape::ZeroDim)
      Host = Host.reshape({});
  }
  return at::empty_strided(Host.sizes(), Host.strides(),
                           Host.options().device(Where.Devices[Slot]))
      .copy_(Host);
}

Stack SampleCall::stack(const Arrangement &Where) const {
  Stack Arguments(Values.begin(), Values.end());
  if (Where.Option && DeviceParameter >= 0)
    Arguments[size_t(DeviceParameter)] = *Where.Option;
  std::vector<std::vector<at::Tensor>> Lists(Values.size());
  for (size_t P = 0; P < Lists.size(); ++P)
    if (Lengths[P] >= 0)
      Lists[P].resize(size_t(Lengths[P]));
  for (size_t I = 0; I < Slots.size(); ++I) {
    if (Slots[I].Element < 0)
      Arguments[Slots[I].Parameter] = tensorFor(I, Where);
    else
      Lists[Slots[I].Parameter][size_t(Slots[I].Element)] = tensorFor(I, Where);
  }
  for (size_t P = 0; P < Lists.size(); ++P) {
    if (Lengths[P] < 0)
      continue;
    if (parameterType(Op.schema().arguments()[P]).Kind ==
        ParameterKind::TensorList) {
      Arguments[P] = Lists[P];
      continue;
    }
    c10::List<LibTorchOptional<at::Tensor>> List;
    for (const at::Tensor &T : Lists[P])
      List.push_back(T.defined() ? LibTorchOptional<at::Tensor>(T)
                                 : LibTorchOptional<at::Tensor>());
    Arguments[P] = List;
  }
  return Arguments;
}

//===----------------------------------------------------------------------===//
// Executing
//===----------------------------------------------------------------------===//

static std::vector<at::indexing::TensorIndex> indices(const c10::IValue &List) {
  std::vector<at::indexing::TensorIndex> Result;
  for (const c10::IValue &Element : List.toListRef())
    if (Element.isTensor() && Element.toTensor().defined())
      Result.emplace_back(Element.toTensor());
    else
      Result.emplace_back(at::indexing::Slice());
  return Result;
}

static void callAsPrograms(const c10::OperatorHandle &Op, Stack &Arguments) {
  if (!isIndexing(Op)) {
    callOperator(Op, Arguments);
  } else if (Arguments.size() == 2) {
    at::Tensor Result = Arguments[0].toTensor().index(indices(Arguments[1]));
    Arguments = {Result};
  } else if (!Arguments[3].toBool()) {
    at::Tensor Self = Arguments[0].toTensor();
    Self.index_put_(indices(Arguments[1]), Arguments[2].toTensor());
    Arguments = {Self};
  } else {
    callOperator(Op, Arguments);
  }
}

static void addTensors(const c10::IValue &Value,
                       std::vector<MadeTensor> &Into) {
  if (Value.isTensor()) {
    const at::Tensor &T = Value.toTensor();
    if (T.defined())
      Into.push_back({T.device(), T.dim(), T.scalar_type()});
  } else if (Value.isList()) {
    for (const c10::IValue &Element : Value.toListRef())
      addTensors(Element, Into);
  }
}

Outcome SampleCall::run(const Arrangement &Where) const {
  at::NoGradGuard NoGrad;
  Outcome Result;
  Stack Arguments = stack(Where);
  resetUndecided();
  try {
    callAsPrograms(Op, Arguments);
  } catch (const c10::Error &Error) {
    Result.HasThrown = true;
    Result.ErrorText = errorText(Error);
  } catch (const std::exception &Error) {
    Result.HasThrown = true;
    Result.ErrorText = oneLine(Error.what());
  }
  Result.Undecided = undecidedOperator();
  // LibTorch's shared code came to where it asks for device code.
  if (Result.ErrorText.find("DispatchStub: missing") != std::string::npos)
    Result.Undecided = Op.operator_name().name;
  Result.Placed = placedOperator();
  if (Result.HasThrown)
    return Result;
  for (const c10::IValue &Value : Arguments) {
    Result.Results.emplace_back();
    addTensors(Value, Result.Results.back());
  }
  return Result;
}

} // namespace verify
} // namespace tdl
