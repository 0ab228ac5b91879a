//===- PreludeBuilder.cpp - Making a prelude ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/PreludeBuilder.h"
#include "compile/AbsolutePath.h"
#include "compile/Adjust.h"
#include "compile/BodySkipper.h"
#include "compile/Frontend.h"
#include "compile/ProjectFiles.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace clang;
using namespace llvm;

namespace tdl {

namespace {

/// What a build learns beside the PCH itself.
struct BuildNotes {
  StringSet<> Consulted;   ///< Macros of the request that headers depend on.
  StringSet<> SearchNames; ///< See PreludeManifest.
  StringSet<> FromHeaders; ///< Headers that another header includes.
  std::vector<std::string> Builtins;
  std::vector<uint64_t> Identifiers;
  std::vector<FileStamp> Files;
  /// Why the result is good for nothing; empty when it is good.
  std::string Failure;
};

class NoteTaker : public PPCallbacks {
public:
  NoteTaker(Preprocessor &PP, const PreludeRequest &Request, BuildNotes &Notes)
      : PP(PP), SM(PP.getSourceManager()), Request(Request), Notes(Notes) {
    for (const MacroEvent &Event : Request.Macros) {
      Names.insert(Event.Name);
      // A function-like macro's name that stands without arguments is no use
      // of it, so uses don't tell whether the name occurs.
      if (Event.FunctionLike)
        Notes.Consulted.insert(Event.Name);
    }
  }

  void InclusionDirective(SourceLocation HashLoc, const Token &,
                          StringRef FileName, bool IsAngled, CharSourceRange,
                          OptionalFileEntryRef File, StringRef SearchPath,
                          StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    std::string Path = File ? absolutePath(File->getName()) : std::string();
    if (SM.isInMainFile(HashLoc)) {
      const HeavyInclude &Wanted = Request.Includes[Entered++];
      if (Path != Wanted.Path)
        Notes.Failure = Wanted.Spelling + " is found at '" + Path + "'";
      return;
    }
    Notes.FromHeaders.insert(Path);
    // A header beside the one that asks for it is found without a search.
    OptionalFileEntryRef Asking =
        SM.getFileEntryRefForID(SM.getFileID(HashLoc));
    bool Beside =
        !IsAngled && Asking && Asking->getDir().getName() == SearchPath;
    if (!Beside)
      Notes.SearchNames.insert(*sys::path::begin(FileName));
  }

  /// Back in the prelude's text after a header: does the header contain the
  /// name of a macro that is defined only later?
  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (Reason != ExitFile || !SM.isInMainFile(Loc))
      return;
    IdentifierTable &Table = PP.getIdentifierTable();
    for (const MacroEvent &Event : Request.Macros)
      if (Event.Position >= Entered && Table.find(Event.Name) != Table.end())
        Notes.Consulted.insert(Event.Name);
  }

  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    consult(Name);
  }
  void Ifdef(SourceLocation, const Token &Name,
             const MacroDefinition &) override {
    consult(Name);
  }
  void Ifndef(SourceLocation, const Token &Name,
              const MacroDefinition &) override {
    consult(Name);
  }
  void Elifdef(SourceLocation, const Token &Name,
               const MacroDefinition &) override {
    consult(Name);
  }
  void Elifndef(SourceLocation, const Token &Name,
                const MacroDefinition &) override {
    consult(Name);
  }
  void Defined(const Token &Name, const MacroDefinition &,
               SourceRange) override {
    consult(Name);
  }

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    const MacroInfo *Info = MD->getMacroInfo();
    if (SM.isWrittenInBuiltinFile(Name.getLocation()))
      return noteBuiltin(*Info);
    if (!consult(Name))
      return;
    const MacroInfo *&Ours = OurMacros[Name.getIdentifierInfo()];
    if (SM.isInMainFile(Name.getLocation()))
      Ours = Info;
    else if (!Ours || !Ours->isIdenticalTo(*Info, PP, /*Syntactically=*/true))
      Notes.Failure = "a header redefines " + PP.getSpelling(Name);
    Undone.erase(Name.getIdentifierInfo());
  }

  void MacroUndefined(const Token &Name, const MacroDefinition &,
                      const MacroDirective *) override {
    if (!consult(Name))
      return;
    if (!SM.isInMainFile(Name.getLocation()))
      Undone.insert(Name.getIdentifierInfo());
  }

  void EndOfMainFile() override {
    if (!Undone.empty())
      Notes.Failure = "a header undefines a macro of the file's";
    for (const auto &Entry : PP.getIdentifierTable()) {
      StringRef Name = Entry.getKey();
      if (!Names.contains(Name) || Notes.Consulted.contains(Name))
        Notes.Identifiers.push_back(identifierHash(Name));
    }
    llvm::sort(Notes.Identifiers);
  }

private:
  /// Is the name one of the request's macros? If a header uses it, says so.
  bool consult(const Token &Name) {
    if (!Names.contains(Name.getIdentifierInfo()->getName()))
      return false;
    if (!SM.isInMainFile(SM.getExpansionLoc(Name.getLocation())))
      Notes.Consulted.insert(Name.getIdentifierInfo()->getName());
    return true;
  }

  void noteBuiltin(const MacroInfo &Info) {
    Notes.Builtins.push_back(
        "#define " + Lexer::getSourceText(CharSourceRange::getTokenRange(
                                              Info.getDefinitionLoc(),
                                              Info.getDefinitionEndLoc()),
                                          SM, PP.getLangOpts())
                         .str());
  }

  Preprocessor &PP;
  const SourceManager &SM;
  const PreludeRequest &Request;
  BuildNotes &Notes;
  StringSet<> Names;
  unsigned Entered = 0; ///< How many of the request's headers.
  DenseMap<const IdentifierInfo *, const MacroInfo *> OurMacros;
  SmallPtrSet<const IdentifierInfo *, 4> Undone;
};

