# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# cmake -DFOLDER=dir -DRANKS=n -DBYTES=least,most -DSTRIDE=n -P failing_allocation.cmake -- <mpiexec and program> args
# Lets one allocation of so many bytes after the other, or each STRIDE-th, fail on one rank only. All ranks end with 2
# each time, by an agreed error: one message, and no MPI_Abort, which is left for errors that the program does not
# foresee.
cmake_minimum_required(VERSION 3.23)

include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake/program_command.cmake")

math(EXPR last_rank "${RANKS} - 1")
foreach(rank IN ITEMS 0 ${last_rank})
  set(failed 0)
  set(ended FALSE)
  foreach(number RANGE 1 1000 ${STRIDE})
    set(ENV{UPSWEEP_TEST_FAIL} "${rank},${number},${BYTES}")
    execute_process(
      COMMAND ${command} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err
      TIMEOUT 100  # a run takes seconds, and on a GPU that many tests share half a minute
    )
    set(
      what
      "allocation ${number} of rank ${rank}: exit code ${code}\n--- standard output\n${out}\n--- standard error\n${err}"
    )
    if(code STREQUAL "0")
      # The run has fewer allocations than that.
      set(ended TRUE)
      break()
    endif()
    if(NOT code STREQUAL "2")
      message(FATAL_ERROR "${what}")
    endif()
    # Open MPI's launcher adds words of its own.
    string(REGEX MATCHALL "upsweep-nbody: [^\n]*\n" messages "${err}")
    list(LENGTH messages count)
    if(err MATCHES "MPI_Abort|MPI_ABORT" OR NOT count EQUAL 1)
      message(FATAL_ERROR "not one agreed error; ${what}")
    endif()
    math(EXPR failed "${failed} + 1")
  endforeach()
  if(NOT ended OR failed LESS 4)
    message(FATAL_ERROR "${failed} failures on rank ${rank}, and then: ${what}")
  endif()
  message(STATUS "${failed} failed allocations on rank ${rank}, all agreed on")
endforeach()
