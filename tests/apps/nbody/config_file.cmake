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
# The same file, with a checkpoint on the command line: what it says about the start is left out.
apps_launch(launch 2)
apps_shell_test(
  nbody_restart_from_config upsweep-nbody
  "\"$0\" --config ../options.toml --checkpoint c --no-progress > a && ${launch} --config ../options.toml --restart c \
--steps 120 --no-progress > b && grep -q '^state at step 120' b" 0
  "^upsweep-nbody: not used of ../options.toml, because of the command line: lattice, cells, seed\n$"
)
file(CONFIGURE OUTPUT "${options_file}.unknown" CONTENT "stepz = 3\n")
file(CONFIGURE OUTPUT "${options_file}.value" CONTENT "dt = \"fast\"\n")
nbody_refuses(config_missing "none.toml: expected a file" --config none.toml)
nbody_refuses(config_folder "expected a file" --config "${fixtures}")
nbody_refuses(
  config_unknown "unknown:1: 'stepz': expected an option of upsweep-nbody" ${lattice} --config "${options_file}.unknown"
)
nbody_refuses(config_value "value:1: --dt fast: expected" ${lattice} --config "${options_file}.value")
