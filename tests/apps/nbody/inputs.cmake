# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Atom styles of data files, and what of a file is not used.

set(molecule --input "${fixtures}/molecule.data" --steps 1)
foreach(ranks IN ITEMS 1 3)
  upsweep_program_test(
    nbody_unused_sections_np${ranks} PROGRAM upsweep-nbody RANKS ${ranks} ARGS ${molecule} --atom-style full
    STDOUT "not used of [^\n]*/molecule.data: Pair Coeffs, Angles, Bonds, charges, molecule ids\n" TIMEOUT 60
  )
endforeach()
# By the style sphere the columns of molecules and types would change places.
nbody_refuses(no_style "molecule.data:21: an atom with 7 columns .*or the option --atom-style: full." ${molecule})
nbody_refuses(wrong_style "molecule.data:21: .*style atomic with 7 columns" ${molecule} --atom-style atomic)
nbody_refuses(unknown_style "molecule.data: atom style 'moon' .expected atomic, " ${molecule} --atom-style moon)
nbody_refuses(
  two_styles "coincident.data:10: .*is of style 'atomic', but the atom style given is 'charge'"
  --input "${fixtures}/coincident.data" --atom-style charge
)
nbody_refuses(style_of_lattice "requires --input" ${lattice} --atom-style full)
nbody_refuses(
  style_of_frames "--atom-style full: expected no style for an extended XYZ or NumPy" --input x.xyz.gz --atom-style full
)
nbody_refuses(empty_style "--atom-style: expected a value" ${molecule} --atom-style=)

file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/keys.xyz"
     "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Time=3 Properties=species:S:1:pos:R:3:forces:R:3\nAr 1 2 3 0 0 0\n"
)
upsweep_program_test(
  nbody_unused_columns PROGRAM upsweep-nbody RANKS 2
  ARGS --input "${CMAKE_CURRENT_BINARY_DIR}/keys.xyz" --steps 0
  STDOUT "not used of [^\n]*/keys.xyz: Time, forces\n" TIMEOUT 60
)

# Boxes in which a particle is its own neighbour more often than an int counts.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/tiny.xyz"
     "1\nLattice=\"1e-300 0 0 0 1e-300 0 0 0 1e-300\" Properties=pos:R:3\n0 0 0\n"
)
set(too_many "more than 2.31 neighbours of each particle, its own images among them, at the density")
nbody_refuses(
  tiny_box "--cutoff and --skin, together 2.8: ${too_many} inf of [^ ]*tiny.xyz .expected at most 0"
  --input "${CMAKE_CURRENT_BINARY_DIR}/tiny.xyz"
)
nbody_refuses(
  long_cutoff "--cutoff and --skin, together 1000.3: ${too_many} 0.8442 of --lattice .expected at most 846.8"
  --lattice fcc --cells 5,5,5 --cutoff 1e3
)

# What decides how particles move and is not used, or not there, has a line of its own.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/sphere.data"
     "spheres\n\n2 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # sphere\n\n"
     "1 1 1.0 3 1 1 1\n2 1 1.0 3 5 5 5\n"
)
set(unused "not used of [^\n]*/sphere.data: Atoms column rmass, radii\n")
upsweep_program_test(
  nbody_unused_masses PROGRAM upsweep-nbody RANKS 2 ARGS --input "${CMAKE_CURRENT_BINARY_DIR}/sphere.data" --steps 0
  STDOUT "${unused}no masses in [^\n]*/sphere.data: all are 1\n" TIMEOUT 60
)
upsweep_program_test(
  nbody_no_masses_in_frame PROGRAM upsweep-nbody ARGS --input "${CMAKE_CURRENT_BINARY_DIR}/keys.xyz" --steps 0
  STDOUT "no masses in [^\n]*/keys.xyz: all are 1\n" TIMEOUT 60
)

# Masses of particles of one type: a run, its frames and its checkpoint have them.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/masses.xyz"
     "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=pos:R:3:velo:R:3:masses:R:1\n1 1 1 1 0 0 1\n5 5 5 0 -1 0 4\n"
)
apps_shell_tests(
  nbody_masses_of_particles upsweep-nbody "1;3"
  "kinetic() { grep -o '\"kinetic\": [^,]*' r.json | tail -n 1; } && launch --input ../masses.xyz --steps 4 \
--trajectory t.xyz --trajectory-every 2 --checkpoint c --checkpoint-every 2 --report r.json > out && \
! grep -q 'no masses' out && test \"$(kinetic)\" = '\"kinetic\": 1.25' && launch --input t.xyz --steps 0 --report \
r.json > out && ! grep -q 'no masses' out && test \"$(kinetic)\" = '\"kinetic\": 1.25' && launch --restart \
c.previous --steps 4 --checkpoint d --report r.json && test \"$(kinetic)\" = '\"kinetic\": 1.25' && tail -n 2 t.xyz | \
grep -q ' 4 0 0 0 1 2$'" 0 ""
)

# Velocities drawn for a start from a file: of the temperature that is asked for also where masses differ, the same on
# any number of ranks, and in place of those that the file has.
string(
  CONCAT warm
  "3\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=pos:R:3:velo:R:3:masses:R:1\n"
  "1 1 1 7 0 0 1\n4 4 4 0 -9 0 40\n7 7 7 0 0 0 0.02\n"
)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/warm.xyz" "${warm}")
set(drawn "--input ../warm.xyz --temperature 2.5 --seed 3 --steps 3 --thermo 0")
apps_shell_tests(
  nbody_velocities_of_a_temperature upsweep-nbody 3
  "\"$0\" ${drawn} > a && launch ${drawn} > b && grep -q '^       0 *2.5 ' a && \
grep -q 'not used of .*velocities' a && \
grep '^state' a > c && grep '^state' b | cmp - c && \
\"$0\" --input ../warm.xyz --steps 3 --thermo 0 > d && ! grep -q 'not used' d && ! grep '^state' d | cmp -s - c" 0 ""
)
nbody_refuses(temperature_of_restart "--restart excludes --temperature" --restart c --temperature 1)
nbody_refuses(
  temperature_and_velocities "--temperature: expected no --velocities, too" --input p.npy --box 1,1,1 --velocities v.npy
  --temperature 1
)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/uneven.xyz"
     "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=pos:R:3:masses:R:1\n1 1 1 1e-300\n5 5 5 1e10\n"
)
nbody_refuses(
  temperature_of_uneven_masses "--temperature: masses from 1e-300 to 1e.10 .expected a ratio of at most 1e100"
  --input "${CMAKE_CURRENT_BINARY_DIR}/uneven.xyz" --temperature 1
)

# A particle whose image flag cannot count one crossing more.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/flags.xyz"
     "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=pos:R:3:velo:R:3:map_shift:I:3\n"
     "1 1 1 0 0 0 0 0 0\n8.9 5 5 100 0 0 2147483647 0 0\n"
)
nbody_refuses(
  image_flag_of_32_bits "migrate_and_count: particle [01] at .* would have 2147483648 crossings in direction x"
  --input "${CMAKE_CURRENT_BINARY_DIR}/flags.xyz" --steps 5 --msd "${CMAKE_CURRENT_BINARY_DIR}/flags.msd" --force
)
