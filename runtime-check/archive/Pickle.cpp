//===- Pickle.cpp - Reads a pickle as data --------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pickle.h"

#include <cstdlib>
#include <unordered_map>

namespace tdl {
namespace verify {

using Kind = PickleNode::Kind;

namespace {

class Reader {
public:
  explicit Reader(std::string_view Bytes) : Bytes(Bytes) {
    Result.Nodes.emplace_back(); // None
  }
  Pickle read();

private:
  static constexpr size_t MaxNodes = 8 << 20;

  [[noreturn]] void fail(const std::string &What) const {
    throw PickleError(What + " at byte " + std::to_string(OpcodeAt));
  }
  // What follows an opcode.
  std::string_view take(uint64_t Count);
  uint64_t number(unsigned Width);
  std::string_view line();
  std::string_view sized(unsigned Width) { return take(number(Width)); }

  // The stack machine.
  uint32_t add(PickleNode Node);
  void push(PickleNode Node) { Stack.push_back(add(std::move(Node))); }
  void pushText(std::string_view Text) {
    PickleNode Node;
    Node.Is = Kind::Text;
    Node.Text = std::string(Text);
    push(std::move(Node));
  }
  void pushNumber(int64_t Number) {
    PickleNode Node;
    Node.Is = Kind::Number;
    Node.Number = Number;
    push(std::move(Node));
  }
  void pushKind(Kind Is) {
    PickleNode Node;
    Node.Is = Is;
    push(std::move(Node));
  }
  void pushGlobal(std::string_view Module, std::string_view Name);
  void pushCall(uint32_t Callee, uint32_t Arguments);
  uint32_t pop();
  std::vector<uint32_t> popToMark();
  void pushSequence(std::vector<uint32_t> Items);
  void pushOf(size_t Count);
  PickleNode &top();
  void addItems(const std::vector<uint32_t> &Items);
  void put(uint64_t Slot);
  void get(uint64_t Slot);

  bool readValue(unsigned char Opcode);
  bool readText(unsigned char Opcode);
  bool readContainer(unsigned char Opcode);
  bool readObject(unsigned char Opcode);
  bool readStackOpcode(unsigned char Opcode);

