#===- compare-unbound.py - Holds the unbound functions against a list ------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   compare-unbound.py MEASURED LIST SHARE
#
# MEASURED is what `torch-device-lint --measure-binding` printed, LIST a table of
# functions that have no contract and the reason. Prints each function that is
# in one of them only, and fails then, or when less than SHARE percent are bound.
#
#===------------------------------------------------------------------------===#

import re
import sys


def read_list(path):
    lines = open(path).read().splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    for number, row in enumerate(rows, 2):
        if len(row) != 2 or not all(row):
            sys.exit(f"{path}:{number}: expected a function, a tab and a reason")
    return {row[0] for row in rows}


def main():
    measured, path, share = sys.argv[1:]
    text = open(measured).read()
    unbound = set(re.findall(r"^unbound: (\S+)  ", text, re.MULTILINE))
    listed = read_list(path)
    for name in sorted(unbound - listed):
        print(f"{name}: has no contract and is not in {path}")
    for name in sorted(listed - unbound):
        print(f"{name}: has a contract, or is no more; take it out of {path}")
    total = re.search(r"^LibTorch \S+: \d+ of \d+ bound \(([\d.]+) %\)$", text, re.MULTILINE)
    if not total:
        sys.exit(f"{measured}: has no line with the share of bound functions")
    print(total.group())
    sys.exit(unbound != listed or float(total.group(1)) < float(share))


main()
