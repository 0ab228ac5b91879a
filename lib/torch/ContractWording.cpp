//===- ContractWording.cpp - A contract in words --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/ContractWording.h"
#include "torch/ContractTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace tdl;

namespace {
struct Spelling {
  StringLiteral Prefix; ///< In C++.
  StringLiteral Name;   ///< In the table.
};
/// What one role demands, after the names of its arguments. What all of those
/// have in common that must be on one device is said before.
struct RoleWords {
  ArgRole Role;
  StringLiteral Label;
  StringLiteral Demand;
};
} // namespace

/// The longest of several that fit comes first.
static constexpr Spelling Spellings[] = {
    {"nn::functional::", "F::"},
    {"nn::utils::rnn::", "rnn::"},
    {"nn::utils::", "utils::"},
    {"nn::init::", "init::"},
    {"linalg::", "linalg_"},
    {"special::", "special_"},
    {"fft::", "fft_"},
    {"symint::", ""},
    {"stable::", ""},
    {"Tensor::", ""},
};

static constexpr RoleWords Demands[] = {
    {ArgRole::Mix, "tolerated",
     "one of them in all may be a 0-dim CPU tensor beside an accelerator"},
    {ArgRole::Scalars, "tolerated",
     "any number of them may be 0-dim CPU tensors beside an accelerator"},
    {ArgRole::Moved, "tolerated",
     "0-dim tensors on any other device: the operator moves them"},
    {ArgRole::Out, "strict",
     "not tolerated even if 0-dim: written, or what the result is made beside"},
    {ArgRole::Base, "indexed", "what the arguments below are compared with"},
    {ArgRole::Index, "must agree",
     "on the CPU, or on the indexed tensor's device"},
    {ArgRole::Index, "tolerated", "0-dim integers on any device"},
    {ArgRole::Put, "must agree", "on the indexed tensor's device"},
    {ArgRole::Put, "tolerated",
     "0-dim tensors, one element under a mask, and anything where no index is "
     "a tensor"},
    {ArgRole::Host, "must be", "on the CPU"},
};

std::string tdl::contractNameOf(StringRef Spelled) {
  Spelled.consume_front("::");
  for (StringRef Namespace : {"torch::", "at::", "aten::", "c10::"})
    if (Spelled.consume_front(Namespace))
      break;
  for (const Spelling &S : Spellings)
    if (Spelled.consume_front(S.Prefix)) {
      // torch::linalg::linalg_svd carries the prefix in its own name.
      Spelled.consume_front(S.Name);
      return (S.Name + Spelled).str();
    }
  return Spelled.str();
}

static void line(std::string &Into, StringRef Label, const Twine &Text) {
  Into += formatv("  {0,-11}  {1}\n", Label, Text.str()).str();
}

static std::string releases(const Contract &Row) {
  auto Words = [](LibTorchVersion V) {
    return std::to_string(V.Major) + "." + std::to_string(V.Minor);
  };
  if (Row.Since && Row.Until)
    return "from LibTorch " + Words(*Row.Since) + " until before " +
           Words(*Row.Until);
  if (Row.Since)
    return "from LibTorch " + Words(*Row.Since) + " on";
  return Row.Until ? "before LibTorch " + Words(*Row.Until) : "all";
}

static std::string placeInWords(const ResultRule &Rule) {
  switch (Rule.Where) {
  case ResultPlace::None:
    return "no tensor";
  case ResultPlace::Common:
    return "on the device that its arguments agree on";
  case ResultPlace::Arg:
    return "on the device of '" + Rule.Arg.str() + "'";
  case ResultPlace::Options:
    return "where the options say, else on the CPU";
  case ResultPlace::Like:
    return "where the options say, else on the device of '" + Rule.Arg.str() +
           "'";
  case ResultPlace::CPU:
    return "on the CPU";
  case ResultPlace::Device:
    return "on " + Rule.Arg.str();
  case ResultPlace::Unknown:
    return "not known, so the linter is silent about it";
  }
  llvm_unreachable("every place has words");
}

static void appendResult(std::string &Into, const Contract &Row) {
  if (Row.Results.size() == 1)
    return line(Into, "result",
                placeInWords(Row.Results.front()) +
                    (Row.IsView ? ", and may share its storage" : ""));
  for (const auto &[Position, Rule] : enumerate(Row.Results))
    line(Into, "result " + std::to_string(Position + 1), placeInWords(Rule));
}

