//===- Wording.h - The sentences of findings -------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place with English about findings.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_FINDINGS_WORDING_H
#define TDL_FINDINGS_WORDING_H

#include "findings/Finding.h"
#include "findings/PlaceLine.h"
#include "findings/Verdict.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tdl {

/// Quotes an expression, cut where it is long: 'table'.
std::string quoted(llvm::StringRef Text);

/// A place in words: "on cpu", "on the current cuda device", "on the device of
/// x", as Finding.h's place strings encode it.
std::string placeInWords(llvm::StringRef Place);

/// The same for a module ("state") and one of its inputs; another pair reads as
/// for crossDeviceOpMessage.
std::string crossDeviceModuleMessage(const FindingOperand &First,
                                     const FindingOperand &Second,
                                     llvm::StringRef Op);

/// "'x' is on cuda:0 when a", "'x' is on an unknown device: why".
std::string placeLineText(const PlaceLine &Line);

std::string crossDeviceIndexMessage(const FindingOperand &Base,
                                    const FindingOperand &Index,
                                    llvm::StringRef Op);
std::string crossDeviceOpMessage(const FindingOperand &First,
                                 const FindingOperand &Second,
                                 llvm::StringRef Op);
std::string hostOnlyMessage(const FindingOperand &Argument, llvm::StringRef Op);
std::string discardedTransferMessage(llvm::StringRef Op,
                                     llvm::StringRef Receiver);

/// \p Loaded comes from a file and meets \p Partner, which is at \p Place.
std::string loadDeviceMessage(llvm::StringRef Loaded, llvm::StringRef Partner,
                              llvm::StringRef Place);
/// \p Module was moved to \p Place after \p Optimizer made its state at \p
/// Left.
std::string leftBehindMessage(llvm::StringRef Module, llvm::StringRef Place,
                              llvm::StringRef Optimizer, llvm::StringRef Left);
std::string savedOnHostCondition(llvm::StringRef Path);
std::string meetingNote(llvm::StringRef Op);
std::string loadDeviceFixDescription(llvm::StringRef Device);

/// \p Op needs the device of \p Tensor, and there is none.
std::string undefinedTensorMessage(llvm::StringRef Tensor, llvm::StringRef Op);
std::string useDefinedMemberFixDescription(llvm::StringRef Member,
                                           llvm::StringRef Defined);
/// \p From is where the constants of the frozen \p Module are, maybe unknown.
std::string frozenMoveMessage(llvm::StringRef Module, llvm::StringRef From,
                              llvm::StringRef Target);

/// The end of a message that names the condition; empty without one. \p
/// IsFurther: the message names another one already.
std::string conditionSuffix(llvm::StringRef Condition, bool IsFurther = false);

/// What \p Step did, as a note: "'idx' is moved to cuda:0 here".
std::string stepNote(const StoryStep &Step, llvm::StringRef Source);

/// Where to look for what is in an archive.
std::string archiveNote(llvm::StringRef Archive);
/// Why the place of an input is known: "'x.is_cuda()' holds here".
std::string guardNote(llvm::StringRef Guard, llvm::StringRef Place,
                      llvm::StringRef Subject);

/// Why the place of an operand is known: a call has not thrown.
std::string agreementNote(llvm::StringRef Place, llvm::StringRef Subject);

/// A finding in a callee, told at the call. \p Callee may be empty.
std::string inCallMessage(llvm::StringRef Callee, llvm::StringRef Message);
std::string operationNote(llvm::StringRef Op);
std::string callNote(llvm::StringRef Call);

/// The condition of a finding about state that a module leaves behind.
std::string moduleMovesCondition();
/// \p Place is where the member stays.
std::string unregisteredStateMessage(llvm::StringRef Member, bool IsModule,
                                     bool IsReplaced, bool IsKept,
                                     llvm::StringRef Place);
/// Where \p Behind, which stayed, meets \p Moved.
std::string meetsMovedNote(llvm::StringRef Op, const FindingOperand &Behind,
                           const FindingOperand &Moved, llvm::StringRef Method);
/// \p ModulePlace is empty where only an assumption says that it moved.
std::string lateRegistrationMessage(llvm::StringRef Added,
                                    llvm::StringRef Place,
                                    llvm::StringRef ModulePlace);
/// Why a finding has no operation that fails.
std::string noOperationNote();
std::string registerFixDescription(llvm::StringRef Member,
                                   llvm::StringRef Name);

/// What executing the finding showed.
std::string verdictNote(const Verdict &Seen);

std::string moveFixDescription(llvm::StringRef Operand, llvm::StringRef Target);
std::string assignFixDescription(llvm::StringRef Receiver);

} // namespace tdl

#endif // TDL_FINDINGS_WORDING_H
