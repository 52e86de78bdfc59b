# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
cmake_minimum_required(VERSION 3.23)

function(step name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name} failed (${code})\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Files of an earlier run must not hide what this one forgets to install.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

# A build folder is no package. In ./dev shell, whose PATH has its programs, CMake looks there.
find_package(Upsweep QUIET PATHS "${BUILD}" NO_DEFAULT_PATH)
if(Upsweep_CONSIDERED_CONFIGS)
  message(FATAL_ERROR "CMake takes a file of the build folder for a package: ${Upsweep_CONSIDERED_CONFIGS}")
endif()

set(options "-DWITH_MPI=${MPI}")
if(WAY STREQUAL "installed")
  step("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${FOLDER}/installed")
  # Moved, because a package that names its own folder only works where it was first put.
  file(RENAME "${FOLDER}/installed" "${FOLDER}/moved")
  list(APPEND options "-DUpsweep_ROOT=${FOLDER}/moved" "-DWANTED_VERSION=${VERSION}")
else()
  list(APPEND options "-DUPSWEEP_SOURCE=${SOURCE}" "-DUpsweep_ENABLE_MPI=${MPI}")
endif()

foreach(pair IN ITEMS Kokkos_DIR=${KOKKOS} KokkosKernels_DIR=${KOKKOSKERNELS} CMAKE_CXX_FLAGS=${FLAGS})
  if(NOT pair MATCHES "=$|NOTFOUND$")
    list(APPEND options "-D${pair}")
  endif()
endforeach()
string(REPLACE ";" "\\;" PREFIX_PATH "${PREFIX_PATH}")
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${FOLDER}/build")
step(
  "configure" ${configure} -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}" ${options}
)
set(note "no build type and no -O")
if(BUILD_TYPE AND output MATCHES "${note}")
  message(FATAL_ERROR "the package takes ${BUILD_TYPE} for no build type: ${output}")
endif()
step("build" "${CMAKE_COMMAND}" --build "${FOLDER}/build")
step("run" "${FOLDER}/build/consumer")
if(NOT output MATCHES "Upsweep ${VERSION}: 0 4 7 14 23 25\n")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()
step("run with files" "${CMAKE_COMMAND}" -E chdir "${FOLDER}/build" "${FOLDER}/build/consumer_io")
if(MPI)
  step("run with MPI" "${FOLDER}/build/consumer_mpi")
endif()
# To a project without a build type it says once what that costs, unless the flags optimise.
foreach(case IN ITEMS "-g:1" "-g -O2:0")
  string(REPLACE ":" ";" case "${case}")
  list(POP_FRONT case flags expected)
  step("configure without a build type" ${configure} -DCMAKE_BUILD_TYPE= "-DCMAKE_CXX_FLAGS=${flags}")
  string(REGEX MATCHALL "${note}" notes "${output}")
  list(LENGTH notes count)
  if(NOT count EQUAL expected)
    message(FATAL_ERROR "with flags ${flags} the package says it ${count} times, expected ${expected}: ${output}")
  endif()
endforeach()
