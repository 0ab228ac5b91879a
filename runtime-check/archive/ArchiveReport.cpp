//===- ArchiveReport.cpp - Devices that are baked into an archive ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArchiveReport.h"

#include "Records.h"

#include <algorithm>
#include <map>

namespace tdl {
namespace verify {

using nlohmann::ordered_json;

const char *kindName(BakedKind Kind) {
  switch (Kind) {
  case BakedKind::Literal:
    return "literal";
  case BakedKind::Constant:
    return "constant";
  case BakedKind::Attribute:
    return "attribute";
  case BakedKind::Parameter:
    return "parameter";
  case BakedKind::Buffer:
    return "buffer";
  case BakedKind::Tensor:
    return "tensor";
  case BakedKind::Package:
    return "package";
  }
  return "";
}

/// "cuda:0" has an index, and "cpu" has the only one.
static bool hasIndex(const std::string &Device) {
  return Device.find(':') != std::string::npos;
}

bool mayBeSame(const std::string &A, const std::string &B) {
  std::string TypeA = A.substr(0, A.find(':')),
              TypeB = B.substr(0, B.find(':'));
  return TypeA == TypeB &&
         (A == B || !hasIndex(A) || !hasIndex(B) || TypeA == "cpu");
}

//===----------------------------------------------------------------------===//
// What is listed
//===----------------------------------------------------------------------===//

/// Module::to(), and loading with a device, take these along.
static bool isMoved(const BakedDevice &D) {
  return D.Kind == BakedKind::Parameter || D.Kind == BakedKind::Buffer ||
         D.Kind == BakedKind::Tensor;
}

/// A 0-dim CPU tensor may stand beside tensors on any device.
static bool isHostScalar(const BakedDevice &D) {
  return D.IsTensor && D.Sizes.empty() && D.Device == "cpu";
}

std::string ArchiveReport::usualDevice() const {
  std::map<std::string, int> Counts;
  for (const BakedDevice &D : Contents.Devices)
    if (isMoved(D))
      ++Counts[D.Device];
  std::string Most;
  for (const BakedDevice &D : Contents.Devices)
    if (isMoved(D) && (Most.empty() || Counts[D.Device] > Counts[Most]))
      Most = D.Device;
  return Most;
}

std::vector<BakedDevice> ArchiveReport::listed() const {
  std::vector<BakedDevice> Listed;
  std::string Usual = usualDevice();
  for (const BakedDevice &D : Contents.Devices) {
    if (isHostScalar(D))
      continue;
    bool Differs = Device.empty() ? !isMoved(D) || !mayBeSame(D.Device, Usual)
                                  : !mayBeSame(D.Device, Device);
    if (Differs)
      Listed.push_back(D);
  }
  return Listed;
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static std::string quoted(const std::string &Text) {
  return "'" + printable(Text) + "'";
}

/// "(float, {4, 2})"; empty where nothing is known.
static std::string shapeOf(const BakedDevice &D) {
  if (!D.IsTensor)
    return "";
  std::string Sizes;
  for (int64_t Size : D.Sizes)
    Sizes += (Sizes.empty() ? "" : ", ") + std::to_string(Size);
  std::string Shape = D.Sizes.empty() ? "0-dim" : "{" + Sizes + "}";
  return " (" + (D.DType.empty() ? "" : printable(D.DType) + ", ") + Shape +
         ")";
}

/// Why it is told.
static std::string reason(const BakedDevice &D, const ArchiveReport &Report,
                          const std::string &Usual) {
  if (!Report.Device.empty())
    return ", not on " + Report.Device;
  if (isMoved(D))
    return ", most are on " + printable(Usual);
  return ", and moving the module leaves it there";
}

static std::string message(const BakedDevice &D, const ArchiveReport &Report,
                           const std::string &Usual) {
  std::string Device = printable(D.Device);
  std::string Other = Report.Device.empty() ? "" : ", not " + Report.Device;
  if (D.Kind == BakedKind::Literal)
    return "the code names the device " + quoted(D.Device) + Other;
  if (D.Kind == BakedKind::Package)
    return "compiled for " + Device + Other;
  if (!D.IsTensor)
    return "attribute " + quoted(D.Name) + " is the device " +
           quoted(D.Device) + Other;
  return std::string(kindName(D.Kind)) + " " + quoted(D.Name) + shapeOf(D) +
         " is on " + Device + reason(D, Report, Usual);
}

static std::string place(const ArchiveReport &Report, const CodePoint &Where) {
  std::string Text = Report.Path + ":" + printable(Where.Record) + ":";
  if (Where.Line)
    Text +=
        std::to_string(Where.Line) + ":" + std::to_string(Where.Column) + ":";
  return Text;
}

/// "2 literals, 1 constant".
static std::string counts(const std::vector<BakedDevice> &Listed) {
  std::map<BakedKind, int> Counts;
  for (const BakedDevice &D : Listed)
    ++Counts[D.Kind];
  std::string Text;
  for (const auto &Entry : Counts)
    Text += (Text.empty() ? "" : ", ") + std::to_string(Entry.second) + " " +
            kindName(Entry.first) + (Entry.second == 1 ? "" : "s");
  return Text;
}

static std::map<std::string, int>
tensorsByDevice(const std::vector<BakedDevice> &Devices) {
  std::map<std::string, int> Counts;
  for (const BakedDevice &D : Devices)
    if (D.IsTensor)
      ++Counts[D.Device];
  return Counts;
}

static void printTotals(const ArchiveReport &Report,
                        const std::vector<BakedDevice> &Listed,
                        std::ostream &Out) {
  std::string Tensors;
  for (const auto &Entry : tensorsByDevice(Report.Contents.Devices))
    Tensors += (Tensors.empty() ? "" : ", ") + std::to_string(Entry.second) +
               " on " + printable(Entry.first);
  Out << (Listed.empty() ? "no device" : counts(Listed)) << " to look at"
      << "; tensors: " << (Tensors.empty() ? "none" : Tensors);
  if (size_t Count = Report.Contents.NotRead.size())
    Out << "; " << Count << (Count == 1 ? " file" : " files")
        << " not looked into";
  Out << " (" << Report.Contents.Format << ")\n";
}

void print(const ArchiveReport &Report, bool Quiet, std::ostream &Out) {
  std::vector<BakedDevice> Listed = Report.listed();
  std::string Usual = Report.usualDevice();
  for (size_t I = 0; !Quiet && I < Listed.size() && I < MaxListed; ++I) {
    const BakedDevice &D = Listed[I];
    Out << place(Report, D.Where) << " warning: " << message(D, Report, Usual)
        << " [archive-" << kindName(D.Kind) << "]\n";
    if (D.Where.Line)
      Out << "  " << D.Where.Line << " | " << printable(D.Where.Source) << "\n";
  }
  printTotals(Report, Listed, Out);
}

//===----------------------------------------------------------------------===//
// For machines
//===----------------------------------------------------------------------===//

static ordered_json toJson(const BakedDevice &D) {
  ordered_json Json;
  Json["kind"] = kindName(D.Kind);
  Json["device"] = D.Device;
  Json["file"] = D.Where.Record;
  if (D.Where.Line) {
    Json["line"] = D.Where.Line;
    Json["column"] = D.Where.Column;
    Json["code"] = D.Where.Source;
  }
  if (!D.Name.empty())
    Json["name"] = D.Name;
  if (!D.DType.empty())
    Json["dtype"] = D.DType;
  if (D.IsTensor)
    Json["sizes"] = D.Sizes;
  return Json;
}

ordered_json toJson(const ArchiveReport &Report) {
  ordered_json Json;
  Json["schema"] = "torch-device-lint/archive";
  Json["version"] = 1;
  Json["archive"] = Report.Path;
  Json["format"] = Report.Contents.Format;
  if (!Report.Device.empty())
    Json["expected"] = Report.Device;
  Json["tensors"] = ordered_json::object();
  for (const auto &Entry : tensorsByDevice(Report.Contents.Devices))
    Json["tensors"][Entry.first] = Entry.second;
  Json["devices"] = ordered_json::array();
  std::vector<BakedDevice> Listed = Report.listed();
  for (size_t I = 0; I < Listed.size() && I < MaxListed; ++I)
    Json["devices"].push_back(toJson(Listed[I]));
  if (Listed.size() > MaxListed)
    Json["more"] = Listed.size() - MaxListed;
  if (!Report.Contents.NotRead.empty())
    Json["notRead"] = Report.Contents.NotRead;
  return Json;
}

} // namespace verify
} // namespace tdl
