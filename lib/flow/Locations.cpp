//===- Locations.cpp - The storage that one function names -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "flow/Locations.h"
#include "torch/TorchTypes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

using namespace clang;
using namespace tdl;

SymbolId SymbolTable::add(std::string Name) {
  Names.push_back(std::move(Name));
  return Names.size() - 1;
}

LocationId Locations::add(Node N) {
  Nodes.push_back(std::move(N));
  return Nodes.size() - 1;
}

LocationId Locations::ofVariable(const ValueDecl *Variable) {
  Variable = cast<ValueDecl>(Variable->getCanonicalDecl());
  auto It = ByVariable.find(Variable);
  if (It != ByVariable.end())
    return It->second;
  Node N;
  N.Declaration = Variable;
  const auto *Var = dyn_cast<VarDecl>(Variable);
  bool IsLocal = isa<BindingDecl>(Variable) ||
                 (Var && Var->isLocalVarDecl() && !Var->isStaticLocal() &&
                  Var->getDeclContext() == Function);
  N.IsFromOutside = !IsLocal;
  LocationId Id = add(std::move(N));
  ByVariable[Variable] = Id;
  return Id;
}

LocationId Locations::ofThis() {
  if (!This) {
    Node N;
    N.IsFromOutside = true;
    This = add(std::move(N));
  }
  return *This;
}

LocationId Locations::ofMember(LocationId Base, const ValueDecl *Member) {
  Member = cast<ValueDecl>(Member->getCanonicalDecl());
  auto [It, Inserted] = ByMember.try_emplace({Base, Member}, 0);
  if (!Inserted)
    return It->second;
  Node N;
  N.Declaration = Member;
  N.Parent = Base;
  N.IsFromOutside = Nodes[Base].IsFromOutside;
  LocationId Id = add(std::move(N));
  ByMember[{Base, Member}] = Id;
  Nodes[Base].Children.push_back(Id);
  return Id;
}

void Locations::bindReference(const VarDecl *Reference, LocationId Target) {
  ByVariable[cast<ValueDecl>(Reference->getCanonicalDecl())] = Target;
}

llvm::SmallVector<LocationId, 4>
Locations::subtree(LocationId Location) const {
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
  std::string Name = N.Declaration ? N.Declaration->getNameAsString() : "this";
  if (N.Parent && Nodes[*N.Parent].Declaration)
    return name(*N.Parent) + "." + Name;
  return Name;
}

const Value *Locations::initialValue(LocationId Location) {
  if (Nodes[Location].Initial)
    return Nodes[Location].Initial;
  const ValueDecl *Declaration = Nodes[Location].Declaration;
  const Value *Initial = Arena.unknown();
  if (Nodes[Location].IsFromOutside && Declaration)
    Initial = symbolicValue(Declaration->getType(), name(Location),
                            "location " + std::to_string(Location), Declaration,
                            nullptr);
  Nodes[Location].Initial = Initial;
  return Initial;
}

const Value *Locations::symbolicValue(QualType Type, const std::string &Name,
                                      const std::string &Key,
                                      const ValueDecl *Declaration,
                                      const Expr *Site) {
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
    return Arena.make<DeviceValue>(Place::symbol(Symbols.add(Name)));
  case TorchType::Options: {
    auto *Options = Arena.make<OptionsValue>();
    Options->HasDevice = true;
    Options->Where = Place::symbol(Symbols.add("device of " + Name));
    return Options;
  }
  default:
    break;
  }
  if (!Type->isDependentType() &&
      Type.getNonReferenceType()->isBooleanType()) {
    Atom Condition;
    Condition.Key = Key;
    Condition.Text = Name;
    return Arena.make<BoolValue>(Formulas.atom(Atoms.intern(Condition)));
  }
  return Arena.unknown();
}
