//===- Coverage.cpp - What a run looked at --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adding the counts of one run to those of another.
//
//===----------------------------------------------------------------------===//

#include "findings/Coverage.h"

using namespace tdl;

Coverage &Coverage::operator+=(const Coverage &Other) {
  Files += Other.Files;
  FilesFailed += Other.FilesFailed;
  PreludeFallbacks += Other.PreludeFallbacks;
  Functions += Other.Functions;
  FunctionsGivenUp += Other.FunctionsGivenUp;
  Operations += Other.Operations;
  OperationsKnown += Other.OperationsKnown;
  OperationsUnmodelled += Other.OperationsUnmodelled;
  Suppressed += Other.Suppressed;
  return *this;
}
