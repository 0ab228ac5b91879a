//===- MemberSurvey.h - What the source does with members of modules -----===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads all bodies of a translation unit once and notes, for each member of a
// module, everything that may make it follow when its module is moved. Only
// looks at the syntax and errs to that side: a member that may be registered
// counts as registered.
//
//===----------------------------------------------------------------------===//

#ifndef TDL_SUMMARY_MEMBERSURVEY_H
#define TDL_SUMMARY_MEMBERSURVEY_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CXXRecordDecl;
class Expr;
class FieldDecl;
class FunctionDecl;
class QualType;
class Stmt;
} // namespace clang

namespace tdl {

/// What is noted of one member.
struct MemberHabits {
  /// It, or an element of it, may be registered in a module, or held by a
  /// module that is.
  bool MayBeRegistered = false;
  /// A call of register_module and its kin surely is about it: an argument is,
  /// or the result is assigned to it.
  bool IsRegistered = false;
  /// The program moves it, or hands it to code that may.
  bool FollowsItself = false;
  /// A method assigns what it moved of it.
  bool IsReassignedMoved = false;
  /// A condition that decides whether it is assigned asks for devices.
  bool ComparesDevices = false;
  /// An assignment makes it from what it was, as a running mean is made.
  bool IsCarried = false;
  /// A condition that decides whether it is assigned reads it, or a member that
  /// is assigned with it: it is kept from its first use on.
  bool IsKept = false;
  /// Assignments and initialisers that give it something.
  unsigned Givings = 0;
  /// A method assigns it anew on other conditions, or on none.
  bool IsRenewed = false;
  /// Where it is an argument of a registration, by the function around.
  llvm::SmallVector<const clang::FunctionDecl *, 2> RegisteredIn;
};

class MemberSurvey {
public:
  /// Reads \p Functions, all functions that the unit's own files define.
  explicit MemberSurvey(llvm::ArrayRef<const clang::FunctionDecl *> Functions);
  ~MemberSurvey();

  /// What is noted of \p Member; nothing for a member that no body names.
  MemberHabits habitsOf(const clang::FieldDecl *Member) const;

  /// Whether everything that may register or move members of \p Class, a module
  /// of the program, is here and understood.
  bool isUnderstood(const clang::CXXRecordDecl *Class) const;

  /// The members that \p Function names, itself or through methods of its class
  /// that it calls.
  const llvm::DenseSet<const clang::FieldDecl *> &
  namedIn(const clang::FunctionDecl *Function) const;

  /// Likewise those that it assigns.
  const llvm::DenseSet<const clang::FieldDecl *> &
  assignedIn(const clang::FunctionDecl *Function) const;

  /// Whether a method or constructor of the same class calls \p Function.
  bool isCalledByOwnClass(const clang::FunctionDecl *Function) const {
    return CalledByOwnClass.contains(Function);
  }
  /// Likewise for a constructor, directly or through other methods.
  bool isCalledByConstructor(const clang::FunctionDecl *Function) const {
    return CalledByConstructor.contains(Function);
  }

  /// Whether some call moves a module of \p Class, or one that may hold such.
  bool isMoved(const clang::CXXRecordDecl *Class) const;
  /// Whether \p Function moves some module in a line after \p From.
  bool movesModuleAfter(const clang::FunctionDecl *Function,
                        clang::SourceLocation From) const;
  /// The functions that assign a member of a module other than *this.
  const llvm::DenseSet<const clang::FunctionDecl *> &assignsForeign() const {
    return AssignsForeign;
  }
  /// Whether a body registers something, and whether it moves a module besides.
  bool registers(const clang::FunctionDecl *Function) const {
    return RegistersSomething.contains(Function);
  }
  bool registersAndMoves(const clang::FunctionDecl *Function) const {
    return registers(Function) && ModuleMoves.contains(Function);
  }
  bool movesAnyModule() const { return MovesAnyModule; }
  /// Whether main() is here, so that nobody else moves modules.
  bool isWholeProgram() const { return HasMain; }

private:
  friend class SurveyBuilder;
  llvm::DenseMap<const clang::FieldDecl *, MemberHabits> Habits;
  llvm::DenseSet<const clang::CXXRecordDecl *> NotUnderstood;
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::DenseSet<const clang::FieldDecl *>>
      Named, Assigned;
  llvm::DenseSet<const clang::FunctionDecl *> CalledByOwnClass,
      CalledByConstructor, Bodies, AssignsForeign, RegistersSomething;
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<clang::SourceLocation, 2>>
      ModuleMoves;
  llvm::DenseSet<const clang::CXXRecordDecl *> MovedClasses;
  llvm::DenseSet<const clang::FieldDecl *> NoFields;
  bool HasMain = false;
  bool MovesAnyModule = false;
};

/// Whether \p Type holds tensors or modules, itself, in a container or in a
/// member of a class of the program.
bool holdsTensorsOrModules(clang::QualType Type);

} // namespace tdl

#endif // TDL_SUMMARY_MEMBERSURVEY_H
