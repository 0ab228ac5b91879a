//===- UnitParser.cpp - From a compile command to an AST ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/UnitParser.h"
#include "compile/AbsolutePath.h"
#include "compile/Adjust.h"
#include "compile/BodySkipper.h"
#include "compile/CudaHeaders.h"
#include "compile/Frontend.h"
#include "compile/Instantiations.h"
#include "compile/Nvcc.h"
#include "compile/Prelude.h"
#include "compile/ProjectFiles.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <optional>

using namespace clang;
using namespace llvm;
using clang::tooling::CompileCommand;

namespace tdl {

bool ParsedUnit::isProject(SourceLocation Loc) const {
  return Files.isProject(Loc);
}

bool ParsedUnit::isCompanion(SourceLocation Loc) const {
  return Files.isCompanion(Loc);
}

namespace {

using Consumer = function_ref<void(ParsedUnit &)>;

/// Skips the libraries' bodies and collects the user's declarations.
class UnitConsumer : public ASTConsumer {
public:
  UnitConsumer(CompilerInstance &CI, const ProjectFiles &Project,
               ArrayRef<std::string> Companions, Consumer Consume)
      : CI(CI), Files(CI.getSourceManager(), Project, Companions),
        Consume(Consume) {}

  bool shouldSkipFunctionBody(Decl *D) override { return Files.skipsBody(D); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      collect(D);
    return true;
  }

  // Declarations that come out of the prelude are no part of the user's code.
  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    std::vector<FunctionDecl *> Instantiations = findInstantiations(TopLevel);
    ParsedUnit Unit = {Context, CI.getPreprocessor(), TopLevel, Instantiations,
                       Files};
    Consume(Unit);
    Consumed = true;
  }

  bool Consumed = false;

private:
  /// Clang hands over instantiations in between the declarations of the file.
  void collect(Decl *D) {
    auto *Function = dyn_cast<FunctionDecl>(D);
    bool Instantiated = Function && Function->isTemplateInstantiation();
    if (!Instantiated && Files.isProject(D->getLocation()))
      TopLevel.push_back(D);
  }

  CompilerInstance &CI;
  UnitFiles Files;
  Consumer Consume;
  SmallVector<Decl *, 0> TopLevel;
};

class UnitAction : public ASTFrontendAction {
public:
  UnitAction(const ProjectFiles &Project, ArrayRef<std::string> Companions,
             Consumer Consume)
      : Project(Project), Companions(Companions), Consume(Consume) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<UnitConsumer>(CI, Project, Companions, Consume);
  }

private:
  const ProjectFiles &Project;
  ArrayRef<std::string> Companions;
  Consumer Consume;
};

/// One unit on its way from command to AST.
class UnitRun {
public:
  UnitRun(const ParseOptions &Options, const CompileCommand &Command,
          ArrayRef<std::string> Companions, ParseOutcome &Outcome);

  /// False when the command itself is no good; Outcome says why.
  bool prepare();
  /// The prelude that fits, made if need be.
  std::optional<Prelude> findPrelude(PreludeStore &Preludes);
  /// Parses with \p Use, or without a prelude when it is null. True when there
  /// were no errors; then \p Consume was called.
  bool parse(const Prelude *Use, Consumer Consume);
  /// Could the last parse not read its prelude?
  bool BrokenPrelude = false;

private:
  /// Makes Line. False when something that it needs is missing.
  bool adjustCommand();
  bool addCuda(ArrayRef<std::string> Whole, bool IsNvcc);
  /// Says what is wrong, and is false.
  bool fail(const std::string &Text);
  /// The files as the parse is to see them.
  IntrusiveRefCntPtr<vfs::FileSystem> withCompanions() const;
  void noteBrokenCompanions();

  const ParseOptions &Options;
  const CompileCommand &Command;
  ArrayRef<std::string> Companions;
  ParseOutcome &Outcome;
  std::string Directory, File;
  Arguments Line; ///< What clang compiles the file with.
  IntrusiveRefCntPtr<vfs::FileSystem> FS;
  std::shared_ptr<CompilerInvocation> Invocation;
  ProjectFiles Project;
  UnitScan Scan;
};

} // namespace

