#!/usr/bin/env python3
# ===- export_samples.py - Writes PyTorch's own operator samples as data ----=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""Run PyTorch's operator and module samples and write down with which arguments each operator was called.

usage: export_samples.py [--keep N] [--limit WORD] OUTPUT

Needs a Python whose torch imports, with numpy, scipy and expecttest, and g++ for Recorder.cpp. It runs torch.testing's
OpInfo, ForeachFuncInfo and ModuleInfo samples on the CPU (functions, methods, in-place and out= forms, and backward),
sees every operator that they reach, and keeps the N most telling calls of each overload (default: 4). Overloads that no
sample reaches, but that take what another overload of the operator takes (in-place and out= forms), are called with
that one's arguments. The format is docs/formats/operator-samples.md. Nothing in it depends on the time or the machine.
"""
import argparse
import collections
import ctypes
import json
import os
import random
import re
import subprocess
import sys
import sysconfig
import tempfile
import warnings

import numpy
import torch
from torch.testing._internal import common_methods_invocations as methods
from torch.testing._internal import common_modules as modules

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_SAMPLES = 24  # of one operator and element type
# Calls that show nothing of the operator's rule, each with why.
DEGENERATE = {
    "diff": lambda arguments: arguments[1] == 0,  # n = 0 returns self and looks at nothing else
    "diff.out": lambda arguments: arguments[1] == 0,
    "narrow": lambda arguments: arguments[0].startswith("Int"),  # of linear algebra, with elements that nobody has set
}
HEADER = """# operator-samples.tsv - Arguments with which operators of LibTorch can be called
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Made by runtime-check/tools/samples/export_samples.py from the samples in torch.testing of PyTorch {version}.
# docs/formats/operator-samples.md says how to read a line.
"""


def build_recorder(folder):
    torch_folder = os.path.dirname(torch.__file__)
    library = os.path.join(folder, "recorder.so")
    subprocess.run(["g++", "-std=c++17", "-O1", "-DNDEBUG", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "Recorder.cpp"),
                    "-isystem", os.path.join(torch_folder, "include"), "-L" + os.path.join(torch_folder, "lib"),
                    "-ltorch_cpu", "-lc10"], check=True)
    return ctypes.CDLL(library)


# ---- running the samples --------------------------------------------------------------------------------------------

def attempt(function, *arguments, **named):
    """A sample that does not run here teaches nothing and costs nothing."""
    try:
        return function(*arguments, **named)
    except Exception:
        return None


def first_samples(function, *arguments, **named):
    """Some of what yields samples; one that cannot be made ends them."""
    samples = iter(attempt(function, *arguments, **named) or ())
    for _ in range(MAX_SAMPLES):
        sample = attempt(next, samples)
        if sample is None:
            return
        yield sample


def backward(result):
    results = result if isinstance(result, (list, tuple)) else [result]
    results = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
    if results:
        torch.autograd.backward(results, [torch.ones_like(r) for r in results])


def run_forms(info, sample):
    """The function, its method, its in-place form, and with out=."""
    arguments = (sample.input, *sample.args)
    result = attempt(info.op, *arguments, **sample.kwargs)
    attempt(backward, result)
    with torch.no_grad():
        for form in (info.method_variant, info.inplace_variant):
            if form:
                copied = sample.input.clone() if isinstance(sample.input, torch.Tensor) else sample.input
                attempt(form, copied, *sample.args, **sample.kwargs)
        if info.supports_out:
            attempt(run_out, info, result, arguments, sample.kwargs)


def run_out(info, result, arguments, named):
    empty = torch.empty_like(result) if isinstance(result, torch.Tensor) else tuple(map(torch.empty_like, result))
    info.op(*arguments, **named, out=empty)


def run_operators(word):
    types = (torch.float32, torch.int64, torch.bool, torch.complex64, torch.int32)
    for info in methods.op_db:
        if word not in info.name:
            continue
        for dtype in types:
            if dtype not in info.dtypes:
                continue
            for grad in (False, True):
                if grad and not (info.supports_autograd and dtype is torch.float32):
                    continue
                for sample in first_samples(info.sample_inputs, "cpu", dtype, requires_grad=grad):
                    attempt(run_forms, info, sample)


def run_foreach(word):
    for name in dir(methods):
        if not name.startswith("foreach_") or not name.endswith("_op_db"):
            continue
        for info in getattr(methods, name):
            if word not in info.name:
                continue
            for sample in first_samples(info.sample_inputs, "cpu", torch.float32, noncontiguous=False):
                for form in (info.method_variant, info.inplace_variant):
                    if form:
                        attempt(form, sample.input, *sample.args, **getattr(sample, "kwargs", {}))


def run_modules(word):
    for info in modules.module_db:
        if word not in info.name:
            continue
        for training in (False, True):
            for sample in first_samples(info.module_inputs_func, info, device="cpu", dtype=torch.float32,
                                        requires_grad=training, training=training):
                made = attempt(info.module_cls, *sample.constructor_input.args, **sample.constructor_input.kwargs)
                if made is not None and sample.forward_input is not None:
                    made.train(training)
                    attempt(backward, attempt(made, *sample.forward_input.args, **sample.forward_input.kwargs))


# ---- values as the file writes them ---------------------------------------------------------------------------------

TENSOR = re.compile(r"(\w+)\[([\d,]*)\](?:/([\d,]*))?(?:=(.*))?$")
DTYPES = {"Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32, "Long": torch.int64,
          "Half": torch.float16, "Float": torch.float32, "Double": torch.float64, "ComplexHalf": torch.complex32,
          "ComplexFloat": torch.complex64, "ComplexDouble": torch.complex128, "Bool": torch.bool,
          "BFloat16": torch.bfloat16}


def integers(text):
    return [int(word) for word in text.split(",")] if text else []


def make_tensor(text):
    name, sizes, strides, values = TENSOR.match(text).groups()
    sizes, dtype = integers(sizes), DTYPES[name]
    if values:
        made = torch.tensor(integers(values), dtype=dtype).reshape(sizes)
    elif dtype.is_floating_point or dtype.is_complex:
        made = torch.rand(sizes, dtype=torch.float32).to(dtype)
    else:
        made = torch.zeros(sizes, dtype=dtype)
    if strides:
        made = torch.empty_strided(sizes, integers(strides), dtype=dtype).copy_(made)
    return made


def make_value(data):
    if isinstance(data, str):
        return make_tensor(data)
    if isinstance(data, list):
        return [make_value(element) for element in data]
    if isinstance(data, dict):
        (kind, content), = data.items()
        return {"float": float, "string": str, "device": torch.device, "complex": lambda c: complex(*c)}[kind](content)
    return data


def tensors_in(data):
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for element in data:
            yield from tensors_in(element)


# ---- choosing ---------------------------------------------------------------------------------------------------------

def elements(text):
    count = 1
    for size in integers(TENSOR.match(text)[2]):
        count *= size
    return count


def kind_of(arguments):
    """What makes two calls different enough to keep both: which tensors there are, and of what kind."""
    def kind(data):
        if isinstance(data, str):
            name = TENSOR.match(data)[1]
            return name if name in ("Bool", "Long", "Int") else "number"
        if isinstance(data, list):
            return tuple(sorted({str(kind(element)) for element in data}))
        return "none" if data is None else "value"
    return tuple(kind(data) for data in arguments)


def rank(arguments):
    """Small for a telling call: many tensor arguments, none empty or of one element, short lists, few elements."""
    tensors = list(tensors_in(arguments))
    sizes = [elements(text) for text in tensors]
    given = sum(any(True for _ in tensors_in(data)) for data in arguments)
    scalars = sum(TENSOR.match(text)[2] == "" for text in tensors)
    unknown = sum(TENSOR.match(t)[1] in ("Long", "Int") and "=" not in t and s > 0 for t, s in zip(tensors, sizes))
    unusual = sum(isinstance(data, list) and len(data) != 2 and any(isinstance(e, str) for e in data) for data in arguments)
    text = json.dumps(arguments)
    return (0 in sizes, unknown, -given, scalars, sizes.count(1), unusual, "/" in "".join(tensors), '"Complex' in text, '"Float[' not in text,
            sum(sizes), len(text))


def choose(calls, keep):
    """The best call, then the best of each other kind."""
    chosen, kinds = [], set()
    for arguments in sorted(calls, key=lambda a: (rank(a), json.dumps(a))):
        if len(chosen) == keep:
            break
        if kind_of(arguments) not in kinds:
            kinds.add(kind_of(arguments))
            chosen.append(arguments)
    return chosen


def read_calls(path):
    calls = collections.defaultdict(list)
    with open(path) as file:
        for line in file:
            operator, arguments = line.rstrip("\n").split("\t")
            if len(arguments) < 1500:
                found = json.loads(arguments)
                if not DEGENERATE.get(operator, lambda _: False)(found):
                    calls[operator].append(found)
    return calls


# ---- forms that no sample reaches -----------------------------------------------------------------------------------

def without_alias(argument):
    return argument.name, str(argument.type)


def schemas():
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            yield schema


def spelling(schema):
    name = schema.name[len("aten::"):]
    return name + ("." + schema.overload_name if schema.overload_name else "")


def run_derived(calls):
    """Calls overloads that have no sample with the arguments of the form that takes the same."""
    by_parameters = {}
    for schema in schemas():
        if spelling(schema) in calls:
            key = (schema.name.rstrip("_"), tuple(without_alias(a) for a in schema.arguments if not a.is_out))
            by_parameters.setdefault(key, spelling(schema))
    for schema in schemas():
        outs = [a for a in schema.arguments if a.is_out]
        key = (schema.name.rstrip("_"), tuple(without_alias(a) for a in schema.arguments if not a.is_out))
        source = by_parameters.get(key)
        if spelling(schema) in calls or not source:
            continue
        packet = getattr(torch.ops.aten, schema.name[len("aten::"):])
        function = getattr(packet, schema.overload_name or "default")
        source_name, _, overload = source.partition(".")
        functional = getattr(getattr(torch.ops.aten, source_name), overload or "default")
        for arguments in calls[source]:
            attempt(call_derived, function, functional, schema, outs, arguments)


def call_derived(function, functional, schema, outs, arguments):
    inputs = [a for a in schema.arguments if not a.is_out]
    values = [make_value(data) for data in arguments[:len(inputs)]]
    positional = [v for a, v in zip(inputs, values) if not a.kwarg_only]
    named = {a.name: v for a, v in zip(inputs, values) if a.kwarg_only}
    if outs:
        results = functional(*positional, **named)
        results = [results] if isinstance(results, torch.Tensor) else list(results)
        if str(outs[0].type) != "Tensor":
            results = [results]
        for out, result in zip(outs, results):
            named[out.name] = torch.empty_like(result) if isinstance(result, torch.Tensor) else list(map(torch.empty_like, result))
    with torch.no_grad():
        function(*positional, **named)


def record(library, path, run):
    if not library.recorder_start(path.encode()):
        sys.exit(f"export_samples.py: {path}: cannot be written")
    run()
    library.recorder_stop()
    return read_calls(path)


def run_samples(word):
    for run in (run_operators, run_foreach, run_modules):
        torch.manual_seed(1)
        numpy.random.seed(1)
        random.seed(1)
        run(word)


def write(path, calls, keep):
    with open(path + ".tmp", "w") as file:
        file.write(HEADER.format(version=torch.__version__.split("+")[0]))
        for operator in sorted(calls):
            for arguments in choose(calls[operator], keep):
                file.write(operator + "\t" + json.dumps(arguments, separators=(",", ":")) + "\n")
    os.replace(path + ".tmp", path)


def fix_hashes():
    """Sets of strings are walked in an order that changes with each run unless it is fixed at the start."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, PYTHONHASHSEED="0"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=int, default=4, help="calls of each overload (default: %(default)s)")
    parser.add_argument("--limit", default="", help="only operators whose name contains this")
    parser.add_argument("output")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True, warn_only=True)  # Also fills memory that nobody has set.
    with tempfile.TemporaryDirectory() as folder:
        library = build_recorder(folder)
        calls = record(library, os.path.join(folder, "calls"), lambda: run_samples(options.limit))
        calls = {operator: choose(found, options.keep) for operator, found in calls.items()}
        derived = record(library, os.path.join(folder, "derived"), lambda: run_derived(calls))
    for operator, found in derived.items():
        calls.setdefault(operator, found)
    write(options.output, calls, options.keep)


if __name__ == "__main__":
    fix_hashes()
    main()
