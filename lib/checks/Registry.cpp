//===- Registry.cpp - The list of checks -----------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Check.h"
#include "support/Embedded.h"

using namespace tdl;

namespace tdl::embedded {
extern const File CheckPages[];
extern const unsigned long CheckPagesCount;
} // namespace tdl::embedded

namespace tdl {
#define CHECK(Function, Name, Summary)                                         \
  void Function(const FunctionContext &, const FunctionResult &,               \
                std::vector<Finding> &);
#define MODULE_CHECK(Function, Name, Summary)                                  \
  void Function(const FunctionContext &, const MovedModules &,                 \
                std::vector<Finding> &);
#include "checks/Checks.def"
} // namespace tdl

static const CheckInfo Checks[] = {
#define CHECK(Function, Name, Summary) {Name, Summary, Function, nullptr},
#define MODULE_CHECK(Function, Name, Summary) {Name, Summary, nullptr, Function},
#include "checks/Checks.def"
};

llvm::ArrayRef<CheckInfo> tdl::allChecks() { return Checks; }

llvm::StringRef tdl::checkPage(llvm::StringRef Name) {
  llvm::ArrayRef<embedded::File> Pages(embedded::CheckPages,
                                       embedded::CheckPagesCount);
  for (const embedded::File &Page : Pages)
    if (Name == Page.Name)
      return llvm::StringRef(Page.Text, Page.Size);
  return "";
}
