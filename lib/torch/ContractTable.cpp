//===- ContractTable.cpp - What each operator demands of devices ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looking rows up, and the forms that are made from other rows. Reading the
// file is in ContractParser.cpp.
//
//===----------------------------------------------------------------------===//

#include "torch/ContractTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace tdl;

namespace tdl::embedded {
extern const char ContractsText[];
extern const unsigned long ContractsTextSize;
extern const char GeneratedContractsText[];
extern const unsigned long GeneratedContractsTextSize;
} // namespace tdl::embedded

std::optional<LibTorchVersion> LibTorchVersion::parse(StringRef Text) {
  LibTorchVersion Version;
  auto [Major, Minor] = Text.split('.');
  if (Major.getAsInteger(10, Version.Major) ||
      Minor.getAsInteger(10, Version.Minor))
    return std::nullopt;
  return Version;
}

ArgRole Contract::roleOf(StringRef Parameter) const {
  for (const auto &[Name, Role] : Roles)
    if (Name == Parameter)
      return Role;
  return ArgRole::Any;
}

ResultRule Contract::resultOf(unsigned Position) const {
  if (Results.size() == 1)
    return Results.front();
  return Position < Results.size() ? Results[Position] : ResultRule();
}

StringRef Contract::dtypeOf(unsigned Position) const {
  if (!DType.contains(','))
    return DType;
  StringRef Rest = DType;
  for (; Position && !Rest.empty(); --Position)
    Rest = Rest.split(',').second;
  return Rest.split(',').first;
}

/// Whether the operator takes a tensor called self, as in-place forms do.
static bool hasSelf(const Contract &Row) {
  return Row.roleOf("self") != ArgRole::Any ||
         any_of(Row.Results, [](const ResultRule &Rule) {
           return Rule.Where == ResultPlace::Arg && Rule.Arg == "self";
         });
}

void ContractTable::addForm(Contract Form, StringRef Suffix) {
  FormNames.push_back((Form.Name + Suffix).str());
  Form.Name = FormNames.back();
  ByName[Form.Name].push_back(All.size());
  All.push_back(std::move(Form));
}

/// Names of what an out form writes, unless the row has its own.
static const StringRef OutNames[] = {"out",  "out0", "out1", "out2",
                                     "out3", "out4", "out5", "out6"};

/// Generated out forms, which copy into out, compare devices since this release
/// (torchgen's CompositeViewCopyKernels.cpp).
static constexpr LibTorchVersion OutIsCompared = {2, 0};

/// Where the row says nothing of out, it must be where the result would be.
/// False when nothing had to be added.
static bool compareOut(Contract &Form) {
  auto Names = [&](StringRef Parameter) {
    return any_of(Form.Roles,
                  [&](const auto &Entry) { return Entry.first == Parameter; });
  };
  const ResultRule &Rule = Form.Results.front();
  bool IsArgument = Rule.Where == ResultPlace::Arg;
  if (any_of(OutNames, Names) ||
      !(IsArgument || Rule.Where == ResultPlace::Common))
    return false;
  if (IsArgument && !Names(Rule.Arg))
    Form.Roles.push_back({Rule.Arg, ArgRole::Same});
  for (StringRef Name : OutNames)
    Form.Roles.push_back({Name, ArgRole::Out});
  if (Form.Family == CheckFamily::None)
    Form.Family = CheckFamily::Op;
  return true;
}

/// Before that release nothing is said of an out that the row does not name.
void ContractTable::addOutForm(Contract Form, StringRef Suffix) {
  Form.IsView = false;
  Contract Compared = Form;
  bool Differs = compareOut(Compared);
  for (Contract *Each : {&Form, &Compared}) {
    Each->Results = {{ResultPlace::Arg, "out"}};
    // Of several outs, the indices are long in any case.
    if (!Each->DType.empty() && !Each->DType.contains(','))
      Each->DType = "same(out)";
    if (Each->roleOf("out") != ArgRole::Any && Errors.count("out"))
      Each->Error = "out";
  }
  if (!Differs) {
    addForm(std::move(Form), Suffix);
    return;
  }
  bool HoldsBefore = !Form.Since || *Form.Since < OutIsCompared;
  bool HoldsAfter = !Form.Until || OutIsCompared < *Form.Until;
  if (HoldsBefore) {
    if (HoldsAfter)
      Form.Until = OutIsCompared;
    addForm(std::move(Form), Suffix);
  }
  if (HoldsAfter) {
    if (HoldsBefore)
      Compared.Since = OutIsCompared;
    addForm(std::move(Compared), Suffix);
  }
}

