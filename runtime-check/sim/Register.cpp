//===- Register.cpp - Operators of the simulated device -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives every operator that has a CUDA kernel in LibTorch one here, and no
// other: composite operators run their own C++ code, and an operator without a
// CUDA kernel fails with the dispatcher's own message.
//
//===----------------------------------------------------------------------===//

#include "BoxedKernel.h"
#include "TypedKernels.h"
#include "Wrappers.h"

namespace tdl {
namespace sim {
namespace {

bool isOut(const std::string &Operator) {
  size_t Dot = Operator.find('.');
  if (Dot == std::string::npos)
    return false;
  std::string Overload = Operator.substr(Dot + 1);
  return Overload.find("out") != std::string::npos ||
         Overload.find("Out") != std::string::npos ||
         Overload == "grad_input" || Overload == "output";
}

/// Functional and in-place forms of iterator operators have a kernel in
/// libtorch_cpu that works for every device: it runs the real meta function
/// and calls the out= form.
bool hasDefaultKernel(const std::string &Operator, const Wrapper &W) {
  return W.KernelKind == Wrapper::Kind::Iterator && W.Checked.empty() &&
         !isOut(Operator);
}

struct Registrar {
  torch::Library Library{torch::Library::IMPL, "aten", c10::DispatchKey::CUDA,
                         __FILE__, __LINE__};

  Registrar() {
    auto Taken = registerTypedKernels(Library);
    for (const auto &Row : wrappers())
      if (!Taken.count(Row.first) && !hasDefaultKernel(Row.first, Row.second))
        Library.impl(Row.first.c_str(),
                     torch::CppFunction::makeFromBoxedFunction<&runBoxed>());
  }
} Registered;

} // namespace
} // namespace sim
} // namespace tdl
