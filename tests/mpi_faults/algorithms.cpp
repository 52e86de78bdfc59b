// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../mpi/runs.hpp"
#include "campaign.hpp"

#include <upsweep/mpi/compact.hpp>
#include <upsweep/mpi/counts_to_offsets.hpp>
#include <upsweep/mpi/histogram.hpp>
#include <upsweep/mpi/pack_lists.hpp>
#include <upsweep/mpi/redistribute_evenly.hpp>
#include <upsweep/mpi/reduce_by_key.hpp>
#include <upsweep/mpi/scan_by_key.hpp>
#include <upsweep/mpi/sort.hpp>
#include <upsweep/mpi/unique.hpp>

#include <numeric>
#include <vector>

using namespace testing_mpi;
using namespace testing_faults;
namespace mpi = upsweep::mpi;

namespace {

constexpr std::int64_t elements = 200;

/// Rank r has elements of its own from r * elements on.
std::int64_t first_element() { return elements * world().rank(); }
std::vector<std::int64_t> own_elements() {
  std::vector<std::int64_t> result(elements);
  std::iota(result.begin(), result.end(), first_element());
  return result;
}

// Calls hold their instance: some versions of Kokkos allocate when one is made, which would fail before the ranks meet.

/// A segment ends with the last element of every second rank.
struct scan_of_segments {
  space_type space{};
  view<std::int64_t> keys, in = to_view(std::vector<std::int64_t>(elements, 1)), out{"out", elements};
  scan_of_segments() {
    std::vector<std::int64_t> of_rank(elements, 3);
    if (world().rank() % 2 == 1) of_rank.back() = 4;
    keys = to_view(of_rank);
  }
  void run() { mpi::inclusive_scan_by_key(world(), space, keys, in, out); }
  void check() const { EXPECT_EQ(to_vector(out)[0], world().rank() % 2 == 1 ? elements + 1 : 1); }
};

struct is_third {
  KOKKOS_FUNCTION bool operator()(std::int64_t x) const { return x % 3 == 0; }
};
struct chosen_elements {
  space_type space{};
  view<std::int64_t> in = to_view(own_elements()), out{"out", elements};
  mpi::rank_count found{};
  void run() { found = mpi::compact(world(), space, in, out, is_third{}); }
  void check() const {
    EXPECT_EQ(found.offset, static_cast<std::uint64_t>((first_element() + 2) / 3));
    EXPECT_EQ(to_vector(out)[0], (first_element() + 2) / 3 * 3);
  }
};

struct offsets_of_counts {
  space_type space{};
  view<std::int64_t> counts = to_view(std::vector<std::int64_t>(elements, 2)), offsets{"offsets", elements + 1};
  mpi::rank_count rows{};
  void run() { rows = mpi::counts_to_offsets(world(), space, counts, offsets); }
  void check() const {
    EXPECT_EQ(rows.offset, static_cast<std::uint64_t>(2 * first_element()));
    EXPECT_EQ(to_vector(offsets)[elements], 2 * first_element() + 2 * elements);
  }
};

struct counted_bins {
  space_type space{};
  view<std::int64_t> in = to_view(std::vector<std::int64_t>(elements, 3)), counts{"counts", 5}, offsets{"offsets", 6};
  void run() { mpi::histogram(world(), space, in, counts, offsets); }
  void check() const {
    EXPECT_EQ(to_vector(counts)[3], elements * world().size());
    EXPECT_EQ(to_vector(offsets)[5], elements * world().size());
  }
};

/// The last run of a rank goes on on the next one.
std::vector<std::int64_t> keys_over_borders(int rank) {
  std::vector<std::int64_t> keys(elements, rank + 1);
  keys.front() = rank;
  return keys;
}
auto runs_over_borders() {
  return find_runs<std::int64_t>(
      world().size(), keys_over_borders, [](int, std::size_t n) { return std::vector<std::int64_t>(n, 1); },
      upsweep::plus<std::int64_t>{});
}
/// The first `count` elements of a View.
std::vector<std::int64_t> front_of(view<std::int64_t> const& v, std::uint64_t count) {
  auto values = to_vector(v);
  values.resize(count);
  return values;
}
struct unique_elements {
  space_type space{};
  view<std::int64_t> in = to_view(keys_over_borders(world().rank())), out{"out", 2};
  mpi::rank_count found{};
  void run() { found = mpi::unique(world(), space, in, out); }
  void check() const {
    auto const runs = runs_over_borders();
    EXPECT_EQ(found.total, runs.below(runs.keys.size()));
    EXPECT_EQ(front_of(out, found.count), runs.keys[static_cast<std::size_t>(world().rank())]);
  }
};
struct reduced_runs {
  space_type space{};
  view<std::int64_t> keys = to_view(keys_over_borders(world().rank()));
  view<std::int64_t> values = to_view(std::vector<std::int64_t>(elements, 1));
  view<std::int64_t> out_keys{"out_keys", 2}, out_values{"out_values", 2};
  mpi::rank_count found{};
  void run() { found = mpi::reduce_by_key(world(), space, keys, values, out_keys, out_values); }
  void check() const {
    auto const runs = runs_over_borders();
    auto const rank = static_cast<std::size_t>(world().rank());
    EXPECT_EQ(found.total, runs.below(runs.keys.size()));
    EXPECT_EQ(front_of(out_keys, found.count), runs.keys[rank]);
    EXPECT_EQ(front_of(out_values, found.count), runs.results[rank]);
  }
};

struct as_many_as_index {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<std::int64_t> const& emit) const {
    for (std::size_t k = 0; k < i; ++k) emit(static_cast<std::int64_t>(k));
  }
};
struct lists_on_ranks {
  space_type space{};
  mpi::rank_lists<std::int64_t, memory_space> lists{};
  void run() { lists = mpi::pack_lists<std::int64_t>(world(), space, 10, as_many_as_index{}); }
  void check() const { EXPECT_EQ(lists.first_value, 45u * static_cast<unsigned>(world().rank())); }
};

