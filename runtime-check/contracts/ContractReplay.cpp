//===- ContractReplay.cpp - --replay-contracts ----------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractReplay.h"

#include "../Child.h"
#include "BuiltIn.h"
#include "OperatorReplay.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tdl {
namespace verify {

using Status = OperatorReport::Status;

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

static std::string readFile(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::string Text{std::istreambuf_iterator<char>(In), {}};
  if (!In || In.bad())
    throw TableError(Path + ": cannot be read");
  return Text;
}

static ContractRows readTables(const Options &O) {
  ContractRows Table;
  for (const BuiltInFile &File : builtInTables())
    if (O.Tables.empty())
      Table.add(File.Name, File.Text);
  for (const std::string &Path : O.Tables)
    Table.add(Path, readFile(Path));
  Table.finish();
  return Table;
}

static Samples readAllSamples(const Options &O) {
  if (!O.Samples.empty())
    return readSamples(O.Samples, readFile(O.Samples));
  Samples All;
  for (const BuiltInFile &File : builtInSamples())
    for (auto &Entry : readSamples(File.Name, File.Text))
      All.insert(Entry);
  return All;
}

//===----------------------------------------------------------------------===//
// Between processes: a report is one line
//===----------------------------------------------------------------------===//

static std::string withoutTabs(std::string Text) {
  std::replace_if(
      Text.begin(), Text.end(),
      [](char C) { return C == '\t' || C == '\n' || C == '\r'; }, ' ');
  return Text;
}

/// Between a report and the lines of its calls.
static const char CallSeparator = '\x1e';

static std::string withCalls(const std::string &Line, const OperatorReport &R) {
  std::string Text = Line;
  for (const std::string &Calls : R.CallLines)
    Text += CallSeparator + Calls;
  return Text;
}

/// Takes the lines of calls away from \p Line and writes them.
static void writeCalls(std::string &Line, std::ostream &Out) {
  std::istringstream In(Line);
  std::getline(In, Line, CallSeparator);
  for (std::string Calls; std::getline(In, Calls, CallSeparator);)
    Out << Calls << '\n';
}

static const char ReportHeader[] =
    "operator\trow\tstatus\tcalls\tundecided\tuntested\tdetail";

static std::string toLine(const OperatorReport &R) {
  std::ostringstream Line;
  auto OrDash = [](const std::string &Text) {
    return Text.empty() ? "-" : Text;
  };
  Line << R.Operator << '\t' << OrDash(R.Row) << '\t' << statusName(R.State)
       << '\t' << R.Calls << '\t' << R.Undecided << '\t' << OrDash(R.Untested)
       << '\t' << withoutTabs(R.Detail);
  return Line.str();
}

/// The third cell of a line.
static Status statusOf(const std::string &Line) {
  size_t Begin = Line.find('\t', Line.find('\t') + 1) + 1;
  std::string Word = Line.substr(Begin, Line.find('\t', Begin) - Begin);
  for (Status S : {Status::Agree, Status::Disagree, Status::NeedsGpu,
                   Status::Silent, Status::NoRow, Status::NoSample})
    if (Word == statusName(S))
      return S;
  return Status::NotRun;
}

namespace {

/// An overload that is to be replayed.
struct Task {
  std::string Operator;
  const std::vector<Sample> *Given;
  const ContractRow *Row;
};

class Runner {
public:
  Runner(const Options &O, DeviceKind Device) : O(O), Device(Device) {}

  /// One line per task, in their order.
  std::vector<std::string> run(const std::vector<Task> &Tasks);

private:
  static constexpr size_t BatchSize = 64;
  ChildEnd runBatch(const Task *Begin, const Task *End, bool Reshapes) const;
  std::string runAlone(const Task &T) const;

