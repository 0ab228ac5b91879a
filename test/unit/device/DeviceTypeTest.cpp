//===- DeviceTypeTest.cpp - Names of device types ---------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/DeviceType.h"
#include "gtest/gtest.h"

using namespace tdl;

static constexpr struct {
  DeviceType Type;
  const char *Enumerator, *Name, *Constant;
} All[] = {
#define DEVICE_TYPE(Enumerator, Name, Constant)                                \
  {DeviceType::Enumerator, #Enumerator, Name, Constant},
#include "device/DeviceTypes.def"
};

TEST(DeviceTypeTest, eachNameReadsBack) {
  for (const auto &Row : All) {
    EXPECT_EQ(deviceTypeName(Row.Type), Row.Name);
    EXPECT_EQ(parseDeviceType(Row.Name), Row.Type);
    EXPECT_EQ(deviceTypeOfConstant(Row.Constant), Row.Type);
    EXPECT_EQ(deviceTypeOfConstant(Row.Enumerator), Row.Type);
  }
}

TEST(DeviceTypeTest, theNamesThatPeopleWrite) {
  EXPECT_EQ(parseDeviceType("cuda"), DeviceType::CUDA);
  EXPECT_EQ(parseDeviceType("mps"), DeviceType::MPS);
  EXPECT_EQ(deviceTypeOfConstant("kCUDA"), DeviceType::CUDA);
  EXPECT_EQ(deviceTypeName(DeviceType::CPU), "cpu");
}

TEST(DeviceTypeTest, otherTextsAreNone) {
  for (const char *Text : {"", "cuda:0", "CUDA", "kCUDA", "gpu", " cuda"})
    EXPECT_EQ(parseDeviceType(Text), std::nullopt) << Text;
  for (const char *Text : {"", "cuda", "kGPU", "kcuda"})
    EXPECT_EQ(deviceTypeOfConstant(Text), std::nullopt) << Text;
}
