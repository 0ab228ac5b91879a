//===- PreludeRequest.cpp - Which prelude a file wants ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/PreludeRequest.h"
#include "compile/AbsolutePath.h"
#include "compile/Frontend.h"
#include "compile/ProjectFiles.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using namespace llvm;

namespace tdl {

/// Goes up when the same headers would give another prelude or another file
/// beside it.
static constexpr char Format[] = "prelude 1";

std::string stableHash(StringRef Text) {
  return utohexstr(xxh3_64bits(Text), /*LowerCase=*/true, /*Width=*/16);
}

/// The project's own folders go: another target's would make another prelude of
/// the same headers. Relative ones would mean something else elsewhere.
static void splitFolders(HeaderSearchOptions &Search, StringRef Directory,
                         const ProjectFiles &Project,
                         std::vector<std::string> &ProjectFolders) {
  std::vector<HeaderSearchOptions::Entry> Kept;
  for (HeaderSearchOptions::Entry &Entry : Search.UserEntries) {
    // "=" stands for the sysroot.
    if (!StringRef(Entry.Path).starts_with("="))
      Entry.Path = absolutePath(Entry.Path, Directory);
    // The folder of a LibTorch in the project shows by what is in it.
    if (Project.contains(Entry.Path + "/x"))
      ProjectFolders.push_back(Entry.Path);
    else
      Kept.push_back(Entry);
  }
  Search.UserEntries = std::move(Kept);
}

static std::string flagsKey(const CompilerInvocation &Invocation) {
  std::string Text = Format;
  Text += getClangFullRepositoryVersion();
#define KEPT_BODIES(Ending) Text += Ending;
#include "compile/KeptBodies.def"
  if (Invocation.getLangOpts().CUDA)
    Text += standInText();
  for (const std::string &Argument : Invocation.getCC1CommandLine())
    Text += "\n" + Argument;
  return stableHash(Text);
}

/// The constructors of these leave fields unset that the command line, and so
/// the key, is made of. Static objects are zero before they are constructed.
static const FrontendOptions PlainFrontend;
static const CodeGenOptions PlainCodeGen;

PreludeRequest makePreludeRequest(const CompilerInvocation &Normalised,
                                  StringRef Directory,
                                  const ProjectFiles &Project,
                                  const UnitScan &Scan) {
  PreludeRequest Request;
  Request.Includes = Scan.Includes;
  Request.Macros = Scan.Macros;
  auto Invocation = std::make_shared<CompilerInvocation>(Normalised);

  PreprocessorOptions &PP = Invocation->getPreprocessorOpts();
  PP.Macros.clear();
  PP.Includes.clear();
  PP.MacroIncludes.clear();
  PP.ImplicitPCHInclude.clear();

  FrontendOptions Frontend = PlainFrontend;
  Frontend.DashX = InputKind(Normalised.getFrontendOpts().DashX.getLanguage());
  Frontend.ProgramAction = frontend::GeneratePCH;
  Frontend.IncludeTimestamps = false;
  Frontend.SkipFunctionBodies = true;
  Frontend.DisableFree = false;
  Invocation->getFrontendOpts() = Frontend;
  Invocation->getCodeGenOpts() = PlainCodeGen;
  Invocation->getFileSystemOpts() = FileSystemOptions();
  Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  splitFolders(Invocation->getHeaderSearchOpts(), Directory, Project,
               Request.ProjectFolders);

  Request.FlagsKey = flagsKey(*Invocation);
  Request.Invocation = std::move(Invocation);
  return Request;
}

PreludeRequest onlyLibTorch(const PreludeRequest &Request) {
  PreludeRequest Result = Request;
  Result.Includes.clear();
  Result.Macros.clear();
  size_t Next = 0;
  for (size_t I = 0; I < Request.Includes.size(); ++I) {
    for (; Next < Request.Macros.size() && Request.Macros[Next].Position <= I;
         ++Next) {
      Result.Macros.push_back(Request.Macros[Next]);
      Result.Macros.back().Position = Result.Includes.size();
    }
    if (Request.Includes[I].isLibTorch() || Request.Includes[I].isCudaWrapper())
      Result.Includes.push_back(Request.Includes[I]);
  }
  llvm::erase_if(Result.Macros, [&](const MacroEvent &Event) {
    return Event.Position >= Result.Includes.size();
  });
  return Result;
}

std::string preludeText(const PreludeRequest &Request) {
  std::string Text;
  size_t Next = 0;
  StringSet<> Names;
  for (size_t I = 0; I < Request.Includes.size(); ++I) {
    for (; Next < Request.Macros.size() && Request.Macros[Next].Position <= I;
         ++Next) {
      const MacroEvent &Event = Request.Macros[Next];
      // A file may define a macro anew between two headers.
      if (!Names.insert(Event.Name).second)
        Text += "#undef " + Event.Name + "\n";
      Text += Event.Directive + "\n";
    }
    Text += "#include <" + Request.Includes[I].Spelling + ">\n";
  }
  Names.clear();
  for (const MacroEvent &Event : Request.Macros)
    if (Names.insert(Event.Name).second)
      Text += "#undef " + Event.Name + "\n";
  return Text;
}

} // namespace tdl
