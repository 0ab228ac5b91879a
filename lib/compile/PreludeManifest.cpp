//===- PreludeManifest.cpp - What a stored prelude is good for ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/PreludeManifest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tdl {

static constexpr char Head[] = "torch-device-lint prelude 1";

std::optional<FileStamp> FileStamp::of(StringRef Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status) || !sys::fs::exists(Status))
    return std::nullopt;
  return FileStamp{Path.str(), Status.getSize(),
                   Status.getLastModificationTime().time_since_epoch().count()};
}

bool FileStamp::isCurrent() const {
  std::optional<FileStamp> Now = of(Path);
  return Now && Now->Size == Size && Now->Time == Time;
}

bool PreludeManifest::isCurrent() const {
  return (!Failure.empty() || Pch.isCurrent()) &&
         all_of(Files, [](const FileStamp &File) { return File.isCurrent(); });
}

uint64_t identifierHash(StringRef Name) { return xxh3_64bits(Name); }

bool writeWhole(StringRef Path, StringRef Text) {
  Error Problem = writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Text;
    return Error::success();
  });
  bool Written = !Problem;
  consumeError(std::move(Problem));
  return Written;
}

bool PreludeManifest::hasIdentifier(StringRef Name) const {
  uint64_t Wanted = identifierHash(Name);
  if (IdentifierFile.empty())
    return llvm::binary_search(Identifiers, Wanted);
  if (!IdentifierText)
    if (auto Buffer = MemoryBuffer::getFile(IdentifierFile, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      IdentifierText = std::move(*Buffer);
  // What cannot be looked up may be there.
  if (!IdentifierText || IdentifierText->getBufferSize() % sizeof(uint64_t))
    return true;
  ArrayRef<uint64_t> Hashes(
      reinterpret_cast<const uint64_t *>(IdentifierText->getBufferStart()),
      IdentifierText->getBufferSize() / sizeof(uint64_t));
  return llvm::binary_search(Hashes, Wanted);
}

/// A macro matters if the headers consulted it when the prelude was made, or if
/// its name occurs in them at all, so that it would matter now.
bool PreludeManifest::macrosFit(const PreludeRequest &Request) const {
  auto Key = [](const MacroEvent &Event) {
    return std::to_string(Event.Position) + Event.Directive;
  };
  StringSet<> Names, Wanted;
  for (const MacroEvent &Event : Macros) {
    Names.insert(Event.Name);
    Wanted.insert(Key(Event));
  }
  size_t Met = 0;
  bool SamePositions = true;
  for (const MacroEvent &Event : Request.Macros) {
    if (!Names.contains(Event.Name)) {
      if (hasIdentifier(Event.Name))
        return false;
      continue;
    }
    if (!Wanted.contains(Key(Event)))
      return false;
    ++Met;
    SamePositions &= Event.Position == 0;
  }
  // Positions count headers, so they compare only between equal lists.
  return Met == Macros.size() &&
         (SamePositions || (Implied.empty() && Includes == Request.Includes));
}

/// The prelude was made without the project's include folders. That makes no
/// difference as long as they hold nothing that its headers look for.
bool PreludeManifest::foldersFit(const PreludeRequest &Request) const {
  for (const std::string &Folder : Request.ProjectFolders) {
    std::error_code Problem;
    for (sys::fs::directory_iterator I(Folder, Problem), End;
         !Problem && I != End; I.increment(Problem))
      if (std::binary_search(SearchNames.begin(), SearchNames.end(),
                             sys::path::filename(I->path()).str()))
        return false;
  }
  return true;
}

bool PreludeManifest::fits(const PreludeRequest &Request) const {
  size_t Next = 0;
  for (const HeavyInclude &Include : Request.Includes)
    if (Next < Includes.size() && Includes[Next] == Include)
      ++Next;
  return Next == Includes.size() && macrosFit(Request) && foldersFit(Request);
}

unsigned PreludeManifest::coverage(const PreludeRequest &Request) const {
  StringSet<> Paths;
  for (const FileStamp &File : Files)
    Paths.insert(File.Path);
  return count_if(Request.Includes, [&](const HeavyInclude &Include) {
    return is_contained(Includes, Include) || Paths.contains(Include.Path);
  });
}

namespace {

/// "key value" lines, fields separated by tabs.
class Line {
public:
  explicit Line(StringRef Text) { std::tie(Key, Rest) = Text.split(' '); }

  StringRef Key, Rest;

  StringRef field() {
    StringRef Field;
    std::tie(Field, Rest) = Rest.split('\t');
    return Field;
  }
  template <typename T> T number() {
    T Value = 0;
    if (field().getAsInteger(10, Value))
      Bad = true;
    return Value;
  }
  bool Bad = false;
};

} // namespace

static FileStamp readStamp(Line &L) {
  FileStamp Stamp;
  Stamp.Size = L.number<uint64_t>();
  Stamp.Time = L.number<int64_t>();
  Stamp.Path = L.Rest.str();
  return Stamp;
}

static HeavyInclude readInclude(Line &L) {
  HeavyInclude Include;
  Include.Spelling = L.field().str();
  Include.Path = L.Rest.str();
  return Include;
}

static MacroEvent readMacro(Line &L) {
  MacroEvent Event;
  Event.Position = L.number<unsigned>();
  Event.Name = L.field().str();
  Event.Directive = L.Rest.str();
  return Event;
}

/// False for a line that this version does not write.
static bool readLine(Line L, PreludeManifest &Result) {
  if (L.Key == "file")
    Result.Files.push_back(readStamp(L));
  else if (L.Key == "builtin")
    Result.Builtins.push_back(L.Rest.str());
  else if (L.Key == "name")
    Result.SearchNames.push_back(L.Rest.str());
  else if (L.Key == "include")
    Result.Includes.push_back(readInclude(L));
  else if (L.Key == "implied")
    Result.Implied.push_back(readInclude(L));
  else if (L.Key == "macro")
    Result.Macros.push_back(readMacro(L));
  else if (L.Key == "pch")
    Result.Pch = readStamp(L);
  else if (L.Key == "failed")
    Result.Failure = L.Rest.str();
  else
    return false;
  return !L.Bad;
}

std::optional<PreludeManifest> PreludeManifest::read(StringRef Stem) {
  auto Buffer = MemoryBuffer::getFile(Stem + ".manifest");
  if (!Buffer)
    return std::nullopt;
  auto [First, Text] = (*Buffer)->getBuffer().split('\n');
  // The last line says that the text is whole.
  if (First != Head || !Text.consume_back("end\n"))
    return std::nullopt;
  PreludeManifest Result;
  while (!Text.empty()) {
    auto [Current, Rest] = Text.split('\n');
    if (!readLine(Line(Current), Result))
      return std::nullopt;
    Text = Rest;
  }
  Result.IdentifierFile = (Stem + ".ids").str();
  return Result;
}

bool PreludeManifest::write(StringRef Stem) const {
  StringRef Hashes(reinterpret_cast<const char *>(Identifiers.data()),
                   Identifiers.size() * sizeof(uint64_t));
  if (!writeWhole((Stem + ".ids").str(), Hashes))
    return false;
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Head << "\n";
  if (!Failure.empty())
    OS << "failed " << Failure << "\n";
  else
    OS << "pch " << Pch.Size << "\t" << Pch.Time << "\t" << Pch.Path << "\n";
  for (const HeavyInclude &Include : Includes)
    OS << "include " << Include.Spelling << "\t" << Include.Path << "\n";
  for (const HeavyInclude &Include : Implied)
    OS << "implied " << Include.Spelling << "\t" << Include.Path << "\n";
  for (const MacroEvent &Event : Macros)
    OS << "macro " << Event.Position << "\t" << Event.Name << "\t"
       << Event.Directive << "\n";
  for (const std::string &Builtin : Builtins)
    OS << "builtin " << Builtin << "\n";
  for (const std::string &Name : SearchNames)
    OS << "name " << Name << "\n";
  for (const FileStamp &File : Files)
    OS << "file " << File.Size << "\t" << File.Time << "\t" << File.Path
       << "\n";
  OS << "end\n";
  return writeWhole((Stem + ".manifest").str(), Text);
}

} // namespace tdl
