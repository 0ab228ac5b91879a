//===- Adjust.cpp - From a build's command to one that can be parsed ----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step is a function of its own over the whole list; adjustForParse runs
// them in order. Another compiler's adjuster is another branch there.
//
//===----------------------------------------------------------------------===//

#include "compile/Adjust.h"
#include "compile/Nvcc.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace tdl {

namespace {

enum class Form { Exact, Prefix, Value, Joined };
enum class Class {
  Keep,
  Output,
  Warning,
  GccOnly,
  CodeGen,
  Target,
  Pch,
  Device
};

struct FlagRow {
  StringLiteral Spelling;
  Form Shape;
  Class Kind;
};

constexpr FlagRow FlagRows[] = {
#define ADJUST_FLAG(Spelling, Shape, Kind) {Spelling, Form::Shape, Class::Kind},
#include "compile/AdjustFlags.def"
};

/// What the table says about an argument, and whether it has a value behind it.
struct Judgement {
  Class Kind = Class::Keep;
  bool TakesNext = false;
};

} // namespace

static Judgement judge(StringRef Argument) {
  for (const FlagRow &Row : FlagRows) {
    bool Same = Argument == Row.Spelling;
    bool Begins = Argument.starts_with(Row.Spelling);
    switch (Row.Shape) {
    case Form::Exact:
      if (Same)
        return {Row.Kind, false};
      break;
    case Form::Prefix:
      if (Begins)
        return {Row.Kind, false};
      break;
    case Form::Value:
      if (Same)
        return {Row.Kind, true};
      break;
    case Form::Joined:
      if (Begins)
        return {Row.Kind, Same};
      break;
    }
  }
  return {};
}

/// Flags whose value is an argument of its own, which may look like a flag.
static bool hasSeparateValue(StringRef Argument) {
  static constexpr StringLiteral Names[] = {"-I",
                                            "-D",
                                            "-U",
                                            "-isystem",
                                            "-iquote",
                                            "-include",
                                            "-imacros",
                                            "-idirafter",
                                            "-iprefix",
                                            "-isysroot",
                                            "-x",
                                            "-target",
                                            "-Xclang",
                                            "-include-pch",
                                            "-resource-dir",
                                            "-F",
                                            "-Xpreprocessor",
                                            "-iwithprefix",
                                            "-iwithprefixbefore",
                                            "-arch",
                                            "-B",
                                            "-Xarch_host"};
  return is_contained(Names, Argument);
}

/// The command without the classes that \p Drop names.
static Arguments dropClasses(ArrayRef<std::string> Command,
                             function_ref<bool(Class)> Drop) {
  Arguments Result = {Command[0]};
  for (size_t I = 1; I < Command.size(); ++I) {
    // After "--" there are only files.
    if (Command[I] == "--") {
      Result.insert(Result.end(), Command.begin() + I, Command.end());
      break;
    }
    if (hasSeparateValue(Command[I]) && I + 1 < Command.size()) {
      Result.push_back(Command[I]);
      Result.push_back(Command[++I]);
      continue;
    }
    Judgement Found = judge(Command[I]);
    if (!Drop(Found.Kind)) {
      Result.push_back(Command[I]);
      continue;
    }
    I += Found.TakesNext;
  }
  return Result;
}

/// Precompiled headers that the build made are not ours to read. What they
/// hold is included as text instead: CMake names the header beside the PCH
/// anyway, "-include-pch x.h.pch" alone becomes "-include x.h", and "-include
/// x.pch" or "x.gch" the header of that name.
static Arguments dropForeignPch(ArrayRef<std::string> Command) {
  Arguments Flat;
  for (size_t I = 0; I < Command.size(); ++I) {
    // "-Xclang -include -Xclang x.h", as CMake writes it.
    bool Hands = Command[I] == "-Xclang" && I + 1 < Command.size();
    StringRef Next = Hands ? StringRef(Command[I + 1]) : StringRef();
    bool Has = Hands && I + 3 < Command.size() && Command[I + 2] == "-Xclang";
    if (Has && (Next == "-include" || Next == "-include-pch")) {
      Flat.push_back(Next.str());
      Flat.push_back(Command[I + 3]);
      I += 3;
    } else if (Hands && judge(Next).Kind == Class::Pch) {
      ++I;
    } else {
      Flat.push_back(Command[I]);
    }
  }

  Arguments Result, Included;
  for (size_t I = 0; I < Flat.size(); ++I) {
    bool Include = Flat[I] == "-include" || Flat[I] == "-include-pch";
    if (!Include || I + 1 == Flat.size()) {
      Result.push_back(Flat[I]);
      continue;
    }
    StringRef Header = Flat[++I];
    Header.consume_back(".pch") || Header.consume_back(".gch");
    if (is_contained(Included, Header))
      continue;
    Included.push_back(Header.str());
    Result.push_back("-include");
    Result.push_back(Header.str());
  }
  return Result;
}

/// Drops options that clang has never heard of, if they begin with one of
/// \p Families.
static Arguments dropUnknown(ArrayRef<std::string> Command,
                             ArrayRef<StringRef> Families, Arguments *Dropped) {
  std::vector<const char *> Pointers;
  for (const std::string &Argument : drop_begin(Command))
    Pointers.push_back(Argument.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Pointers, MissingIndex, MissingCount,
      opt::Visibility(clang::options::ClangOption));
  std::vector<bool> Unknown(Command.size(), false);
  for (const opt::Arg *Argument :
       Parsed.filtered(clang::options::OPT_UNKNOWN)) {
    StringRef Text = Argument->getSpelling();
    if (any_of(Families,
               [&](StringRef Family) { return Text.starts_with(Family); }))
      Unknown[Argument->getIndex() + 1] = true;
  }
  Arguments Result;
  for (size_t I = 0; I < Command.size(); ++I) {
    if (!Unknown[I])
      Result.push_back(Command[I]);
    else if (Dropped)
      Dropped->push_back(Command[I]);
  }
  return Result;
}

