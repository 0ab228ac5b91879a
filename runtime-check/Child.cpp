//===- Child.cpp - Runs something in a process of its own -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace tdl {
namespace verify {

using Clock = std::chrono::steady_clock;

/// A child that sends more than this is broken.
static constexpr size_t MaxSent = 16 << 20;

void ChildPipe::send(char Kind, std::string Text) const {
  for (char &C : Text)
    if (C == '\n')
      C = ' ';
  Text = Kind + Text + '\n';
  for (size_t Done = 0; Done < Text.size();) {
    ssize_t Count = write(File, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return; // The parent is gone, and with it everyone who would care.
    Done += size_t(Count);
  }
}

/// Private writable memory of this process, which RLIMIT_DATA counts.
static size_t dataBytes() {
  std::ifstream Status("/proc/self/status");
  std::string Word;
  size_t Kilobytes = 0;
  while (Status >> Word)
    if (Word == "VmData:")
      Status >> Kilobytes;
  return Kilobytes * 1024;
}

static void setLimit(int Which, rlim_t Value) {
  rlimit Limit{Value, Value};
  setrlimit(Which, &Limit);
}

static void dropOutput() {
  int Null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (Null < 0)
    return;
  dup2(Null, STDOUT_FILENO);
  dup2(Null, STDERR_FILENO);
  close(Null);
}

[[noreturn]] static void
beChild(int File, const Limits &Bounds,
        const std::function<void(const ChildPipe &)> &Work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_DATA, dataBytes() + Bounds.MemoryBytes);
  // A second guard, should the parent be stopped. CPU time of all threads.
  setLimit(RLIMIT_CPU, rlim_t(Bounds.Seconds) * 4 + 4);
  for (int Signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    signal(Signal, SIG_DFL);
  if (!Bounds.ShowOutput)
    dropOutput();
  Work(ChildPipe(File));
  // No destructors: LibTorch's may wait for threads that fork() did not copy.
  _exit(0);
}

/// Reads until the child closes the pipe. False when time ran out.
static bool readAll(int File, Clock::time_point Deadline, std::string &Sent) {
  char Buffer[4096];
  while (Sent.size() < MaxSent) {
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        Deadline - Clock::now());
    pollfd Wait{File, POLLIN, 0};
    int Ready = Left.count() <= 0 ? 0 : poll(&Wait, 1, int(Left.count()));
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready <= 0)
      return false;
    ssize_t Count = read(File, Buffer, sizeof Buffer);
    if (Count == 0)
      return true;
    if (Count > 0)
      Sent.append(Buffer, size_t(Count));
    else if (errno != EINTR)
      return true;
  }
  return false;
}

static void takeMessages(const std::string &Sent, ChildEnd &End) {
  for (size_t Begin = 0; Begin < Sent.size();) {
    size_t Stop = Sent.find('\n', Begin);
    if (Stop == std::string::npos)
      return; // Cut off by a crash.
    std::string Text = Sent.substr(Begin + 1, Stop - Begin - 1);
    if (Sent[Begin] == 'R') {
      End.Result = Text;
      End.Results.push_back(Text);
      End.How = ChildEnd::Kind::Finished;
    } else {
      End.Progress = Text;
    }
    Begin = Stop + 1;
  }
}

static ChildEnd waitFor(pid_t Pid, int File, const Limits &Bounds) {
  ChildEnd End;
  std::string Sent;
  auto Deadline = Clock::now() + std::chrono::seconds(Bounds.Seconds);
  bool InTime = readAll(File, Deadline, Sent);
  if (!InTime)
    kill(Pid, SIGKILL);
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0 && errno == EINTR) {
  }
  End.How = ChildEnd::Kind::Silent;
  takeMessages(Sent, End);
  if (!InTime) {
    End.How = ChildEnd::Kind::TimedOut;
  } else if (WIFSIGNALED(Status)) {
    End.Signal = WTERMSIG(Status);
    End.How = End.Signal == SIGXCPU ? ChildEnd::Kind::TimedOut
                                    : ChildEnd::Kind::Signalled;
  }
  return End;
}

static ChildEnd notStarted(const char *What) {
  ChildEnd End;
  End.Result = std::string(What) + ": " + strerror(errno);
  return End;
}

ChildEnd runInChild(const Limits &Bounds,
                    const std::function<void(const ChildPipe &)> &Work) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return notStarted("pipe");
  std::fflush(nullptr); // Else the child has a copy of what is not written yet.
  pid_t Pid = fork();
  if (Pid < 0) {
    close(Ends[0]);
    close(Ends[1]);
    return notStarted("fork");
  }
  if (Pid == 0) {
    close(Ends[0]);
    beChild(Ends[1], Bounds, Work);
  }
  close(Ends[1]);
  ChildEnd End = waitFor(Pid, Ends[0], Bounds);
  close(Ends[0]);
  return End;
}

std::string describe(const ChildEnd &End, const Limits &Bounds,
                     const std::string &What) {
  std::string At = End.Progress.empty() ? "" : " at " + End.Progress;
  switch (End.How) {
  case ChildEnd::Kind::Finished:
    return "";
  case ChildEnd::Kind::Silent:
    return What + " ended without a verdict" + At;
  case ChildEnd::Kind::Signalled: {
    const char *Name = sigabbrev_np(End.Signal);
    return What + " crashed (SIG" + (Name ? Name : "?") + ")" + At;
  }
  case ChildEnd::Kind::TimedOut:
    return What + " did not end within " + std::to_string(Bounds.Seconds) +
           " s" + At + "; --timeout=SECONDS gives it more";
  case ChildEnd::Kind::NotStarted:
    return What + " could not be started: " + End.Result;
  }
  return "";
}

} // namespace verify
} // namespace tdl
