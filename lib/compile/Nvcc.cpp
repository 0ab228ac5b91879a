//===- Nvcc.cpp - nvcc's command line -----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/Nvcc.h"
#include "compile/AbsolutePath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace tdl {

namespace {

enum class Takes { None, Next, Letter };
enum class Means {
  Drop,
  Same,
  Language,
  HostCompiler,
  PerThreadStream,
  Glue,
  Pair,
  HostFlags,
  OptionFiles
};

struct NvccRow {
  StringLiteral Long, Short;
  Takes Value;
  Means Meaning;
  StringLiteral Spelling; ///< Clang's.
};

constexpr NvccRow NvccRows[] = {
#define NVCC_FLAG(Long, Short, Value, Meaning, Spelling)                       \
  {Long, Short, Takes::Value, Means::Meaning, Spelling},
#include "compile/NvccFlags.def"
};

/// One flag of a command, with its value.
struct NvccFlag {
  const NvccRow *Row = nullptr; ///< Null for what nvcc does not know.
  std::string Value;            ///< Empty for a flag without one.
  size_t Words = 1;             ///< How many arguments it takes up.
};

} // namespace

/// Reads the flag that \p Words, not empty, begins with.
static NvccFlag readFlag(ArrayRef<std::string> Words) {
  StringRef First = Words[0];
  for (const NvccRow &Row : NvccRows)
    for (StringRef Name : {Row.Long, Row.Short}) {
      if (First == Name && Row.Value == Takes::None)
        return {&Row, "", 1};
      if (First == Name)
        return Words.size() > 1 ? NvccFlag{&Row, Words[1], 2}
                                : NvccFlag{&Row, "", 1};
      StringRef Rest = First;
      if (Row.Value != Takes::None && Rest.consume_front(Name) &&
          Rest.consume_front("="))
        return {&Row, Rest.str(), 1};
    }
  for (const NvccRow &Row : NvccRows) {
    StringRef Rest = First;
    if (Row.Value == Takes::Letter && Rest.consume_front(Row.Short))
      return {&Row, Rest.str(), 1};
  }
  return {};
}

/// The elements of a list with commas, less empty ones. A backslash takes the
/// meaning from the character behind it, quotes around an element are no part
/// of it.
static std::vector<std::string> splitList(StringRef List) {
  std::vector<std::string> Elements(1);
  for (size_t I = 0; I < List.size(); ++I) {
    if (List[I] == '\\' && I + 1 < List.size())
      Elements.back() += List[++I];
    else if (List[I] == ',')
      Elements.emplace_back();
    else
      Elements.back() += List[I];
  }
  std::vector<std::string> Result;
  for (StringRef Element : Elements) {
    if (Element.size() > 1 && Element.front() == '"' && Element.back() == '"')
      Element = Element.drop_front().drop_back();
    if (!Element.empty())
      Result.push_back(Element.str());
  }
  return Result;
}

/// The words of \p Text as a shell splits it.
static std::vector<std::string> splitWords(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 16> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

/// -ccbin names a compiler or the folder of one.
static std::string hostCompiler(StringRef Value) {
  StringRef Name = sys::path::filename(Value);
  if (Name.contains("++") || Name.contains("cc") || Name.contains("clang"))
    return Value.str();
  SmallString<128> Program(Value);
  sys::path::append(Program, "g++");
  return Program.str().str();
}

static void addForHost(const NvccFlag &Flag, Arguments &Into) {
  StringRef Spelling = Flag.Row->Spelling;
  switch (Flag.Row->Meaning) {
  case Means::Drop:
  case Means::OptionFiles:
    break;
  case Means::Same:
    Into.push_back(Spelling.str());
    break;
  case Means::Language:
    Into.push_back(Spelling.str());
    Into.push_back(Flag.Value == "cu" ? "cuda" : Flag.Value);
    break;
  case Means::HostCompiler:
    Into[0] = hostCompiler(Flag.Value);
    break;
  case Means::PerThreadStream:
    if (Flag.Value == "per-thread")
      Into.push_back(Spelling.str());
    break;
  case Means::Glue:
    for (const std::string &Element : splitList(Flag.Value))
      Into.push_back((Spelling + Element).str());
    break;
  case Means::Pair:
    for (const std::string &Element : splitList(Flag.Value)) {
      Into.push_back(Spelling.str());
      Into.push_back(Element);
    }
    break;
  case Means::HostFlags:
    // They reach the host compiler through a shell.
    for (const std::string &Element : splitList(Flag.Value))
      for (std::string &Word : splitWords(Element))
        Into.push_back(std::move(Word));
    break;
  }
}

Arguments hostCommand(ArrayRef<std::string> Command) {
  Arguments Result = {"g++"};
  for (size_t I = 1; I < Command.size();) {
    NvccFlag Flag = readFlag(Command.drop_front(I));
    if (Flag.Row)
      addForHost(Flag, Result);
    else
      Result.push_back(Command[I]);
    I += Flag.Words;
  }
  return Result;
}

static Error expandInto(ArrayRef<std::string> Words, StringRef Directory,
                        unsigned Depth, Arguments &Into) {
  /// Files that name each other would never end.
  constexpr unsigned MaxDepth = 16;
  for (size_t I = 0; I < Words.size();) {
    NvccFlag Flag = readFlag(Words.drop_front(I));
    if (!Flag.Row || Flag.Row->Meaning != Means::OptionFiles ||
        Depth == MaxDepth) {
      Into.insert(Into.end(), Words.begin() + I,
                  Words.begin() + I + Flag.Words);
      I += Flag.Words;
      continue;
    }
    for (const std::string &Name : splitList(Flag.Value)) {
      std::string Path = absolutePath(Name, Directory);
      auto Text = MemoryBuffer::getFile(Path);
      if (!Text)
        return createStringError(
            "the command's option file " + Path +
            " cannot be read: " + Text.getError().message() +
            "; configure or build the project again");
      if (Error Problem = expandInto(splitWords((*Text)->getBuffer()),
                                     Directory, Depth + 1, Into))
        return Problem;
    }
    I += Flag.Words;
  }
  return Error::success();
}

Expected<Arguments> expandOptionFiles(ArrayRef<std::string> Command,
                                      StringRef Directory) {
  Arguments Result;
  if (Error Problem = expandInto(Command, Directory, /*Depth=*/0, Result))
    return Problem;
  return Result;
}

} // namespace tdl
