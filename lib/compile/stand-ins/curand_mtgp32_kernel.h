//===- curand_mtgp32_kernel.h - In place of cuRAND's header --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not part of the linter: CUDA files are parsed with it where cuRAND is
// missing. Clang's own header for CUDA includes cuRAND's to repair two of its
// declarations. Without them there is nothing to repair.
//
//===----------------------------------------------------------------------===//
