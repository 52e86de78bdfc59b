# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# The build and the installed package include this.

# upsweep_find_nccl(<result>): whether there is a NCCL, or for Kokkos with HIP a RCCL, in NCCL_ROOT or RCCL_ROOT
# (variables of CMake or of the environment), beside CUDA, or where CMake looks for libraries. Then Upsweep::nccl is a
# target. A Python package, which has no libnccl.so but a libnccl.so.2 only, will do.
function(upsweep_find_nccl result)
  set(name nccl)
  set(header nccl.h)
  if(Kokkos_ENABLE_HIP)
    set(name rccl)
    set(header rccl/rccl.h)
  endif()
  string(TOUPPER ${name} root)
  set(folders ${${root}_ROOT} $ENV{${root}_ROOT})
  find_path(
    UPSWEEP_NCCL_INCLUDE_DIR ${header} HINTS ${folders} ${CUDAToolkit_INCLUDE_DIRS} PATHS /usr/local/cuda /opt/rocm
    PATH_SUFFIXES include
  )
  find_library(
    UPSWEEP_NCCL_LIBRARY NAMES ${name} lib${name}.so.2 lib${name}.so.1 NAMES_PER_DIR
    HINTS ${folders} ${CUDAToolkit_LIBRARY_DIR} PATHS /usr/local/cuda /opt/rocm PATH_SUFFIXES lib lib64
  )
  mark_as_advanced(UPSWEEP_NCCL_INCLUDE_DIR UPSWEEP_NCCL_LIBRARY)
  set(${result} OFF PARENT_SCOPE)
  if(UPSWEEP_NCCL_INCLUDE_DIR AND UPSWEEP_NCCL_LIBRARY)
    # ncclCommInitRankConfig and ncclCommFinalize came with NCCL 2.14, in ROCm 5.5. Debian's RCCL is older.
    file(STRINGS "${UPSWEEP_NCCL_INCLUDE_DIR}/${header}" configurations REGEX "NCCL_CONFIG_INITIALIZER")
    if(NOT configurations)
      message(STATUS "Upsweep: ${UPSWEEP_NCCL_INCLUDE_DIR}/${header} is older than NCCL 2.14, so it is not used")
      return()
    endif()
    set(${result} ON PARENT_SCOPE)
    if(NOT TARGET Upsweep::nccl)
      add_library(Upsweep::nccl UNKNOWN IMPORTED)
      set_target_properties(
        Upsweep::nccl PROPERTIES IMPORTED_LOCATION "${UPSWEEP_NCCL_LIBRARY}"
                                 INTERFACE_INCLUDE_DIRECTORIES "${UPSWEEP_NCCL_INCLUDE_DIR}"
      )
    endif()
  endif()
endfunction()
