//===- UnitScanner.cpp - Which library headers a file includes ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/UnitScanner.h"
#include "compile/AbsolutePath.h"
#include "compile/Adjust.h"
#include "compile/Frontend.h"
#include "compile/ProjectFiles.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace llvm;

namespace tdl {

bool HeavyInclude::isLibTorch() const {
  static constexpr llvm::StringLiteral Folders[] = {"torch/", "ATen/", "c10/",
                                                    "caffe2/", "torchvision/"};
  return any_of(Folders, [&](StringRef Folder) {
    return StringRef(Spelling).starts_with(Folder);
  });
}

bool HeavyInclude::isCudaWrapper() const { return Spelling == CudaWrapper; }

bool UnitScan::usesLibTorch() const {
  return any_of(Includes, [](const HeavyInclude &Include) {
    return Include.isLibTorch();
  });
}

namespace {

/// Says that a compiler compiles CUDA. Clang's comes from a header.
constexpr char CudaMacro[] = "__CUDACC__";

/// A file whose text is not looked at.
class EmptyFile : public vfs::File {
public:
  explicit EmptyFile(vfs::Status Status) : FileStatus(std::move(Status)) {}
  ErrorOr<vfs::Status> status() override { return FileStatus; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBuffer("", Name.str());
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status FileStatus;
};

/// The files to read: the project's, the main file and -include'd ones.
struct OwnFiles {
  const ProjectFiles &Project;
  StringSet<> Named;

  bool contains(StringRef Path) const {
    return Named.contains(Path) || Project.contains(Path);
  }
};

/// The disk, with every other file empty.
class OwnFilesOnly : public vfs::ProxyFileSystem {
public:
  OwnFilesOnly(IntrusiveRefCntPtr<vfs::FileSystem> FS, const OwnFiles &Own)
      : ProxyFileSystem(std::move(FS)), Own(Own) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Status = ProxyFileSystem::status(Path);
    if (Status && Status->isRegularFile() && isOutside(Path))
      return vfs::Status::copyWithNewSize(*Status, 0);
    return Status;
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    if (!isOutside(Path))
      return ProxyFileSystem::openFileForRead(Path);
    ErrorOr<vfs::Status> Status = status(Path);
    if (!Status)
      return Status.getError();
    return std::make_unique<EmptyFile>(*Status);
  }

private:
  bool isOutside(const Twine &Path) const {
    ErrorOr<std::string> Directory = getCurrentWorkingDirectory();
    if (!Directory)
      return false;
    return !Own.contains(absolutePath(Path.str(), *Directory));
  }

  const OwnFiles &Own;
};

bool isLight(StringRef Spelling, StringRef SearchPath) {
  static constexpr llvm::StringLiteral Folders[] = {
#define LIGHT_FOLDER(Name) Name,
#include "compile/LightHeaders.def"
  };
  bool Compilers =
      SearchPath.starts_with("/usr/include") || SearchPath.contains("/c++/") ||
      SearchPath.contains("/clang/") || SearchPath == "/usr/local/include";
  if (!Spelling.contains('/'))
    return Compilers;
  return any_of(Folders,
                [&](StringRef Folder) { return Spelling.starts_with(Folder); });
}

/// Follows the directives. A condition is uncertain when it asks for a macro
/// that a header which was not read could define. What such a condition guards
/// is left out; where it could change a macro, the scan ends.
class Directives : public PPCallbacks {
public:
  Directives(Preprocessor &PP, const OwnFiles &Own, UnitScan &Result)
      : PP(PP), SM(PP.getSourceManager()), Own(Own), Result(Result) {}

  unsigned BraceDepth = 0;

  void InclusionDirective(SourceLocation, const Token &IncludeTok,
                          StringRef FileName, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef SearchPath,
                          StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File)
      return stop();
    std::string Path = absolutePath(File->getName(), workingDirectory());
    if (Own.contains(Path))
      return;
    SeenLibrary = true;
    bool Plain =
        IncludeTok.getIdentifierInfo()->getPPKeywordID() == tok::pp_include;
    if (Stopped || !Plain || Uncertain || BraceDepth ||
        (FileName != CudaWrapper && isLight(FileName, SearchPath)) ||
        !Seen.insert(Path).second)
      return;
    Result.Includes.push_back({FileName.str(), std::move(Path)});
  }

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    const MacroInfo *Info = MD->getMacroInfo();
    // See scanUnit.
    if (PP.getLangOpts().CUDA && PP.getSpelling(Name) == CudaMacro)
      return;
    std::string Text = definition(*Info);
    if (SM.isWrittenInBuiltinFile(Name.getLocation()))
      Result.Builtins.push_back(std::move(Text));
    else
      addMacro(Name, std::move(Text), Info->isFunctionLike());
  }

