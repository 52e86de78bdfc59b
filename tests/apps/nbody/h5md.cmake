# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Trajectories in H5MD.
if(NOT UPSWEEP_HAS_HDF5)
  nbody_refuses(h5md_without_hdf5 "--trajectory t.h5: expected a name with .* built without HDF5" ${lattice}
                --trajectory t.h5 --trajectory-every 5
  )
  return()
endif()

set(reader "\"$<TARGET_FILE:upsweep_read_h5md>\"")

# The frames are those of the XYZ file of the same run; the files are the same bytes on any number of ranks and after a
# restart, which removes those behind the checkpoint.
set(every "--steps 50 --thermo 0 --no-progress --trajectory-every 10")
set(h5_run "--lattice fcc --cells 6,6,6 ${every}")
set(same "cmp t.h5 one/t.h5 && cmp t.0.h5 one/t.0.h5 && cmp t.40.h5 one/t.40.h5 && test $(ls | grep -c '^t') = 3")
apps_shell_tests(
  nbody_h5md upsweep-nbody "1;2;3"
  "mkdir one && cd one && \"$0\" ${h5_run} --trajectory t.h5 --checkpoint c --checkpoint-every 30 && cd .. && \
launch ${h5_run} --trajectory t.h5 --checkpoint c --checkpoint-every 30 && ${same} && \
launch ${h5_run} --trajectory x.xyz && ${reader} t.h5 | cmp - x.xyz && \
(${reader} t.0.h5 && ${reader} t.40.h5) | cmp - x.xyz && cp c.previous p && \
launch --restart p --steps 30 --no-progress --trajectory t.h5 --trajectory-every 10 && ! test -e t.40.h5 && \
${reader} t.h5 > r && ${reader} one/t.0.h5 | cmp - r && \
launch --restart p ${every} --trajectory t.h5 && ${same}" 0 "^$"
)

# A tilted box whose corner is not 0, with types, and more rows than one piece has: rows of several ranks in one piece,
# and of one rank in several.
set(leaning "${CMAKE_CURRENT_BINARY_DIR}/h5md_leaning.data")
add_test(NAME nbody_make_h5md_leaning COMMAND upsweep_check_nbody make-random "${leaning}" 70001 1 -3 2 1)
set_tests_properties(nbody_make_h5md_leaning PROPERTIES FIXTURES_SETUP nbody_h5md_leaning)
set(random "--input \"${leaning}\" --cutoff 0.3 --skin 0.1 --steps 0 --no-progress --keep-going")
apps_shell_tests(
  nbody_h5md_pieces upsweep-nbody "1;5"
  "launch ${random} --trajectory t.h5md --trajectory-every 1 && launch ${random} --trajectory x.xyz \
--trajectory-every 1 && ${reader} t.h5md | cmp - x.xyz" 0 "^$"
)
set_tests_properties(nbody_h5md_pieces_np1 nbody_h5md_pieces_np5 PROPERTIES FIXTURES_REQUIRED nbody_h5md_leaning)

# Without checkpoints a file has 100 frames.
apps_shell_test(
  nbody_h5md_without_checkpoints upsweep-nbody
  "run() { \"$program\" --lattice fcc --cells 5,5,5 --steps 250 --thermo 0 --no-progress --trajectory-every 1 \
--trajectory $1; } && program=$0 && run t.h5 && run x.xyz && test \"$(echo t.*.h5)\" = 't.0.h5 t.100.h5 t.200.h5' && \
${reader} t.h5 | cmp - x.xyz" 0 "^$"
)

