//===- DeviceType.h - The kinds of device a tensor can live on ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device types of c10/core/DeviceType.h, by the names that
// c10::Device(std::string) parses and Device::str() prints.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_DEVICE_DEVICETYPE_H
#define TDL_DEVICE_DEVICETYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tdl {

enum class DeviceType : uint8_t {
#define DEVICE_TYPE(Enumerator, Name, Constant) Enumerator,
#include "device/DeviceTypes.def"
};

/// The name that c10 prints: "cpu", "cuda", "privateuseone".
llvm::StringRef deviceTypeName(DeviceType Type);

/// The type that c10 parses from \p Name ("cuda"; no index), none for another
/// name.
std::optional<DeviceType> parseDeviceType(llvm::StringRef Name);

/// The type that a constant such as `kCUDA` stands for, by its name in c10 and
/// torch or by the enumerator's name (`CUDA`); none for another name.
std::optional<DeviceType> deviceTypeOfConstant(llvm::StringRef Name);

} // namespace tdl

#endif // TDL_DEVICE_DEVICETYPE_H
