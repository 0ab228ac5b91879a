//===- Wording.cpp - The sentences of findings ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "findings/Wording.h"

using namespace tdl;

std::string tdl::quoted(llvm::StringRef Text) {
  constexpr size_t MaxLength = 48;
  if (Text.size() <= MaxLength)
    return "'" + Text.str() + "'";
  return "'" + Text.take_front(MaxLength - 3).str() + "...'";
}

std::string tdl::placeInWords(llvm::StringRef Place) {
  if (Place.empty())
    return "on an unknown device";
  if (Place.starts_with("<")) {
    llvm::StringRef Name = Place.trim("<>");
    Name.consume_front("the ");
    return "on the " + Name.str();
  }
  return "on " + Place.str();
}

std::string tdl::conditionSuffix(llvm::StringRef Condition, bool IsFurther) {
  if (Condition.empty())
    return "";
  return (IsFurther ? " and " : " when ") + Condition.str();
}

/// Two operands with one text need their parameter's names.
static std::string named(const FindingOperand &O, const FindingOperand &Other) {
  if (O.Text == Other.Text)
    return "argument '" + O.Name + "'";
  return quoted(O.Text);
}

std::string tdl::crossDeviceIndexMessage(const FindingOperand &Base,
                                         const FindingOperand &Index,
                                         llvm::StringRef Op) {
  // Two that go with the indices into an embedding table.
  auto IsTable = [](const FindingOperand &O) {
    return O.Name == "weight" || O.Name == "self" || O.Name == "state";
  };
  if (Op.contains("embedding") && !IsTable(Base) && !IsTable(Index))
    return crossDeviceOpMessage(Base, Index, Op);
  llvm::StringRef What = "index tensor ";
  if (Op.contains("mask"))
    What = "mask ";
  else if (llvm::StringRef(Index.Name).starts_with("value") ||
           Index.Name == "source" || Index.Name == "src" || Index.Name == "rhs")
    What = "value ";
  llvm::StringRef BaseWhat = Op.contains("embedding")  ? "embedding table "
                             : What == "index tensor " ? "indexed tensor "
                                                       : "tensor ";
  return What.str() + named(Index, Base) + " is " + placeInWords(Index.Place) +
         ", but the " + BaseWhat.str() + named(Base, Index) + " is " +
         placeInWords(Base.Place);
}

std::string tdl::crossDeviceOpMessage(const FindingOperand &First,
                                      const FindingOperand &Second,
                                      llvm::StringRef Op) {
  return "operands of '" + Op.str() +
         "' are on different devices: " + named(First, Second) + " is " +
         placeInWords(First.Place) + ", " + named(Second, First) + " is " +
         placeInWords(Second.Place);
}

std::string tdl::crossDeviceModuleMessage(const FindingOperand &First,
                                          const FindingOperand &Second,
                                          llvm::StringRef Op) {
  bool FirstIsModule = First.Name == "state";
  if (!FirstIsModule && Second.Name != "state")
    return crossDeviceOpMessage(First, Second, Op);
  const FindingOperand &Module = FirstIsModule ? First : Second;
  const FindingOperand &Input = FirstIsModule ? Second : First;
  return "input " + quoted(Input.Text) + " is " + placeInWords(Input.Place) +
         ", but the module " + quoted(Module.Text) + " is " +
         placeInWords(Module.Place);
}

std::string tdl::placeLineText(const PlaceLine &Line) {
  std::string Text = quoted(Line.Text) + " is ";
  Text += Line.Place == "undefined" ? "undefined" : placeInWords(Line.Place);
  Text += conditionSuffix(Line.Condition);
  return Line.Why.empty() ? Text : Text + ": " + Line.Why;
}

std::string tdl::hostOnlyMessage(const FindingOperand &Argument,
                                 llvm::StringRef Op) {
  return "argument '" + Argument.Name + "' of '" + Op.str() +
         "' must be on cpu, but " + quoted(Argument.Text) + " is " +
         placeInWords(Argument.Place);
}

std::string tdl::discardedTransferMessage(llvm::StringRef Op,
                                          llvm::StringRef Receiver) {
  return "the result of '" + Op.str() + "' is dropped; " + quoted(Receiver) +
         " itself does not change";
}

std::string tdl::loadDeviceMessage(llvm::StringRef Loaded,
                                   llvm::StringRef Partner,
                                   llvm::StringRef Place) {
  return quoted(Loaded) +
         " is loaded to the device that it was saved on, but meets " +
         quoted(Partner) + " " + placeInWords(Place);
}

