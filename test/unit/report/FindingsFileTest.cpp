//===- FindingsFileTest.cpp - The findings file: findings as JSON ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, the documents in docs/formats, and files that are damaged or
// hostile.
//
//===----------------------------------------------------------------------===//

#include "report/FindingsFile.h"
#include "findings/SourceText.h"
#include "report/OutputFile.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tdl;

/// A file of docs/formats/, found from this file's place.
static std::string documentText(StringRef Name) {
  SmallString<128> Path(__FILE__);
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", "..", "..");
  sys::path::append(Path, "docs", "formats", Name);
  return SourceText().text(Path).str();
}

static std::string textOf(const FindingsFile &File) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeFindings(OS, File);
  return Text;
}

/// The error of reading \p Text; empty when it was read.
static std::string errorOf(StringRef Text) {
  Expected<FindingsFile> File = parseFindings(Text, "f.json");
  return File ? std::string() : toString(File.takeError());
}

static StepArgument argument(StepArgument::Kind Kind, StringRef Text,
                             std::vector<int> Steps = {}) {
  return {"arg", Kind, std::move(Steps), Text.str()};
}

static std::vector<StepArgument> oneOfEachKind() {
  using Kind = StepArgument::Kind;
  return {argument(Kind::Tensor, "", {0}),
          argument(Kind::TensorList, "{None, x}", {-1, 0}),
          argument(Kind::Device, "cuda:1"),
          argument(Kind::DeviceOf, "", {0}),
          argument(Kind::Int, "-9223372036854775808"),
          argument(Kind::IntList, "[2,-3]"),
          argument(Kind::IntList, "[]"),
          argument(Kind::Float, "0.1"),
          argument(Kind::Float, "-inf"),
          argument(Kind::Bool, "true"),
          argument(Kind::DType, "long"),
          argument(Kind::Opaque, "n + \"\\\n1\"")};
}

/// A record with a value in every member.
static FindingRecord fullRecord() {
  const SourcePoint P{"/p/src/a.cpp", 3, 5}, Q{"/elsewhere/b.h", 70, 1};
  FindingRecord R;
  Finding &F = R.What;
  F = {};
  F.Check = "torch-cross-device-op";
  F.Id = "0123456789abcdef";
  F.Level = Certainty::Conditional;
  F.Condition = "torch::cuda::is_available()";
  F.Function = "ns::f";
  F.At = P;
  F.MacroPlaces = {Q, P};
  F.Extent = {P, {"/p/src/a.cpp", 4, 2}, 40, 17};
  F.Message = "'a' is on \xE2\x88\x9E";
  F.Notes = {{P, "made here"}, {{}, "without a place"}};
  F.Op = "add";
  F.Operands = {{"self", "a", "cpu", 2, "float", 0, true, P},
                {"other", "b", "<device of x>", -2, "", -1, false, {}}};
  StoryStep Made{0, StepKind::Input, "", "x", "x", P, "cuda",
                 0, "long",          "", {}};
  StoryStep Used{
      1,     StepKind::InPlace, "add_", "x.add_(..)", "", Q, "", -1, "",
      "gpu", oneOfEachKind()};
  F.Steps = {Made, Used};
  F.Expect = Expectation::Throws;
  F.ErrorText = "Expected all tensors";
  F.Fixes = {{"move 'b'", {{{P, P, 44, 0}, ".to(x)\n"}}, "other", "self"}};
  R.Seen = Verdict{VerdictStatus::Refuted,
                   "on cpu, not on cuda",
                   1,
                   "simulated",
                   "2.11.0",
                   "boom"};
  return R;
}

static FindingsFile fullFile() {
  FindingsFile File;
  File.Run = {"torch-device-lint", "0.1.0", {"2.11.0", "2.6.0"}, "/p"};
  File.Counts = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  File.Records = {fullRecord()};
  return File;
}

static FindingsFile readBack(const FindingsFile &File) {
  Expected<FindingsFile> Again = parseFindings(textOf(File), "f.json");
  if (!Again) {
    ADD_FAILURE() << toString(Again.takeError());
    return {};
  }
  return std::move(*Again);
}

