// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Choosing in one pass, where it is hard: borders of tiles, patterns, places that are not aligned, a slow tile, short
// outputs. Other backends run the same calls in three.

#include "../contracts/tools.hpp"
#include "moving.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>
#include <upsweep/scan/internal/selection.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

/// What is chosen of the numbers from 0 to n - 1.
struct pattern {
  enum kind { none, all, alternating, blocks, last, scattered, most };
  int which;
  std::size_t n;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    switch (which) {
      case none: return false;
      case all: return true;
      case alternating: return i % 2 == 1;
      case blocks: return i / 5000 % 2 == 0;
      case last: return i == n - 1;
      case most: return !pattern{scattered, n}(i);
      default: return (static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> 40) % 10 < 3;
    }
  }
};

/// 12 bytes: no slot of a power of two.
struct point {
  std::int32_t x, y, z;
  friend bool operator==(point const&, point const&) = default;
};
struct pattern_of_point {
  pattern chosen;
  KOKKOS_FUNCTION bool operator()(point const& p) const { return chosen(p.x); }
};

/// The second of three parts, of what is not chosen: by the number, or by that of a point.
struct every_fifth {
  std::size_t rest;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 5 < rest; }
  KOKKOS_FUNCTION bool operator()(point const& p) const { return (*this)(std::size_t(p.x)); }
};

/// Elements of a tile; something like it on backends that have none.
template <class T, class Space = oracle::space>
constexpr std::size_t tile_of() {
  using namespace upsweep::scan::detail;
  if constexpr (!upsweep::internal::can_select_in_one_pass<Space, T>) return 4096;
  else if constexpr (takes_short_tiles<Space, T>(1))
    return striped_selection::tile_size<Space, T, typename upsweep::engine::tuning<Space>::short_selection>;
  else
    return selection_engine<Space>::template tile_size<Space, T,
                                                       typename selection_engine<Space>::template shape<Space>>;
}

/// Around tiles; a group of tiles is 32.
template <class T>
std::vector<std::size_t> sizes() {
  constexpr std::size_t tile = tile_of<T>();
  return {1, 31, tile - 1, tile, tile + 1, 3 * tile, 3 * tile + 1, 33 * tile + 5};
}

