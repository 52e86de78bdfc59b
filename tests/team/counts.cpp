// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What the algorithms really do, against the formulas of their sources.

#include "every_size.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/reduce.hpp>
#include <upsweep/team/sequential.hpp>
#include <upsweep/team/testing/counting.hpp>

#include <bit>
#include <cstdint>

namespace {

using namespace team_tests;
using upsweep::team::testing::counting;
using op_type = counting<upsweep::plus<long>>;

struct counts {
  std::uint64_t operations = 0, barriers = 0, reads = 0, writes = 0;
};

template <class Algorithm, class Body>
counts count(int size, Body const& body) {
  lockstep_team team;
  lockstep_array<long> scratch(team, slots<Algorithm, long>(size));
  counts got;
  op_type const op{{}, &got.operations};
  got.barriers =
      static_cast<std::uint64_t>(team.run(size, [&](lockstep_member const& m) { body(m, op, scratch.data()); }));
  got.reads = scratch.reads();
  got.writes = scratch.writes();
  return got;
}

template <class Algorithm>
counts inclusive(int size) {
  return count<Algorithm>(size, [](auto const& m, auto const& op, auto scratch) {
    long total = 0;
    Algorithm::inclusive_scan(m, 1, op, scratch, total);
  });
}
template <class Algorithm>
counts exclusive(int size) {
  return count<Algorithm>(size, [](auto const& m, auto const& op, auto scratch) {
    long total = 0;
    Algorithm::exclusive_scan(m, 1, op, scratch, total);
  });
}

std::uint64_t floor_log2(std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(n)) - 1; }
std::uint64_t ceil_log2(std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(n - 1)); }

std::vector<int> powers_of_two() { return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}; }
std::vector<int> any_sizes() {
  return {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 24, 31, 33, 63, 95, 96, 97, 100, 1000, 1023, 1024};
}

TEST(counts, sequential_does_n_minus_1) {
  for (int size : any_sizes()) {
    auto const got = inclusive<upsweep::team::sequential>(size);
    EXPECT_EQ(got.operations, static_cast<std::uint64_t>(size) - 1);
    EXPECT_EQ(got.barriers, size == 1 ? 0u : 3u);
  }
}

TEST(counts, kogge_stone_does_n_log_n) {
  for (int size : powers_of_two()) {
    auto const n = static_cast<std::uint64_t>(size), steps = floor_log2(n);
    for (auto const& got : {inclusive<upsweep::team::kogge_stone>(size), exclusive<upsweep::team::kogge_stone>(size)}) {
      EXPECT_EQ(got.operations, n * steps - (n - 1));
      EXPECT_EQ(got.barriers, 2 * steps + 2);
    }
    using double_buffered = upsweep::team::kogge_stone_double_buffered;
    for (auto const& got : {inclusive<double_buffered>(size), exclusive<double_buffered>(size)}) {
      EXPECT_EQ(got.operations, n * steps - (n - 1));
      EXPECT_EQ(got.barriers, steps + 2);
      EXPECT_EQ(got.writes, n * (steps + 1));
    }
  }
  for (int size : any_sizes()) {
    auto const steps = ceil_log2(static_cast<std::uint64_t>(size));
    EXPECT_EQ(inclusive<upsweep::team::kogge_stone>(size).barriers, 2 * steps + 2);
    EXPECT_EQ(inclusive<upsweep::team::kogge_stone_double_buffered>(size).barriers, steps + 2);
  }
}

TEST(counts, brent_kung_does_two_n) {
  for (int size : any_sizes()) {
    auto const n = static_cast<std::uint64_t>(size), levels = floor_log2(n);
    std::uint64_t const late = 2 * n >= 3 * (std::uint64_t(1) << levels) || n == 1;
    for (auto const& got : {inclusive<upsweep::team::brent_kung>(size), exclusive<upsweep::team::brent_kung>(size)}) {
      EXPECT_EQ(got.operations, 2 * n - static_cast<std::uint64_t>(std::popcount(n)) - levels - 1) << size;
      if (std::has_single_bit(n)) {
        EXPECT_EQ(got.operations, 2 * n - 2 - levels);
      }
      EXPECT_EQ(got.barriers, 2 * levels + 1 + late) << size;
    }
  }
}

