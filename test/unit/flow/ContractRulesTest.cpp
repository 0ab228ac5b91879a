//===- ContractRulesTest.cpp - Contracts on operands made by hand -----------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/ContractRules.h"
#include "gtest/gtest.h"

using namespace tdl;

static const Place CPU = Place::known(DeviceType::CPU);
static const Place Cuda = Place::known(DeviceType::CUDA);
static const Place Cuda0 = Place::known(DeviceType::CUDA, 0);
static const Place Cuda1 = Place::known(DeviceType::CUDA, 1);
static const Place S0 = Place::symbol(0), S1 = Place::symbol(1);

namespace {
/// Operands of one call, in order.
class ContractRulesTest : public testing::Test {
protected:
  ContractRulesTest() { Row.Family = CheckFamily::Op; }

  void add(ArgRole Role, Place Where, Rank R = Rank::exactly(1),
           llvm::StringRef Parameter = "x",
           ElementType Elements = ElementType::Float) {
    Operand O;
    O.Name = O.Parameter = Parameter.str();
    O.Role = Role;
    O.What = Arena.make<TensorValue>(Where, R, Elements, nullptr);
    Operands.push_back(O);
  }
  void addUndefined(ArgRole Role) {
    auto *Tensor = Arena.make<TensorValue>(Place::unknown(), Rank::unknown(),
                                           ElementType::Unknown, nullptr);
    Tensor->IsUndefined = true;
    Operand O;
    O.Role = Role;
    O.What = Tensor;
    Operands.push_back(O);
  }
  void addNoTensor(ArgRole Role, llvm::StringRef Parameter) {
    Operand O;
    O.Name = O.Parameter = Parameter.str();
    O.Role = Role;
    O.What = Arena.unknown();
    Operands.push_back(O);
  }
  Compliance result() { return applyContract(Row, Operands, Facts).Result; }
  /// The pair that disagrees, the one to move second.
  std::pair<unsigned, unsigned> pair() {
    ContractOutcome Outcome = applyContract(Row, Operands, Facts);
    EXPECT_EQ(Outcome.Result, Compliance::Violates);
    return {Outcome.First, Outcome.Second};
  }

  ValueArena Arena;
  Contract Row;
  PlaceFacts Facts;
  std::vector<Operand> Operands;
};
using Pair = std::pair<unsigned, unsigned>;
} // namespace

TEST_F(ContractRulesTest, sameDevice) {
  add(ArgRole::Same, CPU);
  add(ArgRole::Same, CPU);
  EXPECT_EQ(result(), Compliance::Agrees);
  add(ArgRole::Same, Cuda);
  EXPECT_EQ(pair(), Pair(2, 0)) << "the host's is the one to move";
}

TEST_F(ContractRulesTest, sameHasNoException) {
  add(ArgRole::Same, Cuda);
  add(ArgRole::Same, CPU, Rank::exactly(0));
  EXPECT_EQ(pair(), Pair(0, 1));
}

TEST_F(ContractRulesTest, twoGpus) {
  add(ArgRole::Mix, Cuda0);
  add(ArgRole::Mix, Cuda1, Rank::exactly(0));
  EXPECT_EQ(pair(), Pair(0, 1)) << "the exception is for the host's tensors";
}

TEST_F(ContractRulesTest, theCurrentDeviceMayBeAny) {
  add(ArgRole::Same, Cuda);
  add(ArgRole::Same, Cuda1);
  EXPECT_EQ(result(), Compliance::Unknown);
}

TEST_F(ContractRulesTest, mixExceptsHostScalars) {
  add(ArgRole::Mix, Cuda);
  add(ArgRole::Mix, CPU, Rank::exactly(0));
  EXPECT_EQ(result(), Compliance::Agrees);
  Operands.pop_back();
  add(ArgRole::Mix, CPU, Rank::unknown());
  EXPECT_EQ(result(), Compliance::Unknown) << "it may be a scalar";
  Operands.pop_back();
  add(ArgRole::Mix, CPU, Rank::atLeastOne());
  EXPECT_EQ(result(), Compliance::Violates);
}

TEST_F(ContractRulesTest, gpuScalarsAreNoException) {
  add(ArgRole::Mix, CPU, Rank::exactly(1));
  add(ArgRole::Mix, Cuda, Rank::exactly(0));
  EXPECT_EQ(pair(), Pair(1, 0));
}

TEST_F(ContractRulesTest, movedScalarsMayBeAnywhere) {
  add(ArgRole::Moved, Cuda0);
  add(ArgRole::Moved, Cuda1, Rank::exactly(0));
  add(ArgRole::Moved, S0, Rank::exactly(0));
  EXPECT_EQ(result(), Compliance::Agrees);
  add(ArgRole::Moved, Cuda1, Rank::unknown());
  EXPECT_EQ(result(), Compliance::Unknown) << "it may be a scalar";
  Operands.pop_back();
  add(ArgRole::Moved, Cuda1);
  EXPECT_EQ(pair(), Pair(0, 3));
}

TEST_F(ContractRulesTest, resultBesideAMovedScalarIsNotKnownToBeOnTheHost) {
  add(ArgRole::Moved, CPU, Rank::exactly(0));
  add(ArgRole::Moved, S0, Rank::exactly(0));
  EXPECT_EQ(commonOperand(Operands, Facts), &Operands[1]);
}

TEST_F(ContractRulesTest, whatIsWrittenIsNeverExcepted) {
  add(ArgRole::Out, CPU, Rank::exactly(0));
  add(ArgRole::Mix, Cuda, Rank::exactly(0));
  EXPECT_EQ(pair(), Pair(0, 1)) << "it stays where it is, the other moves";
}

