//===- PreludeManifest.h - What a stored prelude is good for ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside each prelude NAME.pch in the cache lie NAME.hpp, its source,
// NAME.manifest, this structure as lines of text, and NAME.ids, the hashes of
// all identifiers that its headers contain.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_PRELUDEMANIFEST_H
#define TDL_COMPILE_PRELUDEMANIFEST_H

#include "compile/PreludeRequest.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace tdl {

/// A file as it was when the prelude was made.
struct FileStamp {
  std::string Path;
  uint64_t Size = 0;
  int64_t Time = 0; ///< Of the last change, nanoseconds since 1970.

  /// Reads the file's state. Empty when there is no such file.
  static std::optional<FileStamp> of(llvm::StringRef Path);
  bool isCurrent() const;
};

struct PreludeManifest {
  /// Why the headers give no prelude, in one line; empty when they do. There is
  /// no PCH then, and no sense in trying again until one of Files changes.
  std::string Failure;
  FileStamp Pch;
  /// What the prelude was made for, less what Implied says.
  std::vector<HeavyInclude> Includes;
  /// Those of the request's headers that others of them include too: a file
  /// that includes the others reaches these all the same.
  std::vector<HeavyInclude> Implied;
  /// The macros of the request that the headers depend on.
  std::vector<MacroEvent> Macros;
  /// "#define NAME text" of the compiler's own macros.
  std::vector<std::string> Builtins;
  /// First components of what the headers' own #include directives look for
  /// along the search path, sorted.
  std::vector<std::string> SearchNames;
  /// Every file that was read.
  std::vector<FileStamp> Files;
  /// Hashes of all identifiers in the headers, sorted. In a file of its own.
  std::vector<uint64_t> Identifiers;

  /// Are all Files, and the PCH, as they were? Thousands of stat calls, about
  /// 10 ms.
  bool isCurrent() const;

  /// May a file that makes \p Request use it, as far as macros and the
  /// project's include folders go, and does the file reach all of Includes?
  bool fits(const PreludeRequest &Request) const;

  /// How many of the request's headers it holds.
  unsigned coverage(const PreludeRequest &Request) const;

  /// \p Stem is the path without ".manifest". Identifiers are read when fits()
  /// asks for them.
  static std::optional<PreludeManifest> read(llvm::StringRef Stem);
  /// False when it cannot be written.
  bool write(llvm::StringRef Stem) const;

private:
  bool hasIdentifier(llvm::StringRef Name) const;
  bool macrosFit(const PreludeRequest &Request) const;
  bool foldersFit(const PreludeRequest &Request) const;

  std::string IdentifierFile;
  mutable std::shared_ptr<llvm::MemoryBuffer> IdentifierText;
};

/// The hash under which Identifiers holds a name.
uint64_t identifierHash(llvm::StringRef Name);

/// Writes to a temporary beside \p Path and renames it, so that no reader sees
/// half of it. False on failure.
bool writeWhole(llvm::StringRef Path, llvm::StringRef Text);

} // namespace tdl

#endif // TDL_COMPILE_PRELUDEMANIFEST_H
