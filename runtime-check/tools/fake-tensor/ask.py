# ===- ask.py - Asks FakeTensor about every operator ------------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Goes through the samples in child processes: FakeTensor's shapes can bring a process down or keep it for ever."""
import os
import signal
import sys
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool

os.environ["TORCH_CPP_LOG_LEVEL"] = "ERROR"  # LibTorch reads it when it is loaded.

import torch

import fake
from records import Answers

SECONDS = 60  # Of processor time, for the samples of an operator.
PROCESSES = 2


def version():
    return torch.__version__.split("+")[0]


class TooLong(BaseException):
    """No Exception: those of a call are its answer."""


def give_up(*_):
    raise TooLong


def answer(name, samples):
    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        operator = fake.Operator(name)
        return Answers(operator.takes_device(), [fake.words(operator, arguments) for arguments in samples])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def nothing(name, why, samples):
    print(f"{name}: {why}", file=sys.stderr)
    return Answers(False, [["-"]] * len(samples))


def attempt(name, task, samples):
    try:
        return task.result()
    except TooLong:
        return nothing(name, f"takes more than {SECONDS} s", samples)
    except AttributeError:
        return nothing(name, "is no operator of this PyTorch", samples)


def answers_until_crash(samples):
    found = {}
    with futures.ProcessPoolExecutor(PROCESSES) as pool:
        tasks = {name: pool.submit(answer, name, given) for name, given in samples.items()}
        try:
            for name, task in tasks.items():
                found[name] = attempt(name, task, samples[name])
        except BrokenProcessPool:
            pass
    return found


def answer_alone(name, samples):
    with futures.ProcessPoolExecutor(1) as pool:
        try:
            return attempt(name, pool.submit(answer, name, samples), samples)
        except BrokenProcessPool:
            return nothing(name, "crashes", samples)


def answers(samples):
    """{operator: Answers}; an operator that cannot be asked has none that shows anything."""
    found = {}
    while len(found) < len(samples):
        found.update(answers_until_crash({name: given for name, given in samples.items() if name not in found}))
        left = [name for name in samples if name not in found]
        if left:
            found[left[0]] = answer_alone(left[0], samples[left[0]])
    return found
