# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Macros of a program that change code of our headers. The library has the same code compiled without them, so a program
# that defines one and links the library has two definitions of one function, of which the linker takes any. Such
# programs link upsweep_without_lists.
set(UPSWEEP_CODE_MACROS UPSWEEP_TUNING_HEADER)

# upsweep_collect_targets(<variable> <folder>): all targets of a folder and of those below it.
function(upsweep_collect_targets result folder)
  get_property(all DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    upsweep_collect_targets(more "${below}")
    list(APPEND all ${more})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# upsweep_linked_targets(<variable> <target>): the targets that one links, and those that these bring with them.
function(upsweep_linked_targets result target)
  set(found "")
  get_target_property(left ${target} LINK_LIBRARIES)
  while(left)
    list(POP_FRONT left next)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" next "${next}")
    if(NOT TARGET "${next}")
      continue()
    endif()
    get_target_property(original ${next} ALIASED_TARGET)
    if(original)
      set(next ${original})
    endif()
    if(NOT next IN_LIST found)
      list(APPEND found ${next})
      get_target_property(more ${next} INTERFACE_LINK_LIBRARIES)
      if(more)
        list(APPEND left ${more})
      endif()
    endif()
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# upsweep_check_macros(<folder>): an error for a target there that defines one of these macros and links the library.
function(upsweep_check_macros folder)
  string(JOIN "|" macros ${UPSWEEP_CODE_MACROS})
  upsweep_collect_targets(targets "${folder}")
  foreach(target IN LISTS targets)
    get_target_property(definitions ${target} COMPILE_DEFINITIONS)
    get_target_property(options ${target} COMPILE_OPTIONS)
    if(NOT "${definitions};${options}" MATCHES "(^|;|-D)(${macros})(=|;|$)")
      continue()
    endif()
    set(macro ${CMAKE_MATCH_2})
    upsweep_linked_targets(linked ${target})
    if(upsweep IN_LIST linked)
      message(FATAL_ERROR "${target} defines ${macro} and links upsweep, which is compiled without it")
    endif()
  endforeach()
endfunction()