# Nothing is overwritten, or removed, that is not the trajectory of the checkpoint.
set(run "\"$0\" ${h5_run} --trajectory t.h5")
apps_shell_test(
  nbody_h5md_exists upsweep-nbody "echo mine > t.h5 && ${run}" 2
  "t.h5: exists already .expected a new name, or --force"
)
apps_shell_test(
  nbody_h5md_part_exists upsweep-nbody "echo mine > t.20.h5 && ${run}" 2
  "t.20.h5: exists already .expected a new name, or --force"
)
apps_shell_test(
  nbody_h5md_forced upsweep-nbody
  "echo mine > t.h5 && echo mine > t.0.h5 && echo mine > t.700.h5 && echo mine > t.07.h5 && ${run} --force && \
${reader} t.h5 > r && ${reader} t.0.h5 | cmp - r && grep mine t.700.h5 t.07.h5" 0 "^$"
)
apps_shell_test(
  nbody_h5md_forced_removes_the_old upsweep-nbody
  "\"$0\" --lattice fcc --cells 5,5,5 --steps 150 --thermo 0 --no-progress --trajectory-every 1 --trajectory t.h5 && \
test -e t.100.h5 && ${run} --force && ! test -e t.100.h5" 0 "^$"
)
set(go_on "\"$0\" --restart c --steps 70 --thermo 0 --no-progress --trajectory-every 10 --trajectory t.h5")
apps_shell_test(
  nbody_h5md_goes_on upsweep-nbody
  "${run} --checkpoint c && cp t.0.h5 d && ${go_on} && cmp t.0.h5 d && test \"$(echo t.*.h5)\" = 't.0.h5 t.60.h5' && \
\"$0\" --lattice fcc --cells 6,6,6 --steps 70 --no-progress --trajectory x.xyz --trajectory-every 10 && \
${reader} t.h5 | cmp - x.xyz" 0
  "^$"
)
apps_shell_test(
  nbody_h5md_of_another upsweep-nbody
  "${run} --checkpoint c && printf x >> t.0.h5 && cp t.0.h5 d && printf X | dd of=t.0.h5 bs=1 seek=3000 conv=notrunc \
2> /dev/null && ! ${go_on} && test -e t.h5" 0 "^upsweep-nbody: t.h5: is not the trajectory of the checkpoint"
)
apps_shell_test(
  nbody_h5md_later_part_of_another upsweep-nbody
  "${run} --checkpoint c && echo mine > t.60.h5 && ! ${go_on} && grep mine t.60.h5" 0
  "^upsweep-nbody: t.60.h5: exists already"
)
apps_shell_test(
  nbody_h5md_index_of_another upsweep-nbody
  "${run} --checkpoint c && echo mine > t.h5 && ! ${go_on} && grep mine t.h5" 0
  "^upsweep-nbody: t.h5: is not the trajectory of the checkpoint"
)
apps_shell_test(
  nbody_h5md_lost_file upsweep-nbody
  "\"$0\" ${h5_run} --trajectory t.h5 --checkpoint c --checkpoint-every 30 && rm t.0.h5 && ! ${go_on} && \
test -e t.40.h5" 0 "^upsweep-nbody: t.h5: is not the trajectory of the checkpoint"
)
apps_shell_test(
  nbody_h5md_percent upsweep-nbody
  "mkdir -p d && cd d && \"$0\" ${h5_run} --trajectory 'a%b%%.h5' && ${reader} 'a%b%%.h5' > r && \
${reader} 'a%b%%.0.h5' | cmp - r" 0 "^$"
)
foreach(option IN ITEMS --report --checkpoint --rdf --msd)
  nbody_refuses(
    h5md_file_is${option} "${option} ./t.0.h5: is the name of a file of --trajectory t.h5" ${lattice} --trajectory t.h5
    --trajectory-every 1 ${option} ./t.0.h5
  )
endforeach()
apps_shell_test(
  nbody_h5md_after_another_format upsweep-nbody
  "\"$0\" ${h5_run} --trajectory t.xyz --checkpoint c && ${go_on} && ${reader} t.h5 > r && grep -c Step= r | grep -x \
3 && \"$0\" --restart c --steps 70 --trajectory-every 10 --trajectory t.h5" 2
  "^upsweep-nbody: t.h5: is not the trajectory of the checkpoint"
)

# An index has the name of a part of another trajectory.
apps_shell_test(
  nbody_h5md_index_beside upsweep-nbody
  "\"$0\" ${h5_run} --trajectory t.300.h5 && cp t.300.h5 d && ${run} --checkpoint c && cmp t.300.h5 d && ${go_on} && \
cmp t.300.h5 d && ${run} --force && cmp t.300.h5 d && ${reader} t.300.h5 > r && ${reader} t.0.h5 | cmp - r" 0 "^$"
)

# What the system refuses: one message, and no words of HDF5's own.
nbody_refuses(h5md_folder "none/t.h5: cannot be written" ${lattice} --trajectory none/t.h5 --trajectory-every 5)

nbody_kills(nbody_kills_h5md 4 1 t.h5)
nbody_kills(nbody_kills_h5md 4 2 t.h5)
nbody_kills(nbody_many_kills_h5md 200 1 t.h5)
nbody_kills(nbody_many_kills_h5md 200 2 t.h5)
