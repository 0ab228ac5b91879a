#!/usr/bin/env python3
#===- write-database.py - A compile_commands.json for a test ---------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   write-database.py OUTPUT FILE[,FILE...] [FLAG...]
#
# Every file is compiled with the same flags.
#
#===------------------------------------------------------------------------===#

import json
import os
import sys

output, files, *flags = sys.argv[1:]
folder = os.path.dirname(output)
commands = [
    {"directory": folder, "file": file, "arguments": ["c++", *flags, "-c", file]}
    for file in files.split(",")
]
with open(output, "w") as out:
    json.dump(commands, out)
