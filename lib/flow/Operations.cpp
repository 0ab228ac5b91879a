//===- Operations.cpp - Calls of LibTorch's operators ---------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds the arguments of a call to the names that the contract table uses,
// applies the row, and makes the result.
//
//===----------------------------------------------------------------------===//

#include "flow/Operations.h"
#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tdl;

/// The tensors in options are arguments under the options' names.
static void bindSettings(const BoundArgument &Options,
                         llvm::SmallVectorImpl<BoundArgument> &Bound) {
  const auto *Settings = dyn_cast<SettingsValue>(Options.What);
  if (!Settings)
    return;
  for (const SettingsValue::Setting &Given : Settings->Given) {
    BoundArgument Argument;
    Argument.Name = Given.Name;
    Argument.Source = Given.Source;
    Argument.What = Given.What;
    Bound.push_back(Argument);
  }
}

llvm::SmallVector<BoundArgument, 6>
Evaluator::bindArguments(const CallExpr *Call, const TorchCallee &Callee,
                         Disjunct &D) {
  llvm::SmallVector<BoundArgument, 6> Bound;
  auto Bind = [&](llvm::StringRef Name, const Expr *Source) {
    BoundArgument Argument;
    Argument.Name = Name;
    Argument.Source = Source;
    Argument.IsDefault = isa<CXXDefaultArgExpr>(Source);
    Argument.What = evaluate(Source, D);
    bindSettings(Argument, Bound);
    Bound.push_back(Argument);
  };
  const FunctionDecl *Function = Call->getDirectCallee();
  if (Callee.IsOperator) {
    // Free operators name their operands x and y; methods have an object.
    constexpr llvm::StringLiteral Names[] = {"self", "other"};
    for (unsigned I = 0; I < Call->getNumArgs() && I < 2; ++I)
      Bind(Names[I], Call->getArg(I));
    return Bound;
  }
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    Bind("self", Member->getImplicitObjectArgument());
  for (unsigned I = 0; I < Call->getNumArgs() && I < Function->getNumParams();
       ++I)
    Bind(Function->getParamDecl(I)->getName(), Call->getArg(I));
  return Bound;
}

const Contract *Evaluator::findRow(const CallExpr *Call,
                                   const TorchCallee &Callee,
                                   llvm::ArrayRef<BoundArgument> Arguments) {
  llvm::SmallVector<llvm::StringRef, 6> Parameters;
  for (const BoundArgument &Argument : Arguments)
    if (Argument.Name != "self" || !isa<CXXMemberCallExpr>(Call))
      Parameters.push_back(Argument.Name);
  return C.Contracts.find(Callee.Op, Parameters, C.Version);
}

/// Whether \p Type is what a script gets: IValues.
static bool holdsIValues(QualType Type) {
  return className(Type) == "IValue" ||
         className(elementTypeOf(Type)) == "IValue" ||
         (isMap(Type) && className(Type) == "unordered_map");
}

/// Adds the tensors in \p V, an IValue that \p Whole is or holds, to
/// \p Operands: of a tuple, list or dictionary each by itself. Numbers, texts
/// and None are none.
static void addLeaves(const Value *V, const Operand &Whole,
                      std::vector<Operand> &Operands) {
  if (const auto *List = dyn_cast<ListValue>(V)) {
    for (const Value *Element : List->Elements)
      addLeaves(Element, Whole, Operands);
  } else if (const auto *Map = dyn_cast<MapValue>(V)) {
    for (const auto &Entry : Map->Entries)
      addLeaves(Entry.second, Whole, Operands);
    if (Map->Others)
      addLeaves(Map->Others, Whole, Operands);
  } else if (!isa<IntValue, BoolValue, StringValue, NoneValue>(V)) {
    Operands.push_back(Whole);
    Operands.back().What = V;
  }
}

/// Whether the argument is a tensor, may be one, or holds some.
static bool isTensorArgument(const BoundArgument &Argument) {
  if (Argument.IsDefault)
    return false;
  QualType Type = Argument.Source->getType();
  if (torchTypeOf(Type) == TorchType::Tensor || isTensorList(Type) ||
      holdsIValues(Type))
    return true;
  // A tuple, such as the hidden state of an LSTM; a module's state.
  const auto *List = dyn_cast<ListValue>(Argument.What);
  return Argument.Name == "state" ||
         (List && !List->Elements.empty() &&
          llvm::all_of(List->Elements, [](const Value *Element) {
            return isa<TensorValue>(Element);
          }));
}

static bool isIndexList(const BoundArgument &Argument) {
  return Argument.Name == "indices" && !isTensorArgument(Argument) &&
         !Argument.IsDefault;
}