TEST(FindingsFileTest, roundTripOfEveryKey) {
  const FindingsFile File = fullFile();
  const FindingsFile Again = readBack(File);
  EXPECT_EQ(textOf(Again), textOf(File));

  // The text agrees with itself; these are the members.
  ASSERT_EQ(Again.Records.size(), 1u);
  const Finding &F = Again.Records[0].What, G = File.Records[0].What;
  EXPECT_EQ(F.Level, G.Level);
  EXPECT_EQ(F.At, G.At);
  EXPECT_EQ(F.MacroPlaces, G.MacroPlaces);
  EXPECT_EQ(F.Extent.End, G.Extent.End);
  EXPECT_EQ(F.Extent.Length, 17u);
  EXPECT_FALSE(F.Notes[1].At.isValid());
  EXPECT_EQ(F.Operands[0].Rank, 2);
  EXPECT_TRUE(F.Operands[0].Disagrees);
  EXPECT_EQ(F.Operands[1].Rank, -2);
  EXPECT_EQ(F.Operands[1].Step, -1);
  EXPECT_EQ(F.Steps[0].Rank, 0);
  EXPECT_EQ(F.Steps[1].Rank, -1);
  EXPECT_EQ(F.Steps[1].Kind, StepKind::InPlace);
  EXPECT_EQ(F.Expect, Expectation::Throws);
  EXPECT_EQ(F.Fixes[0].Edits[0].Replacement, ".to(x)\n");
  EXPECT_EQ(Again.Records[0].Seen->Status, VerdictStatus::Refuted);
  EXPECT_EQ(Again.Records[0].Seen->Step, 1);
  EXPECT_EQ(Again.Counts.Suppressed, 9u);
  EXPECT_EQ(Again.Run.Root, "/p");
}

TEST(FindingsFileTest, roundTripOfEveryKindOfArgument) {
  const std::vector<StepArgument> Given = oneOfEachKind();
  const FindingsFile Again = readBack(fullFile());
  ASSERT_EQ(Again.Records.size(), 1u);
  const std::vector<StepArgument> &Read =
      Again.Records[0].What.Steps[1].Arguments;
  ASSERT_EQ(Read.size(), Given.size());
  for (size_t I = 0; I != Given.size(); ++I) {
    SCOPED_TRACE(I);
    EXPECT_EQ(Read[I].ArgKind, Given[I].ArgKind);
    EXPECT_EQ(Read[I].Text, Given[I].Text);
    EXPECT_EQ(Read[I].Steps, Given[I].Steps);
  }
}

