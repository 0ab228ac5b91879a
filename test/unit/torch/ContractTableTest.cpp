//===- ContractTableTest.cpp - Tests of the contract table ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three parts: what the parser refuses and where it says the problem is; laws
// of the table that is built in; facts of LibTorch that the table must state.
// A fact's number is the one it has in "Facts the table states" of
// docs/formats/contracts.md.
//
//===----------------------------------------------------------------------===//

#include "torch/ContractTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tdl;

namespace tdl::embedded {
extern const char ContractsText[];
extern const unsigned long ContractsTextSize;
} // namespace tdl::embedded

namespace {

constexpr StringLiteral Header = "name\tcheck\troles\tresult\trank\tdtype\t"
                                 "view\tsync\terror\tsince\tuntil\tsource\n";
constexpr StringLiteral SameText = "!error\tsame\ton the same device\n";

/// The problem with a table of the header, one error key and \p Rows; empty
/// when there is none. Rows start in line 3.
std::string problemOf(StringRef Rows) {
  Expected<ContractTable> Table =
      ContractTable::parse((SameText + Header + Rows).str(), "my.tsv");
  return Table ? "" : toString(Table.takeError());
}

ContractTable tableOf(StringRef Rows) {
  return cantFail(
      ContractTable::parse((SameText + Header + Rows).str(), "my.tsv"));
}

/// The built-in row for a call with these parameters in some release.
const Contract &row(StringRef Name, ArrayRef<StringRef> Parameters = {},
                    std::optional<LibTorchVersion> Version = std::nullopt) {
  const Contract *Row =
      ContractTable::builtin().find(Name, Parameters, Version);
  EXPECT_NE(Row, nullptr) << Name.str();
  static const Contract Empty;
  return Row ? *Row : Empty;
}

ArgRole role(StringRef Name, StringRef Parameter) {
  return row(Name).roleOf(Parameter);
}

StringRef errorText(StringRef Name) {
  return ContractTable::builtin().errorText(row(Name).Error);
}

//===----------------------------------------------------------------------===//
// What the parser refuses
//===----------------------------------------------------------------------===//

TEST(ContractTableParse, ReadsEveryColumn) {
  ContractTable Table =
      tableOf("# a comment\n\n"
              "f.other\top\tself:mix other:out\targ(self),cpu\tsame+(self)\t"
              "same(self),long\tview\targs\tsame\t1.13\t2.7\tKernel.cpp\n");
  ASSERT_EQ(Table.rows().size(), 1u);
  const Contract &Row = Table.rows().front();
  EXPECT_EQ(Row.Name, "f");
  EXPECT_EQ(Row.Overload, "other");
  EXPECT_EQ(Row.Family, CheckFamily::Op);
  EXPECT_EQ(Row.roleOf("self"), ArgRole::Mix);
  EXPECT_EQ(Row.roleOf("other"), ArgRole::Out);
  EXPECT_EQ(Row.roleOf("third"), ArgRole::Any);
  EXPECT_EQ(Row.resultOf(0).Where, ResultPlace::Arg);
  EXPECT_EQ(Row.resultOf(0).Arg, "self");
  EXPECT_EQ(Row.resultOf(1).Where, ResultPlace::CPU);
  EXPECT_EQ(Row.resultOf(2).Where, ResultPlace::Unknown);
  EXPECT_EQ(Row.Rank.Rule, RankRule::Same);
  EXPECT_EQ(Row.Rank.Arg, "self");
  EXPECT_TRUE(Row.Rank.AtLeastOne);
  EXPECT_EQ(Row.dtypeOf(0), "same(self)");
  EXPECT_EQ(Row.dtypeOf(1), "long");
  EXPECT_EQ(Row.dtypeOf(2), "");
  EXPECT_TRUE(Row.IsView);
  EXPECT_EQ(Row.Waits, HostWait::Depends);
  EXPECT_EQ(Row.Since, (LibTorchVersion{1, 13}));
  EXPECT_EQ(Row.Until, (LibTorchVersion{2, 7}));
  EXPECT_EQ(Row.Source, "Kernel.cpp");
  EXPECT_EQ(Table.errorText(Row.Error), "on the same device");
  EXPECT_EQ(Table.errorText("nothing"), "");
}

TEST(ContractTableParse, LeftOutColumnsAreEmptyAndCRLFIsRead) {
  ContractTable Table = tableOf("f\t-\t-\tnone\r\n");
  EXPECT_EQ(Table.rows().front().resultOf().Where, ResultPlace::None);
  EXPECT_EQ(Table.rows().front().Rank.Rule, RankRule::Unknown);
}

TEST(ContractTableParse, EveryRankRule) {
  ContractTable Table = tableOf("a\t-\t-\tnone\t2\nb\t-\t-\tnone\t1+\n"
                                "c\t-\t-\tnone\tmatmul(x,y)\n"
                                "d\t-\t-\tnone\tsizes(size)\n");
  EXPECT_EQ(Table.find("a")->Rank.Rule, RankRule::Fixed);
  EXPECT_EQ(Table.find("a")->Rank.Fixed, 2u);
  EXPECT_EQ(Table.find("b")->Rank.Rule, RankRule::AtLeastOne);
  EXPECT_EQ(Table.find("c")->Rank.Arg, "x");
  EXPECT_EQ(Table.find("c")->Rank.Arg2, "y");
  EXPECT_EQ(Table.find("d")->Rank.Arg, "size");
}

TEST(ContractTableParse, ErrorsNameLineColumnAndWhatStandsThere) {
  EXPECT_EQ(problemOf("f\tboth\t-\tnone\n"),
            "my.tsv:3:3: expected 'op', 'index', 'module', 'load' or '-' as "
            "check, found 'both'");
  EXPECT_EQ(problemOf("g\t-\t-\tnone\nf\top\tself:same other:samee\tnone\n"),
            "my.tsv:4:16: expected '-' or PARAMETER:ROLE with one of the roles "
            "any, same, mix, scalars, moved, out, base, index, put, host, "
            "found 'other:samee'");
  EXPECT_EQ(problemOf("f\t-\t-\targ\n"),
            "my.tsv:3:7: expected a result, one of none, common, arg(NAME), "
            "options, like(NAME), cpu, device(NAME), unknown, found 'arg'");
  EXPECT_EQ(problemOf("f\t-\t-\tdevice(gpu)\n"),
            "my.tsv:3:7: expected a result, one of none, common, arg(NAME), "
            "options, like(NAME), cpu, device(NAME), unknown, found "
            "'device(gpu)'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\tsame(x\n"),
            "my.tsv:3:12: expected a rank, one of a number, ?, 1+, bcast, "
            "same(NAME), same+(NAME), sizes(NAME), reduce(NAME), plus(NAME), "
            "minus(NAME), matmul(NAME,NAME), found 'same(x'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t?\tsame(x),int\n"),
            "my.tsv:3:22: expected an element type, one of bool, long, "
            "promote, same(NAME), like(NAME), options, options(float), "
            "options(long), found 'int'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t?\t\tyes\n"),
            "my.tsv:3:15: expected 'view' or nothing, found 'yes'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t?\t\t\tmaybe\n"),
            "my.tsv:3:16: expected whether the host waits for the device, one "
            "of yes, no, args, ?, found 'maybe'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t?\t\t\t\t\ttwo\n"),
            "my.tsv:3:18: expected a LibTorch version such as '2.7', found "
            "'two'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t?\t\t\t\t\t\t\tx\ttoo much\n"),
            "my.tsv:3:22: expected at most 12 columns, found 'too much'");
  EXPECT_EQ(problemOf("max.\t-\t-\tnone\n"),
            "my.tsv:3:1: expected an operator's name, as 'add' or "
            "'max.other', found 'max.'");
}

