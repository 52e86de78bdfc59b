# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

function(upsweep_summary_line name condition detail)
  if(${condition})
    message(STATUS "  ${name} on   ${detail}")
  else()
    message(STATUS "  ${name} off")
  endif()
endfunction()

function(upsweep_summary)
  list(JOIN Kokkos_DEVICES " " devices)
  list(JOIN UPSWEEP_PROGRAMS " " programs)
  message(
    STATUS "Upsweep ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
  )
  message(STATUS "  Kokkos        ${Kokkos_VERSION} (${devices}), ${Kokkos_DIR}")
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
