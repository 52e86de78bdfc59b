# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# cmake -DCOMMAND=file -DSOURCE=snippet -P compile.cmake
# Runs the compiler, whose command line is in a file with one word per line. A line `// Expected: regex` in the snippet
# says which error it must end with; without one it must compile. `// Lines: 60` says how many lines of 120 columns all
# that the compiler writes may fill. `// Options: ...` adds words to the command.
cmake_minimum_required(VERSION 3.23)

file(STRINGS "${COMMAND}" lines)
foreach(line IN LISTS lines)
  if(line MATCHES "^SHELL:(.*)")
    separate_arguments(line NATIVE_COMMAND "${CMAKE_MATCH_1}")
  endif()
  list(APPEND command ${line})
endforeach()
file(STRINGS "${SOURCE}" expected REGEX "^// Expected: ")
string(REGEX REPLACE "^// Expected: " "" expected "${expected}")
file(STRINGS "${SOURCE}" most_lines REGEX "^// Lines: ")
string(REGEX REPLACE "^// Lines: " "" most_lines "${most_lines}")
file(STRINGS "${SOURCE}" options REGEX "^// Options: ")
string(REGEX REPLACE "^// Options: " "" options "${options}")
separate_arguments(options NATIVE_COMMAND "${options}")

execute_process(COMMAND ${command} ${options} "${SOURCE}" RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)

if(expected STREQUAL "")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${SOURCE} is refused, and should compile:\n${text}")
  endif()
elseif(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles; expected was the error '${expected}'")
elseif(NOT text MATCHES "error[^\n]*${expected}")
  message(FATAL_ERROR "${SOURCE} is refused, but not by the error '${expected}':\n${text}")
elseif(NOT most_lines STREQUAL "")
  # Every character as one x: quotation marks have three bytes, and semicolons would make lists.
  string(REGEX REPLACE "‘|’|•" "x" screen "${text}")
  string(REGEX REPLACE "[^\n]" "x" screen "${screen}")
  string(REPEAT "x" 120 full_line)
  string(REPLACE "${full_line}" "${full_line}\n" screen "${screen}")
  string(REGEX MATCHALL "\n" lines "${screen}")
  list(LENGTH lines lines)
  message("${lines} lines of 120 columns")
  if(lines GREATER most_lines)
    message(FATAL_ERROR "${SOURCE} is refused in ${lines} lines of 120 columns, more than ${most_lines}:\n${text}")
  endif()
endif()
