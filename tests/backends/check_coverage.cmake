# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# cmake -DINCLUDE=include -DGATES=tests/backends -P check_coverage.cmake
# Every header that kernels of users or of other layers can come from is included by a gate: who adds one adds its
# templates there.
cmake_minimum_required(VERSION 3.23)

include("${GATES}/sources.cmake")
set(included "")
foreach(source IN LISTS sources ITEMS gate.hpp)
  file(STRINGS "${GATES}/${source}" lines REGEX "^#include <upsweep/")
  list(APPEND included ${lines})
endforeach()

set(missing "")
set(seen 0)
foreach(layer IN ITEMS base team scan pack neighbors)
  include("${INCLUDE}/upsweep/${layer}/headers.cmake")
  # Of the folders in a layer these have headers for users or for other layers.
  list(FILTER headers INCLUDE REGEX "^([^/]+|internal/[^/]+|study/engines\\.hpp)$")
  foreach(header IN LISTS headers)
    math(EXPR seen "${seen} + 1")
    if(NOT "#include <upsweep/${layer}/${header}>" IN_LIST included)
      list(APPEND missing "upsweep/${layer}/${header}")
    endif()
  endforeach()
endforeach()
if(seen LESS 30)
  message(FATAL_ERROR "only ${seen} headers under ${INCLUDE}: this check looks in the wrong place")
endif()
if(missing)
  list(JOIN missing "\n  " text)
  message(FATAL_ERROR "no gate in ${GATES} compiles the templates of\n  ${text}")
endif()