class HeaderBodySkipper : public ASTConsumer {
public:
  explicit HeaderBodySkipper(const SourceManager &SM) : Files(SM, NoProject) {}
  bool shouldSkipFunctionBody(Decl *D) override { return Files.skipsBody(D); }

private:
  ProjectFiles NoProject;
  UnitFiles Files;
};

class BuildAction : public GeneratePCHAction {
public:
  BuildAction(const PreludeRequest &Request, BuildNotes &Notes)
      : Request(Request), Notes(Notes) {}

  bool BeginSourceFileAction(CompilerInstance &CI) override {
    Preprocessor &PP = CI.getPreprocessor();
    PP.addPPCallbacks(std::make_unique<NoteTaker>(PP, Request, Notes));
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef File) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    // A body is skipped when all consumers agree; the PCH's writer does.
    Consumers.push_back(
        std::make_unique<HeaderBodySkipper>(CI.getSourceManager()));
    Consumers.push_back(GeneratePCHAction::CreateASTConsumer(CI, File));
    if (!Consumers.back())
      return nullptr;
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

  void EndSourceFileAction() override {
    const SourceManager &SM = getCompilerInstance().getSourceManager();
    for (auto I = SM.fileinfo_begin(); I != SM.fileinfo_end(); ++I) {
      FileEntryRef File = I->first;
      if (File.getName().starts_with(StandInFolder))
        continue; // Part of this program; see flagsKey.
      std::optional<FileStamp> Stamp =
          FileStamp::of(absolutePath(File.getName()));
      // Changed while it was being read: good for nothing.
      if (!Stamp || Stamp->Size != uint64_t(File.getSize()))
        Notes.Failure = File.getName().str() + " changed meanwhile";
      else
        Notes.Files.push_back(std::move(*Stamp));
    }
    llvm::sort(Notes.Files, [](const FileStamp &A, const FileStamp &B) {
      return A.Path < B.Path;
    });
    GeneratePCHAction::EndSourceFileAction();
  }

private:
  const PreludeRequest &Request;
  BuildNotes &Notes;
};

} // namespace

static PreludeManifest makeManifest(const PreludeRequest &Request,
                                    BuildNotes Notes, StringRef Source) {
  PreludeManifest Result;
  Result.Failure = std::move(Notes.Failure);
  for (const HeavyInclude &Include : Request.Includes)
    (Result.Failure.empty() && Notes.FromHeaders.contains(Include.Path)
         ? Result.Implied
         : Result.Includes)
        .push_back(Include);
  for (const MacroEvent &Event : Request.Macros)
    if (Notes.Consulted.contains(Event.Name))
      Result.Macros.push_back(Event);
  Result.Builtins = std::move(Notes.Builtins);
  for (const auto &Name : Notes.SearchNames)
    Result.SearchNames.push_back(Name.getKey().str());
  llvm::sort(Result.SearchNames);
  Result.Identifiers = std::move(Notes.Identifiers);
  Result.Files = std::move(Notes.Files);
  llvm::erase_if(Result.Files,
                 [&](const FileStamp &File) { return File.Path == Source; });
  return Result;
}

std::optional<PreludeManifest> buildPrelude(const PreludeRequest &Request,
                                            StringRef Stem) {
  std::string Source = (Stem + ".hpp").str(), Pch = (Stem + ".pch").str();
  std::string Temporary =
      Pch + "." + std::to_string(sys::Process::getProcessId());
  if (!writeWhole(Source, preludeText(Request)))
    return std::nullopt;
  auto Invocation = std::make_shared<CompilerInvocation>(*Request.Invocation);
  FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.Inputs = {FrontendInputFile(Source, Frontend.DashX.getHeader())};
  Frontend.OutputFile = Temporary;
  Invocation->getPreprocessorOpts().WriteCommentListToPCH = false;

  BuildNotes Notes;
  ErrorCollector Errors;
  IntrusiveRefCntPtr<vfs::FileSystem> FS =
      withStandIns(vfs::createPhysicalFileSystem(), *Invocation);
  std::unique_ptr<CompilerInstance> CI =
      makeInstance(std::move(Invocation), std::move(FS), Errors);
  if (!CI)
    return std::nullopt;
  BuildAction Action(Request, Notes);
  bool Built = CI->ExecuteAction(Action);
  CI.reset();
  if (Errors.hasErrors())
    Notes.Failure = Errors.take().front();
  else if (!Built)
    return std::nullopt;

  PreludeManifest Result = makeManifest(Request, std::move(Notes), Source);
  if (!Result.Failure.empty()) {
    sys::fs::remove(Temporary);
  } else {
    std::optional<FileStamp> Stamp;
    if (!sys::fs::rename(Temporary, Pch))
      Stamp = FileStamp::of(Pch);
    if (!Stamp)
      return std::nullopt;
    Result.Pch = std::move(*Stamp);
  }
  if (!Result.write(Stem))
    return std::nullopt;
  return Result;
}

} // namespace tdl
