//===- Wrappers.cpp - What LibTorch's CUDA wrappers compare ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrappers.h"

#include <sstream>

namespace tdl {
namespace sim {

/// The file of the LibTorch that this is built for.
static const char Table[] =
#include "CudaWrapperTable.inc"
    ;

static std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  std::istringstream In(Text);
  for (std::string Part; std::getline(In, Part, Separator);)
    Parts.push_back(Part);
  return Parts;
}

static Wrapper readRow(const std::vector<std::string> &Cells) {
  Wrapper W;
  W.Method = Cells[1];
  if (Cells[2] != "-")
    W.Checked = split(Cells[2], ',');
  W.KernelKind = Cells[3] == "iterator"     ? Wrapper::Kind::Iterator
                 : Cells[3] == "structured" ? Wrapper::Kind::Structured
                                            : Wrapper::Kind::Plain;
  W.IsShared = Cells[4] == "shared";
  return W;
}

const std::unordered_map<std::string, Wrapper> &wrappers() {
  static const auto *Wrappers = [] {
    auto *Rows = new std::unordered_map<std::string, Wrapper>;
    for (const std::string &Line : split(Table, '\n')) {
      std::vector<std::string> Cells = split(Line, '\t');
      if (Cells.size() == 5)
        Rows->emplace(Cells[0], readRow(Cells));
    }
    return Rows;
  }();
  return *Wrappers;
}

const Wrapper *findWrapper(const std::string &Operator) {
  auto Found = wrappers().find(Operator);
  return Found == wrappers().end() ? nullptr : &Found->second;
}

} // namespace sim
} // namespace tdl
