//===- OwnContracts.cpp - Contracts of the user's own functions -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form that docs/contracts.md describes: a line for each function,
//
//   my::fused_add: mix x y; result common
//   schema my_ops::scale(Tensor x, Tensor by) -> Tensor: mix x by
//
// with roles, results, ranks and element types in the table's own words.
//
//===----------------------------------------------------------------------===//

#include "device/Place.h"
#include "torch/ContractParser.h"
#include "torch/SchemaText.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tdl;

/// The key of the error that a user's row has: what its message says is not
/// known.
static constexpr StringLiteral OwnError = "own";

bool ContractParser::parseOwnLines() {
  Table.Errors.try_emplace(OwnError, "device");
  StringRef Rest = Text;
  Rest.consume_front("\xEF\xBB\xBF"); // A byte order mark.
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    StringRef Code = Line.split('#').first.trim();
    if (!Code.empty() && !parseOwnRow(Code))
      return false;
  }
  return true;
}

/// Where the name ends: a colon that is not one of two.
static size_t endOfName(StringRef Code) {
  for (size_t I = 0; I != Code.size(); ++I) {
    if (Code[I] != ':')
      continue;
    if (!Code.substr(I + 1).starts_with(":"))
      return I;
    ++I;
  }
  return StringRef::npos;
}

bool ContractParser::parseOwnRow(StringRef Code) {
  if (Code.consume_front("schema ") || Code.consume_front("schema\t"))
    return parseOwnSchema(Code.ltrim());
  size_t Colon = endOfName(Code);
  if (Colon == StringRef::npos)
    return fail(Code, "expected a function's name, a colon and what holds of "
                      "it, as 'my::to_gpu: result cuda', found '" +
                          Code + "'");
  Contract Row;
  if (!parseOwnName(Code.take_front(Colon).rtrim(), Row))
    return false;
  return parseOwnClauses(Code.drop_front(Colon + 1), Row) &&
         finishOwnRow(Code.take_front(Colon).rtrim(), std::move(Row));
}

bool ContractParser::parseOwnClauses(StringRef Clauses, Contract &Row) {
  SmallVector<StringRef, 4> Parts;
  Clauses.split(Parts, ';');
  return all_of(Parts, [&](StringRef Clause) {
    return Clause.trim().empty() || parseOwnClause(Clause.trim(), Row);
  });
}

/// A row for an operator that the program registers.
bool ContractParser::parseOwnSchema(StringRef Code) {
  SchemaText Schema;
  SchemaProblem Found;
  if (!parseSchema(Code, Schema, Found))
    return fail(Found.At, Found.Message);
  if (!Schema.Rest.consume_front(":"))
    return fail(Schema.Rest,
                "expected a colon and what holds of '" + Schema.Name + "'");
  Contract Row;
  if (!parseOwnName(Schema.Name, Row) || !parseOwnClauses(Schema.Rest, Row) ||
      !checkOwnNames(Schema, Row))
    return false;
  // An overload has a name of its own.
  if (!Schema.Overload.empty())
    Row.Name = Code.take_until([](char Letter) { return Letter == '('; });
  for (const SchemaText::Parameter &Parameter : Schema.Parameters)
    Row.Schema.push_back(Parameter.Name);
  return finishOwnRow(Row.Name, std::move(Row));
}

/// Every name in \p Row must be one of a parameter, a tensor where it counts.
bool ContractParser::checkOwnNames(const SchemaText &Schema,
                                   const Contract &Row) {
  auto IsThere = [&](StringRef Name) {
    return Name.empty() || Schema.find(Name) ||
           fail(Name, "the schema has no parameter '" + Name + "'");
  };
  for (const auto &[Name, Role] : Row.Roles) {
    if (!IsThere(Name))
      return false;
    if (!Schema.find(Name)->IsTensor)
      return fail(Name, "parameter '" + Name + "' is no tensor");
  }
  for (const ResultRule &Rule : Row.Results)
    if (Rule.Where != ResultPlace::Device && !IsThere(Rule.Arg))
      return false;
  size_t Results = Row.Results.size();
  if (Results > 1 && Results > Schema.NumReturns)
    return fail(Schema.Rest, "'result' names " + Twine(Results) +
                                 ", the schema returns " +
                                 Twine(Schema.NumReturns));
  return IsThere(Row.Rank.Arg) && IsThere(Row.Rank.Arg2);
}

