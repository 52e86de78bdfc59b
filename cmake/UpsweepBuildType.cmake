# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# upsweep_note_build_type(): says once to a project that uses Upsweep, installed or as a subfolder, what no build type
# costs: templates are compiled in the project's files, with its flags. Installed beside the package's configuration.
function(upsweep_note_build_type)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  get_property(said GLOBAL PROPERTY UPSWEEP_SAID_NO_BUILD_TYPE)
  get_directory_property(options COMPILE_OPTIONS)
  set(options ${CMAKE_CXX_FLAGS} ${options})
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config AND NOT said AND NOT "${options}" MATCHES "(^|[ ;])-O")
    message(NOTICE "Upsweep: no build type and no -O: its templates run 20 times slower; set CMAKE_BUILD_TYPE=Release")
    set_property(GLOBAL PROPERTY UPSWEEP_SAID_NO_BUILD_TYPE TRUE)
  endif()
endfunction()
