//===- CheckList.cpp - Which checks a list of globs names -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading the list and matching globs whose only special character is `*`.
//
//===----------------------------------------------------------------------===//

#include "findings/CheckList.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tdl;

CheckList::CheckList(StringRef Text, Negative Minus) {
  while (!Text.empty()) {
    const size_t End = Text.find_first_of(",\n");
    StringRef Glob = Text.take_front(End).trim();
    Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 1);

    const bool Adds = !Glob.consume_front("-");
    if (Adds || Minus == Negative::TakesAway)
      Items.push_back({Glob.trim().str(), Adds});
  }
}

/// Greedy from the left: the text between two stars may be taken at its first
/// occurrence, only what follows the last star is bound to the end.
static bool matchesGlob(StringRef Glob, StringRef Name) {
  auto [Head, Rest] = Glob.split('*');
  if (Head.size() == Glob.size())
    return Glob == Name;
  if (!Name.consume_front(Head))
    return false;

  while (true) {
    auto [Part, Tail] = Rest.split('*');
    if (Part.size() == Rest.size())
      return Name.ends_with(Part);
    const size_t Found = Name.find(Part);
    if (Found == StringRef::npos)
      return false;
    Name = Name.drop_front(Found + Part.size());
    Rest = Tail;
  }
}

bool CheckList::contains(StringRef Check) const {
  for (const Item &I : reverse(Items))
    if (matchesGlob(I.Glob, Check))
      return I.Adds;
  return false;
}
