# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when an object compiled for a newer processor defines a weak symbol: an inline function or template that the
# linker may choose for the whole program, which then dies on an older processor.
# cmake -DNM=... -DOBJECTS="a.o;b.o" -P no_shared_inline.cmake
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [WwVvu] [^\n]*" weak "${symbols}")
  if(weak)
    message(SEND_ERROR "${object} defines symbols that other sources may be linked to: ${weak}")
  endif()
endforeach()
