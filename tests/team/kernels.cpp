// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The algorithms inside a user's own TeamPolicy kernel, with scratch of the size that the query gives.

#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/shuffle.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

template <class Algorithm>
struct kernel {
  using member = Kokkos::TeamPolicy<oracle::space>::member_type;
  using T = oracle::matrix;
  Kokkos::View<T*, oracle::memory> in, inclusive, exclusive, totals;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    int const i = m.league_rank() * m.team_size() + m.team_rank();
    std::size_t const bytes = Algorithm::template scratch_bytes<T>(m.team_size());
    auto* const scratch = static_cast<T*>(m.team_scratch(0).get_shmem_aligned(bytes, alignof(T)));
    oracle::matrix_product const op;
    T total = op.identity();
    inclusive(i) = Algorithm::inclusive_scan(m, in(i), op, scratch, total);
    exclusive(i) = Algorithm::exclusive_scan(m, in(i), op, scratch, total);
    totals(i) = total;
  }
};

template <class Algorithm>
struct team_kernel : testing::Test {};
using algorithms = testing::Types<upsweep::team::shuffle, upsweep::team::brent_kung,
                                  upsweep::team::brent_kung_out_of_place, upsweep::team::brent_kung_k_ary<4>,
                                  upsweep::team::blelloch, upsweep::team::kogge_stone_double_buffered>;
struct names {
  template <class Algorithm>
  static std::string GetName(int i) {
    char const* const all[] = {"shuffle",          "brent_kung", "brent_kung_out_of_place",
                               "brent_kung_4_ary", "blelloch",   "kogge_stone_double_buffered"};
    return all[i];
  }
};
TYPED_TEST_SUITE(team_kernel, algorithms, names);

template <class Algorithm>
void expect_matrices(int size, int vector_length) {
  using policy = Kokkos::TeamPolicy<oracle::space>;
  using view = Kokkos::View<oracle::matrix*, oracle::memory>;
  int const leagues = 3;
  oracle::matrix_product const op;
  std::vector<oracle::matrix> values;
  for (int i = 0; i < leagues * size; ++i) values.push_back(op.lift(i));
  std::size_t const bytes = Algorithm::template scratch_bytes<oracle::matrix>(size) + 16;
  view const inclusive("inclusive", values.size()), exclusive("exclusive", values.size()),
      totals("totals", values.size());
  kernel<Algorithm> const run{oracle::to_device(values), inclusive, exclusive, totals};
  auto const plain = policy(leagues, 1, vector_length).set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
  if (size > plain.team_size_max(run, Kokkos::ParallelForTag())) return;
  Kokkos::parallel_for(
      policy(leagues, size, vector_length).set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes))), run);
  auto const got_inclusive = oracle::to_host(inclusive), got_exclusive = oracle::to_host(exclusive),
             got_totals = oracle::to_host(totals);
  for (int l = 0; l < leagues; ++l) {
    auto running = op.identity();
    for (int r = 0; r < size; ++r) {
      auto const i = static_cast<std::size_t>(l * size + r);
      ASSERT_TRUE(got_exclusive[i] == running) << size << " threads, team " << l << ", rank " << r;
      running = op(running, values[i]);
      ASSERT_TRUE(got_inclusive[i] == running) << size << " threads, team " << l << ", rank " << r;
    }
    for (int r = 0; r < size; ++r) ASSERT_TRUE(got_totals[static_cast<std::size_t>(l * size + r)] == running);
  }
}

TYPED_TEST(team_kernel, matrices) {
  for (int size : {1, 2, 3, 4, 31, 32, 33, 64, 100, 256, 641, 1024}) expect_matrices<TypeParam>(size, 1);
}

// All vector lanes of a thread call the algorithm alike, as in Kokkos' team-level code. Only these algorithms allow it.
TEST(team_kernel_with_vector_lanes, matrices) {
  for (int size : {1, 2, 7, 8, 9, 33, 100, 256}) {
    expect_matrices<upsweep::team::shuffle>(size, 4);
    expect_matrices<upsweep::team::kogge_stone>(size, 4);
    expect_matrices<upsweep::team::kogge_stone_double_buffered>(size, 4);
  }
}

}  // namespace