std::vector<Operand>
Evaluator::operandsOf(llvm::ArrayRef<BoundArgument> Arguments,
                      const Contract *Row) {
  std::vector<Operand> Operands;
  for (const BoundArgument &Argument : Arguments) {
    bool IsIndexList = isIndexList(Argument);
    if (!IsIndexList && !isTensorArgument(Argument))
      continue;
    Operand O;
    O.Name = O.Parameter = Argument.Name.str();
    O.Role = Row ? Row->roleOf(Argument.Name) : ArgRole::Any;
    O.Source = Argument.Source;
    O.What = Argument.What;
    const auto *List = dyn_cast<ListValue>(Argument.What);
    if (isa<NoneValue>(Argument.What))
      continue;
    bool IsOfScript = holdsIValues(Argument.Source->getType());
    // Of several kinds of elements one may not be there.
    bool IsOneKind = !List || List->Elements.size() == 1;
    if (IsOfScript && IsOneKind && (!List || !List->IsExact)) {
      addLeaves(Argument.What, O, Operands);
      continue;
    }
    if (List && !List->IsExact)
      O.What = listElement(List, std::nullopt, C.Arena); // For all elements.
    if (!List || !List->IsExact) {
      Operands.push_back(O);
      continue;
    }
    const auto *Elements = listSyntax(Argument.Source);
    for (unsigned I = 0; I < List->Elements.size(); ++I) {
      // Numbers, slices and None among indices are no operands.
      if (IsIndexList && (isa<NoneValue>(List->Elements[I]) ||
                          isa<IntValue>(List->Elements[I])))
        continue;
      O.Name = O.Parameter + "[" + std::to_string(I) + "]";
      O.What = List->Elements[I];
      O.Source = Elements && I < Elements->getNumInits() ? Elements->getInit(I)
                                                         : Argument.Source;
      if (IsOfScript)
        addLeaves(O.What, O, Operands);
      else
        Operands.push_back(O);
    }
  }
  return Operands;
}

static const BoundArgument *
findArgument(llvm::ArrayRef<BoundArgument> Arguments, llvm::StringRef Name) {
  for (const BoundArgument &Argument : Arguments)
    if (Argument.Name == Name)
      return &Argument;
  return nullptr;
}

/// The tensor \p V, or the first of a list; null where it is not known. Of a
/// list of any length, each element may be the first.
static const TensorValue *firstTensor(const Value *V) {
  if (const auto *List = dyn_cast<ListValue>(V)) {
    bool IsFirst = !List->Elements.empty() &&
                   (List->IsExact || List->Elements.size() == 1);
    return IsFirst ? dyn_cast<TensorValue>(List->Elements.front()) : nullptr;
  }
  return dyn_cast<TensorValue>(V);
}

/// Rank of the tensor or of the first tensor of the list \p V.
static Rank rankOf(const Value *V) {
  const TensorValue *Tensor = firstTensor(V);
  return Tensor ? Tensor->Dimensions : Rank::unknown();
}

Rank Evaluator::rankOfSizes(const BoundArgument &Sizes) {
  if (const auto *List = dyn_cast<ListValue>(Sizes.What))
    return List->IsExact ? Rank::exactly(List->Elements.size())
                         : Rank::unknown();
  if (const auto *Known = dyn_cast<SizesValue>(Sizes.What))
    return Known->Dimensions;
  if (isa<IntValue>(Sizes.What))
    return Rank::exactly(1);
  // Sizes that the program computes are taken to have at least one entry: who
  // wants a 0-dim tensor writes {}.
  return Rank::atLeastOne();
}

/// The number of dimensions that a reduction removes; none when it isn't known.
static std::optional<unsigned>
reducedDimensions(llvm::ArrayRef<BoundArgument> Arguments) {
  const BoundArgument *Dim = findArgument(Arguments, "dim");
  const BoundArgument *Keep = findArgument(Arguments, "keepdim");
  if (Keep && !Keep->IsDefault) {
    const auto *Flag = dyn_cast<BoolValue>(Keep->What);
    if (!Flag || Flag->Condition->K != Formula::Kind::Constant)
      return std::nullopt;
    if (Flag->Condition->Value)
      return 0;
  }
  if (const auto *List = dyn_cast<ListValue>(Dim->What))
    return List->IsExact ? std::optional<unsigned>(List->Elements.size())
                         : std::nullopt;
  return Dim->Source->getType()->isArithmeticType() || isa<IntValue>(Dim->What)
             ? std::optional<unsigned>(1)
             : std::nullopt;
}

static Rank reducedRank(Rank Before, llvm::ArrayRef<BoundArgument> Arguments) {
  const BoundArgument *Dim = findArgument(Arguments, "dim");
  bool ReducesAll = !Dim || Dim->IsDefault || isa<NoneValue>(Dim->What);
  const BoundArgument *Keep = findArgument(Arguments, "keepdim");
  if (ReducesAll && (!Keep || Keep->IsDefault))
    return Rank::exactly(0);
  if (ReducesAll)
    return Rank::reduced();
  std::optional<unsigned> Removed = reducedDimensions(Arguments);
  if (!Removed)
    return Rank::reduced();
  if (*Removed == 0) // keepdim, or an empty list, which reduces all.
    return Keep && !Keep->IsDefault ? Before : Rank::reduced();
  return Before.isExact() && Before.number() >= *Removed
             ? Rank::exactly(Before.number() - *Removed)
             : Rank::reduced();
}