TEST(ContractTableParse, RefusesRowsThatContradict) {
  EXPECT_EQ(problemOf("f\top\tx:same x:mix\tnone\t\t\t\t\tsame\n"),
            "my.tsv:3:13: parameter 'x' has two roles");
  StringRef Needs = "must name a check and an error when one of its roles can "
                    "be violated, and neither when none can";
  for (StringRef Row :
       {"f\t-\tx:same\tnone\t\t\t\t\tsame\n", "f\top\tx:same\tnone\n",
        "f\top\tx:any\tnone\n", "f\t-\t-\tnone\t\t\t\t\tsame\n"})
    EXPECT_EQ(problemOf(Row), ("my.tsv:3:1: row 'f' " + Needs).str())
        << Row.str();
  EXPECT_EQ(problemOf("f\top\tx:same\tnone\t\t\t\t\tother\n"),
            "my.tsv:3:22: error key 'other' is not defined; add a line "
            "'!error<tab>other<tab>TEXT'");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t\t\t\t\t\t2.7\t2.6\n"),
            "my.tsv:3:1: row 'f' must have 'since' before 'until'");
}

TEST(ContractTableParse, RowsOfOneNameMustNotMeetInAVersion) {
  EXPECT_EQ(problemOf("f\t-\t-\tnone\nf\t-\t-\tnone\n"),
            "my.tsv:4:1: row 'f' is there twice");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t\t\t\t\t\t\t2.7\nf\t-\t-\tnone\n"),
            "my.tsv:4:1: row 'f' is there twice for the same LibTorch version");
  EXPECT_NE(problemOf("f\t-\t-\tnone\t\t\t\t\t\t\t2.7\n"
                      "f\t-\t-\tnone\t\t\t\t\t\t2.6\n"),
            "");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\t\t\t\t\t\t\t2.7\n"
                      "f\t-\t-\tnone\t\t\t\t\t\t2.7\n"),
            "");
  EXPECT_EQ(problemOf("f\t-\t-\tnone\nf.other\t-\t-\tnone\n"), "");
}

