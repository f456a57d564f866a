# SPDX-License-Identifier: GPL-3.0-or-later
# How every target is compiled: language level, warnings, floating-point rules, sanitizers, ccache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CONSTELA_CCACHE ccache)
if(CONSTELA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CONSTELA_CCACHE})
endif()

find_package(Threads REQUIRED)

# One interface library carries the rules; constela_library() and friends link it.
add_library(constela_rules INTERFACE)
target_include_directories(constela_rules INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(constela_rules INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wundef -Werror
  # The compiler must not fuse a*b+c on its own: results are promised to the bit (docs/adr/0002).
  -ffp-contract=off)
target_link_libraries(constela_rules INTERFACE Threads::Threads)
# GCC 12 and 13 see overlapping copies in "text" + std::string that are not there (GCC bug 105651), and at -O3 values of
# std::optional and std::variant that seem uninitialized. Elsewhere the latter stay errors.
target_compile_options(constela_rules INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-error=maybe-uninitialized>)

if(CONSTELA_SANITIZE)
  target_compile_options(constela_rules INTERFACE
    -fsanitize=${CONSTELA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(constela_rules INTERFACE -fsanitize=${CONSTELA_SANITIZE})
endif()

# Everything is compiled so that libFuzzer sees its branches; constela_fuzz_target() adds libFuzzer itself.
if(CONSTELA_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CONSTELA_FUZZ needs clang: cmake --preset fuzz, or -DCMAKE_CXX_COMPILER=clang++-14")
  endif()
  if(CONSTELA_SANITIZE)
    message(FATAL_ERROR "CONSTELA_FUZZ brings its own sanitizers; leave CONSTELA_SANITIZE empty")
  endif()
  target_compile_options(constela_rules INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(constela_rules INTERFACE -fsanitize=address,undefined)
endif()
