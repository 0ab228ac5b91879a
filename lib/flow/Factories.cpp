//===- Factories.cpp - Devices, options, and tensors made from host data ---===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every way to say a device: kCUDA, Device(kCUDA, 1), "cuda:1", chains of
// options, x.options(), x.device(). Plain factories are rows of the contract
// table.
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

Place Evaluator::parseDevice(llvm::StringRef Text) {
  return Place::parse(Text);
}

const Value *Evaluator::evaluateDeviceConstruct(const CXXConstructExpr *E,
                                                Disjunct &D) {
  if (E->getNumArgs() == 0)
    return C.Arena.unknown();
  return deviceOf(E, E->getArg(0), E->getNumArgs() > 1 ? E->getArg(1) : nullptr,
                  D);
}

/// The device that \p TypeOrText, and perhaps \p Index, name. \p Whole tells
/// one device whose index is not known from others.
const Value *Evaluator::deviceOf(const Expr *Whole, const Expr *TypeOrText,
                                 const Expr *Index, Disjunct &D) {
  const Value *First = evaluate(TypeOrText, D);
  if (const auto *Text = dyn_cast<StringValue>(First))
    return C.Arena.make<DeviceValue>(parseDevice(Text->Text));
  const auto *Device = dyn_cast<DeviceValue>(First);
  if (!Device)
    return chosenDevice(Whole, TypeOrText, D);
  if (!Index || isa<CXXDefaultArgExpr>(Index))
    return Device;
  const auto *Number = dyn_cast<IntValue>(evaluate(Index, D));
  if (Number && Device->Where.isKnown())
    return C.Arena.make<DeviceValue>(
        Place::known(Device->Where.type(), int(Number->Number)));
  std::optional<DeviceType> Type = D.Facts.typeOf(Device->Where);
  if (!Type)
    return C.Arena.unknown();
  if (*Type == DeviceType::CPU)
    return C.Arena.make<DeviceValue>(Place::known(DeviceType::CPU));
  // A known type with an index that is not known: a symbol with that type.
  Place P =
      placeMadeBy(Whole, sourceText(Whole), /*IsNamed=*/false, nullptr, D);
  D.Facts.assumeType(P, *Type);
  return C.Arena.make<DeviceValue>(P);
}

/// The device that \p Whole names anew each time that it is executed, \p Name
/// for people.
Place Evaluator::placeMadeBy(const Expr *Whole, std::string Name, bool IsNamed,
                             const ValueDecl *Root, Disjunct &D) {
  auto It = C.DeviceSymbols.find(Whole);
  if (It != C.DeviceSymbols.end()) {
    forgetSymbol(It->second, D);
    return Place::symbol(It->second);
  }
  SymbolId Made = C.Symbols.addChosen(std::move(Name), IsNamed, Root);
  C.DeviceSymbols.try_emplace(Whole, Made);
  return Place::symbol(Made);
}

/// torch::Device(options.device): a device that a text of the program names.
const Value *Evaluator::chosenDevice(const Expr *Whole, const Expr *Text,
                                     Disjunct &D) {
  const Expr *Named = skipNoise(Text);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Named);
      Construct && Construct->getNumArgs() > 0 && isText(Construct->getType()))
    Named = skipNoise(Construct->getArg(0)); // A string made of a char pointer.
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Named)) // argv[1]
    Named = skipNoise(Element->getBase());
  while (const auto *Member = dyn_cast<MemberExpr>(Named))
    Named = skipNoise(Member->getBase());
  const auto *Reference = dyn_cast<DeclRefExpr>(Named);
  bool IsNamed = Reference || isa<CXXThisExpr>(Named);
  if (!IsNamed || !isText(skipNoise(Text)->getType()))
    return C.Arena.unknown();
  return C.Arena.make<DeviceValue>(
      placeMadeBy(Whole, sourceText(Text), /*IsNamed=*/true,
                  Reference ? Reference->getDecl() : nullptr, D));
}

const OptionsValue *Evaluator::asOptions(const Value *V) {
  if (const auto *Options = dyn_cast<OptionsValue>(V))
    return Options;
  auto *Options = C.Arena.make<OptionsValue>();
  if (const auto *Device = dyn_cast<DeviceValue>(V)) {
    Options->HasDevice = true;
    Options->Where = Device->Where;
    Options->OfTensor = Device->OfTensor;
    return Options;
  }
  if (const auto *Elements = dyn_cast<ElementTypeValue>(V)) {
    Options->HasElements = true;
    Options->Elements = Elements->Elements;
    return Options;
  }
  return nullptr;
}