static Rank matmulRank(Rank A, Rank B) {
  bool HasMatrix =
      (A.isExact() && A.number() >= 2) || (B.isExact() && B.number() >= 2);
  if (A.isExact() && B.isExact()) {
    if (A.number() == 1 && B.number() == 1)
      return Rank::exactly(0);
    if (A.number() == 1 || B.number() == 1)
      return Rank::exactly(std::max(A.number(), B.number()) - 1);
    return Rank::exactly(std::max(A.number(), B.number()));
  }
  return HasMatrix ? Rank::atLeastOne() : Rank::unknown();
}

Rank Evaluator::resultRank(const Contract &Row,
                           llvm::ArrayRef<BoundArgument> Arguments,
                           llvm::ArrayRef<Operand> Operands) {
  const BoundArgument *Argument = findArgument(Arguments, Row.Rank.Arg);
  Rank Of = Argument ? rankOf(Argument->What) : Rank::unknown();
  switch (Row.Rank.Rule) {
  case RankRule::Unknown:
    return Rank::unknown();
  case RankRule::Same:
    return Of.isUnknown() && Row.Rank.AtLeastOne ? Rank::atLeastOne() : Of;
  case RankRule::Fixed:
    return Rank::exactly(Row.Rank.Fixed);
  case RankRule::AtLeastOne:
    return Rank::atLeastOne();
  case RankRule::Sizes:
    return Argument ? rankOfSizes(*Argument) : Rank::unknown();
  case RankRule::Broadcast: {
    Rank Widest = Rank::exactly(0);
    for (const Operand &O : Operands)
      Widest = broadcast(Widest, rankOf(O.What));
    return Widest;
  }
  case RankRule::Reduce:
    return reducedRank(Of, Arguments);
  case RankRule::Plus:
    return Of.isExact() ? Rank::exactly(Of.number() + 1) : Rank::atLeastOne();
  case RankRule::Minus:
    return Of.isExact() && Of.number() > 0 ? Rank::exactly(Of.number() - 1)
                                           : Rank::reduced();
  case RankRule::MatMul: {
    const BoundArgument *Second = findArgument(Arguments, Row.Rank.Arg2);
    return matmulRank(Of, Second ? rankOf(Second->What) : Rank::unknown());
  }
  }
  return Rank::unknown();
}

static ElementType elementsOf(const BoundArgument *Argument) {
  const TensorValue *Tensor = Argument ? firstTensor(Argument->What) : nullptr;
  return Tensor ? Tensor->Elements : ElementType::Unknown;
}

static ElementType elementTypeOfName(llvm::StringRef Name) {
  for (unsigned I = 0; I <= unsigned(ElementType::BFloat16); ++I)
    if (Name == elementTypeName(ElementType(I)))
      return ElementType(I);
  return ElementType::Unknown;
}

/// The element type that the options among \p Arguments give; none when they
/// give none.
static std::optional<ElementType>
elementsOfOptions(llvm::ArrayRef<BoundArgument> Arguments) {
  for (const BoundArgument &Argument : Arguments) {
    if (const auto *Options = dyn_cast<OptionsValue>(Argument.What);
        Options && Options->HasElements)
      return Options->Elements;
    if (const auto *Type = dyn_cast<ElementTypeValue>(Argument.What))
      return Type->Elements;
  }
  return std::nullopt;
}

ElementType Evaluator::resultElements(const Contract &Row,
                                      llvm::ArrayRef<BoundArgument> Arguments) {
  llvm::StringRef Rule = Row.dtypeOf();
  llvm::StringRef Kind = Rule.take_until([](char Ch) { return Ch == '('; });
  llvm::StringRef Name = Rule.drop_front(Kind.size()).trim("()");
  if (Kind == "same")
    return elementsOf(findArgument(Arguments, Name));
  if (Kind == "like" || Kind == "options") {
    if (std::optional<ElementType> Given = elementsOfOptions(Arguments))
      return *Given;
    return Kind == "like" ? elementsOf(findArgument(Arguments, Name))
                          : elementTypeOfName(Name);
  }
  return Kind == "promote" ? ElementType::Unknown : elementTypeOfName(Rule);
}

/// The text of a list of numbers, "[2,3]"; empty when one is not known.
static std::string intListText(const ListValue &List) {
  std::string Text = "[";
  if (!List.IsExact)
    return "";
  for (const Value *Element : List.Elements) {
    const auto *Number = dyn_cast<IntValue>(Element);
    if (!Number)
      return "";
    if (Text.size() > 1)
      Text += ",";
    Text += std::to_string(Number->Number);
  }
  return Text + "]";
}

static const Event *eventOf(const Value *V) {
  const auto *Tensor = dyn_cast<TensorValue>(V);
  return Tensor ? Tensor->Story : nullptr;
}

/// A device as an argument: "cuda:0", or that of a tensor.
static void setDevice(EventArgument &Argument, Place P, const Event *OfTensor) {
  if (OfTensor) {
    Argument.Kind = StepArgument::Kind::DeviceOf;
    Argument.Events = {OfTensor};
  } else if (P.isKnown()) {
    Argument.Kind = StepArgument::Kind::Device;
    Argument.Text = P.str();
  }
}

