#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Runs once inside a new root: setup_root.sh <package mirror>
# Makes Debian's Kokkos usable, makes MPICH the MPI that is found, adds Kokkos Kernels, and notes the versions in
# /etc/upsweep-versions.
set -eu
mirror=$1

# Debian's Kokkos CMake files list two archives that its packages leave out. Both hold nothing (the two libraries are all
# headers), so empty archives complete the package.
complete_kokkos() {
  sed -n 's/.*"${_IMPORT_PREFIX}\(\/[^"]*\.a\)".*/\1/p' /usr/lib/*/cmake/Kokkos/KokkosTargets-*.cmake | sort -u |
    while read -r archive; do
      if [ ! -e "/usr$archive" ] && [ ! -e "$archive" ]; then ar cr "/usr${archive#/usr}"; fi
    done
}

# Beside MPICH there is Open MPI, for one test that asks for it by name. Debian prefers it.
prefer_mpich() {
  update-alternatives --set mpi /usr/bin/mpicc.mpich
  update-alternatives --set mpirun /usr/bin/mpirun.mpich
  for headers in /usr/include/*/mpich; do
    update-alternatives --set "mpi-$(basename "$(dirname "$headers")")" "$headers"
  done
}

# Kokkos Kernels exists as part of Debian's Trilinos, which is built against a Kokkos of its own. Its headers are independent
# of that: unpacked (not installed) into a prefix, told to use no third-party library and no pre-compiled kernel, they
# compile against libkokkos-dev.
download_kokkoskernels() {
  list=/etc/apt/sources.list.d/upsweep-experimental.list
  echo "deb $mirror experimental main" >"$list"
  apt-get -q -o Acquire::Check-Valid-Until=false -o Acquire::Check-Date=false update
  (cd "$1" && apt-get -q download libtrilinos-kokkos-kernels-dev/experimental) || result=1
  rm -f "$list"
  return "${result:-0}"
}

install_kokkoskernels() {
  prefix=/opt/kokkoskernels
  work=$(mktemp -d)
  if ! download_kokkoskernels "$work"; then
    echo "no Kokkos Kernels: $mirror has no libtrilinos-kokkos-kernels-dev in its experimental suite" >&2
    return 0
  fi
  dpkg -x "$work"/libtrilinos-kokkos-kernels-dev_*.deb "$work/deb"
  mkdir -p "$prefix/include" "$prefix/lib/cmake/KokkosKernels"
  cp -r "$work/deb/usr/include/trilinos/." "$prefix/include/"
  rm -rf "$work"

  config="$prefix/include/KokkosKernels_config.h"
  sed -i -e 's|^#define \(KOKKOSKERNELS_INST_[A-Z0-9_]*\).*|/* #undef \1 */|' \
    -e 's|^#define \(KOKKOSKERNELS_ENABLE_TPL_[A-Z0-9_]*\).*|/* #undef \1 */|' \
    -e 's|^#define KOKKOSKERNELS_TEST_ETI_ONLY.*|/* #undef KOKKOSKERNELS_TEST_ETI_ONLY */|' \
    -e 's|^#define KOKKOSLINALG_OPT_LEVEL.*|#define KOKKOSLINALG_OPT_LEVEL 1|' "$config"
  for header in "$prefix"/include/generated_specializations_hpp/*; do : >"$header"; done

  version=$(for part in MAJOR MINOR PATCH; do sed -n "s/^#define KOKKOSKERNELS_VERSION_$part //p" "$config"; done |
    paste -s -d .)
  cat >"$prefix/lib/cmake/KokkosKernels/KokkosKernelsConfig.cmake" <<'END'
include(CMakeFindDependencyMacro)
find_dependency(Kokkos)
if(NOT TARGET Kokkos::kokkoskernels)
  get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(Kokkos::kokkoskernels INTERFACE IMPORTED)
  target_include_directories(Kokkos::kokkoskernels SYSTEM INTERFACE "${_prefix}/include")
  target_link_libraries(Kokkos::kokkoskernels INTERFACE Kokkos::kokkos)
  unset(_prefix)
endif()
END
  cat >"$prefix/lib/cmake/KokkosKernels/KokkosKernelsConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
  echo "kokkoskernels $version" >>/etc/upsweep-versions
}

note_versions() {
  dpkg-query -W -f '${Package} ${Version}\n' g++ cmake libkokkos-dev mpich openmpi-bin libgtest-dev >/etc/upsweep-versions
}

note_versions
complete_kokkos
prefer_mpich
install_kokkoskernels
