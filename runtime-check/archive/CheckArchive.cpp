//===- CheckArchive.cpp - --archive ---------------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An archive from elsewhere may make a reader crash or eat memory; so it is
// read in a child, which sends its report as one line.
//
//===----------------------------------------------------------------------===//

#include "CheckArchive.h"

#include "../Child.h"
#include "../ErrorText.h"
#include "ArchiveScan.h"

#include <new>
#include <sstream>

namespace tdl {
namespace verify {

using nlohmann::ordered_json;

/// What the child found, for the parent.
static ordered_json readArchive(const Options &O) {
  ArchiveReport Report;
  Report.Path = O.Archive;
  Report.Device = O.ExpectedDevice;
  Records Files(O.Archive);
  Report.Contents = scanArchive(Files);
  std::ostringstream Text;
  print(Report, O.Quiet, Text);
  ordered_json Sent;
  Sent["text"] = Text.str();
  Sent["report"] = toJson(Report);
  return Sent;
}

static ordered_json failure(const std::string &Text) {
  ordered_json Sent;
  Sent["error"] = Text;
  return Sent;
}

static ordered_json readOrFail(const Options &O) {
  try {
    return readArchive(O);
  } catch (const ArchiveError &Error) {
    return failure(Error.what());
  } catch (const std::bad_alloc &) {
    return failure(O.Archive + ": reading it needs more memory than "
                               "--memory=MIB gives");
  } catch (const std::exception &Error) {
    std::string Text = oneLine(Error.what());
    return failure(O.Archive + ": " +
                   (isOutOfMemory(Text) ? "reading it needs more memory than "
                                          "--memory=MIB gives"
                                        : Text));
  }
}

ExitCode checkArchive(const Options &O, std::ostream &Out, ordered_json &Json) {
  ChildEnd End = runInChild(O.Bounds, [&](const ChildPipe &Pipe) {
    Pipe.result(readOrFail(O).dump(-1, ' ', false,
                                   ordered_json::error_handler_t::replace));
  });
  std::string Why = describe(End, O.Bounds, "reading it");
  if (!Why.empty())
    throw ArchiveError(O.Archive + ": " + Why);
  ordered_json Sent = ordered_json::parse(End.Result);
  if (Sent.contains("error"))
    throw ArchiveError(Sent["error"].get<std::string>());
  Out << Sent["text"].get<std::string>();
  Json = Sent["report"];
  return Json["devices"].empty() ? ExitConfirmed : ExitRefuted;
}

} // namespace verify
} // namespace tdl
