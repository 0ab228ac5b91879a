//===- SchemaTextTest.cpp - Tests of reading operators' schemas -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "torch/SchemaText.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tdl;

namespace {

TEST(SchemaText, NamesAndTensors) {
  SchemaText Schema;
  SchemaProblem Problem;
  ASSERT_TRUE(parseSchema("ns::f.out(Tensor x, Tensor(a!)[] outs, Tensor? m"
                          "=None, *, float s=1.0, int[2] k=[1, 2], str t=\"a,)"
                          "\", Tensor(b -> c) v) -> (Tensor, Tensor(a!)): mix x",
                          Schema, Problem))
      << Problem.Message;
  EXPECT_EQ(Schema.Name, "ns::f");
  EXPECT_EQ(Schema.Overload, "out");
  std::string Names;
  for (const SchemaText::Parameter &Parameter : Schema.Parameters)
    Names += Parameter.Name.str() + (Parameter.IsTensor ? "! " : " ");
  EXPECT_EQ(Names, "x! outs! m! s k t v! ");
  EXPECT_EQ(Schema.Rest, ": mix x");
  EXPECT_EQ(Schema.find("k"), &Schema.Parameters[4]);
  EXPECT_EQ(Schema.find("y"), nullptr);
}

TEST(SchemaText, WithoutParametersOrResults) {
  SchemaText Schema;
  SchemaProblem Problem;
  ASSERT_TRUE(parseSchema("f() -> ()", Schema, Problem)) << Problem.Message;
  EXPECT_TRUE(Schema.Parameters.empty());
  EXPECT_EQ(Schema.Overload, "");
  EXPECT_EQ(Schema.Rest, "");
}

TEST(SchemaText, SaysWhatIsWrongAndWhere) {
  auto Problem = [](StringRef Text) {
    SchemaText Schema;
    SchemaProblem Found;
    if (parseSchema(Text, Schema, Found))
      return std::string();
    return std::to_string(Found.At.data() - Text.data()) + ": " +
           StringRef(Found.Message).take_front(17).str();
  };
  EXPECT_EQ(Problem("f"), "0: expected an opera");
  EXPECT_EQ(Problem("(Tensor x) -> Tensor"), "0: expected an opera");
  EXPECT_EQ(Problem("f g(Tensor x) -> Tensor"), "0: expected an opera");
  EXPECT_EQ(Problem("f(Tensor x -> Tensor"), "20: expected an opera");
  EXPECT_EQ(Problem("f(Tensor x)"), "11: expected an opera");
  EXPECT_EQ(Problem("f(Tensor x) ->"), "14: expected an opera");
  EXPECT_EQ(Problem("f(Tensor) -> Tensor"), "2: expected a type a");
  EXPECT_EQ(Problem("f(Tensor 1) -> Tensor"), "2: expected a type a");
  EXPECT_EQ(Problem("f(Tensor x,) -> Tensor"), "11: expected a type a");
  EXPECT_EQ(Problem("f(Tensor x, int x) -> Tensor"), "16: parameter 'x' is ");
}

} // namespace
