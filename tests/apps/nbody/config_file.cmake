# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Options from a file.
set(options_file "${CMAKE_CURRENT_BINARY_DIR}/options.toml")
file(
  CONFIGURE OUTPUT "${options_file}"
  CONTENT
    "# A crystal
lattice = \"fcc\"
cells = [6, 8, 10]
seed = 7
steps = 99
thermo = 0
half = true
overlap = false
"
)
upsweep_program_test(
  nbody_config PROGRAM upsweep-nbody RANKS 2 ARGS --config "${options_file}" --steps 20
  STDOUT "1920 particles.*state at step 20: hash"
)
file(CONFIGURE OUTPUT "${options_file}.unknown" CONTENT "stepz = 3\n")
file(CONFIGURE OUTPUT "${options_file}.value" CONTENT "dt = \"fast\"\n")
nbody_refuses(config_missing "none.toml: expected a file" --config none.toml)
nbody_refuses(config_folder "expected a file" --config "${fixtures}")
nbody_refuses(
  config_unknown "unknown:1: 'stepz': expected an option of upsweep-nbody" ${lattice} --config "${options_file}.unknown"
)
nbody_refuses(config_value "value:1: --dt fast: expected" ${lattice} --config "${options_file}.value")
