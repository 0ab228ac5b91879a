//===- Finding.h - A finding as data --------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a check reports, free of clang: positions are resolved, values are
// plain. The writers (text, JSON), the filters (NOLINT) and the verifier's
// file are made from this and from nothing else. docs/formats/findings.md is
// the same structure as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_FINDING_H
#define TDL_FINDINGS_FINDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tdl {

/// A place in a file, as an editor shows it: line and column count from 1, the
/// column counts bytes. Line 0 means that no place is known.
struct SourcePoint {
  std::string File; ///< As the compile command and the includes spell it, made absolute.
  unsigned Line = 0;
  unsigned Column = 0;

  bool isValid() const { return Line != 0; }
  friend bool operator==(const SourcePoint &A, const SourcePoint &B) {
    return A.Line == B.Line && A.Column == B.Column && A.File == B.File;
  }
  friend bool operator<(const SourcePoint &A, const SourcePoint &B) {
    if (A.File != B.File)
      return A.File < B.File;
    return A.Line != B.Line ? A.Line < B.Line : A.Column < B.Column;
  }
};

/// Half open; Offset and Length count bytes of the file and are what edits use.
struct SourceSpan {
  SourcePoint Begin, End;
  unsigned Offset = 0;
  unsigned Length = 0;
};

enum class Certainty : uint8_t {
  Certain,     ///< Every execution that reaches the line fails.
  Conditional, ///< Fails where Finding::Condition holds.
  Latent,      ///< Fails for callers that pass some device.
};

/// What a step of a story does. The verifier executes steps by this.
enum class StepKind : uint8_t {
  Input,     ///< A tensor that comes from outside the function; its place is what the program established about it.
  Factory,   ///< Makes a tensor from options: torch::zeros, arange, tensor, from_blob.
  Like,      ///< Makes a tensor beside another: zeros_like, new_empty.
  Module,    ///< Makes a module; the tensor stands for its parameters and buffers.
  Batch,     ///< What a data loader hands out: on the CPU, as LibTorch's datasets make it.
  Move,      ///< to, cuda, cpu, pin_memory.
  View,      ///< Shares the storage of its first input: view, select, t.
  Operation, ///< Computes a new tensor from its inputs.
  InPlace,   ///< Changes its first input and returns it.
  Undefined, ///< There is no tensor. Op says why: "Tensor" (default-constructed), "move" (moved from), "reset", "grad", or a member of a layer ("nn::Linear.bias").
};

/// One argument of a step, under the parameter's name in ATen's schema
/// ("self", "index", "dim").
struct StepArgument {
  enum class Kind : uint8_t {
    Tensor,     ///< Steps[0] is the step that made it.
    TensorList, ///< Steps in order; -1 stands for an element that is no tensor (None, Slice, a number in index()).
    Device,     ///< Text is a device string ("cuda:0"); "cuda" means the current device.
    DeviceOf,   ///< The device of the tensor that Steps[0] made (x.device(), x.options()).
    Int,        ///< Text is a decimal number.
    IntList,    ///< Text is "[2,3]".
    Float,      ///< Text is a decimal number.
    Bool,       ///< Text is "true" or "false".
    DType,      ///< Text is "float", "long", "bool", ... as c10's ScalarType names, lower case.
    Opaque,     ///< Given in the source, value not known; Text is the source text.
  };
  std::string Name;
  Kind ArgKind = Kind::Opaque;
  std::vector<int> Steps;
  std::string Text;
};

/// What one line of the program made of a tensor, and where it was then.
struct StoryStep {
  int Id = 0;         ///< Index into Finding::Steps.
  StepKind Kind = StepKind::Operation;
  std::string Op;     ///< ATen's or torch's name: "zeros", "to", "index_select", "nn::functional::linear".
  std::string Text;   ///< The expression as it stands in the source, on one line, cut after 80 bytes.
  std::string Subject;///< The variable that holds the result, empty for a temporary.
  SourcePoint At;
  std::string Place;  ///< Device string after the step ("cpu", "cuda:1", "cuda" = current device), a name in angle brackets for a symbol ("<device of x>"), "" for unknown.
  int Rank = -1;      ///< Number of dimensions; -1 unknown, -2 at least 1.
  std::string DType;  ///< "float", "long", "bool", ...; empty when unknown.
  std::string Condition; ///< Source words of the path condition under which the step happens; empty when always.
  std::vector<StepArgument> Arguments;
};

/// A tensor that takes part in the operation that the finding is about.
struct FindingOperand {
  std::string Name;   ///< Parameter in ATen's schema: "self", "index", "indices[0]".
  std::string Text;   ///< Source text.
  std::string Place;
  int Rank = -1;
  std::string DType;
  int Step = -1;      ///< The step that made it; -1 when unknown.
  bool Disagrees = false; ///< One of the two that the message names.
  SourcePoint At;
};

/// A remark beneath the message.
struct Note {
  SourcePoint At;
  std::string Message;
};

struct Edit {
  SourceSpan Span;        ///< Text to replace; Length 0 inserts.
  std::string Replacement;
};

/// One way to repair the finding. Certain ones only.
struct Fix {
  std::string Description; ///< "move 'idx' to the device of 'x'".
  std::vector<Edit> Edits;
  std::string Operand;     ///< Which operand moves (its Name), for the verifier; empty when the fix is not a move.
  std::string Target;      ///< Beside which operand (its Name), or a device string.
};

/// What must happen when the steps are executed where the linter believes them.
enum class Expectation : uint8_t {
  None,   ///< Nothing at run time shows it.
  Throws, ///< The last step throws; Finding::ErrorText is part of the text.
  Stays,  ///< After the last step (a move with a dropped result) its first input is where it was.
};

struct Finding {
  std::string Check;      ///< "torch-cross-device-index".
  std::string Id;         ///< Stable under moved lines: hash of check, file, function and line text; filled by assignIds().
  Certainty Level = Certainty::Certain;
  std::string Condition;  ///< Source words ("torch::cuda::is_available()"); empty when Certain.
  std::string Function;   ///< Qualified name of the function around it.
  SourcePoint At;
  std::vector<SourcePoint> MacroPlaces; ///< When At stands in a macro: its text and its expansions, innermost first. NOLINT there counts too. Empty elsewhere.
  std::vector<SourcePoint> Origins; ///< For a finding in a callee that is told at the call: the operation, then the calls between. A finding at one of them makes this one a repetition. Empty elsewhere.
  std::vector<SourcePoint> Explains; ///< Operations that fail because of this finding: what another check says of them is a repetition. Empty for most checks.
  SourceSpan Extent;      ///< The expression, for underlining.
  std::string Message;    ///< One line, lower case, no full stop, no check name.
  std::vector<Note> Notes;///< In the order in which they are printed.
  std::string Op;         ///< The operation: "index", "add", "cat".
  std::vector<FindingOperand> Operands;
  std::vector<StoryStep> Steps; ///< Inputs before users; the operation itself is last.
  Expectation Expect = Expectation::None;
  std::string ErrorText;  ///< Part of LibTorch's message, without devices.
  std::vector<Fix> Fixes;
};

} // namespace tdl

#endif // TDL_FINDINGS_FINDING_H