const Value *Evaluator::evaluateOptionsConstruct(const CXXConstructExpr *E,
                                                 Disjunct &D) {
  unsigned NumWritten = 0;
  for (const Expr *Argument : E->arguments())
    NumWritten += !isa<CXXDefaultArgExpr>(Argument);
  if (NumWritten == 0)
    return C.Arena.make<OptionsValue>();
  const Expr *First = E->getArg(0);
  if (NumWritten == 2) { // TensorOptions(kCUDA, 1)
    const Value *Device = deviceOf(E, First, E->getArg(1), D);
    const OptionsValue *Options = asOptions(Device);
    return Options ? static_cast<const Value *>(Options) : C.Arena.unknown();
  }
  if (const OptionsValue *Options = asOptions(evaluate(First, D)))
    return Options;
  if (const auto *Text = dyn_cast<StringValue>(evaluate(First, D))) {
    const OptionsValue *Options =
        asOptions(C.Arena.make<DeviceValue>(parseDevice(Text->Text)));
    return Options;
  }
  TorchType Type = torchTypeOf(First->getType());
  if (Type == TorchType::ScalarType || Type == TorchType::TypeMeta) {
    auto *Options = C.Arena.make<OptionsValue>();
    Options->HasElements = true;
    return Options;
  }
  llvm::StringRef Name;
  if (const TagDecl *Tag = First->getType()->getAsTagDecl())
    Name = Tag->getName();
  if (Name == "Layout" || Name == "MemoryFormat")
    return C.Arena.make<OptionsValue>();
  return C.Arena.unknown();
}

/// What the setter \p Name of TensorOptions makes of \p Options.
static void setOption(OptionsValue &Options, llvm::StringRef Name,
                      const Value *Argument) {
  if (Name == "device") {
    Options.HasDevice = !isa<NoneValue>(Argument);
    const auto *Device = dyn_cast<DeviceValue>(Argument);
    Options.Where = Device ? Device->Where : Place::unknown();
    Options.OfTensor = Device ? Device->OfTensor : nullptr;
  } else if (Name == "dtype") {
    Options.HasElements = true;
    const auto *Elements = dyn_cast<ElementTypeValue>(Argument);
    Options.Elements = Elements ? Elements->Elements : ElementType::Unknown;
  }
}

const Value *Evaluator::evaluateOptionsMethod(const CXXMemberCallExpr *Call,
                                              Disjunct &D) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  const auto *Self =
      dyn_cast<OptionsValue>(evaluate(Call->getImplicitObjectArgument(), D));
  if (!Self || !Method || !Method->getIdentifier())
    return C.Arena.unknown();
  llvm::StringRef Name = Method->getName();
  if (Call->getNumArgs() == 0) {
    if (Name == "device")
      return C.Arena.make<DeviceValue>(
          Self->HasDevice ? Self->Where : Place::known(DeviceType::CPU));
    if (Name == "dtype" && Method->getTemplateSpecializationArgs() == nullptr)
      return Self->HasElements ? C.Arena.make<ElementTypeValue>(Self->Elements)
                               : C.Arena.unknown();
  }
  if (className(Call->getType()) != "TensorOptions")
    return C.Arena.unknown();
  auto *Options = C.Arena.make<OptionsValue>(*Self);
  if (Name == "device" || Name == "dtype") {
    const Value *Argument = C.Arena.unknown();
    if (Call->getNumArgs() == 2 && Name == "device")
      Argument = deviceOf(Call, Call->getArg(0), Call->getArg(1), D);
    else if (Call->getNumArgs() == 1)
      Argument = evaluate(Call->getArg(0), D);
    if (const auto *Text = dyn_cast<StringValue>(Argument))
      Argument = C.Arena.make<DeviceValue>(parseDevice(Text->Text));
    setOption(*Options, Name, Argument);
  } else if (Name == "device_index" && Call->getNumArgs() == 1) {
    const auto *Index = dyn_cast<IntValue>(evaluate(Call->getArg(0), D));
    setOption(*Options, "device",
              Index ? C.Arena.make<DeviceValue>(
                          Place::known(DeviceType::CUDA, int(Index->Number)))
                    : C.Arena.unknown());
  } else if (Name == "merge_in" || Name == "merge_memory_format") {
    return C.Arena.unknown();
  }
  return Options; // layout, requires_grad, pinned_memory leave the device.
}

