//===- ContractTable.h - What each operator demands of devices -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract table: one row an operator, as data (lib/torch/Contracts.tsv,
// written by hand, and Contracts.generated.tsv, both built into the binary;
// docs/formats/contracts.md documents the columns).
// The table knows operator and parameter names, no clang.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_CONTRACTTABLE_H
#define TDL_TORCH_CONTRACTTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tdl {

/// What an operator demands of one tensor (or tensor list) argument.
enum class ArgRole : uint8_t {
  Any,   ///< any: never compared (copied across, read with item(), or only its shape counts).
  Same,  ///< same: on the common device exactly, no exception.
  Mix,   ///< mix: on the common device, but one operand in all may be a 0-dim CPU tensor beside an accelerator.
  Scalars, ///< scalars: like Mix, but any number of operands may be 0-dim CPU tensors.
  Moved, ///< moved: on the common device, or 0-dim on any other: then it is moved there.
  Out,   ///< out: like Mix among the others, but is written or sizes the result, so never the excepted one.
  Base,  ///< base: the indexed tensor that Index and Put arguments are compared with.
  Index, ///< index: on the CPU or on Base's device; 0-dim integral indices anywhere.
  Put,   ///< put: value of index_put_: Base's device or 0-dim; anywhere when no index is a tensor, and when an index is a mask and the value has one element.
  Host,  ///< host: must be on the CPU.
};

/// Which check reports a violation.
enum class CheckFamily : uint8_t {
  Op,    ///< torch-cross-device-op
  Index, ///< torch-cross-device-index
  Module, ///< torch-cross-device-module
  Load,  ///< torch-load-device
  None,  ///< The row has nothing to violate.
};

/// Where a result is.
enum class ResultPlace : uint8_t {
  None,    ///< none: void or no tensor.
  Common,  ///< common: the device of the arguments (an exempt 0-dim CPU tensor does not count).
  Arg,     ///< arg(NAME): the device of that argument.
  Options, ///< options: the device given in the options, else the CPU.
  Like,    ///< like(NAME): the device given in the options, else that argument's.
  CPU,     ///< cpu
  Device,  ///< device(NAME): that device.
  Unknown, ///< unknown: silent.
};

struct ResultRule {
  ResultPlace Where = ResultPlace::Unknown;
  llvm::StringRef Arg; ///< For Arg and Like; for Device its name ("cuda:1").
};

/// Whether a call on CUDA tensors makes the host wait for the device.
enum class HostWait : uint8_t {
  Unknown, ///< ?: nobody has read it.
  No,      ///< no: it only puts work into the stream.
  Depends, ///< args: with some arguments, devices or options.
  Yes,     ///< yes: each call on tensors that have elements.
};

/// How many dimensions the result has.
enum class RankRule : uint8_t {
  Unknown, ///< ?
  Same,    ///< same(NAME): as that argument. same+(NAME): and never 0-dim, even where the argument's rank is not known.
  Fixed,   ///< a number.
  Sizes,   ///< sizes(NAME): the length of that argument (IntArrayRef).
  Broadcast, ///< bcast: the largest rank among the tensor arguments.
  Reduce,  ///< reduce(NAME): 0 when the call gives neither `dim` nor `keepdim`; one less per dimension, or the same with keepdim, is not tracked: unknown then.
  AtLeastOne, ///< 1+: never 0-dim.
  Plus,    ///< plus(NAME): one more than that argument.
  Minus,   ///< minus(NAME): one less than that argument.
  MatMul,  ///< matmul(A,B): as torch::matmul of the two: less one for each operand of one dimension, so 0 for two vectors and never 0 where one of them has two dimensions.
};

struct RankSpec {
  RankRule Rule = RankRule::Unknown;
  llvm::StringRef Arg;
  llvm::StringRef Arg2;    ///< For MatMul.
  unsigned Fixed = 0;
  bool AtLeastOne = false; ///< same+: never 0-dim.
};

/// A release of LibTorch, as torch/version.h numbers it.
struct LibTorchVersion {
  unsigned Major = 0;
  unsigned Minor = 0;

  friend bool operator<(LibTorchVersion A, LibTorchVersion B) {
    return A.Major != B.Major ? A.Major < B.Major : A.Minor < B.Minor;
  }
  friend bool operator==(LibTorchVersion A, LibTorchVersion B) {
    return A.Major == B.Major && A.Minor == B.Minor;
  }

  /// Reads "2.7"; nothing for anything else.
  static std::optional<LibTorchVersion> parse(llvm::StringRef Text);
};

/// One row. Strings point into memory of the table.
struct Contract {
  llvm::StringRef Name;  ///< ATen base name ("index_select", "linalg_svd"); "F::x" for torch::nn::functional::x.
  llvm::StringRef Overload; ///< Only for the overloads that have a parameter of this name ("max.other", "where.other"); empty: for all others.
  CheckFamily Family = CheckFamily::None;
  llvm::SmallVector<std::pair<llvm::StringRef, ArgRole>, 4> Roles; ///< By parameter name in the C++ header; others are Any.
  llvm::SmallVector<ResultRule, 2> Results; ///< One for a single tensor or for all of a tuple; more: by position.
  RankSpec Rank;
  llvm::StringRef DType; ///< As it stands in the file, see dtypeOf(); empty: unknown.
  bool IsView = false;   ///< The result shares, or may share (reshape, contiguous), the storage of its Results' argument. Not set for in-place forms, which return self itself.
  HostWait Waits = HostWait::Unknown;
  llvm::StringRef Error; ///< Key of the error's text (ContractTable::errorText).
  std::optional<LibTorchVersion> Since, Until; ///< None: no bound. Until is the first release without the rule.
  llvm::SmallVector<llvm::StringRef, 0> Schema; ///< Names of the parameters in order, of a user's operator whose row says them.
  llvm::StringRef Source; ///< File of PyTorch or replay row that the rule is from.