TEST(ContractTableParse, HeaderAndErrorLines) {
  auto Problem = [](StringRef Text) {
    Expected<ContractTable> Table = ContractTable::parse(Text, "my.tsv");
    return Table ? std::string() : toString(Table.takeError());
  };
  EXPECT_EQ(Problem(""), "my.tsv:1:1: expected a header line that starts with "
                         "'name', found the end of the file");
  EXPECT_NE(Problem("add\top\n").find("my.tsv:1:1: expected the header line"),
            std::string::npos);
  EXPECT_EQ(Problem("!error\tsame\n"),
            "my.tsv:1:1: expected '!error', a key and a text, separated by one "
            "tab each");
  EXPECT_EQ(Problem("!error\tk\ta\n!error\tk\tb\n"),
            "my.tsv:2:8: error key 'k' is defined twice");
}

TEST(ContractTableParse, SeveralFilesAreOneTable) {
  std::string Row = "\top\ta:same\tnone\t\t\t\t\tsame\n";
  std::string First = (SameText + Header + "f" + Row).str();
  std::string Second = (Header + "g" + Row).str();
  ContractTable Table = cantFail(
      ContractTable::parse({{First, "first.tsv"}, {Second, "second.tsv"}}));
  EXPECT_EQ(Table.rows().size(), 2u);
  EXPECT_EQ(Table.errorText(Table.find("g")->Error), "on the same device");

  Expected<ContractTable> Twice =
      ContractTable::parse({{First, "first.tsv"}, {First, "again.tsv"}});
  EXPECT_EQ(toString(Twice.takeError()),
            "again.tsv:1:8: error key 'same' is defined twice");
  Expected<ContractTable> Headless =
      ContractTable::parse({{First, "first.tsv"}, {"", "empty.tsv"}});
  EXPECT_EQ(toString(Headless.takeError()),
            "empty.tsv:1:1: expected a header line that starts with 'name', "
            "found the end of the file");
}