bool ContractParser::parseOwnName(StringRef Name, Contract &Row) {
  StringRef Outermost = Name.split("::").first;
  if (is_contained({"at", "torch", "c10", "aten", "prim"}, Outermost))
    return fail(Name, "'" + Name +
                          "' is LibTorch's, whose contracts are built "
                          "in; --explain-op shows them");
  bool IsName = all_of(Name, [](char Letter) {
    return isAlnum(Letter) || Letter == '_' || Letter == ':';
  });
  if (!IsName || !Name.contains("::") || Name.ends_with(":"))
    return fail(Name, "expected the qualified name of a function of your own, "
                      "as 'my::to_gpu', or '::to_gpu' in the global namespace, "
                      "found '" +
                          Name + "'");
  Row.Name = Name;
  return true;
}

/// "mix x y result common" lacks a semicolon. A parameter may be called
/// "result", but not so in the middle.
bool ContractParser::checkSeparators(ArrayRef<StringRef> Parameters) {
  for (StringRef Word :
       Parameters.drop_front().drop_back(Parameters.size() > 1))
    if (is_contained({"result", "rank", "dtype", "waits"}, Word))
      return fail(Word, "'" + Word +
                            "' begins a clause: expected a semicolon "
                            "before it");
  return true;
}

bool ContractParser::parseOwnClause(StringRef Clause, Contract &Row) {
  StringRef Key = Clause.take_until(isSpace);
  StringRef Value = Clause.drop_front(Key.size()).ltrim();
  if (std::optional<ArgRole> Role = roleNamed(Key)) {
    SmallVector<StringRef, 4> Parameters;
    SplitString(Value, Parameters);
    if (Parameters.empty())
      return fail(Key, "expected names of parameters after '" + Key + "'");
    // No function has more; a file of millions is no file of contracts.
    constexpr size_t MaxParameters = 64;
    if (Parameters.size() > MaxParameters)
      return fail(Key, "expected at most 64 names of parameters after '" + Key +
                           "', found " + Twine(Parameters.size()));
    if (!checkSeparators(Parameters))
      return false;
    return all_of(Parameters, [&](StringRef Parameter) {
      if (clang::isValidAsciiIdentifier(Parameter))
        return addRole(Parameter, *Role, Row);
      return fail(Parameter, "expected the name of a parameter, with spaces "
                             "between two, found '" +
                                 Parameter + "'");
    });
  }
  if (Key == "result" && !Row.Results.empty())
    return fail(Key, "'result' is there twice");
  if (Key == "result" && Place::parse(Value).isKnown()) {
    Row.Results = {{ResultPlace::Device, Value}};
    return true;
  }
  if (Key == "result")
    return parseResults(Value, Row);
  if (Key == "rank")
    return parseRank(Value, Row.Rank);
  if (Key == "dtype") {
    Row.DType = Value;
    return parseDType(Value);
  }
  if (Key == "waits" && Row.Waits != HostWait::Unknown)
    return fail(Key, "'waits' is there twice");
  if (Key == "waits" && Value.empty())
    return fail(Key, "expected yes, no, args or ? after 'waits'");
  if (Key == "waits")
    return parseWait(Value, Row.Waits);
  return fail(Key, "unknown key '" + Key +
                       "'; expected one of same, mix, scalars, moved, out, "
                       "base, index, put, host, any, result, rank, dtype, "
                       "waits");
}

bool ContractParser::finishOwnRow(StringRef At, Contract Row) {
  if (Row.Results.empty())
    Row.Results = {ResultRule()};
  auto Has = [&](ArgRole Role) {
    return is_contained(make_second_range(Row.Roles), Role);
  };
  bool NeedsBase = Has(ArgRole::Index) || Has(ArgRole::Put);
  if (NeedsBase != Has(ArgRole::Base))
    return fail(At, "'" + At +
                        "' needs both: the roles index or put, and the role "
                        "base for what they are compared with");
  bool Compares = any_of(make_second_range(Row.Roles),
                         [](ArgRole Role) { return Role != ArgRole::Any; });
  if (Compares) {
    Row.Family = NeedsBase ? CheckFamily::Index : CheckFamily::Op;
    Row.Error = OwnError;
  }
  Table.Texts.push_back(std::make_unique<std::string>(FileName));
  Row.Source = *Table.Texts.back();
  ++Table.NumOwnRows;
  return checkRow(At, Row);
}
