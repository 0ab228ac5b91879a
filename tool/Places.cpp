//===- Places.cpp - --why and --dump-places -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "ExitCode.h"
#include "compile/AbsolutePath.h"
#include "report/TextReport.h"
#include "llvm/Support/raw_ostream.h"

using namespace tdl;

llvm::Expected<AskedLine> tdl::askedLine(llvm::StringRef Text) {
  AskedLine Wanted;
  if (Text.empty())
    return Wanted;
  auto [File, Line] = Text.rsplit(':');
  if (File.empty() || Line.getAsInteger(10, Wanted.Line) || Wanted.Line == 0)
    return llvm::createStringError("--why=" + Text.str() +
                                   ": expected FILE:LINE, as in main.cpp:12");
  Wanted.File = absolutePath(File);
  return Wanted;
}

int tdl::reportPlaces(const RunResult &Result, const AskedLine &Asked,
                      TextReport &Text) {
  bool Any = false;
  for (const PlaceLine &Line : Result.Places) {
    bool IsWanted = Asked.File.empty() ||
                    (Line.At.Line == Asked.Line && Line.At.File == Asked.File);
    if (!IsWanted)
      continue;
    Any = true;
    Text.place(Line, !Asked.File.empty());
  }
  llvm::outs().flush();
  for (const std::string &Problem : Result.Problems)
    llvm::errs() << Problem << "\n";
  if (Result.Counts.FilesFailed)
    return static_cast<int>(ExitCode::Incomplete);
  if (!Any && !Asked.File.empty()) {
    llvm::errs() << "torch-device-lint: --why=" << Asked.File << ":"
                 << Asked.Line
                 << ": no tensor expression of an analysed function begins on "
                    "that line\n";
    return static_cast<int>(ExitCode::Usage);
  }
  return static_cast<int>(ExitCode::Clean);
}
