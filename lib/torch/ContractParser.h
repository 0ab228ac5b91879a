//===- ContractParser.h - Reads the contract table ------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For ContractParser.cpp, which reads the table's own files, and
// OwnContracts.cpp, which reads the user's. Others use ContractTable::parse.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_CONTRACTPARSER_H
#define TDL_TORCH_CONTRACTPARSER_H

#include "torch/ContractTable.h"
#include "llvm/ADT/Twine.h"

namespace tdl {
struct SchemaText;

/// Reads the files of a table. Every function leaves the first problem in
/// Problem and returns false.
class ContractParser {
public:
  llvm::Expected<ContractTable> parse(llvm::ArrayRef<ContractFile> Files);

private:
  bool fail(llvm::StringRef At, const llvm::Twine &Message);
  bool parseFile(const ContractFile &File);
  bool parseLine(llvm::StringRef Line);
  bool parseError(llvm::ArrayRef<llvm::StringRef> Fields);
  bool parseHeader(llvm::ArrayRef<llvm::StringRef> Fields);
  bool parseRow(llvm::ArrayRef<llvm::StringRef> Fields);
  bool parseName(llvm::StringRef Field, Contract &Row);
  bool parseRoles(llvm::StringRef Field, Contract &Row);
  static std::optional<ArgRole> roleNamed(llvm::StringRef Word);
  bool addRole(llvm::StringRef Parameter, ArgRole Role, Contract &Row);
  bool parseResults(llvm::StringRef Field, Contract &Row);
  bool parseRank(llvm::StringRef Field, RankSpec &Rank);
  bool parseDType(llvm::StringRef Field);
  bool parseWait(llvm::StringRef Field, HostWait &Wait);
  bool parseVersion(llvm::StringRef Field,
                    std::optional<LibTorchVersion> &Version);
  bool checkRow(llvm::StringRef At, const Contract &Row);
  bool checkErrorKeys(llvm::ArrayRef<Contract> Rows);

  // OwnContracts.cpp
  bool parseOwnLines();
  bool parseOwnRow(llvm::StringRef Code);
  bool parseOwnSchema(llvm::StringRef Code);
  bool parseOwnClauses(llvm::StringRef Clauses, Contract &Row);
  bool checkOwnNames(const SchemaText &Schema, const Contract &Row);
  bool parseOwnName(llvm::StringRef Name, Contract &Row);
  bool checkSeparators(llvm::ArrayRef<llvm::StringRef> Parameters);
  bool parseOwnClause(llvm::StringRef Clause, Contract &Row);
  bool finishOwnRow(llvm::StringRef At, Contract Row);

  std::string FileName; ///< Of the file that is read.
  llvm::StringRef Text; ///< Its text.
  ContractTable Table;
  std::string Problem;
  bool SeenHeader = false;
};
} // namespace tdl

#endif // TDL_TORCH_CONTRACTPARSER_H
