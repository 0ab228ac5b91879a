#===- ClangLibraries.cmake - LLVM and Clang as link targets ----------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Gives two targets, tdlLLVM (Support and ADT: small and quick to include) and
# tdlClang (tdlLLVM and the compiler), and TDL_RESOURCE_DIR, the folder of
# clang's builtin headers. The same names stand for the shared libraries and,
# under TDL_STATIC, for the archives.
#
#===------------------------------------------------------------------------===#

# Debian keeps each LLVM in a folder of its own, which CMake does not search.
# Clang's CMake package is not asked for: Debian ships it with the compiler's
# programs, and it refuses to load where one of them is not installed.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

set(TDL_RESOURCE_DIR ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR})
if(NOT EXISTS ${LLVM_INCLUDE_DIR}/clang/Tooling/Tooling.h)
  message(FATAL_ERROR "no headers of Clang in ${LLVM_INCLUDE_DIR}: "
    "install Debian's libclang-${LLVM_VERSION_MAJOR}-dev")
endif()
if(NOT EXISTS ${TDL_RESOURCE_DIR}/include/stddef.h)
  message(FATAL_ERROR
    "no builtin headers of clang in ${TDL_RESOURCE_DIR}/include: "
    "install Debian's libclang-common-${LLVM_VERSION_MAJOR}-dev")
endif()

# Where an installation keeps its copy of them, relative to its prefix.
set(TDL_INSTALLED_RESOURCE_DIR
  lib/torch-device-lint/clang/${LLVM_VERSION_MAJOR})

add_library(tdlLLVM INTERFACE)
# As system headers, so that our warnings are about our code.
target_include_directories(tdlLLVM SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS})
separate_arguments(TDL_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tdlLLVM INTERFACE ${TDL_LLVM_DEFINITIONS})
target_link_libraries(tdlLLVM INTERFACE tdlSettings)

add_library(tdlClang INTERFACE)
target_link_libraries(tdlClang INTERFACE tdlLLVM)

if(TDL_STATIC)
  # Debian's CMake package of LLVM stands for the shared library alone;
  # llvm-config knows the archives too.
  find_program(TDL_LLVM_CONFIG llvm-config
    HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)
  mark_as_advanced(TDL_LLVM_CONFIG)
  execute_process(
    COMMAND ${TDL_LLVM_CONFIG} --link-static --libfiles
    OUTPUT_VARIABLE TDL_LLVM_ARCHIVES OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(TDL_LLVM_ARCHIVES)
  # Listed, but in a package of their own (libpolly-22-dev) and of no use here.
  list(FILTER TDL_LLVM_ARCHIVES EXCLUDE REGEX "/libPolly")
  file(GLOB TDL_CLANG_ARCHIVES ${LLVM_LIBRARY_DIR}/libclang*.a)
  # libclang.a repeats the objects of the others for users of the C interface.
  list(FILTER TDL_CLANG_ARCHIVES EXCLUDE REGEX "/libclang\\.a$")
  if(NOT TDL_CLANG_ARCHIVES)
    message(FATAL_ERROR "no libclang*.a in ${LLVM_LIBRARY_DIR}: "
      "a static build needs Debian's libclang-${LLVM_VERSION_MAJOR}-dev")
  endif()
  # One group of all, because CMake keeps no order between two of them.
  # llvm-config --system-libs also names libxml2 and libz3, which only parts
  # of LLVM that a linter does not use ask for.
  list(JOIN TDL_CLANG_ARCHIVES "," TDL_CLANG_ARCHIVES)
  list(JOIN TDL_LLVM_ARCHIVES "," TDL_LLVM_ARCHIVES)
  target_link_libraries(tdlLLVM INTERFACE
    "$<LINK_GROUP:RESCAN,${TDL_CLANG_ARCHIVES},${TDL_LLVM_ARCHIVES}>"
    z zstd m ${CMAKE_DL_LIBS})
else()
  # Debian has the library under its versioned name only.
  find_library(TDL_CLANG_CPP
    NAMES clang-cpp
          libclang-cpp.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}
    HINTS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
  mark_as_advanced(TDL_CLANG_CPP)
  target_link_libraries(tdlLLVM INTERFACE LLVM)
  target_link_libraries(tdlClang INTERFACE ${TDL_CLANG_CPP})
endif()