TEST(ContractTableParse, OwnFilesAddFunctionsWithoutDerivedForms) {
  ContractTable Table = cantFail(ContractTable::parse(
      {{(SameText + Header + "f\top\tself:same\tcommon\t\t\t\t\tsame\n").str(),
        "table.tsv"},
       {"# mine\r\nmy::g: mix self y ; result cuda:1; rank 2; waits yes # "
        "end\r\n"
        "::h: base t; index i; any k; result arg(t),cpu; dtype same(t)\n",
        "own.txt", /*IsOwn=*/true}}));
  EXPECT_TRUE(Table.hasOwnRows());
  const Contract *G = Table.find("my::g");
  ASSERT_NE(G, nullptr);
  EXPECT_EQ(G->roleOf("y"), ArgRole::Mix);
  EXPECT_EQ(G->Family, CheckFamily::Op);
  EXPECT_EQ(G->resultOf().Where, ResultPlace::Device);
  EXPECT_EQ(G->resultOf().Arg, "cuda:1");
  EXPECT_EQ(G->Rank.Fixed, 2u);
  EXPECT_EQ(G->Waits, HostWait::Yes);
  EXPECT_EQ(G->Source, "own.txt");
  EXPECT_EQ(Table.errorText(G->Error), "device");
  const Contract *H = Table.find("::h");
  ASSERT_NE(H, nullptr);
  EXPECT_EQ(H->Family, CheckFamily::Index);
  EXPECT_EQ(H->roleOf("k"), ArgRole::Any);
  EXPECT_EQ(H->Waits, HostWait::Unknown);
  EXPECT_EQ(H->resultOf(1).Where, ResultPlace::CPU);
  EXPECT_EQ(H->dtypeOf(), "same(t)");
  EXPECT_EQ(Table.find("my::g_"), nullptr);
  EXPECT_EQ(Table.find("::h_out"), nullptr);
  EXPECT_NE(Table.find("f_"), nullptr);
  EXPECT_FALSE(tableOf("f\t-\t-\tnone\n").hasOwnRows());
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

TEST(ContractTableFind, VersionsAndOverloads) {
  ContractTable Table = tableOf("f\top\ta:same\tnone\t\t\t\t\tsame\t\t2.0\n"
                                "f\top\ta:mix\tnone\t\t\t\t\tsame\t2.0\t2.7\n"
                                "f\top\ta:scalars\tnone\t\t\t\t\tsame\t2.7\n"
                                "g\t-\t-\tnone\ng.other\t-\t-\tcommon\n"
                                "h.only\t-\t-\tcommon\n"
                                "old\t-\t-\tnone\t\t\t\t\t\t\t2.0\n");
  EXPECT_EQ(Table.find("f")->roleOf("a"), ArgRole::Scalars);
  auto RoleIn = [&](unsigned Major, unsigned Minor) {
    return Table.find("f", {}, LibTorchVersion{Major, Minor})->roleOf("a");
  };
  EXPECT_EQ(RoleIn(1, 13), ArgRole::Same);
  EXPECT_EQ(RoleIn(2, 0), ArgRole::Mix);
  EXPECT_EQ(RoleIn(2, 6), ArgRole::Mix);
  EXPECT_EQ(RoleIn(2, 11), ArgRole::Scalars);
  EXPECT_EQ(Table.find("g")->resultOf().Where, ResultPlace::None);
  EXPECT_EQ(Table.find("g", {"self", "other"})->resultOf().Where,
            ResultPlace::Common);
  EXPECT_EQ(Table.find("g", {"self", "dim"})->resultOf().Where,
            ResultPlace::None);
  EXPECT_EQ(Table.find("h"), nullptr);
  EXPECT_NE(Table.find("h", {"only"}), nullptr);
  EXPECT_NE(Table.find("old"), nullptr);
  EXPECT_EQ(Table.find("old", {}, LibTorchVersion{2, 0}), nullptr);
  EXPECT_EQ(Table.find("unheard_of"), nullptr);
}

TEST(ContractTableFind, DerivedForms) {
  ContractTable Table = tableOf(
      "f\top\tself:mix other:mix out:out\tcommon\tbcast\tbool\t\tno\tsame\n"
      "g\top\tself:same other:same\tcommon\t\t\t\t\tsame\n"
      "h\t-\t-\targ(input)\n"
      "v\t-\t-\targ(self)\t1+\t\tview\n"
      "own\t-\t-\targ(self)\t\t\t\t\nown_\t-\t-\tunknown\n"
      "free\t-\tout:any\targ(self)\nsilent\t-\t-\tunknown\n");
  const Contract *InPlace = Table.find("f_");
  ASSERT_NE(InPlace, nullptr);
  EXPECT_EQ(InPlace->Name, "f_");
  EXPECT_EQ(InPlace->roleOf("self"), ArgRole::Out);
  EXPECT_EQ(InPlace->roleOf("other"), ArgRole::Mix);
  EXPECT_EQ(InPlace->resultOf().Arg, "self");
  EXPECT_EQ(InPlace->dtypeOf(), "same(self)");
  EXPECT_EQ(InPlace->Waits, HostWait::No);
  EXPECT_EQ(InPlace->Rank.Arg, "self");
  EXPECT_EQ(Table.find("g_")->roleOf("self"), ArgRole::Same);
  EXPECT_EQ(Table.find("h_"), nullptr) << "no argument is called self";
  EXPECT_FALSE(Table.find("v_")->IsView);
  EXPECT_EQ(Table.find("own_")->resultOf().Where, ResultPlace::Unknown);
  EXPECT_EQ(Table.find("f_out")->resultOf().Arg, "out");
  EXPECT_EQ(Table.find("f_out")->dtypeOf(), "same(out)")
      << "bool, were it not for out";
  EXPECT_EQ(Table.find("f_outf")->roleOf("out"), ArgRole::Out);
  EXPECT_EQ(Table.find("g_out")->roleOf("out"), ArgRole::Out);
  EXPECT_EQ(Table.find("g_out")->roleOf("out1"), ArgRole::Out);
  EXPECT_EQ(Table.find("g_out", {}, LibTorchVersion{1, 13})->roleOf("out"),
            ArgRole::Any)
      << "generated out forms did not compare yet";
  EXPECT_EQ(Table.find("g_out", {}, LibTorchVersion{2, 0})->roleOf("out"),
            ArgRole::Out);
  EXPECT_EQ(Table.find("f_out", {}, LibTorchVersion{1, 13})->roleOf("out"),
            ArgRole::Out);
  EXPECT_EQ(Table.find("free_out")->roleOf("out"), ArgRole::Any);
  EXPECT_EQ(Table.find("h_out")->roleOf("input"), ArgRole::Same);
  EXPECT_EQ(Table.find("h_out")->Family, CheckFamily::Op);
  EXPECT_EQ(Table.find("own_out")->roleOf("out"), ArgRole::Out);
  EXPECT_EQ(Table.find("silent_out")->roleOf("out"), ArgRole::Any);
  EXPECT_EQ(Table.find("f_symint"), Table.find("f"));
  EXPECT_EQ(Table.rows().size(), 8u);
}

TEST(ContractTableFind, RowsOfANameAndWhichAreDerived) {
  ContractTable Table =
      tableOf("f\top\tself:same\tcommon\t\t\t\t\tsame\t\t2.0\n"
              "f.other\top\tself:mix\tcommon\t\t\t\t\tsame\n");
  ASSERT_EQ(Table.rowsOf("f").size(), 2u);
  EXPECT_EQ(Table.rowsOf("f")[0]->Overload, "");
  EXPECT_EQ(Table.rowsOf("f")[1]->Overload, "other");
  EXPECT_FALSE(Table.isDerived(*Table.rowsOf("f")[1]));
  ASSERT_EQ(Table.rowsOf("f_").size(), 2u);
  EXPECT_TRUE(Table.isDerived(*Table.rowsOf("f_")[0]));
  EXPECT_TRUE(Table.rowsOf("g").empty());
}

TEST(ContractTableFind, NearNames) {
  ContractTable Table = tableOf("gather\t-\t-\tnone\ngathers\t-\t-\tnone\n"
                                "scatter\t-\t-\tnone\n");
  ASSERT_EQ(Table.namesNear("gahter").size(), 1u);
  EXPECT_EQ(Table.namesNear("gahter")[0], "gather");
  ASSERT_EQ(Table.namesNear("gatherss").size(), 2u);
  EXPECT_EQ(Table.namesNear("gatherss")[0], "gathers") << "the nearest first";
  EXPECT_TRUE(Table.namesNear("einsum").empty());
}

//===----------------------------------------------------------------------===//
// Laws of the built-in table
//===----------------------------------------------------------------------===//

TEST(ContractTableBuiltin, CoversThePublicOperators) {
  StringSet<> Names;
  for (const Contract &Row : ContractTable::builtin().rows())
    Names.insert(Row.Name);
  EXPECT_GT(Names.size(), 1000u);
}

TEST(ContractTableBuiltin, HasEveryOperatorThatPyTorchDeclares) {
  auto File = MemoryBuffer::getFile(TDL_OPERATORS_FILE);
  ASSERT_TRUE(File) << TDL_OPERATORS_FILE;
  StringRef Rest = (*File)->getBuffer().split('\n').second;
  unsigned Overloads = 0;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    StringRef Name = Line.split('\t').first.split('.').first;
    EXPECT_FALSE(ContractTable::builtin().rowsOf(Name).empty()) << Line.str();
    ++Overloads;
  }
  EXPECT_GT(Overloads, 2700u);
}

