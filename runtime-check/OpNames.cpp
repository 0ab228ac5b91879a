//===- OpNames.cpp - From C++ names to ATen's -----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpNames.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace tdl {
namespace verify {

/// Namespaces in which LibTorch's functions are operators, as findings and as
/// LibTorch spell them, and what the operators' names begin with.
static const std::unordered_map<std::string, std::string> Namespaces = {
    {"", ""},
    {"F", ""},
    {"Tensor", ""},
    {"fft", "fft_"},
    {"init", ""},
    {"linalg", "linalg_"},
    {"nn::functional", ""},
    {"nn::init", ""},
    {"nn::utils::rnn", ""},
    {"rnn", ""},
    {"special", "special_"},
};

/// C++ names that differ from the operator's: torch/nn/functional/*.h,
/// torch/nn/utils/rnn.h, ATen/core/TensorBody.h.
static const std::unordered_map<std::string, std::string> Renamed = {
    {"adaptive_max_pool1d_with_indices", "adaptive_max_pool1d"},
    {"adaptive_max_pool2d_with_indices", "adaptive_max_pool2d"},
    {"adaptive_max_pool3d_with_indices", "adaptive_max_pool3d"},
    {"affine_grid", "affine_grid_generator"},
    {"cpu", "to"},
    {"cross_entropy", "cross_entropy_loss"},
    {"cuda", "to"},
    {"dropout2d", "feature_dropout"},
    {"dropout3d", "feature_dropout"},
    {"fold", "col2im"},
    {"grid_sample", "grid_sampler"},
    {"logsigmoid", "log_sigmoid"},
    {"meta", "to"},
    {"pack_padded_sequence", "_pack_padded_sequence"},
    {"pad_packed_sequence", "_pad_packed_sequence"},
    {"toType", "to"},
};

/// Namespaces of LibTorch without operators, as findings spell them.
static const std::unordered_set<std::string> Others = {
    "autograd", "jit", "nested", "nn", "nn::utils", "optim", "utils"};

/// What stands before the last "::"; "" where there is none.
static std::string namespaceOf(const std::string &Op) {
  size_t Colons = Op.rfind("::");
  return Colons == std::string::npos ? "" : Op.substr(0, Colons);
}

bool isFunctionWithoutOperator(const std::string &Op) {
  return Others.count(namespaceOf(Op)) != 0;
}

/// The name with its prefix; "" for a function that is not LibTorch's, whatever
/// its last word is.
static std::string baseName(std::string Op) {
  for (const char *Outer : {"torch::", "at::", "aten::"}) {
    size_t Length = std::strlen(Outer);
    if (Op.compare(0, Length, Outer) == 0) {
      Op.erase(0, Length);
      break;
    }
  }
  size_t Colons = Op.rfind("::");
  if (Colons == std::string::npos)
    return Op;
  // "::add" is a function of the program's, in no namespace.
  auto Found = Namespaces.find(namespaceOf(Op));
  bool IsOwn = Colons == 0 || Found == Namespaces.end();
  return IsOwn ? "" : Found->second + Op.substr(Colons + 2);
}

/// Without what tells forms of one operator apart: "max.other" is a row of the
/// linter's table, "index_symint" and "add_outf" are C++ spellings.
static std::string withoutForm(std::string Name) {
  Name.resize(std::min(Name.find('.'), Name.size()));
  for (const char *Ending : {"_symint", "_outf", "_out"}) {
    size_t Length = std::strlen(Ending);
    if (Name.size() > Length &&
        Name.compare(Name.size() - Length, Length, Ending) == 0)
      Name.resize(Name.size() - Length);
  }
  return Name;
}

std::string operatorFor(const std::string &Op) {
  std::string Base = withoutForm(baseName(Op));
  auto Found = Renamed.find(Base);
  return Found == Renamed.end() ? Base : Found->second;
}

bool isHostDataFactory(const std::string &Operator) {
  static const std::unordered_set<std::string> Names = {"tensor", "from_blob",
                                                        "scalar_to_tensor"};
  return Names.count(Operator) != 0;
}

std::string schemaArgument(const std::string &Name) {
  return Name == "input" ? "self" : Name == "self" ? "input" : Name;
}

} // namespace verify
} // namespace tdl
