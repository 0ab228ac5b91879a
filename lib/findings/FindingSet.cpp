//===- FindingSet.cpp - One sorted list of findings -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A total order of findings by what a reader sees of them.
//
//===----------------------------------------------------------------------===//

#include "findings/FindingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;
using namespace tdl;

static auto keyOf(const Note &N) { return std::tie(N.At, N.Message); }

static auto keyOf(const FindingOperand &O) {
  return std::tie(O.Name, O.Text, O.Place, O.Rank, O.DType, O.Step);
}

static auto keyOf(const StoryStep &S) {
  return std::tie(S.At, S.Op, S.Text, S.Place, S.Condition, S.Rank, S.DType,
                  S.Subject, S.Kind);
}

static auto keyOf(const StepArgument &A) {
  return std::tie(A.Name, A.ArgKind, A.Text, A.Steps);
}

static auto keyOf(const Fix &F) {
  return std::tie(F.Description, F.Operand, F.Target);
}

/// Negative, zero or positive, element by element and then by length.
template <typename T>
static int compareLists(const std::vector<T> &A, const std::vector<T> &B) {
  for (const auto &[X, Y] : zip(A, B)) {
    if (keyOf(X) < keyOf(Y))
      return -1;
    if (keyOf(Y) < keyOf(X))
      return 1;
  }
  return int(A.size() > B.size()) - int(A.size() < B.size());
}

static int compareArguments(const Finding &A, const Finding &B) {
  for (const auto &[X, Y] : zip(A.Steps, B.Steps))
    if (int Order = compareLists(X.Arguments, Y.Arguments))
      return Order;
  return 0;
}

/// The order among findings at one place: by what differs between two
/// instantiations or two files that include the same header.
static bool storyLess(const Finding &A, const Finding &B) {
  const auto Key = [](const Finding &F) {
    return std::tie(F.Level, F.Condition, F.Function, F.Op, F.Expect,
                    F.ErrorText);
  };
  if (Key(A) != Key(B))
    return Key(A) < Key(B);
  for (int Order :
       {compareLists(A.Notes, B.Notes), compareLists(A.Operands, B.Operands),
        compareLists(A.Steps, B.Steps), compareArguments(A, B),
        compareLists(A.Fixes, B.Fixes)})
    if (Order != 0)
      return Order < 0;
  return false;
}

bool tdl::findingLess(const Finding &A, const Finding &B) {
  const auto Key = [](const Finding &F) {
    return std::tie(F.At, F.Check, F.Message);
  };
  if (Key(A) != Key(B))
    return Key(A) < Key(B);
  return storyLess(A, B);
}

bool tdl::isSameFinding(const Finding &A, const Finding &B) {
  return A.Check == B.Check && A.At == B.At;
}

/// What another check has found the cause of is not told at its effects.
static void dropExplained(std::vector<Finding> &Findings) {
  std::set<SourcePoint> Explained;
  for (const Finding &F : Findings)
    Explained.insert(F.Explains.begin(), F.Explains.end());
  erase_if(Findings, [&](const Finding &F) {
    return F.Explains.empty() &&
           (Explained.count(F.At) != 0 ||
            any_of(F.Origins, [&](const SourcePoint &Origin) {
              return Explained.count(Origin) != 0;
            }));
  });
}

void tdl::dropRepetitions(std::vector<Finding> &Findings) {
  dropExplained(Findings);
  std::set<std::pair<std::string, SourcePoint>> Reported;
  for (const Finding &F : Findings)
    Reported.insert({F.Check, F.At});
  llvm::erase_if(Findings, [&](const Finding &F) {
    return any_of(F.Origins, [&](const SourcePoint &Origin) {
      return Reported.count({F.Check, Origin}) != 0;
    });
  });
}

void tdl::sortAndMerge(std::vector<Finding> &Findings) {
  const auto SurestFirst = [](const Finding &A, const Finding &B) {
    if (!isSameFinding(A, B))
      return std::tie(A.At, A.Check) < std::tie(B.At, B.Check);
    if (A.Level != B.Level)
      return A.Level < B.Level;
    return findingLess(A, B);
  };
  llvm::sort(Findings, SurestFirst);
  Findings.erase(std::unique(Findings.begin(), Findings.end(), isSameFinding),
                 Findings.end());
}
