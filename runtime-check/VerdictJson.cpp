//===- VerdictJson.cpp - Verdicts as JSON ---------------------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerdictJson.h"

namespace tdl {
namespace verify {

using nlohmann::ordered_json;
using Status = Verdict::Status;

static const Status States[] = {Status::Confirmed, Status::Refuted,
                                Status::NotRun};

const char *statusName(Status State) {
  switch (State) {
  case Status::Confirmed:
    return "confirmed";
  case Status::Refuted:
    return "refuted";
  case Status::NotRun:
    return "not-run";
  }
  return "";
}

ordered_json toJson(const Verdict &V) {
  ordered_json Json;
  Json["status"] = statusName(V.State);
  auto Put = [&](const char *Key, const std::string &Text) {
    if (!Text.empty())
      Json[Key] = Text;
  };
  Put("reason", V.Reason);
  if (V.Step >= 0)
    Json["step"] = V.Step;
  Put("device", V.Device);
  Put("libtorch", V.LibTorch);
  Put("errorText", V.ErrorText);
  if (!V.Assumed.empty())
    Json["assumed"] = V.Assumed;
  return Json;
}

Verdict fromJson(const ordered_json &Json) {
  Verdict V;
  for (Status State : States)
    if (Json.at("status") == statusName(State))
      V.State = State;
  V.Reason = Json.value("reason", "");
  V.Step = Json.value("step", -1);
  V.Device = Json.value("device", "");
  V.LibTorch = Json.value("libtorch", "");
  V.ErrorText = Json.value("errorText", "");
  V.Assumed = Json.value("assumed", std::vector<std::string>());
  return V;
}

} // namespace verify
} // namespace tdl
