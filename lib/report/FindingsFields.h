//===- FindingsFields.h - The keys of the findings file -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that names the keys and the words of the findings file, in the
// order in which they are written. The writer and the reader both walk these
// functions, so what one writes the other reads. `IO` is FindingsWriter.cpp's
// or FindingsReader.cpp's class; IO::Ref<T> is `const T &` for the writer and
// `T &` for the reader.
//
// A key is `required` when it is always there, else it is absent when its value
// is empty, 0 for a count or -1 for a step. An `openChoice` may have words that
// this version does not know: they are read as its last argument.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_FINDINGSFIELDS_H
#define TDL_REPORT_FINDINGSFIELDS_H

#include "report/FindingsFile.h"

namespace tdl::fields {

inline constexpr char SchemaName[] = "torch-device-lint/findings";

/// The word for each enumerator.
template <typename E> struct Word {
  E Value;
  llvm::StringLiteral Text;
};

inline constexpr Word<Certainty> CertaintyWords[] = {
    {Certainty::Certain, "certain"},
    {Certainty::Conditional, "conditional"},
    {Certainty::Latent, "latent"},
};

inline constexpr Word<StepKind> StepKindWords[] = {
    {StepKind::Input, "input"},      {StepKind::Factory, "factory"},
    {StepKind::Like, "like"},        {StepKind::Module, "module"},
    {StepKind::Batch, "batch"},      {StepKind::Move, "move"},
    {StepKind::View, "view"},        {StepKind::Operation, "operation"},
    {StepKind::InPlace, "in-place"}, {StepKind::Undefined, "undefined"},
};

inline constexpr Word<StepArgument::Kind> ArgumentKindWords[] = {
    {StepArgument::Kind::Tensor, "tensor"},
    {StepArgument::Kind::TensorList, "tensor-list"},
    {StepArgument::Kind::Device, "device"},
    {StepArgument::Kind::DeviceOf, "device-of"},
    {StepArgument::Kind::Int, "int"},
    {StepArgument::Kind::IntList, "int-list"},
    {StepArgument::Kind::Float, "float"},
    {StepArgument::Kind::Bool, "bool"},
    {StepArgument::Kind::DType, "dtype"},
    {StepArgument::Kind::Opaque, "opaque"},
};

inline constexpr Word<Expectation> ExpectationWords[] = {
    {Expectation::None, "none"},
    {Expectation::Throws, "throws"},
    {Expectation::Stays, "stays"},
};

inline constexpr Word<VerdictStatus> VerdictWords[] = {
    {VerdictStatus::Confirmed, "confirmed"},
    {VerdictStatus::Refuted, "refuted"},
    {VerdictStatus::NotRun, "not-run"},
};

template <typename IO> using PointRef = typename IO::template Ref<SourcePoint>;

template <typename IO> void describe(IO &Io, PointRef<IO> P) {
  Io.requiredPath("file", P.File);
  Io.required("line", P.Line);
  Io.optional("column", P.Column);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<SourceSpan> S) {
  Io.requiredObject("begin", S.Begin);
  Io.requiredObject("end", S.End);
  Io.required("offset", S.Offset);
  Io.required("length", S.Length);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<Note> N) {
  Io.optionalObject("at", N.At, N.At.isValid());
  Io.required("message", N.Message);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<FindingOperand> O) {
  Io.required("name", O.Name);
  Io.optional("text", O.Text);
  Io.optional("place", O.Place);
  Io.rank(O.Rank);
  Io.optional("dtype", O.DType);
  Io.optionalStep("step", O.Step);
  Io.flag("disagrees", O.Disagrees);
  Io.optionalObject("at", O.At, O.At.isValid());
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<StepArgument> A) {
  Io.optional("name", A.Name);
  Io.argument(A);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<StoryStep> S) {
  Io.requiredStep("id", S.Id);
  Io.openChoice("kind", S.Kind, StepKindWords, StepKind::Operation);
  Io.optional("op", S.Op);
  Io.optional("text", S.Text);
  Io.optional("subject", S.Subject);
  Io.optionalObject("at", S.At, S.At.isValid());
  Io.optional("place", S.Place);
  Io.rank(S.Rank);
  Io.optional("dtype", S.DType);
  Io.optional("condition", S.Condition);
  Io.optionalList("arguments", S.Arguments);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<Edit> E) {
  Io.requiredObject("span", E.Span);
  Io.required("replacement", E.Replacement);
}

template <typename IO> void describe(IO &Io, typename IO::template Ref<Fix> F) {
  Io.required("description", F.Description);
  Io.requiredList("edits", F.Edits);
  Io.optional("operand", F.Operand);
  Io.optional("target", F.Target);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<Verdict> V) {
  Io.choice("status", V.Status, VerdictWords);
  Io.optional("reason", V.Reason);
  Io.optionalStep("step", V.Step);
  Io.optional("device", V.Device);
  Io.optional("libtorch", V.LibTorch);
  Io.optional("errorText", V.ErrorText);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<FindingRecord> R) {
  typename IO::template Ref<Finding> F = R.What;
  Io.required("id", F.Id);
  Io.required("check", F.Check);
  Io.choice("certainty", F.Level, CertaintyWords);
  Io.optional("condition", F.Condition);
  Io.optional("function", F.Function);
  Io.optionalObject("at", F.At, F.At.isValid());
  Io.optionalList("macroPlaces", F.MacroPlaces);
  Io.optionalObject("extent", F.Extent, F.Extent.Begin.isValid());
  Io.required("message", F.Message);
  Io.optionalList("notes", F.Notes);
  Io.optional("op", F.Op);
  Io.optionalList("operands", F.Operands);
  Io.optionalList("steps", F.Steps);
  Io.openChoice("expect", F.Expect, ExpectationWords, Expectation::None);
  Io.optional("errorText", F.ErrorText);
  Io.optionalList("fixes", F.Fixes);
  Io.optionalObject("verdict", R.Seen);
}

template <typename IO>
void describe(IO &Io, typename IO::template Ref<Coverage> C) {
  Io.required("files", C.Files);
  Io.required("filesFailed", C.FilesFailed);
  Io.required("preludeFallbacks", C.PreludeFallbacks);
  Io.required("functions", C.Functions);
  Io.required("functionsGivenUp", C.FunctionsGivenUp);
  Io.required("operations", C.Operations);
  Io.required("operationsKnown", C.OperationsKnown);
  Io.required("operationsUnmodelled", C.OperationsUnmodelled);
  Io.required("suppressed", C.Suppressed);
}

/// The object under "tool".
template <typename IO>
void describe(IO &Io, typename IO::template Ref<RunInfo> R) {
  Io.required("name", R.Tool);
  Io.required("version", R.Version);
}

/// The whole file but "schema" and "version", which each side treats first.
/// "root" stands before every path: the reader needs it for them.
template <typename IO>
void describe(IO &Io, typename IO::template Ref<FindingsFile> F) {
  Io.requiredObject("tool", F.Run);
  Io.optionalList("libtorch", F.Run.LibTorch);
  Io.root("root", F.Run.Root);
  Io.requiredObject("coverage", F.Counts);
  Io.requiredList("findings", F.Records);
}

} // namespace tdl::fields

#endif // TDL_REPORT_FINDINGSFIELDS_H
