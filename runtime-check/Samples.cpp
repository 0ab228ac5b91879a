//===- Samples.cpp - Values for what the linter does not know -------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"

#include "OpNames.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace tdl {
namespace verify {

using Sizes = std::vector<int64_t>;

Role roleOf(const std::string &ArgumentName) {
  static const std::unordered_map<std::string, Role> Roles = {
      {"batch_sizes", Role::Count},
      {"condition", Role::Mask},
      {"index", Role::Index},
      {"indices", Role::Index},
      {"key_padding_mask", Role::Mask},
      {"lengths", Role::Count},
      {"mask", Role::Mask},
      {"offsets", Role::Index},
      {"repeats", Role::Count},
      {"target", Role::Target},
  };
  auto Found = Roles.find(ArgumentName);
  return Found == Roles.end() ? Role::Data : Found->second;
}

std::vector<int64_t> sizePool(const Finding &F) {
  constexpr size_t MaxCount = 5;
  constexpr int64_t Largest = 1 << 16;
  Sizes Pool = {2};
  auto Add = [&](int64_t Size) {
    if (Size >= 1 && Size <= Largest && Pool.size() < MaxCount &&
        std::find(Pool.begin(), Pool.end(), Size) == Pool.end())
      Pool.push_back(Size);
  };
  for (const Step &S : F.Steps)
    for (const Argument &A : S.Arguments) {
      if (namesDimensions(A))
        continue;
      if (A.ArgKind == Argument::Kind::IntList)
        for (int64_t Size : A.Ints)
          Add(Size);
      // A position needs a size beyond it; a window one of its own.
      if (A.ArgKind == Argument::Kind::Int)
        Add(A.Ints.front() + (S.Kind == StepKind::View ? 1 : 0));
    }
  if (std::find(Pool.begin(), Pool.end(), 1) == Pool.end())
    Pool.push_back(1);
  return Pool;
}

/// Sizes of one rank: equal ones first, then \p MaxMixed others.
static void addSizes(int Rank, const Sizes &Pool, size_t MaxMixed,
                     std::vector<Sizes> &Into) {
  for (int64_t Size : Pool) {
    Into.emplace_back(Rank, Size);
    if (Rank == 0)
      return;
  }
  // Counts in base Pool.size(), the last dimension fastest.
  std::vector<size_t> Digits(Rank, 0);
  for (size_t Mixed = 0; Mixed < MaxMixed;) {
    int Position = Rank - 1;
    while (Position >= 0 && ++Digits[Position] == Pool.size())
      Digits[Position--] = 0;
    if (Position < 0)
      return;
    if (std::count(Digits.begin(), Digits.end(), Digits[0]) == Rank)
      continue;
    Sizes S;
    for (size_t Digit : Digits)
      S.push_back(Pool[Digit]);
    Into.push_back(S);
    ++Mixed;
  }
}

static std::vector<Sizes> sizeChoices(RankNeed Need, Role R,
                                      const Sizes &Pool) {
  std::vector<Sizes> Choices;
  if (Need.Exact >= 0) {
    addSizes(Need.Exact, Pool, 30, Choices);
    return Choices;
  }
  // Rank 0 last: a 0-dimensional tensor may mix with other devices in many
  // operators, and nothing says that it is one.
  std::vector<int> Ranks = {2, 1, 3, 4, 0};
  if (R == Role::Target)
    std::swap(Ranks[0], Ranks[1]);
  if (Need.Least > Ranks[3])
    Ranks = {Need.Least, Need.Least + 1};
  for (int Rank : Ranks)
    if (Rank >= Need.Least)
      addSizes(Rank, Pool, 4, Choices);
  return Choices;
}

std::optional<c10::ScalarType> typeByName(const std::string &Name) {
  for (int I = 0; I < int(c10::ScalarType::NumOptions); ++I) {
    auto Type = c10::ScalarType(I);
    std::string Lower = c10::toString(Type);
    for (char &C : Lower)
      C = char(std::tolower(static_cast<unsigned char>(C)));
    if (Lower == Name)
      return Type;
  }
  return std::nullopt;
}

std::vector<c10::ScalarType> typeChoices(const std::string &DType, Role R) {
  using Type = c10::ScalarType;
  if (auto Known = typeByName(DType))
    return {*Known};
  switch (R) {
  case Role::Index:
    return {Type::Long, Type::Bool, Type::Int};
  case Role::Count:
    return {Type::Long};
  case Role::Mask:
    return {Type::Bool};
  case Role::Target:
    return {Type::Long, Type::Float};
  case Role::Data:
    break;
  }
  return {Type::Float, Type::Long, Type::Bool};
}

namespace {

/// Reads the nesting of a braced list, as far as sizes go.
class ListReader {
public:
  explicit ListReader(const std::string &Text) : Text(Text) {}
  /// At an opening brace; ends behind the closing one.
  bool read(Sizes &Into);
  bool isAtEnd() const { return At == Text.size(); }

private:
  bool readElement(Sizes &Into);
  void skipBlanks() {
    while (At < Text.size() && std::isspace((unsigned char)Text[At]))
      ++At;
  }