static Arguments withResourceDir(Arguments Command, StringRef ResourceDir) {
  bool HasOwn = any_of(Command, [](StringRef Argument) {
    return Argument == "-resource-dir" ||
           Argument.starts_with("-resource-dir=");
  });
  if (!HasOwn)
    Command.insert(Command.begin() + 1, {"-resource-dir", ResourceDir.str()});
  return Command;
}

/// Clang looks for headers relative to the compiler's folder.
static Arguments withFoundCompiler(Arguments Command) {
  if (!sys::path::has_parent_path(Command[0]))
    if (ErrorOr<std::string> Found = sys::findProgramByName(Command[0]))
      Command[0] = *Found;
  return Command;
}

/// nvcc takes its host compiler from the PATH when it is not told of one.
static Arguments besideHostCompiler(Arguments Line) {
  if (!sys::path::has_parent_path(Line[0]))
    if (ErrorOr<std::string> Found = sys::findProgramByName("g++"))
      Line[0] = (sys::path::parent_path(*Found) + "/" + Line[0]).str();
  return Line;
}

UnitRun::UnitRun(const ParseOptions &Options, const CompileCommand &Command,
                 ArrayRef<std::string> Companions, ParseOutcome &Outcome)
    : Options(Options), Command(Command), Companions(Companions),
      Outcome(Outcome), Directory(absolutePath(Command.Directory)),
      File(absolutePath(Command.Filename, Directory)) {}

bool UnitRun::fail(const std::string &Text) {
  Outcome.Errors = {Text};
  return false;
}

bool UnitRun::adjustCommand() {
  Arguments Whole = withFoundCompiler(Command.CommandLine);
  bool IsNvcc = compilerKind(Whole[0]) == CompilerKind::Nvcc;
  if (IsNvcc) {
    Expected<Arguments> Expanded = expandOptionFiles(Whole, Directory);
    if (!Expanded)
      return fail(File + ": error: " + toString(Expanded.takeError()));
    Whole = std::move(*Expanded);
  }
  Line = withResourceDir(adjustForParse(Whole, &Outcome.DroppedFlags),
                         Options.ResourceDir);
  if (IsNvcc)
    Line = besideHostCompiler(std::move(Line));
  return addCuda(Whole, IsNvcc);
}

bool UnitRun::addCuda(ArrayRef<std::string> Whole, bool IsNvcc) {
  bool IsCudaFile = isCuda(Line, File);
  if (!IsCudaFile && !IsNvcc)
    return true;
  std::vector<std::string> Roots = {Options.CudaPath};
  if (Options.CudaPath.empty())
    Roots = cudaRoots(Whole, Directory);
  Expected<std::vector<std::string>> Headers = findCudaHeaders(Roots);
  if (!IsCudaFile) {
    // C++ that nvcc compiles can do without if it includes nothing of CUDA.
    if (Headers)
      Line = withSystemFolders(Line, *Headers);
    consumeError(Headers.takeError());
    return true;
  }
  if (!Headers)
    return fail(File + ": error: " + toString(Headers.takeError()));
  Line = adjustForCuda(Line, *Headers);
  return true;
}

/// Paths in an AST are spelled as folders and includes spell them. A prelude's
/// are absolute, and so the others are to be.
static void spellPathsAlike(CompilerInvocation &Invocation,
                            StringRef Directory) {
  for (HeaderSearchOptions::Entry &Entry :
       Invocation.getHeaderSearchOpts().UserEntries)
    // "=" stands for the sysroot.
    if (!StringRef(Entry.Path).starts_with("="))
      Entry.Path = absolutePath(Entry.Path, Directory);
  for (FrontendInputFile &Input : Invocation.getFrontendOpts().Inputs)
    Input = FrontendInputFile(absolutePath(Input.getFile(), Directory),
                              Input.getKind(), Input.isSystem());
}

