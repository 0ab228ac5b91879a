#===- FindLibTorch.cmake - LibTorch without its CUDA half ------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# find_package(Torch) of a CUDA wheel refuses a machine without a CUDA toolkit,
# and its targets link libtorch_cuda, which the verifier loads only where there
# is a GPU. So: the headers, libtorch_cpu and libc10, nothing else.
#
# In:   LIBTORCH    folder of a torch wheel, of an unpacked libtorch archive, or
#                   a prefix such as /usr; the environment variable is the default
# Out:  target LibTorch::Cpu, LIBTORCH_VERSION, LIBTORCH_LIBRARY_DIR

set(LIBTORCH "$ENV{LIBTORCH}" CACHE PATH "LibTorch: a folder with include/ and lib/")
if(LIBTORCH)
  set(_prefixes "${LIBTORCH}" "${LIBTORCH}/usr")
else()
  set(_prefixes /usr)
endif()

find_path(LIBTORCH_INCLUDE_DIR torch/csrc/api/include/torch/version.h
  PATHS ${_prefixes} PATH_SUFFIXES include NO_DEFAULT_PATH)
set(_library_suffixes lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
find_library(LIBTORCH_CPU_LIBRARY torch_cpu
  PATHS ${_prefixes} PATH_SUFFIXES ${_library_suffixes} NO_DEFAULT_PATH)
find_library(LIBTORCH_C10_LIBRARY c10
  PATHS ${_prefixes} PATH_SUFFIXES ${_library_suffixes} NO_DEFAULT_PATH)
if(NOT LIBTORCH_INCLUDE_DIR OR NOT LIBTORCH_CPU_LIBRARY OR NOT LIBTORCH_C10_LIBRARY)
  list(JOIN _prefixes ", " _searched)
  message(FATAL_ERROR "No LibTorch in ${_searched}: expected include/torch, lib/libtorch_cpu.so and lib/libc10.so. "
    "Give its folder: -DLIBTORCH=DIR (the folder 'torch' of a wheel, or of an unpacked libtorch archive).")
endif()

# The numbers moved to another header in 2.10.
foreach(_header torch/csrc/api/include/torch/version.h torch/headeronly/version.h)
  if(EXISTS "${LIBTORCH_INCLUDE_DIR}/${_header}")
    file(READ "${LIBTORCH_INCLUDE_DIR}/${_header}" _text)
    foreach(_part MAJOR MINOR PATCH)
      if(_text MATCHES "define TORCH_VERSION_${_part} +([0-9]+)")
        set(_${_part} ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endif()
endforeach()
set(LIBTORCH_VERSION ${_MAJOR}.${_MINOR}.${_PATCH})
get_filename_component(LIBTORCH_LIBRARY_DIR "${LIBTORCH_CPU_LIBRARY}" DIRECTORY)

add_library(LibTorch::Cpu INTERFACE IMPORTED)
set_target_properties(LibTorch::Cpu PROPERTIES
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
    "${LIBTORCH_INCLUDE_DIR};${LIBTORCH_INCLUDE_DIR}/torch/csrc/api/include"
  INTERFACE_INCLUDE_DIRECTORIES
    "${LIBTORCH_INCLUDE_DIR};${LIBTORCH_INCLUDE_DIR}/torch/csrc/api/include"
  INTERFACE_LINK_LIBRARIES "${LIBTORCH_CPU_LIBRARY};${LIBTORCH_C10_LIBRARY}"
  # libtorch_cpu of a CUDA wheel names libraries that only its own RPATH finds.
  INTERFACE_LINK_OPTIONS "-Wl,--allow-shlib-undefined;-Wl,-rpath,${LIBTORCH_LIBRARY_DIR}")
