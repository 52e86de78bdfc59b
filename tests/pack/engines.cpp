// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Choosing and dividing elements of one type on every engine: what engines differ in is the scan in the middle, or that
// there is one pass instead. The other files call what the backend takes by itself.

#include "../contracts/ran_engine.hpp"
#include "moving.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using moving::tagged;
using oracle::engine_name;

class packing_engines : public testing::TestWithParam<engine_name> {};
INSTANTIATE_TEST_SUITE_P(all, packing_engines, testing::ValuesIn(oracle::all_engines),
                         [](auto const& of) { return std::string(oracle::name_of(of.param)); });

/// Elements with keys below `first`, then those below `second`, then the others.
std::vector<tagged> in_parts(std::vector<tagged> elements, std::int64_t first, std::int64_t second) {
  auto const rest =
      std::stable_partition(elements.begin(), elements.end(), [=](tagged const& x) { return x.key < first; });
  std::stable_partition(rest, elements.end(), [=](tagged const& x) { return x.key < second; });
  return elements;
}

TEST_P(packing_engines, predicates_are_called_once_an_element) {
  oracle::space const space;
  upsweep::study::scan_options const options{.engine = GetParam()};
  for (std::size_t n : {1u, 100u, 4097u, 300001u}) {
    contracts::recorder const seen;
    auto const in = moving::values<tagged>(n, 0, 99);
    auto const device = oracle::to_device(in);
    std::vector<int> const once(n, 1);
    Kokkos::View<tagged*, oracle::memory> const out("out", n);
    auto const calls = [&] { return Kokkos::View<int*, oracle::memory>("calls", n); };
    auto const chosen = std::size_t(std::count_if(in.begin(), in.end(), [](tagged const& x) { return x.key < 30; }));

    auto const of_compact = calls();
    ASSERT_EQ(upsweep::compact(space, device, out, moving::counting_less<tagged>{30, of_compact}, options), chosen);
    EXPECT_EQ(moving::first(oracle::to_host(out), chosen), moving::first(in_parts(in, 30, 100), chosen)) << n;
    EXPECT_EQ(oracle::to_host(of_compact), once) << n;

    auto const of_reversed = calls();
    upsweep::partition_rest_reversed(space, device, out, moving::counting_less<tagged>{30, of_reversed}, options);
    auto reversed = in_parts(in, 30, 100);
    std::reverse(reversed.begin() + std::ptrdiff_t(chosen), reversed.end());
    EXPECT_EQ(oracle::to_host(out), reversed) << n;
    EXPECT_EQ(oracle::to_host(of_reversed), once) << n;

    auto const of_first = calls(), of_second = calls();
    upsweep::partition_three_way(space, device, out, moving::counting_less<tagged>{30, of_first},
                                 moving::counting_less<tagged>{60, of_second}, options);
    EXPECT_EQ(oracle::to_host(out), in_parts(in, 30, 60)) << n;
    EXPECT_EQ(oracle::to_host(of_first), once) << n;
    std::vector<int> others(n);
    for (std::size_t i = 0; i < n; ++i) others[i] = in[i].key < 30 ? 0 : 1;
    EXPECT_EQ(oracle::to_host(of_second), others) << n;

    auto const first_calls = calls(), second_calls = calls();
    Kokkos::View<tagged*, oracle::memory> const rear("rear", n), rest("rest", n);
    auto const counts =
        upsweep::partition_copy(space, device, out, rear, rest, moving::counting_less<tagged>{30, first_calls},
                                moving::counting_less<tagged>{60, second_calls}, options);
    auto parts = moving::first(oracle::to_host(out), counts[0]);
    for (auto const& part :
         {moving::first(oracle::to_host(rear), counts[1]), moving::first(oracle::to_host(rest), counts[2])})
      parts.insert(parts.end(), part.begin(), part.end());
    EXPECT_EQ(parts, in_parts(in, 30, 60)) << n;
    EXPECT_EQ(oracle::to_host(first_calls), once) << n;
    EXPECT_EQ(oracle::to_host(second_calls), others) << n;
    if (n > 300000) {
      EXPECT_TRUE(contracts::has_run(oracle::name_of(GetParam())));
    }
  }
}

TEST_P(packing_engines, calls_are_labelled_asynchronous_and_without_allocations_with_a_workspace) {
  oracle::space const space;
  std::size_t const n = 100003;
  auto const in = oracle::to_device(moving::values<tagged>(n, 0, 99));
  Kokkos::View<tagged*, oracle::memory> const out("out", n);
  Kokkos::View<std::uint64_t, oracle::memory> const count("count");
  Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 3);
  moving::less<tagged> const first{50}, second{60};
  moving::expect_asynchronous([&](auto const& options) { upsweep::compact(space, in, out, count, first, options); },
                              GetParam(), "mine");
  bool const one_pass = upsweep::internal::selection_ways<oracle::space, tagged, engine_name>::is_one_pass(GetParam());
  EXPECT_EQ(contracts::recorder::kernels().front().label,
            one_pass ? "upsweep::compact::select[mine]" : "upsweep::compact::mark[mine]");
  EXPECT_EQ(contracts::recorder::kernels().back().label,
            one_pass ? "upsweep::compact::select[mine]" : "upsweep::compact::move[mine]");
  moving::expect_asynchronous(
      [&](auto const& options) { upsweep::partition_three_way(space, in, out, counts, first, second, options); },
      GetParam());
  // In one pass: one launch where the device runs all teams at the same time, else one that asks and one that moves.
  auto const first_kernel = contracts::recorder::kernels().front().label;
  if (one_pass && contracts::recorder::kernels().size() == 1)
    EXPECT_EQ(first_kernel, "upsweep::partition_three_way::select");
  else EXPECT_EQ(first_kernel, one_pass ? "upsweep::partition_three_way::ask" : "upsweep::partition_three_way::mark");
  Kokkos::View<tagged*, oracle::memory> const rear("rear", n), rest("rest", n);
  moving::expect_asynchronous(
      [&](auto const& options) { upsweep::partition_copy(space, in, out, rear, rest, counts, first, second, options); },
      GetParam());
  auto const two = Kokkos::subview(counts, std::make_pair(0, 2));
  moving::expect_asynchronous(
      [&](auto const& options) { upsweep::partition_rest_reversed(space, in, out, two, first, options); }, GetParam());
}

}  // namespace
