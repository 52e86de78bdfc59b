# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# An installed Kokkos carries the headers of every backend; which of them are used stands in a few configuration
# headers. Copies of those that name another backend, in front of Kokkos' own folder on the include path, let
# that backend's compiler check our templates where neither a GPU nor a Kokkos built for it exists. Nothing so
# compiled can be linked.

# upsweep_kokkos_include_dir(<variable>): the folder of the Kokkos headers.
function(upsweep_kokkos_include_dir result)
  set(folders "")
  foreach(target IN ITEMS Kokkos::kokkoscore Kokkos::kokkos)
    if(TARGET ${target})
      get_target_property(more ${target} INTERFACE_INCLUDE_DIRECTORIES)
      list(APPEND folders ${more})
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/KokkosCore_config.h")
      set(${result} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# upsweep_backend_headers(<folder> INCLUDE_DIR <Kokkos headers> BACKEND <CUDA|HIP> SETUP <header>
#                         ARCHITECTURE <name[=value]>...)
# Writes the copies into <folder>. The only host backend is Serial, which asks nothing of the host compiler.
function(upsweep_backend_headers folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE_DIR;BACKEND;SETUP" "ARCHITECTURE")
  file(READ "${arg_INCLUDE_DIR}/KokkosCore_config.h" config)
  string(REGEX REPLACE "#define (KOKKOS_ENABLE_(OPENMP|THREADS|HPX|LIBDL))\n" "/* #undef \\1 */\n" config "${config}")
  upsweep_define(config KOKKOS_ENABLE_SERIAL KOKKOS_ENABLE_${arg_BACKEND} ${arg_ARCHITECTURE})
  upsweep_write("${folder}/KokkosCore_config.h" "${config}")

  file(READ "${arg_INCLUDE_DIR}/desul/atomics/Config.hpp" config)
  upsweep_define(config DESUL_ATOMICS_ENABLE_${arg_BACKEND})
  upsweep_write("${folder}/desul/atomics/Config.hpp" "${config}")

  # The host's backend first: the device's headers use it.
  set(once "#pragma once\n#include")
  upsweep_write(
    "${folder}/KokkosCore_Config_DeclareBackend.hpp"
    "${once} <decl/Kokkos_Declare_SERIAL.hpp>\n#include <decl/Kokkos_Declare_${arg_BACKEND}.hpp>\n"
  )
  upsweep_write(
    "${folder}/KokkosCore_Config_FwdBackend.hpp"
    "${once} <fwd/Kokkos_Fwd_SERIAL.hpp>\n#include <fwd/Kokkos_Fwd_${arg_BACKEND}.hpp>\n"
  )
  upsweep_write("${folder}/KokkosCore_Config_SetupBackend.hpp" "${once} <setup/${arg_SETUP}>\n")
endfunction()

# upsweep_define(<variable> <name[=value]>...): turns `/* #undef NAME */` into a definition in a configured header.
function(upsweep_define variable)
  set(text "${${variable}}")
  foreach(definition IN LISTS ARGN)
    string(REPLACE "=" ";" parts "${definition}")
    list(GET parts 0 name)
    list(LENGTH parts length)
    set(value "")
    if(length GREATER 1)
      list(GET parts 1 value)
    endif()
    # A name that this version of Kokkos does not list goes to the end: what it does not know, it does not read.
    if(text MATCHES "/\\* #undef ${name} \\*/")
      string(REPLACE "/* #undef ${name} */" "#define ${name} ${value}" text "${text}")
    elseif(NOT text MATCHES "#define ${name}[ \n]")
      string(APPEND text "\n#define ${name} ${value}\n")
    endif()
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Leaves a file that already says the same alone, so that configuring again does not make everything out of date.
function(upsweep_write file text)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
endfunction()
