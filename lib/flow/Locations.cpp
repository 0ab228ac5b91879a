//===- Locations.cpp - The storage that one function names ----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Locations.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

using namespace clang;
using namespace tdl;

SymbolId SymbolTable::add(std::string Name) {
  Symbols.push_back({std::move(Name)});
  return Symbols.size() - 1;
}

SymbolId SymbolTable::addChosen(std::string Name, bool IsNamed,
                                const ValueDecl *Root) {
  Symbols.push_back({std::move(Name), /*IsChosen=*/true, IsNamed, Root});
  return Symbols.size() - 1;
}

LocationId Locations::add(Node N) {
  Nodes.push_back(std::move(N));
  return Nodes.size() - 1;
}

LocationId Locations::ofVariable(const ValueDecl *Variable) {
  Variable = cast<ValueDecl>(Variable->getCanonicalDecl());
  auto Bound = BoundReferences.find(Variable);
  if (Bound != BoundReferences.end())
    return Bound->second;
  auto It = ByVariable.find(Variable);
  if (It != ByVariable.end())
    return It->second;
  Node N;
  N.Declaration = Variable;
  LocationId Id = add(std::move(N));
  ByVariable[Variable] = Id;
  ByContext[Variable->getDeclContext()].push_back(Id);
  return Id;
}

LocationId Locations::ofThis() {
  if (CurrentThis)
    return *CurrentThis;
  if (!This)
    This = add(Node());
  return *This;
}

const ValueDecl *Locations::memberOfThis(LocationId Location) const {
  while (Nodes[Location].Parent || Nodes[Location].PointedBy) {
    LocationId Around = Nodes[Location].Parent ? *Nodes[Location].Parent
                                               : *Nodes[Location].PointedBy;
    if (This && Around == *This && Nodes[Location].Declaration)
      return Nodes[Location].Declaration;
    Location = Around;
  }
  return nullptr;
}

LocationId Locations::root(LocationId Location) const {
  while (Nodes[Location].Parent)
    Location = *Nodes[Location].Parent;
  return Location;
}

LocationId Locations::ofObject(llvm::ArrayRef<const Expr *> Chain,
                               const Expr *Site) {
  std::vector<const void *> Key(Chain.begin(), Chain.end());
  Key.push_back(Site);
  auto It = ByObject.find(Key);
  if (It != ByObject.end())
    return It->second;
  Node N;
  N.IsMadeInside = true;
  N.IsScript = isScriptModule(Site->getType());
  LocationId Id = add(std::move(N));
  ByObject[std::move(Key)] = Id;
  return Id;
}

LocationId Locations::ofElement(LocationId Container) {
  auto It = ByContainer.find(Container);
  if (It != ByContainer.end())
    return It->second;
  Node N;
  N.Parent = Container;
  N.IsElement = true;
  LocationId Id = add(std::move(N));
  ByContainer[Container] = Id;
  Nodes[Container].Children.push_back(Id);
  return Id;
}

LocationId Locations::ofPointee(LocationId Pointer) {
  auto It = ByPointer.find(Pointer);
  if (It != ByPointer.end())
    return It->second;
  Node N;
  N.PointedBy = Pointer;
  LocationId Id = add(std::move(N));
  ByPointer[Pointer] = Id;
  return Id;
}

LocationId Locations::ofState(LocationId Module) {
  auto [It, Inserted] = ByMember.try_emplace({Module, nullptr}, 0);
  if (!Inserted)
    return It->second;
  Node N;
  N.Parent = Module;
  N.IsState = true;
  LocationId Id = add(std::move(N));
  ByMember[{Module, nullptr}] = Id;
  Nodes[Module].Children.push_back(Id);
  return Id;
}

LocationId Locations::ofTemporary(const Expr *E) {
  auto It = ByTemporary.find(E);
  if (It == ByTemporary.end())
    It = ByTemporary.try_emplace(E, add(Node())).first;
  return It->second;
}

std::optional<LocationId>
Locations::setThis(std::optional<LocationId> Location) {
  std::swap(CurrentThis, Location);
  return Location;
}