std::string tdl::leftBehindMessage(llvm::StringRef Module,
                                   llvm::StringRef Place,
                                   llvm::StringRef Optimizer,
                                   llvm::StringRef Left) {
  return quoted(Module) + " are " + placeInWords(Place) + ", but what " +
         quoted(Optimizer) + " keeps of them is " + placeInWords(Left);
}

std::string tdl::savedOnHostCondition(llvm::StringRef Path) {
  std::string Saved = "the file was saved on cpu";
  return Path.empty() ? Saved : Path.str() + " and " + Saved;
}

std::string tdl::meetingNote(llvm::StringRef Op) {
  if (Op == "optim::Optimizer")
    return "they meet in 'step'";
  return "they meet in " + quoted(Op == "jit::Module" ? "forward" : Op) +
         " here";
}

std::string tdl::loadDeviceFixDescription(llvm::StringRef Device) {
  return "load to " + quoted(Device);
}

std::string tdl::undefinedTensorMessage(llvm::StringRef Tensor,
                                        llvm::StringRef Op) {
  return quoted(Tensor) + " is undefined and has no device, so " + quoted(Op) +
         " throws";
}

std::string tdl::useDefinedMemberFixDescription(llvm::StringRef Member,
                                                llvm::StringRef Defined) {
  return "ask " + quoted(Defined) + " instead of " + quoted(Member);
}

std::string tdl::frozenMoveMessage(llvm::StringRef Module, llvm::StringRef From,
                                   llvm::StringRef Target) {
  std::string Stay = From.empty() ? "where they are" : From.str();
  std::string To = placeInWords(Target).substr(3); // "on cpu", "on the device".
  return quoted(Module) + " is frozen, so 'to' does not move it to " + To +
         ": its constants stay " + Stay;
}

static bool hasDevice(const StoryStep &Step) {
  for (const StepArgument &Argument : Step.Arguments)
    if (Argument.Name == "device")
      return true;
  return false;
}

/// Why there is no tensor.
static std::string undefinedNote(const StoryStep &Step,
                                 llvm::StringRef Subject) {
  auto [Layer, Member] = llvm::StringRef(Step.Op).split('.');
  if (!Member.empty())
    return Subject.str() + " is made without " + quoted(Member) + " here";
  if (Step.Op == "move")
    return Subject.str() + " is moved from here and left undefined";
  if (Step.Op == "reset")
    return Subject.str() + " is reset here and left undefined";
  return Subject.str() + " is made undefined here";
}

std::string tdl::stepNote(const StoryStep &Step, llvm::StringRef Source) {
  std::string Subject = quoted(Step.Subject.empty() ? Step.Text : Step.Subject);
  std::string Where = placeInWords(Step.Place);
  std::string When = conditionSuffix(Step.Condition);
  switch (Step.Kind) {
  case StepKind::Input:
    return Subject + " comes from outside this function" + When;
  case StepKind::Factory:
    if (Step.Op == "load" || Step.Op == "optim::load")
      return Subject + " is loaded here" + When;
    return Subject + " is created " + Where + " here" +
           (hasDevice(Step) ? When : When + ", as no device is given");
  case StepKind::Module:
    if (Step.Op == "aoti::Runner")
      return Subject + " runs a model that is compiled for" + Where.substr(2);
    return Subject + " is made " + Where + " here, as every module is" + When;
  case StepKind::Batch:
    return Subject + " comes from a data loader, " + Where + When;
  case StepKind::Like:
    return Subject + " is created beside " + quoted(Source) + ", " + Where +
           ", here" + When;
  case StepKind::Undefined:
    return undefinedNote(Step, Subject) + When;
  case StepKind::Move:
    if (Step.Op == "load")
      return hasDevice(Step)
                 ? Subject + " is loaded to" + Where.substr(2) + " here" + When
                 : Subject + " is loaded without a device here" + When;
    if (Step.Op == "clone" || Step.Op == "deepcopy")
      return Subject + " is copied here, " + Where + When;
    if (!Source.empty() || Step.Place.empty())
      return Subject + " is " + Where + " after this move" + When;
    // "on cpu", "on the device of x".
    return Subject + " is moved to" + Where.substr(2) + " here" + When;
  case StepKind::View:
    if (Step.Op == "freeze")
      return Subject + " is frozen here" + When;
    return Subject + " is a view of " + quoted(Source) + ", " + Where +
           ", made here" + When;
  case StepKind::Operation:
  case StepKind::InPlace:
    if (Step.Op == "optim::step")
      return Subject + " makes its state " + Where + " here" + When;
    return Subject + " is computed " + Where +
           (Source.empty() ? std::string() : " from " + quoted(Source)) +
           " here" + When;
  }
  return Subject;
}

std::string tdl::archiveNote(llvm::StringRef Archive) {
  return "what is pinned to a device in it is listed by 'torch-device-verify "
         "--archive " +
         Archive.str() + "'";
}

