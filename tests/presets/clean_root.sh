#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
# clean_root.sh <source folder> <work folder>: README's table of requirements is enough for the presets. Makes a Debian
# sid of a compiler and the packages that the table names for the preset `library`, where it is built, installed and used;
# then one of all packages, where `openmp` builds upsweep-nbody, which runs. Takes ten minutes on two cores and 3 GB.
# Exit code 77: no such root can be made here.
set -u

source_dir=$(realpath "$1")
mkdir -p "$2" || exit 1
work=$(realpath "$2")
# shellcheck disable=SC2034  # for the files below
build_dir=$work/none
# shellcheck source=tools/dev/common.sh
. "$source_dir/tools/dev/common.sh"
# shellcheck source=tools/dev/environment.sh
. "$source_dir/tools/dev/environment.sh"
cache=$work

skip() {
  echo "skipped: $*"
  exit 77
}

packages_for() { python3 "$source_dir/tests/presets/check_requirements.py" "$source_dir" --packages "$@" | paste -s -d ,; }

make_root() {
  remove_tree "$work/root"
  remove_tree "$work/built"
  mkdir -p "$work/root" "$work/built"
  # Debian's Kokkos lacks two archives that its CMake files name.
  sed -n '/^complete_kokkos() {/,/^}/p; $acomplete_kokkos' "$source_dir/tools/debian/setup_root.sh" >"$work/complete.sh"
  run_mmdebstrap --include="$1" --customize-hook='mkdir "$1/upsweep" "$1/built"' \
    --customize-hook="cp '$work/complete.sh' \"\$1/root/\" && chroot \"\$1\" sh /root/complete.sh" \
    --customize-hook='umount -l "$1/dev" "$1/proc"' sid "$work/root" "$mirror" >"$work/log" 2>&1 || {
    tail -n 12 "$work/log"
    echo "no root of these packages: $1"
    exit 1
  }
}

# A command in the root: the project is read-only there, and things are built in /built.
inside() {
  bwrap --bind "$work/root" / --dev /dev --proc /proc --ro-bind /sys /sys --tmpfs /tmp --ro-bind "$source_dir" /upsweep \
    --bind "$work/built" /built --die-with-parent --chdir /upsweep --clearenv --setenv PATH /usr/bin:/bin \
    --setenv OMP_PROC_BIND false -- "$@" || {
    echo "failed in the clean root: $*"
    exit 1
  }
}

((EUID == 0)) || skip "made by root only"
helpers_present || skip "mmdebstrap or bwrap is missing"
mirror=$(find_mirror) || skip "no package source of this machine answers with Debian sid"
jobs=$(parallel_jobs)

make_root "g++,$(packages_for Upsweep_ENABLE_MPI)"
inside cmake --preset library -B /built/library
inside cmake --build /built/library --parallel "$jobs"
inside cmake --install /built/library --prefix /built/installed
inside cmake -S tests/install/consumer -B /built/consumer -G Ninja -DUpsweep_ROOT=/built/installed -DWITH_IO=OFF -DWITH_MPI=ON
inside cmake --build /built/consumer --parallel "$jobs"
inside /built/consumer/consumer
inside mpiexec -n 2 /built/consumer/consumer_mpi

all=$(packages_for Upsweep_ENABLE_MPI Upsweep_BUILD_IO Upsweep_BUILD_APPS Upsweep_BUILD_PERF Upsweep_BUILD_TESTS)
make_root "g++,$all"
inside cmake --preset package -B /built/package
inside cmake --preset openmp -B /built/openmp
inside cmake --build /built/openmp --parallel "$jobs" --target upsweep-nbody
inside mpiexec -n 2 /built/openmp/bin/upsweep-nbody --lattice fcc --cells 5,5,5 --temperature 1.44 --steps 20
remove_tree "$work"