TEST(FindingsFileTest, anEmptyFindingHasNoEmptyKeys) {
  FindingsFile File;
  File.Records.resize(1);
  const std::string Text = textOf(File);
  EXPECT_EQ(Text.find("null"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("[]"), std::string::npos) << Text;
  EXPECT_EQ(textOf(readBack(File)), Text);
}

TEST(FindingsFileTest, valuesThatAreNotOfTheirFormAreOpaque) {
  using Kind = StepArgument::Kind;
  FindingsFile File = fullFile();
  File.Records[0].What.Steps[1].Arguments = {
      argument(Kind::Int, "n + 1"),
      argument(Kind::IntList, "[2,n]"),
      argument(Kind::IntList, "2,3"),
      argument(Kind::Float, "1e"),
      argument(Kind::Bool, "1"),
      argument(Kind::Device, ""),
      argument(Kind::Tensor, "x"),
      argument(Kind::DeviceOf, "x", {-1}),
      argument(Kind::Int, "99999999999999999999")};
  const FindingsFile Again = readBack(File);
  ASSERT_EQ(Again.Records.size(), 1u);
  for (const StepArgument &A : Again.Records[0].What.Steps[1].Arguments)
    EXPECT_EQ(A.ArgKind, Kind::Opaque) << A.Text;
}

TEST(FindingsFileTest, textThatIsNoUtf8) {
  FindingsFile File = fullFile();
  File.Records[0].What.Message = "cut in a character: \xE2\x88";
  const FindingsFile Again = readBack(File);
  ASSERT_EQ(Again.Records.size(), 1u);
  EXPECT_EQ(Again.Records[0].What.Message, "cut in a character: \xEF\xBF\xBD");
}

TEST(FindingsFileTest, orderOfTheListDoesNotShow) {
  FindingsFile File = fullFile(), Other = fullFile();
  FindingRecord Second = fullRecord();
  Second.What.At.Line = 2;
  File.Records.push_back(Second);
  Other.Records.insert(Other.Records.begin(), Second);
  Other.Run.LibTorch = {"2.6.0", "2.11.0", "2.6.0"};
  EXPECT_EQ(textOf(File), textOf(Other));
}

/// All keys of all objects in \p Value.
static void collectKeys(const json::Value &Value, StringSet<> &Keys) {
  if (const json::Object *Object = Value.getAsObject())
    for (const auto &Member : *Object) {
      Keys.insert(StringRef(Member.first));
      collectKeys(Member.second, Keys);
    }
  if (const json::Array *List = Value.getAsArray())
    for (const json::Value &Element : *List)
      collectKeys(Element, Keys);
}

/// The names under every "properties" in \p Value.
static void collectProperties(const json::Value &Value, StringSet<> &Names) {
  if (const json::Object *Object = Value.getAsObject()) {
    if (const json::Object *Properties = Object->getObject("properties"))
      for (const auto &Member : *Properties)
        Names.insert(StringRef(Member.first));
    for (const auto &Member : *Object)
      collectProperties(Member.second, Names);
  }
  if (const json::Array *List = Value.getAsArray())
    for (const json::Value &Element : *List)
      collectProperties(Element, Names);
}

TEST(FindingsFileTest, schemaHasTheKeysThatAreWritten) {
  Expected<json::Value> Schema =
      json::parse(documentText("findings.schema.json"));
  ASSERT_TRUE(bool(Schema)) << toString(Schema.takeError());
  StringSet<> Written, Described;
  collectKeys(cantFail(json::parse(textOf(fullFile()))), Written);
  collectProperties(*Schema, Described);
  for (const auto &Key : Written)
    EXPECT_TRUE(Described.contains(Key.first())) << Key.first().str();
  for (const auto &Key : Described) {
    bool IsVerifiers = Key.first() == "assumed"; // Only the verifier writes it.
    EXPECT_TRUE(IsVerifiers || Written.contains(Key.first()))
        << Key.first().str();
  }
}

TEST(FindingsFileTest, documentNamesTheKeysThatAreWritten) {
  const std::string Document = documentText("findings.md");
  StringSet<> Written;
  collectKeys(cantFail(json::parse(textOf(fullFile()))), Written);
  for (const auto &Key : Written)
    EXPECT_NE(Document.find("`" + Key.first().str() + "`"), std::string::npos)
        << Key.first().str();
}

TEST(FindingsFileTest, exampleOfTheDocumentIsWhatWeWrite) {
  const std::string Document = documentText("findings.md");
  StringRef Example = StringRef(Document).split("```json\n").second;
  Example = Example.split("```").first;
  Expected<FindingsFile> File = parseFindings(Example, "findings.md");
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(cantFail(json::parse(textOf(*File))),
            cantFail(json::parse(Example)));
}

/// A file with one finding, whose text holds \p Members besides what it must.
static std::string fileWith(StringRef Members, StringRef Version = "1") {
  return (R"({"schema": "torch-device-lint/findings", "version": )" + Version +
          R"(, "tool": {"name": "t", "version": "0"}, "root": "/p",
  "coverage": {"files": 1, "filesFailed": 0, "preludeFallbacks": 0,
    "functions": 0, "functionsGivenUp": 0, "operations": 0,
    "operationsKnown": 0, "operationsUnmodelled": 0, "suppressed": 0},
  "findings": [{"id": "0", "check": "c", "certainty": "certain",
    "message": "m")" +
          Members + "}]}")
      .str();
}

TEST(FindingsFileTest, unknownKeysAndOpenWordsAreIgnored) {
  Expected<FindingsFile> File =
      parseFindings(fileWith(R"(, "expect": "hangs", "new": [{"deep": null}],
        "steps": [{"id": 0, "kind": "guard", "arguments": [
          {"kind": "stream", "value": 7}]}],
        "verdict": {"status": "confirmed", "device": "xpu", "runs": 3})"),
                    "f.json");
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  const FindingRecord &R = File->Records[0];
  EXPECT_EQ(R.What.Expect, Expectation::None);
  EXPECT_EQ(R.What.Steps[0].Kind, StepKind::Operation);
  EXPECT_EQ(R.What.Steps[0].Arguments[0].ArgKind, StepArgument::Kind::Opaque);
  EXPECT_EQ(R.Seen->Status, VerdictStatus::Confirmed);
  EXPECT_EQ(R.Seen->Device, "xpu");
}

TEST(FindingsFileTest, otherFormatsAndVersions) {
  EXPECT_EQ(errorOf("[]"),
            "f.json: top level: expected an object, found a list");
  EXPECT_EQ(errorOf("{}"), "f.json: schema: expected a string, found nothing");
  EXPECT_EQ(errorOf(R"({"schema": "sarif"})"),
            "f.json: schema: expected \"torch-device-lint/findings\", found "
            "\"sarif\"");
  EXPECT_EQ(errorOf(fileWith(R"(, "expect": "none")", "2")),
            "f.json: version: expected 1, the only one that this program "
            "reads, found 2; export the findings again with this program");
}

TEST(FindingsFileTest, damagedValuesAreNamed) {
  const std::pair<const char *, const char *> Damages[] = {
      {R"()", "expect: expected a string, found nothing"},
      {R"(, "expect": 3)", "expect: expected a string, found 3"},
      {R"(, "expect": "none", "at": {"line": 3})",
       "at.file: expected a string, found nothing"},
      {R"(, "expect": "none", "at": {"file": "a", "line": -1})",
       "at.line: expected a number of at least 0, found -1"},
      {R"(, "expect": "none", "at": {"file": "a", "line": 4294967296})",
       "at.line: expected a number of at least 0, found 4294967296"},
      {R"(, "expect": "none", "at": {"file": "a", "line": 1.5})",
       "at.line: expected a number of at least 0, found 1.5"},
      {R"(, "expect": "none", "notes": {})",
       "notes: expected a list, found an object"},
      {R"(, "expect": "none", "notes": [7])",
       "notes[0]: expected an object, found 7"},
      {R"(, "expect": "none", "verdict": {"status": "maybe"})",
       "verdict.status: expected one of confirmed, refuted, not-run, found "
       "\"maybe\""},
      {R"(, "expect": "none", "verdict": {"status": "not-run", "step": 0})",
       "verdict.step: expected one of the 0 steps, found step 0"},
      {R"(, "expect": "none", "operands": [{"name": "self", "step": 0}])",
       "operands[0].step: expected one of the 0 steps, found step 0"},
      {R"(, "expect": "none", "operands": [{"name": "a", "disagrees": "yes"}])",
       "operands[0].disagrees: expected true or false, found \"yes\""},
      {R"(, "expect": "none", "steps": [{"id": 1, "kind": "input"}])",
       "steps[0].id: expected 0, found 1"},
      {R"(, "expect": "none", "steps": [{"id": 0, "kind": "view",
        "arguments": [{"kind": "tensor", "step": 0}]}])",
       "steps[0].arguments: expected steps before step 0, found step 0"},
      {R"(, "expect": "none", "steps": [{"id": 0, "kind": "view",
        "arguments": [{"kind": "tensor", "step": -1}]}])",
       "steps[0].arguments[0].step: expected the id of a step, found -1"},
      {R"(, "expect": "none", "steps": [{"id": 0, "kind": "view",
        "arguments": [{"kind": "int", "value": 1.5}]}])",
       "steps[0].arguments[0].value: expected an integer, found 1.5"},
      {R"(, "expect": "none", "steps": [{"id": 0, "kind": "view",
        "arguments": [{"kind": "int-list", "value": [1, "2"]}]}])",
       "steps[0].arguments[0].value: expected a list of integers, found a "
       "list"},
      {R"(, "expect": "none", "steps": [{"id": 0, "kind": "view",
        "arguments": [{"kind": "float", "value": "infinite"}]}])",
       "steps[0].arguments[0].value: expected a number, \"inf\", \"-inf\" or "
       "\"nan\", found \"infinite\""},
  };
  for (const auto &[Members, Problem] : Damages)
    EXPECT_EQ(errorOf(fileWith(Members)),
              std::string("f.json: findings[0].") + Problem);
}

