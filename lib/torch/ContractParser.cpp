//===- ContractParser.cpp - Reads the contract table ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contracts.tsv as docs/formats/contracts.md describes it. The first problem
// ends the reading and leaves no table: half a table would be silent where it
// should speak.
//
//===----------------------------------------------------------------------===//

#include "torch/ContractParser.h"
#include "device/Place.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace tdl;

static constexpr StringRef Columns[] = {"name",  "check", "roles", "result",
                                        "rank",  "dtype", "view",  "sync",
                                        "error", "since", "until", "source"};

/// Splits "word(argument)" ; a word alone has an empty argument. False for
/// unbalanced parentheses.
static bool splitCall(StringRef Text, StringRef &Word, StringRef &Argument) {
  size_t Open = Text.find('(');
  Word = Text.substr(0, Open);
  Argument = "";
  if (Open == StringRef::npos)
    return !Text.contains(')');
  if (!Text.ends_with(")"))
    return false;
  Argument = Text.slice(Open + 1, Text.size() - 1);
  return !Argument.empty() && Argument.find_first_of("()") == StringRef::npos;
}

/// \p At is a piece of the text: it says where the problem is.
bool ContractParser::fail(StringRef At, const Twine &Message) {
  StringRef Before(Text.data(), At.data() - Text.data());
  size_t Line = Before.count('\n') + 1;
  size_t Column = Before.size() - (Before.rfind('\n') + 1) + 1;
  Problem = (Twine(FileName) + ":" + Twine(Line) + ":" + Twine(Column) + ": " +
             Message)
                .str();
  return false;
}

bool ContractParser::parseFile(const ContractFile &File) {
  Table.Texts.push_back(std::make_unique<std::string>(File.Text.str()));
  FileName = File.Name.str();
  Text = *Table.Texts.back();
  SeenHeader = false;
  size_t FirstRow = Table.All.size();
  if (File.IsOwn)
    return parseOwnLines();
  StringRef Rest = Text;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (!parseLine(Line.ends_with("\r") ? Line.drop_back() : Line))
      return false;
  }
  if (!SeenHeader)
    return fail(Text.take_back(0),
                "expected a header line that starts with 'name', found the end "
                "of the file");
  return checkErrorKeys(ArrayRef(Table.All).drop_front(FirstRow));
}

Expected<ContractTable> ContractParser::parse(ArrayRef<ContractFile> Files) {
  // A row, and the three forms that may be made from it.
  size_t Lines = 0;
  for (const ContractFile &File : Files)
    Lines += File.Text.count('\n');
  Table.All.reserve(4 * Lines);
  for (const ContractFile &File : Files)
    if (!parseFile(File))
      return createStringError(std::errc::invalid_argument, "%s",
                               Problem.c_str());
  Table.NumRows = Table.All.size();
  Table.addDerivedForms();
  return std::move(Table);
}

bool ContractParser::parseLine(StringRef Line) {
  if (Line.empty() || Line.starts_with("#"))
    return true;
  SmallVector<StringRef, 12> Fields;
  Line.split(Fields, '\t');
  if (Fields[0] == "!error")
    return parseError(Fields);
  return SeenHeader ? parseRow(Fields) : parseHeader(Fields);
}

bool ContractParser::parseError(ArrayRef<StringRef> Fields) {
  if (Fields.size() != 3 || Fields[1].empty() || Fields[2].empty())
    return fail(Fields[0], "expected '!error', a key and a text, separated by "
                           "one tab each");
  if (!Table.Errors.try_emplace(Fields[1], Fields[2]).second)
    return fail(Fields[1], "error key '" + Fields[1] + "' is defined twice");
  return true;
}

bool ContractParser::parseHeader(ArrayRef<StringRef> Fields) {
  SeenHeader = true;
  ArrayRef<StringRef> Wanted(Columns);
  if (Fields == Wanted)
    return true;
  return fail(Fields[0], "expected the header line '" + join(Wanted, "<tab>") +
                             "', found '" + join(Fields, "<tab>") + "'");
}

bool ContractParser::parseRow(ArrayRef<StringRef> Fields) {
  if (Fields.size() > std::size(Columns))
    return fail(Fields[std::size(Columns)],
                "expected at most " + Twine(std::size(Columns)) +
                    " columns, found '" + Fields[std::size(Columns)] + "'");
  // A left-out column is empty and, for messages, at the end of the line.
  SmallVector<StringRef, 12> All(Fields.begin(), Fields.end());
  All.resize(std::size(Columns), Fields.back().take_back(0));

  Contract Row;
  if (!parseName(All[0], Row))
    return false;
  std::optional<CheckFamily> Family =
      StringSwitch<std::optional<CheckFamily>>(All[1])
          .Case("op", CheckFamily::Op)
          .Case("index", CheckFamily::Index)
          .Case("module", CheckFamily::Module)
          .Case("load", CheckFamily::Load)
          .Case("-", CheckFamily::None)
          .Default(std::nullopt);
  if (!Family)
    return fail(All[1], "expected 'op', 'index', 'module', 'load' or '-' as "
                        "check, found '" +
                            All[1] + "'");
  Row.Family = *Family;
  if (!parseRoles(All[2], Row) || !parseResults(All[3], Row) ||
      !parseRank(All[4], Row.Rank) || !parseDType(All[5]))
    return false;
  Row.DType = All[5];
  if (!All[6].empty() && All[6] != "view")
    return fail(All[6], "expected 'view' or nothing, found '" + All[6] + "'");
  Row.IsView = !All[6].empty();
  Row.Error = All[8];
  Row.Source = All[11];
  return parseWait(All[7], Row.Waits) && parseVersion(All[9], Row.Since) &&
         parseVersion(All[10], Row.Until) && checkRow(All[0], Row);
}

