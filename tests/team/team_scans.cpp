// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"
#include "threads.hpp"

#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/kogge_stone.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using upsweep::team::coarsened;
using upsweep::team::kogge_stone;

int const team_sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33};

TEST(kogge_stone, traces_of_the_sources) {
  std::vector<int> const in{3, 1, 7, 0, 4, 1, 6, 3}, inclusive{3, 4, 11, 11, 15, 16, 22, 25},
      exclusive{0, 3, 4, 11, 11, 15, 16, 22};
  std::vector<int> scratch(8), got_inclusive(8), got_exclusive(8), totals(8);
  oracle::run_team(8, [&](oracle::thread_member const& m) {
    int const r = m.team_rank();
    got_inclusive[r] = kogge_stone::inclusive_scan(m, in[r], upsweep::plus<int>{}, scratch.data(), totals[r]);
    got_exclusive[r] = kogge_stone::exclusive_scan(m, in[r], upsweep::plus<int>{}, scratch.data(), totals[r]);
  });
  EXPECT_EQ(got_inclusive, inclusive);
  EXPECT_EQ(got_exclusive, exclusive);
  EXPECT_EQ(totals, std::vector<int>(8, 25));
}

TEST(kogge_stone, only_adjacent_operands_in_order) {
  for (int size : team_sizes) {
    std::vector<oracle::run> scratch(size), inclusive(size), exclusive(size), total(size);
    oracle::run_team(size, [&](oracle::thread_member const& m) {
      int const r = m.team_rank();
      oracle::run const mine{r, r + 1};
      inclusive[r] = kogge_stone::inclusive_scan(m, mine, oracle::adjacent_only{}, scratch.data(), total[r]);
      exclusive[r] = kogge_stone::exclusive_scan(m, mine, oracle::adjacent_only{}, scratch.data(), total[r]);
    });
    for (int r = 0; r < size; ++r) {
      EXPECT_EQ(inclusive[r], (oracle::run{0, r + 1})) << size << " threads, rank " << r;
      EXPECT_EQ(exclusive[r], (r == 0 ? oracle::run{0, 0} : oracle::run{0, r})) << size << " threads, rank " << r;
      EXPECT_EQ(total[r], (oracle::run{0, size}));
    }
  }
}

TEST(coarsened, matrices_behind_a_prefix) {
  constexpr int items = 3;
  oracle::matrix_product const op;
  for (int size : team_sizes) {
    std::vector<oracle::matrix> scratch(size), inclusive(size * items), exclusive(size * items), after(size);
    oracle::matrix const prefix = op.lift(12345);
    oracle::run_team(size, [&](oracle::thread_member const& m) {
      int const r = m.team_rank();
      oracle::matrix a[items], b[items], carry_a = prefix, carry_b = prefix;
      for (int k = 0; k < items; ++k) a[k] = b[k] = op.lift(r * items + k);
      coarsened<items>::inclusive_scan(m, a, op, scratch.data(), carry_a);
      coarsened<items>::exclusive_scan(m, b, op, scratch.data(), carry_b);
      for (int k = 0; k < items; ++k) {
        inclusive[r * items + k] = a[k];
        exclusive[r * items + k] = b[k];
      }
      after[r] = carry_a == carry_b ? carry_a : oracle::matrix{0, 0, 0, 0};
    });
    oracle::matrix running = prefix;
    for (int i = 0; i < size * items; ++i) {
      ASSERT_EQ(exclusive[i], running) << size << " threads, item " << i;
      running = op(running, op.lift(i));
      ASSERT_EQ(inclusive[i], running) << size << " threads, item " << i;
    }
    for (int r = 0; r < size; ++r) EXPECT_EQ(after[r], running);
  }
}

// Inside a user's own TeamPolicy kernel, with scratch of the size that the query gives.
struct team_kernel {
  using member = Kokkos::TeamPolicy<oracle::space>::member_type;
  Kokkos::View<int*, oracle::memory> in, out, totals;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    int const i = m.league_rank() * m.team_size() + m.team_rank();
    auto* const scratch =
        static_cast<int*>(m.team_scratch(0).get_shmem(kogge_stone::scratch_bytes<int>(m.team_size())));
    int total = 0;
    out(i) = kogge_stone::exclusive_scan(m, in(i), upsweep::plus<int>{}, scratch, total);
    totals(i) = total;
  }
};

TEST(kogge_stone, in_a_team_policy_kernel) {
  using policy = Kokkos::TeamPolicy<oracle::space>;
  int const leagues = 5;
  Kokkos::View<int*, oracle::memory> const none;
  int const largest = policy(leagues, 1)
                          .set_scratch_size(0, Kokkos::PerTeam(8192))
                          .team_size_max(team_kernel{none, none, none}, Kokkos::ParallelForTag());
  for (int size : {1, 2, 3, 32, 100, 256, 1024}) {
    if (size > largest) break;
    auto const values = oracle::random_values<int>(leagues * size, 0, 9);
    auto const in = oracle::to_device(values);
    Kokkos::View<int*, oracle::memory> const out("out", values.size()), totals("totals", values.size());
    Kokkos::parallel_for(
        policy(leagues, size)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kogge_stone::scratch_bytes<int>(size) + 16))),
        team_kernel{in, out, totals});
    auto const got = oracle::to_host(out), got_totals = oracle::to_host(totals);
    for (int l = 0; l < leagues; ++l) {
      int sum = 0;
      for (int r = 0; r < size; ++r) {
        EXPECT_EQ(got[l * size + r], sum) << size << " threads, team " << l << ", rank " << r;
        sum += values[l * size + r];
      }
      EXPECT_EQ(got_totals[l * size], sum);
    }
  }
}

}  // namespace
