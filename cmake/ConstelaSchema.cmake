# SPDX-License-Identifier: GPL-3.0-or-later
# constela_schema(name SCHEMA a.fbs): an interface library with the header "a_generated.h" that flatc makes.
function(constela_schema name)
  cmake_parse_arguments(ARG "" "SCHEMA" "" ${ARGN})
  get_filename_component(base ${ARG_SCHEMA} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
  set(header ${folder}/${base}_generated.h)
  add_custom_command(OUTPUT ${header}
    COMMAND ${FLATC} --cpp --scoped-enums --warnings-as-errors -o ${folder} ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCHEMA}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCHEMA} VERBATIM)
  add_custom_target(${name}_header DEPENDS ${header})
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_header)
  target_include_directories(${name} SYSTEM INTERFACE ${folder} ${FLATBUFFERS_INCLUDE_DIR})
endfunction()
