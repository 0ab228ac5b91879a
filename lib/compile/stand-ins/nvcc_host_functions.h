//===- nvcc_host_functions.h - What nvcc has for host code ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not part of the linter: CUDA files are parsed with it, behind clang's own
// header (Adjust.h). Under nvcc these functions are there for the host and for
// the GPU without an #include; clang declares them for the GPU alone. Host code
// uses them to compute grids: min(n, 1024).
//
//===----------------------------------------------------------------------===//

#ifndef TDL_NVCC_HOST_FUNCTIONS_H
#define TDL_NVCC_HOST_FUNCTIONS_H

// isnan, isinf and their kin without std::.
#include <math.h>

// The result is unsigned when one argument is, double when one is.
#define TDL_MIN_AND_MAX(Result, First, Second)                                 \
  static inline Result min(First A, Second B) { return A < B ? A : B; }        \
  static inline Result max(First A, Second B) { return A < B ? B : A; }
#define TDL_INTEGERS(Signed)                                                   \
  TDL_MIN_AND_MAX(Signed, Signed, Signed)                                      \
  TDL_MIN_AND_MAX(unsigned Signed, unsigned Signed, unsigned Signed)           \
  TDL_MIN_AND_MAX(unsigned Signed, Signed, unsigned Signed)                    \
  TDL_MIN_AND_MAX(unsigned Signed, unsigned Signed, Signed)

TDL_INTEGERS(int)
TDL_INTEGERS(long)
TDL_INTEGERS(long long)
TDL_MIN_AND_MAX(float, float, float)
TDL_MIN_AND_MAX(double, double, double)
TDL_MIN_AND_MAX(double, float, double)
TDL_MIN_AND_MAX(double, double, float)

#undef TDL_INTEGERS
#undef TDL_MIN_AND_MAX

static inline unsigned umin(unsigned A, unsigned B) { return min(A, B); }
static inline unsigned umax(unsigned A, unsigned B) { return max(A, B); }
static inline long long llmin(long long A, long long B) { return min(A, B); }
static inline long long llmax(long long A, long long B) { return max(A, B); }
static inline unsigned long long ullmin(unsigned long long A,
                                        unsigned long long B) {
  return min(A, B);
}
static inline unsigned long long ullmax(unsigned long long A,
                                        unsigned long long B) {
  return max(A, B);
}

#endif // TDL_NVCC_HOST_FUNCTIONS_H