/// What the function under analysis did not make itself: parameters, members,
/// globals, what a lambda captures.
bool Locations::isFromOutside(LocationId Location) const {
  const Node &N = Nodes[Location];
  if (N.Parent || N.PointedBy)
    return isFromOutside(N.Parent ? *N.Parent : *N.PointedBy);
  if (N.IsMadeInside)
    return false;
  const auto *Variable = dyn_cast_or_null<VarDecl>(N.Declaration);
  if (!N.Declaration)
    return true;
  return Variable &&
         !(Variable->isLocalVarDecl() && !Variable->isStaticLocal() &&
           Variable->getDeclContext() == Function);
}

LocationId Locations::ofMember(LocationId Base, const ValueDecl *Member) {
  Member = cast<ValueDecl>(Member->getCanonicalDecl());
  auto [It, Inserted] = ByMember.try_emplace({Base, Member}, 0);
  if (!Inserted)
    return It->second;
  Node N;
  N.Declaration = Member;
  N.Parent = Base;
  LocationId Id = add(std::move(N));
  ByMember[{Base, Member}] = Id;
  Nodes[Base].Children.push_back(Id);
  return Id;
}

void Locations::bindReference(const VarDecl *Reference, LocationId Target) {
  BoundReferences[cast<ValueDecl>(Reference->getCanonicalDecl())] = Target;
}

void Locations::unbindReference(const VarDecl *Reference) {
  BoundReferences.erase(cast<ValueDecl>(Reference->getCanonicalDecl()));
}

void Locations::namePart(LocationId Reference, PartPath Part) {
  llvm::SmallVector<PartPath, 1> &Parts = PartsNamed[Reference];
  llvm::SmallVector<LocationId, 2> &Names = NamesOfParts[Part.Whole];
  if (!llvm::is_contained(Names, Reference))
    Names.push_back(Reference);
  for (PartPath &Known : Parts)
    if (Known.Whole == Part.Whole) {
      Known = std::move(Part);
      return;
    }
  Parts.push_back(std::move(Part));
}

void Locations::unnamePartsIn(const DeclContext *Function) {
  for (LocationId Reference : variablesOf(Function)) {
    for (const PartPath &Part : partsNamedBy(Reference))
      llvm::erase(NamesOfParts[Part.Whole], Reference);
    PartsNamed.erase(Reference);
  }
}

llvm::ArrayRef<PartPath> Locations::partsNamedBy(LocationId Reference) const {
  auto It = PartsNamed.find(Reference);
  return It == PartsNamed.end() ? llvm::ArrayRef<PartPath>() : It->second;
}

llvm::ArrayRef<LocationId> Locations::namesOfPartsOf(LocationId Whole) const {
  auto It = NamesOfParts.find(Whole);
  return It == NamesOfParts.end() ? llvm::ArrayRef<LocationId>() : It->second;
}

bool Locations::belongsTo(LocationId Location,
                          const DeclContext *Context) const {
  const ValueDecl *Declaration = Nodes[root(Location)].Declaration;
  return Declaration && Declaration->getDeclContext() == Context;
}

llvm::ArrayRef<LocationId>
Locations::variablesOf(const DeclContext *Context) const {
  auto It = ByContext.find(Context);
  return It == ByContext.end() ? llvm::ArrayRef<LocationId>() : It->second;
}

llvm::SmallVector<LocationId, 4> Locations::subtree(LocationId Location) const {
  llvm::SmallVector<LocationId, 4> All = {Location};
  for (size_t I = 0; I < All.size(); ++I)
    for (LocationId Child : Nodes[All[I]].Children)
      All.push_back(Child);
  return All;
}

std::optional<LocationId> Locations::parent(LocationId Location) const {
  return Nodes[Location].Parent;
}

std::string Locations::name(LocationId Location) const {
  const Node &N = Nodes[Location];
  if (N.IsState || N.IsElement)
    return N.Parent ? name(*N.Parent) : "this";
  if (N.PointedBy)
    return name(*N.PointedBy);
  std::string Name = N.Declaration ? N.Declaration->getNameAsString() : "this";
  if (N.Parent && Nodes[*N.Parent].PointedBy)
    return name(*N.Parent) + "->" + Name;
  if (N.Parent && Nodes[*N.Parent].Declaration)
    return name(*N.Parent) + "." + Name;
  return Name;
}

