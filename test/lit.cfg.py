#===- lit.cfg.py - How lit runs the linter's tests -------------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Substitutions
#   %tdl           the linter with the tests' shared cache; flags may follow
#   %linter        the same without a cache folder: $XDG_CACHE_HOME, which is the
#                  tests' shared one
#   %status N CMD  runs CMD, which must end with N
#   %torch_flags   what a compiler needs to find LibTorch: -std and -isystem
#   %cuda_flags    the same for CUDA's headers (REQUIRES: cuda-headers)
#   %cuda_path     a folder for --cuda-path (REQUIRES: cuda-sources)
#   %check C FILE  lints FILE with the checks C, default flags %torch_flags, and
#                  fails for any finding that no CHECK line names; see
#                  test/check-findings for the rest of its command line
#   %run_cases     test/run-cases on the linter; names of cases may follow
#   %run_old_cases test/run-cases on the headers of the oldest LibTorch that is
#                  supported (REQUIRES: old-libtorch)
#   %cases_without_prelude
#                  the cases that are also linted without a prelude: a choice,
#                  or all of them when TDL_TEST_ALL=1 is in the environment
#   %verifier      torch-device-verify (REQUIRES: verifier)
#   %fuzz_target   tdl-fuzz; inputs follow, and then (REQUIRES: fuzz-target)
#   %fuzz_options  the tests' shared cache and flags; --seeds=... follows
#   %clangxx       Clang 22 itself
#   %python        the Python that runs lit
#   %src_root      the folder of this project
#   %libtorch      the folder that holds LibTorch's include/
#   %version       the linter's version
#   %native_functions
#                  RELEASE=FILE of LibTorch's native_functions.yaml
#                  (REQUIRES: native-functions)
#
# Features
#   libtorch-2.11, libtorch-1.13, ...   the LibTorch that the tests read
#   cuda-runtime-headers                cuda_runtime_api.h is there
#   cuda-headers                        and those of cuBLAS, cuSPARSE, cuSOLVER
#   cuda-sources                        all that a .cu file needs, and LibTorch is
#                                       one for CUDA
#   native-functions                    LibTorch is a wheel's, which has PyTorch's
#                                       declarations of operators beside it
#   verifier                            $TDL_VERIFIER names torch-device-verify
#   fuzz-target                         tdl-fuzz is there
#   old-libtorch                        $TDL_OLD_LIBTORCH is the folder that holds
#                                       include/ of LibTorch 1.13
#
#===------------------------------------------------------------------------===#

import os
import re
import shlex
import sys

import lit.formats

config.name = "torch-device-lint"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".cu", ".test"]
config.excludes = ["Inputs", "unit", "fuzz"]
config.test_source_root = os.path.join(config.tdl_source_root, "test")
config.test_exec_root = os.path.join(config.tdl_binary_root, "test", "out")

TORCH_API = "include/torch/csrc/api/include"


def find_libtorch():
    """The folder that holds include/torch: $LIBTORCH, else what CMake was told."""
    for root in (os.environ.get("LIBTORCH"), config.tdl_libtorch):
        if not root:
            continue
        if os.path.exists(os.path.join(root, TORCH_API, "torch/torch.h")):
            return os.path.abspath(root)
        lit_config.fatal(
            f"'{root}' is no LibTorch: it has no {TORCH_API}/torch/torch.h; "
            "set LIBTORCH to the folder that holds include/"
        )
    lit_config.fatal(
        "the tests read LibTorch's headers: set LIBTORCH to the folder that "
        "holds include/, or start them with test/run, which finds or fetches one"
    )


def torch_version(root):
    """'2.11' from version.h, which has moved between releases."""
    for place in ("include/torch/headeronly", TORCH_API + "/torch"):
        try:
            with open(os.path.join(root, place, "version.h")) as header:
                text = header.read()
        except OSError:
            continue
        numbers = [
            re.search(rf"#define TORCH_VERSION_{part} (\d+)", text)
            for part in ("MAJOR", "MINOR")
        ]
        if all(numbers):
            return ".".join(number.group(1) for number in numbers)
    lit_config.fatal(f"cannot read the version of the LibTorch in '{root}'")


def find_cuda(root, header):
    """A folder whose include/ has the header: a toolkit's, else the wheels'."""
    for toolkit in (
        os.environ.get("TDL_CUDA"),  # tool/setup/cuda.sh
        os.environ.get("CUDA_HOME", "/usr/local/cuda"),
        os.path.join(root, "../nvidia/cu13"),
    ):
        if toolkit and os.path.exists(os.path.join(toolkit, "include", header)):
            return os.path.abspath(toolkit)
    return None


def isystem(folders):
    # /usr/include is searched anyway, and naming it breaks #include_next.
    return " ".join(
        "-isystem " + shlex.quote(f) for f in folders if f != "/usr/include"
    )


def flags_for(root):
    """What a compiler needs to find the LibTorch in a folder."""
    return "-std=c++17 " + isystem(
        [os.path.join(root, "include"), os.path.join(root, TORCH_API)]
    )


