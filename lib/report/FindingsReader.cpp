//===- FindingsReader.cpp - Findings from JSON ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reading side of FindingsFields.h. The file may come from anywhere: every
// value is checked, the first that is wrong is the error.
//
//===----------------------------------------------------------------------===//

#include "report/ArgumentValue.h"
#include "report/FindingsFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace llvm;
using namespace tdl;

/// Some hundred thousand findings with long stories; more would only fill the
/// memory.
static const uint64_t MaxFileBytes = uint64_t(1) << 30;

/// The format needs 9. LLVM's parser recurses, so that a file of a million "["
/// would end the program.
static const unsigned MaxDepth = 64;

static std::string shortText(const json::Value &Value) {
  const size_t MaxBytes = 60;
  if (Value.getAsObject())
    return "an object";
  if (Value.getAsArray())
    return "a list";
  std::string Text;
  raw_string_ostream(Text) << Value;
  if (Text.size() > MaxBytes)
    Text = json::fixUTF8(StringRef(Text).take_front(MaxBytes)) + "...";
  return Text;
}

namespace {

class Reader {
public:
  template <typename T> using Ref = T &;

  explicit Reader(StringRef Name) : Name(Name) {}

  Expected<FindingsFile> file(const json::Value &Top);

  void required(StringRef Key, std::string &Text) {
    if (const json::Value *V = get(Key, "a string"))
      readText(*V, Key, Text);
  }
  void required(StringRef Key, unsigned &Number) {
    if (const json::Value *V = get(Key, "a number of at least 0"))
      readCount(*V, Key, Number);
  }
  void requiredPath(StringRef Key, std::string &Path);
  void requiredStep(StringRef Key, int &Step) {
    if (const json::Value *V = get(Key, "the id of a step"))
      readStep(*V, Key, Step);
  }
  template <typename T> void requiredObject(StringRef Key, T &Value) {
    if (const json::Value *V = get(Key, "an object"))
      readObject(*V, Key, Value);
  }
  template <typename T> void requiredList(StringRef Key, std::vector<T> &List) {
    if (const json::Value *V = get(Key, "a list"))
      readList(*V, Key, List);
  }

  void optional(StringRef Key, std::string &Text) {
    if (has(Key))
      required(Key, Text);
  }
  void optional(StringRef Key, unsigned &Number) {
    if (has(Key))
      required(Key, Number);
  }
  void optionalStep(StringRef Key, int &Step) {
    if (has(Key))
      requiredStep(Key, Step);
  }
  template <typename T>
  void optionalObject(StringRef Key, T &Value, bool /*IsThere*/) {
    if (has(Key))
      requiredObject(Key, Value);
  }
  template <typename T>
  void optionalObject(StringRef Key, std::optional<T> &Value) {
    if (has(Key))
      requiredObject(Key, Value.emplace());
  }
  template <typename T> void optionalList(StringRef Key, std::vector<T> &List) {
    if (has(Key))
      requiredList(Key, List);
  }

  void root(StringRef Key, std::string &Path) {
    optional(Key, Path);
    Root = Path;
  }
  void flag(StringRef Key, bool &Value);
  template <typename E, size_t N>
  void choice(StringRef Key, E &Value, const fields::Word<E> (&Words)[N]);
  template <typename E, size_t N>
  void openChoice(StringRef Key, E &Value, const fields::Word<E> (&Words)[N],
                  E Unknown);
  void rank(int &Rank);
  void argument(StepArgument &A);

private:
  bool has(StringRef Key) const { return !Failed && Here->get(Key); }
  const json::Value *get(StringRef Key, StringRef Wanted);
  void readText(const json::Value &V, const Twine &Key, std::string &Text);
  void readCount(const json::Value &V, StringRef Key, unsigned &Number);
  void readStep(const json::Value &V, StringRef Key, int &Step);
  template <typename T>
  void readObject(const json::Value &V, const Twine &Key, T &Value);
  void readElement(const json::Value &V, const Twine &Key, std::string &Text) {
    readText(V, Key, Text);
  }
  template <typename T>
  void readElement(const json::Value &V, const Twine &Key, T &Value) {
    readObject(V, Key, Value);
  }
  template <typename T>
  void readList(const json::Value &V, StringRef Key, std::vector<T> &List);
  void readSteps(const json::Value &V, std::vector<int> &Steps);
  void checkHeader(const json::Object &Top);
  void checkSteps(const Finding &F, const Twine &Where);
  void checkStepsOfAll(const FindingsFile &File);

  void fail(const Twine &Key, const Twine &Wanted, const Twine &Found);
  void failAt(const Twine &Path, const Twine &Problem);

  StringRef Name;
  std::string Root;
  const json::Object *Here = nullptr;
  std::string
      Where; ///< Path of Here: "findings[2].steps[0]"; empty at the top.
  std::string Problem;
  bool Failed = false; ///< From then on nothing is read.
};

} // namespace

