# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
cmake_minimum_required(VERSION 3.23)

function(configure result)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output
  )
  set(${result} ${code} PARENT_SCOPE)
  # Messages are wrapped at spaces.
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_text pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "expected '${pattern}' in:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
string(REPLACE ";" "\\;" PREFIX_PATH "${PREFIX_PATH}")
set(machine -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}"
            "-DKokkos_DIR=${KOKKOS}"
)
set(preset -S "${SOURCE}" --preset library -DUpsweep_ENABLE_MPI=${MPI} ${machine})
# find_package(... REQUIRED) of these is an error now.
foreach(package IN ITEMS ZLIB CLI11 fmt nlohmann_json GTest benchmark HDF5 KokkosKernels)
  list(APPEND preset -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()

configure(code ${preset} -B "${FOLDER}/library")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the preset library does not configure:\n${output}")
endif()
expect_text("io off")
file(STRINGS "${FOLDER}/library/CMakeCache.txt" cached REGEX "^CMAKE_COMPILE_WARNING_AS_ERROR:.*=ON")
if(cached)
  message(FATAL_ERROR "the preset library turns warnings into errors")
endif()

# The package says what it lacks. The targets themselves are not asked for.
configure(
  code -S "${CMAKE_CURRENT_LIST_DIR}/asks_io" -B "${FOLDER}/asks_io" ${machine}
  "-DUpsweep_DIR=${FOLDER}/library/package"
)
if(code EQUAL 0)
  message(FATAL_ERROR "a package without io has the component io:\n${output}")
endif()
expect_text("this Upsweep has no component 'io'")

configure(code ${preset} -B "${FOLDER}/programs" -DUpsweep_BUILD_APPS=ON)
if(code EQUAL 0)
  message(FATAL_ERROR "programs are built without io:\n${output}")
endif()
expect_text("Upsweep_BUILD_APPS=ON needs the io layer, and Upsweep_BUILD_IO is OFF")

# What the environment says of the compiler's options comes behind what a preset does.
if(PROCESSOR MATCHES "x86_64|AMD64")
  set(ENV{CXXFLAGS} "-DOF_THE_ENVIRONMENT")
  set(nothing_else -DUpsweep_REQUIRE_BACKEND= -DUpsweep_ENABLE_MPI=OFF -DUpsweep_BUILD_IO=OFF -DUpsweep_BUILD_APPS=OFF
                   -DUpsweep_BUILD_PERF=OFF -DUpsweep_BUILD_TESTS=OFF
  )
  configure(code -S "${SOURCE}" --preset package ${machine} ${nothing_else} -B "${FOLDER}/package")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the preset package does not configure:\n${output}")
  endif()
  file(STRINGS "${FOLDER}/package/CMakeCache.txt" output REGEX "^CMAKE_CXX_FLAGS:")
  expect_text("=-march=x86-64-v3 -DOF_THE_ENVIRONMENT")
endif()
