//===- FindingId.cpp - A finding's name that survives edits ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashing what identifies a finding.
//
//===----------------------------------------------------------------------===//

#include "findings/FindingId.h"
#include "findings/FindingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;
using namespace tdl;

static const unsigned IdBytes = 8;

std::string tdl::pathBelow(StringRef File, StringRef Root) {
  StringRef Rest = File;
  while (sys::path::is_separator(Root.empty() ? '\0' : Root.back()))
    Root = Root.drop_back();
  if (Root.empty() || !Rest.consume_front(Root) || Rest.empty() ||
      !sys::path::is_separator(Rest.front()))
    return File.str();
  return sys::path::convert_to_slash(
      Rest.drop_while([](char C) { return sys::path::is_separator(C); }));
}

static std::string nameOfFile(StringRef File, StringRef Root) {
  std::string Path = pathBelow(File, Root);
  return Path == File ? sys::path::filename(File).str() : Path;
}

/// Everything but the ordinal. NUL between the parts, so that no two different
/// lists of parts are the same bytes.
static std::string identityOf(const Finding &F, SourceText &Sources,
                              StringRef Root) {
  std::string Line = Sources.line(F.At.File, F.At.Line).str();
  erase_if(Line, [](char C) { return C == ' ' || C == '\t'; });
  std::string Identity;
  for (const std::string &Part :
       {F.Check, nameOfFile(F.At.File, Root), F.Function, Line})
    (Identity += Part) += '\0';
  return Identity;
}

void tdl::assignIds(std::vector<Finding> &Findings, SourceText &Sources,
                    StringRef Root) {
  // Ordinals follow the order of places, whatever the order of the list.
  std::vector<Finding *> Ordered;
  for (Finding &F : Findings)
    Ordered.push_back(&F);
  llvm::sort(Ordered, [](const Finding *A, const Finding *B) {
    return findingLess(*A, *B);
  });

  StringMap<unsigned> Seen;
  for (Finding *F : Ordered) {
    std::string Identity = identityOf(*F, Sources, Root);
    const unsigned Ordinal = Seen[Identity]++;
    (Identity += utostr(Ordinal)) += '\0';
    const auto Hash = SHA1::hash(arrayRefFromStringRef(Identity));
    F->Id = toHex(ArrayRef(Hash).take_front(IdBytes), /*LowerCase=*/true);
  }
}
