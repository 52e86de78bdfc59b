# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

function(upsweep_summary_line name condition detail)
  if(${condition})
    message(STATUS "  ${name} on   ${detail}")
  else()
    message(STATUS "  ${name} off")
  endif()
endfunction()

# Whether our sources are compiled with FMA instructions, by CMake's flags or by Kokkos': a trial can ask an installed
# Kokkos only. On GPUs it does not matter.
include(CheckCXXSourceCompiles)
unset(UPSWEEP_HAS_FMA CACHE)
set(UPSWEEP_ASKS_FMA OFF)
if(PROJECT_IS_TOP_LEVEL AND kokkos_is_installed AND NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  set(UPSWEEP_ASKS_FMA ON)
  set(CMAKE_REQUIRED_LIBRARIES Kokkos::kokkos)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles(
    "#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#error none
#endif
int main() {}"
    UPSWEEP_HAS_FMA
  )
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
endif()

function(upsweep_summary)
  list(JOIN Kokkos_DEVICES " " devices)
  list(JOIN UPSWEEP_PROGRAMS " " programs)
  set(build_type "${CMAKE_BUILD_TYPE}")
  if(build_type STREQUAL "")
    set(build_type "no build type")
  endif()
  message(STATUS "Upsweep ${PROJECT_VERSION}, ${build_type}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  message(STATUS "  Kokkos        ${Kokkos_VERSION} (${devices}), ${UPSWEEP_KOKKOS_FOLDER}")
  if(UPSWEEP_ASKS_FMA)
    upsweep_summary_line("FMA          " UPSWEEP_HAS_FMA "")
    if(NOT UPSWEEP_HAS_FMA)
      message(STATUS "                     programs and lists are slower; -DCMAKE_CXX_FLAGS=-march=native has it")
    endif()
  endif()
  upsweep_summary_line("MPI          " Upsweep_ENABLE_MPI "${UPSWEEP_MPI_NAME} (MPI ${MPI_CXX_VERSION})")
  upsweep_summary_line("io           " Upsweep_BUILD_IO "zlib ${ZLIB_VERSION_STRING}")
  upsweep_summary_line("NCCL         " UPSWEEP_HAS_NCCL "${UPSWEEP_NCCL_LIBRARY}")
  upsweep_summary_line("KokkosKernels" Upsweep_ENABLE_KOKKOSKERNELS "${KokkosKernels_VERSION}")
  upsweep_summary_line("HDF5         " UPSWEEP_HAS_HDF5 "${UPSWEEP_HDF5_VERSION}, ${UPSWEEP_HDF5_LIBRARY}")
  upsweep_summary_line("bounds checks" Upsweep_ENABLE_BOUNDS_CHECK "Kokkos Views and arrays")
  upsweep_summary_line("programs     " Upsweep_BUILD_APPS "${programs}")
  upsweep_summary_line("tests        " Upsweep_BUILD_TESTS "GoogleTest ${GTest_VERSION}")
  upsweep_summary_line("perf         " Upsweep_BUILD_PERF "")
  upsweep_summary_line("tuning header" Upsweep_TUNING_HEADER "${Upsweep_TUNING_HEADER}")
endfunction()

upsweep_summary()