template <class T, class Predicate>
void check(std::vector<T> const& values, Predicate const& predicate, std::size_t offset, upsweep::workspace& ws) {
  oracle::space const space;
  std::size_t const n = values.size();
  std::vector<T> chosen, rest;
  std::partition_copy(values.begin(), values.end(), std::back_inserter(chosen), std::back_inserter(rest), predicate);
  std::vector<T> both = chosen;
  both.insert(both.end(), rest.begin(), rest.end());
  Kokkos::View<T*, oracle::memory> const in_room("in", n + offset), out_room("out", n + offset),
      rest_room("rest", n + offset);
  auto const part = [&](auto const& room, std::size_t length) {
    return Kokkos::subview(room, std::make_pair(offset, offset + length));
  };
  auto const in = part(in_room, n);
  oracle::assign(in, values);

  ASSERT_EQ(upsweep::compact(space, in, part(out_room, chosen.size()), predicate, {.workspace = &ws}), chosen.size());
  ASSERT_EQ(oracle::to_host(part(out_room, chosen.size())), chosen);
  auto const joined = upsweep::partition(space, in, part(out_room, n), predicate, {.workspace = &ws});
  ASSERT_EQ(joined[0], chosen.size());
  ASSERT_EQ(joined[1], rest.size());
  ASSERT_EQ(oracle::to_host(part(out_room, n)), both);
  auto const reversed = upsweep::partition_rest_reversed(space, in, part(out_room, n), predicate, {.workspace = &ws});
  ASSERT_EQ(reversed[0], chosen.size());
  ASSERT_EQ(reversed[1], rest.size());
  std::copy(rest.rbegin(), rest.rend(), both.begin() + std::ptrdiff_t(chosen.size()));
  ASSERT_EQ(oracle::to_host(part(out_room, n)), both);
  auto const separate = upsweep::partition_copy(space, in, part(out_room, chosen.size()), part(rest_room, rest.size()),
                                                predicate, {.workspace = &ws});
  ASSERT_EQ(separate[0], chosen.size());
  ASSERT_EQ(separate[1], rest.size());
  ASSERT_EQ(oracle::to_host(part(out_room, chosen.size())), chosen);
  ASSERT_EQ(oracle::to_host(part(rest_room, rest.size())), rest);

  for (int share : {0, 2, 5}) {
    every_fifth const second{std::size_t(share)};
    std::vector<T> seconds, others;
    std::partition_copy(rest.begin(), rest.end(), std::back_inserter(seconds), std::back_inserter(others), second);
    Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 3);
    auto const sizes = std::vector<std::uint64_t>{chosen.size(), seconds.size(), others.size()};
    Kokkos::View<T*, oracle::memory> const others_room("others", n + offset);
    upsweep::partition_copy(space, in, part(out_room, chosen.size()), part(rest_room, seconds.size()),
                            part(others_room, others.size()), counts, predicate, second, {.workspace = &ws});
    ASSERT_EQ(oracle::to_host(counts), sizes) << share;
    ASSERT_EQ(oracle::to_host(part(out_room, chosen.size())), chosen) << share;
    ASSERT_EQ(oracle::to_host(part(rest_room, seconds.size())), seconds) << share;
    ASSERT_EQ(oracle::to_host(part(others_room, others.size())), others) << share;
    auto all = chosen;
    all.insert(all.end(), seconds.begin(), seconds.end());
    all.insert(all.end(), others.begin(), others.end());
    upsweep::partition_three_way(space, in, part(out_room, n), counts, predicate, second, {.workspace = &ws});
    ASSERT_EQ(oracle::to_host(counts), sizes) << share;
    ASSERT_EQ(oracle::to_host(part(out_room, n)), all) << share;
  }
}

TEST(selection, patterns_around_tiles_aligned_and_not) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : sizes<std::int32_t>())
    for (std::size_t offset : {0u, 1u}) {
      std::vector<std::int32_t> values(n);
      std::iota(values.begin(), values.end(), 0);
      for (int kind = pattern::none; kind <= pattern::most; ++kind) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", kind " << kind << ", offset " << offset);
        ASSERT_NO_FATAL_FAILURE(check(values, pattern{kind, n}, offset, ws));
      }
    }
}

TEST(selection, many_tiles_for_each_team) {
  upsweep::workspace ws(oracle::space{});
  std::vector<std::int32_t> values(700 * tile_of<std::int32_t>() + 17);
  std::iota(values.begin(), values.end(), 0);
  for (std::size_t offset : {0u, 1u})
    ASSERT_NO_FATAL_FAILURE(check(values, pattern{pattern::scattered, 0}, offset, ws));
}

TEST(selection, elements_of_twelve_bytes) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : sizes<point>()) {
    std::vector<point> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {std::int32_t(i), -1, std::int32_t(2 * i)};
    SCOPED_TRACE(n);
    ASSERT_NO_FATAL_FAILURE(check(values, pattern_of_point{{pattern::scattered, n}}, 0, ws));
  }
}

struct counting {
  pattern chosen;
  Kokkos::View<int*, oracle::memory> calls;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    Kokkos::atomic_inc(&calls(i));
    return chosen(i);
  }
};

