// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sizes and indices are std::size_t in all public calls. Functors here are called with that type or do not compile.

#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/for_each_pair.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/neighbors/special_neighbors.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>
#include <upsweep/pack/sort_permutation.hpp>
#include <upsweep/pack/unique.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using oracle::space;

template <class I>
concept other_than_size = !std::same_as<I, std::size_t>;

/// i % 3, of an index alone.
template <class Result>
struct remainder_of_3 {
  KOKKOS_FUNCTION Result operator()(std::size_t i) const { return static_cast<Result>(i % 3); }
  Result operator()(other_than_size auto) const = delete;
};
struct on_a_line {
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const {
    return {static_cast<double>(i) + 0.5, 0.5, 0.5};
  }
  void operator()(other_than_size auto) const = delete;  // nvcc writes Array without its namespace here
};
struct emit_index {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    for (std::size_t k = 0; k < i % 3; ++k) emit(static_cast<int>(i));
  }
  void operator()(other_than_size auto, upsweep::emitter<int> const&) const = delete;
};
struct store_prefix {
  Kokkos::View<int*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, int prefix, int) const { out(i) = prefix; }
  void operator()(other_than_size auto, int, int) const = delete;
};
struct add_index {
  KOKKOS_FUNCTION int load(std::size_t i, int) const { return static_cast<int>(i); }
  int load(other_than_size auto, int) const = delete;
  KOKKOS_FUNCTION void operator()(std::size_t, int, int loaded, int& sum) const { sum += loaded; }
  void operator()(other_than_size auto, int, int, int&) const = delete;
};
struct store_sum {
  Kokkos::View<int*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, int sum) const { out(i) = sum; }
  void operator()(other_than_size auto, int) const = delete;
};
struct count_pairs {
  Kokkos::View<int, oracle::memory> count;
  KOKKOS_FUNCTION void operator()(int, int) const { Kokkos::atomic_inc(&count()); }
};

using ints = Kokkos::View<int*, oracle::memory>;
constexpr int n = 8;  // 0 1 2 0 1 2 0 1 are the remainders

upsweep::box<double> line_box() { return {{0, 0, 0}, {n, 1, 1}, {false, false, false}}; }

}  // namespace

TEST(numbers, scans_call_functors_with_sizes) {
  space const s;
  ints const out("out", n);
  remainder_of_3<int> const in;
  std::vector<int> const exclusive{0, 0, 1, 3, 3, 4, 6, 6}, inclusive{0, 1, 3, 3, 4, 6, 6, 7};
  upsweep::exclusive_scan(s, in, out);
  EXPECT_EQ(oracle::to_host(out), exclusive);
  oracle::fill(out, -1);
  upsweep::exclusive_scan_for_each(s, n, in, store_prefix{out});
  EXPECT_EQ(oracle::to_host(out), exclusive);
  upsweep::inclusive_scan_for_each(s, n, in, store_prefix{out});
  EXPECT_EQ(oracle::to_host(out), inclusive);
  upsweep::exclusive_scan_for_each(s, oracle::to_device(std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1}), store_prefix{out});
  EXPECT_EQ(oracle::to_host(out), exclusive);
  EXPECT_EQ(upsweep::reduce(s, n, in), 7);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
  std::size_t total = 0;
  upsweep::counts_to_offsets(s, in, offsets, upsweep::into{total});
  EXPECT_EQ(total, 7u);
  ints const sums("sums", 2);
  upsweep::segmented_reduce(s, n, in, upsweep::segment_offsets{oracle::to_device(std::vector<int>{0, 3, 8})}, sums);
  EXPECT_EQ(oracle::to_host(sums), (std::vector<int>{3, 4}));
}

TEST(numbers, packing_calls_functors_with_sizes) {
  space const s;
  ints const out("out", n);
  EXPECT_EQ(upsweep::compact_indices(s, n, out, remainder_of_3<bool>{}), 5u);
  ints const counts("counts", 3);
  upsweep::histogram(s, n, remainder_of_3<int>{}, counts);
  EXPECT_EQ(oracle::to_host(counts), (std::vector<int>{3, 3, 2}));
  ints const offsets("offsets", 4);
  upsweep::histogram(s, n, remainder_of_3<int>{}, counts, offsets);
  EXPECT_EQ(oracle::to_host(offsets), (std::vector<int>{0, 3, 6, 8}));
  upsweep::sort_permutation(s, n, remainder_of_3<int>{}, out);
  EXPECT_EQ(oracle::to_host(out), (std::vector<int>{0, 3, 6, 1, 4, 7, 2, 5}));

  std::vector<int> const values{1, 2, 2, 4, 5, 5, 7};
  using upsweep::pack_strategy;
  for (auto const strategy : {pack_strategy::two_pass, pack_strategy::fused})
    EXPECT_EQ(
        oracle::to_host(upsweep::pack_lists<int>(s, n, emit_index{}, {.strategy = strategy, .row_bound = 2}).values),
        values);
  auto plan = upsweep::count_lists<int>(s, n, emit_index{});
  EXPECT_EQ(oracle::to_host(upsweep::emit_lists(s, plan, emit_index{}).values), values);
  upsweep::count_lists_into(s, n, plan, emit_index{});
  Kokkos::View<std::size_t*, oracle::memory> const starts("starts", n + 1);
  ints const records("records", values.size());
  EXPECT_EQ(upsweep::emit_lists_into(s, plan, records, emit_index{}), values.size());
  EXPECT_EQ(upsweep::pack_lists_into(s, n, starts, records, emit_index{}), values.size());
  EXPECT_EQ(oracle::to_host(records), values);
  EXPECT_EQ(oracle::to_host(upsweep::pack_unique_rows<int>(s, n, emit_index{}).values),
            (std::vector<int>{1, 2, 4, 5, 7}));
  EXPECT_EQ(upsweep::pack_unique_rows_into(s, n, starts, records, emit_index{}), 5u);
}

