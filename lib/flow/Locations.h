//===- Locations.h - The storage that one function names ------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers variables, members of *this, members of variables, globals and
// captures, and says what each holds before the function assigns to it: a
// parameter's tensor is on a device that is not known but is always the same,
// a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FLOW_LOCATIONS_H
#define TDL_FLOW_LOCATIONS_H

#include "flow/Parts.h"
#include "flow/State.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class DeclContext;
class Expr;
class QualType;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace tdl {

/// Names the symbols of one function, for people.
class SymbolTable {
public:
  SymbolId add(std::string Name);
  /// A device that the program names by itself, in a torch::Device, and not as
  /// where some tensor happens to be. \p Root is the variable that has it, or a
  /// member that has it, from the start, or *this where it is null; \p IsNamed
  /// says whether there is one of these, or an expression makes it.
  SymbolId addChosen(std::string Name, bool IsNamed,
                     const clang::ValueDecl *Root);
  /// "device of x".
  const std::string &name(SymbolId Id) const { return Symbols[Id].Name; }
  bool isChosen(SymbolId Id) const { return Symbols[Id].IsChosen; }
  /// Of a chosen device, see addChosen.
  bool isNamed(SymbolId Id) const { return Symbols[Id].IsNamed; }
  const clang::ValueDecl *root(SymbolId Id) const { return Symbols[Id].Root; }

private:
  struct Symbol {
    std::string Name;
    bool IsChosen = false;
    bool IsNamed = false;
    const clang::ValueDecl *Root = nullptr;
  };
  std::vector<Symbol> Symbols;
};

class Locations : public InitialValues {
public:
  Locations(ValueArena &Arena, FormulaArena &Formulas, AtomTable &Atoms,
            SymbolTable &Symbols, StoryBook &Stories)
      : Arena(Arena), Formulas(Formulas), Atoms(Atoms), Symbols(Symbols),
        Stories(Stories) {}

  /// The location of a variable, parameter, global, capture or structured
  /// binding.
  LocationId ofVariable(const clang::ValueDecl *Variable);
  /// *this of the function that is executed.
  LocationId ofThis();
  /// The member of *this of the function under analysis that \p Location is
  /// part of, directly or behind the member's initial pointer; null for a
  /// location that is not part of *this.
  const clang::ValueDecl *memberOfThis(LocationId Location) const;
  /// An object without a name that comes from outside, by the call on it.
  LocationId ofTemporary(const clang::Expr *E);
  /// The object that \p Site makes: a temporary, or one that new, make_shared
  /// or a module holder's constructor allocates, reached through the calls
  /// \p Chain.
  LocationId ofObject(llvm::ArrayRef<const clang::Expr *> Chain,
                      const clang::Expr *Site);
  /// Any of the modules in the container at \p Container.
  LocationId ofElement(LocationId Container);
  bool isElement(LocationId Location) const {
    return Nodes[Location].IsElement;
  }
  /// The object that the pointer at \p Pointer points to before anything is
  /// assigned to the pointer.
  LocationId ofPointee(LocationId Pointer);
  /// The parameters and buffers of the module at \p Module, as one tensor.
  LocationId ofState(LocationId Module);
  bool isState(LocationId Location) const { return Nodes[Location].IsState; }
  /// The pointer whose initial object \p Location is; none for any other.
  std::optional<LocationId> pointerTo(LocationId Location) const {
    return Nodes[Location].PointedBy;
  }
  /// Whether the object around \p Location was there before the function.
  bool isFromOutside(LocationId Location) const;
  /// From now on *this is at \p Location; none: the object that the function
  /// under analysis was called on. Returns what it was.
  std::optional<LocationId> setThis(std::optional<LocationId> Location);
  /// A data member of the object at \p Base.
  LocationId ofMember(LocationId Base, const clang::ValueDecl *Member);

  /// A reference that is bound to \p Target names the same storage.
  void bindReference(const clang::VarDecl *Reference, LocationId Target);

  /// \p Reference names storage of its own again.
  void unbindReference(const clang::VarDecl *Reference);

