# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# upsweep_sources(<variable> <folder>...): what the folders' sources.cmake name.
function(upsweep_sources result)
  set(all "")
  foreach(folder IN LISTS ARGN)
    include("${CMAKE_CURRENT_SOURCE_DIR}/${folder}/sources.cmake")
    list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    list(APPEND all ${sources})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# upsweep_headers(<target> PUBLIC|INTERFACE <layer or header>...): the target owns these public headers. A layer's are
# named by its headers.cmake. They are installed with the target, and those of a target that is not built stay at home:
# an include that compiles should also link.
function(upsweep_headers target scope)
  set(root "${PROJECT_SOURCE_DIR}/include")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${root}")
  foreach(part IN LISTS ARGN)
    set(headers "${part}")
    if(NOT part MATCHES "\\.hpp$")
      include("${root}/upsweep/${part}/headers.cmake")
      list(TRANSFORM headers PREPEND "${part}/")
    endif()
    list(TRANSFORM headers PREPEND "${root}/upsweep/")
    target_sources(${target} ${scope} FILE_SET HEADERS FILES ${headers})
  endforeach()
  # Each is compiled alone by the target all_verify_interface_header_sets.
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ${Upsweep_BUILD_TESTS})
endfunction()

# upsweep_long_program(<target>): takes long to compile and is for long tests only, so `all` leaves it out. The target
# long_programs builds all such programs; their tests have the label `long`.
function(upsweep_long_program target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  if(NOT TARGET long_programs)
    add_custom_target(long_programs)
  endif()
  add_dependencies(long_programs ${target})
endfunction()

# Warnings are for our own translation units and never reach a consumer.
function(upsweep_warnings target)
  target_compile_options(
    ${target}
    PRIVATE
      $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:-Wall>
      $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:-Wextra>
      $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:-Wnon-virtual-dtor>
      # Never errors: GCC guesses values of indices after inlining, and at -O3 some that no call has.
      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overread>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized>
  )
  # nvcc's generated host code is neither pedantic nor free of shadowed names.
  if(NOT Kokkos_ENABLE_CUDA)
    target_compile_options(
      ${target}
      PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wpedantic> $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wshadow>
    )
  endif()
endfunction()

# upsweep_program(<name> SOURCES ... LIBRARIES ...)
function(upsweep_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  upsweep_warnings(${name})
endfunction()
