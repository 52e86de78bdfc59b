// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

// Values of very different sizes, so that a plain sum changes with every change of association.
double value_at(std::size_t i) {
  double const scales[] = {1.0, 1e-12, 1e9, 1e-3, -1e9, 1e5};
  return scales[i % 6] / static_cast<double>(3 + i % 1009);
}

// Every rank scans everything alone, and all scan it together, each its piece: the same bits, whatever the
// number of ranks.
TEST(reproducible, same_bits_on_any_number_of_ranks) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  std::size_t const n = 100003;
  space_type const space;
  std::vector<double> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = value_at(i);
  auto const whole = to_view(all);
  Kokkos::View<double*, memory_space> const expected("expected", n);
  upsweep::exclusive_scan(space, whole, expected, upsweep::reproducible_plus<double>{});
  auto const host_expected = to_vector(expected);

  // Pieces of uneven sizes; rank 1, where there is one, has nothing.
  auto const begin_of = [&](int rank) {
    if (comm.size() > 1 && rank == 1) return n / static_cast<std::size_t>(comm.size());
    return rank == 2 ? n / static_cast<std::size_t>(comm.size())
                     : n * static_cast<std::size_t>(rank) / static_cast<std::size_t>(comm.size());
  };
  std::size_t const begin = begin_of(comm.rank()), end = comm.rank() + 1 == comm.size() ? n : begin_of(comm.rank() + 1);
  std::vector<double> const mine(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                 all.begin() + static_cast<std::ptrdiff_t>(end));
  auto const local = to_view(mine);
  Kokkos::View<double*, memory_space> const out("out", mine.size());
  mpi::exclusive_scan(comm, space, local, out, upsweep::reproducible_plus<double>{});
  auto const got = to_vector(out);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], host_expected[begin + i]) << begin + i;
}

}  // namespace
