//===- Moves.cpp - Tensor::to and its kin, and what a tensor answers about itself ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

namespace {
/// Methods that move to a device that their name says. Source:
/// ATen/core/TensorBody.h.
struct NamedMove {
  llvm::StringLiteral Method;
  DeviceType Target;
};
constexpr NamedMove NamedMoves[] = {
    {"cpu", DeviceType::CPU},       {"cuda", DeviceType::CUDA},
    {"hip", DeviceType::HIP},       {"ve", DeviceType::VE},
    {"vulkan", DeviceType::Vulkan}, {"metal", DeviceType::Metal},
    {"meta", DeviceType::Meta},     {"pin_memory", DeviceType::CPU},
};

/// Where a move goes, as its arguments say.
struct MoveTarget {
  bool HasDevice = false;
  Place Where;
  const Event *OfTensor = nullptr;
  bool HasElements = false;
  ElementType Elements = ElementType::Unknown;
};
} // namespace

/// Reads one argument of `to`: a device, options, an element type or a tensor.
static void readTarget(const BoundArgument &Argument, MoveTarget &Target) {
  TorchType Type = torchTypeOf(Argument.Source->getType());
  switch (Type) {
  case TorchType::Device:
  case TorchType::DeviceType:
    if (isa<NoneValue>(Argument.What))
      return;
    Target.HasDevice = true;
    if (const auto *Device = dyn_cast<DeviceValue>(Argument.What)) {
      Target.Where = Device->Where;
      Target.OfTensor = Device->OfTensor;
    }
    return;
  case TorchType::Options:
    if (const auto *Options = dyn_cast<OptionsValue>(Argument.What)) {
      Target.HasDevice = Options->HasDevice;
      Target.Where = Options->Where;
      Target.OfTensor = Options->OfTensor;
      Target.HasElements = Options->HasElements;
      Target.Elements = Options->Elements;
    } else {
      Target.HasDevice = true; // It may name one.
    }
    return;
  case TorchType::Tensor:
    Target.HasDevice = Target.HasElements = true;
    if (const auto *Tensor = dyn_cast<TensorValue>(Argument.What)) {
      Target.Where = Tensor->Where;
      Target.OfTensor = Tensor->Story;
      Target.Elements = Tensor->Elements;
    }
    return;
  case TorchType::ScalarType:
  case TorchType::TypeMeta:
    if (isa<NoneValue>(Argument.What))
      return;
    Target.HasElements = true;
    if (const auto *Elements = dyn_cast<ElementTypeValue>(Argument.What))
      Target.Elements = Elements->Elements;
    return;
  default:
    return;
  }
}

const Value *Evaluator::evaluateMove(const CallExpr *Call,
                                     const TorchCallee &Callee, Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const auto *Named =
      llvm::find_if(NamedMoves, [&](const NamedMove &Move) {
        return Move.Method == Callee.Op;
      });
  bool IsNamed = Named != std::end(NamedMoves);
  if (!Member || !Callee.IsTensorMethod || (Callee.Op != "to" && !IsNamed))
    return nullptr;
  llvm::SmallVector<BoundArgument, 6> Arguments =
      bindArguments(Call, Callee, D);
  MoveTarget Target;
  if (IsNamed) {
    Target.HasDevice = true;
    Target.Where = Place::known(Named->Target);
  } else {
    for (const BoundArgument &Argument : llvm::drop_begin(Arguments))
      if (!Argument.IsDefault)
        readTarget(Argument, Target);
  }
  const auto *Self = dyn_cast<TensorValue>(Arguments.front().What);
  if (Self && Self->IsUndefined)
    return C.Arena.unknown(); // It throws.
  Event E;
  E.Kind = StepKind::Move;
  E.Op = Callee.Op;
  E.Site = Call;
  E.Path = D.Path;
  E.Arguments = eventArguments(Arguments);
  E.Dimensions = Self ? Self->Dimensions : Rank::unknown();
  E.Elements = Target.HasElements ? Target.Elements
               : Self             ? Self->Elements
                                  : ElementType::Unknown;
  if (Target.HasDevice) {
    E.After = Target.Where;
    E.PlaceFrom = Target.OfTensor;
  } else if (Self) {
    E.After = Self->Where;
    E.PlaceFrom = Self->Story;
  }
  return makeTensor(std::move(E));
}

const Value *Evaluator::evaluateTensorQuery(const CallExpr *Call,
                                            const TorchCallee &Callee,
                                            Disjunct &D) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member || !Callee.IsTensorMethod || Callee.IsOperator)
    return Callee.Op == "operator[]" ? evaluateSubscript(Call, D) : nullptr;
  enum class Query { None, Device, Options, Sizes, Elements, Count };
  Query Asked = llvm::StringSwitch<Query>(Callee.Op)
                    .Case("device", Query::Device)
                    .Case("options", Query::Options)
                    .Cases({"sizes", "sym_sizes", "strides"}, Query::Sizes)
                    .Cases({"dtype", "scalar_type"}, Query::Elements)
                    .Case("numel", Query::Count)
                    .Default(Query::None);
  if (Asked == Query::None)
    return nullptr;
  const Value *Object = evaluate(Member->getImplicitObjectArgument(), D);
  const auto *Self = dyn_cast<TensorValue>(Object);
  // An undefined tensor has no elements (c10/core/UndefinedTensorImpl.cpp).
  if (Asked == Query::Count)
    return Self && Self->IsUndefined ? C.Arena.make<IntValue>(0) : nullptr;
  if (!Self || Self->IsUndefined)
    return C.Arena.unknown();
  switch (Asked) {
  case Query::Device:
    return C.Arena.make<DeviceValue>(Self->Where, Self->Story);
  case Query::Options: {
    auto *Options = C.Arena.make<OptionsValue>();
    Options->HasDevice = Options->HasElements = true;
    Options->Where = Self->Where;
    Options->Elements = Self->Elements;
    Options->OfTensor = Self->Story;
    return Options;
  }
  case Query::Sizes:
    return C.Arena.make<SizesValue>(Self->Dimensions);
  default:
    return C.Arena.make<ElementTypeValue>(Self->Elements);
  }
}

/// x[i]: a view with one dimension less; an index tensor is read with item(),
/// wherever it is (ATen/core/TensorBody.h).
const Value *Evaluator::evaluateSubscript(const CallExpr *Call, Disjunct &D) {
  if (Call->getNumArgs() != 2)
    return nullptr;
  const auto *Self = dyn_cast<TensorValue>(evaluate(Call->getArg(0), D));
  if (!Self)
    return C.Arena.unknown();
  Event E;
  E.Kind = StepKind::View;
  E.Op = "select";
  E.Site = Call;
  E.Path = D.Path;
  E.After = Self->Where;
  E.PlaceFrom = Self->Story;
  E.Elements = Self->Elements;
  E.Dimensions = Self->Dimensions.isExact() && Self->Dimensions.number() > 0
                     ? Rank::exactly(Self->Dimensions.number() - 1)
                     : Rank::reduced();
  EventArgument Argument;
  Argument.Name = "self";
  Argument.Kind = StepArgument::Kind::Tensor;
  Argument.Events = {Self->Story};
  E.Arguments.push_back(Argument);
  return makeTensor(std::move(E));
}
