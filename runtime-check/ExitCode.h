//===- ExitCode.h - What the verifier's exit status means -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_EXITCODE_H
#define TDL_RUNTIME_CHECK_EXITCODE_H

namespace tdl {
namespace verify {

/// The first that applies, from the top.
enum ExitCode {
  ExitBadInput = 2, ///< Usage, or a file that cannot be read or written.
  ExitRefuted = 1,  ///< Some finding is refuted, some contract disagrees, or an
                    ///< archive has a device to look at.
  ExitNotRun = 3,   ///< None is refuted, some could not be run.
  ExitConfirmed = 0, ///< Every finding is confirmed, or there is none; no
                     ///< contract disagrees; an archive has no such device.
};

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_EXITCODE_H
