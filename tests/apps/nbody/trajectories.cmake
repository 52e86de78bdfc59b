# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Trajectories are the same bytes on any number of ranks. On a restart they are cut back to the checkpoint's step and
# grow to what they were.
set(frames "--lattice fcc --cells 6,6,6 --steps 50 --thermo 0 --trajectory-every 10")
foreach(suffix IN ITEMS xyz dump)
  set(t "t.${suffix}")
  apps_shell_tests(
    nbody_trajectory_${suffix} upsweep-nbody "1;3"
    "launch ${frames} --trajectory ${t} --checkpoint c --checkpoint-every 30 && cp ${t} whole && \"$0\" ${frames} \
--trajectory one.${suffix} && cmp one.${suffix} whole && launch --restart c.previous --steps 50 --trajectory ${t} \
--trajectory-every 10 && cmp ${t} whole && test $(grep -c 864 ${t}) -ge 6" 0 ""
  )
endforeach()
apps_shell_tests(
  nbody_trajectory_vtk upsweep-nbody "1;3"
  "launch ${frames} --trajectory t.vtk --checkpoint c --checkpoint-every 30 && cp t.vtk.series s && cp t.40.vtk \
v && launch --restart c.previous --steps 30 --trajectory t.vtk --trajectory-every 10 && \
! grep -q t.40.vtk t.vtk.series && ! test -e t.40.vtk && \
launch --restart c.previous --steps 50 --trajectory t.vtk --trajectory-every 10 && cmp t.40.vtk v \
&& cmp t.vtk.series s" 0 ""
)

# A run can start from a frame, plain or compressed, and has its state.
apps_shell_tests(
  nbody_starts_from_a_frame upsweep-nbody 2
  "launch ${frames} --trajectory t.xyz > a && gzip -k t.xyz && launch --input t.xyz --steps 0 > b && launch \
--input t.xyz.gz --steps 0 > c && for f in a b c; do grep -o 'hash [0-9a-f]*$' $f | tail -n 1 > $f.h; done && cmp a.h \
b.h && cmp a.h c.h" 0 ""
)

# Species of the start have their names in frames, also after a restart, where types have one name each.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/gases.xyz"
     "3\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\nXe 1 1 1\nAr 4 4 4\nXe 7 7 7\n"
)
apps_shell_tests(
  nbody_species upsweep-nbody "1;3"
  "frames='--trajectory t.xyz --trajectory-every 2 --checkpoint c' && \
launch --input ../gases.xyz --steps 2 $frames && launch --restart c --steps 4 $frames && \
test \"$(grep -o '^[AX][a-z]* ' t.xyz | tr -d '\\n')\" = \
'Xe Ar Xe Xe Ar Xe Xe Ar Xe '" 0 ""
)
nbody_refuses(bad_frame "no_atoms.xyz:1: number of particles is" --input "${CMAKE_CURRENT_BINARY_DIR}/no_atoms.xyz")
configure_file("${fixtures}/no_atoms.data" "${CMAKE_CURRENT_BINARY_DIR}/no_atoms.xyz" COPYONLY)

# A file that exists is not replaced, unless it is the trajectory of the checkpoint.
apps_shell_test(
  nbody_trajectory_exists upsweep-nbody "echo mine > t.xyz && \"$0\" ${frames} --trajectory t.xyz" 2
  "t.xyz: exists already .expected a new name, or --force"
)
apps_shell_test(
  nbody_trajectory_forced upsweep-nbody
  "echo mine > t.xyz && \"$0\" ${frames} --trajectory t.xyz --force && ! grep -q mine t.xyz" 0 ""
)
apps_shell_test(
  nbody_trajectory_of_another upsweep-nbody
  "\"$0\" ${frames} --trajectory t.xyz --checkpoint c && sed s/X/Y/ t.xyz > u.xyz && cp u.xyz v.xyz && ! \"$0\" \
--restart c --steps 60 --trajectory u.xyz --trajectory-every 10 && cmp u.xyz v.xyz" 0
  "u.xyz: is not the trajectory of the checkpoint"
)
nbody_refuses(trajectory_suffix "--trajectory t.txt: expected a name with" ${lattice} --trajectory t.txt
              --trajectory-every 5
)
nbody_refuses(trajectory_alone "requires --trajectory-every" ${lattice} --trajectory t.xyz)
nbody_refuses(trajectory_every_alone "requires --trajectory" ${lattice} --trajectory-every 5)
nbody_refuses(trajectory_folder "cannot be written" ${lattice} --trajectory none/t.xyz --trajectory-every 5)
nbody_refuses(force_alone "--force: expected a file to write, too" ${lattice} --force)
nbody_refuses(force_standard_output "--force: expected a file to write, too" ${lattice} --report - --force)

# Restarts beside files of others and on a full disk, in every format. Only --all lets every single write fail.
# nbody_trajectory_campaign(<suffix> <ranks> <stride>)
function(nbody_trajectory_campaign suffix ranks stride)
  upsweep_mpiexec_command(mpiexec ${ranks})
  if(ranks EQUAL 1)
    set(mpiexec "")
  endif()
  set(reader -)
  if(UPSWEEP_HAS_HDF5)
    set(reader $<TARGET_FILE:upsweep_read_h5md>)
  endif()
  set(test nbody_trajectory_campaign_${suffix}_np${ranks})
  if(stride EQUAL 1)
    set(test nbody_long_trajectory_campaign_${suffix}_np${ranks})
  endif()
  upsweep_python_test(
    ${test} trajectory_campaign.py ${suffix} "${CMAKE_CURRENT_BINARY_DIR}/${test}" ${stride} ${reader}
    $<TARGET_FILE:upsweep-nbody> $<TARGET_FILE:upsweep_test_nbody_full_disk> ${mpiexec}
  )
  if(TEST ${test})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "${UPSWEEP_RANK_ENVIRONMENT}")
    set_tests_properties(${test} PROPERTIES PROCESSORS ${ranks} TIMEOUT 300)
    if(stride EQUAL 1)
      set_tests_properties(${test} PROPERTIES LABELS long TIMEOUT 3600)
    endif()
  endif()
endfunction()
set(suffixes xyz dump vtk)
if(UPSWEEP_HAS_HDF5)
  list(APPEND suffixes h5)
endif()
foreach(suffix IN LISTS suffixes)
  # A frame in a file of its own, or with an index beside it, takes more writes.
  set(stride 11)
  if(suffix MATCHES "vtk|h5")
    set(stride 23)
  endif()
  nbody_trajectory_campaign(${suffix} 1 ${stride})
  nbody_trajectory_campaign(${suffix} 1 1)
  nbody_trajectory_campaign(${suffix} 2 1)
endforeach()
