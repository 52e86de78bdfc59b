# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# A table of coefficients that are 1 has the bits of the plain pair.
set(ones "${CMAKE_CURRENT_BINARY_DIR}/ones.pairs")
file(CONFIGURE OUTPUT "${ones}" CONTENT "1 1 1 1\n")
nbody_run(
  nbody_table_of_ones 2 ${from_crystal} --steps 20 --thermo 0 --report report.json --pair-coefficients "${ones}"
)
nbody_same(nbody_table_of_ones nbody_lattice_np1)

# A mixture of two types: the same state on any number of ranks and after a restart, and constant energy.
set(mixture "${CMAKE_CURRENT_BINARY_DIR}/mixture.data")
add_test(
  NAME nbody_make_mixture
  COMMAND
    sh -c
    "awk '/^Atoms/ {a = 1} /^Velocities/ {a = 0} a && NF == 5 {$2 = 1 + $1 % 2} /atom types/ {$1 = 2} {print}' \
'${crystal}' > '${mixture}'"
)
set_tests_properties(
  nbody_make_mixture PROPERTIES FIXTURES_REQUIRED nbody_crystal FIXTURES_SETUP nbody_mixture
)
set(table "${CMAKE_CURRENT_BINARY_DIR}/mixture.pairs")
file(CONFIGURE OUTPUT "${table}" CONTENT "1 1 1 1\n2 2 0.5 0.88 2.0 # smaller\n1 2 1.2 0.9\n")
foreach(pair IN ITEMS lj soft own)
  set(options
      --input "${mixture}" --steps 40 --thermo 10 --report report.json --pair ${pair} --pair-coefficients "${table}"
      --shift --dt 0.002 --checkpoint c --checkpoint-every 25
  )
  set(name nbody_mixture_${pair})
  nbody_run(${name}_np1 1 ${options})
  nbody_run(${name}_np3 3 ${options} --overlap)
  set_tests_properties(${name}_np1 ${name}_np3 PROPERTIES FIXTURES_REQUIRED nbody_mixture)
  nbody_compare(same ${name}_np3 ${name}_np1)
  nbody_run(${name}_restart 2 --restart "${CMAKE_CURRENT_BINARY_DIR}/${name}_np3/c.previous" --steps 40 --report
            report.json
  )
  set_tests_properties(${name}_restart PROPERTIES FIXTURES_REQUIRED ${name}_np3)
  nbody_compare(end ${name}_restart ${name}_np1)
  nbody_check(
    ${name}_energy ${name}_np1 upsweep_check_nbody conserved "${CMAKE_CURRENT_BINARY_DIR}/${name}_np1/report.json" 1e-4
  )
endforeach()

nbody_refuses(pair_name "--pair morse: expected lj, soft or own" ${lattice} --pair morse)
nbody_refuses(pair_half "--half: expected --pair lj" ${lattice} --pair soft --half)
nbody_refuses(pairs_missing "none: No such file" ${lattice} --pair-coefficients none)
nbody_refuses(pairs_folder "is no regular file" ${lattice} --pair-coefficients "${fixtures}")
nbody_refuses(pairs_foreign "no_atoms.data:1: .* words" ${lattice} --pair-coefficients "${fixtures}/no_atoms.data")
nbody_refuses(pairs_cutoff "cutoff 2 .expected at most that of --cutoff, 1.5" ${lattice} --cutoff 1.5
              --pair-coefficients "${table}"
)
nbody_refuses(pairs_is_report "--report .*ones.pairs: is the same file as that of --pair-coefficients" ${lattice}
              --pair-coefficients "${ones}" --report "${ones}"
)
upsweep_program_test(
  nbody_type_without_pair PROGRAM upsweep-nbody RANKS 2 ARGS --input "${mixture}" --pair-coefficients "${ones}" EXIT 2
  STDERR "there are particles of type 2 .expected types up to 1"
)
set_tests_properties(nbody_type_without_pair PROPERTIES FIXTURES_REQUIRED nbody_mixture)
