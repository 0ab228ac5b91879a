#===- EmbedText.cmake - Text files that travel in the binary ---------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# The binary works without files beside it, so tables and pages are compiled
# in. lib/support/Embedded.h says how the code sees them. Both functions write
# the .cpp at build time, when a text has changed, and need no other tool.
#
#   tdl_embed(tdlTorch Contracts.tsv ContractsText)
#   tdl_embed_folder(tdlChecks ${PROJECT_SOURCE_DIR}/docs/checks .md CheckPages)
#
#===------------------------------------------------------------------------===#

set(TDL_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/WriteEmbedded.cmake)

# One file: `extern const char ContractsText[]` and ContractsTextSize.
function(tdl_embed target file symbol)
  get_filename_component(file ${file} ABSOLUTE)
  tdl_embed_command(${target} ${symbol} text ${file})
endfunction()

# Every file of a folder with this ending, sorted by name:
# `extern const File CheckPages[]` and CheckPagesCount. A file's name in the
# table is its name on disk without folder and ending.
function(tdl_embed_folder target folder ending symbol)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*${ending})
  tdl_embed_command(${target} ${symbol} folder ${files})
endfunction()

function(tdl_embed_command target symbol form)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol}
            -DFORM=${form} "-DFILES=${ARGN}" -P ${TDL_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${TDL_EMBED_SCRIPT}
    COMMENT "Embedding ${symbol}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
