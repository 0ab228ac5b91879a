//===- Companions.cpp - The files that define what a file calls ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "project/Companions.h"
#include "compile/Adjust.h"
#include "compile/Database.h"
#include "project/MissingDefinitions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace tdl;
using clang::tooling::CompileCommand;

/// A file beyond this is generated, and not worth its parse.
static constexpr size_t MaxFileSize = 512 * 1024;
/// Beyond this many files a search by text costs more than it brings.
static constexpr size_t MaxSearchedFiles = 500;
static constexpr size_t MaxCompanions = 16;

CompanionFinder::CompanionFinder(std::vector<std::string> RunFiles)
    : RunFiles(std::move(RunFiles)) {
  llvm::sort(this->RunFiles);
}

StringRef CompanionFinder::textOf(StringRef Path) {
  auto [Entry, New] = Texts.try_emplace(Path);
  if (!New)
    return Entry->second;
  uint64_t Size = 0;
  if (sys::fs::file_size(Path, Size) || Size > MaxFileSize)
    return Entry->second;
  auto Read = MemoryBuffer::getFile(Path);
  if (!Read)
    return Entry->second;
  StringRef Text = (*Read)->getBuffer();
  static constexpr StringLiteral Words[] = {"torch", "Tensor", "at::", "c10"};
  if (any_of(Words, [&](StringRef Word) { return Text.contains(Word); }))
    Entry->second = Text.str();
  return Entry->second;
}

static bool isSource(StringRef Path) {
  static constexpr StringLiteral Endings[] = {".cpp", ".cc", ".cxx",
                                              ".c++", ".C",  ".cu"};
  return is_contained(Endings, sys::path::extension(Path));
}

/// What stands behind the parenthesis that \p Text begins with.
static StringRef behindParenthesis(StringRef Text) {
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Depth += (Text[I] == '(') - (Text[I] == ')');
    if (Depth == 0)
      return Text.drop_front(I + 1).ltrim();
  }
  return "";
}

/// Whether \p Text seems to define a function \p Name: a body or a
/// constructor's initialisers follow the parameters.
static bool seemsToDefine(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos;
       At = Text.find(Name, At + 1)) {
    StringRef Before = Text.take_front(At);
    StringRef After = Text.drop_front(At + Name.size()).ltrim();
    if ((!Before.empty() && IsWord(Before.back())) || !After.starts_with("("))
      continue;
    After = behindParenthesis(After);
    for (StringRef Word : {"const", "noexcept", "override"})
      if (After.consume_front(Word))
        After = After.ltrim();
    if (After.starts_with("{") || After.starts_with(":"))
      return true;
  }
  return false;
}

/// What decides the meaning of a source file: macros and the standard.
static std::vector<std::string> meaningfulFlags(const CompileCommand &Command) {
  std::vector<std::string> Flags;
  ArrayRef<std::string> Line = Command.CommandLine;
  for (size_t I = 0; I < Line.size(); ++I) {
    StringRef Flag = Line[I];
    if (Flag == "-D" || Flag == "-U")
      Flags.push_back(Line[I] + (I + 1 < Line.size() ? Line[I + 1] : ""));
    else if (Flag.starts_with("-D") || Flag.starts_with("-U") ||
             Flag.starts_with("-std="))
      Flags.push_back(Line[I]);
  }
  llvm::sort(Flags);
  return Flags;
}

/// One search, for one unit.
struct CompanionFinder::Search {
  CompanionFinder &Finder;
  const Database &Commands;
  const CompileCommand &Command;
  std::string File = absolutePath(Command.Filename,
                                  absolutePath(Command.Directory));

  bool IsCuda = isCuda(adjustForParse(Command.CommandLine), File);

  bool hasDatabase() const { return !Commands.path().empty(); }

  /// The files that may be companions without a look at the disk.
  ArrayRef<std::string> known() const {
    return hasDatabase() ? Commands.files() : ArrayRef(Finder.RunFiles);
  }

  bool fits(StringRef Path) const {
    if (Path == File || !isSource(Path) || Path.contains('"') ||
        Finder.textOf(Path).empty())
      return false;
    if (!hasDatabase())
      return isCuda(adjustForParse(Command.CommandLine), Path) == IsCuda;
    auto Others = Commands.commandsFor(Path);
    if (!Others) {
      consumeError(Others.takeError());
      return false;
    }
    std::vector<std::string> Own = meaningfulFlags(Command);
    return any_of(*Others, [&](const CompileCommand &Other) {
      return meaningfulFlags(Other) == Own &&
             isCuda(adjustForParse(Other.CommandLine), Path) == IsCuda;
    });
  }

  /// The files that have the header's name: all that are beside it or in the
  /// usual folders, else all of the project's.
  std::vector<std::string> byName(StringRef Header) const {
    StringRef Stem = sys::path::stem(Header);
    StringRef Folder = sys::path::parent_path(Header);
    std::vector<std::string> Folders = {
        Folder.str(), sys::path::parent_path(File).str(),
        (sys::path::parent_path(Folder) + "/src").str()};
    std::vector<std::string> Near;
    for (const std::string &In : Folders)
      for (StringRef Ending : {".cpp", ".cc", ".cxx", ".c++", ".C", ".cu"}) {
        std::string Path = (In + "/" + Stem + Ending).str();
        if (Near.empty() && sys::fs::exists(Path) && fits(Path))
          Near.push_back(Path);
      }
    if (!Near.empty())
      return Near;
    std::vector<std::string> Far;
    for (const std::string &Path : known())
      if (sys::path::stem(Path) == Stem && fits(Path))
        Far.push_back(Path);
    // Two of one name in other folders: which one is linked is not known.
    return Far.size() == 1 ? Far : std::vector<std::string>();
  }

  /// The one file that includes the header and seems to define \p Function;
  /// empty when there is none or more.
  std::string byText(StringRef Header, StringRef Function) const {
    std::string Include = (sys::path::filename(Header) + "\"").str();
    std::string Only;
    for (const std::string &Path : known().take_front(MaxSearchedFiles)) {
      if (!isSource(Path) || Path == File)
        continue;
      StringRef Text = Finder.textOf(Path);
      if (!Text.contains(Include) || !seemsToDefine(Text, Function) ||
          !fits(Path))
        continue;
      if (!Only.empty())
        return "";
      Only = Path;
    }
    return Only;
  }
};

std::vector<std::string> CompanionFinder::find(const ParsedUnit &Unit,
                                               const Database &Commands,
                                               const CompileCommand &Command,
                                               ArrayRef<std::string> Tried) {
  Search S{*this, Commands, Command};
  std::set<std::string> Found;
  for (const auto &[Header, Functions] : findMissingDefinitions(Unit)) {
    std::vector<std::string> Named = S.byName(Header);
    Found.insert(Named.begin(), Named.end());
    if (!Named.empty())
      continue;
    for (const std::string &Function : Functions) {
      std::string Path = S.byText(Header, Function);
      if (!Path.empty())
        Found.insert(Path);
    }
  }
  for (const std::string &Path : Tried)
    Found.erase(Path);
  std::vector<std::string> Result(Found.begin(), Found.end());
  size_t Room = MaxCompanions - std::min(MaxCompanions, Tried.size());
  if (Result.size() > Room)
    Result.resize(Room);
  return Result;
}
