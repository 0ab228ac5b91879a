//===- ErrorText.h - What an exception says -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ERRORTEXT_H
#define TDL_RUNTIME_CHECK_ERRORTEXT_H

#include <c10/util/Exception.h>

#include <string>

namespace tdl {
namespace verify {

/// LibTorch's message without its stack, on one line.
inline std::string oneLine(std::string Text) {
  size_t Stack = Text.find("\nException raised from");
  if (Stack != std::string::npos)
    Text.resize(Stack);
  while (!Text.empty() && (Text.back() == '\n' || Text.back() == ' '))
    Text.pop_back();
  for (char &C : Text)
    if (C == '\n')
      C = ' ';
  return Text;
}

inline std::string errorText(const c10::Error &Error) {
  return oneLine(Error.what_without_backtrace());
}

/// LibTorch reports exhausted memory as an ordinary error.
inline bool isOutOfMemory(const std::string &Text) {
  for (const char *Part : {"can't allocate memory", "not enough memory",
                           "out of memory", "Cannot allocate memory"})
    if (Text.find(Part) != std::string::npos)
      return true;
  return false;
}

/// The witness used up its memory; no statement about the program.
struct OutOfMemory {};

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ERRORTEXT_H
