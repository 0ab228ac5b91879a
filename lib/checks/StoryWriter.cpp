//===- StoryWriter.cpp - Turns events into the steps of a finding ---------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/StoryWriter.h"
#include "findings/Wording.h"
#include "flow/FunctionContext.h"
#include "flow/Syntax.h"
#include "torch/ModuleTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace tdl;

SourcePoint tdl::pointOf(const FunctionContext &Context, SourceLocation Loc) {
  const SourceManager &SM = Context.AST.getSourceManager();
  SourcePoint Point;
  PresumedLoc Presumed = SM.getPresumedLoc(SM.getFileLoc(Loc));
  if (Presumed.isInvalid())
    return Point;
  Point.File = Presumed.getFilename();
  Point.Line = Presumed.getLine();
  Point.Column = Presumed.getColumn();
  return Point;
}

SourceSpan tdl::spanOf(const FunctionContext &Context, SourceRange Range) {
  const SourceManager &SM = Context.AST.getSourceManager();
  SourceLocation Begin = SM.getFileLoc(Range.getBegin());
  SourceLocation Last = SM.getFileLoc(Range.getEnd());
  SourceLocation End =
      Lexer::getLocForEndOfToken(Last, 0, SM, Context.AST.getLangOpts());
  if (End.isInvalid())
    End = Last;
  SourceSpan Span;
  Span.Begin = pointOf(Context, Begin);
  Span.End = pointOf(Context, End);
  Span.Offset = SM.getFileOffset(Begin);
  unsigned EndOffset = SM.getFileOffset(End);
  bool IsOneFile = SM.getFileID(Begin) == SM.getFileID(End);
  Span.Length =
      IsOneFile && EndOffset > Span.Offset ? EndOffset - Span.Offset : 0;
  return Span;
}

std::string StoryWriter::placeText(Place P) const {
  P = Facts.resolve(P);
  if (P.isKnown())
    return P.str();
  if (P.isUnknown())
    return "";
  if (std::optional<DeviceType> Type = Facts.typeOf(P))
    return deviceTypeName(*Type).str();
  return "<" + C.Symbols.name(P.symbolId()) + ">";
}

static StepArgument
makeArgument(const EventArgument &From, const FunctionContext &C,
             const llvm::DenseMap<const Event *, int> &Ids) {
  StepArgument To;
  To.Name = From.Name;
  To.ArgKind = From.Kind;
  To.Text = From.Text;
  for (const Event *Input : From.Events) {
    auto It = Ids.find(Input);
    To.Steps.push_back(Input && It != Ids.end() ? It->second : -1);
  }
  if (To.ArgKind == StepArgument::Kind::Opaque && From.Source)
    To.Text = sourceText(From.Source, C.AST);
  return To;
}

bool StoryWriter::isUnconditional(const Event &E) const {
  return llvm::any_of(Unconditional, [&](const Event *Other) {
    return Other->Site == E.Site && Other->Declaration == E.Declaration &&
           Other->After == E.After;
  });
}

StoryStep StoryWriter::makeStep(const Event &E) {
  StoryStep Step;
  Step.Id = Into.Steps.size();
  Step.Kind = E.Kind;
  Step.Op = E.Op;
  if (E.Site) {
    Step.Text = sourceText(E.Site, C.AST);
    constexpr size_t MaxText = 80;
    if (Step.Text.size() > MaxText)
      Step.Text = Step.Text.substr(0, MaxText);
    Step.At = pointOf(C, E.Site->getExprLoc());
  } else if (E.Declaration) {
    Step.Text = E.Declaration->getNameAsString();
    Step.At = pointOf(C, E.Declaration->getLocation());
  }
  if (E.Subject)
    Step.Subject = E.Subject->getNameAsString();
  else if (E.Declaration)
    Step.Subject = E.Declaration->getNameAsString();
  Step.Place = placeText(E.After);
  Step.Rank = E.Dimensions.encoded();
  Step.DType = elementTypeName(E.Elements);
  if (!isUnconditional(E)) {
    PathCondition Common = E.Path;
    Common.keepCommon(Told);
    Step.Condition = Common.str(C.Atoms);
  }
  for (const EventArgument &Argument : E.Arguments)
    Step.Arguments.push_back(makeArgument(Argument, C, Ids));
  return Step;
}