  /// Role of the parameter \p Name; Any for one that has none.
  ArgRole roleOf(llvm::StringRef Name) const;

  /// Where the tensor at \p Position of a tuple is; 0 for a single tensor.
  ResultRule resultOf(unsigned Position = 0) const;

  /// Element type of the tensor at \p Position of a tuple, one of
  ///   a name of c10::ScalarType in lower case ("bool", "long");
  ///   "same(NAME)": that argument's;
  ///   "like(NAME)": the options' where they name one, else that argument's;
  ///   "options": the options' where they name one, else not known;
  ///   "options(float)": likewise, else the default floating type;
  ///   "options(long)": likewise, but long only when the call has no options;
  ///   "promote": the arguments' common type, known when all (elements of a
  ///     list, Scalars) have the same;
  ///   empty: not known.
  llvm::StringRef dtypeOf(unsigned Position = 0) const;
};

/// A part of the table.
struct ContractFile {
  llvm::StringRef Text;
  llvm::StringRef Name; ///< For messages.
  /// Rows for the user's own functions, in the form of docs/contracts.md. Else
  /// in that of docs/formats/contracts.md.
  bool IsOwn = false;
};

class ContractTable {
public:
  /// The table that is built into the binary. A malformed one is a bug of this
  /// project and ends the program (a unit test parses it).
  static const ContractTable &builtin();

  /// The built-in table and the user's files with rows of their own.
  static llvm::Expected<ContractTable>
  builtinWith(llvm::ArrayRef<ContractFile> Own);

  /// Parses a table's text. The error names the line and column of the file,
  /// what was expected and what stands there.
  static llvm::Expected<ContractTable> parse(llvm::StringRef Text,
                                             llvm::StringRef FileName);

  /// Likewise for a table in several files. No row may be in two of them; error
  /// keys of one hold in all. Files of the user's own come last.
  static llvm::Expected<ContractTable>
  parse(llvm::ArrayRef<ContractFile> Files);

  /// The row for \p Name in the newest LibTorch; null when there is none.
  ///
  /// Forms without a row of their own have the row of the operator that they
  /// are made from:
  ///   "add_" that of "add", with self as Out where it was Mix or Scalars (Same
  ///     and Base stay); the result is self;
  ///   "add_out" and "add_outf" that of "add"; the result is the argument
  ///     `out`, which since 2.0 must be where the functional form's result
  ///     would be, unless the row names another role for it;
  ///   "add_symint" that of "add", "add_symint_out" that of "add_out".
  const Contract *find(llvm::StringRef Name) const { return find(Name, {}); }

  /// Likewise for the overload whose parameters have these names (without the
  /// implicit object), in the given release or the newest.
  const Contract *
  find(llvm::StringRef Name, llvm::ArrayRef<llvm::StringRef> Parameters,
       std::optional<LibTorchVersion> Version = std::nullopt) const;

  /// Every row of \p Name, derived forms included, whatever overload and
  /// release, in the order of the file. Empty for an unknown name. The rows
  /// point into the table.
  llvm::SmallVector<const Contract *, 2> rowsOf(llvm::StringRef Name) const;

  bool hasOwnRows() const { return NumOwnRows != 0; }

  /// Whether \p Row, one of this table, was made from another row ("add_").
  bool isDerived(const Contract &Row) const {
    return &Row >= All.data() + NumRows;
  }

  /// At most three names of the table that \p Name may be a misspelling of,
  /// nearest first. Empty when none is near.
  llvm::SmallVector<llvm::StringRef, 3> namesNear(llvm::StringRef Name) const;

  /// Part of LibTorch's error text for the key in Contract::Error, without any
  /// device in it; empty for an unknown key.
  llvm::StringRef errorText(llvm::StringRef Key) const;

  /// The rows of the files, in their order, without derived forms.
  llvm::ArrayRef<Contract> rows() const {
    return llvm::ArrayRef<Contract>(All).take_front(NumRows);
  }

  ContractTable(ContractTable &&) = default;
  ContractTable &operator=(ContractTable &&) = default;

private:
  friend class ContractParser;
  ContractTable() = default;
  void addDerivedForms();
  void addForm(Contract Form, llvm::StringRef Suffix);
  void addOutForm(Contract Form, llvm::StringRef Suffix);

  std::vector<std::unique_ptr<std::string>> Texts; ///< One a file.
  /// Names of derived forms. A deque does not move its strings.
  std::deque<std::string> FormNames;
  std::vector<Contract> All; ///< The files' rows, then derived forms.
  size_t NumRows = 0;
  size_t NumOwnRows = 0; ///< The last of these, without derived forms.
  /// Rows of a base name: versions and overloads.
  llvm::StringMap<llvm::SmallVector<unsigned, 1>> ByName;
  llvm::StringMap<llvm::StringRef> Errors;
};

} // namespace tdl

#endif // TDL_TORCH_CONTRACTTABLE_H