TEST(FindingsFileTest, errorsAreOneShortLine) {
  const std::string Long(100000, 'x');
  const std::string Error = errorOf(
      fileWith(", \"expect\": \"none\", \"verdict\": {\"status\": \"a\\n" +
               Long + "\"}"));
  EXPECT_NE(Error.find("verdict.status"), std::string::npos);
  EXPECT_EQ(Error.find('\n'), std::string::npos);
  EXPECT_LT(Error.size(), 200u);
}

TEST(FindingsFileTest, everyCutFileIsAnError) {
  const std::string Text = textOf(fullFile());
  const size_t End = StringRef(Text).rtrim().size();
  for (size_t Size = 0; Size < End; ++Size)
    EXPECT_NE(errorOf(StringRef(Text).take_front(Size)), "") << Size;
  EXPECT_EQ(errorOf(StringRef(Text).take_front(End)), "");
}

TEST(FindingsFileTest, anyChangedByteIsReadOrRefused) {
  const std::string Text = textOf(fullFile());
  const StringRef Bytes("\0\"{]-9\xFF", 7);
  for (size_t At = 0; At != Text.size(); ++At) {
    std::string Damaged = Text;
    Damaged[At] = Bytes[At % Bytes.size()];
    EXPECT_EQ(errorOf(Damaged).find('\n'), std::string::npos);
  }
}

