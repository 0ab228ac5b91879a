//===- Undecided.cpp - What the simulation cannot know --------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Undecided.h"

static thread_local std::string First;
static thread_local std::string FirstPlaced;

void tdl::sim::noteUndecided(const std::string &Operator) {
  if (First.empty())
    First = Operator;
}

void tdl::sim::notePlaced(const std::string &Operator) {
  if (FirstPlaced.empty())
    FirstPlaced = Operator;
}

const char *tdl_sim_undecided() { return First.c_str(); }
const char *tdl_sim_placed() { return FirstPlaced.c_str(); }
void tdl_sim_reset_undecided() {
  First.clear();
  FirstPlaced.clear();
}
