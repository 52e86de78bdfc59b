# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Files of others stay without --force; the program's own, which say so, are replaced.
set(outputs "--steps 1 --no-progress --report r --write-list l --rdf g --msd m")
apps_shell_test(
  nbody_keeps_others upsweep-nbody
  "for f in r g m l/images.npy; do rm -rf r g m l && mkdir l && echo mine > $f && \
! \"$0\" ${small_crystal} ${outputs} > o 2> e && grep -q \"$f: exists, .*--force replaces it\" e && \
grep -qx mine $f || exit 1; done; \"$0\" ${small_crystal} ${outputs} --force > o && ! grep -q mine l/images.npy"
  0 "^$"
)
apps_shell_test(
  nbody_replaces_its_own upsweep-nbody
  "rm -rf r g m l && \"$0\" ${small_crystal} ${outputs} > o && \
\"$0\" ${small_crystal} ${outputs} --overlap > o && grep -q '\"overlap\": true' r && grep -q '\"pairs\"' l/list.json"
  0 "^$"
)
if(GNUPLOT)
  set(drawn "${small_crystal} --steps 10 --no-progress --rdf g --plot p")
  apps_shell_test(
    nbody_keeps_other_plots upsweep-nbody
    "rm -f g && echo \"set terminal svg; set output 'p'; plot x\" | gnuplot 2> o && cp p old && \
! \"$0\" ${drawn} > o 2> e && grep -q 'p: exists, and is no file of upsweep-nbody' e && cmp p old && \
\"$0\" ${drawn} --force > o && \
\"$0\" ${drawn} > o"
    0 "^$"
  )
endif()

# Frames of VTK are files with numbers.
apps_shell_test(
  nbody_keeps_other_frames upsweep-nbody
  "rm -f t.* && echo mine > t.10.vtk && ! \"$0\" ${small_crystal} --steps 10 --trajectory t.vtk --trajectory-every 5 \
> o 2> e && grep -q 't.10.vtk: exists already' e && grep -qx mine t.10.vtk"
  0 "^$"
)
nbody_refuses(
  frame_is_report "--report t.1.vtk: is the name of a file of --trajectory t.vtk" ${lattice} --trajectory t.vtk
  --trajectory-every 1 --report t.1.vtk
)