bool UnitRun::prepare() {
  FS = fileSystemAt(Directory);
  if (!FS)
    return fail("error: the folder " + Directory +
                " of the compile command does not exist");
  if (!FS->exists(File))
    return fail("error: no such file: " + File);
  if (!adjustCommand())
    return false;
  ErrorCollector Errors;
  Invocation = makeInvocation(Line, FS, Errors);
  // A -march that clang does not know is a flag that the parse can do without.
  // The trial gets a copy because it fills in the target's options.
  if (Invocation &&
      !makeInstance(std::make_shared<CompilerInvocation>(*Invocation), FS,
                    Errors)) {
    Line = adjustForPrelude(Line);
    Errors = ErrorCollector();
    Invocation = makeInvocation(Line, FS, Errors);
  }
  if (!Invocation) {
    Outcome.Errors = Errors.take();
    return false;
  }
  FS = withStandIns(FS, *Invocation);
  Invocation->getFrontendOpts().SkipFunctionBodies = true;
  spellPathsAlike(*Invocation, Directory);
  std::string Root =
      Options.ProjectRoot.empty() ? findProjectRoot(File) : Options.ProjectRoot;
  Project = ProjectFiles(Root, systemFolders(*Invocation, Directory));
  return true;
}

std::optional<Prelude> UnitRun::findPrelude(PreludeStore &Preludes) {
  Scan = scanUnit(*Invocation, FS, Project);
  if (!Scan.usesLibTorch())
    return std::nullopt;
  Arguments Normalised = adjustForPrelude(Line);
  std::unique_ptr<CompilerInvocation> Other;
  if (Normalised != Line) {
    ErrorCollector Errors;
    Other = makeInvocation(Normalised, FS, Errors);
    if (!Other)
      return std::nullopt;
  }
  return Preludes.get(makePreludeRequest(Other ? *Other : *Invocation,
                                         Directory, Project, Scan));
}

/// "NAME" or "NAME(a,b)" of "#define NAME(a,b) text", and "text".
static std::pair<StringRef, StringRef> splitDefinition(StringRef Directive) {
  Directive.consume_front("#define ");
  size_t Name = Directive.find_first_of(" (");
  if (Name != StringRef::npos && Directive[Name] == '(')
    Name = Directive.find(')') + 1;
  return {Directive.take_front(Name),
          Name == StringRef::npos ? "" : Directive.drop_front(Name).ltrim()};
}

/// The prelude brings the macros that its own flags set. The file is to see
/// those that its flags set (__AVX2__, __OPTIMIZE__): the differences go ahead
/// of the command line's own macros.
static void alignBuiltins(PreprocessorOptions &PP, ArrayRef<std::string> Wanted,
                          ArrayRef<std::string> Present) {
  StringMap<StringRef> Have;
  for (StringRef Directive : Present)
    Have.insert(splitDefinition(Directive));
  std::vector<std::pair<std::string, bool>> Changes;
  for (StringRef Directive : Wanted) {
    auto [Name, Text] = splitDefinition(Directive);
    auto Found = Have.find(Name);
    if (Found == Have.end() || Found->second != Text)
      Changes.emplace_back((Name + "=" + Text).str(), false);
    if (Found != Have.end())
      Have.erase(Found);
  }
  std::vector<StringRef> Extra;
  for (const auto &Entry : Have)
    Extra.push_back(Entry.getKey());
  llvm::sort(Extra);
  for (StringRef Name : Extra)
    Changes.emplace_back(Name.split('(').first.str(), true);
  PP.Macros.insert(PP.Macros.begin(), Changes.begin(), Changes.end());
}

