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
  set(environment "")
  if(CONSTELA_SANITIZE MATCHES "thread")
    set(environment ENVIRONMENT TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan-suppressions.txt)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} ${environment} LABELS "${ARG_LABELS}")
endfunction()

set(CONSTELA_FUZZ_SECONDS 30 CACHE STRING "How long ctest runs each libFuzzer target")

# constela_fuzz_target(name SOURCES a.cpp ... LIBS x ...)
# A libFuzzer program (CONSTELA_FUZZ, clang). Its seeds lie in corpus/ beside the caller; ctest runs it for
# CONSTELA_FUZZ_SECONDS and keeps what it finds in the build folder.
function(constela_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE constela_rules ${ARG_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers) # all of them, and nothing else
  endif()
  add_dependencies(fuzzers ${name})
  set(found ${CMAKE_CURRENT_BINARY_DIR}/found)
  file(MAKE_DIRECTORY ${found})
  math(EXPR timeout "${CONSTELA_FUZZ_SECONDS} + 120")
  add_test(NAME ${name}
    COMMAND ${name} -max_total_time=${CONSTELA_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
            -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/ ${found} ${CMAKE_CURRENT_SOURCE_DIR}/corpus)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS fuzz)
endfunction()
