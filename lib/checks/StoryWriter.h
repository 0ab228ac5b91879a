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
  /// All that it is given must outlive it.
  StoryWriter(const FunctionContext &, const PlaceFacts &,
              const PathCondition &, PathCondition &&, Finding &) = delete;

  /// Events that happen alike on a path that the finding is not on; their notes
  /// need no condition.
  void setUnconditional(llvm::ArrayRef<const Event *> Events) {
    Unconditional.assign(Events.begin(), Events.end());
  }

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
  bool isUnconditional(const Event &E) const;
  void addGuardNote(const Event &E);

  const FunctionContext &C;
  const PlaceFacts &Facts;
  const PathCondition &Path;
  const PathCondition &Told;
  Finding &Into;
  llvm::DenseMap<const Event *, int> Ids;
  llvm::SmallVector<const Event *, 8> Unconditional;
};

/// The point of \p Loc in the file that the user wrote: a macro's argument, or
/// its use.
SourcePoint pointOf(const FunctionContext &Context, clang::SourceLocation Loc);
SourceSpan spanOf(const FunctionContext &Context, clang::SourceRange Range);

} // namespace tdl

#endif // TDL_CHECKS_STORYWRITER_H
