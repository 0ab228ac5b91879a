//===- ModuleTypes.h - Recognises modules and what points to them ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is an object of a class that is derived from torch::nn::Module. It
// is named by itself, by a raw or smart pointer, or by a holder (what
// TORCH_MODULE makes). A torch::jit::Module is a handle: copies share the
// module.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_MODULETYPES_H
#define TDL_TORCH_MODULETYPES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class QualType;
} // namespace clang

namespace tdl {

/// Whether \p Class is derived from torch::nn::Module; false for null.
bool isModuleClass(const clang::CXXRecordDecl *Class);

/// Whether \p Callee is register_module, register_parameter, register_buffer or
/// replace_module; false for null.
bool isRegistrationFunction(const clang::FunctionDecl *Callee);

/// The class of the modules that \p Type, a holder, holds; null for any other
/// type.
const clang::CXXRecordDecl *heldModuleClass(clang::QualType Type);

/// Whether \p Type is torch::jit::Module, or its mobile kin.
bool isScriptModule(clang::QualType Type);

/// Whether \p Type is torch::jit::Method, which names its module, or an
/// optional one.
bool isScriptMethod(clang::QualType Type);

/// Whether \p Type is a standard smart pointer that owns one object.
bool isSmartPointer(clang::QualType Type);

/// The class of the object that \p Type points to: a raw or smart pointer to
/// one of the program's classes or to a module, a holder, a torch::jit::Module
/// (its own class). Null for any other type.
const clang::CXXRecordDecl *pointedClass(clang::QualType Type);

/// The class of what \p Type names: itself or what it points to; null for a
/// type without one.
const clang::CXXRecordDecl *classBehind(clang::QualType Type);

/// Whether \p Type is torch::nn::AnyModule, a holder of a module of any class.
bool isAnyModule(clang::QualType Type);

/// The device type that the name of a class of AOTInductor's runners ends with,
/// "Cuda" of AOTIModelContainerRunnerCuda; empty for any other class.
llvm::StringRef compiledFor(const clang::CXXRecordDecl *Class);

/// Whether an object of \p Type is followed member by member: it is of one of
/// the program's classes, and no module holder.
bool isRecord(clang::QualType Type);

/// The name of LibTorch's module class \p Class in the contract table:
/// "nn::Linear" for torch::nn::LinearImpl. Empty for a class of the program.
std::string moduleOp(const clang::CXXRecordDecl *Class);

} // namespace tdl

#endif // TDL_TORCH_MODULETYPES_H