TEST(FindingsFileTest, deepNestingIsRefused) {
  EXPECT_EQ(errorOf(std::string(1000000, '[')),
            "f.json: nested more than 64 deep: this is no findings file");
  // Brackets in strings are text.
  EXPECT_EQ(errorOf(fileWith(", \"expect\": \"none\", \"function\": \"\\\"" +
                             std::string(1000, '[') + "\"")),
            "");
}

namespace {
/// A folder that is gone after the test.
class FindingsFileOnDisk : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("findings", Folder));
  }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) const {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    return Path.str().str();
  }
  unsigned filesInFolder() const {
    std::error_code EC;
    unsigned Count = 0;
    for (sys::fs::directory_iterator I(Folder, EC), E; I != E && !EC;
         I.increment(EC))
      ++Count;
    return Count;
  }

  SmallString<128> Folder;
};
} // namespace

TEST_F(FindingsFileOnDisk, writesAndReads) {
  const FindingsFile File = fullFile();
  for (int Time = 0; Time != 2; ++Time)
    ASSERT_EQ(toString(writeFindingsFile(path("f.json"), {fullRecord().What},
                                         File.Counts, File.Run)),
              "");
  EXPECT_EQ(filesInFolder(), 1u);
  Expected<FindingsFile> Again = readFindingsFile(path("f.json"));
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  FindingsFile Without = File;
  Without.Records[0].Seen.reset();
  EXPECT_EQ(textOf(*Again), textOf(Without));
}

TEST_F(FindingsFileOnDisk, errorsNameThePath) {
  const std::string Missing = path("no/such/folder/f.json");
  EXPECT_EQ(toString(writeOutputFile(Missing, "x")),
            "cannot write '" + Missing + "': No such file or directory");
  EXPECT_EQ(toString(writeOutputFile(Folder, "x")),
            ("cannot write '" + Folder + "': it is a folder").str());
  Expected<FindingsFile> File = readFindingsFile(path("none.json"));
  ASSERT_FALSE(bool(File));
  EXPECT_EQ(toString(File.takeError()), "cannot read '" + path("none.json") +
                                            "': No such file or directory");
  Expected<FindingsFile> Directory = readFindingsFile(Folder);
  ASSERT_FALSE(bool(Directory));
  EXPECT_EQ(toString(Directory.takeError()),
            ("cannot read '" + Folder + "': Is a directory").str());
}

#ifdef __linux__
TEST_F(FindingsFileOnDisk, devicesAreWrittenToAndNotReplaced) {
  EXPECT_EQ(toString(writeOutputFile("/dev/null", "x")), "");
  EXPECT_EQ(toString(writeOutputFile("/dev/full", "x")),
            "cannot write '/dev/full': No space left on device");
  sys::fs::file_status Status;
  ASSERT_FALSE(sys::fs::status("/dev/full", Status));
  EXPECT_EQ(Status.type(), sys::fs::file_type::character_file);
}
#endif
