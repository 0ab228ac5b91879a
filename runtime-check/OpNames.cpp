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

/// Namespaces whose name is part of the operator's.
static const std::unordered_map<std::string, std::string> Prefixes = {
    {"linalg", "linalg_"}, {"fft", "fft_"}, {"special", "special_"}};

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

static std::string baseName(const std::string &Op) {
  size_t Colons = Op.rfind("::");
  if (Colons == std::string::npos)
    return Op;
  std::string Base = Op.substr(Colons + 2);
  size_t Before = Op.rfind("::", Colons - 1);
  size_t Begin = Before == std::string::npos ? 0 : Before + 2;
  auto Prefix = Prefixes.find(Op.substr(Begin, Colons - Begin));
  return Prefix == Prefixes.end() ? Base : Prefix->second + Base;
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
