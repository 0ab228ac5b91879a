//===- Value.h - What the analysis knows of a C++ value --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Immutable values, owned by a ValueArena, shared by the states of one
// function. A null pointer never stands for a value; UnknownValue does.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_VALUE_H
#define TDL_FLOW_VALUE_H

#include "device/Condition.h"
#include "device/Place.h"
#include "device/TensorShape.h"
#include "flow/Story.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Casting.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Expr;
class LambdaExpr;
class Stmt;
class ValueDecl;
} // namespace clang

namespace tdl {

/// A variable, an object, or a part of one; numbered by Locations.
using LocationId = uint32_t;

class Value {
public:
  enum class Kind : uint8_t {
    Unknown,
    Tensor,
    Device,
    Options,
    Settings,
    ElementType,
    Bool,
    Int,
    String,
    Sizes,
    List,
    Map,
    Walk,
    None,
    Callable,
    Pointer,
    Record,
  };
  explicit Value(Kind K) : K(K) {}
  virtual ~Value() = default;
  Kind kind() const { return K; }

private:
  Kind K;
};

/// Nothing is known.
class UnknownValue : public Value {
public:
  UnknownValue() : Value(Kind::Unknown) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Unknown; }
};

/// A tensor, defined or not.
class TensorValue : public Value {
public:
  TensorValue(Place P, Rank R, ElementType E, const Event *Story)
      : Value(Kind::Tensor), Where(P), Dimensions(R), Elements(E),
        Story(Story) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Tensor; }

  Place Where;
  Rank Dimensions;
  ElementType Elements;
  const Event *Story;       ///< Null when nothing is known of its making.
  /// Default-constructed, moved from, a parameter that a layer is made without:
  /// exempt from every rule but that it has no device. Its story says why; null
  /// where it stands for the state of a module that has none.
  bool IsUndefined = false;
  /// The constants of a frozen script module, which no to() moves.
  bool IsFrozen = false;
  /// From a place in a list that may not have been filled yet: undefined, or
  /// what the rest says.
  bool MayBeUndefined = false;
  /// Of an element of a list whose place is not known: two tensors of different
  /// places of which it is one. Null: none, or not known.
  const TensorValue *OneOf = nullptr, *OrElse = nullptr;
};

/// A torch::Device or torch::DeviceType.
class DeviceValue : public Value {
public:
  explicit DeviceValue(Place P, const Event *OfTensor = nullptr)
      : Value(Kind::Device), Where(P), OfTensor(OfTensor) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Device; }

  Place Where;
  const Event *OfTensor; ///< The tensor that was asked for its device; null.
};

/// A torch::TensorOptions.
class OptionsValue : public Value {
public:
  OptionsValue() : Value(Kind::Options) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Options; }

  bool HasDevice = false;
  Place Where; ///< Meaningful when HasDevice.
  ElementType Elements = ElementType::Unknown;
  bool HasElements = false;
  const Event *OfTensor = nullptr; ///< Its device is this tensor's; null.
};

/// Options of a function or module of torch::nn: the tensors that were put into
/// them.
class SettingsValue : public Value {
public:
  SettingsValue() : Value(Kind::Settings) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Settings; }

  struct Setting {
    std::string Name; ///< Of the option: "weight".
    const Value *What = nullptr;
    const clang::Expr *Source = nullptr; ///< The setter's argument.
  };

  /// The setting of that name; null where none was put in.
  const Setting *find(llvm::StringRef Name) const;
  /// Puts \p New in the place of what had its name.
  void put(Setting New);

  llvm::SmallVector<Setting, 2> Given; ///< Sorted by name.
  bool HasOthers = false; ///< Options that are no tensors were given as well.
};

class ElementTypeValue : public Value {
public:
  explicit ElementTypeValue(ElementType E)
      : Value(Kind::ElementType), Elements(E) {}
  static bool classof(const Value *V) { return V->kind() == Kind::ElementType; }

  ElementType Elements;
};

class BoolValue : public Value {
public:
  explicit BoolValue(const Formula *F) : Value(Kind::Bool), Condition(F) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Bool; }

  const Formula *Condition;
};

class IntValue : public Value {
public:
  explicit IntValue(int64_t N) : Value(Kind::Int), Number(N) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Int; }

  int64_t Number;
};

class StringValue : public Value {
public:
  explicit StringValue(llvm::StringRef S)
      : Value(Kind::String), Text(S.str()) {}
  static bool classof(const Value *V) { return V->kind() == Kind::String; }

  std::string Text;
};

/// Sizes of a tensor (IntArrayRef), of which only their number is known.
class SizesValue : public Value {
public:
  explicit SizesValue(Rank R) : Value(Kind::Sizes), Dimensions(R) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Sizes; }

  Rank Dimensions;
};

