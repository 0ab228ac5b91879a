//===- JsonDevices.cpp - Finds devices in an archive's JSON ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds: model.json of LibTorch 1.0 (caffe2/proto/torch.proto), the
// metadata of an AOTInductor package ("AOTI_DEVICE_KEY"), and what torch.export
// writes of tensors ({"device": {"type": "cuda", "index": 0}}).
//
//===----------------------------------------------------------------------===//

#include "ArchiveScan.h"

#include <algorithm>
#include <cstdlib>

namespace tdl {
namespace verify {

using nlohmann::json;

/// Values are looked at where they are: a copy of one that is nested deeply
/// would be made by calls within calls. Null where there is no such member.
static const json *member(const json &Of, const char *Key) {
  if (!Of.is_object())
    return nullptr;
  auto Found = Of.find(Key);
  return Found == Of.end() ? nullptr : &*Found;
}

/// Empty for what is no text.
static std::string textIn(const json *Value) {
  return Value && Value->is_string() ? Value->get<std::string>() : "";
}

/// Numbers of 64 bits are texts in JSON that protobuf writes.
static int64_t numberIn(const json *Value) {
  if (!Value || !Value->is_string())
    return Value && Value->is_number_integer() ? Value->get<int64_t>() : 0;
  return std::strtoll(Value->get<std::string>().c_str(), nullptr, 10);
}

/// The elements of a list; none of anything else.
static std::vector<const json *> elementsIn(const json *Value) {
  std::vector<const json *> Elements;
  if (Value && Value->is_array())
    for (const json &Element : *Value)
      Elements.push_back(&Element);
  return Elements;
}

/// Empty where the value is no device.
static std::string deviceIn(const json *Value) {
  if (!Value || Value->is_string())
    return textIn(Value);
  std::string Device = textIn(member(*Value, "type"));
  const json *Index = member(*Value, "index");
  if (!Device.empty() && Index && Index->is_number_integer())
    Device += ":" + std::to_string(numberIn(Index));
  return Device;
}

/// "dims": ["4", 2], "sizes": [{"as_int": 4}].
static std::vector<int64_t> sizesOf(const json &Tensor) {
  constexpr size_t MaxDimensions = 64;
  std::vector<int64_t> Sizes;
  for (const char *Key : {"dims", "sizes"})
    for (const json *Size : elementsIn(member(Tensor, Key))) {
      if (Sizes.size() == MaxDimensions)
        return Sizes;
      const json *Number = member(*Size, "as_int");
      Sizes.push_back(numberIn(Number ? Number : Size));
    }
  return Sizes;
}

namespace {

/// Names and nesting may be as long as a file.
constexpr size_t MaxPath = 240;

/// An element that is still to be looked at.
struct Place {
  const json *Value;
  std::string Path; ///< "tensors.0", without the file's own name.
};

} // namespace

/// Not by calls within calls: files may be nested as deeply as they like.
static void addChildren(const Place &P, std::vector<Place> &Waiting) {
  size_t First = Waiting.size();
  for (auto Child = P.Value->begin(); Child != P.Value->end(); ++Child) {
    if (!Child->is_structured())
      continue;
    std::string Name = P.Value->is_object()
                           ? Child.key()
                           : std::to_string(Child - P.Value->begin());
    bool IsLong = P.Path.size() >= MaxPath;
    Name.resize(std::min(Name.size(), MaxPath));
    Waiting.push_back({&*Child, P.Path.empty() ? Name
                                : IsLong       ? P.Path
                                               : P.Path + "." + Name});
  }
  std::reverse(Waiting.begin() + std::ptrdiff_t(First), Waiting.end());
}

static BakedDevice found(const std::string &Record, BakedKind Kind,
                         const std::string &Name, const std::string &Device) {
  constexpr size_t MaxDevice = 64;
  BakedDevice D;
  D.Kind = Kind;
  D.Where.Record = Record;
  D.Name = Name;
  D.Device = Device.substr(0, MaxDevice);
  return D;
}

namespace {

/// What a module of model.json calls a tensor.
struct TensorName {
  std::string Name;
  BakedKind Kind;
};

} // namespace

static std::string within(const std::string &Path, const json &Part) {
  std::string Name = textIn(member(Part, "name")).substr(0, MaxPath);
  return Path.empty() || Path.size() > MaxPath ? Name : Path + "." + Name;
}

/// By the number of the tensor.
static std::map<int64_t, TensorName> namesOfTensors(const json &Model) {
  std::map<int64_t, TensorName> Names;
  std::vector<Place> Waiting;
  if (const json *Main = member(Model, "mainModule"))
    Waiting.push_back({Main, ""});
  while (!Waiting.empty()) {
    Place P = std::move(Waiting.back());
    Waiting.pop_back();
    for (const json *Parameter : elementsIn(member(*P.Value, "parameters"))) {
      const json *IsBuffer = member(*Parameter, "isBuffer");
      Names[numberIn(member(*Parameter, "tensorId"))] = {
          within(P.Path, *Parameter), IsBuffer && *IsBuffer == true
                                          ? BakedKind::Buffer
                                          : BakedKind::Parameter};
    }
    for (const json *Part : elementsIn(member(*P.Value, "submodules")))
      Waiting.push_back({Part, within(P.Path, *Part)});
  }
  return Names;
}

static std::vector<BakedDevice> devicesOfModelJson(const std::string &Record,
                                                   const json &Model) {
  std::vector<BakedDevice> Found;
  std::map<int64_t, TensorName> Names = namesOfTensors(Model);
  int64_t Id = -1;
  for (const json *Tensor : elementsIn(member(Model, "tensors"))) {
    auto Named = Names.find(++Id);
    // The CPU is the default, which is not written.
    std::string Device = deviceIn(member(*Tensor, "device"));
    TensorName Name =
        Named == Names.end()
            ? TensorName{"tensors." + std::to_string(Id), BakedKind::Tensor}
            : Named->second;
    Found.push_back(
        found(Record, Name.Kind, Name.Name, Device.empty() ? "cpu" : Device));
    Found.back().IsTensor = true;
    Found.back().Sizes = sizesOf(*Tensor);
  }
  return Found;
}

static void addMetadata(const std::string &Record, const Place &P,
                        std::vector<BakedDevice> &Found) {
  std::string Target = deviceIn(member(*P.Value, "AOTI_DEVICE_KEY"));
  if (!Target.empty())
    Found.push_back(
        found(Record, BakedKind::Package, "AOTI_DEVICE_KEY", Target));
  bool IsTensor = member(*P.Value, "sizes") || member(*P.Value, "dtype");
  std::string Device = deviceIn(member(*P.Value, "device"));
  if (!IsTensor || Device.empty())
    return;
  Found.push_back(found(Record, BakedKind::Tensor, P.Path, Device));
  Found.back().IsTensor = true;
  Found.back().Sizes = sizesOf(*P.Value);
}

static std::vector<BakedDevice> devicesOfMetadata(const std::string &Record,
                                                  const json &Top) {
  std::vector<BakedDevice> Found;
  std::vector<Place> Waiting = {{&Top, ""}};
  while (!Waiting.empty()) {
    Place P = std::move(Waiting.back());
    Waiting.pop_back();
    addMetadata(Record, P, Found);
    if (P.Value->is_structured())
      addChildren(P, Waiting);
  }
  return Found;
}

std::vector<BakedDevice> devicesOfJson(const std::string &Record,
                                       const std::string &Text) {
  json Top = json::parse(Text);
  return Record == "model.json" ? devicesOfModelJson(Record, Top)
                                : devicesOfMetadata(Record, Top);
}

} // namespace verify
} // namespace tdl
