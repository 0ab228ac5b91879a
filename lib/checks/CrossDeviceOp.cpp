//===- CrossDeviceOp.cpp - torch-cross-device-op ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/CrossDevice.h"
#include "findings/Wording.h"
#include "torch/ContractTable.h"

namespace tdl {
void checkCrossDeviceOp(const FunctionContext &Context,
                        const FunctionResult &Result,
                        std::vector<Finding> &Findings) {
  reportCrossDevice(Context, Result, CheckFamily::Op, "torch-cross-device-op",
                    crossDeviceOpMessage, Findings);
}
} // namespace tdl