void Reader::failAt(const Twine &Path, const Twine &What) {
  if (Failed)
    return;
  Failed = true;
  Problem = (Name + ": " + Path + ": " + What).str();
}

void Reader::fail(const Twine &Key, const Twine &Wanted, const Twine &Found) {
  failAt(Where + (Where.empty() ? "" : ".") + Key,
         "expected " + Wanted + ", found " + Found);
}

/// The value under \p Key; null, with the error set, when there is none.
const json::Value *Reader::get(StringRef Key, StringRef Wanted) {
  if (Failed)
    return nullptr;
  if (Failed)
    return nullptr;
  const json::Value *V = Here->get(Key);
  if (!V)
    fail(Key, Wanted, "nothing");
  return V;
}

void Reader::readText(const json::Value &V, const Twine &Key,
                      std::string &Text) {
  std::optional<StringRef> S = V.getAsString();
  if (!S)
    return fail(Key, "a string", shortText(V));
  Text = S->str();
}

void Reader::readCount(const json::Value &V, StringRef Key, unsigned &Number) {
  std::optional<int64_t> N = V.getAsInteger();
  if (!N || *N < 0 || *N > std::numeric_limits<unsigned>::max())
    return fail(Key, "a number of at least 0", shortText(V));
  Number = *N;
}

void Reader::readStep(const json::Value &V, StringRef Key, int &Step) {
  std::optional<int64_t> N = V.getAsInteger();
  if (!N || *N < 0 || *N > std::numeric_limits<int>::max())
    return fail(Key, "the id of a step", shortText(V));
  Step = *N;
}

template <typename T>
void Reader::readObject(const json::Value &V, const Twine &Key, T &Value) {
  const json::Object *Inner = V.getAsObject();
  if (!Inner)
    return fail(Key, "an object", shortText(V));
  std::string Path = (Where + (Where.empty() ? "" : ".") + Key).str();
  SaveAndRestore SavedHere(Here, Inner);
  SaveAndRestore SavedWhere(Where, std::move(Path));
  fields::describe(*this, Value);
}

template <typename T>
void Reader::readList(const json::Value &V, StringRef Key,
                      std::vector<T> &List) {
  const json::Array *Elements = V.getAsArray();
  if (!Elements)
    return fail(Key, "a list", shortText(V));
  for (const auto &[Index, Element] : enumerate(*Elements)) {
    if (Failed)
      return;
    readElement(Element, Key + "[" + Twine(Index) + "]", List.emplace_back());
  }
}

void Reader::requiredPath(StringRef Key, std::string &Path) {
  required(Key, Path);
  if (Failed || Root.empty() || sys::path::is_absolute(Path))
    return;
  SmallString<128> Whole(Root);
  sys::path::append(Whole, Path);
  Path = Whole.str().str();
}

void Reader::flag(StringRef Key, bool &Value) {
  if (!has(Key))
    return;
  std::optional<bool> B = Here->getBoolean(Key);
  if (!B)
    return fail(Key, "true or false", shortText(*Here->get(Key)));
  Value = *B;
}

/// The word's row; the end of the table for another one.
template <typename E, size_t N>
static const fields::Word<E> *findWord(StringRef Text,
                                       const fields::Word<E> (&Words)[N]) {
  return llvm::find_if(
      Words, [&](const fields::Word<E> &W) { return W.Text == Text; });
}

template <typename E, size_t N>
void Reader::choice(StringRef Key, E &Value,
                    const fields::Word<E> (&Words)[N]) {
  std::string Text;
  required(Key, Text);
  if (Failed)
    return;
  const fields::Word<E> *Found = findWord(Text, Words);
  if (Found == std::end(Words)) {
    const auto TextOf = [](const fields::Word<E> &W) { return W.Text; };
    return fail(Key, "one of " + join(map_range(Words, TextOf), ", "),
                shortText(*Here->get(Key)));
  }
  Value = Found->Value;
}

template <typename E, size_t N>
void Reader::openChoice(StringRef Key, E &Value,
                        const fields::Word<E> (&Words)[N], E Unknown) {
  std::string Text;
  required(Key, Text);
  const fields::Word<E> *Found = findWord(Text, Words);
  Value = Found == std::end(Words) ? Unknown : Found->Value;
}

void Reader::rank(int &Rank) {
  unsigned Number = 0;
  if (has("rank")) {
    required("rank", Number);
    if (!Failed && Number > unsigned(std::numeric_limits<int>::max()))
      fail("rank", "a number of dimensions", Twine(Number));
    Rank = Number;
  } else if (has("minRank")) {
    required("minRank", Number);
    Rank = Number > 0 ? -2 : -1;
  }
}

/// One of "steps": a step's id, or null for an element that is no tensor.
void Reader::readSteps(const json::Value &V, std::vector<int> &Steps) {
  const json::Array *Elements = V.getAsArray();
  if (!Elements)
    return fail("steps", "a list", shortText(V));
  for (const json::Value &Element : *Elements) {
    int Step = -1;
    if (Element.kind() != json::Value::Null)
      readStep(Element, "steps", Step);
    Steps.push_back(Step);
  }
}