/// torch::device(d), torch::dtype(t), torch::requires_grad() and their kin,
/// which make options; null for another call.
const Value *Evaluator::evaluateOptionsFunction(const CallExpr *Call,
                                                Disjunct &D) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function || isa<CXXMethodDecl>(Function) || !isTorchDecl(Function) ||
      !Function->getIdentifier() ||
      className(Call->getType()) != "TensorOptions")
    return nullptr;
  llvm::StringRef Name = Function->getName();
  auto *Options = C.Arena.make<OptionsValue>();
  if (Call->getNumArgs() == 1 && (Name == "device" || Name == "dtype")) {
    const Value *Argument = evaluate(Call->getArg(0), D);
    if (const auto *Text = dyn_cast<StringValue>(Argument))
      Argument = C.Arena.make<DeviceValue>(parseDevice(Text->Text));
    setOption(*Options, Name, Argument);
  } else if (Name == "device_index" && Call->getNumArgs() == 1) {
    return C.Arena.unknown();
  }
  return Options;
}

const Value *Evaluator::evaluateDeviceMethod(const CXXMemberCallExpr *Call,
                                             Disjunct &D) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  const auto *Self =
      dyn_cast<DeviceValue>(evaluate(Call->getImplicitObjectArgument(), D));
  if (!Self || !Method || !Method->getIdentifier())
    return C.Arena.unknown();
  llvm::StringRef Name = Method->getName();
  if (Name == "type")
    return Self;
  if (Name == "str" && Self->Where.isKnown() && !Self->OfTensor)
    return C.Arena.make<StringValue>(Self->Where.str());
  if (Name == "index" && Self->Where.isKnown() &&
      (Self->Where.index() != Place::CurrentIndex || !Self->OfTensor))
    return C.Arena.make<IntValue>(Self->Where.index());
  return C.Arena.unknown();
}

/// Rank of torch::tensor(data): 0 for a number, the depth of braces, 1 for a
/// vector or array view.
static Rank rankOfData(const Expr *Data) {
  Data = skipNoise(Data);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Data)) {
    if (Construct->getNumArgs() == 0)
      return Rank::exactly(1); // torch::tensor({})
    return rankOfData(Construct->getArg(0));
  }
  if (const auto *List = listSyntax(Data)) {
    if (List->getNumInits() == 0)
      return Rank::exactly(1);
    Rank Inner = rankOfData(List->getInit(0));
    return Inner.isExact() ? Rank::exactly(Inner.number() + 1)
                           : Rank::atLeastOne();
  }
  QualType Type = Data->getType().getNonReferenceType();
  if (Type->isArithmeticType() || Type->isEnumeralType())
    return Rank::exactly(0);
  llvm::StringRef Class = className(Type);
  if (Class == "vector" || Class == "ArrayRef" || Class == "initializer_list")
    return Rank::exactly(1);
  if (Class == "Half" || Class == "BFloat16" || Class == "complex")
    return Rank::exactly(0);
  return Rank::unknown();
}

const Value *Evaluator::evaluateDataFactory(const CallExpr *Call,
                                            const TorchCallee &Callee,
                                            Disjunct &D) {
  bool IsTensor = Callee.Op == "tensor", IsBlob = Callee.Op == "from_blob";
  if ((!IsTensor && !IsBlob) || Call->getNumArgs() == 0)
    return nullptr;
  llvm::SmallVector<BoundArgument, 6> Arguments =
      bindArguments(Call, Callee, D);
  Event E;
  E.Kind = StepKind::Factory;
  E.Op = Callee.Op;
  E.Site = Call;
  E.Path = D.Path;
  E.After = Place::known(DeviceType::CPU);
  E.Dimensions = IsTensor ? rankOfData(Call->getArg(0)) : Rank::atLeastOne();
  for (const BoundArgument &Argument : Arguments) {
    if (Argument.Name == "sizes")
      E.Dimensions = rankOfSizes(Argument);
    if (Argument.IsDefault)
      continue;
    TorchType Type = torchTypeOf(Argument.Source->getType());
    if (Type != TorchType::Options && Type != TorchType::Device)
      continue;
    const OptionsValue *Options = asOptions(Argument.What);
    if (!Options) {
      if (!isa<NoneValue>(Argument.What))
        E.After = Place::unknown();
      continue;
    }
    if (Options->HasDevice) {
      E.After = Options->Where;
      E.PlaceFrom = Options->OfTensor;
    }
    if (Options->HasElements)
      E.Elements = Options->Elements;
  }
  E.Arguments = eventArguments(Arguments);
  return makeTensor(std::move(E));
}