TEST(ContractTableBuiltin, IsSortedWithinGroups) {
  StringRef Rest(embedded::ContractsText, embedded::ContractsTextSize);
  std::string Last;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.starts_with("# --- ") || Line.starts_with("name\t")) {
      Last.clear();
      continue;
    }
    StringRef Name = Line.split('\t').first;
    if (Line.empty() || Line.starts_with("#") || Name == "!error")
      continue;
    EXPECT_LE(Last, Name.str());
    Last = Name.str();
  }
}

TEST(ContractTableBuiltin, EveryRowHasASource) {
  for (const Contract &Row : ContractTable::builtin().rows())
    EXPECT_FALSE(Row.Source.empty()) << Row.Name.str();
}

TEST(ContractTableBuiltin, EveryErrorKeyIsUsed) {
  // The loader gives one to out forms, the other is for the replay.
  StringSet<> Used = {"out", "scalars"};
  for (const Contract &Row : ContractTable::builtin().rows())
    Used.insert(Row.Error);
  StringRef Rest(embedded::ContractsText, embedded::ContractsTextSize);
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.consume_front("!error\t")) {
      EXPECT_TRUE(Used.contains(Line.split('\t').first)) << Line.str();
    }
  }
}

TEST(ContractTableBuiltin, EveryRowSaysWhetherTheHostWaits) {
  StringRef Rest(embedded::ContractsText, embedded::ContractsTextSize);
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.empty() || Line.starts_with("#") || Line.starts_with("!error"))
      continue;
    SmallVector<StringRef, 12> Fields;
    Line.split(Fields, '\t');
    ASSERT_EQ(Fields.size(), 12u) << Line.str();
    EXPECT_FALSE(Fields[7].empty()) << Line.str();
    // Who says that the host waits says where that was read.
    bool Waits = Fields[7] == "yes" || Fields[7] == "args";
    EXPECT_EQ(Fields[11].contains("; waits: "), Waits) << Line.str();
  }
}

TEST(ContractTableBuiltin, ViewsNeverMakeTheHostWait) {
  for (const Contract &Row : ContractTable::builtin().rows())
    if (Row.IsView) {
      EXPECT_NE(Row.Waits, HostWait::Yes) << Row.Name.str();
    }
}

TEST(ContractTableBuiltin, IndexRolesStandBesideABase) {
  for (const Contract &Row : ContractTable::builtin().rows()) {
    bool HasBase = false, NeedsBase = false;
    for (const auto &[Parameter, Role] : Row.Roles) {
      HasBase |= Role == ArgRole::Base;
      NeedsBase |= Role == ArgRole::Index || Role == ArgRole::Put;
    }
    EXPECT_EQ(HasBase, NeedsBase) << Row.Name.str();
    if (HasBase) {
      EXPECT_EQ(Row.Family, CheckFamily::Index) << Row.Name.str();
    }
  }
}

TEST(ContractTableBuiltin, CommonResultsHaveComparedArguments) {
  for (const Contract &Row : ContractTable::builtin().rows())
    for (const ResultRule &Result : Row.Results)
      if (Result.Where == ResultPlace::Common) {
        EXPECT_FALSE(Row.Roles.empty()) << Row.Name.str();
      }
}

TEST(ContractTableBuiltin, ViewsHaveTheDeviceOfTheirArgument) {
  for (const Contract &Row : ContractTable::builtin().rows())
    if (Row.IsView) {
      EXPECT_TRUE(Row.resultOf().Where == ResultPlace::Arg ||
                  Row.resultOf().Where == ResultPlace::Unknown)
          << Row.Name.str();
    }
}

