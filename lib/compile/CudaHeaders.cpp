//===- CudaHeaders.cpp - Where CUDA's headers are -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compile/CudaHeaders.h"
#include "compile/AbsolutePath.h"
#include "compile/Adjust.h"
#include "compile/Nvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <optional>

using namespace llvm;

namespace tdl {

using Folders = std::vector<std::string>;

static std::string pathIn(StringRef Folder, const Twine &Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

static bool holds(StringRef Folder, StringRef Header) {
  return sys::fs::exists(pathIn(Folder, Header));
}

/// The folders below \p Folder, the one with the highest number first.
static Folders foldersIn(StringRef Folder) {
  Folders Result;
  std::error_code Problem;
  for (sys::fs::directory_iterator I(Folder, Problem), End;
       !Problem && I != End; I.increment(Problem))
    if (sys::fs::is_directory(I->path()))
      Result.push_back(I->path());
  llvm::sort(Result,
             [](StringRef A, StringRef B) { return A.compare_numeric(B) > 0; });
  return Result;
}

//===----------------------------------------------------------------------===//
// Where to look
//===----------------------------------------------------------------------===//

namespace {

class Roots {
public:
  void add(std::string Root) {
    if (!Root.empty() && !is_contained(Found, Root))
      Found.push_back(std::move(Root));
  }

  /// $NAME, if it is set.
  void addVariable(StringRef Name) {
    if (std::optional<std::string> Value = sys::Process::GetEnv(Name))
      if (!Value->empty())
        add(absolutePath(*Value));
  }

  /// The wheels of the Pythons whose lib/ is below \p Prefix.
  void addPython(StringRef Prefix) {
    if (Prefix.empty())
      return;
    for (const std::string &Python : foldersIn(pathIn(Prefix, "lib")))
      if (sys::path::filename(Python).starts_with("python3"))
        for (StringRef Packages : {"site-packages", "dist-packages"})
          if (std::string Wheels = pathIn(Python, Packages + "/nvidia");
              sys::fs::is_directory(Wheels))
            add(std::move(Wheels));
  }

  Folders Found;
};

} // namespace

/// The folders that a command searches for headers, absolute.
static Folders includeFolders(ArrayRef<std::string> Command,
                              StringRef Directory) {
  Folders Result;
  for (size_t I = 1; I < Command.size(); ++I)
    for (StringRef Flag : {"-isystem", "-I"}) {
      StringRef Value = Command[I];
      if (!Value.consume_front(Flag))
        continue;
      if (Value.empty() && I + 1 < Command.size())
        Value = Command[++I];
      Result.push_back(absolutePath(Value, Directory));
      break;
    }
  return Result;
}

/// nvcc is in the toolkit's bin/, or a link to it is elsewhere.
static void addOfNvcc(StringRef Program, StringRef Directory, Roots &Into) {
  if (!sys::path::has_parent_path(Program))
    return;
  std::string Path = absolutePath(Program, Directory);
  SmallString<256> Real;
  bool HasReal = !sys::fs::real_path(Path, Real);
  for (StringRef Name : {StringRef(Path), HasReal ? Real.str() : StringRef()})
    Into.add(sys::path::parent_path(sys::path::parent_path(Name)).str());
}

std::vector<std::string> cudaRoots(ArrayRef<std::string> Command,
                                   StringRef Directory) {
  Roots Result;
  bool IsNvcc = compilerKind(Command[0]) == CompilerKind::Nvcc;
  Folders Included =
      includeFolders(IsNvcc ? hostCommand(Command) : Command.vec(), Directory);
  for (StringRef Argument : drop_begin(Command))
    if (Argument.consume_front("--cuda-path="))
      Result.add(absolutePath(Argument, Directory));
  if (IsNvcc)
    addOfNvcc(Command[0], Directory, Result);
  for (const std::string &Folder : Included)
    if (holds(Folder, "cuda_runtime.h"))
      Result.add(Folder);
  Result.addVariable("CUDA_HOME");
  Result.addVariable("CUDA_PATH");
#define CUDA_ROOT(Folder) Result.add(Folder);
#include "compile/CudaHeaders.def"
  for (const std::string &Folder : foldersIn("/usr/local"))
    if (sys::path::filename(Folder).starts_with("cuda-"))
      Result.add(Folder);
  // LibTorch's wheel is torch/include beside nvidia.
  for (const std::string &Folder : Included)
    if (holds(Folder, "ATen/ATen.h"))
      Result.add(pathIn(sys::path::parent_path(sys::path::parent_path(Folder)),
                        "nvidia"));
  for (StringRef Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::optional<std::string> Prefix = sys::Process::GetEnv(Variable)) {
      Result.addPython(*Prefix);
      if (holds(*Prefix, "targets"))
        Result.add(absolutePath(*Prefix));
    }
  if (ErrorOr<std::string> Python = sys::findProgramByName("python3"))
    Result.addPython(sys::path::parent_path(sys::path::parent_path(*Python)));
  if (std::optional<std::string> Home = sys::Process::GetEnv("HOME"))
    Result.addPython(pathIn(*Home, ".local"));
  return Result.Found;
}

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

/// The wheels' folders of headers in \p Wheels, a folder "nvidia": since CUDA
/// 13 all share one, before each has its own.
static void addWheels(StringRef Wheels, std::vector<Folders> &Into) {
  if (sys::path::filename(Wheels) != "nvidia")
    return;
  Folders Apart;
  for (const std::string &Package : foldersIn(Wheels)) {
    std::string Include = pathIn(Package, "include");
    if (!sys::fs::is_directory(Include))
      continue;
    StringRef Name = sys::path::filename(Package);
    if (Name.consume_front("cu") && all_of(Name, isDigit))
      Into.push_back({Include});
    else
      Apart.push_back(Include);
  }
  llvm::sort(Apart);
  if (!Apart.empty())
    Into.push_back(std::move(Apart));
}

/// Each set of folders that may be the headers of \p Root.
static std::vector<Folders> layouts(StringRef Root) {
  std::vector<Folders> Result;
#define CUDA_LAYOUT(Folder) Result.push_back({pathIn(Root, Folder)});
#include "compile/CudaHeaders.def"
  addWheels(Root, Result);
  addWheels(sys::path::parent_path(Root), Result);
  return Result;
}

namespace {
struct Needed {
  StringLiteral Header, Part;
};
} // namespace

static constexpr Needed NeededHeaders[] = {
#define CUDA_HEADER(Name, Part) {Name, Part},
#include "compile/CudaHeaders.def"
};

/// The first header that none of \p Set holds; null when all are there.
static const Needed *missingIn(const Folders &Set) {
  for (const Needed &Row : NeededHeaders)
    if (none_of(Set,
                [&](StringRef Folder) { return holds(Folder, Row.Header); }))
      return &Row;
  return nullptr;
}

/// \p Set with the folders of CUDA's C++ library, which is apart since CUDA 13.
static Folders withLibrary(const Folders &Set) {
  Folders Result;
  for (const std::string &Folder : Set) {
    // It is searched anyway, and naming it breaks #include_next.
    if (Folder != "/usr/include")
      Result.push_back(Folder);
    if (std::string Library = pathIn(Folder, "cccl");
        sys::fs::is_directory(Library))
      Result.push_back(std::move(Library));
  }
  return Result;
}

Expected<std::vector<std::string>>
findCudaHeaders(ArrayRef<std::string> Roots) {
  std::string Incomplete;
  for (const std::string &Root : Roots)
    for (const Folders &Set : layouts(Root)) {
      const Needed *Missing = missingIn(Set);
      if (!Missing)
        return withLibrary(Set);
      bool IsCuda = Missing != &NeededHeaders[0];
      if (IsCuda && Incomplete.empty())
        Incomplete = (Twine("the CUDA headers in ") + Set.front() + " lack " +
                      Missing->Header + " (of " + Missing->Part + ")")
                         .str();
    }
  if (!Incomplete.empty())
    return createStringError(
        Incomplete + "; install it, or name a toolkit with --cuda-path=DIR");
  return createStringError("no CUDA headers: cuda_runtime.h is not in " +
                           llvm::join(Roots, ", ") +
                           "; name the toolkit's folder with --cuda-path=DIR");
}

} // namespace tdl
