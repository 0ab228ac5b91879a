//===- SampleFile.h - Arguments with which operators can be called --------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of data/operator-samples.tsv (docs/formats/operator-samples.md).
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_SAMPLEFILE_H
#define TDL_RUNTIME_CHECK_CONTRACTS_SAMPLEFILE_H

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <nlohmann/json.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tdl {
namespace verify {

/// What is wrong with a sample or a file of them, in one line.
class SampleError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A tensor as a sample describes it.
struct SampleTensor {
  c10::ScalarType Type = c10::ScalarType::Float;
  std::vector<int64_t> Sizes;
  std::vector<int64_t> Strides; ///< Empty: contiguous.
  std::vector<int64_t> Values;  ///< Empty: made up.
};

/// How elements that a sample does not give are made up.
enum class Filling {
  Fractions, ///< Different numbers between 0 and 1; integers are 0.
  Dominant,  ///< Likewise with a large diagonal, so that matrices are positive.
};

/// One call: an element of JSON per parameter.
using Sample = nlohmann::json;

/// Samples by operator and overload: "add.Tensor", "index_select".
using Samples = std::map<std::string, std::vector<Sample>>;

/// Throws SampleError that names file and line.
Samples readSamples(const std::string &FileName, const std::string &Text);

/// Null where \p Value is no tensor but something else. Throws SampleError.
bool isTensor(const Sample &Value);
SampleTensor readTensor(const Sample &Value);

/// On the CPU.
at::Tensor makeTensor(const SampleTensor &T, Filling How);

/// What \p Parameter takes, from a value that holds no tensor. Throws
/// SampleError for one that it cannot take.
c10::IValue makeValue(const Sample &Value, const c10::Argument &Parameter);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_SAMPLEFILE_H