IntrusiveRefCntPtr<vfs::FileSystem> UnitRun::withCompanions() const {
  if (Companions.empty())
    return FS;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Own = FS->getBufferForFile(File);
  if (!Own)
    return FS; // The parse will say what is wrong with it.
  std::string Text = (*Own)->getBuffer().str();
  for (const std::string &Companion : Companions)
    Text += "\n#include \"" + Companion + "\"";
  Text += "\n";
  auto Appended = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Appended->setCurrentWorkingDirectory(Directory);
  Appended->addFile(File, /*ModificationTime=*/0,
                    MemoryBuffer::getMemBufferCopy(Text, File));
  auto Both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(FS);
  Both->pushOverlay(Appended);
  return Both;
}

void UnitRun::noteBrokenCompanions() {
  for (const std::string &Companion : Companions)
    if (any_of(Outcome.Errors, [&](StringRef Line) {
          return Line.starts_with(Companion + ":");
        }))
      Outcome.BrokenCompanions.push_back(Companion);
}

bool UnitRun::parse(const Prelude *Use, Consumer Consume) {
  auto Own = std::make_shared<CompilerInvocation>(*Invocation);
  if (Use) {
    PreprocessorOptions &PP = Own->getPreprocessorOpts();
    PP.ImplicitPCHInclude = Use->PchPath;
    // PreludeManifest knows what a prelude depends on. Clang would refuse one
    // for flags that do not matter here, and compare every header again.
    PP.DisablePCHOrModuleValidation = DisableValidationForModuleKind::All;
    alignBuiltins(PP, Scan.Builtins, Use->Builtins);
  }
  ErrorCollector Errors;
  std::unique_ptr<CompilerInstance> CI =
      makeInstance(std::move(Own), withCompanions(), Errors);
  bool Consumed = false;
  if (CI) {
    // The action keeps a reference to it.
    auto ConsumeOnce = [&](ParsedUnit &Unit) {
      Consumed = true;
      Consume(Unit);
    };
    UnitAction Action(Project, Companions, ConsumeOnce);
    CI->ExecuteAction(Action);
  }
  BrokenPrelude = Use && Errors.hasPchErrors();
  if (!Consumed) {
    Outcome.Errors = Errors.take();
    noteBrokenCompanions();
  }
  return Consumed;
}

UnitParser::UnitParser(ParseOptions Options) : Options(std::move(Options)) {
  if (this->Options.UsePrelude)
    Preludes = std::make_unique<PreludeStore>(this->Options.CacheDir);
}

UnitParser::~UnitParser() = default;

static bool isHeaderMissing(const ParseOutcome &Outcome) {
  return Outcome.Errors.size() == 1 &&
         StringRef(Outcome.Errors.front()).ends_with("' file not found");
}

ParseOutcome UnitParser::parse(const CompileCommand &Command,
                               Consumer Consume,
                               ArrayRef<std::string> Companions) {
  ParseOutcome Outcome;
  if (Command.CommandLine.empty()) {
    Outcome.Errors = {"error: the compile command is empty"};
    return Outcome;
  }
  UnitRun Run(Options, Command, Companions, Outcome);
  if (!Run.prepare())
    return Outcome;
  std::optional<Prelude> Found;
  if (Preludes)
    Found = Run.findPrelude(*Preludes);
  auto Start = std::chrono::steady_clock::now();
  if (Found)
    Outcome.UsedPrelude = Outcome.Ok = Run.parse(&*Found, Consume);
  if (Outcome.UsedPrelude && Companions.empty())
    Preludes->noteCost(*Found, std::chrono::steady_clock::now() - Start);
  if (Run.BrokenPrelude)
    Preludes->forget(*Found);
  // A header that is not found is not found without the prelude either, and
  // parsing to the same line again costs seconds.
  bool IsWorthAnother = !Found || (Companions.empty() && !isHeaderMissing(Outcome));
  if (!Outcome.Ok && IsWorthAnother) {
    Outcome.Ok = Run.parse(nullptr, Consume);
    Outcome.FellBack = Found && Outcome.Ok;
  }
  if (Outcome.Ok)
    Outcome.Errors.clear();
  return Outcome;
}

} // namespace tdl