/// "x86_64-linux-gnu-g++-12" without its version: "x86_64-linux-gnu-g++".
static StringRef programName(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  Name.consume_back(".exe");
  StringRef Stem = Name.rtrim("0123456789.");
  return Stem.size() < Name.size() && Stem.ends_with("-") ? Stem.drop_back()
                                                          : Name;
}

CompilerKind compilerKind(StringRef Program) {
  StringRef Name = programName(Program);
  if (Name == "nvcc")
    return CompilerKind::Nvcc;
  return Name.contains("clang") ? CompilerKind::Clang : CompilerKind::Gcc;
}

/// Clang finds headers relative to itself: libc++ beside a clang, libstdc++ of
/// the GCC in the same folder. So it keeps the folder of the build's compiler.
/// A cross compiler's name holds its target.
static Arguments nameCompiler(ArrayRef<std::string> Command) {
  StringRef Name = programName(Command[0]);
  bool Cxx = Name.ends_with("++");
  SmallString<128> Program = sys::path::parent_path(Command[0]);
  sys::path::append(Program, Cxx ? "clang++" : "clang");
  Arguments Result = {Program.str().str()};
  StringRef Prefix = Name.rsplit('-').first;
  if (Prefix != Name && Triple(Prefix).getArch() != Triple::UnknownArch)
    Result.push_back("--target=" + Prefix.str());
  Result.insert(Result.end(), Command.begin() + 1, Command.end());
  return Result;
}

static Arguments adjustGcc(ArrayRef<std::string> Command,
                           ArrayRef<StringRef> UnknownFamilies,
                           Arguments *Dropped) {
  Arguments Result = dropForeignPch(Command);
  Result = dropClasses(Result, [](Class Kind) {
    return Kind != Class::Keep && Kind != Class::Target;
  });
  return dropUnknown(Result, UnknownFamilies, Dropped);
}

Arguments adjustForParse(ArrayRef<std::string> Command, Arguments *Dropped) {
  if (Command.empty())
    return {};
  Arguments Result;
  switch (compilerKind(Command[0])) {
  case CompilerKind::Gcc:
  case CompilerKind::Clang:
    // A misspelled -I or a missing file is the user's to know.
    Result = adjustGcc(Command, {"-f", "-m"}, Dropped);
    break;
  case CompilerKind::Nvcc:
    // Another release of nvcc has other flags of its own.
    Result = adjustGcc(hostCommand(Command), {"-"}, Dropped);
    break;
  }
  Result = nameCompiler(Result);
  Result.insert(Result.begin() + 1, {"-w", "-fsyntax-only"});
  return Result;
}

Arguments adjustForPrelude(ArrayRef<std::string> ParseCommand) {
  return dropClasses(ParseCommand,
                     [](Class Kind) { return Kind == Class::Target; });
}

/// The last -x of a command, "-x cuda" or "-xcuda"; empty without one.
static StringRef languageOf(ArrayRef<std::string> Command) {
  StringRef Language;
  for (size_t I = 1; I < Command.size() && Command[I] != "--"; ++I) {
    StringRef Argument = Command[I];
    if (Argument == "-x" && I + 1 < Command.size())
      Language = Command[++I];
    else if (Argument.consume_front("-x"))
      Language = Argument;
    else if (hasSeparateValue(Argument))
      ++I;
  }
  return Language;
}

bool isCuda(ArrayRef<std::string> ParseCommand, StringRef File) {
  StringRef Language = languageOf(ParseCommand);
  if (!Language.empty() && Language != "none")
    return Language == "cuda";
  StringRef Ending = sys::path::extension(File);
  return Ending == ".cu" || Ending == ".cuh";
}

Arguments withSystemFolders(ArrayRef<std::string> ParseCommand,
                            ArrayRef<std::string> IncludeFolders) {
  Arguments Flags;
  for (const std::string &Folder : IncludeFolders)
    Flags.insert(Flags.end(), {"-isystem", Folder});
  Arguments Result = ParseCommand.vec();
  // After "--" there are only files.
  auto End = llvm::find(Result, "--");
  Result.insert(End, Flags.begin(), Flags.end());
  return Result;
}

Arguments adjustForCuda(ArrayRef<std::string> ParseCommand,
                        ArrayRef<std::string> IncludeFolders) {
  std::vector<std::string> Folders = IncludeFolders.vec();
  Folders.push_back(StandInFolder); // Real headers win.
  Arguments Result = withSystemFolders(ParseCommand, Folders);
  static constexpr StringLiteral Flags[] = {
      // The first of several; a header (.cuh) says nothing by its ending.
      "-x", "cuda", "--cuda-host-only",
      // clang would look for a whole toolkit, compiler and libraries included.
      "-nogpuinc", "-nogpulib",
      // Which function a launch calls depends on the release. Since CUDA 9.2
      // it has been the same.
      "-Xclang", "-target-sdk-version=12.8",
      // An id for each file would give each file a prelude of its own.
      "-fuse-cuid=none", "-include", CudaWrapper,
      // What nvcc declares for host code and clang does not.
      "-include", "nvcc_host_functions.h"};
  Result.insert(Result.begin() + 1, std::begin(Flags), std::end(Flags));
  return Result;
}

} // namespace tdl
