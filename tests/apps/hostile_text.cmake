# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# What a program says of options, names and contents of files and variables has no control character but its line end:
# ESC [ and BEL would reach the terminal. The bracket is in octal, since lists of CMake do not end within one.
set(make_escape "e=$(printf '\\033\\1332J\\007')")
set(shown "[?][[]2J[?]")
# <program>|<its options, with $e in them>|<regex of the message behind the program's name>
foreach(
  row IN
  ITEMS
    "nbody|--input $e.data|${shown}.data: No such file"
    "nbody|--lattice $e --cells 6,6,6|--lattice ${shown}: expected fcc"
    "nbody|--$e|--${shown}: expected an option of upsweep-nbody"
    "nbody|${crystal} --kokkos-num-threads=$e|--kokkos-num-threads=${shown}: expected"
    "nbody|${crystal} --checkpoint $e/a|${shown}/a: cannot be written"
    "nbody|${crystal} --report $e/a|${shown}/a: cannot be written"
    "nbody|--config $e|${shown}: expected a file"
    "clusters|--input $e.npy --linking-length 1|${shown}.npy: No such file"
    "surface|--field $e.npy --iso 1 --output o.ply|${shown}.npy: No such file"
    "interpolate|--input $e.npy --values v --grid 2,2 --radius 1 --output f|${shown}.npy: No such file"
    "study|--sizes $e|${shown}"
)
  string(REGEX MATCH "^([^|]+)[|]([^|]+)[|](.+)$" row "${row}")
  set(program upsweep-${CMAKE_MATCH_1})
  set(arguments "${CMAKE_MATCH_2}")
  set(message "${CMAKE_MATCH_3}")
  string(MD5 name "${row}")
  string(SUBSTRING "${name}" 0 4 name)
  if(TARGET ${program})
    apps_shell_test(
      hostile_${CMAKE_MATCH_1}_${name} ${program} "${make_escape} && \"$0\" ${arguments} > o" 2
      "^${program}: [ -~]*${message}[ -~]*\n$"
    )
  endif()
endforeach()

apps_shell_test(
  hostile_variable upsweep-nbody "${make_escape} && KOKKOS_NUM_THREADS=$e \"$0\" ${crystal} > o" 2
  "^upsweep-nbody: environment variable KOKKOS_NUM_THREADS=${shown}: [ -~]*\n$"
)
apps_shell_test(
  hostile_transport upsweep-nbody "${make_escape} && UPSWEEP_TRANSPORT=$e \"$0\" ${crystal} > o" 2
  "^upsweep-nbody: [ -~]*UPSWEEP_TRANSPORT is \"${shown}\"[ -~]*\n$"
)
foreach(line IN ITEMS "dt = \\\"$e\\\"|--dt ${shown}: expected" "$e = 5|${shown}")
  string(REGEX MATCH "^([^|]+)[|](.+)$" row "${line}")
  string(MD5 name "${line}")
  string(SUBSTRING "${name}" 0 4 name)
  apps_shell_test(
    hostile_config_${name} upsweep-nbody
    "${make_escape} && echo \"${CMAKE_MATCH_1}\" > c.toml && \"$0\" ${crystal} --config c.toml > o" 2
    "^upsweep-nbody: [ -~]*${CMAKE_MATCH_2}[ -~]*\n$"
  )
endforeach()
# The name of a good file, and what of it is not used, are in the table. (No bracket here either.)
apps_shell_test(
  hostile_table upsweep-nbody
  "${make_escape} && \
printf '1\\nLattice=\"9 0 0 0 9 0 0 0 9\" a%s=3 Properties=pos:R:3\\n1 2 3\\n' \"$e\" > \"$e.xyz\" && \
\"$0\" --input \"$e.xyz\" --steps 0 > o && grep -q 'not used of ?.2J?.xyz: a?.2J?$' o" 0 "^$"
)
