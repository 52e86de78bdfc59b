// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi.hpp>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    Kokkos::ScopeGuard const guard(argc, argv);
    Kokkos::View<int*> in("in", 3);
    Kokkos::View<int*> out("out", 3);
    Kokkos::deep_copy(in, 2);

    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
    upsweep::mpi::exclusive_scan(comm, Kokkos::DefaultExecutionSpace(), in, out);

    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    for (int i = 0; i < 3; ++i) wrong += result(i) != 2 * (3 * rank + i);
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
