// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Global memory traffic of the engines, to the element. The sources' formulas (2 N, 3 N, 4 N) leave out what the
// engines read and write for each block; here it is part of what is expected.

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>
#include <upsweep/scan/study/access_count.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <vector>

namespace {

using upsweep::basic_scan_options;
using upsweep::study::access_count;
using space_type = Kokkos::DefaultHostExecutionSpace;
using memory = Kokkos::HostSpace;

// Sums in a type of our own, which no kernel for built-in types takes.
struct state {
  using counter = access_count;
  std::uint32_t value;
  KOKKOS_FUNCTION friend bool operator==(state l, state r) { return l.value == r.value; }
};
struct sum {
  using value_type = state;
  KOKKOS_FUNCTION state identity() const { return {0}; }
  KOKKOS_FUNCTION state operator()(state l, state r) const { return {l.value + r.value}; }
};
struct ones {
  KOKKOS_FUNCTION state operator()(std::size_t) const { return {1}; }
};

using tile = upsweep::scan::detail::tile<space_type, state>;

struct accesses {
  std::uint64_t reads = 0, writes = 0;
  friend bool operator==(accesses const&, accesses const&) = default;
  friend accesses operator+(accesses const& a, accesses const& b) { return {a.reads + b.reads, a.writes + b.writes}; }
  friend std::ostream& operator<<(std::ostream& out, accesses const& a) {
    return out << a.reads << " reads and " << a.writes << " writes";
  }
};

template <class Body>
accesses count(Body const& body) {
  space_type const space;
  space.fence("accesses::before");
  access_count::clear();
  body(space);
  space.fence("accesses::after");
  return {access_count::loads, access_count::stores};
}

/// One tile; one more element; a few blocks, the last one short.
std::vector<std::uint64_t> sizes() { return {1, tile::size, tile::size + 1, 5 * tile::size + 7, 100 * tile::size}; }

/// A recursive engine needs a third level for this many.
constexpr std::uint64_t three_levels = tile::size * tile::size + 3;

Kokkos::View<state*, memory> all_ones(std::uint64_t n) {
  Kokkos::View<state*, memory> in(Kokkos::view_alloc(Kokkos::WithoutInitializing, "in"), n);
  for (std::uint64_t i = 0; i < n; ++i) in.data()[i] = {1};
  return in;
}

template <class Engine>
accesses scanned(std::uint64_t n) {
  auto const in = all_ones(n);
  Kokkos::View<state*, memory> const out("out", n);
  auto const got = count(
      [&](space_type const& space) { upsweep::inclusive_scan(space, in, out, sum{}, basic_scan_options<Engine>{}); });
  EXPECT_EQ(out.data()[n - 1].value, n);
  return got;
}

TEST(accesses, scan_then_propagate_moves_4_n) {
  // A level: N read, N partial results written and read, N results written; one sum per block written and read.
  auto const expected = [](auto const& self, std::uint64_t n) -> accesses {
    auto const blocks = upsweep::internal::divide_up(n, std::uint64_t(tile::size));
    if (blocks == 1) return {n, n};
    return accesses{2 * n + blocks, 2 * n + blocks} + self(self, blocks);
  };
  for (auto n : sizes()) EXPECT_EQ(scanned<upsweep::study::scan_then_propagate>(n), expected(expected, n)) << n;
  EXPECT_EQ(scanned<upsweep::study::scan_then_propagate>(three_levels), expected(expected, three_levels));
}

TEST(accesses, reduce_then_scan_moves_3_n) {
  auto const expected = [](auto const& self, std::uint64_t n) -> accesses {
    auto const blocks = upsweep::internal::divide_up(n, std::uint64_t(tile::size));
    if (blocks == 1) return {n, n};
    return accesses{2 * n + blocks, n + blocks} + self(self, blocks);
  };
  for (auto n : sizes()) EXPECT_EQ(scanned<upsweep::study::reduce_then_scan>(n), expected(expected, n)) << n;
  EXPECT_EQ(scanned<upsweep::study::reduce_then_scan>(three_levels), expected(expected, three_levels));
}

TEST(accesses, two_level_moves_3_n) {
  for (auto n : sizes()) {
    auto const blocks = upsweep::scan::detail::two_level_shape::of<tile>(n).blocks;
    // Each sum is written, read and replaced by a prefix, and that is read.
    accesses const expected = blocks == 1 ? accesses{n, n} : accesses{2 * n + 2 * blocks, n + 2 * blocks};
    EXPECT_EQ(scanned<upsweep::engine::two_level>(n), expected) << n;
  }
}

TEST(accesses, single_passes_move_2_n) {
  for (auto n : sizes()) {
    EXPECT_EQ(scanned<upsweep::study::sequential>(n), (accesses{n, n})) << n;
    EXPECT_EQ(scanned<upsweep::study::chained>(n), (accesses{n, n})) << n;
  }
  // A tile whose team has lost its core may be reduced by its successor, too.
  std::uint64_t const n = 16 * tile::size;
  auto const got = scanned<upsweep::study::one_lane_look_back>(n);
  EXPECT_EQ(got.writes, n);
  EXPECT_GE(got.reads, n);
  EXPECT_EQ(got.reads % tile::size, 0u);
  EXPECT_LT(got.reads, 2 * n);
}

TEST(accesses, initial_value_and_total_in_memory_count) {
  std::uint64_t const n = 100;
  auto const in = all_ones(n);
  Kokkos::View<state*, memory> const out("out", n);
  Kokkos::View<state, memory> const init("init"), total("total");
  auto const got = count([&](space_type const& space) {
    upsweep::exclusive_scan(space, in, out, upsweep::into{total}, upsweep::from{init}, sum{},
                            basic_scan_options<upsweep::study::sequential>{});
  });
  EXPECT_EQ(got, (accesses{n + 1, n + 1}));
}

TEST(accesses, strided_views_count_and_functors_do_not) {
  std::uint64_t const n = 100;
  Kokkos::View<state*, Kokkos::LayoutStride, memory> const out("out", Kokkos::LayoutStride(n, 3));
  auto const got = count([&](space_type const& space) {
    upsweep::exclusive_scan(space, ones{}, out, sum{}, basic_scan_options<upsweep::study::sequential>{});
  });
  EXPECT_EQ(got, (accesses{0, n}));
}

TEST(accesses, reduce_reads_n) {
  std::uint64_t const n = 5 * tile::size;
  auto const in = all_ones(n);
  auto const got = count([&](space_type const& space) { upsweep::reduce(space, in, sum{}); });
  // CPU threads pass one state per tile in plain memory; elsewhere one sum per block is written and read, and
  // prefixes are written.
  bool const by_threads = upsweep::scan::detail::cache_tiles_engine::runs_on<space_type>;
  EXPECT_EQ(got, by_threads ? (accesses{n, 0}) : (accesses{n + 5, 5 + 5 + 1}));
}

TEST(accesses, batched_rows_move_2_n) {
  // Rows one after the other, and neighbours in memory side by side: CPUs read the results of all columns but the last
  // again, out of a cache.
  auto const check = [](auto layout, std::uint64_t again) {
    Kokkos::View<state**, decltype(layout), memory> const in("in", 200, 30), out("out", 200, 30);
    auto const got = count([&](space_type const& space) { upsweep::batched_inclusive_scan(space, in, out, sum{}); });
    EXPECT_EQ(got, (accesses{6000 + again, 6000}));
  };
  check(Kokkos::LayoutRight{}, 0);
  check(Kokkos::LayoutLeft{}, 29 * 200);
}

/// Flags, none of them set, that count how often they are asked for: integers are no counted elements.
struct counted_flags {
  KOKKOS_FUNCTION bool operator()(std::size_t) const {
    access_count::count_load();
    return false;
  }
};

TEST(accesses, head_flags_are_read_with_the_elements) {
  std::uint64_t const n = 100;
  auto const in = all_ones(n);
  Kokkos::View<state*, memory> const out("out", n);
  auto const got = count([&](space_type const& space) {
    upsweep::segmented_inclusive_scan(space, in, upsweep::head_flags{counted_flags{}}, out, sum{},
                                      basic_scan_options<upsweep::study::sequential>{});
  });
  EXPECT_EQ(got, (accesses{2 * n - 1, n}));  // the first element is a head in any case
}

}  // namespace
