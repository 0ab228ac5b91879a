//===- PickleDevices.cpp - Finds devices in a pickle ----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How LibTorch pickles tensors: torch/csrc/jit/serialization/pickler.cpp. A
// tensor is a call of torch._utils._rebuild_tensor_v2, or one of its kin, whose
// first argument is a storage; that is a persistent id
//
//   ("storage", torch.FloatStorage, "0", "cuda:0", 12)
//
//===----------------------------------------------------------------------===//

#include "ArchiveScan.h"
#include "Pickle.h"

#include <algorithm>
#include <cctype>

namespace tdl {
namespace verify {

using Kind = PickleNode::Kind;

namespace {

class Walker {
public:
  Walker(const std::string &Record, const Pickle &Read, const ArchiveCode &Code)
      : Record(Record), Read(Read), Code(Code), IsSeen(Read.Nodes.size()) {}
  std::vector<BakedDevice> run();

private:
  /// A node that is still to be looked at.
  struct Place {
    uint32_t Node;
    std::string Path;      ///< "net.weight".
    std::string Class;     ///< Of the object whose attribute it is.
    std::string Member;    ///< Which attribute.
    bool IsMember = false; ///< It is that attribute, not something in it.
  };
  void visit(const Place &P);
  void visitCall(const Place &P, const PickleNode &Call);
  void visitItems(const Place &P, const PickleNode &Node);
  void visitPairs(const Place &P, const PickleNode &Node,
                  const std::string &Class);
  bool addTensor(const Place &P, const PickleNode &Call);
  bool addDevice(const Place &P, const PickleNode &Call);
  void add(const Place &P, BakedDevice Found);
  void later(uint32_t Node, const Place &Like, const std::string &Suffix);
  const PickleNode *item(uint32_t Node, size_t I) const;

