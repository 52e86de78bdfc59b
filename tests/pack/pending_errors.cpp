// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What an asynchronous call finds wrong stays in its workspace until check(), whatever other calls do in between.

#include "ragged.hpp"

#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/permute.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <numeric>
#include <string>

namespace {

using oracle::memory;
using oracle::space;

std::string checked(upsweep::workspace& ws) {
  try {
    ws.check(space{});
    return {};
  } catch (upsweep::error const& e) {
    std::string const what = e.what();
    return what.substr(0, what.find(" is "));
  }
}

/// Leaves an error: count 3 is negative.
void scan_bad_counts(upsweep::workspace& ws) {
  Kokkos::View<int*, memory> const offsets("offsets", 6);
  upsweep::counts_to_offsets(space{}, oracle::to_device<int>({1, 1, 1, -1, 1}), offsets, {.workspace = &ws});
}

struct rows_that_fail {
  std::size_t failing;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    if (i == failing) emit.fail(9);
    emit(1);
  }
};

TEST(pending_errors, are_not_thrown_by_calls_that_wait) {
  space const s;
  upsweep::workspace ws(s);
  scan_bad_counts(ws);
  upsweep::pack_options options{.workspace = &ws};
  options.row_bound = 2;
  for (auto strategy : {upsweep::pack_strategy::two_pass, upsweep::pack_strategy::fused}) {
    options.strategy = strategy;
    EXPECT_NO_THROW(upsweep::pack_lists<int>(s, 1000, rows_that_fail{1000}, options));
    EXPECT_THROW(upsweep::pack_lists<int>(s, 1000, rows_that_fail{17}, options), upsweep::user_failure_error);
  }
  std::size_t total = 0;
  Kokkos::View<int*, memory> const offsets("offsets", 3);
  EXPECT_NO_THROW(
      upsweep::counts_to_offsets(s, oracle::to_device<int>({4, 5}), offsets, upsweep::into{total}, {.workspace = &ws}));
  EXPECT_EQ(total, 9u);
  EXPECT_THROW(
      upsweep::counts_to_offsets(s, oracle::to_device<int>({4, -5}), offsets, upsweep::into{total}, {.workspace = &ws}),
      upsweep::precondition_error);
  EXPECT_EQ(checked(ws), "counts_to_offsets: counts(3)");
  EXPECT_EQ(checked(ws), "");
}

TEST(pending_errors, of_a_histogram_have_its_own_name) {
  space const s;
  upsweep::workspace ws(s);
  Kokkos::View<int*, memory> const counts("counts", 2);
  Kokkos::View<std::int8_t*, memory> const offsets("offsets", 3);
  upsweep::histogram(s, oracle::to_device(std::vector<int>(128, 0)), counts, offsets, {.workspace = &ws});
  EXPECT_EQ(checked(ws).rfind("histogram: offsets(1) does not fit", 0), 0u);
}

// A workspace has a word for each function that leaves errors in it.
TEST(pending_errors, all_functions_have_room_in_one_workspace) {
  space const s;
  upsweep::workspace ws(s);
  auto const ints = [](std::vector<int> const& values) { return oracle::to_device(values); };
  auto const in = ints({3, 1, 2}), out = ints({0, 0, 0}), order = ints({2, 0, 1});
  Kokkos::View<int*, memory> const offsets("offsets", 4), sums("sums", 2);
  upsweep::segment_offsets const segments(ints({0, 1, 3}));
  upsweep::counts_to_offsets(s, in, offsets, {.workspace = &ws});
  upsweep::histogram(s, in, sums, ints({0, 0, 0}), {.workspace = &ws});
  upsweep::segmented_inclusive_scan(s, in, segments, out, {.workspace = &ws});
  upsweep::segmented_exclusive_scan(s, in, segments, out, {.workspace = &ws});
  upsweep::segmented_reduce(s, in, segments, sums, upsweep::plus<>{}, {.workspace = &ws});
  upsweep::load_balance(s, ints({0, 1, 3}), out, {.workspace = &ws});
  upsweep::permute(s, order, in, out, {.workspace = &ws});
  upsweep::permute_in_place(s, order, in, {.workspace = &ws});
  EXPECT_EQ(checked(ws), "");
  EXPECT_EQ(oracle::to_host(in), oracle::to_host(out));
}

TEST(pending_errors, of_several_functions_are_each_thrown_under_their_own_name) {
  space const s;
  upsweep::workspace ws(s);
  Kokkos::View<int*, memory> const rows("rows", 9);
  upsweep::load_balance(s, oracle::to_device<int>({0, 3, 8}), rows, {.workspace = &ws});
  scan_bad_counts(ws);
  upsweep::segmented_inclusive_scan(s, rows, upsweep::segment_offsets(oracle::to_device<int>({0, 5, 4, 9})), rows,
                                    upsweep::plus<>{}, {.workspace = &ws});
  EXPECT_EQ(checked(ws), "load_balance: offsets(2)");
  EXPECT_EQ(checked(ws), "counts_to_offsets: counts(3)");
  EXPECT_EQ(checked(ws), "segmented_inclusive_scan: segment offset 2");
  EXPECT_EQ(checked(ws), "");
}

}  // namespace
