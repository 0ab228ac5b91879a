//===- Prelude.h - The shared preludes on disk --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the prelude that fits a file, or makes it. Several processes may do so
// at once: one makes it, the others wait for it, or go on without after a
// while. Nothing that is wrong with the cache is an error: the file is then
// parsed without a prelude.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_COMPILE_PRELUDE_H
#define TDL_COMPILE_PRELUDE_H

#include "compile/PreludeManifest.h"
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tdl {

/// A prelude that is ready for use.
struct Prelude {
  std::string PchPath;
  /// The compiler's own macros as the headers saw them.
  std::vector<std::string> Builtins;
  /// Where PreludeStore keeps account of what parsing the headers that are not
  /// in it has cost so far; empty when it holds all.
  std::string Account;
};

class PreludeStore {
public:
  /// \p CacheDir is made when it is needed, readable by the user alone; empty
  /// for the default, torch-device-lint in $XDG_CACHE_HOME or ~/.cache.
  explicit PreludeStore(std::string CacheDir);

  /// Empty when there is none to be had: the headers do not compile by
  /// themselves, the cache cannot be written, or another process takes too
  /// long.
  std::optional<Prelude> get(const PreludeRequest &Request);

  /// Says how long a file took to parse with the prelude. A prelude for all of
  /// the file's headers is made once those that lack have cost as much.
  void noteCost(const Prelude &Used, std::chrono::duration<double> Cost);

  /// The prelude turned out to be broken; it is made again next time.
  void forget(const Prelude &Broken);

private:
  struct Candidate {
    std::string Stem;
    PreludeManifest Manifest;
    unsigned Coverage = 0;
  };
  /// \p Count receives the number of preludes in the folder.
  std::optional<Candidate> findBest(const PreludeRequest &Request,
                                    llvm::StringRef Folder, bool RemoveStale,
                                    unsigned &Count);
  /// The prelude for all of the request's headers, or for the most that there
  /// is one for.
  std::optional<Prelude> findOrBuild(const PreludeRequest &Request);
  std::optional<Prelude> findUsable(const PreludeRequest &Request,
                                    llvm::StringRef Stem, bool HaveLock,
                                    bool &MakeOne);
  std::optional<Prelude> build(const PreludeRequest &Request,
                               llvm::StringRef Stem);
  bool isCurrent(const Candidate &Found);

  std::string Root;
  /// When a prelude's files were last compared, by stem.
  std::map<std::string, std::chrono::steady_clock::time_point> Checked;
};

} // namespace tdl

#endif // TDL_COMPILE_PRELUDE_H
