#===- WriteEmbedded.cmake - Writes the C++ file of an embedded text --------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Run by EmbedText.cmake at build time: cmake -DOUTPUT=... -DSYMBOL=...
# -DFORM=text|folder -DFILES=a;b -P WriteEmbedded.cmake
#
# A text becomes raw string literals that the compiler joins. Compilers limit
# the length of one literal (MSVC: 16 KB), so a text is cut, at line ends: a
# cut inside a UTF-8 character would make two broken ones.
#
#===------------------------------------------------------------------------===#

set(PIECE_BYTES 12000)

# Sets ${result} to the literals that hold the text of `file`.
function(literals_of file result)
  file(READ ${file} text)
  string(FIND "${text}" ")TDL\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${file}: contains )TDL\", which ends the raw string "
      "literal that the text is embedded as: write it differently")
  endif()
  set(literals "")
  string(LENGTH "${text}" left)
  while(left GREATER ${PIECE_BYTES})
    string(SUBSTRING "${text}" 0 ${PIECE_BYTES} piece)
    string(FIND "${piece}" "\n" cut REVERSE)
    if(cut EQUAL -1)
      message(FATAL_ERROR
        "${file}: has a line of more than ${PIECE_BYTES} bytes: break it")
    endif()
    math(EXPR cut "${cut} + 1")
    string(SUBSTRING "${text}" 0 ${cut} piece)
    string(SUBSTRING "${text}" ${cut} -1 text)
    string(LENGTH "${text}" left)
    string(APPEND literals "    R\"TDL(${piece})TDL\"\n")
  endwhile()
  string(APPEND literals "    R\"TDL(${text})TDL\"")
  set(${result} "${literals}" PARENT_SCOPE)
endfunction()

set(code "// Written by WriteEmbedded.cmake at build time.\n")
string(APPEND code "#include \"support/Embedded.h\"\n\n")
string(APPEND code "namespace tdl::embedded {\n")

if(FORM STREQUAL "text")
  literals_of(${FILES} literals)
  string(APPEND code
    "extern const char ${SYMBOL}[];\n"
    "extern const unsigned long ${SYMBOL}Size;\n"
    "const char ${SYMBOL}[] =\n${literals}"
    ";\nconst unsigned long ${SYMBOL}Size = sizeof(${SYMBOL}) - 1;\n")
else()
  set(rows "")
  set(count 0)
  foreach(file IN LISTS FILES)
    literals_of(${file} literals)
    get_filename_component(name ${file} NAME_WLE)
    string(APPEND code "static const char Text${count}[] =\n${literals};\n")
    string(APPEND rows
      "    {\"${name}\", Text${count}, sizeof(Text${count}) - 1},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  # One more row, because an array of nothing is no C++; the count leaves it out.
  string(APPEND code
    "extern const File ${SYMBOL}[];\n"
    "extern const unsigned long ${SYMBOL}Count;\n"
    "const File ${SYMBOL}[] = {\n${rows}    {nullptr, nullptr, 0}};\n"
    "const unsigned long ${SYMBOL}Count = ${count};\n")
endif()
string(APPEND code "} // namespace tdl::embedded\n")

file(WRITE ${OUTPUT}.new "${code}")
file(RENAME ${OUTPUT}.new ${OUTPUT})
