//===- StoryWriter.h - Turns events into the steps of a finding ------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions are resolved here and clang's pointers end: a finding holds plain
// data.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_CHECKS_STORYWRITER_H
#define TDL_CHECKS_STORYWRITER_H

#include "device/PlaceFacts.h"
#include "findings/Finding.h"
#include "flow/Story.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class SourceLocation;
class SourceRange;
} // namespace clang

namespace tdl {

struct FunctionContext;

class StoryWriter {
public:
  /// \p Facts resolve symbols. \p Path is the path that reaches the finding,
  /// \p Told the part of it that the message names: a step tells its own
  /// condition where it is part of that.
  StoryWriter(const FunctionContext &Context, const PlaceFacts &Facts,
              const PathCondition &Path, const PathCondition &Told,
              Finding &Into)
      : C(Context), Facts(Facts), Path(Path), Told(Told), Into(Into) {}

  /// Adds the steps that end in \p E, inputs first; returns the step's id, -1
  /// for null.
  int addSteps(const Event *E);

  /// Adds the notes that say how the tensor of \p E came to be where it is,
  /// oldest first.
  void addNotes(const Event *E);

  /// As Finding.h encodes places.
  std::string placeText(Place P) const;

private:
  StoryStep makeStep(const Event &E);
  void addGuardNote(const Event &E);

  const FunctionContext &C;
  const PlaceFacts &Facts;
  const PathCondition &Path;
  const PathCondition &Told;
  Finding &Into;
  llvm::DenseMap<const Event *, int> Ids;
};

/// The point of \p Loc in the file that the user wrote: a macro's argument, or
/// its use.
SourcePoint pointOf(const FunctionContext &Context, clang::SourceLocation Loc);
SourceSpan spanOf(const FunctionContext &Context, clang::SourceRange Range);

} // namespace tdl

#endif // TDL_CHECKS_STORYWRITER_H