/// Options become two arguments, device and dtype, as ATen's schemas have them.
static void addOptions(std::vector<EventArgument> &Out,
                       const OptionsValue &Options, const Expr *Source) {
  EventArgument Argument;
  Argument.Source = Source;
  if (Options.HasDevice) {
    Argument.Name = "device";
    setDevice(Argument, Options.Where, Options.OfTensor);
    Out.push_back(Argument);
  }
  if (Options.HasElements && Options.Elements != ElementType::Unknown) {
    Argument = EventArgument();
    Argument.Name = "dtype";
    Argument.Kind = StepArgument::Kind::DType;
    Argument.Text = elementTypeName(Options.Elements);
    Out.push_back(Argument);
  }
}

static void fillFromValue(EventArgument &Argument, const Value *V) {
  if (const auto *Device = dyn_cast<DeviceValue>(V)) {
    setDevice(Argument, Device->Where, Device->OfTensor);
  } else if (const auto *Number = dyn_cast<IntValue>(V)) {
    Argument.Kind = StepArgument::Kind::Int;
    Argument.Text = std::to_string(Number->Number);
  } else if (const auto *Type = dyn_cast<ElementTypeValue>(V);
             Type && Type->Elements != ElementType::Unknown) {
    Argument.Kind = StepArgument::Kind::DType;
    Argument.Text = elementTypeName(Type->Elements);
  } else if (const auto *Flag = dyn_cast<BoolValue>(V);
             Flag && Flag->Condition->K == Formula::Kind::Constant) {
    Argument.Kind = StepArgument::Kind::Bool;
    Argument.Text = Flag->Condition->Value ? "true" : "false";
  } else if (const auto *List = dyn_cast<ListValue>(V)) {
    std::string Text = intListText(*List);
    if (!Text.empty()) {
      Argument.Kind = StepArgument::Kind::IntList;
      Argument.Text = Text;
    }
  }
}

std::vector<EventArgument>
Evaluator::eventArguments(llvm::ArrayRef<BoundArgument> Arguments) {
  std::vector<EventArgument> Result;
  for (const BoundArgument &Bound : Arguments) {
    if (Bound.IsDefault)
      continue;
    if (const auto *Options = dyn_cast<OptionsValue>(Bound.What)) {
      addOptions(Result, *Options, Bound.Source);
      continue;
    }
    // The tensors in them are arguments of their own.
    if (const auto *Settings = dyn_cast<SettingsValue>(Bound.What);
        Settings && !Settings->HasOthers)
      continue;
    EventArgument Argument;
    Argument.Name = Bound.Name.str();
    Argument.Source = Bound.Source;
    const auto *List = dyn_cast<ListValue>(Bound.What);
    if (isTensorArgument(Bound) || isIndexList(Bound)) {
      Argument.Kind = StepArgument::Kind::Tensor;
      if (List) {
        Argument.Kind = StepArgument::Kind::TensorList;
        for (const Value *Element : List->Elements)
          Argument.Events.push_back(eventOf(Element));
      } else {
        Argument.Events.push_back(eventOf(Bound.What));
      }
    } else if (const auto *Literal =
                   dyn_cast<FloatingLiteral>(skipNoise(Bound.Source))) {
      Argument.Kind = StepArgument::Kind::Float;
      Argument.Text = sourceText(Literal);
    } else {
      fillFromValue(Argument, Bound.What);
    }
    Result.push_back(Argument);
  }
  return Result;
}

namespace {
struct PlacedResult {
  Place Where;
  const Event *From = nullptr; ///< The input whose place it is.
  StepKind Kind = StepKind::Operation;
};
} // namespace

/// The device that options among \p Arguments give; \p Default without any.
static PlacedResult placeFromOptions(llvm::ArrayRef<BoundArgument> Arguments,
                                     PlacedResult Default) {
  for (const BoundArgument &Argument : Arguments) {
    if (Argument.IsDefault)
      continue;
    TorchType Type = torchTypeOf(Argument.Source->getType());
    if (Type == TorchType::Device || Type == TorchType::DeviceType) {
      if (const auto *Device = dyn_cast<DeviceValue>(Argument.What))
        Default.Where = Device->Where;
      else if (!isa<NoneValue>(Argument.What))
        Default.Where = Place::unknown();
      return Default;
    }
    if (Type != TorchType::Options)
      continue;
    const auto *Options = dyn_cast<OptionsValue>(Argument.What);
    if (!Options)
      Default.Where = Place::unknown();
    else if (Options->HasDevice)
      Default.Where = Options->Where;
    if (Options && Options->HasDevice)
      Default.From = Options->OfTensor;
    return Default;
  }
  return Default;
}