//===----------------------------------------------------------------------===//
// Facts of LibTorch
//===----------------------------------------------------------------------===//

TEST(ContractFacts, Fact04And05InPlaceSelfIsNeverExcepted) {
  for (StringRef Name : {"add_", "sub_", "mul_", "div_", "pow_", "eq_",
                         "bitwise_and_", "bitwise_or_", "logical_and_"}) {
    EXPECT_EQ(role(Name, "self"), ArgRole::Out) << Name.str();
    EXPECT_EQ(row(Name).resultOf().Arg, "self") << Name.str();
  }
  EXPECT_EQ(role("add_", "other"), ArgRole::Mix);
  EXPECT_EQ(role("add", "self"), ArgRole::Mix);
}

TEST(ContractFacts, Fact06WhichBinaryOperatorsTakeCpuScalars) {
  for (StringRef Name : {"maximum", "minimum", "fmod", "remainder", "atan2"})
    EXPECT_EQ(role(Name, "other"), ArgRole::Mix) << Name.str();
  EXPECT_EQ(role("pow", "exponent"), ArgRole::Mix);
  for (StringRef Name : {"gcd", "lcm", "logaddexp", "nextafter", "igamma"})
    EXPECT_EQ(role(Name, "other"), ArgRole::Same) << Name.str();
  EXPECT_EQ(role("clamp", "min"), ArgRole::Same);
  EXPECT_EQ(role("clamp", "max"), ArgRole::Same);
  LibTorchVersion Strict{2, 6}, Lenient{2, 11};
  EXPECT_EQ(row("hypot", {}, Strict).roleOf("other"), ArgRole::Same);
  EXPECT_EQ(row("hypot", {}, Lenient).roleOf("other"), ArgRole::Mix);
}

TEST(ContractFacts, Fact06OutFormsOfClampTakeCpuScalars) {
  EXPECT_EQ(role("clamp_max", "max"), ArgRole::Same);
  for (StringRef Name : {"clamp_max_out", "clamp_max_outf"})
    EXPECT_EQ(role(Name, "max"), ArgRole::Mix) << Name.str();
  for (StringRef Name : {"clamp_min_out", "clamp_min_outf"})
    EXPECT_EQ(role(Name, "min"), ArgRole::Mix) << Name.str();
  EXPECT_EQ(role("clamp_out", "min"), ArgRole::Same);
}

TEST(ContractFacts, GeneratedRows) {
  EXPECT_EQ(role("_cdist_forward", "x2"), ArgRole::Same);
  EXPECT_EQ(role("_embedding_bag_backward", "indices"), ArgRole::Same);
  EXPECT_EQ(row("_embedding_bag_backward", {}, LibTorchVersion{1, 13})
                .roleOf("indices"),
            ArgRole::Any);
  EXPECT_EQ(row("_foreach_add").resultOf().Where, ResultPlace::Unknown);
  EXPECT_EQ(row("_foreach_add_").resultOf().Where, ResultPlace::None);
  EXPECT_EQ(row("_scaled_dot_product_flash_attention").resultOf(1).Where,
            ResultPlace::Unknown)
      << "a kernel may return its seed on the CPU";
  EXPECT_EQ(row("_to_copy").resultOf().Where, ResultPlace::Like);
  EXPECT_EQ(row("_shape_as_tensor").resultOf().Where, ResultPlace::CPU)
      << "written by hand: the schema does not say it";
}

TEST(ContractFacts, Fact07TernaryOperatorsChangedWithVersions) {
  LibTorchVersion V1{1, 13}, V26{2, 6}, V211{2, 11};
  EXPECT_EQ(row("addcmul", {}, V26).roleOf("tensor2"), ArgRole::Same);
  EXPECT_EQ(row("addcmul", {}, V211).roleOf("tensor2"), ArgRole::Mix);
  EXPECT_EQ(row("addcmul_", {}, V211).roleOf("self"), ArgRole::Out);
  EXPECT_EQ(row("addcdiv", {}, V211).roleOf("tensor2"), ArgRole::Same);
  EXPECT_EQ(row("lerp", {}, V1).roleOf("weight"), ArgRole::Same);
  EXPECT_EQ(row("lerp", {}, V26).roleOf("weight"), ArgRole::Mix);
  StringRef Three[] = {"condition", "self", "other"};
  EXPECT_EQ(row("where", Three, V1).roleOf("self"), ArgRole::Same);
  EXPECT_EQ(row("where", Three, V26).roleOf("self"), ArgRole::Moved);
}

TEST(ContractFacts, Fact08WhereTakesSeveralScalars) {
  StringRef Three[] = {"condition", "self", "other"};
  for (StringRef Parameter : Three)
    EXPECT_EQ(row("where", Three).roleOf(Parameter), ArgRole::Moved);
  EXPECT_EQ(row("where", {"condition"}).resultOf().Arg, "condition");
}

TEST(ContractFacts, Fact09LogicalOperatorsAllocateOnSelf) {
  EXPECT_EQ(role("logical_and", "self"), ArgRole::Out);
  EXPECT_EQ(role("logical_and", "other"), ArgRole::Mix);
}

