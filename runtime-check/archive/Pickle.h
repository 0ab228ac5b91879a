//===- Pickle.h - Reads a pickle as data ----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pickle is a program for a stack machine that may call anything. Here its
// calls are only written down: what is made is a graph of values in which a
// call is a node with the name of what would be called. Nothing is looked up,
// nothing is loaded. Source of the opcodes: Python's Lib/pickletools.py.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_ARCHIVE_PICKLE_H
#define TDL_RUNTIME_CHECK_ARCHIVE_PICKLE_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tdl {
namespace verify {

/// What is wrong with a pickle, in one line without the file.
class PickleError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PickleNode {
  enum class Kind {
    None,
    Number, ///< Integer; what is beyond 64 bits has the value 0.
    Other,  ///< Truth values, floating numbers, bytes: no device is in them.
    Text,
    Global,     ///< Text is "torch.device".
    Sequence,   ///< List, tuple or set; Items are its elements.
    Dictionary, ///< Items are a key, its value, the next key, ...
    Call,       ///< Of Callee with Arguments; Items as set later by its user.
    Persistent, ///< Arguments is the id, of a storage.
  };
  Kind Is = Kind::None;
  int64_t Number = 0;
  std::string Text;
  std::vector<uint32_t> Items;
  // Nodes by number; 0, which is None, where there is nothing.
  uint32_t Callee = 0;
  uint32_t Arguments = 0;
  uint32_t State = 0; ///< Of BUILD: the attributes of an object.
};

/// The nodes may refer to each other in any way, in cycles too: who walks them
/// must remember where it was. Node 0 is None.
struct Pickle {
  std::vector<PickleNode> Nodes;
  uint32_t Root = 0;

  const PickleNode &at(uint32_t Node) const { return Nodes[Node]; }
};

/// Throws PickleError for damage, an unknown opcode, and more than 8 million
/// values.
Pickle readPickle(std::string_view Bytes);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_ARCHIVE_PICKLE_H