TEST(counts, brent_kung_trees_of_other_degrees) {
  auto const check = []<int K>(std::integral_constant<int, K>) {
    std::uint64_t levels = 1;
    for (int size = K; size <= 1024; size *= K, ++levels) {
      auto const n = static_cast<std::uint64_t>(size);
      auto const got = inclusive<upsweep::team::brent_kung_k_ary<K>>(size);
      EXPECT_EQ(got.operations, 2 * (n - 1) - levels * (K - 1)) << K << "-ary, " << size;
      EXPECT_EQ(got.barriers, 2 * levels + 1) << K << "-ary, " << size;
    }
  };
  check(std::integral_constant<int, 2>{});
  check(std::integral_constant<int, 4>{});
  check(std::integral_constant<int, 10>{});
}

TEST(counts, brent_kung_out_of_place_reads_4n_and_writes_3n) {
  for (int size : any_sizes()) {
    if (size == 1) continue;
    auto const n = static_cast<std::uint64_t>(size);
    auto const got = exclusive<upsweep::team::brent_kung_out_of_place>(size);
    EXPECT_EQ(got.operations, 2 * n - 3) << size;
    EXPECT_EQ(got.barriers, 2 * ceil_log2(n) + 1) << size;
    if (!std::has_single_bit(n)) continue;
    EXPECT_EQ(got.reads, 4 * n - 6 + 2 * n);  // and everybody its result and the total
    EXPECT_EQ(got.writes, 3 * n - 3 + n);     // and everybody its value
    EXPECT_EQ((slots<upsweep::team::brent_kung_out_of_place, long>(size)), 2 * n - 1);
  }
}

TEST(counts, blelloch_does_2_n_minus_2) {
  for (int size : any_sizes()) {
    auto const n = static_cast<std::uint64_t>(size);
    auto const got = exclusive<upsweep::team::blelloch>(size);
    EXPECT_EQ(got.operations, 2 * (n - 1)) << size;
    EXPECT_EQ(got.barriers, size == 1 ? 3u : 2 * ceil_log2(n) + 2) << size;
    EXPECT_EQ(inclusive<upsweep::team::blelloch>(size).operations, 3 * n - 2) << size;
  }
}

TEST(counts, tree_reduction_does_n_minus_1) {
  for (int size : any_sizes()) {
    auto const n = static_cast<std::uint64_t>(size);
    auto const got = count<upsweep::team::tree_reduction>(size, [](auto const& m, auto const& op, auto scratch) {
      upsweep::team::tree_reduction::reduce(m, 1, op, scratch);
    });
    EXPECT_EQ(got.operations, n - 1);
    EXPECT_EQ(got.barriers, ceil_log2(n) + 2);
  }
}

TEST(counts, coarsened_does_two_n_and_the_inner_scan) {
  constexpr int items = 8;
  using algorithm = upsweep::team::coarsened<items, upsweep::team::kogge_stone>;
  for (int size : powers_of_two()) {
    auto const threads = static_cast<std::uint64_t>(size), n = items * threads, steps = floor_log2(threads);
    auto const got = count<algorithm>(size, [](auto const& m, auto const& op, auto scratch) {
      long values[items] = {1, 1, 1, 1, 1, 1, 1, 1}, prefix = 0;
      algorithm::inclusive_scan(m, values, op, scratch, prefix);
    });
    // Folds, the threads' prefixes and the carry, and the values behind them.
    EXPECT_EQ(got.operations, (n - threads) + (threads * steps - (threads - 1)) + 2 * threads + n);
    EXPECT_EQ(got.barriers, 2 * steps + 2);
  }
}

}  // namespace
