//===- CallList.cpp - What was predicted of each call, and what came ------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallList.h"

#include <algorithm>

namespace tdl {
namespace verify {

static const char Fails = 'x', Undecided = 'u', Unknown = '?', Nothing = 'n',
                  Several = 'm';

std::string callLineStart(const std::string &Operator, size_t SampleNumber,
                          const SampleCall &Call) {
  std::string Parameters;
  for (size_t I = 0; I < Call.slots(); ++I)
    Parameters += (I ? "," : "") + Call.parameterOf(I);
  return Operator + '\t' + std::to_string(SampleNumber) + '\t' +
         (Parameters.empty() ? "-" : Parameters);
}

/// 'c', '0' or '1'.
static char letterOf(c10::Device Device) {
  return Device.is_cpu() ? 'c' : char('0' + Device.index());
}

static std::string arrangementText(const Arrangement &Where) {
  std::string Text;
  for (size_t I = 0; I < Where.Devices.size(); ++I) {
    Text += letterOf(Where.Devices[I]);
    if (Where.Shapes[I] != Shape::AsSampled)
      Text += Where.Shapes[I] == Shape::ZeroDim ? '.' : ':';
  }
  if (Where.Option)
    Text += std::string("@") + letterOf(*Where.Option);
  return Text;
}

static void join(char &Place, char Of) {
  Place = Place == Nothing || Place == Of ? Of : Several;
}

/// Where the row puts one of the results.
static char predictedPlace(const ContractRow &Row, const Call &Seen,
                           size_t Position, size_t Elements) {
  if (Row.resultAt(Position).Where == PlaceRule::Kind::None)
    return Nothing;
  char Place = Nothing;
  for (size_t E = 0; E < std::max<size_t>(Elements, 1); ++E) {
    auto Told = placeOfResult(Row, Seen, Position, E);
    if (!Told)
      return Unknown;
    join(Place, letterOf(*Told));
  }
  return Place;
}

static std::string predictedText(const ContractRow *Row, const SampleCall &Call,
                                 const Arrangement &Where,
                                 const Outcome &Real) {
  if (!Row || !Row->claimsSomething())
    return {Undecided};
  tdl::verify::Call Seen = Call.seen(Where);
  Judgement Told = judge(*Row, Seen);
  if (Told.Is == Judgement::Kind::Open)
    return {Undecided};
  if (Told.Is != Judgement::Kind::Works)
    return {Fails};
  std::string Places;
  for (size_t I = 0; I < Call.results(); ++I)
    Places += predictedPlace(
        *Row, Seen, I, I < Real.Results.size() ? Real.Results[I].size() : 0);
  return Places.empty() ? std::string{Nothing} : Places;
}

static std::string outcomeText(const Outcome &Real) {
  if (!Real.Undecided.empty())
    return {Undecided};
  if (Real.HasThrown)
    return {Fails};
  // Where the simulation chose the place, LibTorch says only that it works.
  std::string Places;
  for (const std::vector<MadeTensor> &Result : Real.Results) {
    char Place = Nothing;
    for (const MadeTensor &Made : Result)
      join(Place, letterOf(Made.Device));
    Places += Place == Nothing || Real.Placed.empty() ? Place : Unknown;
  }
  // An operator without results, which works.
  return Places.empty() ? std::string{Nothing} : Places;
}

std::string callText(const ContractRow *Row, const SampleCall &Call,
                     const Arrangement &Where, const Outcome &Real) {
  return arrangementText(Where) + '=' + predictedText(Row, Call, Where, Real) +
         '/' + outcomeText(Real);
}

} // namespace verify
} // namespace tdl
