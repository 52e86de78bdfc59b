# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# For scripts that run a program, `cmake -DFOLDER=dir -P script.cmake -- program args...`: sets `command` to the words
# behind `--`, and makes FOLDER an empty folder.

set(command "")
set(seen_separator FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(seen_separator)
    string(REPLACE ";" "\\;" word "${CMAKE_ARGV${i}}")
    list(APPEND command "${word}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(seen_separator TRUE)
  endif()
endforeach()

# A leftover of an earlier run could make a program that writes nothing look right.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
