# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Shared by ./dev and the files beside this one. Exit code 2: the request or the machine does not allow it.

say() { printf 'dev: %s\n' "$*"; }
fail() {
  printf 'dev: %s\n' "$*" >&2
  exit 2
}

# Jobs that fit: one per core, and about 2 GB of memory each, which a Kokkos translation unit can need.
parallel_jobs() {
  local cores available_kb by_memory
  cores=$(nproc)
  available_kb=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  by_memory=$((${available_kb:-2097152} / 2097152))
  ((by_memory < 1)) && by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# The x86-64-v3 level contains FMA, on which the speed of the list arithmetic rests. No level above it: results never
# depend on the flag, and v3 runs on every machine of the last ten years.
machine_flags() {
  local flags needed
  flags=" $(sed -n '/^flags/{s/^flags[^:]*: //p;q}' /proc/cpuinfo) "
  for needed in avx avx2 bmi1 bmi2 f16c fma abm movbe xsave; do
    [[ $flags == *" $needed "* ]] || return 0
  done
  echo -march=x86-64-v3
}
