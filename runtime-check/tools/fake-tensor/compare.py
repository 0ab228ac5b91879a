# ===- compare.py - FakeTensor against the contract table -------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Holds FakeTensor's answers against the calls of a replay."""
import collections

from arrangements import code, is_chosen, is_zero_dim, slots

DEVICES = {"c": "cpu", "0": "cuda:0", "1": "cuda:1", "n": "no tensor", "m": "several", "?": "?"}

# A call of the replay: parameters of its tensors, the row's word and LibTorch's.
Call = collections.namedtuple("Call", "parameters table libtorch")
# What differs: TENSORS are elsewhere than the rest of the overload's, WHERE says how. Hashable and in the file's order.
Difference = collections.namedtuple("Difference", "overload tensors where table fake libtorch")


def read_calls(path):
    """{(operator, number of the sample): {arrangement: Call}} of --calls (docs/formats/replay-calls.md)."""
    found = {}
    with open(path) as file:
        for count, line in enumerate(file, 1):
            try:
                operator, number, parameters, *calls = line.rstrip("\n").split("\t")
                found[operator, int(number)] = dict(read_call(text, parameters.split(",")) for text in calls)
            except (ValueError, TypeError):
                raise ValueError(f"{path}:{count}: is no line of a replay's calls") from None
    if not found:
        raise ValueError(f"{path}: has no calls")
    return found


def read_call(text, parameters):
    arrangement, words = text.split("=")
    return arrangement, Call(parameters, *words.split("/"))


# ---- comparing --------------------------------------------------------------------------------------------------------

def contradict(one, other):
    """Whether two words cannot both be true. "u" and "?" say nothing; where one has no tensor, an absent result is."""
    if "u" in (one, other):
        return False
    if "x" in (one, other):
        return one != other
    return any(a != b and not {a, b} & {"?", "n"} for a, b in zip(one, other))


def in_words(word, beside):
    if word == "x":
        return "fails"
    # Where it is matters only if the other word says so too.
    return "works" if beside == "x" else ",".join(DEVICES[letter] for letter in word)


def who_agrees(call, fake):
    """What LibTorch did in the replay decides."""
    if contradict(call.libtorch, fake) and not contradict(call.libtorch, call.table):
        return "as the table"
    if contradict(call.libtorch, call.table):
        return "as FakeTensor" if not contradict(call.libtorch, fake) else "as neither"
    return "undecided"


def tensors_on(place, which, trial, tensors):
    """"0-dim cpu": also where the sample's own tensors have no dimensions."""
    if all(trial.shapes[i] == "." or (is_zero_dim(tensors[i]) and not trial.shapes[i]) for i in which):
        return "0-dim " + DEVICES[place]
    return ("{1} " if trial.shapes[which[0]] == ":" else "") + DEVICES[place]


def where_of(trial, tensors):
    if trial.rest is None:
        option = f", device={DEVICES[trial.option]}" if trial.option else ""
        return ("all " + DEVICES[trial.places[0]] if trial.places else "no tensors") + option
    rest = [i for i in range(len(tensors)) if i not in trial.moved]
    return (tensors_on(trial.places[trial.moved[0]], trial.moved, trial, tensors) + " beside " +
            tensors_on(trial.rest, rest, trial, tensors))


def difference(operator, trial, tensors, call, fake):
    moved = "+".join(call.parameters[slot] for slot in trial.moved) or "-"
    return Difference(operator, moved, where_of(trial, tensors), in_words(call.table, fake), in_words(fake, call.table),
                      who_agrees(call, fake))


def joined(differences, column, separator):
    """One for those that differ only in this column."""
    groups = collections.defaultdict(list)
    for d in sorted(differences):
        groups[d._replace(**{column: ""})].append(getattr(d, column))
    return {d._replace(**{column: separator.join(values)}) for d, values in groups.items()}


class Comparison:
    """All that FakeTensor and a replay both say something of."""

    def __init__(self, only):
        self.only = only
        self.overloads, self.found = set(), set()
        self.counts = collections.Counter()

    def add(self, operator, trial, tensors, call, fake):
        if call.table == "u":
            return
        self.overloads.add(operator)
        self.counts["calls"] += 1
        is_open = call.libtorch == "u"
        self.counts["open"] += is_open
        if contradict(call.table, fake):
            self.counts["different"] += 1
            self.counts["open and different"] += is_open
            self.found.add(difference(operator, trial, tensors, call, fake))

    def lines(self):
        """The differences. Tensors of which the same is true share one, and then places, if LibTorch has decided it."""
        by_place = joined(self.found, "tensors", " ")
        is_open = {d for d in by_place if d.libtorch == "undecided"}
        return joined(by_place - is_open, "where", "; ") | is_open

    def summary(self):
        c, overloads = self.counts, len({d.overload for d in self.found})
        return (f"# {len(self.overloads)} overloads, {c['calls']} calls, {c['different']} different in {overloads} overloads; "
                f"of {c['open']} calls that the replay leaves open {c['open and different']} different")


def compare_all(samples, calls, fake, only=None):
    result = Comparison(only)
    for operator, answers in fake.items():
        for number, words in enumerate(answers) if is_chosen(operator, only) else ():
            replayed, tensors = calls.get((operator, number), {}), slots(samples[operator][number])
            for trial, word in words:
                # Of two tensors, one moved there is the other moved here: one call.
                call = replayed.pop(code(trial), None)
                if call:
                    result.add(operator, trial, tensors, call, word)
    return result