void ContractTable::addDerivedForms() {
  StringMap<bool> Written;
  for (const Contract &Row : rows())
    Written[Row.Name] = true;
  for (size_t I = 0; I != NumRows - NumOwnRows; ++I) {
    Contract Form = All[I];
    bool IsInPlace = Form.Name.ends_with("_") && !Form.Name.ends_with("__");
    if (IsInPlace)
      continue;
    Form.IsView = false;
    Form.Rank = {RankRule::Same, "self", "", 0, false};
    Form.Results = {{ResultPlace::Arg, "self"}};
    Form.DType = "same(self)";
    for (auto &[Parameter, Role] : Form.Roles)
      if (Parameter == "self" &&
          (Role == ArgRole::Mix || Role == ArgRole::Scalars ||
           Role == ArgRole::Moved))
        Role = ArgRole::Out;
    if (hasSelf(All[I]) && !Written.count((Form.Name + "_").str()))
      addForm(std::move(Form), "_");

    for (StringRef Suffix : {"_out", "_outf"})
      if (!Written.count((All[I].Name + Suffix).str()))
        addOutForm(All[I], Suffix);
  }
}

/// Whether \p Row is better than \p Best for a release: a row for the overload
/// wins over the general one, then the newest.
static bool isBetter(const Contract &Row, const Contract *Best) {
  if (!Best || Row.Overload.empty() != Best->Overload.empty())
    return !Best || !Row.Overload.empty();
  return !Row.Until || (Best->Until && *Best->Until < *Row.Until);
}

const Contract *
ContractTable::find(StringRef Name, ArrayRef<StringRef> Parameters,
                    std::optional<LibTorchVersion> Version) const {
  auto Found = ByName.find(Name);
  if (Found == ByName.end()) {
    auto [Before, After] = Name.rsplit("_symint");
    bool IsSymInt = Before.size() < Name.size() &&
                    (After.empty() || After == "_out" || After == "_outf");
    return IsSymInt ? find((Before + After).str(), Parameters, Version)
                    : nullptr;
  }
  const Contract *Best = nullptr;
  for (unsigned Index : Found->second) {
    const Contract &Row = All[Index];
    bool IsForOverload =
        Row.Overload.empty() || is_contained(Parameters, Row.Overload);
    bool IsForVersion = !Version || ((!Row.Since || !(*Version < *Row.Since)) &&
                                     (!Row.Until || *Version < *Row.Until));
    if (IsForOverload && IsForVersion && isBetter(Row, Best))
      Best = &Row;
  }
  return Best;
}

SmallVector<const Contract *, 2> ContractTable::rowsOf(StringRef Name) const {
  SmallVector<const Contract *, 2> Rows;
  auto Found = ByName.find(Name);
  if (Found != ByName.end())
    for (unsigned Index : Found->second)
      Rows.push_back(&All[Index]);
  return Rows;
}

SmallVector<StringRef, 3> ContractTable::namesNear(StringRef Name) const {
  constexpr unsigned MaxNames = 3;
  // A third of the letters may be wrong: more of them is another word.
  unsigned MaxEdits = std::max<unsigned>(1, Name.size() / 3);
  SmallVector<std::pair<unsigned, StringRef>, 16> Near;
  for (StringRef Known : ByName.keys()) {
    unsigned Edits = Name.edit_distance(Known, /*AllowReplacements=*/true,
                                        /*MaxEditDistance=*/MaxEdits);
    if (Edits <= MaxEdits)
      Near.push_back({Edits, Known});
  }
  llvm::sort(Near);
  SmallVector<StringRef, 3> Names;
  for (const auto &Entry : ArrayRef(Near).take_front(MaxNames))
    Names.push_back(Entry.second);
  return Names;
}

StringRef ContractTable::errorText(StringRef Key) const {
  return Errors.lookup(Key);
}

static SmallVector<ContractFile, 3> builtinFiles() {
  return {{StringRef(embedded::ContractsText, embedded::ContractsTextSize),
           "Contracts.tsv"},
          {StringRef(embedded::GeneratedContractsText,
                     embedded::GeneratedContractsTextSize),
           "Contracts.generated.tsv"}};
}

Expected<ContractTable> ContractTable::builtinWith(ArrayRef<ContractFile> Own) {
  SmallVector<ContractFile, 3> Files = builtinFiles();
  Files.append(Own.begin(), Own.end());
  return parse(Files);
}

const ContractTable &ContractTable::builtin() {
  static const ContractTable Table = [] {
    Expected<ContractTable> Parsed = parse(builtinFiles());
    if (!Parsed)
      report_fatal_error(Parsed.takeError());
    return std::move(*Parsed);
  }();
  return Table;
}