  /// The reference at \p Reference names a part of what a location holds: it
  /// keeps a value of its own, and a change of one is a change of the other.
  void namePart(LocationId Reference, PartPath Part);
  /// The references that \p Function declares name no parts any more.
  void unnamePartsIn(const clang::DeclContext *Function);
  /// What \p Reference may name a part of.
  llvm::ArrayRef<PartPath> partsNamedBy(LocationId Reference) const;
  /// The references that may name a part of what \p Whole holds.
  llvm::ArrayRef<LocationId> namesOfPartsOf(LocationId Whole) const;

  /// Whether \p Location is a variable that \p Context declares, or part of
  /// one.
  bool belongsTo(LocationId Location, const clang::DeclContext *Context) const;

  /// The variables that \p Context declares and that have been asked for.
  llvm::ArrayRef<LocationId>
  variablesOf(const clang::DeclContext *Context) const;

  /// \p Location and everything inside it.
  llvm::SmallVector<LocationId, 4> subtree(LocationId Location) const;

  const clang::ValueDecl *declaration(LocationId Location) const {
    return Nodes[Location].Declaration;
  }
  std::optional<LocationId> parent(LocationId Location) const;

  /// As the source names it: "x", "opts.device", "this->mask_" as "mask_".
  std::string name(LocationId Location) const;

  /// A value of the type of \p Location from outside the function; unknown for
  /// a local variable. Always the same one.
  const Value *initialValue(LocationId Location) override;

  /// The states of script modules are: who loads or copies one stores it.
  bool isStoredWhenMade(LocationId Location) const override;

  /// A value of type \p Type that is called \p Name and that nothing more is
  /// known of: a tensor, device or options at a symbol of its own, an atom for
  /// a bool. \p Key tells it from others of the same name. \p Root is rootOf of
  /// the location that has it from the start.
  const Value *symbolicValue(clang::QualType Type, const std::string &Name,
                             const std::string &Key,
                             const clang::ValueDecl *Declaration,
                             const clang::Expr *Site,
                             const clang::ValueDecl *Root = nullptr);
  /// The variable that \p Location is a part of, or that points to it, and so
  /// on; null for *this.
  const clang::ValueDecl *rootOf(LocationId Location) const;

  /// Variables that are declared in \p Context are local, all others come from
  /// outside.
  void setFunction(const clang::DeclContext *Context) { Function = Context; }

private:
  struct Node {
    /// Null for *this, objects without a name and states of modules.
    const clang::ValueDecl *Declaration = nullptr;
    std::optional<LocationId> Parent;
    llvm::SmallVector<LocationId, 2> Children;
    const Value *Initial = nullptr;
    std::optional<LocationId> PointedBy;
    bool IsState = false;
    bool IsMadeInside = false; ///< An object that the function makes.
    bool IsElement = false;
    bool IsScript = false; ///< A torch::jit::Module that the function makes.
  };

  LocationId add(Node N);
  LocationId root(LocationId Location) const;
  const Value *makeInitialValue(LocationId Location);
  const clang::ValueDecl *handleOf(LocationId Object) const;

  ValueArena &Arena;
  FormulaArena &Formulas;
  AtomTable &Atoms;
  SymbolTable &Symbols;
  StoryBook &Stories;
  std::vector<Node> Nodes;
  llvm::DenseMap<const clang::ValueDecl *, LocationId> ByVariable;
  llvm::DenseMap<const clang::DeclContext *, llvm::SmallVector<LocationId, 4>>
      ByContext;
  llvm::DenseMap<const clang::ValueDecl *, LocationId> BoundReferences;
  llvm::DenseMap<std::pair<LocationId, const clang::ValueDecl *>, LocationId>
      ByMember;
  llvm::DenseMap<const clang::Expr *, LocationId> ByTemporary;
  std::map<std::vector<const void *>, LocationId> ByObject; ///< Only looked up.
  llvm::DenseMap<LocationId, LocationId> ByContainer;
  llvm::DenseMap<LocationId, LocationId> ByPointer;
  llvm::DenseMap<LocationId, llvm::SmallVector<PartPath, 1>> PartsNamed;
  llvm::DenseMap<LocationId, llvm::SmallVector<LocationId, 2>> NamesOfParts;
  std::optional<LocationId> This;        ///< Of the function under analysis.
  std::optional<LocationId> CurrentThis; ///< Of a callee that is followed.
  const clang::DeclContext *Function = nullptr;
};

} // namespace tdl

#endif // TDL_FLOW_LOCATIONS_H