  void MacroUndefined(const Token &Name, const MacroDefinition &MD,
                      const MacroDirective *) override {
    const MacroInfo *Info = MD.getMacroInfo();
    // Not defined as far as the scan knows: undone is nothing, or a library's
    // macro.
    if (!Info)
      return;
    if (SM.isWrittenInBuiltinFile(Info->getDefinitionLoc()))
      return stop();
    addMacro(Name, "#undef " + PP.getSpelling(Name), false);
  }

  void PragmaDirective(SourceLocation Loc, PragmaIntroducerKind) override {
    if (SM.isWrittenInBuiltinFile(Loc))
      return;
    StringRef Line = SM.getBufferData(SM.getFileID(Loc))
                         .substr(SM.getFileOffset(Loc))
                         .take_until([](char C) { return C == '\n'; });
    if (Line.contains("pack") || Line.contains("_macro"))
      stop();
  }

  void If(SourceLocation Loc, SourceRange Condition,
          ConditionValueKind) override {
    open(Loc, asksUnknown(Condition));
  }
  void Ifdef(SourceLocation Loc, const Token &Name,
             const MacroDefinition &) override {
    open(Loc, isUnknown(Name.getIdentifierInfo()));
  }
  void Ifndef(SourceLocation Loc, const Token &Name,
              const MacroDefinition &) override {
    open(Loc, !isIncludeGuard(Loc) && isUnknown(Name.getIdentifierInfo()));
  }
  void Elif(SourceLocation, SourceRange Condition, ConditionValueKind Value,
            SourceLocation IfLoc) override {
    if (Value != CVK_NotEvaluated && asksUnknown(Condition))
      doubt(IfLoc);
    SkippedIsUncertain = Conditions[IfLoc];
  }
  void Elifdef(SourceLocation, const Token &,
               const MacroDefinition &) override {
    stop();
  }
  void Elifndef(SourceLocation, const Token &,
                const MacroDefinition &) override {
    stop();
  }
  void Else(SourceLocation, SourceLocation IfLoc) override {
    SkippedIsUncertain = Conditions[IfLoc];
  }
  void Endif(SourceLocation, SourceLocation IfLoc) override {
    SkippedIsUncertain = Conditions[IfLoc];
    Uncertain -= SkippedIsUncertain;
  }

  /// Code that was skipped for want of a macro, and may not be skipped in
  /// truth, must not define any.
  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (!SkippedIsUncertain)
      return;
    StringRef Text = Lexer::getSourceText(CharSourceRange::getCharRange(Range),
                                          SM, PP.getLangOpts());
    if (Text.contains("define") || Text.contains("undef") ||
        Text.contains("include \""))
      stop();
  }

private:
  StringRef workingDirectory() {
    if (Directory.empty())
      if (auto Current = SM.getFileManager()
                             .getVirtualFileSystem()
                             .getCurrentWorkingDirectory())
        Directory = *Current;
    return Directory;
  }

  void stop() { Stopped = true; }

  void addMacro(const Token &Name, std::string Directive, bool FunctionLike) {
    if (Uncertain)
      return stop();
    Result.Macros.push_back({unsigned(Result.Includes.size()),
                             PP.getSpelling(Name), std::move(Directive),
                             FunctionLike});
  }

  std::string definition(const MacroInfo &Info) {
    StringRef Text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Info.getDefinitionLoc(),
                                       Info.getDefinitionEndLoc()),
        SM, PP.getLangOpts());
    std::string Line = "#define ";
    for (size_t I = 0; I < Text.size(); ++I) {
      bool Continues = Text[I] == '\\' && I + 1 < Text.size() &&
                       (Text[I + 1] == '\n' || Text[I + 1] == '\r');
      bool Break = Text[I] == '\n' || Text[I] == '\r';
      Line += Continues || Break ? ' ' : Text[I];
    }
    return Line;
  }

  bool isUnknown(const IdentifierInfo *Name) {
    static constexpr llvm::StringLiteral CompilerMacros[] = {
#define COMPILER_MACRO(Name) Name,
#include "compile/CompilerMacros.def"
    };
    return SeenLibrary && !Name->hasMacroDefinition() &&
           !is_contained(CompilerMacros, Name->getName());
  }

  bool asksUnknown(SourceRange Condition) {
    static constexpr llvm::StringLiteral Operators[] = {
        "defined", "true", "false", "and", "or", "not"};
    if (!SeenLibrary)
      return false;
    StringRef Text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Condition), SM, PP.getLangOpts());
    std::string Terminated = Text.str();
    Lexer Raw(SourceLocation(), PP.getLangOpts(), Terminated.data(),
              Terminated.data(), Terminated.data() + Terminated.size());
    Token Tok;
    while (!Raw.LexFromRawLexer(Tok) || Tok.isNot(tok::eof)) {
      if (Tok.is(tok::raw_identifier) &&
          !is_contained(Operators, Tok.getRawIdentifier()) &&
          isUnknown(PP.getIdentifierInfo(Tok.getRawIdentifier())))
        return true;
      if (Tok.is(tok::eof))
        break;
    }
    return false;
  }

  /// The first directive of a file: it asks for the file's own guard, which no
  /// other file defines.
  bool isIncludeGuard(SourceLocation Loc) {
    FileID File = SM.getFileID(Loc);
    Lexer Raw(File, SM.getBufferOrFake(File), SM, PP.getLangOpts());
    Token Tok;
    Raw.LexFromRawLexer(Tok);
    if (Tok.isNot(tok::hash))
      return false;
    Raw.LexFromRawLexer(Tok);
    return Tok.getLocation() == Loc;
  }

  void open(SourceLocation Loc, bool IsUncertain) {
    Conditions[Loc] = IsUncertain;
    SkippedIsUncertain = IsUncertain;
    Uncertain += IsUncertain;
  }

  void doubt(SourceLocation IfLoc) {
    bool &IsUncertain = Conditions[IfLoc];
    Uncertain += !IsUncertain;
    IsUncertain = true;
  }

  Preprocessor &PP;
  const SourceManager &SM;
  const OwnFiles &Own;
  UnitScan &Result;
  std::string Directory;
  StringSet<> Seen;
  DenseMap<SourceLocation, bool> Conditions; ///< #if: is it uncertain?
  unsigned Uncertain = 0; ///< How many of the open conditions are.
  bool SkippedIsUncertain = false;
  bool SeenLibrary = false;
  bool Stopped = false; ///< Nothing after this point can be judged.
};