bool ContractParser::parseName(StringRef Field, Contract &Row) {
  std::tie(Row.Name, Row.Overload) = Field.split('.');
  if (Row.Name.empty() || Field.ends_with(".") || Field.contains(' '))
    return fail(Field, "expected an operator's name, as 'add' or 'max.other', "
                       "found '" +
                           Field + "'");
  return true;
}

bool ContractParser::parseRoles(StringRef Field, Contract &Row) {
  if (Field == "-")
    return true;
  SmallVector<StringRef, 4> Items;
  Field.split(Items, ' ');
  for (StringRef Item : Items) {
    auto [Parameter, Word] = Item.split(':');
    std::optional<ArgRole> Role = roleNamed(Word);
    if (Parameter.empty() || !Role)
      return fail(Item, "expected '-' or PARAMETER:ROLE with one of the roles "
                        "any, same, mix, scalars, moved, out, base, index, "
                        "put, host, found '" +
                            Item + "'");
    if (!addRole(Parameter, *Role, Row))
      return false;
  }
  return true;
}

std::optional<ArgRole> ContractParser::roleNamed(StringRef Word) {
  return StringSwitch<std::optional<ArgRole>>(Word)
      .Case("any", ArgRole::Any)
      .Case("same", ArgRole::Same)
      .Case("mix", ArgRole::Mix)
      .Case("scalars", ArgRole::Scalars)
      .Case("moved", ArgRole::Moved)
      .Case("out", ArgRole::Out)
      .Case("base", ArgRole::Base)
      .Case("index", ArgRole::Index)
      .Case("put", ArgRole::Put)
      .Case("host", ArgRole::Host)
      .Default(std::nullopt);
}

bool ContractParser::addRole(StringRef Parameter, ArgRole Role, Contract &Row) {
  if (is_contained(make_first_range(Row.Roles), Parameter))
    return fail(Parameter, "parameter '" + Parameter + "' has two roles");
  Row.Roles.emplace_back(Parameter, Role);
  return true;
}

bool ContractParser::parseResults(StringRef Field, Contract &Row) {
  SmallVector<StringRef, 2> Items;
  Field.split(Items, ',');
  for (StringRef Item : Items) {
    Item = Item.trim();
    StringRef Word, Argument;
    bool Ok = splitCall(Item, Word, Argument);
    std::optional<ResultPlace> Where =
        StringSwitch<std::optional<ResultPlace>>(Word)
            .Case("none", ResultPlace::None)
            .Case("common", ResultPlace::Common)
            .Case("arg", ResultPlace::Arg)
            .Case("options", ResultPlace::Options)
            .Case("like", ResultPlace::Like)
            .Case("cpu", ResultPlace::CPU)
            .Case("device", ResultPlace::Device)
            .Case("unknown", ResultPlace::Unknown)
            .Default(std::nullopt);
    bool TakesArgument = Where == ResultPlace::Arg ||
                         Where == ResultPlace::Like ||
                         Where == ResultPlace::Device;
    if (Where == ResultPlace::Device)
      Ok &= Place::parse(Argument).isKnown();
    if (!Ok || !Where || TakesArgument == Argument.empty())
      return fail(Item, "expected a result, one of none, common, arg(NAME), "
                        "options, like(NAME), cpu, device(NAME), unknown, "
                        "found '" +
                            Item + "'");
    Row.Results.push_back({*Where, Argument});
  }
  return true;
}

