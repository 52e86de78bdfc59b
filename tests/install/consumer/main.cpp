// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/upsweep.hpp>
#include <upsweep/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  int const numbers[] = {4, 3, 7, 9, 2, 3};
  Kokkos::View<int*> in("in", 6);
  Kokkos::View<int*> out("out", 6);
  auto const host_in = Kokkos::create_mirror_view(in);
  for (int i = 0; i < 6; ++i) host_in(i) = numbers[i];
  Kokkos::deep_copy(in, host_in);

  Kokkos::DefaultExecutionSpace const space;
  upsweep::exclusive_scan(space, in, out);

  auto const host_out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  std::printf("Upsweep %s:", upsweep::library_version_string());
  for (int i = 0; i < 6; ++i) std::printf(" %d", host_out(i));
  std::printf("\n");
  return upsweep::library_version() == UPSWEEP_VERSION ? 0 : 1;
}
