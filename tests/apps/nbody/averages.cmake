# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# The radial distribution function and the mean squared displacement: the same bytes on any number of ranks, and after a
# restart.
set(samples "--thermo 0 --rdf g --rdf-every 4 --msd m --msd-every 7")
set(run "--steps 60 ${samples}")
set(small_crystal "--lattice fcc --cells 6,6,6 --seed 2")
set(go "\"$0\" ${small_crystal} ${run} && mv g g1 && mv m m1 && cmp_all() { cmp g g1 && cmp m m1; }")
apps_shell_tests(
  nbody_averages upsweep-nbody "1;3"
  "${go} && launch ${small_crystal} ${run} --checkpoint c --checkpoint-every 35 && cmp_all && launch --restart \
c.previous ${run} && cmp_all && test $(wc -l < m) = 10 && test $(wc -l < g) = 201" 0 ""
)

# A restart that is asked for neither, nor for frames, keeps what the checkpoint has for the next one, and says so. Both
# averages have a sample at the first step, and go on at the next step that is due.
set(frames "--trajectory t.xyz --trajectory-every 10")
apps_shell_tests(
  nbody_averages_are_kept upsweep-nbody "1;3"
  "launch ${small_crystal} ${samples} ${frames} --steps 20 --checkpoint a && grep -q ' of 6 samples' g && \
test $(wc -l < m) = 4 && launch --restart a --steps 40 --checkpoint b > out && \
grep -q '^kept as a has them, with nothing added: --rdf, --msd, --trajectory$' out && \
launch --restart b ${run} ${frames} > out && ! grep -q kept out && grep -q ' of 12 samples' g && \
test $(wc -l < m) = 7 && test $(grep -c Lattice t.xyz) = 6" 0 ""
)

# A crystal at rest, with full and half lists: 12, 6, 24 and 12 neighbours within the cutoff. The first 12 are g(r)
# times the density of the 863 others.
foreach(half IN ITEMS "" "--half")
  apps_shell_test(
    nbody_rdf_of_crystal${half} upsweep-nbody
    "\"$0\" --lattice fcc --cells 6,6,6 --temperature 0 --steps 1 --rdf g --rdf-every 1 ${half} && tail -n 1 g | \
grep -q ' 54$' && test $(awk '\$2 > 0' g | grep -vc '#') = 4 && grep -q ' of 2 samples' g && awk '\$2 > 0 && \$1 > 0 \
{ w = 0.00625; s = 4 / 3 * 3.14159265358979 * ((\$1 + w) ^ 3 - (\$1 - w) ^ 3); \
d = \$2 * s * 863 / 864 * 0.8442 / 12 - 1; exit !(d * d < 1e-10) }' g" 0 ""
  )
endforeach()

# Free flight, more than once through the periodic box: 3 T t^2, less the share of the total momentum, which is 0.
apps_shell_test(
  nbody_msd_of_free_flight upsweep-nbody
  "\"$0\" --lattice fcc --cells 3,3,3 --density 0.0001 --temperature 10000 --dt 0.001 --steps 1000 --cutoff 0.05 \
--skin 2 --thermo 0 --msd m --msd-every 500 && test $(wc -l < m) = 4 && \
awk 'NR == 4 { d = \$3 / 30000 / (1 - 1 / 108) - 1; exit !(d * d < 1e-20) }' m" 0 ""
)

apps_shell_test(
  nbody_rdf_with_another_cutoff upsweep-nbody
  "\"$0\" ${small_crystal} ${run} --checkpoint c && \"$0\" --restart c ${run} --cutoff 2" 2
  "--rdf: the checkpoint's function reaches to 2.5 .expected the cutoff, 2"
)
nbody_refuses(plot_alone "--plot p.svg: expected --rdf or --msd" ${lattice} --plot p.svg)
nbody_refuses(rdf_every_alone "requires --rdf" ${lattice} --rdf-every 5)
nbody_refuses(rdf_is_msd "--msd x: is the same file as that of --rdf" ${lattice} --rdf x --msd x)
find_program(GNUPLOT gnuplot)
if(GNUPLOT)
  apps_shell_test(
    nbody_plot upsweep-nbody
    "\"$0\" ${small_crystal} ${run} --plot p.svg && grep -q '<svg' p.svg && grep -q 'g(r)' p.svg && \
grep -q squared p.svg"
    0 ""
  )
endif()
apps_shell_test(
  nbody_plot_without_gnuplot upsweep-nbody "PATH=/none; \"$0\" ${small_crystal} ${run} --plot p.svg" 2
  "--plot: gnuplot could not be started"
)
