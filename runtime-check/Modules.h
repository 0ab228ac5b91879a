//===- Modules.h - The modules of a story ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is one of torch::nn, a stand-in for a class of the program, or a
// small script in place of the one in the program's file. It is moved and
// called as LibTorch does it.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_RUNTIME_CHECK_MODULES_H
#define TDL_RUNTIME_CHECK_MODULES_H

#include "Layers.h"
#include "Samples.h"

#include <c10/core/Device.h>

#include <memory>

namespace tdl {
namespace verify {

/// What to build.
struct ModuleRecipe {
  enum class Kind {
    Layer,   ///< The only one of Layers itself.
    StandIn, ///< A module that registers Layers and the buffer.
    Script,
  };
  struct Part {
    const LayerKind *What = nullptr;
    std::vector<int64_t> Numbers;
  };
  Kind Made = Kind::Layer;
  std::vector<Part> Layers;
  at::Tensor Buffer;     ///< Undefined: none.
  int ScriptInputs = 0;  ///< How many tensors the script's forward() takes.
  std::string Parameter; ///< Which one tensor() is; empty: the first.
};

/// A module of LibTorch, on the CPU at first. LibTorch's exceptions pass
/// through.
class StoryModule {
public:
  virtual ~StoryModule();
  virtual void to(c10::Device Device) = 0;
  /// Saves it and loads it to there, as torch::load and torch::jit::load do.
  virtual void load(c10::Device Device) = 0;
  /// Loads it without a device, from a file that was saved on \p Saved.
  virtual void loadSavedOn(c10::Device Saved) = 0;
  /// torch::jit::freeze; false for a module that is no script.
  virtual bool freeze() { return false; }
  /// \p Layer is an index into the recipe's; a script has one forward().
  virtual at::Tensor run(size_t Layer, const LayerInputs &Inputs) = 0;
  /// All parameters and buffers.
  virtual std::vector<at::Tensor> state() const = 0;
  /// The parameter or buffer that an operation of the story takes as a tensor;
  /// undefined for a module without any. It moves with the module.
  virtual at::Tensor tensor() const = 0;
};

std::shared_ptr<StoryModule> makeModule(const ModuleRecipe &Recipe);

} // namespace verify
} // namespace tdl

#endif // TDL_RUNTIME_CHECK_MODULES_H
