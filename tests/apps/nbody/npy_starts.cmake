# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Starts from NumPy files, made from a frame of a run in a tilted box: they end in the state of a run that starts from
# that frame, on any number of ranks.
set(reader "\"$<TARGET_FILE:upsweep_check_nbody>\"")
set(make "${reader} make-crystal d.data 0.8442 3 && \"$0\" --input d.data --steps 20 --no-progress --trajectory t.xyz \
--trajectory-every 20 && ${reader} make-npy t.xyz .")
set(hash "grep -o 'hash [0-9a-f]*$' | tail -n 1")
# One particle has left the box since the last rebuild of the list.
set(outside "1 of 960 points of NAME.npy is outside of --box along x, and wrapped into it
")
set(all_outside "^")
foreach(name IN ITEMS p p32 p64)
  string(REPLACE "NAME" "${name}" line "${outside}")
  string(APPEND all_outside "upsweep-nbody: ${line}")
endforeach()
apps_shell_tests(
  nbody_npy_start upsweep-nbody "1;3"
  "${make} && launch --input t.xyz --steps 10 --no-progress | ${hash} > a && launch --input p.npy \
--velocities v.npy --types t.npy --ids i.npy $(cat box) --steps 10 --no-progress | ${hash} > b && test -s a && \
cmp a b && \
launch --input p32.npy $(cat box) --steps 10 --no-progress | ${hash} > c && \
launch --input p64.npy $(cat box) --steps 10 --no-progress | ${hash} > d && test -s c && cmp c d && \
! cmp -s a c" 0 "${all_outside}$"
)
# Particles of different masses: those of an extended XYZ file.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/heavy.xyz"
     "3
Lattice=\"9 0 0 0 9 0 0 0 9\" Properties=id:I:1:pos:R:3:velo:R:3:masses:R:1
"
     "1 1 1 1 0.7 0 0 1
2 2 1.5 1 0 -0.9 0 40
3 1 2.2 1 0 0 0 0.02
"
)
apps_launch(launch 2)
apps_shell_test(
  nbody_npy_start_with_masses upsweep-nbody
  "table() { grep -E '^ +(0|10) |^state'; } && ${reader} make-npy ../heavy.xyz . && npy=\"--input p.npy --velocities \
v.npy --ids i.npy $(cat box) --steps 10 --dt 0.0001 --no-progress\" && \"$0\" --input ../heavy.xyz --steps 10 --dt \
0.0001 --no-progress | table > a && ${launch} $npy --masses m.npy > out && ! grep 'no masses' out && table < out > b \
&& cmp a b && \"$0\" $npy | table > c && ! cmp -s a c" 0 "^$"
)
apps_shell_test(
  nbody_npy_start_from_config upsweep-nbody
  "${make} && printf 'input = \"p.npy\"\\nids = \"i.npy\"\\nbox = \"20,20,20\"\\nsteps = 0\\n' > o.toml && \
\"$0\" --config o.toml | grep -q 'particles in 20 x 20 x 20'" 0
  "^upsweep-nbody: 32 of 960 points of p.npy are outside of --box along x, and wrapped into it\n$"
)
apps_shell_test(
  nbody_npy_start_of_wrong_rows upsweep-nbody
  "${make} && ${reader} make-crystal e.data 0.8442 3 && ! \"$0\" --input p.npy --velocities p.npy --ids v.npy --box \
20,20,20 && ! \"$0\" --input p.npy --box 20,20,20,30000,0,0" 0
  "^upsweep-nbody: v.npy: an array of '<f8' .expected integers[^\n]*\nupsweep-nbody: p.npy: box: the tilt xy[^\n]*\n$"
)
apps_shell_test(
  nbody_npy_start_is_no_output upsweep-nbody
  "${make} && for o in input velocities masses types ids; do cp p.npy $o.npy; ! \"$0\" --input input.npy --velocities \
velocities.npy --masses masses.npy --types types.npy --ids ids.npy --box 20,20,20 --msd $o.npy --checkpoint c || \
exit 1; done; ! \"$0\" --input p.npy --ids i.npy --box 20,20,20 --checkpoint i.npy" 0
  "--msd input.npy: is the same file as that of --input.*of --velocities.*of --masses.*of --types.*of --ids.*of --ids"
)

nbody_refuses(npy_missing "none.npy: No such file" --input none.npy --box 1,1,1)
nbody_refuses(npy_without_box "--input p.npy: expected --box, too" --input p.npy)
foreach(box IN ITEMS 1,1 1,1,1,1 1,1,1,1,1 0,1,1 1,-1,1 1,1,nan 1,1,1,x,0,0 1,1,1,1,1,1,1)
  string(REPLACE "," "_" name "${box}")
  nbody_refuses(npy_box_${name} "--box ${box}: expected 3 or 6 finite numbers" --input p.npy --box ${box})
endforeach()
nbody_refuses(npy_origin "--origin 1,1: expected 3 numbers" --input p.npy --box 1,1,1 --origin 1,1)
nbody_refuses(npy_box_alone "--box requires --input" ${lattice} --box 1,1,1)
nbody_refuses(
  npy_box_of_data_file "--input [^ ]*no_atoms.data: expected a NumPy file .*since --box is for these"
  --input "${fixtures}/no_atoms.data" --box 1,1,1
)
nbody_refuses(
  npy_origin_of_data_file "--origin 1,1,1: expected none for a LAMMPS data" --input "${fixtures}/no_atoms.data"
  --origin 1,1,1
)
foreach(option IN ITEMS velocities masses types ids)
  nbody_refuses(npy_${option}_of_data_file "--${option}: expected a NumPy file .* at --input" --input
                "${fixtures}/no_atoms.data" --${option} 1,1,1
  )
endforeach()
