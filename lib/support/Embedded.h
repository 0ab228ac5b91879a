//===- Embedded.h - Text files compiled into the binary -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tdl_embed() and tdl_embed_folder() of lib/support/cmake/EmbedText.cmake
// generate. The reader of a text declares it in its own .cpp:
//
//   namespace tdl::embedded {
//   extern const char ContractsText[];           // ends with a NUL
//   extern const unsigned long ContractsTextSize; // in bytes, without the NUL
//   extern const File CheckPages[];
//   extern const unsigned long CheckPagesCount;
//   } // namespace tdl::embedded
//
//===----------------------------------------------------------------------===//

#ifndef TDL_SUPPORT_EMBEDDED_H
#define TDL_SUPPORT_EMBEDDED_H

namespace tdl::embedded {

/// One file of an embedded folder. Points into the program's constants.
struct File {
  const char *Name;   ///< File name without folder and ending.
  const char *Text;   ///< The content, followed by a NUL.
  unsigned long Size; ///< Bytes of Text, without the NUL.
};

} // namespace tdl::embedded

#endif // TDL_SUPPORT_EMBEDDED_H