TEST(selection, partition_of_many_by_a_sample_of_them) {
  oracle::space const space;
  upsweep::workspace ws(space);
  std::size_t const n = (std::size_t(1) << 24) + 12345;
  std::vector<std::int32_t> values(n);
  std::iota(values.begin(), values.end(), 0);
  auto const in = oracle::to_device(values);
  std::vector<int> expected_calls(n, 1);
  using sample = upsweep::pack::detail::part_sample;
  if (upsweep::internal::can_select_in_one_pass<oracle::space, std::int32_t>)
    for (std::size_t k = 0; k < sample::size; ++k)
      ++expected_calls[k / sample::row * (n / sample::rows) + k % sample::row];
  for (int kind = pattern::none; kind <= pattern::most; ++kind) {
    pattern const chosen{kind, n};
    auto expected = values;
    auto const border = std::stable_partition(expected.begin(), expected.end(), chosen);
    Kokkos::View<std::int32_t*, oracle::memory> const out("out", n);
    Kokkos::View<int*, oracle::memory> const calls("calls", n);
    auto const counts = upsweep::partition(space, in, out, counting{chosen, calls}, {.workspace = &ws});
    ASSERT_EQ(counts[0], std::uint64_t(border - expected.begin())) << kind;
    ASSERT_EQ(counts[1], n - counts[0]) << kind;
    ASSERT_EQ(oracle::to_host(out), expected) << kind;
    ASSERT_EQ(oracle::to_host(calls), expected_calls) << kind;
  }
}

/// Lets one element wait, and with it its tile; counts its calls.
struct slow_at {
  std::size_t slow;
  Kokkos::View<int, oracle::memory> calls;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    if (i == slow) {
      Kokkos::atomic_inc(&calls());
      for (int k = 0; k < 20000; ++k) upsweep::compat::pause();  // some milliseconds: many times what a tile takes
    }
    return i % 3 == 0;
  }
};

TEST(selection, a_slow_tile_is_waited_for_and_asked_once) {
  oracle::space const space;
  constexpr std::size_t tile = tile_of<std::int32_t>();
  std::size_t const n = 400 * tile + 3;
  Kokkos::View<std::int32_t*, oracle::memory> const out("out", std::size_t(n + 2) / 3);
  for (std::size_t slow : {0, 1, 31, 32, 300, 400}) {
    Kokkos::View<int, oracle::memory> const calls("calls");
    auto const count = upsweep::compact_indices(space, n, out, slow_at{slow * tile, calls});
    ASSERT_EQ(count, std::uint64_t(n + 2) / 3);
    auto const found = oracle::to_host(out);
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], std::int32_t(3 * k)) << slow;
    auto const times = oracle::value_of(calls);
    EXPECT_EQ(times, 1) << slow;
  }
}

// Other tiles wait for the slow one with their elements, and may ask for its elements again.
TEST(selection, a_slow_tile_is_waited_for_by_joined_parts) {
  oracle::space const space;
  upsweep::workspace ws(space);
  constexpr std::size_t tile = tile_of<std::int32_t>();
  std::size_t const n = 100 * tile + 3;
  std::vector<std::int32_t> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  auto const in = oracle::to_device(values);
  Kokkos::View<std::int32_t*, oracle::memory> const out("out", values.size());
  auto expected = values;
  auto const third = [](std::int32_t x) { return x % 3 == 0; };
  auto const border = std::stable_partition(expected.begin(), expected.end(), third);
  auto const count = std::uint64_t(border - expected.begin());
  auto in_three = expected;
  std::stable_partition(in_three.begin() + (border - expected.begin()), in_three.end(), every_fifth{2});
  for (std::size_t slow : {0, 1, 31, 32, 100}) {
    Kokkos::View<int, oracle::memory> const calls("calls");
    auto const counts = upsweep::partition(space, in, out, slow_at{slow * tile, calls}, {.workspace = &ws});
    ASSERT_EQ(counts[0], count) << slow;
    ASSERT_EQ(oracle::to_host(out), expected) << slow;
    upsweep::partition_three_way(space, in, out, slow_at{slow * tile, calls}, every_fifth{2}, {.workspace = &ws});
    ASSERT_EQ(oracle::to_host(out), in_three) << slow;
    auto const times = oracle::value_of(calls);
    EXPECT_GE(times, 2) << slow;
  }
}

// Around the longest inputs whose tiles all run at once on some devices.
TEST(selection, joined_parts_of_many_tiles) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t tiles : {90u, 260u, 390u, 500u, 528u, 529u}) {
    std::vector<std::int32_t> values(tiles * tile_of<std::int32_t>() - 3);
    std::iota(values.begin(), values.end(), 0);
    SCOPED_TRACE(tiles);
    ASSERT_NO_FATAL_FAILURE(check(values, pattern{pattern::scattered, 0}, 0, ws));
  }
}