libtorch = find_libtorch()
version = torch_version(libtorch)
config.available_features.add("libtorch-" + version)
torch_flags = flags_for(libtorch)
lit_config.note(f"LibTorch {version} in {libtorch}")

# Of LibTorch's wheel alone comes a CUDA without its compiler's headers.
cuda_path = find_cuda(libtorch, "crt/host_config.h")
cuda = cuda_path or find_cuda(libtorch, "cuda_runtime_api.h")
cuda_flags = ""
if cuda:
    include = os.path.join(cuda, "include")
    config.available_features.add("cuda-runtime-headers")
    cuda_flags = isystem([include])
    if all(
        os.path.exists(os.path.join(include, header))
        for header in ("cublas_v2.h", "cusparse.h", "cusolverDn.h")
    ):
        config.available_features.add("cuda-headers")
if cuda_path and os.path.exists(
    os.path.join(libtorch, "include/c10/cuda/impl/cuda_cmake_macros.h")
):
    config.available_features.add("cuda-sources")
    lit_config.note(f"CUDA's headers in {cuda_path}")
else:
    cuda_path = ""

# One cache for all tests and all runs, so that the prelude is built once. It
# is not the user's, which tests must neither read nor fill.
cache = os.path.join(config.tdl_binary_root, "test", "cache")
os.makedirs(cache, exist_ok=True)
config.environment["XDG_CACHE_HOME"] = cache
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, os.environ.get("PATH", "")]
)
# LLVM's own libraries are not built with the sanitizer, so vectors that cross
# into them look overrun, and memory of an arena that they hand out looks as if
# nobody had.
config.environment["ASAN_OPTIONS"] = "detect_container_overflow=0:allow_user_poisoning=0"

linter = os.path.join(config.tdl_binary_root, "bin", "torch-device-lint")
if not os.path.exists(linter):
    lit_config.fatal(f"no linter in '{linter}': build torch-device-lint first")
tdl = f"{shlex.quote(linter)} --cache-dir={shlex.quote(cache)}"
python = shlex.quote(sys.executable)
checker = shlex.quote(os.path.join(config.test_source_root, "check-findings"))
exit_status = shlex.quote(os.path.join(config.test_source_root, "exit-status"))
case_runner = shlex.quote(os.path.join(config.test_source_root, "run-cases"))

# Findings of each kind, a trap, and headers beside torch/torch.h.
cases_without_prelude = (
    "B01-unsort-packed-lengths B11-linspace-ramp-guarded C04-rotary-angles-const-discard"
)
if os.environ.get("TDL_TEST_ALL"):
    cases_without_prelude = ""

native_functions = os.path.join(
    libtorch, "../torchgen/packaged/ATen/native/native_functions.yaml"
)
if os.path.exists(native_functions):
    config.available_features.add("native-functions")

verifier = os.environ.get("TDL_VERIFIER", "")
if os.access(verifier, os.X_OK):
    config.available_features.add("verifier")

fuzz_target = os.path.join(config.tdl_binary_root, "bin", "tdl-fuzz")
if os.path.exists(fuzz_target):
    config.available_features.add("fuzz-target")

run_cases = (
    f"{python} {case_runner} --linter={shlex.quote(linter)} "
    f"--cache-dir={shlex.quote(cache)}"
)
old_libtorch = os.environ.get("TDL_OLD_LIBTORCH", "")
if old_libtorch:
    config.available_features.add("old-libtorch")
    lit_config.note(f"LibTorch {torch_version(old_libtorch)} in {old_libtorch}")

config.substitutions += [
    (
        r"%check\b",
        f"{python} {checker} --linter={shlex.quote(linter)} "
        f"--cache-dir={shlex.quote(cache)} "
        f"--default-flags={shlex.quote(torch_flags)}",
    ),
    (
        r"%run_cases\b",
        f"{run_cases} --flags={shlex.quote(torch_flags)} "
        f"--cuda-path={shlex.quote(cuda_path)}",
    ),
    (
        r"%run_old_cases\b",
        f"{run_cases} --flags={shlex.quote(flags_for(old_libtorch))}",
    ),
    (r"%cases_without_prelude\b", cases_without_prelude),
    (r"%fuzz_target\b", shlex.quote(fuzz_target)),
    (
        r"%fuzz_options\b",
        f"-ignore_remaining_args=1 --cache-dir={shlex.quote(cache)} "
        f"--flags={shlex.quote(torch_flags)}",
    ),
    (r"%tdl\b", tdl),
    (r"%linter\b", shlex.quote(linter)),
    (r"%status\b", f"{python} {exit_status}"),
    (r"%torch_flags\b", torch_flags),
    (r"%cuda_flags\b", cuda_flags),
    (r"%cuda_path\b", shlex.quote(cuda_path)),
    (r"%verifier\b", shlex.quote(verifier)),
    (r"%clangxx\b", os.path.join(config.llvm_tools, "clang++")),
    (r"%python\b", python),
    (r"%src_root\b", config.tdl_source_root),
    (r"%libtorch\b", libtorch),
    (r"%version\b", config.tdl_version),
    (r"%native_functions\b", shlex.quote(f"{version}={native_functions}")),
]
