// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What calls that choose and divide elements promise: for elements that GPUs move in one pass, and for longer ones,
// which they mark first. CPUs mark all.

#include "../contracts/ran_engine.hpp"
#include "moving.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>
#include <upsweep/pack/unique.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

template <class T>
class contracts_of_moving : public testing::Test {};
using short_and_long = testing::Types<moving::tagged, moving::wide>;
TYPED_TEST_SUITE(contracts_of_moving, short_and_long);

/// Elements with keys below `first`, then those below `second`, then the others.
template <class T>
std::vector<T> in_parts(std::vector<T> elements, std::int64_t first, std::int64_t second) {
  auto const rest = std::stable_partition(elements.begin(), elements.end(), [=](T const& x) { return x.key < first; });
  std::stable_partition(rest, elements.end(), [=](T const& x) { return x.key < second; });
  return elements;
}

TYPED_TEST(contracts_of_moving, predicates_are_called_once_an_element) {
  using T = TypeParam;
  oracle::space const space;
  for (std::size_t n : {1u, 100u, 4097u, 300001u}) {
    contracts::recorder const seen;
    auto const in = moving::values<T>(n, 0, 99);
    auto const device = oracle::to_device(in);
    std::vector<int> const once(n, 1);
    Kokkos::View<T*, oracle::memory> const out("out", n);
    auto const calls = [&] { return Kokkos::View<int*, oracle::memory>("calls", n); };
    auto const chosen = std::size_t(std::count_if(in.begin(), in.end(), [](T const& x) { return x.key < 30; }));

    auto const of_compact = calls();
    ASSERT_EQ(upsweep::compact(space, device, out, moving::counting_less<T>{30, of_compact}), chosen);
    EXPECT_EQ(moving::first(oracle::to_host(out), chosen), moving::first(in_parts(in, 30, 100), chosen)) << n;
    EXPECT_EQ(oracle::to_host(of_compact), once) << n;

    auto const of_reversed = calls();
    upsweep::partition_rest_reversed(space, device, out, moving::counting_less<T>{30, of_reversed});
    auto reversed = in_parts(in, 30, 100);
    std::reverse(reversed.begin() + std::ptrdiff_t(chosen), reversed.end());
    EXPECT_EQ(oracle::to_host(out), reversed) << n;
    EXPECT_EQ(oracle::to_host(of_reversed), once) << n;

    auto const of_first = calls(), of_second = calls();
    upsweep::partition_three_way(space, device, out, moving::counting_less<T>{30, of_first},
                                 moving::counting_less<T>{60, of_second});
    EXPECT_EQ(oracle::to_host(out), in_parts(in, 30, 60)) << n;
    EXPECT_EQ(oracle::to_host(of_first), once) << n;
    std::vector<int> others(n);
    for (std::size_t i = 0; i < n; ++i) others[i] = in[i].key < 30 ? 0 : 1;
    EXPECT_EQ(oracle::to_host(of_second), others) << n;

    auto const first_calls = calls(), second_calls = calls();
    Kokkos::View<T*, oracle::memory> const rear("rear", n), rest("rest", n);
    auto const counts =
        upsweep::partition_copy(space, device, out, rear, rest, moving::counting_less<T>{30, first_calls},
                                moving::counting_less<T>{60, second_calls});
    auto parts = moving::first(oracle::to_host(out), counts[0]);
    for (auto const& part :
         {moving::first(oracle::to_host(rear), counts[1]), moving::first(oracle::to_host(rest), counts[2])})
      parts.insert(parts.end(), part.begin(), part.end());
    EXPECT_EQ(parts, in_parts(in, 30, 60)) << n;
    EXPECT_EQ(oracle::to_host(first_calls), once) << n;
    EXPECT_EQ(oracle::to_host(second_calls), others) << n;
  }
}

TYPED_TEST(contracts_of_moving, calls_are_labelled_asynchronous_and_without_allocations_with_a_workspace) {
  using T = TypeParam;
  oracle::space const space;
  std::size_t const n = 100003;
  auto const in = oracle::to_device(moving::values<T>(n, 0, 99));
  Kokkos::View<T*, oracle::memory> const out("out", n);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::View<std::size_t*, oracle::memory> const counts("counts", 3);
  moving::less<T> const first{50}, second{60};
  moving::expect_asynchronous([&](auto const& options) { upsweep::compact(space, in, out, count, first, options); },
                              "mine");
  bool const one_pass = upsweep::internal::can_select_in_one_pass<oracle::space, T>;
  // One thread of a CPU marks and moves at once.
  bool const in_order = !one_pass && contracts::recorder::kernels().size() == 1;
  EXPECT_EQ(contracts::recorder::kernels().front().label, one_pass   ? "upsweep::compact::select[mine]"
                                                          : in_order ? "upsweep::compact::move[mine]"
                                                                     : "upsweep::compact::mark[mine]");
  EXPECT_EQ(contracts::recorder::kernels().back().label,
            one_pass ? "upsweep::compact::select[mine]" : "upsweep::compact::move[mine]");
  moving::expect_asynchronous(
      [&](auto const& options) { upsweep::partition_three_way(space, in, out, counts, first, second, options); });
  // In one pass: one launch where the device runs all teams at the same time, else one that asks and one that moves.
  auto const first_kernel = contracts::recorder::kernels().front().label;
  if (one_pass && contracts::recorder::kernels().size() == 1)
    EXPECT_EQ(first_kernel, "upsweep::partition_three_way::select");
  else
    EXPECT_EQ(first_kernel, one_pass ? "upsweep::partition_three_way::classify" : "upsweep::partition_three_way::mark");
  Kokkos::View<T*, oracle::memory> const rear("rear", n), rest("rest", n);
  moving::expect_asynchronous([&](auto const& options) {
    upsweep::partition_copy(space, in, out, rear, rest, counts, first, second, options);
  });
  auto const two = Kokkos::subview(counts, std::make_pair(0, 2));
  moving::expect_asynchronous(
      [&](auto const& options) { upsweep::partition_rest_reversed(space, in, out, two, first, options); });
}

// Options of scans without an engine are good for calls that have none, in every form of a call.
TEST(moving_calls, take_options_of_scans) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::scan_options const options{.workspace = &ws};
  auto const in = oracle::to_device(std::vector<int>{3, 8, 8, 7, 2});
  Kokkos::View<int*, oracle::memory> const out("out", 5);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  EXPECT_EQ(upsweep::compact(space, in, out, moving::less<int>{8}, options), 3u);
  upsweep::compact(space, in, out, count, moving::less<int>{8}, options);
  EXPECT_EQ(oracle::value_of(count), 3u);
  EXPECT_EQ(upsweep::unique(space, in, out, upsweep::equal_keys{}, options), 4u);
}

}  // namespace
