# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# cmake -DEXPECTED_EXIT=0 -DEXPECTED_STDOUT=regex -DEXPECTED_STDERR=regex -DFOLDER=dir -P run_program.cmake --
#   program args...
# -DEXPECTED_STDOUT_FILE=file instead of EXPECTED_STDOUT: all that the program writes is what is in the file.
cmake_minimum_required(VERSION 3.23)

include("${CMAKE_CURRENT_LIST_DIR}/program_command.cmake")
execute_process(
  COMMAND ${command}
  WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE code
  OUTPUT_VARIABLE out
  ERROR_VARIABLE err
)

set(failures "")
if(NOT code MATCHES "^(${EXPECTED_EXIT})$")
  string(APPEND failures "exit code ${code}, expected ${EXPECTED_EXIT}\n")
endif()
if(NOT EXPECTED_STDOUT STREQUAL "" AND NOT out MATCHES "${EXPECTED_STDOUT}")
  string(APPEND failures "standard output does not match '${EXPECTED_STDOUT}'\n")
endif()
if(DEFINED EXPECTED_STDOUT_FILE)
  file(READ "${EXPECTED_STDOUT_FILE}" expected)
  if(NOT out STREQUAL expected)
    string(APPEND failures "standard output is not that of ${EXPECTED_STDOUT_FILE}\n${expected}")
  endif()
endif()
if(NOT EXPECTED_STDERR STREQUAL "" AND NOT err MATCHES "${EXPECTED_STDERR}")
  string(APPEND failures "standard error does not match '${EXPECTED_STDERR}'\n")
endif()
if(NOT failures STREQUAL "")
  list(JOIN command " " line)
  message(FATAL_ERROR "${line}\n${failures}--- standard output\n${out}\n--- standard error\n${err}")
endif()
