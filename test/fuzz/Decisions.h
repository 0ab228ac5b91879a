//===- Decisions.h - A fuzzer's bytes, read as choices --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FUZZ_DECISIONS_H
#define TDL_FUZZ_DECISIONS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace tdl::fuzz {

/// Hands out the bytes of a fuzzer's input one choice after another, so that a
/// small change of the input is a small change of what is made from it.
class Decisions {
public:
  explicit Decisions(llvm::ArrayRef<uint8_t> Bytes) : Left(Bytes) {}

  bool isExhausted() const { return Left.empty(); }

  /// A number below \p Count, which is positive and at most 65536; 0 when no
  /// bytes are left.
  unsigned below(unsigned Count) {
    unsigned Number = next();
    if (Count > 256)
      Number = Number << 8 | next();
    return Number % Count;
  }

private:
  unsigned next() {
    if (Left.empty())
      return 0;
    unsigned Byte = Left.front();
    Left = Left.drop_front();
    return Byte;
  }

  llvm::ArrayRef<uint8_t> Left;
};

} // namespace tdl::fuzz

#endif // TDL_FUZZ_DECISIONS_H