  const Options &O;
  DeviceKind Device;
};

} // namespace

/// Sent after the last report of a batch.
static const char BatchEnd[] = ".";

ChildEnd Runner::runBatch(const Task *Begin, const Task *End,
                          bool Reshapes) const {
  return runInChild(O.Bounds, [&](const ChildPipe &Pipe) {
    dropStackTraces();
    loadDevice(Device);
    at::set_num_threads(1);
    auto Progress = [&](const std::string &What) { Pipe.progress(What); };
    ReplayMode Mode;
    Mode.Reshapes = Reshapes;
    Mode.ListsCalls = !O.Calls.empty();
    for (const Task *T = Begin; T != End; ++T) {
      OperatorReport R =
          replayOperator(T->Operator, *T->Given, T->Row, Mode, Progress);
      Pipe.result(withCalls(toLine(R), R));
    }
    Pipe.result(BatchEnd);
  });
}

static std::string notRunLine(const Task &T, const std::string &Why) {
  OperatorReport R;
  R.Operator = T.Operator;
  R.Row = T.Row ? T.Row->Where : "";
  R.Detail = Why;
  return toLine(R);
}

/// After a failure in a batch: neither what ran before nor the time that others
/// took is held against it.
std::string Runner::runAlone(const Task &T) const {
  ChildEnd End;
  for (bool Reshapes : {true, false}) {
    End = runBatch(&T, &T + 1, Reshapes);
    if (End.Results.size() == 2)
      return End.Results.front();
  }
  return notRunLine(T, describe(End, O.Bounds, "the call"));
}

std::vector<std::string> Runner::run(const std::vector<Task> &Tasks) {
  std::vector<std::string> Lines;
  while (Lines.size() < Tasks.size()) {
    const Task *Begin = Tasks.data() + Lines.size();
    size_t Count = std::min(BatchSize, Tasks.size() - Lines.size());
    ChildEnd End = runBatch(Begin, Begin + Count, /*Reshapes=*/true);
    bool IsWhole = !End.Results.empty() && End.Results.back() == BatchEnd;
    if (IsWhole)
      End.Results.pop_back();
    Lines.insert(Lines.end(), End.Results.begin(), End.Results.end());
    if (!IsWhole && End.Results.size() < Count)
      Lines.push_back(runAlone(Tasks[Lines.size()]));
  }
  return Lines;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static bool isSelected(const Options &O, const std::string &Operator) {
  std::string Base = Operator.substr(0, Operator.find('.'));
  return O.Only.empty() ||
         std::count(O.Only.begin(), O.Only.end(), Operator) != 0 ||
         std::count(O.Only.begin(), O.Only.end(), Base) != 0;
}

static std::vector<Task> tasks(const Options &O, const Samples &Given,
                               ContractRows &Table) {
  std::vector<Task> Tasks;
  for (const auto &Entry : Given) {
    ContractRow *Row = rowFor(Table, Entry.first);
    if (Row)
      (Row->FormOf < 0 ? *Row : Table.rows()[size_t(Row->FormOf)]).IsUsed =
          true;
    if (isSelected(O, Entry.first))
      Tasks.push_back({Entry.first, &Entry.second, Row});
  }
  return Tasks;
}

/// Rows that no sample reaches.
static std::vector<std::string> unreached(const Options &O,
                                          ContractRows &Table) {
  std::vector<std::string> Lines;
  for (const ContractRow &Row : Table.rows()) {
    OperatorReport R;
    R.Operator =
        Row.Overload.empty() ? Row.Name : Row.Name + "." + Row.Overload;
    if (Row.FormOf >= 0 || Row.IsUsed || !Row.holdsFor(libTorchRelease()) ||
        !isSelected(O, R.Operator))
      continue;
    R.State = Status::NoSample;
    R.Row = Row.Where;
    Lines.push_back(toLine(R));
  }
  return Lines;
}

namespace {

/// How many lines have each status.
class Totals {
public:
  void add(Status S) { ++Counts[S]; }
  int of(Status S) const {
    auto Found = Counts.find(S);
    return Found == Counts.end() ? 0 : Found->second;
  }

private:
  std::map<Status, int> Counts;
};

} // namespace

ExitCode replayContracts(const Options &O, DeviceKind Device, std::ostream &Out,
                         std::ostream &Calls) {
  ContractRows Table = readTables(O);
  Samples Given = readAllSamples(O);
  std::vector<Task> Tasks = tasks(O, Given, Table);
  std::vector<std::string> Lines = Runner(O, Device).run(Tasks);
  for (std::string &Line : Lines)
    writeCalls(Line, Calls);
  for (const std::string &Line : unreached(O, Table))
    Lines.push_back(Line);
  Totals Count;
  Out << ReportHeader << "\n";
  for (const std::string &Line : Lines) {
    Status S = statusOf(Line);
    Count.add(S);
    if (!O.Quiet || S == Status::Disagree || S == Status::NotRun)
      Out << Line << "\n";
  }
  Out << "# " << Count.of(Status::Agree) << " agree, "
      << Count.of(Status::Disagree) << " disagree, "
      << Count.of(Status::NeedsGpu) << " need a GPU, "
      << Count.of(Status::NotRun) << " not run, " << Count.of(Status::Silent)
      << " with a row that says nothing, " << Count.of(Status::NoRow)
      << " without a row; " << Count.of(Status::NoSample)
      << " rows without a sample (" << deviceName(Device) << ", LibTorch "
      << libTorchVersion() << ")\n";
  return Count.of(Status::Disagree) ? ExitRefuted : ExitConfirmed;
}

} // namespace verify
} // namespace tdl
