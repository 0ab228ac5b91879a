//===- ContractRows.cpp - What the linter believes of each operator -------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractRows.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

namespace tdl {
namespace verify {

DeviceRole ContractRow::roleOf(const std::string &Parameter) const {
  for (const auto &Entry : Roles)
    if (Entry.first == Parameter)
      return Entry.second;
  return DeviceRole::Any;
}

const PlaceRule &ContractRow::resultAt(size_t Position) const {
  static const PlaceRule Unknown;
  if (Results.size() == 1)
    return Results.front();
  return Position < Results.size() ? Results[Position] : Unknown;
}

const TypeRule &ContractRow::typeAt(size_t Position) const {
  static const TypeRule Unknown;
  if (Types.size() == 1)
    return Types.front();
  return Position < Types.size() ? Types[Position] : Unknown;
}

bool ContractRow::holdsFor(Release Version) const {
  return !(Version < Since) && (Until == Release() || Version < Until);
}

bool ContractRow::claimsSomething() const {
  auto IsKnown = [](const PlaceRule &Rule) {
    return Rule.Where != PlaceRule::Kind::Unknown;
  };
  return !Roles.empty() || std::any_of(Results.begin(), Results.end(), IsKnown);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// One line of a table, with a place for complaints.
struct Line {
  std::string File;
  int Number = 0;
  std::vector<std::string> Cells;

  [[noreturn]] void fail(size_t Cell, const std::string &What) const {
    size_t Column = 1;
    for (size_t I = 0; I < Cell && I < Cells.size(); ++I)
      Column += Cells[I].size() + 1;
    throw TableError(File + ":" + std::to_string(Number) + ":" +
                     std::to_string(Column) + ": " + What);
  }
};

/// Reads the columns of rows by the names in the header.
class Header {
public:
  explicit Header(const Line &L);
  const std::string &cell(const Line &L, const std::string &Name) const;
  size_t column(const std::string &Name) const { return Columns.at(Name); }

private:
  std::map<std::string, size_t> Columns;
};

} // namespace

static std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  std::istringstream In(Text);
  for (std::string Part; std::getline(In, Part, Separator);)
    Parts.push_back(Part);
  return Parts;
}

Header::Header(const Line &L) {
  for (size_t I = 0; I < L.Cells.size(); ++I)
    Columns[L.Cells[I]] = I;
  for (const char *Name : {"name", "roles", "result", "error"})
    if (!Columns.count(Name))
      L.fail(0, std::string("expected a header with the column '") + Name +
                    "' (docs/formats/contracts.md)");
}

/// Empty where the line ends before the column, or the table has none.
const std::string &Header::cell(const Line &L, const std::string &Name) const {
  static const std::string Empty;
  auto Found = Columns.find(Name);
  if (Found == Columns.end() || Found->second >= L.Cells.size())
    return Empty;
  return L.Cells[Found->second];
}

static DeviceRole readRole(const Line &L, size_t Cell,
                           const std::string &Word) {
  static const std::map<std::string, DeviceRole> Roles = {
      {"any", DeviceRole::Any},     {"same", DeviceRole::Same},
      {"mix", DeviceRole::Mix},     {"scalars", DeviceRole::Scalars},
      {"moved", DeviceRole::Moved}, {"out", DeviceRole::Out},
      {"base", DeviceRole::Base},   {"index", DeviceRole::Index},
      {"put", DeviceRole::Put},     {"host", DeviceRole::Host},
  };
  size_t Colon = Word.find(':');
  auto Found = Colon == std::string::npos ? Roles.end()
                                          : Roles.find(Word.substr(Colon + 1));
  if (Found == Roles.end())
    L.fail(Cell, "expected PARAMETER:ROLE with the role any, same, mix, "
                 "scalars, moved, out, base, index, put or host, got '" +
                     Word + "'");
  return Found->second;
}

static PlaceRule readPlace(const Line &L, size_t Cell,
                           const std::string &Word) {
  using Kind = PlaceRule::Kind;
  static const std::map<std::string, Kind> Plain = {
      {"none", Kind::None},       {"common", Kind::Common},
      {"options", Kind::Options}, {"cpu", Kind::Cpu},
      {"unknown", Kind::Unknown},
  };
  auto Found = Plain.find(Word);
  if (Found != Plain.end())
    return {Found->second, ""};
  for (const auto &Form : {std::make_pair(std::string("arg("), Kind::Argument),
                           std::make_pair(std::string("like("), Kind::Like)})
    if (Word.compare(0, Form.first.size(), Form.first) == 0 &&
        Word.back() == ')')
      return {Form.second, Word.substr(Form.first.size(),
                                       Word.size() - Form.first.size() - 1)};
  L.fail(Cell, "expected common, arg(NAME), options, like(NAME), cpu, none or "
               "unknown, got '" +
                   Word + "'");
}

static Release readRelease(const Line &L, size_t Cell,
                           const std::string &Word) {
  Release R{0, 0};
  char Rest = 0;
  if (!Word.empty() &&
      std::sscanf(Word.c_str(), "%d.%d%c", &R.first, &R.second, &Rest) != 2)
    L.fail(Cell, "expected a release such as 2.7, got '" + Word + "'");
  return R;
}

/// The columns rank and dtype, which a table may lack.
static void readResultRules(const Header &H, const Line &L, ContractRow &Row) {
  std::optional<RankRule> Rank = readRankRule(H.cell(L, "rank"));
  if (!Rank)
    L.fail(H.column("rank"),
           "expected a number, 1+, same(NAME), same+(NAME), plus(NAME), "
           "minus(NAME), sizes(NAME), bcast, reduce(NAME), matmul(A,B) or ?, "
           "got '" +
               H.cell(L, "rank") + "'");
  Row.Rank = *Rank;
  auto Types = readTypeRules(H.cell(L, "dtype"));
  if (!Types)
    L.fail(H.column("dtype"),
           "expected an element type, same(NAME), like(NAME), options, "
           "options(NAME) or promote, got '" +
               H.cell(L, "dtype") + "'");
  Row.Types = *Types;
}

/// The column sync, which a table may lack.
static HostWait readSync(const Header &H, const Line &L) {
  static const std::map<std::string, HostWait> Words = {
      {"", HostWait::Unknown}, {"?", HostWait::Unknown},
      {"no", HostWait::No},    {"args", HostWait::Depends},
      {"yes", HostWait::Yes},
  };
  auto Found = Words.find(H.cell(L, "sync"));
  if (Found == Words.end())
    L.fail(H.column("sync"),
           "expected yes, no, args or ?, got '" + H.cell(L, "sync") + "'");
  return Found->second;
}

static ContractRow readRow(const Header &H, const Line &L) {
  ContractRow Row;
  const std::string &Name = H.cell(L, "name");
  size_t Dot = Name.find('.');
  Row.Name = Name.substr(0, Dot);
  if (Dot != std::string::npos)
    Row.Overload = Name.substr(Dot + 1);
  if (Row.Name.empty())
    L.fail(0, "expected the name of an operator");
  size_t RoleCell = H.column("roles"), ResultCell = H.column("result");
  if (H.cell(L, "roles") != "-")
    for (const std::string &Word : split(H.cell(L, "roles"), ' '))
      Row.Roles.emplace_back(Word.substr(0, Word.find(':')),
                             readRole(L, RoleCell, Word));
  for (const std::string &Word : split(H.cell(L, "result"), ','))
    Row.Results.push_back(readPlace(L, ResultCell, Word));
  if (Row.Results.empty())
    L.fail(ResultCell, "expected where the result is");
  readResultRules(H, L, Row);
  Row.Sync = readSync(H, L);
  Row.ErrorKey = H.cell(L, "error");
  Row.Since = readRelease(L, 0, H.cell(L, "since"));
  Row.Until = readRelease(L, 0, H.cell(L, "until"));
  Row.Where =
      L.File.substr(L.File.rfind('/') + 1) + ":" + std::to_string(L.Number);
  return Row;
}

void ContractRows::add(const std::string &FileName, const std::string &Text) {
  std::set<std::string> Before;
  for (const auto &Entry : ByName)
    Before.insert(Entry.first);
  std::vector<Header> Headers;
  Line L{FileName, 0, {}};
  for (const std::string &Line : split(Text, '\n')) {
    ++L.Number;
    if (Line.empty() || Line[0] == '#')
      continue;
    L.Cells = split(Line, '\t');
    if (L.Cells[0] == "!error") {
      if (L.Cells.size() != 3)
        L.fail(0, "expected !error, a key and a text, with tabs between");
      Errors.emplace(L.Cells[1], L.Cells[2]);
    } else if (Headers.empty()) {
      Headers.emplace_back(L);
    } else {
      ContractRow Row = readRow(Headers.front(), L);
      if (Before.count(Row.Name))
        continue;
      ByName[Row.Name].push_back(Rows.size());
      Rows.push_back(std::move(Row));
    }
  }
  if (Headers.empty())
    L.fail(0, "expected a header (docs/formats/contracts.md), found no line "
              "that could be one");
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static bool hasSelf(const ContractRow &Row) {
  for (const PlaceRule &Rule : Row.Results)
    if (Rule.Where == PlaceRule::Kind::Argument && Rule.Argument == "self")
      return true;
  return Row.roleOf("self") != DeviceRole::Any;
}

void ContractRows::addForm(ContractRow Form, size_t Row,
                           const std::string &Suffix) {
  Form.Name += Suffix;
  Form.FormOf = int(Row);
  ByName[Form.Name].push_back(Rows.size());
  Rows.push_back(std::move(Form));
}

/// Names of what an out form writes, unless the row has its own.
static const char *const OutNames[] = {"out",  "out0", "out1", "out2",
                                       "out3", "out4", "out5", "out6"};

bool isOutName(const std::string &Parameter) {
  return std::find(std::begin(OutNames), std::end(OutNames), Parameter) !=
         std::end(OutNames);
}

/// Generated out forms, which copy into out, compare devices since then.
static const Release OutIsCompared{2, 0};

static bool names(const ContractRow &Row, const std::string &Parameter) {
  for (const auto &Entry : Row.Roles)
    if (Entry.first == Parameter)
      return true;
  return false;
}

/// Where the row says nothing of out, it must be where the result would be.
/// False when nothing had to be added.
static bool compareOut(ContractRow &Form) {
  for (const auto &Entry : Form.Roles)
    if (isOutName(Entry.first))
      return false;
  const PlaceRule Rule = Form.Results.front();
  bool IsArgument = Rule.Where == PlaceRule::Kind::Argument;
  if (!IsArgument && Rule.Where != PlaceRule::Kind::Common)
    return false;
  if (IsArgument && !names(Form, Rule.Argument))
    Form.Roles.emplace_back(Rule.Argument, DeviceRole::Same);
  for (const char *Name : OutNames)
    Form.Roles.emplace_back(Name, DeviceRole::Out);
  return true;
}

void ContractRows::addOutForms(size_t Row) {
  ContractRow Form = Rows[Row];
  bool Differs = compareOut(Form);
  if (Form.claimsSomething())
    Form.Results = {{PlaceRule::Kind::Argument, "out"}};
  if (Form.Types.size() == 1)
    Form.Types = {{TypeRule::Kind::Same, "out"}};
  if (Form.roleOf("out") != DeviceRole::Any && Errors.count("out"))
    Form.ErrorKey = "out";
  bool HoldsBefore = Differs && Form.Since < OutIsCompared;
  bool HoldsAfter = Form.Until == Release() || OutIsCompared < Form.Until;
  if (HoldsBefore) {
    ContractRow Before = Form;
    Before.IsOutOpen = true;
    Before.Until = HoldsAfter ? OutIsCompared : Form.Until;
    Form.Since = OutIsCompared;
    addForm(Before, Row, "_out");
  }
  if (!HoldsBefore || HoldsAfter)
    addForm(Form, Row, "_out");
}

void ContractRows::addForms(size_t Row) {
  const std::string Name = Rows[Row].Name;
  auto IsWritten = [&](const std::string &Form) {
    auto Found = ByName.find(Form);
    return Found != ByName.end() && Rows[Found->second.front()].FormOf < 0;
  };
  bool IsOperator = Name.size() > 1 && Name[Name.size() - 2] == '_';
  if (Name.back() == '_' && !IsOperator) // Not __and__.
    return;
  if (hasSelf(Rows[Row]) && !IsWritten(Name + "_")) {
    ContractRow InPlace = Rows[Row];
    InPlace.Results = {{PlaceRule::Kind::Argument, "self"}};
    InPlace.Rank = rankOfSelf();
    InPlace.Types = {typeOfSelf()};
    for (auto &Entry : InPlace.Roles)
      if (Entry.first == "self" && (Entry.second == DeviceRole::Mix ||
                                    Entry.second == DeviceRole::Moved ||
                                    Entry.second == DeviceRole::Scalars))
        Entry.second = DeviceRole::Out;
    addForm(InPlace, Row, "_");
  }
  if (!IsWritten(Name + "_out"))
    addOutForms(Row);
}

void ContractRows::finish() {
  size_t Written = Rows.size();
  for (size_t Row = 0; Row < Written; ++Row)
    addForms(Row);
  for (ContractRow &Row : Rows) {
    auto Text = Errors.find(Row.ErrorKey);
    if (Text != Errors.end())
      Row.ErrorText = Text->second;
    if (Row.FormOf >= 0)
      Row.InnerText = Rows[size_t(Row.FormOf)].ErrorText;
  }
}

ContractRow *ContractRows::find(const std::string &Name,
                                const std::vector<std::string> &Parameters,
                                Release Version) {
  auto Found = ByName.find(Name);
  if (Found == ByName.end())
    return nullptr;
  ContractRow *Best = nullptr;
  for (size_t Index : Found->second) {
    ContractRow &Row = Rows[Index];
    bool IsForOverload =
        Row.Overload.empty() ||
        std::count(Parameters.begin(), Parameters.end(), Row.Overload) != 0;
    if (!IsForOverload || !Row.holdsFor(Version))
      continue;
    if (!Best || (Best->Overload.empty() && !Row.Overload.empty()))
      Best = &Row;
  }
  return Best;
}

} // namespace verify
} // namespace tdl