TEST_F(ContractRulesTest, undefinedTensorsCountNowhere) {
  add(ArgRole::Same, Cuda);
  addUndefined(ArgRole::Same);
  EXPECT_EQ(result(), Compliance::Agrees);
}

TEST_F(ContractRulesTest, symbols) {
  add(ArgRole::Same, S0);
  add(ArgRole::Same, S0);
  EXPECT_EQ(result(), Compliance::Agrees) << "wherever it is";
  add(ArgRole::Same, S1);
  EXPECT_EQ(result(), Compliance::Unknown);
  EXPECT_TRUE(Facts.assumeType(S0, DeviceType::CUDA));
  EXPECT_TRUE(Facts.assumeNotType(S1, DeviceType::CUDA));
  EXPECT_EQ(result(), Compliance::Violates);
}

TEST_F(ContractRulesTest, unknownIsSilent) {
  add(ArgRole::Same, Place::unknown());
  add(ArgRole::Same, Cuda);
  add(ArgRole::Same, Place::unknown());
  EXPECT_EQ(result(), Compliance::Unknown);
}

TEST_F(ContractRulesTest, aRowWithoutCheckIsNeverViolated) {
  Row.Family = CheckFamily::None;
  add(ArgRole::Same, Cuda);
  add(ArgRole::Same, CPU);
  EXPECT_EQ(result(), Compliance::Agrees);
}

TEST_F(ContractRulesTest, indices) {
  add(ArgRole::Base, Cuda0);
  add(ArgRole::Index, CPU);
  add(ArgRole::Index, Cuda0);
  EXPECT_EQ(result(), Compliance::Agrees);
  add(ArgRole::Index, Cuda1);
  EXPECT_EQ(pair(), Pair(0, 3));
}

TEST_F(ContractRulesTest, gpuIndexOfHostTensor) {
  add(ArgRole::Base, CPU);
  add(ArgRole::Index, Cuda, Rank::exactly(0));
  EXPECT_EQ(result(), Compliance::Agrees) << "it is read with item()";
  add(ArgRole::Index, Cuda, Rank::reduced());
  EXPECT_EQ(result(), Compliance::Unknown) << "it may be 0-dim";
  add(ArgRole::Index, Cuda);
  EXPECT_EQ(pair(), Pair(0, 3));
}

TEST_F(ContractRulesTest, putValue) {
  add(ArgRole::Base, Cuda);
  add(ArgRole::Any, CPU, Rank::exactly(1), "indices", ElementType::Long);
  add(ArgRole::Put, CPU, Rank::exactly(0), "values");
  EXPECT_EQ(result(), Compliance::Agrees);
  Operands.pop_back();
  add(ArgRole::Put, CPU, Rank::exactly(2), "values");
  EXPECT_EQ(pair(), Pair(0, 2)) << "the index may be anywhere";
}

TEST_F(ContractRulesTest, putUnderMask) {
  add(ArgRole::Base, Cuda);
  add(ArgRole::Any, Cuda, Rank::exactly(1), "indices", ElementType::Bool);
  add(ArgRole::Put, CPU, Rank::exactly(1), "values");
  EXPECT_EQ(result(), Compliance::Unknown) << "one element is a fill";
}

TEST_F(ContractRulesTest, putWithoutTensorIndexIsACopy) {
  add(ArgRole::Base, Cuda);
  add(ArgRole::Put, CPU, Rank::exactly(2), "values");
  EXPECT_EQ(result(), Compliance::Agrees);
  addNoTensor(ArgRole::Any, "indices");
  EXPECT_EQ(result(), Compliance::Unknown) << "the index may be a tensor";
}

TEST_F(ContractRulesTest, hostOnly) {
  add(ArgRole::Any, Cuda);
  add(ArgRole::Host, CPU);
  EXPECT_EQ(result(), Compliance::Agrees);
  add(ArgRole::Host, Cuda);
  EXPECT_EQ(pair(), Pair(2, 2)) << "one operand alone is at fault";
}

TEST_F(ContractRulesTest, resultIsOnTheAccelerator) {
  add(ArgRole::Mix, CPU, Rank::exactly(0));
  add(ArgRole::Mix, Cuda);
  EXPECT_EQ(commonOperand(Operands, Facts), &Operands[1]);
}

TEST_F(ContractRulesTest, resultOfScalarsOfBothIsOnTheAccelerator) {
  add(ArgRole::Mix, CPU, Rank::exactly(0));
  add(ArgRole::Mix, Cuda, Rank::exactly(0));
  EXPECT_EQ(commonOperand(Operands, Facts), &Operands[1]);
}

TEST_F(ContractRulesTest, resultOnTheHost) {
  add(ArgRole::Mix, CPU, Rank::exactly(0));
  add(ArgRole::Mix, CPU);
  const Operand *Common = commonOperand(Operands, Facts);
  ASSERT_TRUE(Common);
  EXPECT_EQ(Common->place(), CPU);
}

TEST_F(ContractRulesTest, resultBesideUnknown) {
  add(ArgRole::Mix, CPU);
  add(ArgRole::Mix, Place::unknown());
  EXPECT_EQ(commonOperand(Operands, Facts), nullptr);
}

TEST_F(ContractRulesTest, resultOfSymbols) {
  add(ArgRole::Mix, S0);
  add(ArgRole::Mix, S0);
  const Operand *Common = commonOperand(Operands, Facts);
  ASSERT_TRUE(Common);
  EXPECT_EQ(Common->place(), S0);
}

TEST_F(ContractRulesTest, argumentsThatMayBeAnywhereDecideNoResult) {
  add(ArgRole::Any, Cuda);
  EXPECT_EQ(commonOperand(Operands, Facts), nullptr);
}
