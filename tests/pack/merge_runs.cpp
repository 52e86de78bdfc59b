// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Merges of two sorted runs: the call on the default space, and the kernel of GPUs with lockstep teams.

#include "../oracle/views.hpp"

#include <upsweep/pack/internal/merge_runs.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace upsweep::internal;
using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;
using element = std::pair<std::uint32_t, std::int64_t>;

/// The upper bits count, so that keys which differ may be equal in the order.
struct upper_bits {
  KOKKOS_FUNCTION std::uint32_t operator()(std::uint32_t key) const { return key >> 4; }
};
bool less(element const& a, element const& b) { return upper_bits{}(a.first) < upper_bits{}(b.first); }

/// n sorted keys out of `range`, with values that say where they are.
std::vector<element> sorted_elements(std::size_t n, std::uint32_t range, std::int64_t first_value) {
  std::vector<element> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i].first =
        static_cast<std::uint32_t>(((i + static_cast<std::uint64_t>(first_value)) * 0x9e3779b97f4a7c15u >> 33) % range);
  std::stable_sort(all.begin(), all.end(), less);
  for (std::size_t i = 0; i < n; ++i) all[i].second = first_value + static_cast<std::int64_t>(i);
  return all;
}

struct two_runs {
  std::vector<element> a, b, merged;
  two_runs(std::size_t na, std::size_t nb, std::uint32_t range)
      : a(sorted_elements(na, range, 0)), b(sorted_elements(nb, range, 1000000)), merged(na + nb) {
    std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin(), less);
  }
};

/// Lengths around a tile of 3840 keys, and very uneven ones.
std::vector<two_runs> const& cases() {
  static std::vector<two_runs> const all = {{0, 0, 9},         {1, 0, 9},         {0, 1, 9},
                                            {1, 1, 1},         {3840, 1, 70000},  {1919, 1921, 100},
                                            {5000, 0, 100000}, {0, 5000, 100000}, {7000, 9000, 16},
                                            {9000, 40, 90000}, {40, 9000, 90000}, {20000, 17000, 1u << 31}};
  return all;
}

template <class T>
using view = Kokkos::View<T*, memory_space>;
template <class T, class Get>
view<T> to_view(std::vector<element> const& from, Get const& get) {
  std::vector<T> host(from.size());
  std::transform(from.begin(), from.end(), host.begin(), get);
  return oracle::to_device(host);
}
view<std::uint32_t> keys_of(std::vector<element> const& from) {
  return to_view<std::uint32_t>(from, [](element const& e) { return e.first; });
}
view<std::int64_t> values_of(std::vector<element> const& from) {
  return to_view<std::int64_t>(from, [](element const& e) { return e.second; });
}

template <class Keys, class Values>
void expect_merged(Keys const& keys, Values const& values, two_runs const& runs) {
  auto const k = oracle::to_host(keys);
  auto const v = oracle::to_host(values);
  for (std::size_t i = 0; i < runs.merged.size(); ++i) {
    ASSERT_EQ(k[i], runs.merged[i].first) << i;
    if (!v.empty()) {
      ASSERT_EQ(v[i], runs.merged[i].second) << i;
    }
  }
}
std::string name_of(two_runs const& r) { return std::to_string(r.a.size()) + " and " + std::to_string(r.b.size()); }

TEST(merge_runs, stable_on_the_default_space) {
  using merger = run_merger<upper_bits, std::uint32_t, std::int64_t>;
  using keys_alone = run_merger<upper_bits, std::uint32_t, no_values>;
  space_type const space;
  for (auto const& runs : cases()) {
    SCOPED_TRACE(name_of(runs));
    auto const ak = keys_of(runs.a), bk = keys_of(runs.b);
    auto const av = values_of(runs.a), bv = values_of(runs.b);
    std::size_t const n = runs.merged.size();
    view<std::uint32_t> const keys("keys", n);
    view<std::int64_t> const values("values", n);
    view<std::size_t> const words("words", merger::words<space_type>(n) + keys_alone::words<space_type>(n));
    merger::merge(
        space,
        {{}, {ak.data(), av.data(), ak.extent(0)}, {bk.data(), bv.data(), bk.extent(0)}, keys.data(), values.data()},
        words.data(), "merge", {});
    expect_merged(keys, values, runs);
    oracle::fill(keys, 0u);
    keys_alone::merge(
        space, {{}, {ak.data(), nullptr, ak.extent(0)}, {bk.data(), nullptr, bk.extent(0)}, keys.data(), nullptr},
        words.data(), "merge", {});
    expect_merged(keys, view<std::int64_t>(), runs);
  }
}

using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

template <class Value>
void merge_in_lockstep(two_runs const& runs, std::vector<std::uint32_t>& keys, std::vector<Value>* values) {
  using kernel = merge_teams<upper_bits, std::uint32_t, Value>;
  std::vector<std::uint32_t> ak, bk;
  std::vector<std::int64_t> av, bv;
  for (auto const& e : runs.a) ak.push_back(e.first), av.push_back(e.second);
  for (auto const& e : runs.b) bk.push_back(e.first), bv.push_back(e.second);
  std::size_t const n = runs.merged.size(), tiles = (n + kernel::tile - 1) / kernel::tile;
  typename kernel::problem problem{
      {}, {ak.data(), nullptr, ak.size()}, {bk.data(), nullptr, bk.size()}, keys.data(), nullptr};
  if constexpr (kernel::problem::has_values) {
    problem.a.values = av.data();
    problem.b.values = bv.data();
    problem.values = values->data();
  }
  std::vector<std::size_t> splits(tiles + 1);
  for (std::size_t t = 0; t <= tiles; ++t)
    split_merge<upper_bits, std::uint32_t, Value>{problem, std::size_t(kernel::tile),
                                                  splits.data()}(static_cast<std::int64_t>(t));
  kernel const k{problem, splits.data()};
  lockstep_league(kernel::scratch_bytes)
      .run(static_cast<int>(tiles), kernel::threads, [&](lockstep_league_member const& m) { k(m); });
}

TEST(merge_runs, teams_of_gpus_in_lockstep) {
  for (auto const& runs : cases()) {
    SCOPED_TRACE(name_of(runs));
    std::vector<std::uint32_t> keys(runs.merged.size());
    std::vector<std::int64_t> values(runs.merged.size());
    merge_in_lockstep<std::int64_t>(runs, keys, &values);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(keys[i], runs.merged[i].first) << i;
      ASSERT_EQ(values[i], runs.merged[i].second) << i;
    }
    std::fill(keys.begin(), keys.end(), 0u);
    merge_in_lockstep<no_values>(runs, keys, nullptr);
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i], runs.merged[i].first) << i;
  }
}

/// Keys of 64 bits with values take more scratch than GPUs with 100 KiB have for four teams.
TEST(merge_runs, asks_for_teams_that_scratch_has_room_for) {
  using teams = merge_teams<upper_bits, std::uint64_t, std::int64_t>;
  auto const resident = [](std::size_t available) {
    return upsweep::compat::resident_teams(teams::resident, teams::threads, teams::scratch_bytes, available);
  };
  constexpr std::size_t of_hopper = 228 * 1024, of_ada = 100 * 1024;
  EXPECT_EQ(resident(of_hopper), teams::resident);
  EXPECT_GT(teams::resident * teams::scratch_bytes, of_ada);
  EXPECT_LE(static_cast<std::size_t>(resident(of_ada)) * teams::scratch_bytes, of_ada);
}

}  // namespace