void Reader::argument(StepArgument &A) {
  using Kind = StepArgument::Kind;
  openChoice("kind", A.ArgKind, fields::ArgumentKindWords, Kind::Opaque);
  switch (A.ArgKind) {
  case Kind::Tensor:
  case Kind::DeviceOf:
    return requiredStep("step", A.Steps.emplace_back(0));
  case Kind::TensorList:
    if (const json::Value *V = get("steps", "a list"))
      readSteps(*V, A.Steps);
    return optional("text", A.Text);
  case Kind::Opaque:
    return optional("text", A.Text);
  default:
    break;
  }
  const json::Value *V = get("value", formOfValue(A.ArgKind));
  if (!V)
    return;
  std::optional<std::string> Text = textOfValue(A.ArgKind, *V);
  if (!Text)
    return fail("value", formOfValue(A.ArgKind), shortText(*V));
  A.Text = std::move(*Text);
}

void Reader::checkHeader(const json::Object &Top) {
  Here = &Top;
  std::string Schema;
  required("schema", Schema);
  if (!Failed && Schema != fields::SchemaName)
    fail("schema", "\"" + Twine(fields::SchemaName) + "\"",
         shortText(*Top.get("schema")));
  unsigned Version = 0;
  required("version", Version);
  if (!Failed && Version != FindingsFileVersion)
    fail("version",
         Twine(FindingsFileVersion) + ", the only one that this program reads",
         Twine(Version) + "; export the findings again with this program");
}

/// Steps stand at their index and name only steps before them, so that whoever
/// walks them needs no checks and cannot run in a circle.
void Reader::checkSteps(const Finding &F, const Twine &Path) {
  for (const auto &[Index, Step] : enumerate(F.Steps)) {
    const std::string StepPath = (Path + ".steps[" + Twine(Index) + "]").str();
    if (Step.Id != int(Index))
      failAt(StepPath + ".id",
             "expected " + Twine(Index) + ", found " + Twine(Step.Id));
    for (const StepArgument &A : Step.Arguments)
      for (int Used : A.Steps)
        if (Used >= int(Index))
          failAt(StepPath + ".arguments", "expected steps before step " +
                                              Twine(Index) + ", found step " +
                                              Twine(Used));
  }
  for (const auto &[Index, Operand] : enumerate(F.Operands))
    if (Operand.Step >= int(F.Steps.size()))
      failAt(Path + ".operands[" + Twine(Index) + "].step",
             "expected one of the " + Twine(F.Steps.size()) +
                 " steps, found step " + Twine(Operand.Step));
}

void Reader::checkStepsOfAll(const FindingsFile &File) {
  for (const auto &[Index, R] : enumerate(File.Records)) {
    const std::string Path = ("findings[" + Twine(Index) + "]").str();
    checkSteps(R.What, Path);
    if (R.Seen && R.Seen->Step >= int(R.What.Steps.size()))
      failAt(Path + ".verdict.step",
             "expected one of the " + Twine(R.What.Steps.size()) +
                 " steps, found step " + Twine(R.Seen->Step));
  }
}

Expected<FindingsFile> Reader::file(const json::Value &Top) {
  FindingsFile File;
  if (const json::Object *Object = Top.getAsObject()) {
    checkHeader(*Object);
    fields::describe(*this, File);
    checkStepsOfAll(File);
  } else {
    failAt("top level", "expected an object, found " + shortText(Top));
  }
  if (Failed)
    return createStringError(Problem);
  return File;
}

/// Counts brackets outside strings; does not care whether they match.
static bool isTooDeep(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (InString && C == '\\')
      I = std::min(I + 1, Text.size() - 1);
    else if (C == '"')
      InString = !InString;
    else if (!InString && (C == '[' || C == '{') && ++Depth > MaxDepth)
      return true;
    else if (!InString && (C == ']' || C == '}') && Depth > 0)
      --Depth;
  }
  return false;
}

Expected<FindingsFile> tdl::parseFindings(StringRef Text, StringRef Name) {
  if (isTooDeep(Text))
    return createStringError(Name + ": nested more than " + Twine(MaxDepth) +
                             " deep: this is no findings file");
  Expected<json::Value> Top = json::parse(Text);
  if (!Top)
    return createStringError(Name +
                             ": expected JSON: " + toString(Top.takeError()));
  return Reader(Name).file(*Top);
}

Expected<FindingsFile> tdl::readFindingsFile(StringRef Path) {
  uint64_t Size = 0;
  std::error_code EC = sys::fs::file_size(Path, Size);
  if (!EC && Size > MaxFileBytes)
    return createStringError(Path + ": larger than 1 GiB: this is no findings "
                                    "file");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  return parseFindings((*Buffer)->getBuffer(), Path);
}