static StringRef waitInWords(HostWait Wait) {
  switch (Wait) {
  case HostWait::Unknown:
    return "not known";
  case HostWait::No:
    return "the host does not wait for the device";
  case HostWait::Depends:
    return "the host waits for the device with some arguments, devices or "
           "options";
  case HostWait::Yes:
    return "the host waits for the device";
  }
  llvm_unreachable("every wait has words");
}

static std::string namesWith(const Contract &Row,
                             function_ref<bool(ArgRole)> Wanted) {
  // A derived out form has a role for every name that its outputs may have.
  bool HasOut = Row.roleOf("out") != ArgRole::Any;
  SmallVector<StringRef, 8> Names;
  for (const auto &[Parameter, Role] : Row.Roles) {
    StringRef Number = Parameter;
    bool IsNumbered = Number.consume_front("out") && Number.size() == 1 &&
                      isDigit(Number.front());
    if (Wanted(Role) && !(HasOut && IsNumbered))
      Names.push_back(Parameter);
  }
  return join(Names, ", ");
}

static void appendRoles(std::string &Into, const Contract &Row) {
  if (Row.Family == CheckFamily::None)
    return line(Into, "demands", "nothing of its arguments' devices");
  auto Agrees = [](ArgRole Role) {
    return Role == ArgRole::Same || Role == ArgRole::Mix ||
           Role == ArgRole::Scalars || Role == ArgRole::Moved ||
           Role == ArgRole::Out;
  };
  if (any_of(make_second_range(Row.Roles), Agrees))
    line(Into, "must agree", namesWith(Row, [&](ArgRole Role) {
                               return Agrees(Role) || Role == ArgRole::Base;
                             }) + ": on one device, its index included");
  for (const RoleWords &Words : Demands) {
    std::string Names =
        namesWith(Row, [&](ArgRole Role) { return Role == Words.Role; });
    if (!Names.empty())
      line(Into, Words.Label, Names + ": " + Words.Demand);
  }
}

/// How the forms that are made from \p Row differ from it.
static void appendForms(std::string &Into, const ContractTable &Table,
                        const Contract &Row) {
  auto Derived = [&](StringRef Suffix) -> const Contract * {
    for (const Contract *Form : Table.rowsOf((Row.Name + Suffix).str()))
      if (Table.isDerived(*Form) && Form->Overload == Row.Overload &&
          Form->Since == Row.Since && Form->Until == Row.Until)
        return Form;
    return nullptr;
  };
  if (const Contract *InPlace = Derived("_"))
    line(Into, "in place",
         InPlace->Name + (InPlace->roleOf("self") != Row.roleOf("self")
                              ? ", where LibTorch has it: self is written, so "
                                "it is not tolerated even if 0-dim"
                              : ", where LibTorch has it: likewise, and the "
                                "result is self"));
  if (const Contract *Out = Derived("_out"))
    line(Into, "into out",
         Out->Name + (Out->roleOf("out") != ArgRole::Any
                          ? ", where LibTorch has it: 'out' counts too"
                          : ", where LibTorch has it: outputs that are not "
                            "named above are not compared"));
}

static llvm::StringRef checkName(CheckFamily Family) {
  switch (Family) {
  case CheckFamily::Op:
    return "torch-cross-device-op";
  case CheckFamily::Index:
    return "torch-cross-device-index";
  case CheckFamily::Module:
    return "torch-cross-device-module";
  case CheckFamily::Load:
    return "torch-load-device";
  case CheckFamily::None:
    break;
  }
  return "";
}

static void appendRow(std::string &Into, const ContractTable &Table,
                      const Contract &Row) {
  Into += Row.Name;
  if (!Row.Overload.empty())
    Into += ", overloads with a parameter '" + Row.Overload.str() + "'";
  Into += "\n";
  appendRoles(Into, Row);
  appendResult(Into, Row);
  line(Into, "waits", waitInWords(Row.Waits));
  if (!Table.isDerived(Row))
    appendForms(Into, Table, Row);
  if (Row.Family != CheckFamily::None) {
    line(Into, "error", "... " + Table.errorText(Row.Error) + " ...");
    line(Into, "check", checkName(Row.Family));
  }
  line(Into, "releases", releases(Row));
  line(Into, "source", Row.Source);
}

std::string tdl::contractInWords(const ContractTable &Table, StringRef Name) {
  auto [Base, Overload] = Name.split('.');
  if (Table.rowsOf(Base).empty())
    Base.consume_back("_symint");
  std::string Words;
  for (const Contract *Row : Table.rowsOf(Base)) {
    if (!Overload.empty() && Row->Overload != Overload)
      continue;
    if (!Words.empty())
      Words += "\n";
    appendRow(Words, Table, *Row);
  }
  return Words;
}
