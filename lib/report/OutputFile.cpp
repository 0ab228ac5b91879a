//===- OutputFile.cpp - A file that is there whole or not at all ----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporary file, rename, and the errors of both.
//
//===----------------------------------------------------------------------===//

#include "report/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tdl;

static Error cannotWrite(StringRef Path, const Twine &Why) {
  return createStringError("cannot write '" + Path + "': " + Why);
}

/// Closes nothing: the descriptor belongs to the caller.
static std::error_code writeAll(int Descriptor, StringRef Content) {
  raw_fd_ostream Out(Descriptor, /*shouldClose=*/false);
  Out << Content;
  Out.flush();
  const std::error_code Result = Out.error();
  // A stream that is destroyed with its error set ends the program.
  Out.clear_error();
  return Result;
}

static Error writeInPlace(StringRef Path, StringRef Content) {
  int Descriptor = -1;
  if (std::error_code EC =
          sys::fs::openFileForWrite(Path, Descriptor, sys::fs::CD_OpenExisting))
    return cannotWrite(Path, EC.message());
  std::error_code Written = writeAll(Descriptor, Content);
  sys::fs::file_t Handle = sys::fs::convertFDToNativeFile(Descriptor);
  std::error_code Closed = sys::fs::closeFile(Handle);
  if (Written || Closed)
    return cannotWrite(Path, (Written ? Written : Closed).message());
  return Error::success();
}

static Error writeByRename(StringRef Path, StringRef Content) {
  Expected<sys::fs::TempFile> Temp = sys::fs::TempFile::create(
      Path + ".%%%%%%%%.tmp", sys::fs::all_read | sys::fs::all_write);
  if (!Temp)
    return cannotWrite(Path, toString(Temp.takeError()));
  if (std::error_code EC = writeAll(Temp->FD, Content)) {
    consumeError(Temp->discard());
    return cannotWrite(Path, EC.message());
  }
  if (Error E = Temp->keep(Path))
    return cannotWrite(Path, toString(std::move(E)));
  return Error::success();
}

Error tdl::writeOutputFile(StringRef Path, StringRef Content) {
  if (Path == "-") {
    outs() << Content;
    outs().flush();
    return Error::success();
  }
  sys::fs::file_status Status;
  const bool Exists = !sys::fs::status(Path, Status) && exists(Status);
  if (Exists && is_directory(Status))
    return cannotWrite(Path, "it is a folder");
  if (Exists && !is_regular_file(Status))
    return writeInPlace(Path, Content);
  return writeByRename(Path, Content);
}
