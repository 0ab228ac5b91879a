//===- FindingsWriter.cpp - Findings to JSON ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The writing side of FindingsFields.h.
//
//===----------------------------------------------------------------------===//

#include "findings/FindingId.h"
#include "findings/FindingSet.h"
#include "report/ArgumentValue.h"
#include "report/FindingsFields.h"
#include "report/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tdl;

static std::string validText(StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}

namespace {

class Writer {
public:
  template <typename T> using Ref = const T &;

  Writer(raw_ostream &OS) : Out(OS, /*IndentSize=*/2) {}

  void file(const FindingsFile &File) {
    Out.object([&] {
      required("schema", fields::SchemaName);
      required("version", FindingsFileVersion);
      fields::describe(*this, File);
    });
  }

  void required(StringRef Key, StringRef Text) {
    Out.attribute(Key, validText(Text));
  }
  void required(StringRef Key, unsigned Number) { Out.attribute(Key, Number); }
  void requiredPath(StringRef Key, StringRef Path) {
    required(Key, pathBelow(Path, Root));
  }
  void requiredStep(StringRef Key, int Step) { Out.attribute(Key, Step); }
  template <typename T> void requiredObject(StringRef Key, const T &Value) {
    Out.attributeObject(Key, [&] { fields::describe(*this, Value); });
  }
  template <typename T>
  void requiredList(StringRef Key, const std::vector<T> &List) {
    Out.attributeArray(Key, [&] {
      for (const T &Element : List)
        Out.object([&] { fields::describe(*this, Element); });
    });
  }

  void optional(StringRef Key, StringRef Text) {
    if (!Text.empty())
      required(Key, Text);
  }
  void optional(StringRef Key, unsigned Number) {
    if (Number != 0)
      required(Key, Number);
  }
  void optionalStep(StringRef Key, int Step) {
    if (Step >= 0)
      requiredStep(Key, Step);
  }
  template <typename T>
  void optionalObject(StringRef Key, const T &Value, bool IsThere) {
    if (IsThere)
      requiredObject(Key, Value);
  }
  template <typename T>
  void optionalObject(StringRef Key, const std::optional<T> &Value) {
    if (Value)
      requiredObject(Key, *Value);
  }
  template <typename T>
  void optionalList(StringRef Key, const std::vector<T> &List) {
    if (!List.empty())
      requiredList(Key, List);
  }
  void optionalList(StringRef Key, const std::vector<std::string> &List) {
    if (List.empty())
      return;
    Out.attributeArray(Key, [&] {
      for (const std::string &Text : List)
        Out.value(validText(Text));
    });
  }

  void root(StringRef Key, StringRef Path) {
    Root = Path;
    optional(Key, Path);
  }
  void flag(StringRef Key, bool Value) {
    if (Value)
      Out.attribute(Key, true);
  }
  template <typename E, size_t N>
  void choice(StringRef Key, E Value, const fields::Word<E> (&Words)[N]) {
    for (const fields::Word<E> &W : Words)
      if (W.Value == Value)
        return required(Key, W.Text);
    llvm_unreachable("an enumerator without a word");
  }
  template <typename E, size_t N>
  void openChoice(StringRef Key, E Value, const fields::Word<E> (&Words)[N],
                  E /*Unknown*/) {
    choice(Key, Value, Words);
  }
  void rank(int Rank) {
    if (Rank >= 0)
      Out.attribute("rank", Rank);
    else if (Rank == RankAtLeastOne)
      Out.attribute("minRank", 1);
  }

  void argument(const StepArgument &A);

private:
  static const int RankAtLeastOne = -2; ///< As StoryStep::Rank says.

  json::OStream Out;
  StringRef Root;
};

} // namespace

void Writer::argument(const StepArgument &A) {
  const auto Kind = kindAsWritten(A);
  choice("kind", Kind, fields::ArgumentKindWords);
  switch (Kind) {
  case StepArgument::Kind::Tensor:
  case StepArgument::Kind::DeviceOf:
    return requiredStep("step", A.Steps.front());
  case StepArgument::Kind::TensorList:
    Out.attributeArray("steps", [&] {
      for (int Step : A.Steps)
        Out.value(Step >= 0 ? json::Value(Step) : json::Value(nullptr));
    });
    return optional("text", A.Text);
  case StepArgument::Kind::Opaque:
    return required("text", A.Text);
  default:
    Out.attributeBegin("value");
    Out.rawValue(valueOfArgument(A));
    Out.attributeEnd();
  }
}

/// What does not change the meaning must not change the bytes.
static FindingsFile inOrder(FindingsFile File) {
  llvm::sort(File.Run.LibTorch);
  File.Run.LibTorch.erase(llvm::unique(File.Run.LibTorch),
                          File.Run.LibTorch.end());
  llvm::sort(File.Records, [](const FindingRecord &A, const FindingRecord &B) {
    if (findingLess(A.What, B.What) || findingLess(B.What, A.What))
      return findingLess(A.What, B.What);
    return A.What.Id < B.What.Id;
  });
  return File;
}

void tdl::writeFindings(raw_ostream &OS, const FindingsFile &File) {
  Writer(OS).file(inOrder(File));
  OS << '\n';
}

Error tdl::writeFindingsFile(StringRef Path, ArrayRef<Finding> Findings,
                             const Coverage &Counts, const RunInfo &Run) {
  FindingsFile File{Run, Counts, {}};
  for (const Finding &F : Findings)
    File.Records.push_back({F, std::nullopt});
  std::string Text;
  raw_string_ostream OS(Text);
  writeFindings(OS, File);
  return writeOutputFile(Path, Text);
}
