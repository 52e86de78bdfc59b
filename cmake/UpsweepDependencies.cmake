# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# No version argument: Kokkos' version file may answer "same major only", and we mean "4.6 or newer, any major".
set(UPSWEEP_KOKKOS_MINIMUM 4.6)
set(kokkos_is_installed TRUE)
if(TARGET Kokkos::kokkos)
  get_target_property(kokkos_is_installed Kokkos::kokkos IMPORTED)
endif()
if(kokkos_is_installed)
  find_package(Kokkos REQUIRED)
  set(UPSWEEP_KOKKOS_FOLDER "${Kokkos_DIR}")
else()
  # Another part of the same build (add_subdirectory, FetchContent), whose variables are those of its own folder.
  set(UPSWEEP_KOKKOS_FOLDER "${Kokkos_SOURCE_DIR}")
  get_directory_property(Kokkos_VERSION DIRECTORY "${Kokkos_SOURCE_DIR}" DEFINITION Kokkos_VERSION)
  get_directory_property(Kokkos_DEVICES DIRECTORY "${Kokkos_SOURCE_DIR}" DEFINITION KOKKOS_ENABLED_DEVICES)
endif()
if(Kokkos_VERSION VERSION_LESS UPSWEEP_KOKKOS_MINIMUM)
  message(
    FATAL_ERROR "Upsweep needs Kokkos ${UPSWEEP_KOKKOS_MINIMUM} or newer; ${UPSWEEP_KOKKOS_FOLDER} is ${Kokkos_VERSION}"
  )
endif()
if(Upsweep_REQUIRE_BACKEND AND NOT Kokkos_ENABLE_${Upsweep_REQUIRE_BACKEND})
  message(
    FATAL_ERROR "${UPSWEEP_KOKKOS_FOLDER} has the backends ${Kokkos_DEVICES}, and not ${Upsweep_REQUIRE_BACKEND}"
  )
endif()

# Kokkos' headers read this macro; its compiled library does not. Every translation unit of the build gets it, since the
# checked and the unchecked View operators have the same names.
if(Upsweep_ENABLE_BOUNDS_CHECK)
  add_compile_definitions(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
endif()

if(Upsweep_BUILD_IO)
  find_package(ZLIB REQUIRED)
else()
  foreach(part IN ITEMS APPS PERF TESTS)
    if(Upsweep_BUILD_${part})
      message(FATAL_ERROR "Upsweep_BUILD_${part}=ON needs the io layer, and Upsweep_BUILD_IO is OFF")
    endif()
  endforeach()
endif()

if(Upsweep_ENABLE_MPI)
  # The MPI C++ bindings were removed from the standard; some implementations still put them on the link line.
  set(MPI_CXX_SKIP_MPICXX TRUE)
  find_package(MPI REQUIRED COMPONENTS CXX)
  include(cmake/UpsweepMpiexec.cmake)
  upsweep_detect_mpiexec(UPSWEEP_MPIEXEC_FLAGS UPSWEEP_MPI_NAME)
endif()

# upsweep_require_if_asked(<option> <found> <what it needs>): an error where what was not found is asked for. OFF and
# AUTO do not ask.
function(upsweep_require_if_asked option found needs)
  if(${option} AND NOT ${option} STREQUAL "AUTO" AND NOT found)
    message(FATAL_ERROR "${option}=${${option}} needs ${needs}; OFF and AUTO do without")
  endif()
endfunction()

# Only memory of GPUs travels by it.
set(UPSWEEP_HAS_NCCL OFF)
if(Upsweep_ENABLE_MPI AND Upsweep_ENABLE_NCCL AND (Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP))
  include(cmake/UpsweepNccl.cmake)
  upsweep_find_nccl(UPSWEEP_HAS_NCCL)
endif()
upsweep_require_if_asked(
  Upsweep_ENABLE_NCCL ${UPSWEEP_HAS_NCCL}
  "MPI, a Kokkos with CUDA or HIP, and NCCL or RCCL (NCCL_ROOT, RCCL_ROOT)"
)

if(Upsweep_ENABLE_KOKKOSKERNELS)
  find_package(KokkosKernels QUIET)
  if(NOT KokkosKernels_FOUND)
    message(
      FATAL_ERROR "CMake finds no Kokkos Kernels (CMAKE_PREFIX_PATH); -DUpsweep_ENABLE_KOKKOSKERNELS=OFF does without"
    )
  endif()
endif()

if(Upsweep_BUILD_APPS AND NOT Upsweep_ENABLE_MPI)
  message(STATUS "Upsweep: the programs need MPI, so Upsweep_ENABLE_MPI=OFF leaves them out")
  set(Upsweep_BUILD_APPS OFF)
endif()

# Only a program writes by it.
set(UPSWEEP_HAS_HDF5 OFF)
if(Upsweep_BUILD_APPS AND Upsweep_ENABLE_HDF5)
  include(cmake/UpsweepHdf5.cmake)
  upsweep_find_hdf5(UPSWEEP_HAS_HDF5)
endif()
upsweep_require_if_asked(
  Upsweep_ENABLE_HDF5 ${UPSWEEP_HAS_HDF5} "the programs (Upsweep_BUILD_APPS) and HDF5's C library (HDF5_ROOT)"
)
# What upsweep-nbody, and tests of its objects, link beside what all programs do.
set(UPSWEEP_NBODY_LIBRARIES ZLIB::ZLIB)
if(UPSWEEP_HAS_HDF5)
  list(APPEND UPSWEEP_NBODY_LIBRARIES Upsweep::hdf5)
endif()

if(Upsweep_BUILD_PERF)
  find_package(benchmark QUIET)
endif()
if(Upsweep_BUILD_PERF AND NOT benchmark_FOUND)
  message(STATUS "Upsweep: no Google Benchmark, so the benchmark program is left out")
  set(Upsweep_BUILD_PERF OFF)
endif()

if(Upsweep_BUILD_APPS OR Upsweep_BUILD_PERF OR Upsweep_BUILD_TESTS)
  find_package(CLI11 REQUIRED)
endif()
if(Upsweep_BUILD_APPS OR Upsweep_BUILD_PERF)
  find_package(fmt REQUIRED)
endif()
if(Upsweep_BUILD_APPS)
  find_package(nlohmann_json REQUIRED)
endif()
if(Upsweep_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python3 COMPONENTS Interpreter)
endif()
