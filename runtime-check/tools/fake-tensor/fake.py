# ===- fake.py - Calls operators on PyTorch's FakeTensor --------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""What FakeTensor does with a sample in each arrangement, a word a call.

The word has a letter per value that comes back: where it is ("c", "0", "1"), "m" for a list on several devices, "n" for
what is no tensor. "x": it throws, and on one device the same shapes do not. "-": it does not work on one device either.
"""
import logging
import re
import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from arrangements import code, everything_on, slots, trials

DEVICES = {"c": torch.device("cpu"), "0": torch.device("cuda:0"), "1": torch.device("cuda:1")}
TENSOR = re.compile(r"(\w+)\[([\d,]*)\](?:/([\d,]*))?")
DTYPES = {"Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32, "Long": torch.int64,
          "Half": torch.float16, "Float": torch.float32, "Double": torch.float64, "ComplexHalf": torch.complex32,
          "ComplexFloat": torch.complex64, "ComplexDouble": torch.complex128, "Bool": torch.bool,
          "BFloat16": torch.bfloat16, "UInt64": torch.uint64}
# Enumerations by their numbers in c10.
DTYPE_NUMBERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
                 torch.complex32, torch.complex64, torch.complex128, torch.bool, torch.qint8, torch.quint8, torch.qint32,
                 torch.bfloat16]
LAYOUTS = [torch.strided, torch.sparse_coo, torch.sparse_csr]
MEMORY_FORMATS = [torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d]
ENUMERATIONS = {"ScalarType": DTYPE_NUMBERS, "Layout": LAYOUTS, "MemoryFormat": MEMORY_FORMATS}

# PyTorch explains each of the calls that are made to throw.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


class Operator:
    def __init__(self, name):
        base, _, overload = name.partition(".")
        self.function = getattr(getattr(torch.ops.aten, base), overload or "default")
        self.parameters = self.function._schema.arguments
        self.types = [str(p.real_type) for p in self.parameters]

    def takes_device(self):
        return any(is_device(type) for type in self.types)


def is_device(type):
    return "Device" in type


def integers(text):
    return [int(word) for word in text.split(",")] if text else []


def make_tensor(text, place, shape):
    name, sizes, strides = TENSOR.match(text).groups()
    if shape:
        return torch.empty([] if shape == "." else [1], dtype=DTYPES[name], device=DEVICES[place])
    sizes = integers(sizes)
    if not strides:
        return torch.empty(sizes, dtype=DTYPES[name], device=DEVICES[place])
    return torch.empty_strided(sizes, integers(strides), dtype=DTYPES[name], device=DEVICES[place])


def make_value(data, type):
    """Of what holds no tensor."""
    if isinstance(data, dict):
        (kind, content), = data.items()
        return {"float": float, "string": str, "device": torch.device, "complex": lambda c: complex(*c)}[kind](content)
    for name, members in ENUMERATIONS.items():
        if name in type and data is not None:
            return members[data]
    return data


def make_arguments(operator, arguments, trial):
    values = []
    for data, type in zip(arguments, operator.types):
        if is_device(type):
            values.append(None if "Optional" in type or type.endswith("?") else DEVICES["c"])
            values[-1] = DEVICES[trial.option] if trial.option else values[-1]
        elif isinstance(data, list):
            values.append([make_value(element, type) if not isinstance(element, str) else None for element in data])
        else:
            values.append(None if isinstance(data, str) else make_value(data, type))
    for (parameter, element, text), place, shape in zip(slots(arguments), trial.places, trial.shapes):
        tensor = make_tensor(text, place, shape)
        if element is None:
            values[parameter] = tensor
        else:
            values[parameter][element] = tensor
    return values


def letter(device):
    return "c" if device.type == "cpu" else str(device.index)


def place_of(value):
    if isinstance(value, torch.Tensor):
        return letter(value.device)
    if isinstance(value, (list, tuple)):
        places = {letter(element.device) for element in value if isinstance(element, torch.Tensor)}
        return "m" if len(places) > 1 else places.pop() if places else "n"
    return "n"


def word_of(operator, result):
    count = len(operator.function._schema.returns)
    values = [result] if count == 1 else list(result or ())
    return "".join(map(place_of, values)) or "n"


def fake_mode():
    """With sizes that depend on elements. An operator that FakeTensor knows nothing of is not run for real: there is no GPU."""
    return FakeTensorMode(allow_non_fake_inputs=False, allow_fallback_kernels=False, shape_env=ShapeEnv())


def call(operator, arguments, trial):
    """Nothing where it throws: whatever it says, the same call on one device did not."""
    try:
        with fake_mode(), torch.no_grad():
            values = make_arguments(operator, arguments, trial)
            positional = [v for v, p in zip(values, operator.parameters) if not p.kwarg_only]
            named = {p.name: v for v, p in zip(values, operator.parameters) if p.kwarg_only}
            return word_of(operator, operator.function(*positional, **named))
    except Exception:
        return None


class Sample:
    """A call of an operator in any arrangement, each made once."""

    def __init__(self, operator, arguments):
        self.operator, self.arguments, self.known = operator, arguments, {}
        self.works_on = {place: self.run(everything_on(place, len(slots(arguments)))) is not None for place in "c0"}

    def run(self, trial):
        key = code(trial)
        if key not in self.known:
            self.known[key] = call(self.operator, self.arguments, trial)
        return self.known[key]

    def is_telling(self, trial):
        """Whether it is devices that make the call throw, if it does. Of what fails with everything on cuda:0, FakeTensor
        knows no CUDA kernel, or has it ask for a GPU."""
        if not self.works_on["0"]:
            return False
        if trial.rest is None:
            return self.works_on["c"] or "c" not in trial.places
        return self.run(trial._replace(places=[trial.rest] * len(trial.places))) is not None

    def word(self, trial):
        if not self.is_telling(trial):
            return "-"
        return self.run(trial) or "x"


def words(operator, arguments):
    """A word for each arrangement."""
    sample = Sample(operator, arguments)
    return [sample.word(trial) for trial in trials(arguments, operator.takes_device())]
