#===- cuda.sh - Finds CUDA's headers, or fetches them ----------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# ensure_cuda_headers sets and exports TDL_CUDA, a folder that --cuda-path
# takes, from the first of: TDL_CUDA or CUDA_HOME as the user set them,
# /usr/local/cuda, the wheels below, fetched once into the user's cache: 6 MB,
# headers alone. It is empty where there are none; tests of .cu files are then
# skipped. ATen's own CUDA headers include those of cuBLAS and others, whose
# wheels have 800 MB: what needs them is tested where a toolkit is installed.
#
#===------------------------------------------------------------------------===#

CUDA_WHEELS=('nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-cuda-cccl==13.0.*')

has_cuda_headers() { [ -f "$1/include/cuda_runtime.h" ] && [ -f "$1/include/crt/host_config.h" ]; }

# fetch_cuda_headers FOLDER: runs that fetch at the same time wait for the first.
fetch_cuda_headers() {
  ! has_cuda_headers "$1/nvidia/cu13" || return 0
  (ensure_packages "$FETCH_NEEDS") || return 1
  mkdir -p "${1%/*}"
  (
    flock 9
    has_cuda_headers "$1/nvidia/cu13" ||
      make_from_wheels "$1" "CUDA's headers (6 MB)" "${CUDA_WHEELS[@]}"
  ) 9>"$1.lock"
}

ensure_cuda_headers() {
  local found cached
  cached=$(cache_folder)/cuda-headers-13.0
  for found in "${TDL_CUDA:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
    if [ -n "$found" ] && has_cuda_headers "$found"; then
      export TDL_CUDA=$found
      say "CUDA's headers: $TDL_CUDA"
      return
    fi
  done
  export TDL_CUDA=
  if fetch_cuda_headers "$cached"; then
    TDL_CUDA=$cached/nvidia/cu13
    say "CUDA's headers: $TDL_CUDA"
  else
    say "No CUDA headers, and they cannot be fetched: tests of .cu files are skipped"
  fi
}
