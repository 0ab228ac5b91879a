//===- Frontend.cpp - Running clang's frontend in this process ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/Frontend.h"
#include "compile/AbsolutePath.h"
#include "compile/Adjust.h"
#include "support/Embedded.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace llvm;

namespace tdl {

namespace embedded {
extern const File StandIns[];
extern const unsigned long StandInsCount;
} // namespace embedded

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                      const Diagnostic &Info) {
  if (Level < DiagnosticsEngine::Error)
    return;
  ++Count;
  PchCount += Info.getID() >= diag::DIAG_START_SERIALIZATION &&
              Info.getID() < diag::DIAG_START_LEX;
  if (Errors.size() == MaxKept)
    return;
  std::string Line;
  raw_string_ostream OS(Line);
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    PresumedLoc At = Info.getSourceManager().getPresumedLoc(Info.getLocation());
    if (At.isValid())
      OS << At.getFilename() << ":" << At.getLine() << ":" << At.getColumn()
         << ": ";
  }
  SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  OS << "error: " << Text;
  Errors.push_back(std::move(Line));
}

IntrusiveRefCntPtr<vfs::FileSystem> fileSystemAt(StringRef Directory) {
  // createPhysicalFileSystem has a working directory of its own; the process's
  // is shared by all threads.
  IntrusiveRefCntPtr<vfs::FileSystem> FS = vfs::createPhysicalFileSystem();
  if (FS->setCurrentWorkingDirectory(Directory))
    return nullptr;
  return FS;
}

static ArrayRef<embedded::File> standIns() {
  return {embedded::StandIns, size_t(embedded::StandInsCount)};
}

IntrusiveRefCntPtr<vfs::FileSystem>
withStandIns(IntrusiveRefCntPtr<vfs::FileSystem> FS,
             const CompilerInvocation &Invocation) {
  bool IsSearched = any_of(Invocation.getHeaderSearchOpts().UserEntries,
                           [](const HeaderSearchOptions::Entry &Entry) {
                             return Entry.Path == StandInFolder;
                           });
  if (!IsSearched)
    return FS;
  auto Added = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const embedded::File &File : standIns())
    Added->addFile(
        Twine(StandInFolder) + "/" + File.Name + ".h",
        /*ModificationTime=*/0,
        MemoryBuffer::getMemBuffer(StringRef(File.Text, File.Size), File.Name));
  if (ErrorOr<std::string> Directory = FS->getCurrentWorkingDirectory())
    Added->setCurrentWorkingDirectory(*Directory);
  auto Both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(FS);
  Both->pushOverlay(Added);
  return Both;
}

std::string standInText() {
  std::string Text;
  for (const embedded::File &File : standIns())
    Text += StringRef(File.Text, File.Size);
  return Text;
}

std::unique_ptr<CompilerInvocation>
makeInvocation(ArrayRef<std::string> Command,
               IntrusiveRefCntPtr<vfs::FileSystem> FS, ErrorCollector &Errors) {
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Command)
    Pointers.push_back(Argument.c_str());
  DiagnosticOptions DiagOpts;
  CreateInvocationOptions Options;
  Options.Diags = CompilerInstance::createDiagnostics(
      *FS, DiagOpts, &Errors, /*ShouldOwnClient=*/false);
  Options.VFS = FS;
  std::unique_ptr<CompilerInvocation> Invocation =
      createInvocation(Pointers, std::move(Options));
  if (!Invocation || Errors.hasErrors())
    return nullptr;
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  Invocation->getDiagnosticOpts().ShowCarets = false;
  return Invocation;
}

std::unique_ptr<CompilerInstance>
makeInstance(std::shared_ptr<CompilerInvocation> Invocation,
             IntrusiveRefCntPtr<vfs::FileSystem> FS, ErrorCollector &Errors) {
  auto CI = std::make_unique<CompilerInstance>(std::move(Invocation));
  CI->setVirtualFileSystem(std::move(FS));
  CI->createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  CI->createFileManager();
  if (!CI->createTarget())
    return nullptr;
  return CI;
}

std::vector<std::string> systemFolders(const CompilerInvocation &Invocation,
                                       StringRef Directory) {
  std::vector<std::string> Result;
  for (const HeaderSearchOptions::Entry &Entry :
       Invocation.getHeaderSearchOpts().UserEntries)
    if (Entry.Group != frontend::Quoted && Entry.Group != frontend::Angled)
      Result.push_back(absolutePath(Entry.Path, Directory));
  return Result;
}

} // namespace tdl
