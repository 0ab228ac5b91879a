#===- packages.sh - Finds what the build needs, installs what is missing ---===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Each row below is one need: how to see that it is met (whoever installed it),
# the Debian package that meets it, and what it is for. apt-get runs only for
# the rows that are not met.
#
#===------------------------------------------------------------------------===#

LLVM_FOLDER=/usr/lib/llvm-22

has_command() { command -v "$1" >/dev/null; }

# has_header NAME: the C++ compiler finds <NAME>.
has_header() {
  has_command c++ && echo "#include <$1>" | c++ -E -x c++ - >/dev/null 2>&1
}

has_cmake() {
  has_command cmake &&
    cmake --version | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || v[1] == 3 && v[2] >= 25) }'
}

# has_llvm_part PATTERN: below LLVM's folder or one of the user's prefixes.
has_llvm_part() {
  local prefix
  local -a prefixes
  IFS=':;' read -r -a prefixes <<<"$LLVM_FOLDER:${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    ! compgen -G "$prefix/$1" >/dev/null || return 0
  done
  return 1
}

# package | test | purpose
BUILD_NEEDS='
cmake            | has_cmake                                        | CMake 3.25 or newer
ninja-build      | has_command ninja                                | the build program Ninja
g++              | has_command c++                                  | a C++17 compiler, GCC 12 or Clang 22 or newer
llvm-22-dev      | has_llvm_part lib/cmake/llvm/LLVMConfig.cmake    | LLVM 22.1, headers and libraries
libclang-22-dev  | has_llvm_part include/clang/Tooling/Tooling.h    | Clang 22.1, headers
libclang-cpp22   | has_llvm_part 'lib/libclang-cpp.so*'             | Clang 22.1, the shared library
zlib1g-dev       | has_header zlib.h                                | zlib, which LLVM links
libzstd-dev      | has_header zstd.h                                | zstd, which LLVM links
nlohmann-json3-dev | has_header nlohmann/json.hpp                   | JSON for the verifier
'
TEST_NEEDS='
libgtest-dev     | has_header gtest/gtest.h                         | GoogleTest
llvm-22-tools    | has_llvm_part bin/FileCheck                      | lit, FileCheck and not, of LLVM 22
clang-22         | has_llvm_part bin/clang++                        | Clang 22, which the linter is compared with
python3          | has_command python3                              | Python 3, which runs lit
'

# unmet_needs TABLE: prints the rows whose test fails.
unmet_needs() {
  local package test purpose
  while IFS='|' read -r package test purpose; do
    [ -n "$test" ] || continue
    eval "$test" || printf '%s|%s|%s\n' "$package" "$test" "$purpose"
  done <<<"$1"
}

packages_of() { awk -F'|' 'NF { gsub(/ /, "", $1); print $1 }' <<<"$1"; }

list_missing() {
  local package test purpose
  printf '%s: error: %s. Missing are:\n' "$PROGRAM" "$2" >&2
  while IFS='|' read -r package test purpose; do
    [ -z "$test" ] || printf '  %s (Debian package %s)\n' "${purpose# }" "${package%% *}" >&2
  done <<<"$1"
}

# Recommended packages are left out: they are half a gigabyte that nothing here
# uses.
apt_install() {
  local as_root=$1
  shift
  quietly $as_root apt-get update &&
    quietly $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "$@"
}

# ensure_packages TABLE: all needs of the table are met, or the script ends.
ensure_packages() {
  local missing packages as_root
  missing=$(unmet_needs "$1")
  [ -n "$missing" ] || return 0
  packages=$(packages_of "$missing" | paste -sd " ")
  if ! has_command apt-get; then
    list_missing "$missing" "this system has no apt-get; install the following by hand"
    exit 2
  fi
  if ! as_root=$(root_prefix); then
    list_missing "$missing" "only root can install packages; run 'apt-get install $packages' as root, then this again"
    exit 2
  fi
  if ! run_step "Installing Debian packages (about a minute): $packages" \
    apt_install "$as_root" $packages; then
    list_missing "$missing" "apt-get could not install them (Debian 12 has LLVM 22 in bookworm-security); see its message above"
    exit 2
  fi
  missing=$(unmet_needs "$1")
  [ -z "$missing" ] || {
    list_missing "$missing" "apt-get installed the packages, and still something is not found"
    exit 2
  }
}