static PlacedResult placeOfArgument(llvm::ArrayRef<BoundArgument> Arguments,
                                    llvm::StringRef Name) {
  PlacedResult Result;
  const BoundArgument *Argument = findArgument(Arguments, Name);
  if (const TensorValue *Tensor =
          Argument ? firstTensor(Argument->What) : nullptr) {
    Result.Where = Tensor->Where;
    Result.From = Tensor->Story;
  }
  return Result;
}

static PlacedResult placeOfResult(const ResultRule &Rule,
                                  llvm::ArrayRef<BoundArgument> Arguments,
                                  llvm::ArrayRef<Operand> Operands,
                                  const PlaceFacts &Facts) {
  PlacedResult Result;
  switch (Rule.Where) {
  case ResultPlace::None:
  case ResultPlace::Unknown:
    return Result;
  case ResultPlace::CPU:
    Result.Where = Place::known(DeviceType::CPU);
    return Result;
  case ResultPlace::Device:
    Result.Where = Place::parse(Rule.Arg);
    return Result;
  case ResultPlace::Common:
    if (const Operand *Common = commonOperand(Operands, Facts)) {
      Result.Where = Common->place();
      Result.From = Common->tensor() ? Common->tensor()->Story : nullptr;
    }
    return Result;
  case ResultPlace::Arg:
    return placeOfArgument(Arguments, Rule.Arg);
  case ResultPlace::Options:
    Result.Where = Place::known(DeviceType::CPU);
    Result.Kind = StepKind::Factory;
    return placeFromOptions(Arguments, Result);
  case ResultPlace::Like:
    Result = placeOfArgument(Arguments, Rule.Arg);
    Result.Kind = StepKind::Like;
    return placeFromOptions(Arguments, Result);
  }
  return Result;
}

/// The value of a tuple of tensors and of tuples of tensors, such as an LSTM's
/// result; null for any other type.
template <typename Maker>
const Value *Evaluator::nestedTuple(QualType Type, Maker MakeOne) {
  llvm::SmallVector<QualType, 4> Types = tupleTypes(Type);
  if (Types.empty())
    return nullptr;
  llvm::SmallVector<const Value *, 4> Parts;
  for (unsigned I = 0; I < Types.size(); ++I) {
    const Value *Part = torchTypeOf(Types[I]) == TorchType::Tensor
                            ? MakeOne(I)
                            : nestedTuple(Types[I], MakeOne);
    if (!Part)
      return nullptr;
    Parts.push_back(Part);
  }
  return C.Arena.make<ListValue>(Parts);
}

/// Whether a call gives back its own self, changed.
static bool isInPlace(const CallExpr *Call, const TorchCallee &Callee) {
  return llvm::StringRef(Callee.Op).ends_with("_") &&
         !llvm::StringRef(Callee.Op).starts_with("_") && Call->isLValue();
}

/// What a call that fails for a member that was left behind gives once that is
/// repaired, so that the next one is found as well: a tensor beside the module.
const Value *Evaluator::repairedResult(const CallExpr *Call,
                                       llvm::ArrayRef<Operand> Operands,
                                       const TensorValue &Result, Disjunct &D) {
  const auto *Moved = llvm::find_if(Operands, [&](const Operand &O) {
    return takesPart(O) && !O.isUndefined() && !C.Arena.isLasting(O.What) &&
           O.place().isKnown();
  });
  if (Moved == Operands.end())
    return &Result;
  Event E;
  E.Kind = StepKind::Input;
  E.Site = Call;
  E.After = Moved->place();
  E.Dimensions = Result.Dimensions;
  E.Elements = Result.Elements;
  E.Path = D.Path;
  return makeTensor(std::move(E));
}

const Value *Evaluator::operationResult(const CallExpr *Call,
                                        const TorchCallee &Callee,
                                        const Contract &Row,
                                        llvm::ArrayRef<BoundArgument> Arguments,
                                        llvm::ArrayRef<Operand> Operands,
                                        Disjunct &D, const Event *&Made) {
  // What throws has no result; one fault is told once.
  bool Throws =
      applyContract(Row, Operands, D.Facts).Result == Compliance::Violates;
  // The element of a list argument that a result comes from; null for none.
  const TensorValue *Origin = nullptr;
  auto MakeOne = [&](unsigned Position) -> const Value * {
    PlacedResult Placed =
        placeOfResult(Row.resultOf(Position), Arguments, Operands, D.Facts);
    if (Origin) {
      Placed.Where = Origin->Where;
      Placed.From = Origin->Story;
    }
    if (Throws)
      Placed.Where = Place::unknown();
    Event E;
    E.Kind = isInPlace(Call, Callee) ? StepKind::InPlace
             : Row.IsView            ? StepKind::View
                                     : Placed.Kind;
    E.Op = Callee.Op;
    E.Site = Call;
    E.After = Placed.Where;
    E.PlaceFrom = Placed.From;
    E.Dimensions = resultRank(Row, Arguments, Operands);
    E.Elements = Position == 0 ? resultElements(Row, Arguments)
                               : elementTypeOfName(Row.dtypeOf(Position));
    E.Arguments = eventArguments(Arguments);
    E.Path = D.Path;
    TensorValue *Result = makeTensor(std::move(E));
    Made = Made ? Made : Result->Story;
    if (Throws && C.Assumed)
      return repairedResult(Call, Operands, *Result, D);
    return Result;
  };
  QualType Type = Call->getType();
  if (torchTypeOf(Type) == TorchType::Tensor)
    return MakeOne(0);
  if (className(Type) == "IValue")
    return MakeOne(0);
  if (const Value *Parts = nestedTuple(Type, MakeOne))
    return Parts;
  const BoundArgument *Given =
      isTensorList(Type) && Row.resultOf(0).Where == ResultPlace::Arg
          ? findArgument(Arguments, Row.resultOf(0).Arg)
          : nullptr;
  if (const auto *List =
          dyn_cast_or_null<ListValue>(Given ? Given->What : nullptr)) {
    // broadcast_tensors: one result for each element.
    auto *Results = C.Arena.make<ListValue>(*List);
    for (const Value *&Element : Results->Elements) {
      Origin = dyn_cast<TensorValue>(Element);
      Element = Origin ? MakeOne(0) : C.Arena.unknown();
    }
    return Results;
  }
  if (isTensorList(Type)) { // chunk, split, unbind: any number of equal parts.
    const Value *Part = MakeOne(0);
    auto *List = C.Arena.make<ListValue>(llvm::ArrayRef<const Value *>(Part));
    List->IsExact = false;
    return List;
  }
  return C.Arena.unknown();
}

