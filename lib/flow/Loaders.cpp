//===- Loaders.cpp - What a data loader hands out -------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LibTorch's datasets make CPU tensors, and Stack puts them together where they
// are (torch/csrc/api/src/data/datasets, transforms/stack.h). A dataset of the
// program is asked through its own get().
//
//===----------------------------------------------------------------------===//

#include "flow/Evaluator.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "torch/TorchTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tdl;

static QualType typeArgument(QualType Type, unsigned Index) {
  return templateArgument(Type.getNonReferenceType()->getAsCXXRecordDecl(),
                          Index);
}

static bool isTorchClass(QualType Type) {
  const CXXRecordDecl *Class =
      Type.isNull() ? nullptr
                    : Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && isTorchDecl(Class);
}

/// The dataset that the loader of type \p Loader reads in the end; null where a
/// transform on the way may move what it hands on.
static QualType datasetOf(QualType Loader) {
  if (!llvm::StringSwitch<bool>(className(Loader))
           .Cases({"StatelessDataLoader", "StatefulDataLoader"}, true)
           .Default(false))
    return QualType();
  QualType Dataset = typeArgument(Loader, 0);
  while (!Dataset.isNull() && isTorchClass(Dataset) &&
         className(Dataset) == "MapDataset") {
    QualType Transform = typeArgument(Dataset, 1);
    bool KeepsDevice = isTorchClass(Transform) &&
                       llvm::StringSwitch<bool>(className(Transform))
                           .Cases({"Stack", "Normalize"}, true)
                           .Default(false);
    if (!KeepsDevice)
      return QualType();
    Dataset = typeArgument(Dataset, 0);
  }
  return Dataset;
}

const Value *Evaluator::batchTensor(const Expr *Loader, Disjunct &D) {
  Event E;
  E.Kind = StepKind::Batch;
  E.Op = "data loader";
  E.Site = Loader;
  E.After = Place::known(DeviceType::CPU);
  E.Dimensions = Rank::atLeastOne();
  E.Path = D.Path;
  return makeTensor(std::move(E));
}

const Value *Evaluator::evaluateBatch(const Expr *Loader, QualType Batch,
                                      Disjunct &D) {
  QualType Dataset = datasetOf(skipNoise(Loader)->getType());
  const CXXRecordDecl *Class =
      Dataset.isNull() ? nullptr : Dataset->getAsCXXRecordDecl();
  if (!Class || !isTorchDecl(Class) || Class->getName() != "MNIST" ||
      !isRecord(Batch))
    return nullptr;
  // The range of a range-for has no name of its own.
  const auto *Named = dyn_cast<DeclRefExpr>(skipNoise(Loader));
  const auto *Range = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
  if (Range && Range->isImplicit() && Range->getInit())
    Loader = skipNoise(Range->getInit());
  auto *Record = C.Arena.make<RecordValue>();
  for (const FieldDecl *Field :
       Batch.getNonReferenceType()->getAsCXXRecordDecl()->fields())
    Record->Fields.push_back({Field, batchTensor(Loader, D)});
  return Record;
}

const FunctionDecl *Evaluator::datasetGet(const Expr *Loader) {
  QualType Dataset = datasetOf(skipNoise(Loader)->getType());
  const CXXRecordDecl *Class =
      Dataset.isNull() ? nullptr : Dataset->getAsCXXRecordDecl();
  if (!Class || isTorchDecl(Class) || !Class->hasDefinition())
    return nullptr;
  const FunctionDecl *Get = nullptr;
  for (const CXXMethodDecl *Method : Class->methods()) {
    if (!Method->getIdentifier())
      continue;
    if (Method->getName() == "get_batch")
      return nullptr;
    if (Method->getName() == "get")
      Get = Method;
  }
  return Get;
}
