# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
cmake_minimum_required(VERSION 3.23)

if(NOT CXX OR NOT MPIEXEC)
  message("There is no Open MPI beside the MPI of this build (UPSWEEP_OPENMPI_CXX, UPSWEEP_OPENMPI_MPIEXEC)")
  return()
endif()

function(step name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name} failed (${code})")
  endif()
endfunction()

# The folder stays, so the next run builds what has changed only.
step(
  "configure" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${FOLDER}" -G "${GENERATOR}" -C "${SETTINGS}"
  "-DMPI_CXX_COMPILER=${CXX}" "-DMPIEXEC_EXECUTABLE=${MPIEXEC}" -DUpsweep_BUILD_APPS=OFF -DUpsweep_BUILD_PERF=OFF
  -DUpsweep_INSTALL=OFF
)
step("build" "${CMAKE_COMMAND}" --build "${FOLDER}" --target upsweep_test_mpi)
# One run at a time: they have more ranks than a small machine has cores.
step("run" "${CMAKE_CTEST_COMMAND}" --test-dir "${FOLDER}" -R "^mpi_np[1-5]$" --output-on-failure --no-tests=error)
