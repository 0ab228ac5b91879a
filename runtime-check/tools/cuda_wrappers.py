#!/usr/bin/env python3
# ===- cuda_wrappers.py - torchgen's model of LibTorch's CUDA kernels as a table -=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #
"""List every operator that has a CUDA kernel, and what decides there whether its tensors may differ in device.

usage: cuda_wrappers.py [--torchgen DIR] [--version N] FOLDER > data/cuda-wrappers-RELEASE.tsv

FOLDER holds native_functions.yaml and tags.yaml; in a torch wheel that is torchgen/packaged/ATen/native.
--torchgen names the folder that holds the package torchgen of the same version, where it is not installed.

Columns, separated by tabs:
  operator   name and overload in ATen's schema
  wrapper    the method that LibTorch's message names
  checked    arguments that the generated wrapper compares, in its order; "-" when it compares none
  kind       iterator    structured, its meta function is a TensorIterator
             structured  structured, another meta function
             plain       one function does everything
  kernel     shared      the CUDA kernel and the CPU kernel are the same C++ function, so its checks are in libtorch_cpu
             cuda        a function of libtorch_cuda alone
"""
import argparse
import itertools
import os
import sys


def wrapper_name(cpp, native, function, structured, version):
    """The method in the message; 2.0 put the dispatch key into it."""
    prefix = "wrapper_" if version < (2, 0) else "wrapper_CUDA_"
    if structured:
        return prefix + native.name(function.func)
    return prefix + function.func.name.overload_name + "_" + cpp.name(function.func)


def row(model, cpp, native, function, group, indices, version):
    cuda, cpu = indices[model.DispatchKey.CUDA], indices[model.DispatchKey.CPU]
    structured = group is not None
    arguments = function.func.arguments
    checked = [a.name for a in itertools.chain(arguments.out, arguments.flat_positional) if a.type.is_tensor_like()]
    if function.device_check == model.DeviceCheckType.NoCheck or not cuda.device_guard:
        checked = []
    iterates = structured and group.out.structured_inherits == "TensorIteratorBase"
    kind = "iterator" if iterates else "structured" if structured else "plain"
    shared = (not structured and cpu.has_kernel(function)
              and cpu.get_kernel(function).kernel == cuda.get_kernel(function).kernel)
    return (str(function.func.name), wrapper_name(cpp, native, function, structured, version), ",".join(checked) or "-",
            kind, "shared" if shared else "cuda")


def rows(folder, version):
    from torchgen import model
    from torchgen.api import cpp, native
    from torchgen.gen import get_grouped_native_functions, parse_native_yaml
    parsed = parse_native_yaml(os.path.join(folder, "native_functions.yaml"), os.path.join(folder, "tags.yaml"))
    indices = parsed.backend_indices
    for entry in get_grouped_native_functions(parsed.native_functions):
        grouped = isinstance(entry, model.NativeFunctionsGroup)
        structured = grouped and entry.structured
        for function in entry.functions() if grouped else [entry]:
            if indices[model.DispatchKey.CUDA].has_kernel(entry if structured else function):
                yield row(model, cpp, native, function, entry if structured else None, indices, version)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torchgen", help="folder that holds the package torchgen")
    parser.add_argument("--version", default="2.11.0", help="LibTorch's version (default: %(default)s)")
    parser.add_argument("folder", help="folder that holds native_functions.yaml and tags.yaml")
    options = parser.parse_args()
    if options.torchgen:
        sys.path.insert(0, options.torchgen)
    try:
        for line in rows(options.folder, tuple(int(n) for n in options.version.split("."))):
            print(*line, sep="\t")
    except (ImportError, OSError) as error:
        sys.exit(f"cuda_wrappers.py: {error}")


main()
