#===- libtorch.sh - Finds LibTorch, or fetches it --------------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# ensure_libtorch sets and exports LIBTORCH, the folder that holds
# include/torch, from the first of: LIBTORCH or CMAKE_PREFIX_PATH as the user
# set them, an installed Python torch, the wheels below, fetched once into the
# user's cache, Debian's libtorch-dev.
#
# The wheels are taken without their dependencies, and of them only what
# compiling and running on the CPU needs: libtorch_cpu.so of the CUDA wheel
# loads with the CUDA runtime and CUPTI beside it, and libtorch_cuda.so, which
# would need 3 GB more, is never loaded. The folders keep the wheels' layout,
# because libtorch_cpu.so finds its neighbours by relative paths.
#
#===------------------------------------------------------------------------===#

TORCH_VERSION=2.11.0
TORCH_WHEELS=("torch==$TORCH_VERSION" 'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cupti==13.0.*')
# The wheel is for one Python, which need not be this machine's: no Python of
# it is ever run.
WHEEL_TARGET=(--python-version 3.11 --implementation cp --abi cp311 --abi none
  --platform "manylinux_2_28_$(uname -m)" --platform "manylinux_2_25_$(uname -m)"
  --platform "manylinux_2_17_$(uname -m)" --platform "manylinux2014_$(uname -m)")
FETCH_NEEDS='
python3          | has_command python3           | Python 3
python3-pip      | python3 -m pip --version >/dev/null 2>&1 | pip, which fetches LibTorch
'
DEBIAN_NEEDS='
libtorch-dev     | is_libtorch /usr              | LibTorch
'

is_libtorch() { [ -f "$1/include/torch/csrc/api/include/torch/torch.h" ]; }

# The first entry of CMAKE_PREFIX_PATH that holds a LibTorch.
libtorch_of_prefix_path() {
  local prefix root
  local -a prefixes
  IFS=':;' read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    # PyTorch's own advice (torch.utils.cmake_prefix_path) is .../share/cmake.
    for root in "$prefix" "${prefix%/share/cmake*}"; do
      if [ -n "$root" ] && is_libtorch "$root"; then
        echo "$root"
        return
      fi
    done
  done
  return 1
}

# The folder of an installed Python torch; importing it would take seconds.
libtorch_of_python() {
  local root
  has_command python3 || return 1
  root=$(python3 -c '
import importlib.util, os
torch = importlib.util.find_spec("torch")
print(os.path.dirname(torch.origin) if torch and torch.origin else "")
' 2>/dev/null) || return 1
  [ -n "$root" ] && is_libtorch "$root" && echo "$root"
}

# download_wheels FOLDER WHEEL...
download_wheels() {
  local bar=off folder=$1
  shift
  [ ! -t 1 ] || bar=on
  python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir \
    --progress-bar "$bar" --no-deps --only-binary=:all: "${WHEEL_TARGET[@]}" \
    --dest "$folder" "$@" </dev/null
}

# make_from_wheels FOLDER WHAT WHEEL...: the wheels' content in FOLDER, complete
# or not at all.
make_from_wheels() {
  local target=$1 what=$2 beside status=0
  shift 2
  beside=$(mktemp -d "$target.XXXXXX")
  {
    run_step "Fetching $what into $target" download_wheels "$beside/wheels" "$@" &&
      run_step "Unpacking what is needed of it" \
        python3 "$ROOT/tool/setup/unpack-wheels.py" "$beside/content" "$beside/wheels" &&
      rm -rf "$target" &&
      mv -T "$beside/content" "$target"
  } || status=1
  rm -rf "$beside"
  return $status
}

# fetch_libtorch FOLDER: runs that fetch at the same time wait for the first.
fetch_libtorch() {
  ! is_libtorch "$1/torch" || return 0
  # In a subshell, because no pip and no root is no reason to give up here:
  # Debian's LibTorch may be installed.
  (ensure_packages "$FETCH_NEEDS") || return 1
  mkdir -p "${1%/*}"
  (
    flock 9
    is_libtorch "$1/torch" ||
      make_from_wheels "$1" "LibTorch $TORCH_VERSION (540 MB, a minute or so)" "${TORCH_WHEELS[@]}"
  ) 9>"$1.lock"
}

install_debian_libtorch() {
  say "LibTorch $TORCH_VERSION cannot be fetched; taking Debian's older one"
  ensure_packages "$DEBIAN_NEEDS"
}

ensure_libtorch() {
  local cached found
  cached=$(cache_folder)/libtorch-$TORCH_VERSION
  if [ -n "${LIBTORCH:-}" ]; then
    is_libtorch "$LIBTORCH" ||
      fail "LIBTORCH is '$LIBTORCH', which has no include/torch/csrc/api/include/torch/torch.h: set it to the folder that holds LibTorch's include/"
    found=$(realpath "$LIBTORCH")
    say "LibTorch: $found (given in LIBTORCH)"
  elif found=$(libtorch_of_prefix_path); then
    say "LibTorch: $found (given in CMAKE_PREFIX_PATH)"
  elif found=$(libtorch_of_python); then
    say "LibTorch: $found (of the installed Python torch)"
  elif fetch_libtorch "$cached"; then
    found=$cached/torch
    say "LibTorch: $found"
  else
    is_libtorch /usr || install_debian_libtorch
    found=/usr
    say "LibTorch: Debian's libtorch-dev in /usr"
  fi
  export LIBTORCH=$found
}