const Value *Evaluator::evaluateOperation(const CallExpr *Call,
                                          const TorchCallee &Callee,
                                          Disjunct &D) {
  return evaluateBound(Call, Callee, bindArguments(Call, Callee, D), D);
}

const Value *
Evaluator::evaluateBound(const CallExpr *Call, const TorchCallee &Callee,
                         llvm::SmallVector<BoundArgument, 6> Arguments,
                         Disjunct &D) {
  const Contract *Row = findRow(Call, Callee, Arguments);
  std::vector<Operand> Operands = operandsOf(Arguments, Row);
  const Event *Made = nullptr;
  const Value *Result = nullptr;
  if (Row)
    Result = operationResult(Call, Callee, *Row, Arguments, Operands, D, Made);
  if (!Result || isa<UnknownValue>(Result))
    Result = Call->getType()->isVoidType() ? C.Arena.unknown()
                                           : opaqueResult(Call, D);
  if (Sink && !Made) { // A host value, or an operator without a contract.
    Event E;
    E.Op = Callee.Op;
    E.Site = Call;
    E.Arguments = eventArguments(Arguments);
    E.Path = D.Path;
    Made = &C.Stories.add(std::move(E));
  }
  if (Sink && Row)
    recordMixture(Call, Callee, *Row, Arguments, Made, D);
  if (Row)
    noteAgreement(Call, *Row, Operands, D);
  record(Call, Callee, Row, std::move(Operands), Made, D);
  return Result;
}

/// Whether \p O is the state of a module that this function did not make.
static bool isStateFromOutside(const Operand &O) {
  const Event *E = O.tensor() ? O.tensor()->Story : nullptr;
  while (E && E->PlaceFrom)
    E = E->PlaceFrom;
  return E && E->IsModuleState && E->Kind == StepKind::Input;
}

void Evaluator::noteAgreement(const CallExpr *Call, const Contract &Row,
                              llvm::ArrayRef<Operand> Operands, Disjunct &D) {
  Agreed = {Call, {}};
  for (auto [First, Second] : operandsThatAgree(Row, Operands, D.Facts))
    if (!C.Modules.movesParts() ||
        (!isStateFromOutside(*First) && !isStateFromOutside(*Second)))
      Agreed.Places.push_back({First->place(), Second->place()});
}

/// What comes after \p Call, the last that was evaluated, knows that it has not
/// thrown: what must be on one device is.
void Evaluator::assumeAgreement(const CallExpr *Call, Disjunct &D) {
  if (Agreed.Call != Call)
    return;
  for (auto [First, Second] : Agreed.Places) {
    D.Facts.assumeSame(First, Second);
    if (First.isSymbol())
      C.AgreedAt.try_emplace(First.symbolId(), Call, Second);
    if (Second.isSymbol())
      C.AgreedAt.try_emplace(Second.symbolId(), Call, First);
  }
}

