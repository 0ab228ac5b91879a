//===- Search.h - Finds values with which a story works -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_SEARCH_H
#define TDL_RUNTIME_CHECK_SEARCH_H

#include "Execute.h"

namespace tdl {
namespace verify {

struct Control {
  bool Works = false;
  Choice Chosen;
  c10::Device Device = c10::Device(c10::kCPU); ///< Where everything was.
  /// When it does not work: how far the best try came, and why no further.
  int FailedStep = -1;
  std::string FailedText;
};

/// Runs the story with everything on one device, the first CUDA device or else
/// the CPU, for one combination of choices after another, likely ones first,
/// until one works. Ends after a few thousand tries or some seconds.
Control findControl(const Plan &P);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_SEARCH_H
