//===- SeedProgram.h - A program and where it can be changed --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source file that parses, as text, with the places in it where other text
// can stand so that the result is likely to compile: an expression where
// another of its type can stand, a statement that can go or be repeated. It is
// plain data; the AST that it was read from is gone.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FUZZ_SEEDPROGRAM_H
#define TDL_FUZZ_SEEDPROGRAM_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {
struct ParsedUnit;
}

namespace tdl::fuzz {

/// A stretch of a file's text, in bytes from its begin.
struct Span {
  unsigned Begin = 0, End = 0;

  bool contains(Span Other) const {
    return Begin <= Other.Begin && Other.End <= End;
  }
  bool overlaps(Span Other) const {
    return Begin < Other.End && Other.Begin < End;
  }
};

struct MutationSite {
  enum class Kind { Expression, Statement };

  Kind What = Kind::Expression;
  Span Where;
  /// Of an expression: its canonical type, followed by " lvalue" if it is one.
  /// Only an expression of the same type may stand there.
  std::string Type;
  /// Local variables by number: those that the text names, and those that may
  /// be named here.
  llvm::BitVector Reads, InScope;
};

/// A function or a class at file level.
struct SeedPart {
  Span Where;
  /// The body of a function that a ';' can stand for; empty for other parts.
  Span Body;
  std::vector<MutationSite> Sites;
};

struct SeedProgram {
  std::string Path; ///< Absolute.
  std::string Text;
  std::vector<SeedPart> Parts; ///< In source order, at least one.

  llvm::StringRef text(Span Where) const {
    return llvm::StringRef(Text).slice(Where.Begin, Where.End);
  }
};

/// What can be changed in the main file of \p Unit. Without parts if nothing
/// can.
SeedProgram readSeed(llvm::StringRef Path, ParsedUnit &Unit);

} // namespace tdl::fuzz

#endif // TDL_FUZZ_SEEDPROGRAM_H
