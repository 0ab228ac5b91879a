//===- Records.cpp - The files in an archive ------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"

#include "../ErrorText.h"

#include <c10/core/CPUAllocator.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/version.h>

#include <algorithm>
#include <fstream>

namespace tdl {
namespace verify {

/// Code and pickles have a few hundred bytes for each tensor. Elements are
/// never read.
static constexpr size_t MaxRecordBytes = size_t(128) << 20;
static constexpr size_t MaxBytes = size_t(512) << 20;
static constexpr size_t MaxRecords = 1 << 20;
static constexpr size_t MaxName = 500;

namespace {

/// A record declares more than may be read.
struct TooLarge {
  size_t Bytes;
};

/// LibTorch's reader asks for as many bytes as the archive declares, before it
/// looks at them. This is where it asks.
class BoundedAllocator final : public c10::Allocator {
public:
  explicit BoundedAllocator(c10::Allocator &Inner) : Inner(Inner) {}
#if TORCH_VERSION_MAJOR >= 2
  c10::DataPtr allocate(size_t Bytes) override {
    check(Bytes);
    return Inner.allocate(Bytes);
  }
  void copy_data(void *To, const void *From, size_t Bytes) const override {
    default_copy_data(To, From, Bytes);
  }
#else
  c10::DataPtr allocate(size_t Bytes) const override {
    check(Bytes);
    return Inner.allocate(Bytes);
  }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return Inner.raw_deleter(); }

  size_t Bound = 0;

private:
  void check(size_t Bytes) const {
    if (Bytes > Bound)
      throw TooLarge{Bytes};
  }
  c10::Allocator &Inner;
};

} // namespace

/// In place of LibTorch's allocator for this process, which does nothing else.
static BoundedAllocator &allocator() {
  static BoundedAllocator *Bounded = [] {
    auto *Made = new BoundedAllocator(*c10::GetCPUAllocator());
    c10::SetCPUAllocator(Made, /*priority=*/255);
    return Made;
  }();
  return *Bounded;
}

struct Records::Reader {
  caffe2::serialize::PyTorchStreamReader Stream;
  explicit Reader(const std::string &Path) : Stream(Path) {}
};

std::string printable(std::string Text) {
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < 0x20 || C == 0x7f)
      C = '?';
  return Text;
}

void Records::fail(const std::string &What) const {
  throw ArchiveError(Path + ": " + printable(What));
}

/// The reader's own words, without where in LibTorch it says them.
static std::string readerText(const c10::Error &Error) {
  std::string Text = errorText(Error);
  size_t Begin = Text.find("PytorchStreamReader failed ");
  return Begin == std::string::npos ? Text : Text.substr(Begin);
}

/// Nothing is ever written by these names, so none can do harm. An archive that
/// has them is not one that LibTorch made.
void Records::checkName(const std::string &Name) const {
  std::string Inside = "/" + Name + "/";
  bool Leaves = Name.empty() || Name[0] == '/' ||
                Inside.find("/../") != std::string::npos ||
                Name.find('\\') != std::string::npos ||
                Name.find('\0') != std::string::npos;
  if (Name.size() > MaxName)
    fail("the archive holds a file whose name has " +
         std::to_string(Name.size()) + " bytes; it was not made by LibTorch");
  if (Leaves)
    fail("the archive holds a file named '" + Name +
         "', which is outside of its folder; it was not made by LibTorch");
}

Records::Records(const std::string &Path) : Path(Path), BytesLeft(MaxBytes) {
  if (!std::ifstream(Path, std::ios::binary))
    fail("cannot be opened");
  allocator().Bound = MaxRecordBytes;
  try {
    In = std::make_unique<Reader>(Path);
    Names = In->Stream.getAllRecords();
  } catch (const c10::Error &Error) {
    fail("expected an archive of TorchScript, of torch.save or of "
         "AOTInductor: " +
         readerText(Error));
  } catch (const TooLarge &Declared) {
    fail("its version is declared to have " + std::to_string(Declared.Bytes) +
         " bytes");
  }
  if (Names.size() > MaxRecords)
    fail("more than " + std::to_string(MaxRecords) + " files");
  std::sort(Names.begin(), Names.end());
  for (const std::string &Name : Names)
    checkName(Name);
}

Records::~Records() = default;

bool Records::has(const std::string &Name) const {
  return std::binary_search(Names.begin(), Names.end(), Name);
}

std::string Records::read(const std::string &Name) {
  allocator().Bound = std::min(MaxRecordBytes, BytesLeft);
  try {
    auto Record = In->Stream.getRecord(Name);
    size_t Size = std::get<1>(Record);
    BytesLeft -= Size;
    return std::string(static_cast<const char *>(std::get<0>(Record).get()),
                       Size);
  } catch (const TooLarge &Declared) {
    fail("'" + Name + "' is declared to have " +
         std::to_string(Declared.Bytes) + " bytes; at most " +
         std::to_string(MaxRecordBytes >> 20) + " MiB are read of a file, " +
         std::to_string(MaxBytes >> 20) + " MiB in all");
  } catch (const c10::Error &Error) {
    fail("'" + Name + "' cannot be read: " + readerText(Error));
  }
}

} // namespace verify
} // namespace tdl