std::string tdl::guardNote(llvm::StringRef Guard, llvm::StringRef Place,
                           llvm::StringRef Subject) {
  return quoted(Subject) + " is " + placeInWords(Place) + ", as " +
         quoted(Guard) + " is checked here";
}

std::string tdl::agreementNote(llvm::StringRef Place, llvm::StringRef Subject) {
  return quoted(Subject) + " is " + placeInWords(Place) +
         ", else this call has failed";
}

std::string tdl::inCallMessage(llvm::StringRef Callee,
                               llvm::StringRef Message) {
  std::string Where = Callee.empty() || Callee == "operator()"
                          ? "in this call"
                          : "in this call of '" + Callee.str() + "'";
  return Where + ", " + Message.str();
}

std::string tdl::operationNote(llvm::StringRef Op) {
  return "'" + Op.str() + "' is called here";
}

std::string tdl::callNote(llvm::StringRef Call) {
  return "through the call " + quoted(Call) + " here";
}

std::string tdl::moduleMovesCondition() {
  return "the module is moved to another device";
}

std::string tdl::unregisteredStateMessage(llvm::StringRef Member, bool IsModule,
                                          bool IsReplaced, bool IsKept,
                                          llvm::StringRef Place) {
  bool IsNamed = Place.empty() || Place.starts_with("<");
  std::string Stays =
      IsNamed ? "stays where it is" : "stays " + placeInWords(Place);
  if (IsReplaced)
    return quoted(Member) + " no longer holds the " +
           (IsModule ? "module" : "tensor") + " that is registered, and " +
           Stays + conditionSuffix(moduleMovesCondition());
  if (IsKept)
    return quoted(Member) + " is kept from its first use and stays there" +
           conditionSuffix(moduleMovesCondition());
  return quoted(Member) + " is not registered and " + Stays +
         conditionSuffix(moduleMovesCondition());
}

std::string tdl::meetsMovedNote(llvm::StringRef Op,
                                const FindingOperand &Behind,
                                const FindingOperand &Moved,
                                llvm::StringRef Method) {
  bool IsModule = Behind.Name == "state" || Moved.Name == "state";
  std::string Where = Method.empty() ? "" : " in " + quoted(Method);
  if (IsModule)
    return quoted(Moved.Text) + ", which is on the new device, meets " +
           quoted(Behind.Text) + " here" + Where;
  return quoted(Op) + " brings " + quoted(Behind.Text) + " together with " +
         quoted(Moved.Text) + ", which is on the new device, here" + Where;
}

std::string tdl::lateRegistrationMessage(llvm::StringRef Added,
                                         llvm::StringRef Place,
                                         llvm::StringRef ModulePlace) {
  std::string Message = quoted(Added) +
                        " is registered after the module moved "
                        "and is " +
                        placeInWords(Place);
  if (ModulePlace.empty())
    return quoted(Added) + " is registered when it is first needed and stays " +
           placeInWords(Place) + conditionSuffix(moduleMovesCondition());
  return Message + ", but the module is " + placeInWords(ModulePlace);
}

std::string tdl::noOperationNote() {
  return "the operation that fails is in the module's own forward(), so there "
         "is "
         "no witness";
}

std::string tdl::registerFixDescription(llvm::StringRef Member,
                                        llvm::StringRef Name) {
  return "register " + quoted(Member) + " as the buffer " + quoted(Name);
}

std::string tdl::verdictNote(const Verdict &Seen) {
  std::string Where;
  if (!Seen.Device.empty())
    Where = Seen.Device == "cuda" ? " on CUDA" : " on a simulated CUDA device";
  if (!Seen.LibTorch.empty())
    Where += ", LibTorch " + Seen.LibTorch;
  llvm::StringRef Error = llvm::StringRef(Seen.ErrorText).split('\n').first;
  switch (Seen.Status) {
  case VerdictStatus::Confirmed:
    return "confirmed" + Where + (Error.empty() ? "" : ": " + Error.str());
  case VerdictStatus::Refuted:
    return "refuted" + Where + ": " + Seen.Reason;
  case VerdictStatus::NotRun:
    return "not executed: " + Seen.Reason + "; the finding stands";
  }
  return "";
}

std::string tdl::moveFixDescription(llvm::StringRef Operand,
                                    llvm::StringRef Target) {
  if (Target == "cpu")
    return "move " + quoted(Operand) + " to the host";
  return "move " + quoted(Operand) + " to the device of " + quoted(Target);
}

std::string tdl::assignFixDescription(llvm::StringRef Receiver) {
  return "assign the result to " + quoted(Receiver);
}