class ScanAction : public PreprocessorFrontendAction {
public:
  ScanAction(const OwnFiles &Own, UnitScan &Result)
      : Own(Own), Result(Result) {}

  void ExecuteAction() override {
    Preprocessor &PP = getCompilerInstance().getPreprocessor();
    auto Owned = std::make_unique<Directives>(PP, Own, Result);
    Directives &Seen = *Owned;
    PP.addPPCallbacks(std::move(Owned));
    PP.EnterMainSourceFile();
    Token Tok;
    do {
      PP.Lex(Tok);
      // An #include inside extern "C" or a namespace means something else than
      // at the top of a prelude.
      if (Tok.is(tok::l_brace))
        ++Seen.BraceDepth;
      else if (Tok.is(tok::r_brace) && Seen.BraceDepth)
        --Seen.BraceDepth;
    } while (Tok.isNot(tok::eof));
  }

private:
  const OwnFiles &Own;
  UnitScan &Result;
};

} // namespace

/// A definition that another one follows before the next header is of no
/// interest, nor is one after the last header.
static void dropOverridden(UnitScan &Scan) {
  std::vector<MacroEvent> Kept;
  StringSet<> Later;
  unsigned Position = Scan.Includes.size();
  for (MacroEvent &Event : reverse(Scan.Macros)) {
    if (Event.Position != Position) {
      Later.clear();
      Position = Event.Position;
    }
    if (Event.Position < Scan.Includes.size() &&
        Later.insert(Event.Name).second)
      Kept.push_back(std::move(Event));
  }
  std::reverse(Kept.begin(), Kept.end());
  Scan.Macros = std::move(Kept);
}

UnitScan scanUnit(const CompilerInvocation &Original,
                  IntrusiveRefCntPtr<vfs::FileSystem> FS,
                  const ProjectFiles &Project) {
  auto Invocation = std::make_shared<CompilerInvocation>(Original);
  OwnFiles Own{Project, {}};
  auto Include = [&](StringRef Name) {
    if (ErrorOr<std::string> Directory = FS->getCurrentWorkingDirectory())
      Own.Named.insert(absolutePath(Name, *Directory));
  };
  for (const FrontendInputFile &Input : Invocation->getFrontendOpts().Inputs)
    if (Input.isFile())
      Include(Input.getFile());
  for (const std::string &Name : Invocation->getPreprocessorOpts().Includes)
    Include(Name);
  for (const std::string &Name :
       Invocation->getPreprocessorOpts().MacroIncludes)
    Include(Name);

  // The header that defines it is not read; the macro is no doubt there.
  if (Invocation->getLangOpts().CUDA)
    Invocation->getPreprocessorOpts().addMacroDef(CudaMacro);
  UnitScan Result;
  ErrorCollector Ignored;
  std::unique_ptr<CompilerInstance> CI =
      makeInstance(std::move(Invocation),
                   makeIntrusiveRefCnt<OwnFilesOnly>(FS, Own), Ignored);
  if (!CI)
    return Result;
  ScanAction Action(Own, Result);
  CI->ExecuteAction(Action);
  dropOverridden(Result);
  return Result;
}

} // namespace tdl