bool ContractParser::parseRank(StringRef Field, RankSpec &Rank) {
  if (!Field.getAsInteger(10, Rank.Fixed)) {
    Rank.Rule = RankRule::Fixed;
    return true;
  }
  StringRef Word, Argument;
  bool Ok = splitCall(Field, Word, Argument);
  std::optional<RankRule> Rule = StringSwitch<std::optional<RankRule>>(Word)
                                     .Cases({"", "?"}, RankRule::Unknown)
                                     .Cases({"same", "same+"}, RankRule::Same)
                                     .Case("sizes", RankRule::Sizes)
                                     .Case("bcast", RankRule::Broadcast)
                                     .Case("reduce", RankRule::Reduce)
                                     .Case("1+", RankRule::AtLeastOne)
                                     .Case("plus", RankRule::Plus)
                                     .Case("minus", RankRule::Minus)
                                     .Case("matmul", RankRule::MatMul)
                                     .Default(std::nullopt);
  bool TakesArgument = Rule && *Rule != RankRule::Unknown &&
                       *Rule != RankRule::Broadcast &&
                       *Rule != RankRule::AtLeastOne;
  std::tie(Rank.Arg, Rank.Arg2) = Argument.split(',');
  bool TakesTwo = Rule == RankRule::MatMul;
  if (!Ok || !Rule || TakesArgument == Argument.empty() ||
      TakesTwo == Rank.Arg2.empty())
    return fail(Field, "expected a rank, one of a number, ?, 1+, bcast, "
                       "same(NAME), same+(NAME), sizes(NAME), reduce(NAME), "
                       "plus(NAME), minus(NAME), matmul(NAME,NAME), found '" +
                           Field + "'");
  Rank.Rule = *Rule;
  Rank.AtLeastOne = Word == "same+";
  return true;
}

bool ContractParser::parseDType(StringRef Field) {
  if (Field.empty())
    return true;
  SmallVector<StringRef, 2> Items;
  Field.split(Items, ',');
  for (StringRef Item : Items) {
    StringRef Word, Argument;
    bool Ok = splitCall(Item, Word, Argument);
    if (Word == "same" || Word == "like")
      Ok &= !Argument.empty();
    else if (Word == "options")
      Ok &= Argument.empty() || Argument == "float" || Argument == "long";
    else
      Ok &= Argument.empty() && (Word == "bool" || Word == "long" ||
                                 Word == "promote" || Word.empty());
    if (!Ok)
      return fail(Item, "expected an element type, one of bool, long, promote, "
                        "same(NAME), like(NAME), options, options(float), "
                        "options(long), found '" +
                            Item + "'");
  }
  return true;
}

bool ContractParser::parseWait(StringRef Field, HostWait &Wait) {
  std::optional<HostWait> Known = StringSwitch<std::optional<HostWait>>(Field)
                                      .Cases({"", "?"}, HostWait::Unknown)
                                      .Case("no", HostWait::No)
                                      .Case("args", HostWait::Depends)
                                      .Case("yes", HostWait::Yes)
                                      .Default(std::nullopt);
  if (!Known)
    return fail(Field, "expected whether the host waits for the device, one of "
                       "yes, no, args, ?, found '" +
                           Field + "'");
  Wait = *Known;
  return true;
}

bool ContractParser::parseVersion(StringRef Field,
                                  std::optional<LibTorchVersion> &Version) {
  Version = LibTorchVersion::parse(Field);
  return Field.empty() || Version ||
         fail(Field, "expected a LibTorch version such as '2.7', found '" +
                         Field + "'");
}

/// Whether some release has both rows.
static bool rangesMeet(const Contract &A, const Contract &B) {
  auto EndsBefore = [](const Contract &X, const Contract &Y) {
    return X.Until && Y.Since && !(*Y.Since < *X.Until);
  };
  return !EndsBefore(A, B) && !EndsBefore(B, A);
}

/// What concerns more than one column or more than one row.
bool ContractParser::checkRow(StringRef At, const Contract &Row) {
  bool Compares = any_of(make_second_range(Row.Roles),
                         [](ArgRole Role) { return Role != ArgRole::Any; });
  if (Compares != (Row.Family != CheckFamily::None) ||
      Compares == Row.Error.empty())
    return fail(At, "row '" + At +
                        "' must name a check and an error when one of its "
                        "roles can be violated, and neither when none can");
  if (Row.Since && Row.Until && !(*Row.Since < *Row.Until))
    return fail(At, "row '" + At + "' must have 'since' before 'until'");
  SmallVector<unsigned, 1> &Others = Table.ByName[Row.Name];
  for (unsigned Other : Others)
    if (Table.All[Other].Overload == Row.Overload &&
        rangesMeet(Table.All[Other], Row))
      return fail(At, "row '" + At + "' is there twice" +
                          (Row.Since || Row.Until || Table.All[Other].Since ||
                                   Table.All[Other].Until
                               ? " for the same LibTorch version"
                               : ""));
  Others.push_back(Table.All.size());
  Table.All.push_back(Row);
  return true;
}

/// A key may be defined below its row, but not in a later file.
bool ContractParser::checkErrorKeys(ArrayRef<Contract> Rows) {
  for (const Contract &Row : Rows)
    if (!Row.Error.empty() && !Table.Errors.count(Row.Error))
      return fail(Row.Error, "error key '" + Row.Error +
                                 "' is not defined; add a line '!error<tab>" +
                                 Row.Error + "<tab>TEXT'");
  return true;
}

Expected<ContractTable> ContractTable::parse(StringRef Text,
                                             StringRef FileName) {
  return ContractParser().parse(ContractFile{Text, FileName});
}

Expected<ContractTable> ContractTable::parse(ArrayRef<ContractFile> Files) {
  return ContractParser().parse(Files);
}