TEST(ContractFacts, Fact10IndexComparesWithTheIndexedTensor) {
  EXPECT_EQ(role("index", "self"), ArgRole::Base);
  EXPECT_EQ(role("index", "indices"), ArgRole::Index);
  EXPECT_EQ(row("index").Family, CheckFamily::Index);
  EXPECT_EQ(row("index").resultOf().Arg, "self");
  EXPECT_EQ(errorText("index"), "indices should be either on cpu or on the "
                                "same device as the indexed tensor");
}

TEST(ContractFacts, Fact11And12IndexPutComparesTheValueOnly) {
  EXPECT_EQ(role("index_put_", "self"), ArgRole::Base);
  EXPECT_EQ(role("index_put_", "indices"), ArgRole::Any);
  EXPECT_EQ(role("index_put_", "values"), ArgRole::Put);
  EXPECT_EQ(role("index_put_", "rhs"), ArgRole::Put)
      << "the name in Tensor::index_put_(ArrayRef<TensorIndex>, rhs)";
}

TEST(ContractFacts, Fact14MasksOfMaskedOperatorsAreStrict) {
  for (StringRef Name : {"masked_fill", "masked_fill_", "masked_select",
                         "masked_scatter", "masked_scatter_"}) {
    EXPECT_EQ(role(Name, "mask"), ArgRole::Same) << Name.str();
    EXPECT_EQ(row(Name).Family, CheckFamily::Index) << Name.str();
  }
}

TEST(ContractFacts, Fact15IndexTensorsOfOtherOperatorsAreStrict) {
  for (StringRef Name : {"gather", "scatter_", "index_select", "index_add_",
                         "index_copy_", "index_fill_", "take", "put_"}) {
    EXPECT_EQ(role(Name, "index"), ArgRole::Same) << Name.str();
    EXPECT_EQ(row(Name).Family, CheckFamily::Index) << Name.str();
  }
  EXPECT_EQ(role("embedding", "indices"), ArgRole::Same);
  EXPECT_EQ(role("F::embedding", "input"), ArgRole::Same);
  EXPECT_EQ(role("repeat_interleave", "repeats"), ArgRole::Same);
}

TEST(ContractFacts, Fact16FillAndCopyTakeAnyDevice) {
  EXPECT_EQ(role("fill_", "value"), ArgRole::Any);
  EXPECT_EQ(role("masked_fill_", "value"), ArgRole::Any);
  for (StringRef Name : {"copy_", "slice_scatter", "select_scatter"}) {
    EXPECT_EQ(row(Name).Family, CheckFamily::None) << Name.str();
    EXPECT_EQ(row(Name).resultOf().Arg, "self") << Name.str();
  }
  EXPECT_EQ(row("pad_sequence").resultOf().Arg, "sequences");
}

TEST(ContractFacts, Fact17JoinsHaveNoException) {
  for (StringRef Name : {"cat", "stack", "hstack", "vstack", "concat"}) {
    EXPECT_EQ(role(Name, "tensors"), ArgRole::Same) << Name.str();
    Contract Row = row(Name);
    EXPECT_TRUE(Row.Rank.AtLeastOne || Row.Rank.Rule == RankRule::AtLeastOne ||
                Row.Rank.Rule == RankRule::Plus)
        << Name.str();
  }
}

TEST(ContractFacts, Fact18Losses) {
  EXPECT_EQ(role("F::cross_entropy", "target"), ArgRole::Same);
  EXPECT_EQ(role("F::nll_loss", "target"), ArgRole::Same);
  EXPECT_EQ(role("F::huber_loss", "target"), ArgRole::Same);
  EXPECT_EQ(role("F::binary_cross_entropy", "target"), ArgRole::Same);
  for (StringRef Name : {"mse_loss", "l1_loss", "smooth_l1_loss", "kl_div"})
    EXPECT_EQ(role(Name, "target"), ArgRole::Mix) << Name.str();
}

TEST(ContractFacts, Fact19CpuOnlyArguments) {
  EXPECT_EQ(row("ctc_loss").Family, CheckFamily::None);
  EXPECT_EQ(role("_pack_padded_sequence", "lengths"), ArgRole::Host);
  EXPECT_EQ(row("_pack_padded_sequence").resultOf(0).Arg, "input");
  EXPECT_EQ(row("_pack_padded_sequence").resultOf(1).Where, ResultPlace::CPU);
  EXPECT_EQ(role("tensor_split", "tensor_indices_or_sections"), ArgRole::Host);
}

TEST(ContractFacts, Fact23LikeFactoriesKeepTheDevice) {
  EXPECT_EQ(row("zeros").resultOf().Where, ResultPlace::Options);
  EXPECT_EQ(row("zeros_like").resultOf().Where, ResultPlace::Like);
  EXPECT_EQ(row("zeros_like").resultOf().Arg, "self");
  EXPECT_EQ(row("new_zeros").resultOf().Where, ResultPlace::Like);
}