  const std::string &Text;
  size_t At = 0;
};

} // namespace

/// An inner list, or anything up to the next comma or brace of this list.
bool ListReader::readElement(Sizes &Into) {
  skipBlanks();
  if (At < Text.size() && Text[At] == '{')
    return read(Into);
  int Depth = 0;
  for (; At < Text.size(); ++At) {
    char C = Text[At];
    // What < and " begin cannot be told without the language's rules.
    if (C == '<' || C == '"' || C == '\'')
      return false;
    if (Depth == 0 && (C == ',' || C == '}'))
      return true;
    Depth += C == '(' || C == '[' || C == '{';
    Depth -= C == ')' || C == ']' || C == '}';
  }
  return false;
}

bool ListReader::read(Sizes &Into) {
  if (At >= Text.size() || Text[At++] != '{')
    return false;
  int64_t Count = 0;
  Sizes Inner;
  for (;;) {
    Sizes Element;
    if (!readElement(Element) || (Count++ && Element != Inner))
      return false;
    Inner = Element;
    skipBlanks();
    if (At >= Text.size())
      return false;
    if (Text[At++] == '}')
      break;
  }
  Into = Inner;
  Into.insert(Into.begin(), Count);
  return true;
}

std::optional<Sizes> literalSizes(const std::string &Text) {
  ListReader Reader(Text);
  Sizes Result;
  if (!Reader.read(Result) || !Reader.isAtEnd())
    return std::nullopt;
  return Result;
}

/// Sizes of host data whose list is in the source.
static std::optional<Sizes> givenSizes(const Step &S) {
  for (const Argument &A : S.Arguments)
    if (A.ArgKind == Argument::Kind::Opaque)
      if (auto Known = literalSizes(A.Text))
        return Known;
  return std::nullopt;
}

std::vector<TensorSpec> tensorChoices(const Step &S, Role R, RankNeed Need,
                                      const Sizes &Pool) {
  std::vector<TensorSpec> Choices;
  if (isHostDataFactory(operatorFor(S.Op)))
    if (auto Known = givenSizes(S))
      for (c10::ScalarType Type : typeChoices(S.DType, R))
        Choices.push_back({*Known, Type, true});
  if (!Choices.empty())
    return Choices;
  for (const Sizes &Size : sizeChoices(Need, R, Pool))
    for (c10::ScalarType Type : typeChoices(S.DType, R))
      Choices.push_back({Size, Type, true});
  return Choices;
}

static std::vector<c10::IValue> intListChoices(const Step &S,
                                               const std::string &Name, Role R,
                                               const Sizes &Pool) {
  std::vector<c10::IValue> Choices;
  if (S.Kind == StepKind::View || Name == "shape") {
    // Shapes of one tensor that any tensor can be viewed as.
    if (Name == "size" || Name == "shape") {
      if (S.Rank > 0) {
        Sizes Flat(S.Rank, 1);
        Flat.back() = -1;
        Choices.emplace_back(Flat);
      }
      Choices.emplace_back(Sizes{-1});
      Choices.emplace_back(Sizes{2, -1});
      return Choices;
    }
  }
  if (Name == "dim" || Name == "dims") {
    for (Sizes Dims : {Sizes{0}, Sizes{1}, Sizes{1, 0}, Sizes{0, 2, 1}})
      Choices.emplace_back(Dims);
    return Choices;
  }
  if (S.Kind == StepKind::Factory || S.Kind == StepKind::Like) {
    for (const Sizes &Size : sizeChoices({S.Rank, S.MinRank}, R, Pool))
      Choices.emplace_back(Size);
    return Choices;
  }
  for (Sizes Values : {Sizes{1}, Sizes{2}, Sizes{1, 1}, Sizes{2, 2}, Sizes{0}})
    Choices.emplace_back(Values);
  return Choices;
}

static std::vector<c10::IValue> intChoices(const std::string &Name,
                                           const Sizes &Pool) {
  static const std::unordered_map<std::string, Sizes> ByName = {
      {"dim", {0, 1, -1}}, {"dim0", {0, 1}},
      {"dim1", {1, 0}},    {"start", {0, 1}},
      {"index", {0}},      {"high", {2}},
      {"low", {0}},        {"reduction", {1, 0}},
      {"diagonal", {0}},   {"ignore_index", {-100}},
  };
  std::vector<c10::IValue> Choices;
  auto Found = ByName.find(Name);
  for (int64_t Value : Found == ByName.end() ? Pool : Found->second)
    Choices.emplace_back(Value);
  if (Found == ByName.end())
    for (int64_t Value : {1, 0})
      Choices.emplace_back(Value);
  return Choices;
}

std::vector<c10::IValue> valueChoices(const Step &S,
                                      const c10::Argument &Parameter, Role R,
                                      const Sizes &Pool) {
  const std::string &Name = Parameter.name();
  std::vector<c10::IValue> Choices;
  if (Parameter.default_value())
    Choices.push_back(*Parameter.default_value());
  auto Append = [&](std::vector<c10::IValue> More) {
    Choices.insert(Choices.end(), More.begin(), More.end());
  };
  switch (parameterType(Parameter).Kind) {
  case ParameterKind::Int:
    Append(intChoices(Name, Pool));
    break;
  case ParameterKind::Scalar:
    // An integer keeps factories such as arange integral.
    Append(Name == "end" || Name == "start" ? intChoices(Name, Pool)
                                            : std::vector<c10::IValue>{1.0, 1});
    break;
  case ParameterKind::IntList:
    Append(intListChoices(S, Name, R, Pool));
    break;
  case ParameterKind::Float:
    Append({1.0, 0.5});
    break;
  case ParameterKind::FloatList:
    Append({std::vector<double>{1.0}, std::vector<double>{1.0, 1.0}});
    break;
  case ParameterKind::Bool:
    Append({false, true});
    break;
  case ParameterKind::DType:
    for (c10::ScalarType Type : typeChoices(S.DType, R))
      Choices.emplace_back(int64_t(Type));
    break;
  default:
    break;
  }
  if (Choices.empty() && parameterType(Parameter).MayBeAbsent)
    Choices.emplace_back();
  return Choices;
}

static at::Tensor emptyOnCpu(const TensorSpec &Spec) {
  at::Tensor T = at::empty(Spec.Sizes, at::TensorOptions(Spec.Type));
  if (Spec.IsContiguous || Spec.Sizes.empty())
    return T;
  // A move to another device keeps the order of dimensions, but no gaps; a
  // vector has nothing else to offer.
  Sizes Stored = Spec.Sizes;
  if (Stored.size() >= 2) {
    std::swap(Stored.back(), Stored[Stored.size() - 2]);
    return at::empty(Stored, T.options()).transpose(-1, -2);
  }
  Stored.back() *= 2;
  return at::empty(Stored, T.options()).slice(-1, 0, Stored.back(), 2);
}

at::Tensor makeSample(const TensorSpec &Spec, Role R) {
  at::Tensor T = emptyOnCpu(Spec);
  if (c10::isIntegralType(Spec.Type, /*includeBool=*/false))
    return T.fill_(R == Role::Index || R == Role::Target ? 0 : 1);
  T.fill_(0.5); // True where the elements are booleans.
  if (Spec.Type == c10::ScalarType::Bool && T.dim() > 0 && T.size(-1) > 1)
    T.slice(-1, 1, T.size(-1), 2).zero_();
  return T;
}

} // namespace verify
} // namespace tdl
