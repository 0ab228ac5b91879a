//===- CrossDeviceModule.cpp - torch-cross-device-module -------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CrossDevice.h"
#include "findings/Wording.h"
#include "torch/ContractTable.h"

namespace tdl {
void checkCrossDeviceModule(const FunctionContext &Context,
                            const FunctionResult &Result,
                            std::vector<Finding> &Findings) {
  reportCrossDevice(Context, Result, CheckFamily::Module,
                    "torch-cross-device-module", crossDeviceModuleMessage,
                    Findings);
}
} // namespace tdl
