// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a sort promises beside its result, seen through Kokkos' tool interface.

#include "../oracle/views.hpp"
#include "tools.hpp"

#include <upsweep/pack/sort.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using contracts::recorder;

std::size_t const n = 200003;

TEST(contracts, sorts_with_a_workspace_neither_fence_nor_allocate_nor_copy) {
  oracle::space const space;
  auto const keys = oracle::to_device(oracle::random_values<int>(n, -100000, 100000));
  auto const values = oracle::to_device(oracle::random_values<double>(n, 0, 9));
  using teams = upsweep::pack::detail::team_sort<oracle::space, int, double>;
  upsweep::workspace ws(space);
  auto const digits = upsweep::pack::detail::digit_plan::of(0, 32);
  auto const run = [&](int which) {
    if (which == 0) upsweep::sort(space, keys, {.workspace = &ws, .label = "mine"});
    else if (which == 1) upsweep::sort_by_key(space, keys, values, {.workspace = &ws, .label = "mine"});
    else teams::run(space, {keys.data(), values.data()}, n, {0}, digits, ws, "sort_by_key", "mine");
  };
  for (int which : {0, 1, 2}) {
    run(which);
    space.fence();
    recorder const seen;
    run(which);
    auto const fences = recorder::fences(), allocations = recorder::allocations(), copies = recorder::copies();
    EXPECT_TRUE(fences.empty()) << which << ": " << fences.front();
    EXPECT_TRUE(allocations.empty()) << which << ": " << allocations.front();
    EXPECT_TRUE(copies.empty()) << which << ": " << copies.front();
    ASSERT_FALSE(recorder::kernels().empty());
    for (auto const& k : recorder::kernels()) {
      std::string const own = which == 0 ? "upsweep::sort::" : "upsweep::sort_by_key::";
      EXPECT_TRUE(k.label.rfind(own, 0) == 0 || k.label.rfind("upsweep::exclusive_scan::", 0) == 0) << k.label;
      EXPECT_NE(k.label.find("[mine]"), std::string::npos) << k.label;
      EXPECT_EQ(k.device, Kokkos::Tools::Experimental::device_id(space)) << k.label;
    }
    space.fence();
  }
}

}  // namespace
