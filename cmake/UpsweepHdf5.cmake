# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# upsweep_find_hdf5(<result>): whether there is HDF5's C library, in HDF5_ROOT (variable of CMake or of the environment)
# or where CMake looks for libraries. Then Upsweep::hdf5 is a target, and UPSWEEP_HDF5_VERSION is set. CMake's own
# FindHDF5 asks for a C compiler, which this project does without. Debian has the serial library under a name of its
# own. 1.10.7 is the first that can leave locks of files alone; 1.12.0 is older than that.
function(upsweep_find_hdf5 result)
  set(folders ${HDF5_ROOT} $ENV{HDF5_ROOT})
  find_path(UPSWEEP_HDF5_INCLUDE_DIR hdf5.h HINTS ${folders} PATH_SUFFIXES include include/hdf5/serial hdf5/serial)
  # The library of the folder that has the header: names of one folder come before the next folder.
  find_library(
    UPSWEEP_HDF5_LIBRARY NAMES hdf5_serial hdf5 NAMES_PER_DIR HINTS ${folders} PATH_SUFFIXES lib lib64
  )
  mark_as_advanced(UPSWEEP_HDF5_INCLUDE_DIR UPSWEEP_HDF5_LIBRARY)
  set(${result} OFF PARENT_SCOPE)
  if(NOT UPSWEEP_HDF5_INCLUDE_DIR OR NOT UPSWEEP_HDF5_LIBRARY)
    return()
  endif()
  file(READ "${UPSWEEP_HDF5_INCLUDE_DIR}/H5public.h" header)
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR RELEASE)
    string(REGEX MATCH "#define H5_VERS_${part} +([0-9]+)" ignored "${header}")
    list(APPEND version "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN version "." version)
  set(UPSWEEP_HDF5_VERSION "${version}" PARENT_SCOPE)
  if(version VERSION_LESS 1.10.7 OR version VERSION_EQUAL 1.12.0)
    message(STATUS "Upsweep: HDF5 ${version} is not used (expected 1.10.7, 1.12.1 or newer)")
    return()
  endif()
  set(${result} ON PARENT_SCOPE)
  if(NOT TARGET Upsweep::hdf5)
    add_library(Upsweep::hdf5 UNKNOWN IMPORTED)
    set_target_properties(
      Upsweep::hdf5 PROPERTIES IMPORTED_LOCATION "${UPSWEEP_HDF5_LIBRARY}"
                               INTERFACE_INCLUDE_DIRECTORIES "${UPSWEEP_HDF5_INCLUDE_DIR}"
                               INTERFACE_COMPILE_DEFINITIONS UPSWEEP_HAS_HDF5
    )
  endif()
endfunction()
