//===- Snippet.h - A source line with what is pointed at ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines beneath a message: the source line, the caret with the underlined
// expression, and the text that a repair would put there. As clang prints it:
//
//     6 |   return x_cpu.index({idx_cuda});
//       |          ~~~~~~~~~~~~~^~~~~~~~~~
//       |                               .to(x_cpu.device())
//
//===----------------------------------------------------------------------===//

#ifndef TDL_REPORT_SNIPPET_H
#define TDL_REPORT_SNIPPET_H

#include "findings/Finding.h"
#include "findings/SourceText.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
}

namespace tdl {

/// Whether \p E can be shown as one line of text beneath the line of \p At: it
/// begins and ends on that line, and so does what it inserts.
bool isShownBeneath(const Edit &E, const SourcePoint &At);

/// What to point at; At must be valid.
struct Snippet {
  SourcePoint At;
  SourceSpan Underlined; ///< Its part on At's line; invalid for none.
  std::vector<const Edit *>
      Inserted; ///< Those for which isShownBeneath() holds, in any order.
};

/// Writes \p S in the colours of clang, where \p OS has its colours enabled.
/// Nothing when the file has no such line, and for lines of more than 4096
/// bytes (generated code, as clang does).
void writeSnippet(llvm::raw_ostream &OS, SourceText &Sources, const Snippet &S,
                  unsigned TabStop);

} // namespace tdl

#endif // TDL_REPORT_SNIPPET_H