TEST(selection, short_and_overlapping_outputs_of_partition_copy) {
  oracle::space const space;
  std::size_t const n = 20000;
  std::vector<std::int32_t> values(n);
  std::iota(values.begin(), values.end(), 0);
  auto const in = oracle::to_device(values);
  pattern const odd{pattern::alternating, n};
  Kokkos::View<std::int32_t*, oracle::memory> const room("room", 2 * n);
  auto const part = [&](std::size_t begin, std::size_t end) {
    return Kokkos::subview(room, std::make_pair(begin, end));
  };
  for (bool first_is_short : {true, false}) {
    oracle::fill(room, -1);
    std::size_t const a = first_is_short ? 9001 : 10000, b = first_is_short ? 10000 : 9001;
    EXPECT_THROW(upsweep::partition_copy(space, in, part(0, a), part(n, n + b), odd), upsweep::overflow_error);
    auto const found = oracle::to_host(room);
    for (std::size_t k = 0; k < n; ++k) {
      ASSERT_EQ(found[k], k < a ? std::int32_t(2 * k + 1) : -1) << k;
      ASSERT_EQ(found[n + k], k < b ? std::int32_t(2 * k) : -1) << k;
    }
    Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2);
    upsweep::partition_copy(space, in, part(0, a), part(n, n + b), counts, odd);
    EXPECT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{10000, 10000}));
  }
  EXPECT_THROW(upsweep::partition_copy(space, in, part(0, n), part(n - 1, 2 * n - 1), odd),
               upsweep::precondition_error);
  EXPECT_THROW(upsweep::partition_copy(space, part(0, n), part(n, n + 9), part(5, 10), odd),
               upsweep::precondition_error);
}

TEST(selection, three_parts_ask_once_and_leave_out_what_has_no_room) {
  oracle::space const space;
  std::size_t const n = 5 * tile_of<std::int32_t>() + 77;
  std::vector<std::int32_t> values(n);
  std::iota(values.begin(), values.end(), 0);
  auto const in = oracle::to_device(values);
  pattern const scattered{pattern::scattered, n};
  every_fifth const second{3};
  std::vector<std::int32_t> parts[3];
  std::vector<int> not_chosen(n);
  for (auto x : values) {
    parts[scattered(x) ? 0 : second(x) ? 1 : 2].push_back(x);
    not_chosen[std::size_t(x)] = scattered(x) ? 0 : 1;
  }
  std::vector<int> const once(n, 1);
  for (int shorter : {0, 1, 2}) {
    SCOPED_TRACE(shorter);
    Kokkos::View<std::int32_t*, oracle::memory> out[3];
    for (int k = 0; k < 3; ++k) {
      out[k] = Kokkos::View<std::int32_t*, oracle::memory>("out", n);
      oracle::fill(out[k], -1);
    }
    auto const part = [&](int k) {
      return Kokkos::subview(out[k], Kokkos::make_pair(std::size_t(0), parts[k].size() - (k == shorter ? 1001 : 0)));
    };
    Kokkos::View<int*, oracle::memory> const first_calls("calls", n), calls("calls", n);
    EXPECT_THROW(
        upsweep::partition_copy(space, in, part(0), part(1), part(2), counting{scattered, first_calls}, second),
        upsweep::overflow_error);
    EXPECT_EQ(oracle::to_host(first_calls), once);
    for (int k = 0; k < 3; ++k) {
      auto expected = parts[k];
      expected.resize(part(k).extent(0));
      expected.resize(n, -1);
      ASSERT_EQ(oracle::to_host(out[k]), expected) << k;
    }
    Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 3);
    upsweep::partition_copy(space, in, part(0), part(1), part(2), counts, scattered,
                            counting{{pattern::all, 0}, calls});
    EXPECT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{parts[0].size(), n - parts[0].size(), 0}));
    EXPECT_EQ(oracle::to_host(calls), not_chosen);
  }
}

