//===- BoxedKernel.cpp - One kernel for every operator --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoxedKernel.h"

#include "Alias.h"
#include "FusedKernels.h"
#include "Memory.h"
#include "Undecided.h"
#include "Version.h"
#include "Wrappers.h"

#include <ATen/core/op_registration/adaption.h>

#include <utility>

namespace tdl {
namespace sim {

using torch::jit::Stack;
using Values = std::vector<c10::IValue>;

std::string operatorName(const c10::OperatorHandle &Op) {
  const c10::OperatorName &Name = Op.operator_name();
  std::string Base = Name.name.substr(Name.name.find("::") + 2);
  return Name.overload_name.empty() ? Base : Base + "." + Name.overload_name;
}

/// Appends the defined tensors in \p Value, which may be a list.
static void collectTensors(const c10::IValue &Value,
                           std::vector<at::Tensor> &Into) {
  if (Value.isTensor()) {
    if (Value.toTensor().defined())
      Into.push_back(Value.toTensor());
  } else if (Value.isList()) {
    for (const c10::IValue &Element : Value.toListRef())
      collectTensors(Element, Into);
  }
}

static std::vector<at::Tensor> tensorsOf(const Values &Arguments) {
  std::vector<at::Tensor> Tensors;
  for (const c10::IValue &Argument : Arguments)
    collectTensors(Argument, Tensors);
  return Tensors;
}

static bool isMixed(const std::vector<at::Tensor> &Tensors) {
  for (const at::Tensor &T : Tensors)
    if (T.device() != Tensors.front().device())
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Who checks
//===----------------------------------------------------------------------===//

static void checkAsWrapper(const c10::FunctionSchema &Schema, const Wrapper &W,
                           const Values &Arguments) {
  Optional<c10::Device> Common;
  for (const std::string &Name : W.Checked)
    for (size_t I = 0; I < Arguments.size(); ++I) {
      if (Schema.arguments()[I].name() != Name)
        continue;
      std::vector<at::Tensor> Tensors;
      collectTensors(Arguments[I], Tensors);
      for (const at::Tensor &T : Tensors)
        c10::impl::check_and_update_common_device(Common, T, W.Method.c_str(),
                                                  Name.c_str());
    }
}

/// Runs the CPU registration on the device tensors themselves. True when it
/// came to an end, so that \p Arguments holds the results; false when it got
/// as far as asking for device code.
static bool runShared(const c10::OperatorHandle &Op, Values &Arguments) {
  Stack Copy = Arguments;
  try {
    Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &Copy);
  } catch (const c10::Error &Error) {
    // "missing CUDA kernel" in 1.13, "missing kernel for cuda" since 2.0.
    if (Error.msg().find("DispatchStub: missing") == std::string::npos)
      throw;
    return false;
  }
  Arguments = std::move(Copy);
  return true;
}

/// Functional and in-place forms of a structured operator have a kernel in
/// libtorch_cpu that works for every device: it runs the real meta function,
/// makes the result where that says, and calls the out= form.
static bool runsByOutForm(const Wrapper &W, const c10::OperatorHandle &Op) {
  if (W.KernelKind == Wrapper::Kind::Plain)
    return false;
  const auto &Parameters = Op.schema().arguments();
  return !Parameters.back().is_out() &&
         Op.hasKernelForDispatchKey(
             c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
}

/// Throws as LibTorch would. True when there is nothing left to do, and
/// \p Arguments holds the results.
static bool checkDevices(const c10::OperatorHandle &Op, const Wrapper *W,
                         Values &Arguments,
                         const std::vector<at::Tensor> &Tensors) {
  if (W && !W->Checked.empty())
    checkAsWrapper(Op.schema(), *W, Arguments);
  if (W && runsByOutForm(*W, Op)) {
    // A key that nothing is registered for leads to the kernel for all devices.
    Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                       &Arguments);
    return true;
  }
  // Of arguments that the wrapper leaves out (keyword arguments), the kernel
  // says more.
  if (!isMixed(Tensors))
    return false;
  if (W && W->KernelKind != Wrapper::Kind::Plain) {
    Stack Copy = Arguments;
    Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::Meta), &Copy);
    return false;
  }
  if (W && W->IsShared)
    return runShared(Op, Arguments);
  noteUndecided(operatorName(Op));
  return false;
}

//===----------------------------------------------------------------------===//
// The CPU kernel on aliases
//===----------------------------------------------------------------------===//

namespace {

/// Replaces device tensors by CPU aliases and finds the way back.
class Aliases {
public:
  Aliases(std::string Operator, c10::Device ResultDevice)
      : Operator(std::move(Operator)), ResultDevice(ResultDevice) {}

  c10::IValue enter(const c10::IValue &Value);
  c10::IValue leave(const c10::IValue &Value) const;
  /// Arguments that the kernel resized or reallocated.
  void follow() const {
    for (const auto &Pair : Pairs)
      followAlias(Pair.first, Pair.second);
  }

private:
  at::Tensor enter(const at::Tensor &T);
  at::Tensor leave(const at::Tensor &T) const;

  std::string Operator;
  c10::Device ResultDevice;
  std::vector<std::pair<at::Tensor, at::Tensor>> Pairs; ///< Device, CPU.
};

} // namespace

