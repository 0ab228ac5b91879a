//===- CoverageText.cpp - The last line of a report -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts to words.
//
//===----------------------------------------------------------------------===//

#include "report/CoverageText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>

using namespace llvm;
using namespace tdl;

static std::string counted(unsigned Number, const Twine &One,
                           const Twine &Many) {
  return (Twine(Number) + " " + (Number == 1 ? One : Many)).str();
}

static std::string operations(const Coverage &C) {
  std::string Text =
      counted(C.Operations, "tensor operation", "tensor operations");
  if (C.Operations == 0)
    return Text;
  const unsigned Share = uint64_t(C.OperationsKnown) * 100 / C.Operations;
  Text += (", " + Twine(C.OperationsKnown) + " (" + Twine(Share) +
           " %) with every operand's place known")
              .str();
  if (C.OperationsUnmodelled != 0)
    Text += ", " + utostr(C.OperationsUnmodelled) + " without a contract";
  return Text;
}

std::string tdl::coverageText(unsigned Findings, const Coverage &C) {
  std::string Text =
      (Findings == 0 ? "no findings"
                     : counted(Findings, "finding", "findings")) +
      " in " + counted(C.Files, "file", "files") + ": " +
      counted(C.Functions, "function", "functions") + ", " + operations(C);
  if (C.FunctionsGivenUp != 0)
    Text += "; " + counted(C.FunctionsGivenUp, "function", "functions") +
            " given up";
  if (C.FilesFailed != 0)
    Text += "; " + counted(C.FilesFailed, "file", "files") +
            " could not be analysed";
  if (C.PreludeFallbacks != 0)
    Text += "; " + counted(C.PreludeFallbacks, "file", "files") +
            " parsed without the prelude";
  if (C.Suppressed != 0)
    Text += "; " + utostr(C.Suppressed) + " suppressed by NOLINT";
  return Text;
}
