# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Runs that go on from a checkpoint end as those that were not interrupted, on any number of ranks. Their last
# checkpoint is the same file, byte by byte, so images and types are the same, too.
set(liquid --thermo 10 --steps 80 --report report.json --checkpoint c --checkpoint-every 50)
set(from_crystal --lattice fcc --cells 6,8,10 --temperature 1.44 --seed 7)
nbody_run(nbody_whole 3 ${from_crystal} ${liquid})
set(saved "${CMAKE_CURRENT_BINARY_DIR}/nbody_whole/c.previous")

# nbody_goes_on(<name> <ranks> ARGS...): a restart of nbody_whole.
function(nbody_goes_on name ranks)
  nbody_run(${name} ${ranks} --restart "${saved}" ${liquid} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED nbody_whole)
  nbody_compare(end ${name} nbody_whole)
  nbody_check(
    ${name}_file "nbody_whole;${name}" "${CMAKE_COMMAND}" -E compare_files
    "${CMAKE_CURRENT_BINARY_DIR}/nbody_whole/c" "${CMAKE_CURRENT_BINARY_DIR}/${name}/c"
  )
endfunction()
nbody_goes_on(nbody_restart_np1 1)
nbody_goes_on(nbody_restart_np4 4)
nbody_goes_on(nbody_restart_half 2 --half)
nbody_goes_on(nbody_restart_overlap 3 --overlap)
nbody_goes_on(nbody_restart_pairs 5 --balance pairs --balance-every 2)
nbody_goes_on(nbody_restart_time 2 --balance time --balance-every 2)

# A checkpoint changes nothing: nbody_state_np1 has none.
nbody_run(
  nbody_saving 2 --lattice fcc --cells 8,8,14 --seed 3 --steps 1000 --thermo 0 --report report.json --checkpoint c
  --checkpoint-every 37
)
nbody_compare(end nbody_saving nbody_state_np1)
set_tests_properties(nbody_saving nbody_saving_check PROPERTIES LABELS long)

# A tilted box.
nbody_crystal_run(nbody_tilted_whole 2 --checkpoint c --checkpoint-every 30)
nbody_run(nbody_tilted_restart 3 --restart "${CMAKE_CURRENT_BINARY_DIR}/nbody_tilted_whole/c.previous" --steps 50
          --thermo 25 --report report.json
)
set_tests_properties(nbody_tilted_restart PROPERTIES FIXTURES_REQUIRED nbody_tilted_whole)
nbody_compare(end nbody_tilted_restart nbody_tilted_np1)

# A run of no steps, too, writes the checkpoint that it is asked for.
apps_shell_test(
  nbody_checkpoint_of_no_steps upsweep-nbody
  "\"$0\" --lattice fcc --cells 4,4,4 --steps 20 --checkpoint c && \"$0\" --restart c --steps 20 --checkpoint d && \
cmp c d" 0 ""
)

# What is refused.
apps_shell_test(
  nbody_checkpoint_as_input upsweep-nbody
  "\"$0\" --lattice fcc --cells 4,4,4 --steps 0 --checkpoint c && \"$0\" --input c" 2
  "^upsweep-nbody: --input c: is a checkpoint of upsweep-nbody [(]expected --restart c in place of --input[)]\n$"
)
nbody_refuses(restart_missing "none: No such file" --restart none)
nbody_refuses(restart_foreign "no_atoms.data: no checkpoint of upsweep-nbody" --restart "${fixtures}/no_atoms.data")
nbody_refuses(restart_folder "is no regular file" --restart "${fixtures}")
nbody_refuses(restart_two_starts "excludes" --restart c --lattice fcc --cells 4,4,4)
nbody_refuses(checkpoint_every_alone "requires --checkpoint" ${lattice} --checkpoint-every 5)
nbody_refuses(checkpoint_every_0 "--checkpoint-every 0: expected an integer, 1 or more" ${lattice} --checkpoint c
              --checkpoint-every 0
)
nbody_refuses(checkpoint_no_folder "none/c: cannot be written" ${lattice} --checkpoint none/c)
nbody_refuses(
  checkpoint_is_input "--checkpoint .*no_atoms.data: is the same file as that of --input"
  --input "${fixtures}/no_atoms.data" --checkpoint "${fixtures}/no_atoms.data"
)
nbody_refuses(
  checkpoint_is_report "--checkpoint r.previous: is the same file as that of --report"
  ${lattice} --checkpoint r --report r.previous
)
nbody_refuses(
  checkpoint_over_foreign "no_atoms.data: is no checkpoint of upsweep-nbody" ${lattice} --checkpoint
  "${fixtures}/no_atoms.data"
)
upsweep_program_test(
  nbody_restart_past_the_end PROGRAM upsweep-nbody RANKS 2 ARGS --restart "${saved}" --steps 20 EXIT 2
  STDERR "--steps 20: expected at least 50, the step of"
)
set_tests_properties(nbody_restart_past_the_end PROPERTIES FIXTURES_REQUIRED nbody_whole)

