#===- common.sh - What the set-up scripts share ----------------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Sourced by tool/quickstart and test/run, which set ROOT, the project's
# folder. Every long step says what it does and, at its end, how long it took.
#
#===------------------------------------------------------------------------===#

PROGRAM=${0##*/}

say() { printf '== %s\n' "$*"; }

fail() {
  printf '%s: error: %s\n' "$PROGRAM" "$*" >&2
  exit 2
}

# run_step WHAT COMMAND...: runs the command, says how long it took. Its output
# is shown as it comes.
run_step() {
  local what=$1 start=$SECONDS status=0
  shift
  say "$what"
  "$@" || status=$?
  [ $((SECONDS - start)) -lt 3 ] || say "  took $((SECONDS - start)) s"
  return $status
}

# quietly COMMAND...: shows the command's output only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ $status = 0 ] || cat "$log" >&2
  rm -f "$log"
  return $status
}

# The command that makes its arguments run as root, or nothing. Without a
# terminal nobody could type a password.
root_prefix() {
  if [ "$(id -u)" = 0 ]; then
    echo env
  elif ! command -v sudo >/dev/null; then
    return 1
  elif [ -t 0 ]; then
    echo sudo
  else
    sudo -n true 2>/dev/null && echo "sudo -n"
  fi
}

jobs_of_machine() { nproc 2>/dev/null || echo 2; }

cache_folder() { echo "${XDG_CACHE_HOME:-$HOME/.cache}/torch-device-lint"; }
