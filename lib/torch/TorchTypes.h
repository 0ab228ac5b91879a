//===- TorchTypes.h - Recognises LibTorch's types --------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are recognised by name and outermost namespace, not by full path:
// DeviceType is c10::DeviceType in LibTorch 1.13 and
// torch::headeronly::DeviceType in 2.11.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_TORCH_TORCHTYPES_H
#define TDL_TORCH_TORCHTYPES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace clang {
class CXXRecordDecl;
class Decl;
class NamedDecl;
class QualType;
} // namespace clang

namespace tdl {

enum class TorchType : uint8_t {
  None,
  Tensor,     ///< at::Tensor, at::TensorBase and classes derived from them.
  Device,     ///< c10::Device
  DeviceType, ///< c10::DeviceType
  Options,    ///< c10::TensorOptions
  ScalarType, ///< c10::ScalarType
  TypeMeta,   ///< caffe2::TypeMeta, what Tensor::dtype() returns.
  TensorIndex ///< at::indexing::TensorIndex
};

/// The type that \p Type, stripped of references, qualifiers and one layer of
/// std::optional, is.
TorchType torchTypeOf(clang::QualType Type);

/// Whether \p Type holds several tensors: vector, array, initializer_list,
/// ArrayRef, IListRef or c10::List of tensors or of optional tensors.
bool isTensorList(clang::QualType Type);

/// The type that is template argument number \p Index of \p Class; null for a
/// class without it, and for no class.
clang::QualType templateArgument(const clang::CXXRecordDecl *Class,
                                 unsigned Index = 0);

/// Whether \p Type is one of the standard library's or LibTorch's lists, arrays
/// or views of such, whatever its elements are.
bool isSequence(clang::QualType Type);

/// The type of the elements of \p Type, a sequence; null for any other type.
clang::QualType elementTypeOf(clang::QualType Type);

/// Whether \p Type is a map or dictionary of the standard library or of
/// LibTorch that has one entry a key.
bool isMap(clang::QualType Type);

/// Whether \p Type is std::pair.
bool isPair(clang::QualType Type);

/// Whether \p Type is a class of LibTorch's that holds the options of a function
/// or a module, as LinearOptions does; TensorOptions is none.
bool isOptionsClass(clang::QualType Type);

/// Whether \p D belongs to LibTorch: its outermost namespace is at, c10, caffe2
/// or torch.
bool isTorchDecl(const clang::Decl *D);

/// The name of the class that \p Type is, of the template for a
/// specialisation; empty for a type that is no class.
llvm::StringRef className(clang::QualType Type);

} // namespace tdl

#endif // TDL_TORCH_TORCHTYPES_H
