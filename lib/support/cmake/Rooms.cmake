#===- Rooms.cmake - One library a room -------------------------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   tdl_add_room(flow CLANG DEPENDS device torch)
#
# makes the library tdlFlow of the .cpp files beside the caller. DEPENDS names
# the rooms below whose headers it includes (what those depend on comes with
# them); test/rules/room-arrows.py holds the includes against it. CLANG says
# that the room needs clang and not only LLVM's Support. SOURCES overrides the
# list of files. A room with headers only becomes an INTERFACE library.
#
#===------------------------------------------------------------------------===#

# Sets ${result} to the target of a room: tdlFlow for flow.
function(tdl_room_target room result)
  string(SUBSTRING ${room} 0 1 first)
  string(SUBSTRING ${room} 1 -1 rest)
  string(TOUPPER ${first} first)
  set(${result} tdl${first}${rest} PARENT_SCOPE)
endfunction()

function(tdl_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLANG" "" "SOURCES;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tdl_add_room(${room}): unexpected "
      "'${arg_UNPARSED_ARGUMENTS}', expected CLANG, SOURCES or DEPENDS")
  endif()
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()

  tdl_room_target(${room} target)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  target_include_directories(${target} ${scope}
    ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)
  foreach(below IN LISTS arg_DEPENDS)
    tdl_room_target(${below} below_target)
    target_link_libraries(${target} ${scope} ${below_target})
  endforeach()
  if(arg_CLANG)
    target_link_libraries(${target} ${scope} tdlClang)
  else()
    target_link_libraries(${target} ${scope} tdlLLVM)
  endif()
  set_property(GLOBAL APPEND PROPERTY TDL_ROOMS ${target})
endfunction()
