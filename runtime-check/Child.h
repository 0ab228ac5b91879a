//===- Child.h - Runs something in a process of its own -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A witness may crash, hang or eat memory; that must cost no more than itself.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CHILD_H
#define TDL_RUNTIME_CHECK_CHILD_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

struct Limits {
  unsigned Seconds = 60; ///< Wall clock.
  /// Private writable memory beyond what this process has already. (A limit
  /// on address space would stop a CUDA driver, which reserves terabytes.)
  size_t MemoryBytes = size_t(4) << 30;
  bool ShowOutput = false; ///< What the child prints; else it is dropped.
};

/// What the child tells its parent while it runs.
class ChildPipe {
public:
  explicit ChildPipe(int File) : File(File) {}
  /// What it is about to do; the last one is known even after a crash.
  void progress(const std::string &What) const { send('P', What); }
  /// What came out. Line ends become blanks.
  void result(const std::string &Text) const { send('R', Text); }

private:
  void send(char Kind, std::string Text) const;
  int File;
};

struct ChildEnd {
  enum class Kind {
    Finished, ///< Result is what it sent.
    Silent,   ///< It ended without a result.
    Signalled,
    TimedOut,
    NotStarted, ///< Result says why.
  };
  Kind How = Kind::NotStarted;
  int Signal = 0;
  std::string Result;
  std::vector<std::string> Results; ///< All that it sent, the last included.
  std::string Progress; ///< The last one.
};

ChildEnd runInChild(const Limits &Bounds,
                    const std::function<void(const ChildPipe &)> &Work);

/// "the witness crashed (SIGSEGV) at step 2 of the run as found"; empty when
/// finished.
/// \p What is its subject.
std::string describe(const ChildEnd &End, const Limits &Bounds,
                     const std::string &What = "the witness");

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CHILD_H
