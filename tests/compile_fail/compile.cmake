# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# cmake -DCOMMAND=file -DSOURCE=snippet -P compile.cmake
# Runs the compiler, whose command line is in a file with one word per line. A line `// Expected: regex` in the snippet
# says which error it must end with; without one it must compile. `// Options: ...` adds words to the command.
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
file(STRINGS "${SOURCE}" options REGEX "^// Options: ")
string(REGEX REPLACE "^// Options: " "" options "${options}")
separate_arguments(options NATIVE_COMMAND "${options}")

execute_process(COMMAND ${command} ${options} "${SOURCE}" RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)

if(expected STREQUAL "")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the snippets do not compile without their mistakes:\n${text}")
  endif()
elseif(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles; expected was the error '${expected}'")
elseif(NOT text MATCHES "error[^\n]*${expected}")
  message(FATAL_ERROR "${SOURCE} is refused, but not by the error '${expected}':\n${text}")
endif()