/// All rows are on the last rank.
struct even_rows {
  space_type space{};
  view<std::int64_t> ids;
  Kokkos::View<double**, Kokkos::LayoutLeft, memory_space> table;
  even_rows() {
    std::int64_t const n = world().rank() + 1 == world().size() ? elements * world().size() : 0;
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), 0);
    ids = to_view(numbers);
    table = decltype(table)("table", numbers.size(), 2);
  }
  void run() { mpi::redistribute_evenly(world(), space, ids, table); }
  void check() const {
    EXPECT_EQ(to_vector(ids), own_elements());
    EXPECT_EQ(table.extent(0), ids.extent(0));
  }
};

/// Descending, so that most elements change their rank.
struct sorted_elements {
  space_type space{};
  view<std::int64_t> keys, values;
  sorted_elements() : values(to_view(own_elements())) {
    auto numbers = own_elements();
    for (auto& x : numbers) x = elements * world().size() - 1 - x;
    keys = to_view(numbers);
  }
  void run() { mpi::sort_by_key(world(), space, keys, values); }
  void check() const {
    EXPECT_EQ(to_vector(keys), own_elements());
    EXPECT_EQ(to_vector(values)[0], elements * world().size() - 1 - first_element());
  }
};

void algorithms(int stride) {
  fail_each_allocation("inclusive_scan_by_key", stride, [] { return scan_of_segments(); });
  fail_each_allocation("compact", stride, [] { return chosen_elements(); });
  fail_each_allocation("counts_to_offsets", stride, [] { return offsets_of_counts(); });
  fail_each_allocation("histogram", stride, [] { return counted_bins(); });
  fail_each_allocation("unique", stride, [] { return unique_elements(); });
  fail_each_allocation("reduce_by_key", stride, [] { return reduced_runs(); });
  fail_each_allocation("pack_lists", stride, [] { return lists_on_ranks(); });
  fail_each_allocation("redistribute_evenly", stride, [] { return even_rows(); });
  fail_each_allocation("sort_by_key", stride, [] { return sorted_elements(); });
}

}  // namespace

TEST(allocation_failures, algorithms_agree) { algorithms(5); }
TEST(long_allocation_failures, algorithms_agree) { algorithms(1); }
