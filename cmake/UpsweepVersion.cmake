# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# The header is the one source of the version, so that `#include` and `find_package` can never disagree.
function(upsweep_read_version result header)
  file(STRINGS "${header}" lines REGEX "^#define UPSWEEP_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    set(value "")
    foreach(line IN LISTS lines)
      if(line MATCHES "_${part} ([0-9]+)$")
        set(value "${CMAKE_MATCH_1}")
      endif()
    endforeach()
    if(value STREQUAL "")
      message(FATAL_ERROR "${header} has no line '#define UPSWEEP_VERSION_${part} <number>'")
    endif()
    list(APPEND version "${value}")
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
endfunction()
