# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

if(NOT Upsweep_BUILD_TESTS)
  return()
endif()

include(GoogleTest)
include(${CMAKE_CURRENT_LIST_DIR}/UpsweepFuzzing.cmake)

# Passive waiting and no binding: tests run beside each other on few cores, where spinning threads starve
# their own team.
set(UPSWEEP_TEST_ENVIRONMENT OMP_NUM_THREADS=4 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive)
# UCX, which many an MPI sends by, patches functions of the C library as it is loaded, and yields its core a hundred
# times for it: beside other processes a start of upsweep-nbody takes 0.44 s, and 0.03 s without.
set(
  UPSWEEP_RANK_ENVIRONMENT
  OMP_NUM_THREADS=1
  OMP_PROC_BIND=false
  OMP_WAIT_POLICY=passive
  KOKKOS_DISABLE_WARNINGS=1
  UCX_MEM_MMAP_HOOK_MODE=none
)

# CTest reads this after the discovery: list values do not survive gtest_discover_tests(PROPERTIES) before CMake 3.27.
function(upsweep_discovered_test_environment target)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}_environment.cmake")
  file(WRITE "${file}" "foreach(test IN LISTS ${target}_TESTS ${target}_LONG_TESTS)\n")
  file(APPEND "${file}" "  set_tests_properties(\"\${test}\" PROPERTIES ENVIRONMENT \"${UPSWEEP_TEST_ENVIRONMENT}\")\n")
  file(APPEND "${file}" "endforeach()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# Lightly optimised tests take half of the time to compile. Kokkos' compiler wrappers are another matter.
set(UPSWEEP_HAS_LIGHT_OPTIMISATION OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  set(UPSWEEP_HAS_LIGHT_OPTIMISATION ON)
endif()

# upsweep_gtest(<layer> [TWICE] SOURCES ... LIBRARIES ...): one GoogleTest program; on CPUs every test in it is a CTest,
# <layer>.<suite>.<test>. Suites whose name starts with long_ get the label `long`, which `./dev test` leaves out.
# TWICE is for tests of templates: compiled lightly optimised for `./dev test`, and for `./dev test --all` once more as
# users compile them, for every combination of types (UPSWEEP_TEST_EVERY_TYPE); the tests <layer>_optimised and
# <layer>_long run that program.
function(upsweep_gtest layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TWICE" "" "SOURCES;LIBRARIES")
  set(name upsweep_test_${layer})
  set(optimised ${name})
  if(arg_TWICE AND UPSWEEP_HAS_LIGHT_OPTIMISATION)
    upsweep_lightly_optimised_program(${name} SOURCES main_kokkos.cpp ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
    set(optimised ${name}_optimised)
    upsweep_test_program(${optimised} SOURCES main_kokkos.cpp ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
    upsweep_long_program(${optimised})
    add_test(NAME ${layer}_optimised COMMAND ${optimised} --gtest_filter=-long_*)
    add_test(NAME ${layer}_long COMMAND ${optimised} --gtest_filter=long_*)
    set_tests_properties(
      ${layer}_optimised ${layer}_long
      PROPERTIES TIMEOUT 3000 LABELS long PROCESSORS 2 ENVIRONMENT "${UPSWEEP_TEST_ENVIRONMENT}"
    )
  else()
    upsweep_test_program(${name} SOURCES main_kokkos.cpp ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  endif()
  target_compile_definitions(${optimised} PRIVATE UPSWEEP_TEST_EVERY_TYPE)
  if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
    upsweep_gtest_shards(${layer} ${name})
    return()
  endif()
  gtest_discover_tests(
    ${name}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    TEST_FILTER "-long_*"
    TEST_PREFIX "${layer}."
    TEST_LIST ${name}_TESTS
    PROPERTIES TIMEOUT 120 PROCESSORS 1
  )
  if(optimised STREQUAL name)
    gtest_discover_tests(
      ${name}
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      TEST_FILTER "long_*"
      TEST_PREFIX "${layer}."
      TEST_LIST ${name}_LONG_TESTS
      PROPERTIES TIMEOUT 1500 PROCESSORS 2 LABELS long
    )
  endif()
  upsweep_discovered_test_environment(${name})
endfunction()

# upsweep_gtest_shards(<layer> <program>): on GPUs a process takes seconds to begin, 2 to 18 where 80 of them shared 4
# H200s. So a program's tests are 16 CTests, <layer>_shard_<k>, and those of the suites long_* one, <layer>_long.
function(upsweep_gtest_shards layer program)
  set(shards 16)
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    set(name ${layer}_shard_${shard})
    add_test(NAME ${name} COMMAND ${program} --gtest_filter=-long_*)
    set_tests_properties(
      ${name}
      PROPERTIES TIMEOUT 600 PROCESSORS 1
                 ENVIRONMENT "${UPSWEEP_TEST_ENVIRONMENT};GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard}"
    )
  endforeach()
  add_test(NAME ${layer}_long COMMAND ${program} --gtest_filter=long_*)
  set_tests_properties(
    ${layer}_long PROPERTIES TIMEOUT 3000 LABELS long PROCESSORS 2 ENVIRONMENT "${UPSWEEP_TEST_ENVIRONMENT}"
  )
endfunction()

# upsweep_test_program(<name> SOURCES ... LIBRARIES ...): compiled and linked, not registered.
function(upsweep_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  upsweep_program(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  upsweep_test_target(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
endfunction()

# upsweep_test_target(<target>): what the sources of all test programs are compiled with.
function(upsweep_test_target target)
  target_link_libraries(${target} PRIVATE upsweep_test_oracle GTest::gtest)
  if(TARGET GTest::gmock)
    target_link_libraries(${target} PRIVATE GTest::gmock)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${target} PRIVATE UPSWEEP_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  upsweep_precompiled_test_headers(${target} upsweep_test_headers)
endfunction()

# upsweep_lightly_optimised_program(<name> SOURCES ... LIBRARIES ...): a test program of lockstep tests with -O1 and of
# others with -Og. Lockstep tests run for long: 55 s with -O1, 107 s with -Og. Others compile faster with -Og: five
# files in 34 user seconds, 52 with -O1 (g++ 16.1, two cores of an EPYC, 2026-11-27).
function(upsweep_lightly_optimised_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(lockstep "${arg_SOURCES}")
  list(FILTER lockstep INCLUDE REGEX "/lockstep_[^/]*\\.cpp$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "/lockstep_[^/]*\\.cpp$")
  add_library(${name}_lockstep OBJECT ${lockstep})
  target_link_libraries(${name}_lockstep PRIVATE ${arg_LIBRARIES})
  set_target_properties(${name}_lockstep PROPERTIES CXX_EXTENSIONS OFF)
  upsweep_warnings(${name}_lockstep)
  upsweep_test_target(${name}_lockstep)
  upsweep_optimisation(-O1 TARGET ${name}_lockstep)
  upsweep_test_program(${name} SOURCES ${arg_SOURCES} $<TARGET_OBJECTS:${name}_lockstep> LIBRARIES ${arg_LIBRARIES})
  upsweep_light_optimisation(TARGET ${name})
endfunction()

# upsweep_precompiled_test_headers(<target> <headers>): compiles Kokkos and GoogleTest once for all test programs with
# the same options. They are a third of a test's compile time.
function(upsweep_precompiled_test_headers target headers)
  upsweep_precompiled_headers(
    ${target} ${headers} FILES <Kokkos_Core.hpp> <gtest/gtest.h> LIBRARIES Upsweep::upsweep GTest::gtest
  )
endfunction()

# upsweep_light_optimisation(TARGET <target>...): for tests of what no optimiser changes: what is asked of memory,
# files, options and ranks, library code that is compiled elsewhere. -Og takes two thirds of -O1's time; where GCC
# optimises less, it warns of more variables that are always set.
function(upsweep_light_optimisation)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "TARGET")
  upsweep_optimisation(-Og TARGET ${arg_TARGET})
  if(UPSWEEP_HAS_LIGHT_OPTIMISATION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target IN LISTS arg_TARGET)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
    endforeach()
  endif()
endfunction()

# upsweep_optimisation(<level> TARGET <target>...): -O1 takes half of -O3's time to compile.
function(upsweep_optimisation level)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TARGET")
  if(NOT UPSWEEP_HAS_LIGHT_OPTIMISATION)
    return()
  endif()
  foreach(target IN LISTS arg_TARGET)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
    # Precompiled headers are for one level of optimisation.
    get_target_property(headers ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(headers)
      set(headers upsweep_test_headers${level})
      upsweep_precompiled_test_headers(${target} ${headers})
      target_compile_options(${headers} PRIVATE $<$<CONFIG:Release>:${level}>)
    endif()
  endforeach()
endfunction()

# upsweep_full_optimisation(<source>...): sources of lightly optimised programs that are optimised as users' files are.
function(upsweep_full_optimisation)
  if(UPSWEEP_HAS_LIGHT_OPTIMISATION)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# upsweep_mpi_test(<name> <target> <ranks>): all tests of one program as one run on real ranks.
function(upsweep_mpi_test name target ranks)
  upsweep_mpiexec_command(mpiexec ${ranks})
  add_test(NAME ${name}_np${ranks} COMMAND ${mpiexec} $<TARGET_FILE:${target}> --gtest_filter=-long_*)
  set_tests_properties(${name}_np${ranks} PROPERTIES TIMEOUT 300)
  add_test(NAME ${name}_long_np${ranks} COMMAND ${mpiexec} $<TARGET_FILE:${target}> --gtest_filter=long_*)
  set_tests_properties(${name}_long_np${ranks} PROPERTIES TIMEOUT 1500 LABELS long)
  set_tests_properties(
    ${name}_np${ranks} ${name}_long_np${ranks}
    PROPERTIES PROCESSORS ${ranks} ENVIRONMENT "${UPSWEEP_RANK_ENVIRONMENT}"
  )
endfunction()

# upsweep_python_test(<name> <script> [argument ...]): a script of this folder, which says with 77 that it was skipped.
function(upsweep_python_test name script)
  if(NOT Python3_Interpreter_FOUND)
    return()
  endif()
  add_test(
    NAME ${name} COMMAND Python3::Interpreter ${script} ${ARGN} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
  )
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endfunction()

# upsweep_program_test(<name> PROGRAM <target> [RANKS n] [ARGS ...] [EXIT code] [STDOUT regex] [STDERR regex]
#                      [TIMEOUT s])
# Runs a program in a fresh folder of its own and checks its exit code and what it says. Without RANKS no mpiexec is
# used.
function(upsweep_program_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAM;RANKS;EXIT;STDOUT;STDERR;TIMEOUT" "ARGS")
  if(NOT TARGET ${arg_PROGRAM})
    return()
  endif()
  foreach(pair IN ITEMS EXIT:0 TIMEOUT:120)
    string(REPLACE ":" ";" pair "${pair}")
    list(GET pair 0 key)
    list(GET pair 1 value)
    if(NOT DEFINED arg_${key})
      set(arg_${key} ${value})
    endif()
  endforeach()
  set(mpiexec "")
  set(processors 1)
  if(arg_RANKS)
    upsweep_mpiexec_command(mpiexec ${arg_RANKS})
    set(processors ${arg_RANKS})
  endif()
  add_test(
    NAME ${name}
    COMMAND
      "${CMAKE_COMMAND}" "-DEXPECTED_EXIT=${arg_EXIT}" "-DEXPECTED_STDOUT=${arg_STDOUT}"
      "-DEXPECTED_STDERR=${arg_STDERR}"
      "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/${name}" -P "${PROJECT_SOURCE_DIR}/cmake/run_program.cmake" --
      ${mpiexec} $<TARGET_FILE:${arg_PROGRAM}> ${arg_ARGS}
  )
  set_tests_properties(
    ${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${processors} ENVIRONMENT "${UPSWEEP_RANK_ENVIRONMENT}"
  )
endfunction()
