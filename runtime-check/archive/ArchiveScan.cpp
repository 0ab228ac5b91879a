//===- ArchiveScan.cpp - Finds devices in an archive ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArchiveScan.h"

#include "Pickle.h"

namespace tdl {
namespace verify {

static bool startsWith(const std::string &Text, const std::string &Start) {
  return Text.compare(0, Start.size(), Start) == 0;
}

static bool endsWith(const std::string &Text, const std::string &End) {
  return Text.size() >= End.size() &&
         Text.compare(Text.size() - End.size(), End.size(), End) == 0;
}

static bool isCode(const std::string &Name) {
  return startsWith(Name, "code/") && endsWith(Name, ".py");
}

/// Of a model, not of a file that the user stored beside it.
static bool isMetadata(const std::string &Name) {
  return endsWith(Name, ".json") && !startsWith(Name, "extra/");
}

/// Machine code, and pickles whose storages lie in an archive of their own.
static bool isClosed(const std::string &Name) {
  for (const char *End : {".so", ".cubin", ".hsaco", ".spv", ".pt"})
    if (endsWith(Name, End))
      return !startsWith(Name, "extra/");
  return false;
}

static std::string formatOf(const Records &Files) {
  for (const std::string &Name : Files.names())
    if (Name.find("data/aotinductor/") != std::string::npos)
      return "aotinductor";
  if (Files.has("model.json"))
    return "model.json";
  for (const std::string &Name : Files.names())
    if (isCode(Name))
      return "torchscript";
  for (const std::string &Name : Files.names())
    if (startsWith(Name, "models/") && endsWith(Name, ".json"))
      return "export";
  if (Files.has("data.pkl"))
    return "pickle";
  Files.fail("expected an archive of TorchScript, of torch.save or of "
             "AOTInductor, and it holds neither code, data.pkl nor model.json");
}

static void addLiterals(const ArchiveCode &Code, ArchiveContents &Into) {
  for (const DeviceLiteral &Literal : Code.Literals) {
    BakedDevice D;
    D.Kind = BakedKind::Literal;
    D.Where = Literal.Where;
    D.Device = Literal.Device;
    Into.Devices.push_back(std::move(D));
  }
}

static void append(std::vector<BakedDevice> Found, ArchiveContents &Into) {
  for (BakedDevice &D : Found)
    Into.Devices.push_back(std::move(D));
}

ArchiveContents scanArchive(Records &Files) {
  ArchiveContents Contents;
  Contents.Format = formatOf(Files);
  ArchiveCode Code;
  for (const std::string &Name : Files.names())
    if (isCode(Name))
      readCode(Name, Files.read(Name), Code);
  addLiterals(Code, Contents);
  for (const char *Name : {"constants.pkl", "data.pkl", "attributes.pkl"})
    if (Files.has(Name))
      try {
        append(devicesOfPickle(Name, Files.read(Name), Code), Contents);
      } catch (const PickleError &Error) {
        Files.fail("'" + std::string(Name) +
                   "' is no pickle that LibTorch wrote: " + Error.what());
      }
  for (const std::string &Name : Files.names())
    if (isMetadata(Name))
      try {
        append(devicesOfJson(Name, Files.read(Name)), Contents);
      } catch (const nlohmann::json::exception &) {
        Files.fail("'" + Name + "' is not the JSON that LibTorch writes");
      }
  for (const std::string &Name : Files.names())
    if (isClosed(Name))
      Contents.NotRead.push_back(Name);
  return Contents;
}

} // namespace verify
} // namespace tdl
