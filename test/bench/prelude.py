#!/usr/bin/env python3
# ===- prelude.py - What the shared prelude saves --------------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Compares the linter's time with `clang++ -fsyntax-only` on the same files.

  prelude.py LINTER LIBTORCH FILE... [-- FLAGS]

LINTER is torch-device-lint, LIBTORCH the folder that holds include/. Prints CPU
and wall time, the least of three runs, and their ratios to clang's: for the
first file with an empty cache (the prelude is made), for the first file again,
for all files one after another with the prelude there, and for the first file
without a prelude. Files that clang does not compile are an error.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

RUNS = 3
CLANG = os.environ.get("CLANG", "clang++-22")


def measure(command, allowed):
    """(CPU seconds, wall seconds) of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in allowed:
        sys.exit(f"{' '.join(command)}\nended with {result.returncode}:\n"
                 f"{result.stderr[-2000:]}")
    cpu = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return cpu, wall


def least(command, allowed):
    runs = [measure(command(), allowed) for _ in range(RUNS)]
    return min(r[0] for r in runs), min(r[1] for r in runs)


def main():
    arguments = sys.argv[1:]
    extra = []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, extra = arguments[:split], arguments[split + 1:]
    if len(arguments) < 3:
        sys.exit(__doc__)
    linter, libtorch, *files = arguments
    include = os.path.join(libtorch, "include")
    flags = ["-std=c++17", "-isystem", include, "-isystem",
             os.path.join(include, "torch/csrc/api/include")] + extra

    with tempfile.TemporaryDirectory() as cache:
        fresh = iter(range(1000))

        def lint(names, folder, *options):
            return [linter, "--cache-dir", os.path.join(cache, folder),
                    *options, *names, "--", *flags]

        def clang(names):
            return [CLANG, "-fsyntax-only", "-w", *flags, *names]

        first = files[:1]
        # The linter ends with 1 when it has findings.
        rows = [
            ("first file, empty cache", first,
             lambda: lint(first, f"empty{next(fresh)}")),
            ("first file again", first, lambda: lint(first, "warm")),
            (f"{len(files)} files", files, lambda: lint(files, "warm")),
            ("first file, --no-prelude", first,
             lambda: lint(first, "warm", "--no-prelude")),
        ]
        measure(lint(files, "warm"), (0, 1))
        print(f"{'':28}{'CPU s':>8}{'wall s':>8}{'clang CPU':>11}"
              f"{'ratio CPU':>11}{'ratio wall':>11}")
        for name, names, command in rows:
            ours = least(command, (0, 1))
            theirs = least(lambda: clang(names), (0,))
            print(f"{name:28}{ours[0]:8.2f}{ours[1]:8.2f}{theirs[0]:11.2f}"
                  f"{ours[0] / theirs[0]:11.3f}{ours[1] / theirs[1]:11.3f}")


if __name__ == "__main__":
    main()
