# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# GCC collects its garbage later: a tenth of the time of files full of templates, for up to 130 MB more (g++ 16.2 -O1,
# tests/scan/for_each.cpp: 9.7 and 8.7 s, 683 and 817 MB). ./dev counts 2 GB a job.
if(PROJECT_IS_TOP_LEVEL AND NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)
endif()

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

# upsweep_precompiled_headers(<target> <headers> [PIC] FILES <header>... LIBRARIES ...): the target's sources find
# these files compiled, by the first target that asks for <headers>; targets that share them have the same options.
# Reading Kokkos is 1.5 s of each file's time. GCC only: Clang refuses headers where options of MPI or of the position
# of code differ. Not where the project is a part of another, nor with a launcher such as ccache, which may not know
# such headers; CMAKE_DISABLE_PRECOMPILE_HEADERS turns it off, too.
function(upsweep_precompiled_headers target headers)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PIC" "" "FILES;LIBRARIES")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP
     OR NOT PROJECT_IS_TOP_LEVEL OR CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_DISABLE_PRECOMPILE_HEADERS
     OR (CMAKE_POSITION_INDEPENDENT_CODE AND NOT arg_PIC)
  )
    return()
  endif()
  if(NOT TARGET ${headers})
    set(source "${PROJECT_BINARY_DIR}/${headers}.cpp")
    file(
      CONFIGURE OUTPUT "${source}"
      CONTENT "// Nothing: what its precompiled headers are is in cmake/UpsweepTargets.cmake.\n"
    )
    add_library(${headers} OBJECT "${source}")
    target_link_libraries(${headers} PRIVATE ${arg_LIBRARIES})
    target_compile_features(${headers} PRIVATE cxx_std_20)
    set_target_properties(${headers} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ${arg_PIC})
    upsweep_warnings(${headers})
    target_precompile_headers(${headers} PRIVATE ${arg_FILES})
  endif()
  set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM ${headers})
  add_dependencies(${target} ${headers})
endfunction()
