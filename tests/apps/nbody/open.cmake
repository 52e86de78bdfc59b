# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Open directions. The oracle is a run of the same start in a periodic box that is so long there that no particle meets
# an image: it has the same energies and ends in the same state, bit by bit. The start is a frame, so both have the same
# positions and velocities.
apps_launch(two 2)
apps_launch(three 3)
set(reader "\"$<TARGET_FILE:upsweep_check_nbody>\"")
# Steps, energies and states. The sum of energies is rounded on each rank; the pressure is that of the volume.
set(results "results() { awk '/^ +[0-9]+ /{printf \"%d %.11g %.11g\\n\", $1, $3, $4} /^state/' \"$1\" > \"$1.r\"; }")
# The last of the 256 particles' frames has some on both sides of the box, from 0 to 6.7, in this column.
set(leaves "leaves() { tail -n 256 t.xyz | awk -v c=$1 '$c > 9 {up = 1} $c < -3 {down = 1} END {exit !up || !down}'; }")
set(short "--steps 200 --thermo 50 --no-progress")
set(from_file "--input p.npy --velocities v.npy --ids i.npy ${short}")

# A hot droplet, which evaporates. The box may be smaller than the droplet.
apps_shell_test(
  nbody_open_droplet upsweep-nbody
  "${results} && ${leaves} && \"$0\" --lattice fcc --cells 4,4,4 --temperature 6 --steps 0 --trajectory s.xyz \
--trajectory-every 1 > head && ${reader} make-npy s.xyz . && \
\"$0\" ${from_file} --box 90,90,90 --origin -42,-42,-42 --msd m > periodic && results periodic && \
test $(wc -l < periodic.r) = 6 && start=\"${from_file} $(cat box) --open xyz\" && \
\"$0\" $start --trajectory t.xyz --trajectory-every 200 --write-list list --msd n > one && cmp m n && \
grep -q ', open in xyz, 1 rank' one && leaves 2 && ${two} $start --bisect --half > half && \
${three} ${from_file} --box 3,3,3 --open xyz --overlap --write-list list3 > small && \
cmp list/neighbors.npy list3/neighbors.npy && ${three} $start --balance pairs --balance-every 2 > pairs && \
for run in one half small pairs; do results $run; cmp $run.r periodic.r || exit 1; done" 0 "^$"
)

# A slab: frames, checkpoints and restarts keep the open direction.
apps_shell_test(
  nbody_open_slab upsweep-nbody
  "${results} && ${leaves} && \"$0\" --lattice fcc --cells 4,4,4 --open z --temperature 6 --steps 0 --trajectory s.xyz \
--trajectory-every 1 > head && grep -q ' pbc=\"T T F\" ' s.xyz && ${reader} make-npy s.xyz . && \
box=$(sed 's/--box \\([^,]*,[^,]*\\),[^,]*,/--box \\1,90,/; s/,0$/,-42/' box) && \
\"$0\" ${from_file} $box > periodic && results periodic && \
${two} --input s.xyz ${short} --checkpoint c --checkpoint-every 120 --trajectory t.xyz --trajectory-every 100 \
> open && leaves 4 && test $(grep -c ' pbc=\"T T F\" ' t.xyz) = 3 && results open && cmp open.r periodic.r && \
cp c.previous half && ${three} --restart half --open z ${short} --trajectory t.dump --trajectory-every 100 \
> again && results again && tail -n 1 again.r > a && tail -n 1 open.r | cmp - a || exit 1; \
grep -q '^ITEM: BOX BOUNDS pp pp ff$' t.dump && \
\"$0\" --input s.xyz --open xyz --steps 0 | grep -q ', open in xyz,' && \
\"$0\" --restart half --open xz ${short}" 2 "--open: other directions than those of half .expected --open z.\n$"
)
if(UPSWEEP_HAS_HDF5)
  set(frames "--lattice fcc --cells 4,4,4 --open xz --steps 20 --thermo 0 --no-progress --trajectory-every 10")
  apps_shell_test(
    nbody_open_h5md upsweep-nbody
    "\"$0\" ${frames} --trajectory t.h5 && \"$0\" ${frames} --trajectory x.xyz && grep -q 'pbc=\"F T F\"' x.xyz && \
\"$<TARGET_FILE:upsweep_read_h5md>\" t.h5 | cmp - x.xyz" 0 "^$"
  )
endif()

# A wire in a tilted box, whose upright coordinates along x depend on the tilts.
apps_shell_test(
  nbody_open_tilted upsweep-nbody
  "${results} && ${reader} make-crystal d.data 0.8442 3 && \"$0\" --input d.data --temperature 3 --steps 0 \
--trajectory s.xyz --trajectory-every 1 > head && ${reader} make-npy s.xyz . && \
wide=$(sed 's/--box [^,]*,/--box 400,/; s/--origin [^,]*,/--origin -200,/' box) && \
\"$0\" ${from_file} $wide > periodic && results periodic && \
${three} ${from_file} $(cat box) --open x > open && results open && cmp open.r periodic.r && \
${two} ${from_file} $(cat box) --open x --bisect > bisect && results bisect && cmp bisect.r periodic.r" 0 "^$"
)

set(open_crystal --lattice fcc --cells 5,5,5 --open xyz)
nbody_refuses(open_letter "--open xw: expected some of the letters x, y, z" ${lattice} --open xw)
nbody_refuses(open_twice "--open xx: expected some of the letters x, y, z" ${lattice} --open xx)
nbody_refuses(open_rdf "--rdf g: the box is open in xyz .expected a periodic one" ${open_crystal} --rdf g)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/open.xyz"
     "2\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"F T T\" Properties=pos:R:3\n1 1 1\n1e11 5 5\n"
)
nbody_refuses(
  open_far "step 0: particles reach from 1 to 1e.11 in the open direction x .expected at most 1073741824 edges beyond"
  --input "${CMAKE_CURRENT_BINARY_DIR}/open.xyz" --steps 1
)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/leaning.xyz"
     "1\nLattice=\"9 0 0 1 9 0 0 0 9\" pbc=\"F T T\" Properties=pos:R:3\n1 1 1\n"
)
set(leaning --input "${CMAKE_CURRENT_BINARY_DIR}/leaning.xyz" --steps 1)
nbody_refuses(open_rdf_of_file "--rdf g: the box is open in x .expected a periodic one" ${leaning} --rdf g)
nbody_refuses(
  open_tilt "leaning.xyz: the edge in the open direction y leans: xy is 1 .expected 0" ${leaning} --open y
)
nbody_refuses(
  open_lost "step [0-9]+: the position of particle [0-9]+ is more than 1073741824 edges away in the open direction"
  ${open_crystal} --steps 5 --dt 1e100
)
