//===- Recorder.cpp - Writes down every call of an operator ---------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that export_samples.py loads into Python beside LibTorch. While it
// records, each call that reaches LibTorch's dispatcher, from Python or from
// inside another operator, becomes one line of the kind that
// docs/formats/operator-samples.md describes. Calls whose arguments are no
// plain data (sparse or quantized tensors, generators that exist) are left out.
//
//===----------------------------------------------------------------------===//

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_set>

namespace {

/// Integers and booleans up to this many elements are written with their
/// values: an index must stay one.
constexpr int64_t MaxValues = 40;

/// Thrown for an argument that cannot be written down.
struct NotData {};

std::string intList(c10::IntArrayRef Ints) {
  std::string Text;
  for (int64_t Value : Ints)
    Text += (Text.empty() ? "" : ",") + std::to_string(Value);
  return Text;
}

/// No wrapper around another tensor, and nothing that is computed on reading.
bool isPlain(const at::Tensor &T) {
  static const c10::DispatchKeySet Special(
      {c10::DispatchKey::Python, c10::DispatchKey::FuncTorchBatched,
       c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::Functionalize,
       c10::DispatchKey::Conjugate, c10::DispatchKey::Negative,
       c10::DispatchKey::ZeroTensor, c10::DispatchKey::Batched});
  return T.device().is_cpu() && T.layout() == c10::kStrided &&
         T.unsafeGetTensorImpl()->has_storage() &&
         !T.key_set().has_any(Special);
}

/// Elements in their order, whatever the strides are.
template <class Element> std::string values(const at::Tensor &T) {
  auto *Data = static_cast<const Element *>(T.const_data_ptr());
  std::vector<int64_t> At(T.dim(), 0);
  std::string Text;
  for (int64_t Count = T.numel(); Count > 0; --Count) {
    int64_t Offset = 0;
    for (int64_t D = 0; D < T.dim(); ++D)
      Offset += At[D] * T.stride(D);
    Text += (Text.empty() ? "" : ",") + std::to_string(int64_t(Data[Offset]));
    for (int64_t D = T.dim() - 1; D >= 0 && ++At[D] == T.size(D); --D)
      At[D] = 0;
  }
  return Text;
}

std::string valuesOf(const at::Tensor &T) {
  if (T.numel() == 0 || T.numel() > MaxValues || !T.const_data_ptr())
    return "";
  switch (T.scalar_type()) {
  case c10::kLong:
    return "=" + values<int64_t>(T);
  case c10::kInt:
    return "=" + values<int32_t>(T);
  case c10::kBool:
    return "=" + values<uint8_t>(T);
  default:
    return "";
  }
}

std::string quoted(const std::string &Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Result += '\\';
    if (static_cast<unsigned char>(C) < ' ')
      throw NotData();
    Result += C;
  }
  return Result + '"';
}

/// "Float[2,3]", "Float[2,3]/1,2" where it is not contiguous, "Long[2]=0,1".
std::string tensor(const at::Tensor &T, bool IsWritten) {
  if (!T.defined())
    return "null";
  if (!isPlain(T) || c10::isQIntType(T.scalar_type()))
    throw NotData();
  std::string Text = std::string(c10::toString(T.scalar_type())) + "[" +
                     intList(T.sizes()) + "]";
  if (!T.is_contiguous())
    Text += "/" + intList(T.strides());
  // What is only written to may be memory that nobody has set.
  return quoted(IsWritten ? Text : Text + valuesOf(T));
}

std::string number(double Value) {
  if (std::isnan(Value))
    return "{\"float\":\"nan\"}";
  if (std::isinf(Value))
    return Value > 0 ? "{\"float\":\"inf\"}" : "{\"float\":\"-inf\"}";
  char Buffer[40];
  std::snprintf(Buffer, sizeof Buffer, "%.9g", Value);
  std::string Text = Buffer;
  if (Text.find_first_of(".e") == std::string::npos)
    Text += ".0"; // A reader must see that it is no integer.
  return Text;
}

std::string value(const c10::IValue &V, bool IsWritten) {
  if (V.isNone())
    return "null";
  if (V.isTensor())
    return tensor(V.toTensor(), IsWritten);
  if (V.isBool())
    return V.toBool() ? "true" : "false";
  if (V.isInt())
    return std::to_string(V.toInt());
  if (V.isDouble())
    return number(V.toDouble());
  if (V.isComplexDouble())
    return "{\"complex\":[" + number(V.toComplexDouble().real()) + "," +
           number(V.toComplexDouble().imag()) + "]}";
  if (V.isString())
    return "{\"string\":" + quoted(V.toStringRef()) + "}";
  if (V.isDevice())
    return "{\"device\":" + quoted(V.toDevice().str()) + "}";
  if (!V.isList())
    throw NotData();
  std::string Text;
  for (const c10::IValue &Element : V.toListRef())
    Text += (Text.empty() ? "" : ",") + value(Element, IsWritten);
  return "[" + Text + "]";
}

std::FILE *Out = nullptr;
std::mutex Guard;
std::unordered_set<std::string> Written;
at::CallbackHandle Handle;

std::string arguments(const at::RecordFunction &Call) {
  auto Schema = Call.operator_schema();
  std::string Text;
  size_t Position = 0;
  for (const c10::IValue &V : Call.inputs()) {
    auto *Alias = Schema->arguments()[Position++].alias_info();
    Text += (Text.empty() ? "" : ",") + value(V, Alias && Alias->isWrite());
  }
  return Text;
}

/// The line of a call that has not come to its end.
struct Pending : at::ObserverContext {
  std::string Line;
  int Exceptions = std::uncaught_exceptions();
};

std::unique_ptr<at::ObserverContext> onCall(const at::RecordFunction &Call) {
  auto Operator = Call.operator_name();
  if (!Operator || Operator->name.rfind("aten::", 0) != 0)
    return nullptr;
  auto Result = std::make_unique<Pending>();
  Result->Line = Operator->name.substr(6);
  if (!Operator->overload_name.empty())
    Result->Line += "." + Operator->overload_name;
  try {
    Result->Line += "\t[" + arguments(Call) + "]\n";
  } catch (const NotData &) {
    return nullptr;
  }
  return Result;
}

/// A call that is left by an exception teaches nothing.
void onEnd(const at::RecordFunction &, at::ObserverContext *Context) {
  auto *Done = static_cast<Pending *>(Context);
  if (!Done || std::uncaught_exceptions() > Done->Exceptions)
    return;
  std::lock_guard<std::mutex> Lock(Guard);
  if (Written.insert(Done->Line).second)
    std::fputs(Done->Line.c_str(), Out);
}

} // namespace

extern "C" {
/// Zero when the file cannot be written.
int recorder_start(const char *Path) {
  Out = std::fopen(Path, "w");
  if (!Out)
    return 0;
  Handle = at::addGlobalCallback(at::RecordFunctionCallback(onCall, onEnd)
                                     .needsInputs(true)
                                     .scopes({at::RecordScope::FUNCTION}));
  return 1;
}

void recorder_stop() {
  at::removeCallback(Handle);
  std::fclose(Out);
}
}
