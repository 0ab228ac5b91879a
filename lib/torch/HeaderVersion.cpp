//===- HeaderVersion.cpp - Which LibTorch a file includes ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch/torch.h defines macros with the release. Who includes ATen/ATen.h or
// torch/extension.h has no such macros, but the same folders, so version.h is
// read from where an #include would find it.
//
//===----------------------------------------------------------------------===//

#include "torch/HeaderVersion.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace tdl;

static constexpr llvm::StringLiteral MajorMacro = "TORCH_VERSION_MAJOR";
static constexpr llvm::StringLiteral MinorMacro = "TORCH_VERSION_MINOR";

/// Where releases of LibTorch have had the header, below a folder that
/// compilers search.
static constexpr llvm::StringLiteral VersionHeaders[] = {
    "torch/headeronly/version.h", "torch/version.h",
    "torch/csrc/api/include/torch/version.h"};

/// The number that the macro \p Name stands for; none when there is no such
/// macro.
static std::optional<unsigned> macroNumber(Preprocessor &PP,
                                           llvm::StringRef Name) {
  const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
  if (!Macro || Macro->getNumTokens() != 1 ||
      !Macro->getReplacementToken(0).is(tok::numeric_constant))
    return std::nullopt;
  unsigned Number = 0;
  if (llvm::StringRef(PP.getSpelling(Macro->getReplacementToken(0)))
          .getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// Likewise in the text of a header: "#define Name 2".
static std::optional<unsigned> definedNumber(llvm::StringRef Text,
                                             llvm::StringRef Name) {
  llvm::StringRef After = Text.split(("#define " + Name + " ").str()).second;
  unsigned Number = 0;
  if (After.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

static std::optional<LibTorchVersion> combine(std::optional<unsigned> Major,
                                              std::optional<unsigned> Minor) {
  if (!Major || !Minor)
    return std::nullopt;
  LibTorchVersion Version;
  Version.Major = *Major;
  Version.Minor = *Minor;
  return Version;
}

static std::optional<LibTorchVersion> versionInFolder(FileManager &Files,
                                                      llvm::StringRef Folder) {
  for (llvm::StringRef Header : VersionHeaders) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Header);
    auto Text = Files.getBufferForFile(Path);
    if (!Text)
      continue;
    if (auto Version = combine(definedNumber((*Text)->getBuffer(), MajorMacro),
                               definedNumber((*Text)->getBuffer(), MinorMacro)))
      return Version;
  }
  return std::nullopt;
}

std::optional<LibTorchVersion> tdl::libTorchVersionOf(Preprocessor &PP) {
  if (auto Version =
          combine(macroNumber(PP, MajorMacro), macroNumber(PP, MinorMacro)))
    return Version;
  HeaderSearch &Search = PP.getHeaderSearchInfo();
  for (auto It = Search.search_dir_begin(); It != Search.search_dir_end(); ++It)
    if (It->isNormalDir())
      if (auto Version =
              versionInFolder(PP.getFileManager(), It->getDirRef()->getName()))
        return Version;
  return std::nullopt;
}
