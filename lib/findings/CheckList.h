//===- CheckList.h - Which checks a list of globs names -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The comma-separated lists of --checks and of NOLINT(...), read as clang-tidy
// reads them: `*` stands for any text, a leading `-` takes away, the last glob
// that fits decides.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_CHECKLIST_H
#define TDL_FINDINGS_CHECKLIST_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

class CheckList {
public:
  /// What a glob with a leading `-` does.
  enum class Negative {
    TakesAway, ///< --checks
    Ignored,   ///< NOLINT(...): as if it were not in the list.
  };

  /// Reads \p Text; globs are separated by commas or line ends, blanks around
  /// them don't count. Every text is a list; the empty one names no check.
  explicit CheckList(llvm::StringRef Text,
                     Negative Minus = Negative::TakesAway);

  bool contains(llvm::StringRef Check) const;

private:
  struct Item {
    std::string Glob;
    bool Adds;
  };
  std::vector<Item> Items;
};

} // namespace tdl

#endif // TDL_FINDINGS_CHECKLIST_H
