//===- FindingsReader.cpp - Reads the findings file -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindingsReader.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace tdl {
namespace verify {

using nlohmann::ordered_json;

/// Beyond these a file is no findings file; a reader must end.
static constexpr std::streamoff MaxBytes = 256 << 20;
static constexpr size_t MaxSteps = 10000;
static constexpr int MaxRank = 64;

namespace {

/// A value and where it stands, so that every complaint can say so.
class Cursor {
public:
  Cursor(const ordered_json &Value, std::string Path)
      : Value(&Value), Path(std::move(Path)) {}

  [[noreturn]] void fail(const std::string &What) const {
    throw FindingsError(Path + ": " + What);
  }
  bool has(const char *Key) const { return Value->contains(Key); }
  Cursor at(const char *Key) const {
    if (!has(Key))
      fail(std::string("expected the key '") + Key + "'");
    return Cursor((*Value)[Key], Path + "." + Key);
  }
  const Cursor &object() const {
    if (!Value->is_object())
      fail(std::string("expected an object, got ") + Value->type_name());
    return *this;
  }
  std::vector<Cursor> list() const {
    if (!Value->is_array())
      fail(std::string("expected a list, got ") + Value->type_name());
    std::vector<Cursor> Elements;
    for (size_t I = 0; I < Value->size(); ++I)
      Elements.emplace_back((*Value)[I], Path + "[" + std::to_string(I) + "]");
    return Elements;
  }
  /// An absent list is an empty one.
  std::vector<Cursor> list(const char *Key) const {
    return has(Key) ? at(Key).list() : std::vector<Cursor>();
  }
  std::string text() const {
    if (!Value->is_string())
      fail(std::string("expected a string, got ") + Value->type_name());
    return Value->get<std::string>();
  }
  std::string text(const char *Key) const {
    return has(Key) ? at(Key).text() : std::string();
  }
  int64_t integer() const {
    if (!Value->is_number_integer() ||
        (Value->is_number_unsigned() &&
         Value->get<uint64_t>() >
             uint64_t(std::numeric_limits<int64_t>::max())))
      fail("expected an integer of 64 bits");
    return Value->get<int64_t>();
  }
  int integer(int Low, int High) const {
    int64_t Number = integer();
    if (Number < Low || Number > High)
      fail("expected an integer from " + std::to_string(Low) + " to " +
           std::to_string(High) + ", got " + std::to_string(Number));
    return int(Number);
  }
  bool boolean() const {
    if (!Value->is_boolean())
      fail(std::string("expected true or false, got ") + Value->type_name());
    return Value->get<bool>();
  }
  double number() const {
    if (Value->is_number())
      return Value->get<double>();
    static const std::map<std::string, double> Names = {
        {"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
    auto Found = Names.find(text());
    if (Found == Names.end())
      fail("expected a number, \"inf\", \"-inf\" or \"nan\"");
    return Found->second;
  }
  bool isNull() const { return Value->is_null(); }

private:
  const ordered_json *Value;
  std::string Path;
};

} // namespace

/// A step before the one that is being read.
static int readStepNumber(const Cursor &C, int Before) {
  int64_t Number = C.integer();
  if (Number < 0 || Number >= Before)
    C.fail("expected a step before step " + std::to_string(Before) + ", got " +
           std::to_string(Number));
  return int(Number);
}

static Argument::Kind argumentKind(const std::string &Name) {
  using Kind = Argument::Kind;
  static const std::map<std::string, Kind> Kinds = {
      {"tensor", Kind::Tensor}, {"tensor-list", Kind::TensorList},
      {"device", Kind::Device}, {"device-of", Kind::DeviceOf},
      {"int", Kind::Int},       {"int-list", Kind::IntList},
      {"float", Kind::Float},   {"bool", Kind::Bool},
      {"dtype", Kind::DType},   {"opaque", Kind::Opaque}};
  auto Found = Kinds.find(Name);
  return Found == Kinds.end() ? Kind::Opaque : Found->second;
}

static Argument readArgument(const Cursor &C, int Before) {
  using Kind = Argument::Kind;
  Argument A;
  A.Name = C.object().text("name");
  A.ArgKind = argumentKind(C.at("kind").text());
  A.Text = C.text("text");
  switch (A.ArgKind) {
  case Kind::Tensor:
  case Kind::DeviceOf:
    A.Steps = {readStepNumber(C.at("step"), Before)};
    break;
  case Kind::TensorList:
    for (const Cursor &Element : C.list("steps"))
      A.Steps.push_back(Element.isNull() ? -1
                                         : readStepNumber(Element, Before));
    break;
  case Kind::Device:
  case Kind::DType:
    A.Text = C.at("value").text();
    break;
  case Kind::Int:
    A.Ints = {C.at("value").integer()};
    break;
  case Kind::IntList:
    for (const Cursor &Element : C.at("value").list())
      A.Ints.push_back(Element.integer());
    break;
  case Kind::Float:
    A.Number = C.at("value").number();
    break;
  case Kind::Bool:
    A.Flag = C.at("value").boolean();
    break;
  case Kind::Opaque:
    break;
  }
  return A;
}

static StepKind stepKind(const std::string &Name) {
  static const std::map<std::string, StepKind> Kinds = {
      {"input", StepKind::Input},     {"factory", StepKind::Factory},
      {"module", StepKind::Module},   {"batch", StepKind::Batch},
      {"like", StepKind::Like},       {"move", StepKind::Move},
      {"view", StepKind::View},       {"operation", StepKind::Operation},
      {"in-place", StepKind::InPlace},
      {"undefined", StepKind::Undefined}};
  auto Found = Kinds.find(Name);
  return Found == Kinds.end() ? StepKind::Unknown : Found->second;
}

static Step readStep(const Cursor &C, int Id) {
  Step S;
  S.Id = Id;
  if (C.object().at("id").integer() != Id)
    C.at("id").fail("expected " + std::to_string(Id) +
                    ", the step's place in the list");
  S.Kind = stepKind(C.at("kind").text());
  S.Op = C.text("op");
  S.Text = C.text("text");
  S.Subject = C.text("subject");
  S.Place = C.text("place");
  S.DType = C.text("dtype");
  if (C.has("rank"))
    S.Rank = C.at("rank").integer(0, MaxRank);
  if (C.has("minRank"))
    S.MinRank = C.at("minRank").integer(0, MaxRank);
  for (const Cursor &Element : C.list("arguments"))
    S.Arguments.push_back(readArgument(Element, Id));
  return S;
}

static Operand readOperand(const Cursor &C, int StepCount) {
  Operand O;
  O.Name = C.object().at("name").text();
  O.Text = C.text("text");
  O.Place = C.text("place");
  if (C.has("step"))
    O.Step = readStepNumber(C.at("step"), StepCount);
  return O;
}

static Fix readFix(const Cursor &C) {
  Fix F;
  F.Description = C.object().text("description");
  F.Operand = C.text("operand");
  F.Target = C.text("target");
  return F;
}

static Certainty readCertainty(const Cursor &C) {
  std::string Name = C.text();
  if (Name == "certain")
    return Certainty::Certain;
  if (Name == "conditional")
    return Certainty::Conditional;
  if (Name == "latent")
    return Certainty::Latent;
  C.fail("expected certain, conditional or latent, got '" + Name + "'");
}

static std::string readPoint(const Cursor &C) {
  return C.object().at("file").text() + ":" +
         std::to_string(C.at("line").integer()) + ":" +
         std::to_string(C.at("column").integer());
}

static Finding readFinding(const Cursor &C) {
  Finding F;
  F.Id = C.object().at("id").text();
  F.Check = C.at("check").text();
  F.Level = readCertainty(C.at("certainty"));
  F.Where = C.has("at") ? readPoint(C.at("at")) : "unknown place";
  F.Op = C.text("op");
  std::vector<Cursor> Steps = C.list("steps");
  if (Steps.size() > MaxSteps)
    C.at("steps").fail("expected at most " + std::to_string(MaxSteps) +
                       " steps, got " + std::to_string(Steps.size()));
  for (size_t I = 0; I < Steps.size(); ++I)
    F.Steps.push_back(readStep(Steps[I], int(I)));
  for (const Cursor &Element : C.list("operands"))
    F.Operands.push_back(readOperand(Element, int(Steps.size())));
  std::string Expect = C.at("expect").text();
  F.Expect = Expect == "throws"  ? Expectation::Throws
             : Expect == "stays" ? Expectation::Stays
                                 : Expectation::None;
  F.ErrorText = C.text("errorText");
  for (const Cursor &Element : C.list("fixes"))
    F.Fixes.push_back(readFix(Element));
  return F;
}

static std::string readWhole(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    throw FindingsError(Path + ": cannot be opened");
  std::ostringstream Text;
  char Buffer[1 << 16];
  std::streamoff Total = 0;
  while (In.read(Buffer, sizeof Buffer) || In.gcount()) {
    Total += In.gcount();
    if (Total > MaxBytes)
      throw FindingsError(Path +
                          ": larger than 256 MiB; is it a findings file?");
    Text.write(Buffer, In.gcount());
  }
  if (In.bad())
    throw FindingsError(Path + ": cannot be read");
  return Text.str();
}

static ordered_json parse(const std::string &Path) {
  try {
    return ordered_json::parse(readWhole(Path));
  } catch (const ordered_json::parse_error &Error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    std::string Text = Error.what();
    size_t End = Text.find("] ");
    throw FindingsError(
        Path + ": not JSON: " +
        (End == std::string::npos ? Text : Text.substr(End + 2)));
  }
}

static void checkVersion(const Cursor &Top) {
  if (!Top.object().has("schema") ||
      Top.at("schema").text() != "torch-device-lint/findings")
    Top.fail("expected \"schema\": \"torch-device-lint/findings\"; make the "
             "file with torch-device-lint --export-findings=FILE");
  int64_t Version = Top.at("version").integer();
  if (Version != 1)
    Top.at("version").fail("expected 1, got " + std::to_string(Version) +
                           "; use a verifier and a linter of the same release");
}

FindingsFile readFindings(const std::string &Path) {
  FindingsFile File;
  File.Json = parse(Path);
  Cursor Top(File.Json, Path);
  checkVersion(Top);
  std::set<std::string> Ids;
  for (const Cursor &Element : Top.at("findings").list()) {
    File.Findings.push_back(readFinding(Element));
    if (!Ids.insert(File.Findings.back().Id).second)
      Element.at("id").fail("this id occurred before");
  }
  return File;
}

} // namespace verify
} // namespace tdl
