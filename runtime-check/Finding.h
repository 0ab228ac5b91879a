//===- Finding.h - A finding as the verifier needs it ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of docs/formats/findings.md that can be executed, checked by
// readFindings(): step N has the id N and names only steps before it. Names and
// meanings are those of the format.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_FINDING_H
#define TDL_RUNTIME_CHECK_FINDING_H

#include <cstdint>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

enum class StepKind {
  Input,
  Factory,
  Module, ///< Its tensor stands for the parameters and buffers.
  Batch,
  Like,
  Move,
  View,
  Operation,
  InPlace,
  Undefined, ///< There is no tensor; Op says why.
  Unknown, ///< Of a later version of the format; cannot be executed.
};

struct Argument {
  enum class Kind {
    Tensor,
    TensorList,
    Device,
    DeviceOf,
    Int,
    IntList,
    Float,
    Bool,
    DType,
    Opaque,
  };
  std::string Name; ///< Empty: the argument stands at its position.
  Kind ArgKind = Kind::Opaque;
  std::vector<int> Steps;    ///< -1 for an element that is no tensor.
  std::vector<int64_t> Ints; ///< One for Int.
  double Number = 0;
  bool Flag = false;
  std::string Text; ///< Device string, dtype, or source text.
};

struct Step {
  int Id = 0;
  StepKind Kind = StepKind::Unknown;
  std::string Op;      ///< Empty: made by code that is not LibTorch's.
  std::string Text;    ///< Source text, for messages.
  std::string Subject; ///< The variable, for messages.
  std::string Place;   ///< Empty: unknown. "<...>": a name.
  int Rank = -1;       ///< -1: unknown.
  int MinRank = 0;
  std::string DType; ///< Empty: unknown.
  std::vector<Argument> Arguments;
};

struct Operand {
  std::string Name; ///< "self", "indices[0]".
  std::string Text; ///< Source text.
  std::string Place;
  int Step = -1; ///< -1: unknown.
};

struct Fix {
  std::string Description;
  std::string Operand; ///< Empty: the fix is not a move.
  std::string Target;
};

enum class Certainty { Certain, Conditional, Latent };
enum class Expectation { None, Throws, Stays };

struct Finding {
  std::string Id;
  std::string Check;
  std::string Where; ///< "src/pick.cpp:6:23".
  Certainty Level = Certainty::Certain;
  std::string Op;
  std::vector<Operand> Operands;
  std::vector<Step> Steps;
  Expectation Expect = Expectation::None;
  std::string ErrorText;
  std::vector<Fix> Fixes;
};

/// A tensor out of a file.
inline bool isLoadedTensor(const Step &S) {
  return S.Kind == StepKind::Factory && S.Op == "load";
}

/// A name for a device that is not known.
inline bool isSymbol(const std::string &Place) {
  return !Place.empty() && Place.front() == '<';
}

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_FINDING_H
