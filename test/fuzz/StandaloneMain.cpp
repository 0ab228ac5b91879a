//===- StandaloneMain.cpp - The fuzz target without libFuzzer -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the target once on each input that the command line names: what a test
// does, and how an input that crashed is tried again.
//
//===----------------------------------------------------------------------===//

#include "llvm/FuzzMutate/FuzzerCLI.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);
extern "C" int LLVMFuzzerInitialize(int *ArgC, char ***ArgV);

int main(int ArgC, char *ArgV[]) {
  return llvm::runFuzzerOnInputs(ArgC, ArgV, LLVMFuzzerTestOneInput,
                                 LLVMFuzzerInitialize);
}