# A script that ends runs of upsweep-nbody so many times; more often than `most_quick` only in --all. Further arguments
# come behind the script's folder.
function(nbody_campaign name ranks most_quick script times)
  upsweep_mpiexec_command(mpiexec ${ranks})
  if(ranks EQUAL 1)
    set(mpiexec "")
  endif()
  set(test ${name}_np${ranks})
  upsweep_python_test(
    ${test} ${script} ${times} "${CMAKE_CURRENT_BINARY_DIR}/${test}" ${ARGN} $<TARGET_FILE:upsweep-nbody> ${mpiexec}
  )
  if(TEST ${test})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "${UPSWEEP_RANK_ENVIRONMENT}")
    set_tests_properties(${test} PROPERTIES PROCESSORS ${ranks} TIMEOUT 300)
    if(times GREATER most_quick)
      set_tests_properties(${test} PROPERTIES LABELS long TIMEOUT 1500)
    endif()
  endif()
endfunction()
# Kills at random moments. Only --all runs 200 of them.
function(nbody_kills name kills ranks trajectory)
  nbody_campaign(${name} ${ranks} 50 kill_and_restart.py ${kills} ${trajectory})
endfunction()
# Ends by SIGTERM at random moments. Only --all runs 50 of them.
function(nbody_ends name ends ranks)
  nbody_campaign(${name} ${ranks} 10 end_and_restart.py ${ends})
endfunction()
foreach(ranks IN ITEMS 1 3)
  nbody_ends(nbody_ends 3 ${ranks})
  nbody_ends(nbody_many_ends 50 ${ranks})
endforeach()

# Hours that are over at once end a run after its first step. Without --checkpoint it says what that means.
set(over --lattice fcc --cells 5,5,5 --steps 5 --max-hours 1e-9)
set(ended "ended by --max-hours after step 1;")
upsweep_program_test(
  nbody_max_hours PROGRAM upsweep-nbody RANKS 3 ARGS ${over} --checkpoint c --force
  STDOUT "state at step 1: hash .*\n${ended} the same command with --restart c [^\n]* goes on\n" TIMEOUT 60
)
upsweep_program_test(
  nbody_max_hours_without_checkpoint PROGRAM upsweep-nbody ARGS ${over}
  STDOUT "${ended} without --checkpoint there is nothing to go on from\n" TIMEOUT 60
)
upsweep_program_test(
  nbody_max_hours_in_report PROGRAM upsweep-nbody ARGS ${over} --report -
  STDOUT "\"steps\": 1,\n  \"ended_by\": \"--max-hours\"" TIMEOUT 60
)
nbody_refuses(max_hours_0 "--max-hours 0: expected a finite number greater than 0" ${lattice} --max-hours 0)

# A SIGTERM that comes while the start is read ends the run after its first step. The pipe opens when the program does.
set(one "${CMAKE_CURRENT_BINARY_DIR}/one.data")
file(
  CONFIGURE OUTPUT "${one}"
  CONTENT "\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # atomic\n\n1 1 2 2 2\n"
)
apps_shell_test(
  nbody_sigterm_while_reading upsweep-nbody
  "mkfifo p.data && { \"$0\" --input p.data --steps 9 --checkpoint c --no-progress > o & } && exec 3> p.data && \
kill -TERM $! && cat \"${one}\" >&3 && exec 3>&- && wait $! && test -s c && \
grep -q 'ended by SIGTERM after step 1; the same command with --restart c in place' o"
  0 "^$"
)

foreach(ranks IN ITEMS 1 2)
  nbody_kills(nbody_kills 4 ${ranks} t.xyz)
  nbody_kills(nbody_many_kills 200 ${ranks} t.xyz)
endforeach()
