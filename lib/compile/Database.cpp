//===- Database.cpp - Which command compiles which file ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang's reader of compile_commands.json says little about a file that it
// cannot read and prints some of it itself. So the text is checked here first,
// and clang's reader gets only what it understands: it knows how to split
// "command" and strips launchers such as ccache.
//
//===----------------------------------------------------------------------===//

#include "compile/Database.h"
#include "compile/Adjust.h"
#include "clang/Driver/Types.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using clang::tooling::CompileCommand;

namespace tdl {

static constexpr char JsonName[] = "compile_commands.json";

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static std::string realPath(StringRef Path) {
  SmallString<256> Result;
  if (sys::fs::real_path(Path, Result))
    return {};
  return Result.str().str();
}

static bool isAnalysable(StringRef File) {
  using namespace clang::driver;
  StringRef Extension = sys::path::extension(File);
  types::ID Type = types::lookupTypeForExtension(
      Extension.drop_front(Extension.empty() ? 0 : 1));
  return types::isCXX(Type) || Type == types::TY_C;
}

/// What is wrong with the structure of a database, or an empty string.
static std::string findDefect(const json::Array &Entries) {
  unsigned Number = 0;
  for (const json::Value &Entry : Entries) {
    std::string Where = "entry " + std::to_string(++Number);
    const json::Object *Object = Entry.getAsObject();
    if (!Object)
      return Where + " is not an object";
    for (const char *Key : {"directory", "file"})
      if (!Object->getString(Key))
        return Where + " has no string \"" + Key + "\"";
    const json::Array *Arguments = Object->getArray("arguments");
    if (!Arguments && !Object->getString("command"))
      return Where + " has neither \"arguments\" nor \"command\"";
    if (Arguments && !all_of(*Arguments, [](const json::Value &Argument) {
          return Argument.getAsString().has_value();
        }))
      return Where + " has an element of \"arguments\" that is not a string";
    if (Arguments ? Arguments->empty()
                  : Object->getString("command")->trim().empty())
      return Where + " has an empty command";
  }
  return {};
}

static Error checkJson(StringRef Text, StringRef JsonFile) {
  Expected<json::Value> Root = json::parse(Text);
  if (!Root)
    return failure(JsonFile +
                   ": not valid JSON: " + toString(Root.takeError()) +
                   "; write it again with your "
                   "build system");
  const json::Array *Entries = Root->getAsArray();
  if (!Entries)
    return failure(JsonFile + ": expected an array of compile commands");
  if (Entries->empty())
    return failure(JsonFile +
                   ": holds no compile commands; configure the "
                   "project with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON and build "
                   "at least one target, or give flags after --");
  std::string Defect = findDefect(*Entries);
  if (!Defect.empty())
    return failure(JsonFile + ": " + Defect);
  return Error::success();
}

Expected<Database> Database::read(StringRef JsonFile) {
  auto Buffer = MemoryBuffer::getFile(JsonFile);
  if (!Buffer)
    return failure(JsonFile +
                   ": cannot be read: " + Buffer.getError().message());
  if (Error Problem = checkJson((*Buffer)->getBuffer(), JsonFile))
    return Problem;

  std::string Message;
  std::unique_ptr<clang::tooling::CompilationDatabase> Json =
      clang::tooling::JSONCompilationDatabase::loadFromBuffer(
          (*Buffer)->getBuffer(), Message,
          clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Json)
    return failure(JsonFile + ": " + Message);
  Json = clang::tooling::expandResponseFiles(std::move(Json),
                                             vfs::getRealFileSystem());

  Database Result;
  Result.Path = JsonFile.str();
  for (CompileCommand &Command : Json->getAllCompileCommands())
    Result.add(std::move(Command));
  llvm::sort(Result.Files);
  return Result;
}

void Database::add(CompileCommand Command) {
  // A relative "directory" is relative to the database, as in clang's tools
  // that run from there.
  Command.Directory =
      absolutePath(Command.Directory, sys::path::parent_path(Path));
  Command.Filename = absolutePath(Command.Filename, Command.Directory);
  if (!isAnalysable(Command.Filename))
    return;
  std::vector<unsigned> &Indices = ByFile[Command.Filename];
  if (Indices.empty())
    Files.push_back(Command.Filename);
  Indices.push_back(Commands.size());
  Commands.push_back(std::move(Command));
}

Expected<Database> Database::load(StringRef FolderOrFile) {
  std::string Path = absolutePath(FolderOrFile);
  if (!sys::fs::exists(Path))
    return failure(Path + ": no such file or folder; -p takes the folder that "
                          "holds compile_commands.json");
  if (!sys::fs::is_directory(Path))
    return read(Path);
  SmallString<256> Json(Path);
  sys::path::append(Json, JsonName);
  if (!sys::fs::exists(Json))
    return failure(Path +
                   ": holds no compile_commands.json; configure the "
                   "project with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give "
                   "flags after --");
  return read(Json);
}

Expected<Database> Database::findAbove(StringRef SourceFile) {
  // A path that ends with a slash is the folder itself.
  std::string Start = absolutePath(SourceFile);
  if (SourceFile.ends_with("/") && !StringRef(Start).ends_with("/"))
    Start += "/";
  for (StringRef Folder = sys::path::parent_path(Start); !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    for (StringRef Below : {"", "build"}) {
      SmallString<256> Json(Folder);
      sys::path::append(Json, Below, JsonName);
      if (sys::fs::exists(Json))
        return read(Json);
    }
  return failure(StringRef(Start).rtrim('/') + ": no compile_commands.json in " +
                 sys::path::parent_path(Start) +
                 ", a folder above it or its "
                 "folder build; name one with -p, or give flags after --");
}

Database Database::fromFlags(ArrayRef<std::string> Flags, StringRef Directory) {
  Database Result;
  Result.FlagsDirectory = absolutePath(Directory);
  // "-- g++ -std=c++17" means the flags of that command. clang++ means
  // "compiles C++" for clang and GCC alike; nvcc's flags are nvcc's.
  bool NamesCompiler = !Flags.empty() && !StringRef(Flags[0]).starts_with("-");
  bool IsNvcc = NamesCompiler && compilerKind(Flags[0]) == CompilerKind::Nvcc;
  Result.Flags = {IsNvcc ? Flags[0] : "clang++"};
  append_range(Result.Flags, Flags.drop_front(NamesCompiler ? 1 : 0));
  return Result;
}

std::string Database::sameFile(StringRef File) const {
  std::string Real = realPath(File);
  if (Real.empty())
    return {};
  for (const std::string &Candidate : Files)
    if (sys::path::filename(Candidate) == sys::path::filename(File) &&
        realPath(Candidate) == Real)
      return Candidate;
  return {};
}

Expected<std::vector<CompileCommand>>
Database::commandsFor(StringRef File) const {
  std::string Key = absolutePath(File);
  if (Path.empty()) {
    std::vector<std::string> Line = Flags;
    Line.push_back(Key);
    return std::vector<CompileCommand>{
        CompileCommand(FlagsDirectory, Key, std::move(Line), "")};
  }
  auto Found = ByFile.find(Key);
  if (Found == ByFile.end())
    Found = ByFile.find(sameFile(Key));
  if (Found == ByFile.end())
    return failure(Key + ": not in " + Path + ", which names " +
                   Twine(Files.size()) +
                   (Files.size() == 1 ? " file" : " files") +
                   "; add it to the build, or give its flags after --");
  std::vector<CompileCommand> Result;
  for (unsigned Index : Found->second)
    Result.push_back(Commands[Index]);
  return Result;
}

} // namespace tdl
