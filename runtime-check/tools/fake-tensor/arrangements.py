# ===- arrangements.py - Samples, and where their tensors are put ----------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""The samples of data/operator-samples.tsv in the arrangements of the replay (contracts/OperatorReplay.cpp).

An arrangement is written as docs/formats/replay-calls.md says: a letter per tensor ("c", "0", "1"), after it "." where it
has no dimensions and ":" where it has the shape {1} instead of its own, at the end "@" and a letter for 'device'.
"""
import collections
import hashlib
import json

MAX_VARIED = 8  # A long list shows nothing new after its first elements.

# What is tried: where each tensor is, its shape ("", "." or ":"), the argument 'device' or None; which tensors are elsewhere
# than the rest, and where that is. All on REST, and in these shapes, the call must work for this one to show anything about
# devices; REST is None where they are on one device already.
Trial = collections.namedtuple("Trial", "places shapes option moved rest")


def read_samples(path):
    """{operator: [arguments]}, in the order of the file."""
    samples = collections.defaultdict(list)
    with open(path) as file:
        for line in file:
            if line.strip() and line[0] != "#":
                operator, arguments = line.rstrip("\n").split("\t")
                samples[operator].append(json.loads(arguments))
    return samples


def is_chosen(operator, only):
    return not only or only in (operator, operator.partition(".")[0])


def fingerprint(path):
    """Tells whether samples are those that something was made from."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def slots(arguments):
    """[(number of the parameter, number of the element or None, the tensor's text)]"""
    found = []
    for number, value in enumerate(arguments):
        if isinstance(value, str):
            found.append((number, None, value))
        elif isinstance(value, list):
            found += [(number, element, text) for element, text in enumerate(value) if isinstance(text, str)]
    return found


def is_zero_dim(tensor):
    return "[]" in tensor[2]


def everything_on(place, count, option=None):
    return Trial([place] * count, [""] * count, option, (), None)


def on_one_device(count, takes_device):
    for place in "c01":
        yield everything_on(place, count)
        if takes_device and place != "1":
            for option in "c01":
                yield everything_on(place, count, option)


def moved(count, which, to, rest, shape):
    return Trial([to if i in which else rest for i in range(count)], [shape if i in which else "" for i in range(count)],
                 None, which, rest)


def mixed(tensors):
    """Each tensor elsewhere than the rest, in each shape, and each two without dimensions on the CPU."""
    count = len(tensors)
    if count < 2:
        return
    varied = min(count, MAX_VARIED)
    for i in range(varied):
        for shape in ("", ".", ":"):
            if shape and is_zero_dim(tensors[i]):
                continue
            for to, rest in ("c0", "0c", "10"):
                yield moved(count, (i,), to, rest, shape)
        if count > 2:
            for j in range(i + 1, varied):
                yield moved(count, (i, j), "c", "0", ".")


def trials(arguments, takes_device):
    tensors = slots(arguments)
    yield from on_one_device(len(tensors), takes_device)
    yield from mixed(tensors)


def code(trial):
    text = "".join(place + shape for place, shape in zip(trial.places, trial.shapes))
    return text + ("@" + trial.option if trial.option else "")
