# ===- checking.py - What the verifier's tests share -----------------------=== #
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------=== #

ERROR = "torch-device-verify: "


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)
