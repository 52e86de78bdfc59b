# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Options from a file.
set(options_file "${CMAKE_CURRENT_BINARY_DIR}/options.toml")
file(
  CONFIGURE OUTPUT "${options_file}"
  CONTENT "# A crystal\nlattice = \"fcc\"\ncells = \"6,8,10\"\nseed = 7\nsteps = 99\nthermo = 0\nhalf = true\n"
)
upsweep_program_test(
  nbody_config PROGRAM upsweep-nbody RANKS 2 ARGS --config "${options_file}" --steps 20
  STDOUT "1920 particles.*state at step 20: hash"
)
file(CONFIGURE OUTPUT "${options_file}.unknown" CONTENT "stepz = 3\n")
file(CONFIGURE OUTPUT "${options_file}.value" CONTENT "dt = \"fast\"\n")
nbody_refuses(config_missing "none.toml: expected a file" --config none.toml)
nbody_refuses(config_folder "expected a file" --config "${fixtures}")
nbody_refuses(config_unknown "stepz" ${lattice} --config "${options_file}.unknown")
nbody_refuses(config_value "--dt fast: expected" ${lattice} --config "${options_file}.value")
