// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels of GPUs, which run on any backend: on a host with teams of few threads.

#include "sort_kernels.hpp"

namespace {

using oracle::space;
using sorted::pattern;

template <class Key, int TeamSize, int Items>
void check(std::vector<Key> const& keys, bool descending, int first = 0, int last = 8 * int(sizeof(Key))) {
  using both = upsweep::pack::detail::team_sort<space, Key, std::uint64_t, TeamSize, Items>;
  using alone = upsweep::pack::detail::team_sort<space, Key, upsweep::pack::detail::no_value, TeamSize, Items>;
  sorted::expect_sorted<std::uint64_t, both, alone>(keys, descending, first, last);
}

template <class Key, int TeamSize, int Items>
void check_all() {
  int const threads = upsweep::compat::is_gpu<space> ? 1024 : space().concurrency();
  if (threads < TeamSize) GTEST_SKIP() << "teams of " << TeamSize << " do not run on " << threads << " threads";
  constexpr std::size_t tile = TeamSize * Items;
  for (std::size_t n : {std::size_t(2), tile - 1, tile, tile + 1, 3 * tile + 2, 20 * tile + 7}) {
    if (n < 2) continue;
    for (bool descending : {false, true}) check<Key, TeamSize, Items>(sorted::make_keys<Key>(n), descending);
  }
  for (auto which : {pattern::few, pattern::equal, pattern::ascending, pattern::descending})
    check<Key, TeamSize, Items>(sorted::make_keys<Key>(5 * tile - 1, which), false);
  int const bits = 8 * sizeof(Key);
  for (auto [first, last] : {std::pair(3, 8), {bits - 1, bits}, {bits / 4, bits - 1}})
    check<Key, TeamSize, Items>(sorted::make_keys<Key>(2 * tile + 1), true, first, last);
}

/// Templates, so that a GPU's compiler does not unroll the loops of a CPU's teams.
template <class Key, int TeamSize, int Items>
void check_on_cpu() {
  if constexpr (upsweep::compat::is_gpu<space>) GTEST_SKIP() << "not a CPU";
  else check_all<Key, TeamSize, Items>();
}
template <class Key>
void check_on_gpu() {
  if constexpr (upsweep::compat::is_gpu<space>) check_all<Key, 256, 15>();
  else GTEST_SKIP() << "no GPU";
}

TEST(sort_teams, of_one_thread) {
  check_on_cpu<std::uint32_t, 1, 3840>();
  check_on_cpu<double, 1, 37>();
  check_on_cpu<std::int8_t, 1, 64>();
}
TEST(sort_teams, of_two_threads) { check_on_cpu<std::int32_t, 2, 15>(); }
TEST(sort_teams, of_four_threads) { check_on_cpu<float, 4, 15>(); }
TEST(sort_teams, as_gpus_have_them) {
  check_on_gpu<std::uint8_t>();
  check_on_gpu<std::int32_t>();
  check_on_gpu<std::uint64_t>();
  check_on_gpu<double>();
}

}  // namespace
