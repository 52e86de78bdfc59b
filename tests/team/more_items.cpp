// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// More values than threads, segments and reductions.

#include "every_size.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/base/segmented.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/reduce.hpp>

#include <random>

namespace {

using namespace team_tests;
using upsweep::team::coarsened;
using upsweep::team::tree_reduction;

oracle::run before(int i) { return i == 0 ? oracle::run{0, 0} : oracle::run{0, i}; }

// Puts n runs into scratch by `size` threads, calls scan(m, data) and returns all slots.
template <class Scan>
std::vector<oracle::run> scan_array(lockstep_team& team, int size, int n, int slots, Scan const& scan) {
  lockstep_array<oracle::run> data(team, static_cast<std::size_t>(slots));
  std::vector<oracle::run> got(static_cast<std::size_t>(slots));
  team.run(size, [&](lockstep_member const& m) {
    for (int i = m.team_rank(); i < n; i += size) data.data()[i] = oracle::run{i, i + 1};
    scan(m, data.data());
    if (m.team_rank() == 0)
      for (int i = 0; i < slots; ++i) got[static_cast<std::size_t>(i)] = data.data()[i];
  });
  return got;
}

template <class Algorithm>
void expect_inclusive_arrays(std::vector<int> const& team_sizes) {
  lockstep_team team(7);
  for (int size : team_sizes)
    for (int n = 1; n <= 130; ++n) {
      auto const got = scan_array(team, size, n, n, [n](auto const& m, auto data) {
        Algorithm::inclusive_scan_array(m, n, oracle::adjacent_only{}, data);
      });
      for (int i = 0; i < n; ++i)
        ASSERT_TRUE(got[static_cast<std::size_t>(i)] == before(i + 1)) << size << " threads, " << n << " values, " << i;
    }
}

TEST(arrays, inclusive_by_any_number_of_threads) {
  expect_inclusive_arrays<brent_kung>({1, 2, 3, 32, 65, 200});
  expect_inclusive_arrays<brent_kung_k_ary<4>>({1, 3, 32, 200});
  expect_inclusive_arrays<brent_kung_k_ary<5>>({1, 3, 32, 200});
}

TEST(arrays, exclusive_by_any_number_of_threads) {
  lockstep_team team(8);
  for (int size : {1, 2, 3, 32, 65, 200})
    for (int n = 1; n <= 130; ++n) {
      auto const swept = scan_array(team, size, n, n + 1, [n](auto const& m, auto data) {
        blelloch::exclusive_scan_array(m, n, oracle::adjacent_only{}, data);
      });
      int const slots = brent_kung_out_of_place::tree_size(n);
      auto const tree = scan_array(team, size, n, slots, [n](auto const& m, auto data) {
        brent_kung_out_of_place::exclusive_scan_array(m, n, oracle::adjacent_only{}, data);
      });
      for (int i = 0; i < n; ++i) {
        auto const at = static_cast<std::size_t>(i);
        ASSERT_TRUE(swept[at] == before(i)) << size << " threads, " << n << " values, " << i;
        if (n > 1) {
          ASSERT_TRUE(tree[at] == before(i)) << size << " threads, " << n << " values, " << i;
        }
      }
      ASSERT_TRUE(swept.back() == before(n));
      ASSERT_TRUE(tree.back() == before(n));
    }
}

template <int Items, class Inner>
void expect_coarsened() {
  lockstep_team team(9);
  oracle::matrix_product const op;
  oracle::matrix const prefix = op.lift(12345);
  for (int size : {1, 2, 3, 7, 32, 33, 255}) {
    lockstep_array<oracle::matrix> scratch(team, slots<Inner, oracle::matrix>(size));
    std::vector<oracle::matrix> inclusive(static_cast<std::size_t>(size * Items)), exclusive = inclusive;
    std::vector<oracle::matrix> after(static_cast<std::size_t>(size));
    team.run(size, [&](lockstep_member const& m) {
      int const r = m.team_rank();
      oracle::matrix a[Items], b[Items], carry_a = prefix, carry_b = prefix;
      for (int k = 0; k < Items; ++k) a[k] = b[k] = op.lift(r * Items + k);
      coarsened<Items, Inner>::inclusive_scan(m, a, op, scratch.data(), carry_a);
      coarsened<Items, Inner>::exclusive_scan(m, b, op, scratch.data(), carry_b);
      for (int k = 0; k < Items; ++k) {
        inclusive[static_cast<std::size_t>(r * Items + k)] = a[k];
        exclusive[static_cast<std::size_t>(r * Items + k)] = b[k];
      }
      EXPECT_TRUE(carry_a == carry_b);
      after[static_cast<std::size_t>(r)] = carry_a;
    });
    auto running = prefix;
    for (int i = 0; i < size * Items; ++i) {
      ASSERT_TRUE(exclusive[static_cast<std::size_t>(i)] == running) << size << " threads, item " << i;
      running = op(running, op.lift(i));
      ASSERT_TRUE(inclusive[static_cast<std::size_t>(i)] == running) << size << " threads, item " << i;
    }
    for (auto const& value : after) ASSERT_TRUE(value == running);
  }
}

TEST(coarsened_over, every_inner_kind) {
  expect_coarsened<1, upsweep::team::kogge_stone>();
  expect_coarsened<7, upsweep::team::kogge_stone>();
  expect_coarsened<3, brent_kung>();
  expect_coarsened<4, blelloch>();
  expect_coarsened<2, brent_kung_out_of_place>();
}

TEST(reduce, tree_keeps_the_order_at_every_team_size) {
  lockstep_team team(10);
  for (int size = 1; size <= 1024; ++size) {
    lockstep_array<oracle::run> scratch(team, slots<tree_reduction, oracle::run>(size));
    int legal = 0;
    team.run(size, [&](lockstep_member const& m) {
      int const r = m.team_rank();
      legal +=
          tree_reduction::reduce(m, oracle::run{r, r + 1}, oracle::adjacent_only{}, scratch.data()) == before(size);
    });
    ASSERT_EQ(legal, size);
  }
}

TEST(reduce, trace_of_the_article) {
  lockstep_team team;
  lockstep_array<int> scratch(team, 8);
  int const values[] = {2, 4, 6, 8, 1, 3, 5, 7};
  team.run(8, [&](lockstep_member const& m) {
    EXPECT_EQ(tree_reduction::reduce(m, values[m.team_rank()], upsweep::plus<int>{}, scratch.data()), 36);
  });
}

// Any team scan of {value, head} by segmented<> is a segmented scan.
template <class Inner>
void expect_segments() {
  std::mt19937_64 engine(11);
  lockstep_team team(11);
  using state = upsweep::segmented_value<oracle::run>;
  for (int size = 1; size <= 1024; size += size < 70 ? 1 : 53) {
    std::vector<bool> heads;
    for (int r = 0; r < size; ++r) heads.push_back(engine() % (size % 3 == 0 ? 2 : 20) == 0);
    lockstep_array<state> scratch(team, slots<Inner, state>(size));
    std::vector<oracle::run> inclusive(static_cast<std::size_t>(size)), exclusive = inclusive;
    std::vector<state> totals(static_cast<std::size_t>(size));
    team.run(size, [&](lockstep_member const& m) {
      auto const r = static_cast<std::size_t>(m.team_rank());
      oracle::run const mine{m.team_rank(), m.team_rank() + 1};
      upsweep::segmented<oracle::adjacent_only> const op{};
      state const own{mine, heads[r]};
      inclusive[r] = Inner::inclusive_scan(m, own, op, scratch.data(), totals[r]).value;
      exclusive[r] = op.exclusive_value(Inner::exclusive_scan(m, own, op, scratch.data(), totals[r]), own.head);
    });
    int first = 0;
    bool any = false;
    for (int i = 0; i < size; ++i) {
      auto const at = static_cast<std::size_t>(i);
      if (heads[at]) first = i;
      any = any || heads[at];
      ASSERT_TRUE(inclusive[at] == (oracle::run{first, i + 1})) << size << " threads, rank " << i;
      ASSERT_TRUE(exclusive[at] == (first == i ? oracle::run{0, 0} : oracle::run{first, i}))
          << size << " threads, rank " << i;
    }
    for (auto const& total : totals) ASSERT_TRUE(total == (state{{first, size}, any}));
  }
}

TEST(segmented, starts_anew_at_every_head) {
  expect_segments<upsweep::team::kogge_stone>();
  expect_segments<brent_kung>();
  expect_segments<blelloch>();
}

}  // namespace