TEST(numbers, lists_call_functors_with_sizes) {
  space const s;
  upsweep::neighbor_list<space, double> list(s, n, on_a_line{}, line_box(), 1.0);
  EXPECT_EQ(list.pairs(), 14u);
  list.update(s, n, on_a_line{});
  EXPECT_EQ(list.plan(s, n, on_a_line{}).rows, 8u);
  list.emit();
  ints const sums("sums", n);
  upsweep::reduce_rows<int>(s, list, add_index{}, store_sum{sums});
  EXPECT_EQ(oracle::to_host(sums), (std::vector<int>{0, 2, 4, 6, 8, 10, 12, 7}));
  upsweep::reduce_rows<int, true>(s, list, add_index{}, store_sum{sums});
  EXPECT_EQ(oracle::to_host(sums), (std::vector<int>{0, 2, 4, 6, 8, 10, 12, 7}));
  Kokkos::View<int, oracle::memory> const pairs("pairs");
  upsweep::for_each_pair(s, n, on_a_line{}, line_box(), 1.0, count_pairs{pairs});
  EXPECT_EQ(upsweep::reduce(s, sums), 49);
  int found = 0;
  Kokkos::deep_copy(found, pairs);
  EXPECT_EQ(found, 14);
}

struct is_zero_functor {
  KOKKOS_FUNCTION bool operator()(int x) const { return x == 0; }
};

// On some platforms std::uint64_t is another type.
TEST(numbers, counts_are_sizes) {
  space const s;
  ints const in("in", 5), out("out", 5);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  is_zero_functor const is_zero;
  auto const all = [](auto found, std::size_t expected) {
    static_assert(std::is_same_v<decltype(found), std::size_t>);
    EXPECT_EQ(found, expected);
  };
  all(upsweep::compact(s, in, out, is_zero), 5);
  all(upsweep::compact_in_place(s, in, is_zero), 5);
  all(upsweep::compact_indices(s, 5, out, remainder_of_3<bool>{}), 3);
  all(upsweep::unique(s, in, out), 1);
  all(upsweep::unique_in_place(s, in), 1);
  all(upsweep::run_length(s, in, out, ints("lengths", 5)), 1);
  all(upsweep::reduce_by_key(s, in, ints("values", 5), out, ints("sums", 5)), 1);
  all(upsweep::partition(s, in, out, is_zero)[0], 5);
  all(upsweep::pack_lists<int>(s, n, emit_index{}).total(), 7);
  upsweep::compact(s, in, out, count, is_zero);
  std::size_t on_device = 0;
  Kokkos::deep_copy(on_device, count);
  all(on_device, 5);
  static_assert(std::is_same_v<decltype(upsweep::neighbor_options::rows), std::optional<std::size_t>>);
  static_assert(std::is_same_v<decltype(upsweep::neighbor_options::max_neighbors), std::optional<std::size_t>>);
}

TEST(numbers, negative_sizes_are_refused_by_name) {
  space const s;
  ints const out("out", n);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
  Kokkos::View<std::int64_t* [2], oracle::memory> const bonds("bonds", 0);
  upsweep::list_plan<int, oracle::memory> plan;
  remainder_of_3<int> const number;
  int const less = -1;
  std::int64_t const least = std::numeric_limits<std::int64_t>::min();
  auto const says = [](auto const& call) { return oracle::message_of<upsweep::precondition_error>(call); };
  auto const expect = [&](std::string const& function, auto const& call) {
    EXPECT_EQ(says(call), function + ": n = -1 is negative");
  };
  expect("reduce", [&] { upsweep::reduce(s, less, number); });
  expect("segmented_reduce", [&] {
    upsweep::segmented_reduce(s, less, number, upsweep::segment_offsets{oracle::to_device(std::vector<int>{0})}, out);
  });
  expect("exclusive_scan_for_each", [&] { upsweep::exclusive_scan_for_each(s, less, number, store_prefix{out}); });
  expect("inclusive_scan_for_each", [&] { upsweep::inclusive_scan_for_each(s, less, number, store_prefix{out}); });
  expect("compact_indices", [&] { upsweep::compact_indices(s, less, out, remainder_of_3<bool>{}); });
  expect("histogram", [&] { upsweep::histogram(s, less, number, out); });
  expect("sort_permutation", [&] { upsweep::sort_permutation(s, less, number, out); });
  expect("pack_lists", [&] { upsweep::pack_lists<int>(s, less, emit_index{}); });
  expect("count_lists", [&] { upsweep::count_lists<int>(s, less, emit_index{}); });
  expect("count_lists_into", [&] { upsweep::count_lists_into(s, less, plan, emit_index{}); });
  expect("pack_lists_into", [&] { upsweep::pack_lists_into(s, less, offsets, out, emit_index{}); });
  expect("pack_unique_rows", [&] { upsweep::pack_unique_rows<int>(s, less, emit_index{}); });
  expect("pack_unique_rows_into", [&] { upsweep::pack_unique_rows_into(s, less, offsets, out, emit_index{}); });
  expect("special_neighbors", [&] { upsweep::special_neighbors(s, less, bonds); });
  expect("neighbor_list", [&] { upsweep::neighbor_list(s, less, on_a_line{}, line_box(), 1.0); });
  expect("for_each_pair", [&] {
    upsweep::for_each_pair(s, less, on_a_line{}, line_box(), 1.0, count_pairs{Kokkos::View<int, oracle::memory>("c")});
  });
  EXPECT_EQ(says([&] { upsweep::pack_lists<int>(s, least, emit_index{}); }),
            "pack_lists: n = -9223372036854775808 is negative");
}
