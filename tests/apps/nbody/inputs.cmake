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
nbody_refuses(no_style "molecule.data:21: an atom with 7 columns .*or as --atom-style full." ${molecule})
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
nbody_refuses(empty_style "--atom-style: 1 required STYLE missing" ${molecule} --atom-style=)

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
set(too_small "the box is too small: more than 2.31 neighbours of each particle.*within cutoff and skin, 2.8 .expected")
nbody_refuses(tiny_box "tiny.xyz: ${too_small}" --input "${CMAKE_CURRENT_BINARY_DIR}/tiny.xyz")
nbody_refuses(dense_lattice "--density 1e.300: ${too_small}" --lattice fcc --cells 1,1,1 --density 1e300)
