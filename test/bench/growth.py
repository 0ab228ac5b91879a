#!/usr/bin/env python3
# ===- growth.py - How the linter's time grows with the program -----------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Lints made-up programs of several shapes, each in four sizes.

  growth.py LINTER LIBTORCH [--largest=FACTOR] [SHAPE...]

Prints CPU seconds by size, without what an empty program costs, and the exponent
of the curve that fits them best: 1 is linear, 2 quadratic. FACTOR (default 1)
scales the sizes.
"""
import math
import os
import resource
import subprocess
import sys
import tempfile

HEAD = "#include <torch/torch.h>\n#include <vector>\n"


def functions(n):
    """A file of n lines, in functions of twenty."""
    body = "\n".join(
        f"  auto a{i} = torch::ones({{4, 4}}, x.options());\n"
        f"  if (flag) x = x.to(d) + a{i}.to(d);"
        for i in range(8)
    )
    return "".join(
        f"torch::Tensor f{k}(torch::Tensor x, torch::Device d, bool flag) {{\n"
        f"{body}\n  return x;\n}}\n\n"
        for k in range(n // 20)
    )


def straight(n):
    """One function of n statements."""
    lines = [
        f"  auto t{i} = torch::relu(t{i - 1}) + torch::ones({{4}}, t{i - 1}.options());"
        for i in range(1, n)
    ]
    return "void f(torch::Tensor t0) {\n" + "\n".join(lines) + "\n}\n"


def branches(n):
    """One function of n statements, half of them in branches of their own."""
    lines = [
        f"  auto t{i} = torch::ones({{4}});\n  if (k > {i}) t{i} = t{i}.to(d);"
        for i in range(n // 2)
    ]
    return "void f(int k, torch::Device d) {\n" + "\n".join(lines) + "\n}\n"


def gpu_branches(n):
    """The same, where the branches decide where tensors are."""
    lines = [
        f"  auto t{i} = torch::ones({{4}});\n"
        f"  if (use{i % 4}) t{i} = t{i}.cuda();"
        for i in range(n // 2)
    ]
    return (
        "void f(bool use0, bool use1, bool use2, bool use3) {\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def loops(n):
    """One function of n statements in loops of four."""
    lines = [
        f"  for (int i{k} = 0; i{k} < 9; ++i{k}) {{\n"
        f"    auto s = torch::zeros({{4}}, x.options());\n"
        f"    x = x + s;\n"
        f"    x = torch::relu(x);\n  }}"
        for k in range(n // 4)
    ]
    return "void f(torch::Tensor x) {\n" + "\n".join(lines) + "\n}\n"


def objects(n):
    """n / 4 structs with tensors in one function, and a call with each."""
    head = (
        "struct Box { torch::Tensor a, b; int n = 0; };\n"
        "static torch::Tensor sum(Box &box) { box.n++; return box.a + box.b; }\n"
    )
    lines = [
        f"  Box b{k};\n  b{k}.a = torch::ones({{4}}, d);\n"
        f"  b{k}.b = torch::ones({{4}}, d);\n  x = x + sum(b{k});"
        for k in range(n // 4)
    ]
    return (
        head
        + "void f(torch::Tensor x, torch::Device d) {\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def modules(n):
    """n / 4 layers that are made, moved and called."""
    lines = [
        f"  torch::nn::Linear m{k}(4, 4);\n  m{k}->to(d);\n"
        f"  x = torch::relu(m{k}(x));\n  x = x.to(d);"
        for k in range(n // 4)
    ]
    return (
        "void f(torch::Tensor x, torch::Device d) {\n" + "\n".join(lines) + "\n}\n"
    )


def deep(n):
    """n / 2 functions that call each other in a chain."""
    text = "torch::Tensor f0(torch::Tensor x) { return x + 1; }\n"
    return text + "".join(
        f"torch::Tensor f{k}(torch::Tensor x) {{ return f{k - 1}(x) + f{k - 1}(x); }}\n"
        for k in range(1, n // 2)
    )


SHAPES = {
    functions: 20000,
    straight: 5000,
    branches: 5000,
    gpu_branches: 5000,
    loops: 5000,
    objects: 5000,
    modules: 5000,
    deep: 5000,
}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in (0, 1):
        sys.exit(result.stderr.decode(errors="replace")[-2000:])
    given_up = b"given up" in result.stdout
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, given_up


def exponent(sizes, seconds):
    """The slope of the line that fits best in logarithms."""
    xs = [math.log(s) for s in sizes]
    ys = [math.log(max(t, 1e-3)) for t in seconds]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum(
        (x - mx) ** 2 for x in xs
    )


def main():
    arguments = sys.argv[1:]
    factor = 1.0
    for argument in [a for a in arguments if a.startswith("--largest=")]:
        factor = float(argument.split("=")[1])
        arguments.remove(argument)
    if len(arguments) < 2:
        sys.exit(__doc__)
    linter, libtorch, *names = arguments
    include = os.path.join(libtorch, "include")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "program.cpp")

        def lint(text):
            with open(source, "w") as file:
                file.write(HEAD + text)
            return cpu_seconds(
                [linter, f"--cache-dir={folder}", source, "--"]
                + ["-std=c++17", "-isystem", include, "-isystem"]
                + [os.path.join(include, "torch/csrc/api/include")]
            )

        lint("")  # Makes the prelude.
        empty = min(lint("")[0] for _ in range(3))
        for shape, largest in SHAPES.items():
            if names and shape.__name__ not in names:
                continue
            sizes = [int(largest * factor) // 8 * k for k in (1, 2, 4, 8)]
            runs = [lint(shape(size)) for size in sizes]
            seconds = [run[0] - empty for run in runs]
            print(
                f"{shape.__name__:13}",
                "  ".join(
                    f"{size}: {second:.2f} s{' (given up)' if run[1] else ''}"
                    for size, second, run in zip(sizes, seconds, runs)
                ),
                f" exponent {exponent(sizes, seconds):.2f}",
                flush=True,
            )


main()