TEST(selection, partitions_are_asynchronous_and_allocate_nothing_with_a_workspace) {
  oracle::space const space;
  std::size_t const n = 5000003;
  Kokkos::View<std::int32_t*, oracle::memory> const in("in", n), out("out", n), rest("rest", n);
  Kokkos::View<std::int32_t*, oracle::memory> const third("third", n);
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 2), three("three", 3);
  upsweep::workspace ws(space);
  auto const call = [&] {
    upsweep::partition_three_way(space, in, out, three, pattern{pattern::scattered, 0}, every_fifth{2},
                                 {.workspace = &ws});
    upsweep::partition_copy(space, in, out, rest, third, three, pattern{pattern::scattered, 0}, every_fifth{2},
                            {.workspace = &ws});
    upsweep::partition(space, in, out, counts, pattern{pattern::scattered, 0}, {.workspace = &ws});
    upsweep::partition_copy(space, in, out, rest, counts, pattern{pattern::scattered, 0}, {.workspace = &ws});
  };
  call();
  space.fence();
  contracts::recorder const seen;
  call();
  auto const fences = contracts::recorder::fences(), allocations = contracts::recorder::allocations();
  EXPECT_TRUE(fences.empty()) << fences.front();
  EXPECT_TRUE(allocations.empty()) << allocations.front();
  space.fence();
}

struct not_a_multiple_of_3 {
  Kokkos::View<std::int64_t*, oracle::memory> found;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::size_t& wrong) const { wrong += found(k) != 3 * k; }
};

TEST(long_selection, more_than_2_31_indices) {
  oracle::space const space;
  std::int64_t const n = (std::int64_t(1) << 31) + 1000;
  std::size_t const expected = std::size_t(n + 2) / 3;
  Kokkos::View<int, oracle::memory> const calls("calls");
  Kokkos::View<std::int64_t*, oracle::memory> const out("out", expected);
  ASSERT_EQ(upsweep::compact_indices(space, n, out, slow_at{std::size_t(-1), calls}), expected);
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<oracle::space>(space, 0, std::int64_t(expected)),
                          not_a_multiple_of_3{out}, wrong);
  EXPECT_EQ(wrong, 0u);
}

/// Elements in three parts, of which the first has only the last element, and the second one has every
/// third of the others.
KOKKOS_FUNCTION std::int8_t part_of_many(std::size_t i, std::size_t n) { return i == n - 1 ? 0 : i % 3 == 0 ? 1 : 2; }
struct fill_parts {
  Kokkos::View<std::int8_t*, oracle::memory> in;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { in(i) = part_of_many(i, in.extent(0)); }
};
struct is_value {
  std::int8_t value;
  KOKKOS_FUNCTION bool operator()(std::int8_t x) const { return x == value; }
};
struct not_of_its_part {
  Kokkos::View<std::int8_t*, oracle::memory> out;
  std::size_t seconds;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& wrong) const {
    wrong += out(i) != (i == 0 ? 0 : i <= seconds ? 1 : 2);
  }
};

TEST(long_selection, three_parts_of_more_than_2_32_elements) {
  oracle::space const space;
  std::size_t const n = (std::size_t(1) << 32) + 1000, seconds = (n + 1) / 3;
  using policy = Kokkos::RangePolicy<oracle::space, Kokkos::IndexType<std::size_t>>;
  Kokkos::View<std::int8_t*, oracle::memory> const in("in", n), out("out", n);
  Kokkos::parallel_for(policy(space, 0, n), fill_parts{in});
  auto const counts = upsweep::partition_three_way(space, in, out, is_value{0}, is_value{1});
  EXPECT_EQ(counts[0], 1u);
  EXPECT_EQ(counts[1], seconds);
  EXPECT_EQ(counts[2], n - 1 - seconds);
  std::size_t wrong = 0;
  Kokkos::parallel_reduce(policy(space, 0, n), not_of_its_part{out, seconds}, wrong);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
