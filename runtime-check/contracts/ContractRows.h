//===- ContractRows.h - What the linter believes of each operator ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of contract tables (docs/formats/contracts.md), read for the one purpose
// of being compared with LibTorch. The simulated device knows nothing of them.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTROWS_H
#define TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTROWS_H

#include "ResultRules.h"

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tdl {
namespace verify {

/// What is wrong with a table, in one line that names file, line and column.
class TableError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class DeviceRole {
  Any,
  Same,
  Mix,
  Scalars,
  Moved,
  Out,
  Base,
  Index,
  Put,
  Host,
};

struct PlaceRule {
  enum class Kind { None, Common, Argument, Options, Like, Cpu, Unknown };
  Kind Where = Kind::Unknown;
  std::string Argument; ///< Of Argument and Like.
};

/// Whether a call on CUDA tensors makes the host wait for the device.
enum class HostWait { Unknown, No, Depends, Yes };

/// Whether an out form writes to a parameter of that name: out, out0, ...
bool isOutName(const std::string &Parameter);

/// "2.7"; none is {0, 0}.
using Release = std::pair<int, int>;

struct ContractRow {
  std::string Name;
  std::string Overload; ///< Only for overloads with a parameter so called.
  std::vector<std::pair<std::string, DeviceRole>> Roles;
  std::vector<PlaceRule> Results;
  RankRule Rank;
  std::vector<TypeRule> Types; ///< One for all results, or one for each.
  HostWait Sync = HostWait::Unknown; ///< No replay without a GPU can see it.
  std::string ErrorKey;
  std::string ErrorText; ///< Part of LibTorch's message; empty: none is known.
  /// Of a form: of the operator that it is made from.
  std::string InnerText;
  Release Since, Until;
  std::string Where; ///< "Contracts.tsv:57".
  /// An out form of a release in which some compare out and others don't.
  bool IsOutOpen = false;
  int FormOf = -1;     ///< Of an in-place or out form: the row it is made from.
  bool IsUsed = false; ///< Set by the caller, for rows that nothing reached.

  DeviceRole roleOf(const std::string &Parameter) const;
  const PlaceRule &resultAt(size_t Position) const;
  const TypeRule &typeAt(size_t Position) const;
  /// Whether it is for that release of LibTorch.
  bool holdsFor(Release Version) const;
  /// Whether it says anything of devices that could be compared with what
  /// LibTorch does.
  bool claimsSomething() const;
};

class ContractRows {
public:
  /// Adds the rows of a table. A row of an earlier table hides those of the
  /// same name in a later one. Throws TableError.
  void add(const std::string &FileName, const std::string &Text);
  /// After the last table: makes in-place and out forms, as
  /// docs/formats/contracts.md says, and looks up the texts of errors.
  void finish();

  /// The row for an operator whose parameters have these names; null when
  /// there is none.
  ContractRow *find(const std::string &Name,
                    const std::vector<std::string> &Parameters,
                    Release Version);

  std::deque<ContractRow> &rows() { return Rows; }

private:
  void addForms(size_t Row);
  void addOutForms(size_t Row);
  void addForm(ContractRow Form, size_t Row, const std::string &Suffix);

  std::deque<ContractRow> Rows;
  std::map<std::string, std::vector<size_t>> ByName;
  std::map<std::string, std::string> Errors;
};

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_CONTRACTS_CONTRACTROWS_H
