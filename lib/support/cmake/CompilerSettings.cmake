#===- CompilerSettings.cmake - How every file of ours is compiled ----------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# C++17 without exceptions and RTTI, as LLVM itself is built: a class that
# derives from one of LLVM's does not link otherwise. ccache is used where it
# is installed, because a file that includes clang's AST compiles for seconds.
#
#===------------------------------------------------------------------------===#

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TDL_CCACHE ccache)
  mark_as_advanced(TDL_CCACHE)
  if(TDL_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TDL_CCACHE})
  endif()
endif()

add_library(tdlSettings INTERFACE)
target_compile_options(tdlSettings INTERFACE
  -fno-exceptions -fno-rtti -Wall -Wextra
  # libstdc++ 12's own std::stable_sort uses a function that it deprecates, and
  # Clang says so in our files. GCC goes on warning of deprecated names.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

if(TDL_SANITIZE)
  # The vptr check needs RTTI, which we and LLVM are built without.
  target_compile_options(tdlSettings INTERFACE
    -fsanitize=${TDL_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(tdlSettings INTERFACE -fsanitize=${TDL_SANITIZE})
endif()

if(TDL_FUZZ)
  # What libFuzzer sees of an input is which branches it takes.
  target_compile_options(tdlSettings INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(TDL_STATIC)
  target_compile_options(tdlSettings INTERFACE
    -ffunction-sections -fdata-sections)
  target_link_options(tdlSettings INTERFACE
    -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed -s)
endif()
