//===- SchemaText.cpp - Reads the schema of an operator -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/SchemaText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tdl;

const SchemaText::Parameter *SchemaText::find(StringRef Name) const {
  const auto *It = find_if(
      Parameters, [&](const Parameter &Known) { return Known.Name == Name; });
  return It == Parameters.end() ? nullptr : It;
}

static bool isNameLetter(char Letter) {
  return isAlnum(Letter) || Letter == '_';
}

/// Where the first of \p Ends stands outside of brackets and texts; npos where
/// it does not.
static size_t findOutside(StringRef Text, StringRef Ends) {
  unsigned Depth = 0;
  char Quote = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    char Letter = Text[I];
    if (Quote) {
      Quote = Letter == Quote ? 0 : Quote;
      continue;
    }
    if (Depth == 0 && Ends.contains(Letter))
      return I;
    if (Letter == '"' || Letter == '\'')
      Quote = Letter;
    else if (Letter == '(' || Letter == '[')
      ++Depth;
    else if ((Letter == ')' || Letter == ']') && Depth)
      --Depth;
  }
  return StringRef::npos;
}

/// Reads "Tensor(a!)[] out", "int dim=-1".
static bool parseParameter(StringRef Text, SchemaText &Schema,
                           SchemaProblem &Problem) {
  StringRef Declared =
      Text.substr(0, std::min(findOutside(Text, "="), Text.size())).rtrim();
  StringRef Type = Declared.rtrim(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  StringRef Name = Declared.drop_front(Type.size());
  if (Name.empty() || isDigit(Name.front()) || Type.rtrim() == Type ||
      Type.trim().empty()) {
    Problem = {Text, ("expected a type and a name, as 'Tensor x', found '" +
                      Text + "'")
                         .str()};
    return false;
  }
  if (Schema.find(Name)) {
    Problem = {Name, ("parameter '" + Name + "' is there twice").str()};
    return false;
  }
  StringRef Word = Type.take_while(isNameLetter);
  Schema.Parameters.push_back({Name, Word == "Tensor"});
  return true;
}

/// Of "Tensor", "(Tensor a, Tensor b)", "()".
static size_t countReturns(StringRef Types) {
  if (!Types.consume_front("("))
    return 1;
  size_t Count = Types.ltrim().starts_with(")") ? 0 : 1;
  for (size_t End;
       (End = findOutside(Types, ",)")) != StringRef::npos && Types[End] == ',';
       Types = Types.drop_front(End + 1))
    ++Count;
  return Count;
}

bool tdl::parseSchema(StringRef Text, SchemaText &Schema,
                      SchemaProblem &Problem) {
  auto Fail = [&](StringRef At) {
    Problem = {At, ("expected an operator's schema, as 'my_ops::scale(Tensor "
                    "x, float by) -> Tensor', found '" +
                    Text + "'")
                       .str()};
    return false;
  };
  size_t Open = Text.find('(');
  if (Open == StringRef::npos)
    return Fail(Text);
  std::tie(Schema.Name, Schema.Overload) = Text.take_front(Open).split('.');
  bool IsName = !Schema.Name.empty() && all_of(Schema.Name, [](char Letter) {
    return isNameLetter(Letter) || Letter == ':';
  });
  if (!IsName || !all_of(Schema.Overload, isNameLetter))
    return Fail(Text);
  StringRef Rest = Text.drop_front(Open + 1);
  while (true) {
    size_t End = findOutside(Rest, ",)");
    if (End == StringRef::npos)
      return Fail(Rest.take_back(0));
    StringRef Parameter = Rest.take_front(End).trim();
    bool IsLast = Rest[End] == ')';
    bool IsNothing = Parameter.empty() && IsLast && Schema.Parameters.empty();
    if (Parameter != "*" && !IsNothing &&
        !parseParameter(Parameter, Schema, Problem))
      return false;
    Rest = Rest.drop_front(End + 1);
    if (IsLast)
      break;
  }
  StringRef Returned = Rest.ltrim();
  if (!Returned.consume_front("->"))
    return Fail(Rest);
  size_t Colon = Returned.find(':');
  Schema.Rest = Colon == StringRef::npos ? Returned.take_back(0)
                                         : Returned.drop_front(Colon);
  StringRef Types = Returned.substr(0, Colon).trim();
  Schema.NumReturns = countReturns(Types);
  return !Types.empty() || Fail(Returned);
}
