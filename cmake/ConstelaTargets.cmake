# SPDX-License-Identifier: GPL-3.0-or-later
include(GoogleTest)

# constela_library(name SOURCES a.cpp ... LIBS x ...)
function(constela_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC constela_rules ${ARG_LIBS})
endfunction()

# constela_test(name SOURCES a.cpp ... LIBS x ... [LABELS golden real ...] [TIMEOUT seconds])
# One GoogleTest program; each of its cases becomes a ctest test.
function(constela_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE constela_rules constela_test_support ${ARG_LIBS} GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
