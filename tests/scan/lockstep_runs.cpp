// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Runs of equal elements, found by the selection of GPUs on a CPU.

#include "lockstep_selection.hpp"

#include <upsweep/scan/detail/tiles/run_rows.hpp>

namespace {

using namespace selections;

template <class Configuration>
struct lockstep_runs : testing::Test {};
TYPED_TEST_SUITE(lockstep_runs, configurations);

/// Compares what find(problem) passes on with what a loop finds.
template <class Configuration, class Find>
void check(Find const& find) {
  using T = record<Configuration::bytes>;
  auto around_tiles = sizes<Configuration>();
  around_tiles.push_back(Configuration::lanes::size * Configuration::tile + 9);
  for_patterns(around_tiles, [&](std::size_t n, pattern which) {
    std::vector<T> in(n), values(n), first;
    std::vector<std::size_t> lengths(n), expected;
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = record_at<Configuration::bytes>(i);
      if (i == 0 || is_chosen(which, i, n)) {
        first.push_back(in[i]);
        expected.push_back(0);
      }
      ++expected.back();
    }
    std::vector<int> calls(n), begun(n), ended(n);
    std::vector<std::uint64_t> counts(2);
    int wrong = 0;
    run_outputs<T, std::size_t> const out{{values.data(), begun.data()}, {lengths.data(), ended.data()}, counts.data()};
    using problem = selection_problem<contiguous_sequence<T const>, counting_starts<T>, run_outputs<T, std::size_t>>;
    find(problem{{in.data()}, {{which, n, calls.data(), &wrong}}, out, n, {}});
    std::size_t const runs = expected.size();
    ASSERT_EQ(counts, (std::vector<std::uint64_t>{runs, 1}));
    ASSERT_EQ(wrong, 0);
    std::vector<int> once(n, 1);
    once[0] = 0;
    ASSERT_EQ(calls, once);
    values.resize(runs);
    lengths.resize(runs);
    ASSERT_EQ(values, first);
    ASSERT_EQ(lengths, expected);
    for (std::size_t r = 0; r < n; ++r) {
      ASSERT_EQ(begun[r], r < runs ? 1 : 0) << r;
      ASSERT_EQ(ended[r], r < runs ? 1 : 0) << r;
    }
  });
}

TYPED_TEST(lockstep_runs, around_tiles) {
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 3);
  check<TypeParam>([&](auto const& problem) { machine.find_runs(problem); });
}

// What the pipelined kernel does with a tile, warp after warp.
TYPED_TEST(lockstep_runs, rows_of_warps) {
  using lanes = typename TypeParam::lanes;
  using shape = typename TypeParam::shape;
  using T = record<TypeParam::bytes>;
  lockstep_league league(1 << 15, 3);
  check<TypeParam>([&]<class Problem>(Problem const& problem) {
    using runs = run_rows<Problem, shape::warps, shape::bytes_per_thread, lanes>;
    std::size_t const n = problem.n;
    league.run(1, lanes::size, [&](lockstep_league_member const& m) {
      int const lane = m.team_rank();
      run_starts_state left{0, 0};
      for (std::size_t begin = 0; begin < n; begin += runs::size) {
        bool const whole = begin + runs::size <= n;
        int const there = whole ? runs::size : static_cast<int>(n - begin);
        for (int warp = 0; warp < shape::warps; ++warp) {
          auto const take = [&](int r, T& before, T& own) {
            auto const index = static_cast<std::size_t>((warp * runs::rows + r) * lanes::size + lane);
            std::size_t const i = std::min(begin + index, n - 1);
            before = problem.in.load(i > 0 ? i - 1 : 0);
            own = problem.in.load(i);
          };
          auto const at = [&](int index) { return problem.in.load(begin + static_cast<std::size_t>(index)); };
          runs mine;
          run_starts_state const sum = whole ? mine.template choose<true>(problem, begin, there, warp, lane, take)
                                             : mine.template choose<false>(problem, begin, there, warp, lane, take);
          mine.store(problem, begin, left, warp, lane, at);
          left = join_run_starts{}(left, sum);
        }
      }
      if (lane == 0) finish_runs(problem, left);
    });
  });
}

}  // namespace
