//===- Modules.cpp - The modules of a story -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules.h"

#include "Overloads.h"

#include <ATen/ops/full.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/nn/module.h>
#include <torch/serialize.h>

#include <sstream>

namespace tdl {
namespace verify {

StoryModule::~StoryModule() = default;

//===----------------------------------------------------------------------===//
// torch::nn
//===----------------------------------------------------------------------===//

/// Numbers that keep what is computed from samples between 0 and 1, in place of
/// LibTorch's random ones.
static void fillParameters(torch::nn::Module &Module) {
  for (at::Tensor &P : Module.parameters()) {
    bool IsWeight = P.dim() >= 2 && P.numel() > 0;
    P.fill_(IsWeight ? 0.5 * double(P.size(0)) / double(P.numel()) : 0.25);
  }
}

static at::Tensor findTensor(const torch::nn::Module &Module,
                             const std::string &Name) {
  if (const at::Tensor *Named = Module.named_parameters().find(Name))
    return *Named;
  if (const at::Tensor *Named = Module.named_buffers().find(Name))
    return *Named;
  return at::Tensor();
}

namespace {
class NnModule : public StoryModule {
public:
  explicit NnModule(const ModuleRecipe &Recipe);
  void to(c10::Device Device) override { Root->to(Device); }
  void load(c10::Device Device) override;
  void loadSavedOn(c10::Device Saved) override;
  at::Tensor run(size_t Layer, const LayerInputs &Inputs) override {
    return Layers[Layer].Forward(Inputs);
  }
  std::vector<at::Tensor> state() const override;
  at::Tensor tensor() const override;

private:
  std::vector<Layer> Layers;
  std::shared_ptr<torch::nn::Module> Root;
  std::string Parameter;
};
} // namespace

NnModule::NnModule(const ModuleRecipe &Recipe) : Parameter(Recipe.Parameter) {
  for (const ModuleRecipe::Part &P : Recipe.Layers)
    Layers.push_back(P.What->Make(P.Numbers));
  if (Recipe.Made == ModuleRecipe::Kind::Layer) {
    Root = Layers.front().Module;
  } else {
    Root = std::make_shared<torch::nn::Module>("StandIn");
    for (size_t I = 0; I < Layers.size(); ++I)
      Root->register_module("layer" + std::to_string(I), Layers[I].Module);
    if (Recipe.Buffer.defined())
      Root->register_buffer("buffer", Recipe.Buffer);
  }
  fillParameters(*Root);
}

void NnModule::load(c10::Device Device) {
  std::stringstream File;
  torch::save(Root, File);
  torch::load(Root, File, Device);
}

/// The module itself stays where it is until the file is read.
void NnModule::loadSavedOn(c10::Device Saved) {
  c10::Device Before = tensor().defined() ? tensor().device() : Saved;
  std::stringstream File;
  Root->to(Saved);
  torch::save(Root, File);
  Root->to(Before);
  torch::load(Root, File);
}

std::vector<at::Tensor> NnModule::state() const {
  std::vector<at::Tensor> All = Root->parameters();
  for (const at::Tensor &Buffer : Root->buffers())
    All.push_back(Buffer);
  return All;
}

at::Tensor NnModule::tensor() const {
  for (const std::string &Name : {Parameter, std::string("buffer")}) {
    at::Tensor Named = findTensor(*Root, Name);
    if (Named.defined())
      return Named;
  }
  std::vector<at::Tensor> All = state();
  return All.empty() ? at::Tensor() : All.front();
}

//===----------------------------------------------------------------------===//
// torch::jit
//===----------------------------------------------------------------------===//

namespace {
/// Each input meets the parameter, as it must in any script that uses both.
class ScriptModule : public StoryModule {
public:
  explicit ScriptModule(int InputCount);
  void to(c10::Device Device) override { Module.to(Device); }
  void load(c10::Device Device) override;
  void loadSavedOn(c10::Device Saved) override;
  bool freeze() override;
  at::Tensor run(size_t Layer, const LayerInputs &Inputs) override;
  std::vector<at::Tensor> state() const override;
  at::Tensor tensor() const override { return state().front(); }

private:
  torch::jit::Module Module;
};
} // namespace

ScriptModule::ScriptModule(int InputCount) : Module("StandIn") {
  Module.register_parameter("weight", at::full({1}, 0.5), /*is_buffer=*/false);
  std::string Head = "def forward(self";
  std::string Body = "  y = self.weight\n";
  for (int I = 0; I < InputCount; ++I) {
    std::string Name = "x" + std::to_string(I);
    Head += ", " + Name;
    Body += "  y = self.weight + " + Name + "\n";
  }
  Module.define(Head + "):\n" + Body + "  return y\n");
}

void ScriptModule::load(c10::Device Device) {
  std::stringstream File;
  Module.save(File);
  Module = torch::jit::load(File, Device);
}

void ScriptModule::loadSavedOn(c10::Device Saved) {
  std::stringstream File;
  Module.to(Saved);
  Module.save(File);
  Module = torch::jit::load(File);
}

bool ScriptModule::freeze() {
  Module.eval();
  Module = torch::jit::freeze(Module);
  return true;
}

at::Tensor ScriptModule::run(size_t, const LayerInputs &Inputs) {
  std::vector<c10::IValue> Values;
  for (const LayerInput &Input : Inputs)
    for (const at::Tensor &T : Input.Tensors)
      Values.emplace_back(T);
  try {
    return Module.forward(Values).toTensor();
  } catch (const c10::Error &) {
    throw;
  } catch (const std::exception &Error) {
    // The interpreter wraps LibTorch's message in a trace of the script.
    std::string Text = Error.what();
    const std::string Before = "RuntimeError: ";
    size_t Message = Text.rfind(Before);
    if (Message != std::string::npos)
      Text.erase(0, Message + Before.size());
    TORCH_CHECK(false, Text);
  }
}

std::vector<at::Tensor> ScriptModule::state() const {
  std::vector<at::Tensor> All;
  for (const at::Tensor &P : Module.parameters())
    All.push_back(P);
  for (const at::Tensor &B : Module.buffers())
    All.push_back(B);
  // Of a frozen module, the constants.
  for (const torch::jit::Node *N :
       Module.get_method("forward").graph()->nodes())
    if (N->kind() == c10::prim::Constant &&
        N->hasAttribute(c10::attr::value) &&
        N->kindOf(c10::attr::value) == torch::jit::AttributeKind::t)
      All.push_back(N->t(c10::attr::value));
  return All;
}

std::shared_ptr<StoryModule> makeModule(const ModuleRecipe &Recipe) {
  if (Recipe.Made == ModuleRecipe::Kind::Script)
    return std::make_shared<ScriptModule>(Recipe.ScriptInputs);
  return std::make_shared<NnModule>(Recipe);
}

} // namespace verify
} // namespace tdl