bool Locations::isStoredWhenMade(LocationId Location) const {
  return Nodes[Location].IsState && Nodes[*Nodes[Location].Parent].IsScript;
}

const Value *Locations::initialValue(LocationId Location) {
  const ValueDecl *Declaration = Nodes[Location].Declaration;
  if (!(Declaration || Nodes[Location].IsState) || !isFromOutside(Location))
    return Arena.unknown();
  if (!Nodes[Location].Initial) {
    // Not in place: it may add locations.
    const Value *Initial = makeInitialValue(Location);
    Nodes[Location].Initial = Initial;
  }
  return Nodes[Location].Initial;
}

const Value *Locations::makeInitialValue(LocationId Location) {
  if (Nodes[Location].IsState) {
    std::string Module = name(Location);
    Event Made;
    Made.Kind = StepKind::Input;
    Made.IsModuleState = true;
    Made.Declaration = handleOf(*Nodes[Location].Parent);
    Made.After = Place::symbol(Symbols.add("device of the module " + Module));
    Event &Story = Stories.add(std::move(Made));
    return Arena.make<TensorValue>(Story.After, Rank::unknown(),
                                   ElementType::Unknown, &Story);
  }
  const ValueDecl *Declaration = Nodes[Location].Declaration;
  if (pointedClass(Declaration->getType()))
    return Arena.make<PointerValue>(ofPointee(Location));
  return symbolicValue(Declaration->getType(), name(Location),
                       "location " + std::to_string(Location), Declaration,
                       nullptr, rootOf(Location));
}

const ValueDecl *Locations::rootOf(LocationId Location) const {
  while (true) {
    const Node &N = Nodes[Location];
    if (N.Parent)
      Location = *N.Parent;
    else if (N.PointedBy)
      Location = *N.PointedBy;
    else
      return N.Declaration;
  }
}

/// The variable or member that names the object at \p Object; null for an
/// object without a name.
const ValueDecl *Locations::handleOf(LocationId Object) const {
  const Node &N = Nodes[Object];
  return N.PointedBy ? Nodes[*N.PointedBy].Declaration : N.Declaration;
}

const Value *Locations::symbolicValue(QualType Type, const std::string &Name,
                                      const std::string &Key,
                                      const ValueDecl *Declaration,
                                      const Expr *Site, const ValueDecl *Root) {
  switch (torchTypeOf(Type)) {
  case TorchType::Tensor: {
    Event Made;
    Made.Kind = Site ? StepKind::Operation : StepKind::Input;
    Made.Declaration = Declaration;
    Made.Site = Site;
    Made.After = Place::symbol(Symbols.add("device of " + Name));
    Event &Story = Stories.add(std::move(Made));
    return Arena.make<TensorValue>(Story.After, Rank::unknown(),
                                   ElementType::Unknown, &Story);
  }
  case TorchType::Device:
  case TorchType::DeviceType:
    return Arena.make<DeviceValue>(
        Place::symbol(Symbols.addChosen(Name, /*IsNamed=*/!Site, Root)));
  case TorchType::Options: {
    auto *Options = Arena.make<OptionsValue>();
    Options->HasDevice = true;
    Options->Where = Place::symbol(Symbols.add("device of " + Name));
    return Options;
  }
  default:
    break;
  }
  if (className(Type) == "optional")
    Type = templateArgument(Type.getNonReferenceType()->getAsCXXRecordDecl());
  // A pair or tuple: each part on a device of its own.
  llvm::SmallVector<const Value *, 4> Parts;
  for (QualType Part : tupleTypes(Type)) {
    std::string Index = std::to_string(Parts.size());
    Parts.push_back(symbolicValue(Part, "std::get<" + Index + ">(" + Name + ")",
                                  Key + "." + Index, Declaration, Site, Root));
  }
  if (!Parts.empty())
    return Arena.make<ListValue>(Parts);
  if (!Type->isDependentType() && Type.getNonReferenceType()->isBooleanType()) {
    Atom Condition;
    Condition.Key = Key;
    Condition.Text = Name;
    return Arena.make<BoolValue>(Formulas.atom(Atoms.intern(Condition)));
  }
  return Arena.unknown();
}
