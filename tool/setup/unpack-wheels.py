#!/usr/bin/env python3
#===- unpack-wheels.py - Takes LibTorch, and CUDA's headers, out of wheels -===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   unpack-wheels.py TARGET FOLDER-OF-WHEELS
#
# Keeps headers, what libtorch_cpu.so loads, CMake's package, torchgen (it holds
# native_functions.yaml) and the licences. Leaves out Python code and what needs
# a GPU: a tenth of the files, half of the bytes.
#
#===------------------------------------------------------------------------===#

import fnmatch
import pathlib
import sys
import zipfile

KEEP = (
    "torch/include/*",
    "torch/lib/*.so*",
    "torch/share/cmake/*",
    "torchgen/*",
    "torch.libs/*",
    "nvidia/*/include/*",
    "nvidia/*/lib/libcudart.so*",
    "nvidia/*/lib/libcupti.so*",
    "*.dist-info/*LICENSE*",
    "*.dist-info/*NOTICE*",
    "*.dist-info/*License*",
)
# Need a GPU's libraries or Python's to load.
LEAVE = (
    "torch/lib/*_cuda*",
    "torch/lib/*_nvshmem*",
    "torch/lib/*_nvrtc*",
    "torch/lib/*_python*",
    "torch/lib/libshm*",
)


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def unpack(wheel, target):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if matches(name, KEEP) and not matches(name, LEAVE):
                archive.extract(name, target)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: unpack-wheels.py TARGET FOLDER-OF-WHEELS")
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        sys.exit(f"unpack-wheels.py: error: no wheels in '{folder}'")
    for wheel in wheels:
        unpack(wheel, target)


main()