int StoryWriter::addSteps(const Event *Last) {
  if (!Last)
    return -1;
  // Depth first without recursion: stories of generated code are long.
  llvm::SmallVector<std::pair<const Event *, bool>, 16> Pending = {
      {Last, false}};
  while (!Pending.empty()) {
    auto [E, InputsDone] = Pending.pop_back_val();
    if (Ids.count(E))
      continue;
    if (InputsDone) {
      StoryStep Step = makeStep(*E);
      Ids[E] = Step.Id;
      Into.Steps.push_back(std::move(Step));
      continue;
    }
    Pending.push_back({E, true});
    for (const EventArgument &Argument : llvm::reverse(E->Arguments))
      for (const Event *Input : llvm::reverse(Argument.Events))
        if (Input && !Ids.count(Input))
          Pending.push_back({Input, false});
  }
  return Ids[Last];
}

/// What a note calls the tensor of \p E.
static std::string subjectOf(const Event &E, const FunctionContext &C) {
  if (E.Subject)
    return E.Subject->getNameAsString();
  if (E.Declaration)
    return E.Declaration->getNameAsString();
  return E.Site ? sourceText(E.Site, C.AST) : "it";
}

void StoryWriter::addGuardNote(const Event &E) {
  if (!E.After.isSymbol())
    return;
  for (const PathCondition::Literal &L : Path.literals()) {
    const Atom &A = C.Atoms[L.first];
    auto Site = C.AtomSites.find(L.first);
    if (Site == C.AtomSites.end() || (A.A != E.After && A.B != E.After))
      continue;
    Into.Notes.push_back(
        {pointOf(C, Site->second->getExprLoc()),
         guardNote(A.str(L.second), placeText(E.After), subjectOf(E, C))});
  }
  auto Agreed = C.AgreedAt.find(E.After.symbolId());
  if (E.PlaceFrom || Agreed == C.AgreedAt.end())
    return;
  auto [Call, Other] = Agreed->second;
  if (Facts.compare(E.After, Other) == Agreement::Same)
    Into.Notes.push_back({pointOf(C, Call->getExprLoc()),
                          agreementNote(placeText(E.After), subjectOf(E, C))});
}

/// The text of a string literal, perhaps inside of constructors of strings;
/// empty for anything else.
static llvm::StringRef constantString(const Expr *E) {
  E = skipNoise(E);
  while (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0)
      return "";
    E = skipNoise(Construct->getArg(0));
  }
  const auto *Literal = dyn_cast<clang::StringLiteral>(E);
  return Literal && Literal->isOrdinary() ? Literal->getString() : "";
}

/// The archive that \p E loads a script module from, where the program names it
/// and it is there, seen from where the program is compiled; empty otherwise.
static llvm::StringRef archiveOf(const Event &E, const ASTContext &AST) {
  const auto *Load = dyn_cast_or_null<CallExpr>(E.Site);
  if (E.Op != "load" || !Load || Load->getNumArgs() == 0 ||
      !isScriptModule(Load->getType()))
    return "";
  llvm::StringRef Path = constantString(Load->getArg(0));
  FileManager &Files = AST.getSourceManager().getFileManager();
  return !Path.empty() && Files.getOptionalFileRef(Path) ? Path : "";
}

void StoryWriter::addNotes(const Event *E) {
  // The chain of events that carried the place, newest first.
  llvm::SmallVector<const Event *, 8> Chain;
  constexpr size_t MaxNotes = 6;
  for (; E && Chain.size() < MaxNotes; E = E->PlaceFrom) {
    bool IsPassing = E->Kind == StepKind::View ||
                     E->Kind == StepKind::Operation ||
                     E->Kind == StepKind::InPlace ||
                     (E->Kind == StepKind::Move && E->PlaceFrom);
    // What has no name and only passes a place on is not worth a note.
    if (!IsPassing || E->Subject || !E->PlaceFrom || E->Op == "freeze")
      Chain.push_back(E);
  }
  for (const Event *Part : llvm::reverse(Chain)) {
    StoryStep Step = makeStep(*Part);
    std::string Source;
    if (const Event *From = Part->PlaceFrom) {
      StoryStep FromStep = makeStep(*From);
      Source = FromStep.Subject.empty() ? FromStep.Text : FromStep.Subject;
    }
    if (Step.At.isValid())
      Into.Notes.push_back({Step.At, stepNote(Step, Source)});
    if (llvm::StringRef Archive = archiveOf(*Part, C.AST); !Archive.empty())
      Into.Notes.push_back({Step.At, archiveNote(Archive)});
    addGuardNote(*Part);
  }
}