void Evaluator::record(const CallExpr *Call, const TorchCallee &Callee,
                       const Contract *Row, std::vector<Operand> Operands,
                       const Event *Made, Disjunct &D) {
  bool MayFailAlone = llvm::any_of(
      Operands, [](const Operand &O) { return O.Role == ArgRole::Host; });
  if (!Sink || (Operands.size() < 2 && !MayFailAlone))
    return;
  Operation &Op = Sink->operationAt(Chain, Call);
  Op.Op = Callee.Op;
  Op.Row = Row;
  // Evaluated again on the same path, in another block: nothing new.
  for (const OperationVisit &Known : Op.Visits)
    if (Known.Path == D.Path)
      return;
  OperationVisit Visit;
  Visit.Path = D.Path;
  Visit.AllPlacesKnown = llvm::all_of(Operands, [](const Operand &O) {
    return !O.place().isUnknown() || O.isUndefined();
  });
  if (Row)
    Visit.Outcome = applyContract(*Row, Operands, D.Facts);
  // What put an operand on a device that is not there has thrown.
  bool IsReached = llvm::none_of(Operands, [&](const Operand &O) {
    std::optional<DeviceType> Type = D.Facts.typeOf(O.place());
    if (!Type || Type == DeviceType::CPU)
      return false;
    const Formula *IsThere = availabilityFormula(deviceTypeName(*Type));
    return D.Path.valueOf(IsThere->Id) == std::optional<bool>(false);
  });
  if (!IsReached && Visit.Outcome.Result == Compliance::Violates)
    Visit.Outcome.Result = Compliance::Unknown;
  Visit.Operands = std::move(Operands);
  Visit.Facts = D.Facts;
  Visit.Made = Made;
  Op.Visits.push_back(std::move(Visit));
}

/// Whether one of the locations is the other or part of it.
static bool overlap(const Locations &Storage, LocationId A, LocationId B) {
  return llvm::is_contained(Storage.subtree(A), B) ||
         llvm::is_contained(Storage.subtree(B), A);
}

/// The integer variable that \p Condition, i < n or i == 0, compares; null for
/// any other condition.
static const VarDecl *comparedCounter(const Expr *Condition) {
  const auto *Binary = dyn_cast_or_null<BinaryOperator>(
      Condition ? skipNoise(Condition) : nullptr);
  if (!Binary || !Binary->isComparisonOp())
    return nullptr;
  for (const Expr *Side : {Binary->getLHS(), Binary->getRHS()}) {
    const auto *Reference = dyn_cast<DeclRefExpr>(skipNoise(Side));
    const auto *Variable =
        Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (Variable && Variable->isLocalVarDecl() &&
        Variable->getType()->isIntegerType() &&
        !Variable->getType().isConstQualified())
      return Variable;
  }
  return nullptr;
}

/// The literal by which a loop's counter tells \p Second from \p First.
static std::optional<PathCondition::Literal>
toldByCounter(const FunctionContext &C, const BodyFacts &Body,
              const TensorValue *First, const TensorValue *Second) {
  if (!First || !Second || !First->Story || !Second->Story)
    return std::nullopt;
  for (const PathCondition::Literal &L : Second->Story->Path.literals()) {
    const VarDecl *Counter =
        comparedCounter(C.ProgramConditions.lookup(L.first));
    if (Counter && Body.Counters.contains(Counter) &&
        First->Story->Path.valueOf(L.first) == std::optional<bool>(!L.second))
      return L;
  }
  return std::nullopt;
}

MixedList Evaluator::mixtureOf(const ListValue &List, Disjunct &D) {
  llvm::SmallVector<std::pair<const TensorValue *, const TensorValue *>, 8>
      Pairs;
  for (const Value *A : List.Elements) {
    const auto *First = dyn_cast<TensorValue>(A);
    if (First && First->OneOf)
      Pairs.push_back({First->OneOf, First->OrElse});
    for (const Value *B : List.Elements)
      if (A != B && !List.IsExact)
        Pairs.push_back({First, dyn_cast<TensorValue>(B)});
  }
  for (const auto &[First, Second] : Pairs) {
    auto Told = Body ? toldByCounter(C, *Body, First, Second) : std::nullopt;
    // Both have been only where the counter has moved on.
    if (Told && !D.Path.valueOf(Told->first) &&
        D.Facts.compare(First->Where, Second->Where) == Agreement::Different)
      return {First, Second, *Told};
  }
  return {};
}

/// A list that holds tensors of two places once a loop has met two cases.
void Evaluator::recordMixture(const CallExpr *Call, const TorchCallee &Callee,
                              const Contract &Row,
                              llvm::ArrayRef<BoundArgument> Arguments,
                              const Event *Made, Disjunct &D) {
  for (const BoundArgument &Argument : Arguments) {
    const auto *List = dyn_cast<ListValue>(Argument.What);
    if (!List || !isTensorArgument(Argument))
      continue;
    MixedList Mixed = mixtureOf(*List, D);
    if (!Mixed.First)
      continue;
    std::vector<Operand> Operands;
    for (const TensorValue *Element : {Mixed.First, Mixed.Second}) {
      Operand O;
      O.Parameter = Argument.Name.str();
      O.Name = O.Parameter + "[" + std::to_string(Operands.size()) + "]";
      O.Role = Row.roleOf(Argument.Name);
      O.Source = Argument.Source;
      if (Element->Story->Site)
        O.Source = Element->Story->Site;
      O.What = Element;
      Operands.push_back(std::move(O));
    }
    if (applyContract(Row, Operands, D.Facts).Result != Compliance::Violates)
      continue;
    // The story that shows it has both in its list.
    Event Shown = *Made;
    for (EventArgument &Given : Shown.Arguments)
      if (Given.Name == Argument.Name)
        Given.Events = {Mixed.First->Story, Mixed.Second->Story};
    Made = &C.Stories.add(std::move(Shown));
    Disjunct Both = D;
    Both.Path.add(Mixed.Told.first, Mixed.Told.second);
    record(Call, Callee, &Row, Operands, Made, Both);
    // Where the counter has not been on both sides, nothing is known to fail.
    OperationVisit Else;
    Else.Path = D.Path;
    Else.Path.add(Mixed.Told.first, !Mixed.Told.second);
    Else.Facts = D.Facts;
    Else.Made = Made;
    Else.Operands = std::move(Operands);
    Sink->operationAt(Chain, Call).Visits.push_back(std::move(Else));
  }
}

