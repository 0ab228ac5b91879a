//===- DeviceType.cpp - Names of device types ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/DeviceType.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace tdl;

namespace {
struct DeviceTypeRow {
  DeviceType Type;
  llvm::StringLiteral Enumerator, Name, Constant;
};
constexpr DeviceTypeRow Rows[] = {
#define DEVICE_TYPE(Enumerator, Name, Constant)                                \
  {DeviceType::Enumerator, #Enumerator, Name, Constant},
#include "device/DeviceTypes.def"
};
} // namespace

llvm::StringRef tdl::deviceTypeName(DeviceType Type) {
  return Rows[static_cast<unsigned>(Type)].Name;
}

std::optional<DeviceType> tdl::parseDeviceType(llvm::StringRef Name) {
  const auto *Row =
      llvm::find_if(Rows, [&](const DeviceTypeRow &R) { return R.Name == Name; });
  if (Row == std::end(Rows))
    return std::nullopt;
  return Row->Type;
}

std::optional<DeviceType> tdl::deviceTypeOfConstant(llvm::StringRef Name) {
  const auto *Row = llvm::find_if(Rows, [&](const DeviceTypeRow &R) {
    return R.Constant == Name || R.Enumerator == Name;
  });
  if (Row == std::end(Rows))
    return std::nullopt;
  return Row->Type;
}