at::Tensor Aliases::enter(const at::Tensor &T) {
  if (!isOnDevice(T))
    return T;
  // The same tensor twice (in place) must stay the same tensor.
  for (const auto &Pair : Pairs)
    if (Pair.first.is_same(T))
      return Pair.second;
  Pairs.emplace_back(T, cpuAlias(T));
  return Pairs.back().second;
}

c10::IValue Aliases::enter(const c10::IValue &Value) {
  if (Value.isTensor())
    return enter(Value.toTensor());
  if (Value.isTensorList()) {
    std::vector<at::Tensor> Tensors;
    for (const at::Tensor &T : Value.toTensorVector())
      Tensors.push_back(enter(T));
    return Tensors;
  }
  if (Value.isOptionalTensorList()) {
    c10::List<Optional<at::Tensor>> Tensors;
    for (const Optional<at::Tensor> &T : Value.toOptionalTensorVector())
      Tensors.push_back(T ? Optional<at::Tensor>(enter(*T)) : T);
    return Tensors;
  }
  if (Value.isGenerator()) {
    c10::DeviceType Type = Value.toGenerator().device().type();
    // The text of check_generator<CUDAGeneratorImpl>.
    TORCH_CHECK(Type == c10::DeviceType::CUDA,
                "Expected a 'cuda' device type for generator but found '", Type,
                "'");
    return c10::IValue();
  }
  if (Value.isDevice() && Value.toDevice().is_cuda())
    return c10::Device(c10::kCPU);
  return Value;
}

at::Tensor Aliases::leave(const at::Tensor &T) const {
  if (!T.defined() || isOnDevice(T))
    return T;
  for (const auto &Pair : Pairs)
    if (Pair.second.is_same(T))
      return Pair.first;
  if (T.layout() != c10::kStrided) {
    noteUndecided(Operator);
    TORCH_CHECK(false, "simulated CUDA: '", Operator,
                "' makes a sparse tensor");
  }
  for (const auto &Pair : Pairs)
    if (T.storage().data() &&
        T.storage().data() == Pair.second.storage().data())
      return makeView(Pair.first, T.sizes(), T.strides(), T.storage_offset(),
                      T.scalar_type());
  notePlaced(Operator);
  return copyToDevice(T, ResultDevice);
}

c10::IValue Aliases::leave(const c10::IValue &Value) const {
  if (Value.isTensor())
    return leave(Value.toTensor());
  if (!Value.isTensorList())
    return Value;
  std::vector<at::Tensor> Tensors;
  for (const at::Tensor &T : Value.toTensorVector())
    Tensors.push_back(leave(T));
  return Tensors;
}

/// Where new tensors go: where the first device tensor is, else where the
/// caller says.
static c10::Device resultDevice(const Values &Arguments,
                                const std::vector<at::Tensor> &Tensors) {
  for (const at::Tensor &T : Tensors)
    if (isOnDevice(T))
      return T.device();
  for (const c10::IValue &Argument : Arguments)
    if (Argument.isDevice() && Argument.toDevice().is_cuda())
      return Argument.toDevice();
  return c10::Device(c10::DeviceType::CUDA, currentDevice());
}

static bool hasCpuKernel(const c10::OperatorHandle &Op) {
  for (c10::DispatchKey Key :
       {c10::DispatchKey::CPU, c10::DispatchKey::CompositeExplicitAutograd,
        c10::DispatchKey::CompositeImplicitAutograd})
    if (Op.hasKernelForDispatchKey(Key))
      return true;
  return false;
}

static void runOnAliases(const c10::OperatorHandle &Op, Values &Arguments,
                         c10::Device Device) {
  std::string Name = operatorName(Op);
  Aliases Back(Name, Device);
  Stack Inner;
  for (const c10::IValue &Argument : Arguments)
    Inner.push_back(Back.enter(Argument));
  if (FusedKernel Fused = findFusedKernel(Name)) {
    Inner = Fused(Inner);
  } else {
    if (!hasCpuKernel(Op)) {
      noteUndecided(Name);
      TORCH_CHECK(false, "simulated CUDA: '", Name, "' has no CPU kernel");
    }
    Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &Inner);
  }
  Back.follow();
  Arguments.clear();
  for (const c10::IValue &Result : Inner)
    Arguments.push_back(Back.leave(Result));
}

void runCpuRegistration(const c10::OperatorHandle &Op, Stack *Stack) {
  Op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), Stack);
}

void runBoxed(const c10::OperatorHandle &Op, Stack *Stack) {
  size_t Count = Op.schema().arguments().size();
  Values Arguments(Stack->end() - Count, Stack->end());
  std::vector<at::Tensor> Tensors = tensorsOf(Arguments);
  c10::Device Device = resultDevice(Arguments, Tensors);
  if (!checkDevices(Op, findWrapper(operatorName(Op)), Arguments, Tensors))
    runOnAliases(Op, Arguments, Device);
  torch::jit::drop(*Stack, Count);
  Stack->insert(Stack->end(), Arguments.begin(), Arguments.end());
}

} // namespace sim
} // namespace tdl
