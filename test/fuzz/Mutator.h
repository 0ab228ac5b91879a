//===- Mutator.h - Changed copies of parts of a program -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mutant is a run of up to three parts of a seed with one to six changes. A
// batch is a file with many of them, each in a namespace of its own, in front
// of it what the seed has there: LibTorch's headers cost far more to read than
// a mutant. Bodies that no mutant changes are left out.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FUZZ_MUTATOR_H
#define TDL_FUZZ_MUTATOR_H

#include "Decisions.h"
#include "SeedProgram.h"
#include <set>

namespace tdl::fuzz {

struct Mutant {
  unsigned Part = 0; ///< Index of the part that it stands behind.
  std::string Text;  ///< With its namespace.
};

struct Batch {
  std::string Text;
  /// For each mutant that is in the text, the lines that it takes, from 1.
  struct Lines {
    unsigned Mutant, First, Last;
  };
  std::vector<Lines> Where;
};

/// Mutants of \p Seed, until the decisions or \p Most are exhausted.
std::vector<Mutant> makeMutants(const SeedProgram &Seed, Decisions &Choices,
                                unsigned Most);

/// The file with all mutants but those in \p Without.
Batch makeBatch(const SeedProgram &Seed, const std::vector<Mutant> &Mutants,
                const std::set<unsigned> &Without);

} // namespace tdl::fuzz

#endif // TDL_FUZZ_MUTATOR_H
