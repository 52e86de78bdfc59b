# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Upsweep")

install(TARGETS ${UPSWEEP_TARGETS} EXPORT UpsweepTargets FILE_SET HEADERS)
install(EXPORT UpsweepTargets NAMESPACE Upsweep:: DESTINATION "${package_folder}")
if(UPSWEEP_PROGRAMS)
  install(TARGETS ${UPSWEEP_PROGRAMS})
endif()

if(Upsweep_TUNING_HEADER)
  install(FILES "${Upsweep_TUNING_HEADER}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/upsweep" RENAME machine_tuning.hpp)
endif()

# In a folder of their own, where find_package does not look: `./dev shell` has the programs of the build folder on the
# PATH, and CMake takes folders beside those of the PATH for installed packages.
set(configured "${PROJECT_BINARY_DIR}/package")
configure_package_config_file(
  cmake/UpsweepConfig.cmake.in "${configured}/UpsweepConfig.cmake" INSTALL_DESTINATION "${package_folder}"
)
# Before 1.0 a new minor version may change signatures.
write_basic_package_version_file("${configured}/UpsweepConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
if(UPSWEEP_HAS_NCCL)
  install(FILES cmake/UpsweepNccl.cmake DESTINATION "${package_folder}")
endif()
install(
  FILES "${configured}/UpsweepConfig.cmake" "${configured}/UpsweepConfigVersion.cmake" cmake/UpsweepBuildType.cmake
  DESTINATION "${package_folder}"
)
