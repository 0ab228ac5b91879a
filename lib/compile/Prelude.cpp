//===- Prelude.cpp - The shared preludes on disk ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/Prelude.h"
#include "compile/PreludeBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <mutex>

using namespace llvm;

namespace tdl {

/// How long to wait for another process that makes a prelude. Making one takes
/// 6 to 10 s on a free machine.
static constexpr std::chrono::seconds LongestWait(60);
/// How long a comparison with the files on disk holds. One run reads many
/// files in a second; an editor's server lives for days.
static constexpr std::chrono::seconds CheckHolds(2);
/// Beyond this many preludes for one set of flags a file takes the one that
/// covers most of its headers.
static constexpr unsigned MostForFlags = 12;
/// Seconds. About what it takes to make a prelude of LibTorch.
static constexpr double WorthMaking = 8;
/// Bytes. One of torch/torch.h has 85 MB, one of c10's headers a few.
static constexpr uint64_t LargePch = 40 << 20;
/// A prelude of LibTorch takes 100 MB.
static constexpr unsigned MostInAll = 24;

static std::string defaultCacheDir() {
  SmallString<128> Path;
  if (!sys::path::cache_directory(Path))
    return {};
  sys::path::append(Path, "torch-device-lint");
  return Path.str().str();
}

PreludeStore::PreludeStore(std::string CacheDir) {
  if (CacheDir.empty())
    CacheDir = defaultCacheDir();
  if (CacheDir.empty())
    return;
  SmallString<128> Path(CacheDir);
  sys::fs::make_absolute(Path);
  sys::path::append(Path, "preludes");
  Root = Path.str().str();
}

static void removePrelude(StringRef Stem) {
  for (StringRef Ending : {".manifest", ".pch", ".ids", ".hpp", ".wanted"})
    sys::fs::remove(Stem + Ending);
}

/// The stems of all preludes in a folder, sorted.
static std::vector<std::string> listPreludes(StringRef Folder) {
  std::vector<std::string> Stems;
  std::error_code Problem;
  for (sys::fs::directory_iterator I(Folder, Problem), End;
       !Problem && I != End; I.increment(Problem)) {
    StringRef Path = I->path();
    if (Path.consume_back(".manifest"))
      Stems.push_back(Path.str());
  }
  llvm::sort(Stems);
  return Stems;
}

/// Marks a prelude as used today, for the order of removal.
static void touch(StringRef Stem) {
  std::string Path = (Stem + ".manifest").str();
  sys::fs::file_status Status;
  auto Now = std::chrono::system_clock::now();
  if (sys::fs::status(Path, Status) ||
      Now - Status.getLastModificationTime() < std::chrono::hours(24))
    return;
  int File;
  if (sys::fs::openFileForReadWrite(Path, File, sys::fs::CD_OpenExisting,
                                    sys::fs::OF_None))
    return;
  (void)sys::fs::setLastAccessAndModificationTime(File, Now);
  (void)sys::Process::SafelyCloseFileDescriptor(File);
}

/// Removes the preludes that were not used for longest.
static void removeOldest(StringRef Root) {
  std::vector<std::pair<sys::TimePoint<>, std::string>> All;
  std::error_code Problem;
  for (sys::fs::directory_iterator I(Root, Problem), End; !Problem && I != End;
       I.increment(Problem))
    for (std::string &Stem : listPreludes(I->path())) {
      sys::fs::file_status Status;
      if (!sys::fs::status(Stem + ".manifest", Status))
        All.emplace_back(Status.getLastModificationTime(), std::move(Stem));
    }
  llvm::sort(All);
  for (size_t I = 0; I + MostInAll < All.size(); ++I)
    removePrelude(All[I].second);
}

bool PreludeStore::isCurrent(const Candidate &Found) {
  auto Now = std::chrono::steady_clock::now();
  auto [Last, New] = Checked.try_emplace(Found.Stem);
  if (!New && Now - Last->second < CheckHolds)
    return true;
  if (!Found.Manifest.isCurrent()) {
    Checked.erase(Last);
    return false;
  }
  Last->second = Now;
  return true;
}

std::optional<PreludeStore::Candidate>
PreludeStore::findBest(const PreludeRequest &Request, StringRef Folder,
                       bool RemoveStale, unsigned &Count) {
  std::optional<Candidate> Best;
  Count = 0;
  for (const std::string &Stem : listPreludes(Folder)) {
    std::optional<PreludeManifest> Manifest = PreludeManifest::read(Stem);
    ++Count;
    if (!Manifest || !Manifest->fits(Request))
      continue;
    // That some headers do not compile says nothing about more of them.
    if (!Manifest->Failure.empty() && !(Manifest->Includes == Request.Includes))
      continue;
    Candidate Found{Stem, std::move(*Manifest), 0};
    Found.Coverage = Found.Manifest.coverage(Request);
    if (Best && Best->Coverage >= Found.Coverage)
      continue;
    if (isCurrent(Found))
      Best = std::move(Found);
    else if (RemoveStale)
      removePrelude(Stem);
  }
  return Best;
}

namespace {

/// One maker of preludes per folder, over all processes. The kernel releases
/// the lock of a process that dies.
class FolderLock {
public:
  explicit FolderLock(StringRef Folder) {
    // The kernel's locks do not hold between threads of one process.
    InProcess.lock();
    SmallString<128> Path(Folder);
    sys::path::append(Path, "lock");
    if (sys::fs::openFileForReadWrite(Path, File, sys::fs::CD_OpenAlways,
                                      sys::fs::OF_None))
      File = -1;
    Owned = File != -1 && !sys::fs::tryLockFile(File, LongestWait);
  }
  ~FolderLock() {
    if (Owned)
      (void)sys::fs::unlockFile(File);
    if (File != -1)
      (void)sys::Process::SafelyCloseFileDescriptor(File);
    InProcess.unlock();
  }
  bool isOwned() const { return Owned; }

private:
  static std::mutex InProcess;
  int File = -1;
  bool Owned = false;
};

std::mutex FolderLock::InProcess;

} // namespace

static std::optional<Prelude> usable(StringRef Stem,
                                     PreludeManifest &Manifest) {
  if (!Manifest.Failure.empty())
    return std::nullopt;
  touch(Stem);
  return Prelude{Manifest.Pch.Path, std::move(Manifest.Builtins), {}};
}

std::optional<Prelude> PreludeStore::get(const PreludeRequest &Request) {
  if (Root.empty() || Request.Includes.empty())
    return std::nullopt;
  if (std::optional<Prelude> Found = findOrBuild(Request))
    return Found;
  // A header that does not compile by itself must not cost the file LibTorch.
  PreludeRequest Less = onlyLibTorch(Request);
  if (Less.Includes.size() == Request.Includes.size() || Less.Includes.empty())
    return std::nullopt;
  return findOrBuild(Less);
}

/// Seconds, as noteCost adds them up.
static double readAccount(StringRef Path) {
  double Seconds = 0;
  if (auto Text = MemoryBuffer::getFile(Path))
    if ((*Text)->getBuffer().trim().getAsDouble(Seconds))
      return 0;
  return Seconds;
}

void PreludeStore::noteCost(const Prelude &Used,
                            std::chrono::duration<double> Cost) {
  if (Used.Account.empty())
    return;
  double Sum = readAccount(Used.Account) + Cost.count();
  writeWhole(Used.Account, std::to_string(Sum));
}

/// Is a prelude that lacks some of the file's headers worth using? It must hold
/// all of LibTorch's, or be so large that it holds most of LibTorch.
static bool holdsMost(const PreludeManifest &Manifest,
                      const PreludeRequest &Request) {
  PreludeRequest LibTorch = onlyLibTorch(Request);
  return Manifest.Pch.Size >= LargePch ||
         Manifest.coverage(LibTorch) == LibTorch.Includes.size();
}

/// Looks among the preludes there are. \p MakeOne says whether the one that
/// \p Request asks for is to be made; if not, the result is all there is to
/// have.
std::optional<Prelude> PreludeStore::findUsable(const PreludeRequest &Request,
                                                StringRef Stem, bool HaveLock,
                                                bool &MakeOne) {
  unsigned Count;
  std::optional<Candidate> Found =
      findBest(Request, sys::path::parent_path(Stem), HaveLock, Count);
  MakeOne = !Found;
  if (!Found)
    return std::nullopt;
  std::optional<Prelude> Result = usable(Found->Stem, Found->Manifest);
  if (!Result || Found->Coverage == Request.Includes.size())
    return Result;
  Result->Account = (Stem + ".wanted").str();
  MakeOne =
      Count < MostForFlags && (!holdsMost(Found->Manifest, Request) ||
                               readAccount(Result->Account) >= WorthMaking);
  return Result;
}

std::optional<Prelude>
PreludeStore::findOrBuild(const PreludeRequest &Request) {
  SmallString<128> Folder(Root), Stem;
  sys::path::append(Folder, Request.FlagsKey);
  Stem = Folder;
  sys::path::append(Stem, stableHash(preludeText(Request)));

  bool MakeOne;
  std::optional<Prelude> Found =
      findUsable(Request, Stem, /*HaveLock=*/false, MakeOne);
  if (!MakeOne)
    return Found;
  if (sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                  sys::fs::perms::owner_all))
    return Found;
  FolderLock Lock(Folder);
  if (!Lock.isOwned())
    return Found;
  // Another process may have made it meanwhile.
  Found = findUsable(Request, Stem, /*HaveLock=*/true, MakeOne);
  return MakeOne ? build(Request, Stem) : Found;
}

/// What a maker that was killed left half done. Needs the folder's lock.
static void removeTemporaries(StringRef Folder) {
  std::error_code Problem;
  for (sys::fs::directory_iterator I(Folder, Problem), End;
       !Problem && I != End; I.increment(Problem))
    if (StringRef(I->path()).contains(".pch."))
      sys::fs::remove(I->path());
}

std::optional<Prelude> PreludeStore::build(const PreludeRequest &Request,
                                           StringRef Stem) {
  removeTemporaries(sys::path::parent_path(Stem));
  std::optional<PreludeManifest> Manifest = buildPrelude(Request, Stem);
  if (!Manifest)
    return std::nullopt;
  Checked[Stem.str()] = std::chrono::steady_clock::now();
  removeOldest(Root);
  return usable(Stem, *Manifest);
}

void PreludeStore::forget(const Prelude &Broken) {
  StringRef Stem = Broken.PchPath;
  Stem.consume_back(".pch");
  Checked.erase(Stem.str());
  removePrelude(Stem);
}

} // namespace tdl