  const std::string &Record;
  const Pickle &Read;
  const ArchiveCode &Code;
  std::vector<bool> IsSeen;
  std::vector<Place> Waiting;
  std::vector<BakedDevice> Found;
};

} // namespace

/// Null where the node is no sequence, or too short.
const PickleNode *Walker::item(uint32_t Node, size_t I) const {
  const PickleNode &Of = Read.at(Node);
  return Of.Is == Kind::Sequence && I < Of.Items.size() ? &Read.at(Of.Items[I])
                                                        : nullptr;
}

void Walker::later(uint32_t Node, const Place &Like,
                   const std::string &Suffix) {
  // Names and nesting may be as long as a file.
  constexpr size_t MaxPath = 240;
  Place P = Like;
  P.Node = Node;
  if (P.Path.size() < MaxPath)
    P.Path += Suffix.substr(0, MaxPath);
  P.IsMember = Like.IsMember && Suffix.empty();
  Waiting.push_back(std::move(P));
}

/// Parameter, buffer or other attribute, by the class's own word; any tensor
/// where there are no classes.
void Walker::add(const Place &P, BakedDevice Device) {
  Device.Name = P.Path;
  Device.Where.Record = Record;
  auto Class = Code.Classes.find(P.Class);
  if (Record == "constants.pkl") {
    Device.Kind = BakedKind::Constant;
    auto Use = Code.ConstantUses.find(P.Path);
    if (Use != Code.ConstantUses.end())
      Device.Where = Use->second;
  } else if (Class != Code.Classes.end()) {
    const ArchiveClass &C = Class->second;
    bool IsTensor = Device.IsTensor && P.IsMember;
    Device.Kind =
        IsTensor && C.Parameters.count(P.Member) ? BakedKind::Parameter
        : IsTensor && C.Buffers.count(P.Member)  ? BakedKind::Buffer
                                                 : BakedKind::Attribute;
    auto Declared = C.Attributes.find(P.Member);
    if (Declared != C.Attributes.end())
      Device.Where = Declared->second;
  } else {
    Device.Kind = Device.IsTensor && P.Class.empty() ? BakedKind::Tensor
                                                     : BakedKind::Attribute;
  }
  Found.push_back(std::move(Device));
}

/// "float" for torch.FloatStorage.
static std::string typeOfStorage(std::string Name) {
  size_t Dot = Name.rfind('.');
  Name.erase(0, Dot == std::string::npos ? 0 : Dot + 1);
  const std::string Ending = "Storage";
  if (Name.size() <= Ending.size() ||
      Name.compare(Name.size() - Ending.size(), Ending.size(), Ending) != 0)
    return "";
  Name.resize(Name.size() - Ending.size());
  std::transform(Name.begin(), Name.end(), Name.begin(),
                 [](unsigned char C) { return char(std::tolower(C)); });
  return Name == "untyped" ? "" : Name;
}

/// No device, no type has a longer name, no tensor more dimensions.
static constexpr size_t MaxWord = 64, MaxDimensions = 64;

bool Walker::addTensor(const Place &P, const PickleNode &Call) {
  const PickleNode *Storage = item(Call.Arguments, 0);
  if (!Storage || Storage->Is != Kind::Persistent)
    return false;
  const PickleNode *Word = item(Storage->Arguments, 0);
  const PickleNode *Type = item(Storage->Arguments, 1);
  const PickleNode *Device = item(Storage->Arguments, 3);
  if (!Word || Word->Text != "storage" || !Device || Device->Is != Kind::Text)
    return false;
  BakedDevice Tensor;
  Tensor.IsTensor = true;
  Tensor.Device = Device->Text.substr(0, MaxWord);
  Tensor.DType = typeOfStorage(Type->Text).substr(0, MaxWord);
  if (const PickleNode *Sizes = item(Call.Arguments, 2))
    for (size_t I = 0; I < Sizes->Items.size() && I < MaxDimensions; ++I)
      Tensor.Sizes.push_back(Read.at(Sizes->Items[I]).Number);
  add(P, std::move(Tensor));
  return true;
}

/// torch.device("cuda", 0), or with the index in the text.
bool Walker::addDevice(const Place &P, const PickleNode &Call) {
  const PickleNode *Name = item(Call.Arguments, 0);
  if (Read.at(Call.Callee).Text != "torch.device" || !Name ||
      Name->Is != Kind::Text)
    return false;
  BakedDevice Device;
  Device.Device = Name->Text.substr(0, MaxWord);
  const PickleNode *Index = item(Call.Arguments, 1);
  if (Index && Index->Is == Kind::Number)
    Device.Device += ":" + std::to_string(Index->Number);
  add(P, std::move(Device));
  return true;
}

void Walker::visitItems(const Place &P, const PickleNode &Node) {
  // Constants are named as the code names them.
  bool AreConstants = Record == "constants.pkl" && P.Path.empty();
  for (size_t I = Node.Items.size(); I-- > 0;)
    later(Node.Items[I], P,
          AreConstants ? "c" + std::to_string(I)
                       : "[" + std::to_string(I) + "]");
}

/// Of a dictionary, or of an object's state: \p Class then.
void Walker::visitPairs(const Place &P, const PickleNode &Node,
                        const std::string &Class) {
  for (size_t I = Node.Items.size() / 2; I-- > 0;) {
    const PickleNode &Key = Read.at(Node.Items[2 * I]);
    std::string Name =
        Key.Is == Kind::Number ? std::to_string(Key.Number) : Key.Text;
    later(Node.Items[2 * I + 1], P, (P.Path.empty() ? "" : ".") + Name);
    if (Class.empty())
      continue;
    Waiting.back().Class = Class;
    Waiting.back().Member = Name;
    Waiting.back().IsMember = true;
  }
}

void Walker::visitCall(const Place &P, const PickleNode &Call) {
  if (addTensor(P, Call) || addDevice(P, Call))
    return;
  const std::string &Callee = Read.at(Call.Callee).Text;
  const PickleNode &State = Read.at(Call.State);
  if (State.Is == Kind::Dictionary)
    visitPairs(P, State, Callee);
  else if (Call.State)
    later(Call.State, P, "");
  // An ordered dictionary gets its items, a wrapper its arguments.
  visitPairs(P, Call, "");
  const PickleNode &Arguments = Read.at(Call.Arguments);
  for (size_t I = Arguments.Items.size(); I-- > 0;)
    later(Arguments.Items[I], P, "");
}

void Walker::visit(const Place &P) {
  const PickleNode &Node = Read.at(P.Node);
  switch (Node.Is) {
  case Kind::Call:
    visitCall(P, Node);
    break;
  case Kind::Sequence:
    visitItems(P, Node);
    break;
  case Kind::Dictionary:
    visitPairs(P, Node, "");
    break;
  default:
    break;
  }
}

std::vector<BakedDevice> Walker::run() {
  Waiting.push_back({Read.Root, "", "", "", false});
  while (!Waiting.empty()) {
    Place P = std::move(Waiting.back());
    Waiting.pop_back();
    if (IsSeen[P.Node])
      continue;
    IsSeen[P.Node] = true;
    visit(P);
  }
  return std::move(Found);
}

std::vector<BakedDevice> devicesOfPickle(const std::string &Record,
                                         const std::string &Bytes,
                                         const ArchiveCode &Code) {
  return Walker(Record, readPickle(Bytes), Code).run();
}

} // namespace verify
} // namespace tdl