/// A list, array, tuple or pair.
class ListValue : public Value {
public:
  explicit ListValue(llvm::ArrayRef<const Value *> Elements)
      : Value(Kind::List), Elements(Elements.begin(), Elements.end()) {}
  static bool classof(const Value *V) { return V->kind() == Kind::List; }

  /// All elements in order. With IsExact false: each element of the list is one
  /// of these; their number and order are not known.
  llvm::SmallVector<const Value *, 4> Elements;
  bool IsExact = true;
};

/// A map or dictionary. What it says of a key holds if there is an entry at the
/// key: an entry may be missing.
class MapValue : public Value {
public:
  MapValue() : Value(Kind::Map) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Map; }

  /// Keys are numbers and texts, each once, in the order of their first use.
  llvm::SmallVector<std::pair<const Value *, const Value *>, 4> Entries;
  /// What any other key may have; null where there is no other key.
  const Value *Others = nullptr;
};

/// A list or map that a loop walks over and changes element by element.
class WalkValue : public Value {
public:
  explicit WalkValue(const clang::Stmt *Loop) : Value(Kind::Walk), Loop(Loop) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Walk; }

  const clang::Stmt *Loop;
  const Value *Before = nullptr; ///< The list or map before the loop.
  /// The element whose round it is, where it is named by an index, list[i];
  /// null between rounds, and where a variable of the loop has it.
  const Value *Current = nullptr;
  /// What the rounds so far have made of their elements; null before the first
  /// ends.
  const Value *Done = nullptr;
};

/// nullopt, None, nullptr: surely nothing.
class NoneValue : public Value {
public:
  NoneValue() : Value(Kind::None) {}
  static bool classof(const Value *V) { return V->kind() == Kind::None; }
};

/// A lambda.
class CallableValue : public Value {
public:
  explicit CallableValue(const clang::LambdaExpr *Lambda)
      : Value(Kind::Callable), Lambda(Lambda) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Callable; }

  const clang::LambdaExpr *Lambda;
};

/// A pointer, smart pointer or module holder: the object that it points to.
class PointerValue : public Value {
public:
  explicit PointerValue(LocationId Target)
      : Value(Kind::Pointer), Target(Target) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Pointer; }

  LocationId Target;
};

/// A copy of an object of one of the program's classes.
class RecordValue : public Value {
public:
  RecordValue() : Value(Kind::Record) {}
  static bool classof(const Value *V) { return V->kind() == Kind::Record; }

  /// The value of \p Field; null when the record has none.
  const Value *field(const clang::ValueDecl *Field) const;

  /// In the order of declaration. A null field is the state of a module
  /// (Locations::ofState).
  llvm::SmallVector<std::pair<const clang::ValueDecl *, const Value *>, 4>
      Fields;
};

/// Makes values and keeps them until it goes.
class ValueArena {
public:
  ValueArena();

  const Value *unknown() const { return Unknown; }
  const Value *none() const { return None; }

  /// Tensors that one of \p Events made, and what is where they are, survive a
  /// join with anything else: the question is whether some path still has them.
  /// Null: none do.
  void setLasting(const llvm::DenseSet<const Event *> *Events) {
    Lasting = Events;
  }
  bool isLasting(const Value *V) const;
  /// Likewise tensors beside one that is undefined.
  void setDefinedLasts(bool Lasts) { DefinedLasts = Lasts; }
  bool definedLasts() const { return DefinedLasts; }

  template <typename T, typename... Args> T *make(Args &&...A) {
    auto Owned = std::make_unique<T>(std::forward<Args>(A)...);
    T *Made = Owned.get();
    Values.push_back(std::move(Owned));
    return Made;
  }

private:
  std::vector<std::unique_ptr<Value>> Values;
  const Value *Unknown;
  const Value *None;
  const llvm::DenseSet<const Event *> *Lasting = nullptr;
  bool DefinedLasts = false;
};

/// Equal in what is known; stories do not count.
bool sameKnowledge(const Value *A, const Value *B);

/// Adds the objects that \p V, or a part of it, points to, those that are not
/// in
/// \p Objects yet.
void addReachableObjects(const Value *V,
                         llvm::SmallVectorImpl<LocationId> &Objects);

/// Whether \p Holds is true of \p V or of one of its parts.
bool anyPart(const Value *V, llvm::function_ref<bool(const Value *)> Holds);

/// The join of two elements of a list. One that was not filled yet is no reason
/// to doubt the other: who uses it gets another error.
const Value *joinElements(ValueArena &Arena, const Value *A, const Value *B);

/// The least list above both: where their lengths differ, only what an element
/// may be is known.
const Value *joinLists(ValueArena &Arena, const ListValue &A,
                       const ListValue &B);

/// The least value above both.
const Value *join(ValueArena &Arena, const Value *A, const Value *B);

} // namespace tdl

#endif // TDL_FLOW_VALUE_H
