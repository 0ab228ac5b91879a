//===- CrossDevice.h - What the two cross-device checks share --------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_CROSSDEVICE_H
#define TDL_CHECKS_CROSSDEVICE_H

#include "findings/Finding.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tdl {

struct FunctionContext;
struct FunctionResult;
enum class CheckFamily : uint8_t;

/// The message for the two operands that disagree; they are the same one where
/// it alone is at fault.
using CrossDeviceMessage = std::string (*)(const FindingOperand &First,
                                           const FindingOperand &Second,
                                           llvm::StringRef Op);

/// Reports the operations of \p Family whose operands disagree.
void reportCrossDevice(const FunctionContext &Context,
                       const FunctionResult &Result, CheckFamily Family,
                       llvm::StringRef Check, CrossDeviceMessage Message,
                       std::vector<Finding> &Findings);

} // namespace tdl

#endif // TDL_CHECKS_CROSSDEVICE_H