TEST(ContractFacts, Fact33ConvolutionsHaveTheirOwnText) {
  EXPECT_TRUE(StringRef("Input type (CPUFloatType) and weight type "
                        "(CUDAFloatType) should be the same")
                  .contains(errorText("conv2d")));
  EXPECT_EQ(errorText("conv2d"), errorText("F::conv2d"));
}

TEST(ContractFacts, Fact45WindowsAndRangesFollowTheOptions) {
  for (StringRef Name : {"arange", "hann_window", "linspace"}) {
    EXPECT_EQ(row(Name).resultOf().Where, ResultPlace::Options) << Name.str();
    EXPECT_EQ(row(Name).Rank.Fixed, 1u) << Name.str();
  }
}

TEST(ContractFacts, Fact46ShapeOnlyAndToOther) {
  for (StringRef Name : {"view_as", "expand_as", "reshape_as"}) {
    EXPECT_EQ(row(Name).resultOf().Arg, "self") << Name.str();
    EXPECT_EQ(role(Name, "other"), ArgRole::Any) << Name.str();
  }
  EXPECT_EQ(row("type_as").resultOf().Arg, "other");
  EXPECT_EQ(row("to", {"other", "non_blocking"}).resultOf().Arg, "other");
  EXPECT_EQ(row("to", {"options"}).resultOf().Where, ResultPlace::Unknown);
}

TEST(ContractFacts, Fact47OutMustBeOnTheDeviceOfTheResult) {
  EXPECT_EQ(role("add_out", "out"), ArgRole::Out);
  EXPECT_EQ(role("mm_out", "out"), ArgRole::Same);
  EXPECT_EQ(role("sum_out", "out"), ArgRole::Same);
  EXPECT_EQ(row("mm_out").resultOf().Arg, "out");
  EXPECT_EQ(role("masked_fill_out", "out"), ArgRole::Out)
      << "a generated out form compares before it copies";
  EXPECT_EQ(role("bernoulli_out", "out"), ArgRole::Any)
      << "self is copied into it";
  EXPECT_TRUE(StringRef("Expected out tensor to have device cuda:0, but got "
                        "cpu instead")
                  .contains(errorText("sum_out")));
}

TEST(ContractFacts, Fact50EqualThrows) {
  EXPECT_EQ(role("equal", "other"), ArgRole::Same);
  EXPECT_EQ(role("allclose", "other"), ArgRole::Mix);
  EXPECT_EQ(row("equal").resultOf().Where, ResultPlace::None);
}

TEST(ContractFacts, Fact51NoKernelAndCpuComputation) {
  EXPECT_EQ(role("histogram", "self"), ArgRole::Host);
  EXPECT_EQ(row("linalg_eig").resultOf().Arg, "self");
}

TEST(ContractFacts, FullReductionsAreZeroDimWithoutADimension) {
  for (StringRef Name : {"sum", "mean", "max", "argmax", "norm", "std"})
    EXPECT_EQ(row(Name).Rank.Rule, RankRule::Reduce) << Name.str();
  EXPECT_EQ(row("max", {"self", "other"}).Rank.Rule, RankRule::Broadcast);
  EXPECT_EQ(row("max").dtypeOf(1), "long");
}

TEST(ContractFacts, ParametersAreNamedAsInTheHeaders) {
  EXPECT_EQ(role("F::linear", "weight"), ArgRole::Same);
  EXPECT_EQ(role("F::linear", "bias"), ArgRole::Mix) << "by rank, run on 2.11";
  EXPECT_EQ(role("addmm", "mat1"), ArgRole::Same);
  EXPECT_EQ(role("linalg_solve", "B"), ArgRole::Same);
  EXPECT_EQ(role("lstm", "params"), ArgRole::Same);
  EXPECT_EQ(role("dot", "tensor"), ArgRole::Same);
}

TEST(ContractFacts, Fact52WhatMakesTheHostWait) {
  for (StringRef Name :
       {"item", "is_nonzero", "nonzero", "masked_select", "unique_dim",
        "_unique2", "equal", "allclose", "bincount", "linalg_inv",
        "linalg_cholesky", "cpu", "_local_scalar_dense"})
    EXPECT_EQ(row(Name).Waits, HostWait::Yes) << Name.str();
  EXPECT_EQ(row("where").Waits, HostWait::Yes) << "of a condition alone";
  for (StringRef Name : {"add", "add_", "sum", "max", "view", "matmul", "topk",
                         "zeros", "embedding", "gather", "nonzero_static"})
    EXPECT_EQ(row(Name).Waits, HostWait::No) << Name.str();
  for (StringRef Name : {"to", "copy_", "index", "index_put_", "multinomial",
                         "repeat_interleave", "one_hot", "linalg_inv_ex"})
    EXPECT_EQ(row(Name).Waits, HostWait::Depends) << Name.str();
  for (StringRef Name : {"conv2d", "backward", "F::conv2d"})
    EXPECT_EQ(row(Name).Waits, HostWait::Unknown) << Name.str();
}

} // namespace