  std::string_view Bytes;
  size_t At = 0;
  size_t OpcodeAt = 0;
  Pickle Result;
  std::vector<uint32_t> Stack;
  std::vector<size_t> Marks; ///< Heights of the stack.
  std::unordered_map<uint64_t, uint32_t> Memo;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

std::string_view Reader::take(uint64_t Count) {
  if (Count > Bytes.size() - At)
    fail("the pickle ends within a value");
  std::string_view Taken = Bytes.substr(At, size_t(Count));
  At += size_t(Count);
  return Taken;
}

/// Little-endian, without a sign.
uint64_t Reader::number(unsigned Width) {
  std::string_view Raw = take(Width);
  uint64_t Number = 0;
  for (unsigned I = 0; I < Width; ++I)
    Number |= uint64_t(static_cast<unsigned char>(Raw[I])) << (8 * I);
  return Number;
}

std::string_view Reader::line() {
  size_t End = Bytes.find('\n', At);
  if (End == std::string_view::npos)
    fail("the pickle ends within a line");
  std::string_view Line = Bytes.substr(At, End - At);
  At = End + 1;
  return Line;
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

uint32_t Reader::add(PickleNode Node) {
  if (Result.Nodes.size() >= MaxNodes)
    fail("more than " + std::to_string(MaxNodes) + " values");
  Result.Nodes.push_back(std::move(Node));
  return uint32_t(Result.Nodes.size() - 1);
}

uint32_t Reader::pop() {
  if (Stack.empty() || (!Marks.empty() && Stack.size() <= Marks.back()))
    fail("an opcode finds no value");
  uint32_t Node = Stack.back();
  Stack.pop_back();
  return Node;
}

PickleNode &Reader::top() {
  if (Stack.empty())
    fail("an opcode finds no value");
  return Result.Nodes[Stack.back()];
}

std::vector<uint32_t> Reader::popToMark() {
  if (Marks.empty())
    fail("an opcode finds no mark");
  std::vector<uint32_t> Items(Stack.begin() + std::ptrdiff_t(Marks.back()),
                              Stack.end());
  Stack.resize(Marks.back());
  Marks.pop_back();
  return Items;
}

void Reader::pushSequence(std::vector<uint32_t> Items) {
  PickleNode Node;
  Node.Is = Kind::Sequence;
  Node.Items = std::move(Items);
  push(std::move(Node));
}

/// A tuple of the last values.
void Reader::pushOf(size_t Count) {
  std::vector<uint32_t> Items(Count);
  for (size_t I = Count; I-- > 0;)
    Items[I] = pop();
  pushSequence(std::move(Items));
}

void Reader::addItems(const std::vector<uint32_t> &Items) {
  PickleNode &Into = top();
  Into.Items.insert(Into.Items.end(), Items.begin(), Items.end());
}

void Reader::pushGlobal(std::string_view Module, std::string_view Name) {
  PickleNode Node;
  Node.Is = Kind::Global;
  Node.Text = std::string(Module) + "." + std::string(Name);
  push(std::move(Node));
}

void Reader::pushCall(uint32_t Callee, uint32_t Arguments) {
  PickleNode Node;
  Node.Is = Kind::Call;
  Node.Callee = Callee;
  Node.Arguments = Arguments;
  push(std::move(Node));
}

void Reader::put(uint64_t Slot) {
  top();
  Memo[Slot] = Stack.back();
}

void Reader::get(uint64_t Slot) {
  auto Found = Memo.find(Slot);
  if (Found == Memo.end())
    fail("an opcode refers to a value that was not kept");
  Stack.push_back(Found->second);
}

//===----------------------------------------------------------------------===//
// Opcodes, in groups. Each group says whether the opcode is one of its own.
//===----------------------------------------------------------------------===//

bool Reader::readValue(unsigned char Opcode) {
  switch (Opcode) {
  case 'N':
    pushKind(Kind::None);
    return true;
  case 'K':
    pushNumber(int64_t(number(1)));
    return true;
  case 'M':
    pushNumber(int64_t(number(2)));
    return true;
  case 'J':
    pushNumber(int32_t(uint32_t(number(4))));
    return true;
  case 'I': // Also truth values, as 00 and 01.
  case 'L':
    pushNumber(std::strtoll(std::string(line()).c_str(), nullptr, 10));
    return true;
  case 0x8a: { // LONG1
    std::string_view Raw = sized(1);
    uint64_t Number = 0;
    for (size_t I = 0; I < Raw.size() && I < 8; ++I)
      Number |= uint64_t(static_cast<unsigned char>(Raw[I])) << (8 * I);
    pushNumber(Raw.size() <= 8 ? int64_t(Number) : 0);
    return true;
  }
  case 0x8b: // LONG4
    sized(4);
    pushNumber(0);
    return true;
  case 'G':
    take(8);
    pushKind(Kind::Other);
    return true;
  case 'F':
    line();
    pushKind(Kind::Other);
    return true;
  case 0x88: // NEWTRUE
  case 0x89: // NEWFALSE
  case 0x97: // NEXT_BUFFER
    pushKind(Kind::Other);
    return true;
  default:
    return false;
  }
}

bool Reader::readText(unsigned char Opcode) {
  switch (Opcode) {
  case 0x8c: // SHORT_BINUNICODE
  case 'U':  // SHORT_BINSTRING
    pushText(sized(1));
    return true;
  case 'X': // BINUNICODE
  case 'T': // BINSTRING
    pushText(sized(4));
    return true;
  case 0x8d: // BINUNICODE8
    pushText(sized(8));
    return true;
  case 'V':
  case 'S':
    pushText(line());
    return true;
  case 'C': // SHORT_BINBYTES
    sized(1);
    pushKind(Kind::Other);
    return true;
  case 'B': // BINBYTES
    sized(4);
    pushKind(Kind::Other);
    return true;
  case 0x8e: // BINBYTES8
  case 0x96: // BYTEARRAY8
    sized(8);
    pushKind(Kind::Other);
    return true;
  default:
    return false;
  }
}

bool Reader::readContainer(unsigned char Opcode) {
  switch (Opcode) {
  case ']':
  case ')':
  case 0x8f: // EMPTY_SET
    pushSequence({});
    return true;
  case 0x85: // TUPLE1, TUPLE2, TUPLE3
  case 0x86:
  case 0x87:
    pushOf(size_t(Opcode) - 0x84);
    return true;
  case 't':
  case 'l':
  case 0x91: // FROZENSET
    pushSequence(popToMark());
    return true;
  case '}':
    pushKind(Kind::Dictionary);
    return true;
  case 'd': {
    std::vector<uint32_t> Items = popToMark();
    pushKind(Kind::Dictionary);
    addItems(Items);
    return true;
  }
  case 'a': {
    uint32_t Item = pop();
    addItems({Item});
    return true;
  }
  case 's': {
    uint32_t Value = pop(), Key = pop();
    addItems({Key, Value});
    return true;
  }
  case 'e':
  case 'u':
  case 0x90: { // ADDITEMS
    std::vector<uint32_t> Items = popToMark();
    addItems(Items);
    return true;
  }
  default:
    return false;
  }
}

bool Reader::readObject(unsigned char Opcode) {
  switch (Opcode) {
  case 'c': {
    std::string_view Module = line(), Name = line();
    pushGlobal(Module, Name);
    return true;
  }
  case 0x93: { // STACK_GLOBAL
    uint32_t Name = pop(), Module = pop();
    pushGlobal(std::string(Result.at(Module).Text),
               std::string(Result.at(Name).Text));
    return true;
  }
  case 'R':
  case 0x81: { // NEWOBJ
    uint32_t Arguments = pop(), Callee = pop();
    pushCall(Callee, Arguments);
    return true;
  }
  case 0x92: { // NEWOBJ_EX
    pop();
    uint32_t Arguments = pop(), Callee = pop();
    pushCall(Callee, Arguments);
    return true;
  }
  case 'b': {
    uint32_t State = pop();
    top().State = State;
    return true;
  }
  case 'Q': {
    uint32_t Id = pop();
    pushKind(Kind::Persistent);
    top().Arguments = Id;
    return true;
  }
  case 'P': {
    pushText(line());
    uint32_t Id = pop();
    pushKind(Kind::Persistent);
    top().Arguments = Id;
    return true;
  }
  default:
    return false;
  }
}

bool Reader::readStackOpcode(unsigned char Opcode) {
  switch (Opcode) {
  case 0x80: // PROTO
    take(1);
    return true;
  case 0x95: // FRAME
    take(8);
    return true;
  case 0x98: // READONLY_BUFFER
    return true;
  case '(':
    Marks.push_back(Stack.size());
    return true;
  case '0':
    if (!Marks.empty() && Marks.back() == Stack.size())
      Marks.pop_back();
    else
      pop();
    return true;
  case '1':
    popToMark();
    return true;
  case '2': {
    top();
    Stack.push_back(Stack.back());
    return true;
  }
  case 'q':
    put(number(1));
    return true;
  case 'r':
    put(number(4));
    return true;
  case 'p':
    put(std::strtoull(std::string(line()).c_str(), nullptr, 10));
    return true;
  case 0x94: // MEMOIZE
    put(Memo.size());
    return true;
  case 'h':
    get(number(1));
    return true;
  case 'j':
    get(number(4));
    return true;
  case 'g':
    get(std::strtoull(std::string(line()).c_str(), nullptr, 10));
    return true;
  default:
    return false;
  }
}

Pickle Reader::read() {
  while (true) {
    OpcodeAt = At;
    auto Opcode = static_cast<unsigned char>(take(1)[0]);
    if (Opcode == '.')
      break;
    if (!readValue(Opcode) && !readText(Opcode) && !readContainer(Opcode) &&
        !readObject(Opcode) && !readStackOpcode(Opcode))
      fail("unknown opcode " + std::to_string(int(Opcode)));
    // Values that are only duplicated cost memory as well.
    if (Stack.size() > MaxNodes || Marks.size() > MaxNodes)
      fail("more than " + std::to_string(MaxNodes) + " values");
  }
  Result.Root = pop();
  return std::move(Result);
}

Pickle readPickle(std::string_view Bytes) { return Reader(Bytes).read(); }

} // namespace verify
} // namespace tdl
