# ===- reviewed.py - The differences that somebody has looked at -----------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Holds a comparison against data/fake-tensor-differences.tsv (docs/formats/fake-tensor.md), or brings the file up to date."""
from arrangements import is_chosen
from compare import Difference

COLUMNS = ("overload", "tensors", "where", "table", "FakeTensor", "replay", "right", "why")
RIGHT = ("table", "FakeTensor", "neither", "needs a GPU")
# Who is right where LibTorch has decided it.
DECIDED = {"as the table": "table", "as FakeTensor": "FakeTensor", "as neither": "neither"}
UNREVIEWED = "?"


def read_reviewed(path, is_draft=False):
    """The lines before the table, and {Difference: (right, why)}. In a draft a reason may be missing."""
    head, reasons, reviewed = [], {UNREVIEWED} if is_draft else set(), {}
    with open(path) as file:
        lines = [line.rstrip("\n") for line in file]
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        if not line or line[0] in "#!" or cells == list(COLUMNS):
            head.append(line)
            reasons.update(cells[1:2] if line[:1] == "!" else ())
        else:
            key, judgement = read_line(f"{path}:{number}", cells, reasons)
            reviewed[key] = judgement
    return head, reviewed


def read_line(place, cells, reasons):
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{place}: expected {len(COLUMNS)} columns, found {len(cells)}")
    key, (right, why) = Difference(*cells[:-2]), cells[-2:]
    if right not in RIGHT or right != DECIDED.get(key.libtorch, right):
        raise ValueError(f"{place}: the replay went '{key.libtorch}', so '{right}' cannot be right")
    if why not in reasons:
        raise ValueError(f"{place}: expected the key of a line !why above, found '{why}'")
    return key, (right, why)


def report(comparison, options):
    """Prints what is only in the comparison or only in the file; 1 if there is any."""
    _, reviewed = read_reviewed(options.differences)
    known = {key for key in reviewed if is_chosen(key.overload, comparison.only)}
    found = comparison.lines()
    for sign, lines in (("+", found - known), ("-", known - found)):
        for line in sorted(lines):
            print("\t".join((sign, *line)))
    print(comparison.summary())
    return 1 if found != known else 0


def update(comparison, options):
    """Keeps what has been reviewed."""
    head, reviewed = read_reviewed(options.differences, is_draft=True)
    with open(options.differences, "w") as file:
        file.writelines(line + "\n" for line in head)
        for key in sorted(comparison.lines()):
            new = DECIDED.get(key.libtorch, "needs a GPU"), UNREVIEWED
            file.write("\t".join((*key, *reviewed.get(key, new))) + "\n")
    print(comparison.summary())
    return 0