bool tdl::isEntangled(const FunctionContext &C, const PathCondition &Path) {
  struct Read {
    LocationId Location;
    AtomId Id;
  };
  llvm::SmallVector<Read, 8> Reads;
  unsigned Opaque = 0; // Conditions that read nothing that is known.
  for (const PathCondition::Literal &L : Path.literals()) {
    const Atom &A = C.Atoms[L.first];
    auto It = C.AtomReads.find(L.first);
    if (It == C.AtomReads.end())
      continue;
    if (It->second.empty() && ++Opaque > 1)
      return true;
    for (LocationId Location : It->second)
      for (const Read &Other : Reads) {
        const Atom &B = C.Atoms[Other.Id];
        bool OneEquals = A.K == Atom::Kind::Equals &&
                         B.K == Atom::Kind::Equals && A.Key == B.Key &&
                         (L.second || Path.valueOf(Other.Id) == true);
        if (Other.Id != L.first && !OneEquals &&
            overlap(C.Storage, Location, Other.Location))
          return true;
      }
    for (LocationId Location : It->second)
      Reads.push_back({Location, L.first});
  }
  return false;
}

template <typename Record>
Record &FunctionResult::recordAt(std::vector<Record> &Records, CallIndex &Index,
                                 llvm::ArrayRef<const Expr *> Chain,
                                 const CallExpr *Call) {
  std::vector<const void *> Key(Chain.begin(), Chain.end());
  Key.push_back(Call);
  auto [It, Inserted] = Index.try_emplace(std::move(Key), Records.size());
  if (Inserted) {
    Records.emplace_back();
    Records.back().Call = Call;
    Records.back().Chain.assign(Chain.begin(), Chain.end());
  }
  return Records[It->second];
}

Operation &FunctionResult::operationAt(llvm::ArrayRef<const Expr *> Chain,
                                       const CallExpr *Call) {
  return recordAt(Operations, Index, Chain, Call);
}

DeviceQuestion &FunctionResult::questionAt(llvm::ArrayRef<const Expr *> Chain,
                                           const CallExpr *Call) {
  return recordAt(Questions, QuestionIndex, Chain, Call);
}

FrozenMove &FunctionResult::frozenMoveAt(llvm::ArrayRef<const Expr *> Chain,
                                         const CallExpr *Call) {
  return recordAt(FrozenMoves, FrozenMoveIndex, Chain, Call);
}

bool DeviceQuestionVisit::fails() const {
  const auto *Tensor = dyn_cast<TensorValue>(Asked);
  return isa<NoneValue>(Asked) ||
         (Tensor && Tensor->IsUndefined && Tensor->Story);
}

static bool fails(const OperationVisit &Visit) {
  return Visit.Outcome.Result == Compliance::Violates;
}

static bool fails(const DeviceQuestionVisit &Visit) { return Visit.fails(); }

static bool fails(const FrozenMoveVisit &Visit) { return Visit.IsMisplaced; }

template <typename Visit>
static bool anyFails(const std::vector<Visit> &Visits) {
  return llvm::any_of(Visits, [](const Visit &V) { return fails(V); });
}

template <typename Visit>
static void addFailing(const std::vector<Visit> &From,
                       std::vector<Visit> &Into) {
  llvm::copy_if(From, std::back_inserter(Into),
                [](const Visit &V) { return fails(V); });
}

void FunctionResult::addFailuresOf(const FunctionResult &Other) {
  for (const tdl::Operation &Op : Other.Operations) {
    tdl::Operation &Own = operationAt(Op.Chain, Op.Call);
    if (anyFails(Own.Visits))
      continue;
    Own.Op = Op.Op;
    Own.Row = Op.Row;
    addFailing(Op.Visits, Own.Visits);
  }
  for (const DeviceQuestion &Question : Other.Questions) {
    DeviceQuestion &Own = questionAt(Question.Chain, Question.Call);
    if (anyFails(Own.Visits))
      continue;
    Own.Op = Question.Op;
    Own.Source = Question.Source;
    addFailing(Question.Visits, Own.Visits);
  }
  for (const FrozenMove &Move : Other.FrozenMoves) {
    FrozenMove &Own = frozenMoveAt(Move.Chain, Move.Call);
    if (anyFails(Own.Visits))
      continue;
    Own.Source = Move.Source;
    addFailing(Move.Visits, Own.Visits);
  }
}
